//! Days: `March 5`, `next Tuesday`, `in 3 days`, and ranges of them.

mod numeric;

use wireform_recurrence::jiff::Span;
use wireform_recurrence::jiff::civil::{Date, Weekday};

use self::numeric::numeric;
use super::lex::TokenCursor;
use super::names::{MONTHS, WEEKDAYS};

/// Days of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Days {
    One(Date),
    /// Range of days, inclusive.
    Range(Date, Date),
}

impl Days {
    pub(super) fn first(self) -> Date {
        let (Self::One(first) | Self::Range(first, _)) = self;
        first
    }

    pub(super) fn last(self) -> Date {
        let (Self::One(last) | Self::Range(_, last)) = self;
        last
    }
}

/// Matches a day or a range of days.
pub(super) fn days(cursor: TokenCursor<'_>, today: Date) -> Option<(Days, usize)> {
    if let Some((range, end)) = range(cursor, today) {
        return Some((range, end));
    }
    let (date, after) = date(cursor, today, None)?;
    Some((Days::One(date), after.end()?))
}

/// Matches a range of days: `March 3-7`, `from Monday to Friday`; `None` if it ends before it begins.
fn range(mut cursor: TokenCursor<'_>, today: Date) -> Option<(Days, usize)> {
    cursor.eat(&["from"]);
    if let Some((first, last, end)) = within_month(cursor, today) {
        return Some((Days::Range(first, last), end));
    }
    let (first, mut cursor) = date(cursor, today, None)?;
    cursor.eat_range_separator()?;
    let (last, cursor) = date(cursor, today, Some(first))?;
    Some((Days::Range(first, last), cursor.end()?)).filter(|_| last >= first)
}

/// Matches `March 3-7` and `3-7 March`.
fn within_month(mut cursor: TokenCursor<'_>, today: Date) -> Option<(Date, Date, usize)> {
    let (month, first, last);
    if let Some(named) = month_name(&mut cursor) {
        month = named;
        first = day_number(&mut cursor)?;
        cursor.eat_range_separator()?;
        last = day_number(&mut cursor)?;
    } else {
        first = day_number(&mut cursor)?;
        cursor.eat_range_separator()?;
        last = day_number(&mut cursor)?;
        cursor.eat(&["of"]);
        month = month_name(&mut cursor)?;
    }
    let year = year_after(&mut cursor);
    let begin = in_year(year, month, first, today)?;
    let end = Date::new(begin.year(), month, last).ok()?;
    Some((begin, end, cursor.end()?)).filter(|_| end >= begin)
}

/// Matches a day. The second day of a range is the next such day from the first one on, unless its year is given or it
/// is relative to today.
pub(super) fn date(mut cursor: TokenCursor<'_>, today: Date, first: Option<Date>) -> Option<(Date, TokenCursor<'_>)> {
    let prefixed = cursor.eat(&["on", "starting", "beginning"]);
    let from = first.unwrap_or(today);
    named_day(cursor, today)
        .or_else(|| weekday(cursor, today, first, prefixed))
        .or_else(|| month_and_day(cursor, from))
        .or_else(|| numeric(cursor, from))
        .or_else(|| day_of_month(cursor, from, prefixed))
}

/// Matches `tomorrow`, `in 3 days`, `next week`.
fn named_day(mut cursor: TokenCursor<'_>, today: Date) -> Option<(Date, TokenCursor<'_>)> {
    let days = |days: i64| today.checked_add(Span::new().days(days)).ok();
    let begin = cursor;
    if cursor.eat(&["today"]) {
        return Some((today, cursor));
    }
    if cursor.eat(&["tomorrow"]) {
        return Some((days(1)?, cursor));
    }
    if cursor.eat(&["yesterday"]) {
        return Some((days(-1)?, cursor));
    }
    cursor.eat(&["the"]);
    if cursor.eat_all(&["day", "after", "tomorrow"]) {
        return Some((days(2)?, cursor));
    }
    cursor = begin;
    if cursor.eat(&["in"]) {
        let count = cursor.eat_count()?;
        let span = match cursor.eat_word()? {
            "day" | "days" => Span::new().try_days(count),
            "week" | "weeks" => Span::new().try_weeks(count),
            "month" | "months" => Span::new().try_months(count),
            "year" | "years" => Span::new().try_years(count),
            _ => return None,
        };
        return Some((today.checked_add(span.ok()?).ok()?, cursor));
    }
    if !cursor.eat(&["next"]) {
        return None;
    }
    let begin = match cursor.eat_word()? {
        "week" => {
            let monday = next_monday(today)?;
            let mut ahead = cursor;
            ahead.eat(&["on"]);
            // `next week on Tuesday`
            if let Some(day) = weekday_name(&mut ahead, true) {
                return Some((on_or_after(monday, day)?, ahead));
            }
            monday
        }
        "month" => today.first_of_month().checked_add(Span::new().months(1)).ok()?,
        "year" => today.first_of_year().checked_add(Span::new().years(1)).ok()?,
        _ => return None,
    };
    Some((begin, cursor))
}

fn next_monday(today: Date) -> Option<Date> {
    on_or_after(today.tomorrow().ok()?, Weekday::Monday)
}

/// Returns the first given weekday on or after a day.
pub(super) fn on_or_after(from: Date, day: Weekday) -> Option<Date> {
    let ahead = from.weekday().until(day);
    from.checked_add(Span::new().days(i64::from(ahead))).ok()
}

/// Matches `Friday`, `this Friday`, `next Friday`, `Friday next week`.
fn weekday(
    mut cursor: TokenCursor<'_>,
    today: Date,
    first: Option<Date>,
    prefixed: bool,
) -> Option<(Date, TokenCursor<'_>)> {
    let next = cursor.eat(&["next"]);
    let this = !next && cursor.eat(&["this"]);
    let day = weekday_name(&mut cursor, prefixed || next || this)?;
    let next = cursor.eat_all(&["next", "week"]) || next;
    let from = match first {
        _ if next => next_monday(today)?,
        Some(first) => first,
        None if this => today,
        None => today.tomorrow().ok()?,
    };
    let date = on_or_after(from, day)?;
    // `Friday, March 6` names one day twice.
    let mut ahead = cursor;
    ahead.eat_symbol(&[',']);
    if let Some((same, after)) = month_and_day(ahead, today).or_else(|| numeric(ahead, today))
        && same.weekday() == day
    {
        return Some((same, after));
    }
    Some((date, cursor))
}

/// Matches the name of a weekday. Abbreviations are only accepted when capitalized, or after an unambiguous word.
pub(super) fn weekday_name(cursor: &mut TokenCursor<'_>, is_clear: bool) -> Option<Weekday> {
    const SHORT: [&str; 10] = ["mon", "tue", "tues", "wed", "thu", "thur", "thurs", "fri", "sat", "sun"];
    let is_clear = is_clear || cursor.token()?.is_capitalized();
    let mut ahead = *cursor;
    let word = ahead.eat_word()?;
    let is_short = is_clear && SHORT.contains(&word);
    let (_, day) = WEEKDAYS.iter().find(|(name, _)| *name == word || (is_short && name.starts_with(word)))?;
    *cursor = ahead;
    Some(*day)
}

/// Matches `March 5`, `5 March 2027`, `the 5th of March`.
fn month_and_day(mut cursor: TokenCursor<'_>, from: Date) -> Option<(Date, TokenCursor<'_>)> {
    cursor.eat(&["the"]);
    let (month, day);
    if let Some(named) = month_name(&mut cursor) {
        month = named;
        cursor.eat(&["the"]);
        day = day_number(&mut cursor)?;
    } else {
        day = day_number(&mut cursor)?;
        cursor.eat(&["of"]);
        month = month_name(&mut cursor)?;
    }
    let year = year_after(&mut cursor);
    Some((in_year(year, month, day, from)?, cursor))
}

/// Matches the name of a month, in full or abbreviated to three letters or `sept`.
fn month_name(cursor: &mut TokenCursor<'_>) -> Option<i8> {
    let mut ahead = *cursor;
    let word = ahead.eat_word()?;
    let is_short = word.len() == 3 || word == "sept";
    let index = MONTHS.iter().position(|name| *name == word || (is_short && name.starts_with(word)))?;
    // `Mar. 5`
    if word.len() <= 4 && ahead.is_adjacent() {
        ahead.eat_symbol(&['.']);
    }
    *cursor = ahead;
    i8::try_from(index + 1).ok()
}

/// Matches `5` and `5th`.
fn day_number(cursor: &mut TokenCursor<'_>) -> Option<i8> {
    let mut ahead = *cursor;
    let (value, _) = ahead.eat_number(1..=2)?;
    if ahead.is_adjacent() {
        ahead.eat(&["st", "nd", "rd", "th"]);
    }
    *cursor = ahead;
    i8::try_from(value).ok().filter(|day| (1..=31).contains(day))
}

/// Matches the year after a day, which is not a time: `March 5 2027`, `March 5, 2027`.
fn year_after(cursor: &mut TokenCursor<'_>) -> Option<i16> {
    let mut ahead = *cursor;
    ahead.eat_symbol(&[',']);
    let (value, _) = ahead.eat_number(4..=4)?;
    ahead.end()?;
    let year = i16::try_from(value).ok().filter(|year| (1900..=2999).contains(year))?;
    *cursor = ahead;
    Some(year)
}

/// Returns a day of a year; without a year, the next such day.
fn in_year(year: Option<i16>, month: i8, day: i8, from: Date) -> Option<Date> {
    if let Some(year) = year {
        return Date::new(year, month, day).ok();
    }
    (0..=8).find_map(|ahead| {
        let year = from.year().checked_add(ahead)?;
        Date::new(year, month, day).ok().filter(|date| *date >= from)
    })
}

/// Matches `on the 5th`: the next such day of a month.
fn day_of_month(mut cursor: TokenCursor<'_>, from: Date, prefixed: bool) -> Option<(Date, TokenCursor<'_>)> {
    if !prefixed || !cursor.eat(&["the"]) {
        return None;
    }
    let (value, _) = cursor.eat_number(1..=2)?;
    if !cursor.is_adjacent() || !cursor.eat(&["st", "nd", "rd", "th"]) {
        return None;
    }
    let day = i8::try_from(value).ok()?;
    let next = (0..=3).find_map(|ahead| {
        let month = from.first_of_month().checked_add(Span::new().months(ahead)).ok()?;
        Date::new(month.year(), month.month(), day).ok().filter(|date| *date >= from)
    });
    Some((next?, cursor))
}
