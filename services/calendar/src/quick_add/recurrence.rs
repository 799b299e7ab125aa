//! Recurrence: `every Tuesday`, `daily`, `every other week until June 30`.

use wireform_recurrence::jiff::civil::{Date, Weekday};

use super::dates;
use super::lex::TokenCursor;

/// Recurrence of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Repeat {
    frequency: &'static str,
    interval: i32,
    /// Weekdays, in order.
    days: Vec<Weekday>,
    pub(super) bound: Option<Bound>,
}

/// End of a recurrence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// Last day, inclusive.
    Until(Date),
    /// Number of instances.
    Count(i32),
}

/// Days that `weekday` stands for.
const WORKING_DAYS: [Weekday; 5] =
    [Weekday::Monday, Weekday::Tuesday, Weekday::Wednesday, Weekday::Thursday, Weekday::Friday];

impl Repeat {
    fn new(frequency: &'static str, interval: i32, mut days: Vec<Weekday>) -> Self {
        days.sort_by_key(|day| day.to_monday_zero_offset());
        days.dedup();
        Self { frequency, interval, days, bound: None }
    }

    /// Returns whether an instance can be on a day.
    pub(super) fn matches(&self, day: Date) -> bool {
        self.days.is_empty() || self.days.contains(&day.weekday())
    }

    /// Returns the rule, including its end.
    pub(super) fn rule(&self, until: impl FnOnce(Date) -> Option<String>) -> String {
        let mut rule = format!("RRULE:FREQ={}", self.frequency);
        if self.interval > 1 {
            rule.push_str(&format!(";INTERVAL={}", self.interval));
        }
        if !self.days.is_empty() {
            let days: Vec<&str> = self.days.iter().map(|day| weekday_code(*day)).collect();
            rule.push_str(&format!(";BYDAY={}", days.join(",")));
        }
        match self.bound {
            Some(Bound::Count(count)) => rule.push_str(&format!(";COUNT={count}")),
            Some(Bound::Until(date)) => rule.extend(until(date).map(|until| format!(";UNTIL={until}"))),
            None => {}
        }
        rule
    }
}

/// Returns the code of a weekday in `BYDAY`.
fn weekday_code(day: Weekday) -> &'static str {
    match day {
        Weekday::Monday => "MO",
        Weekday::Tuesday => "TU",
        Weekday::Wednesday => "WE",
        Weekday::Thursday => "TH",
        Weekday::Friday => "FR",
        Weekday::Saturday => "SA",
        Weekday::Sunday => "SU",
    }
}

/// Matches a recurrence.
pub(super) fn repeat(mut cursor: TokenCursor<'_>) -> Option<(Repeat, usize)> {
    let mut adverb = cursor;
    let frequency = match adverb.eat_word() {
        Some("daily") => Some("DAILY"),
        Some("weekly") => Some("WEEKLY"),
        Some("monthly") => Some("MONTHLY"),
        Some("yearly" | "annually") => Some("YEARLY"),
        _ => None,
    };
    if let Some(frequency) = frequency {
        let days = if frequency == "WEEKLY" { on_days(&mut adverb) } else { Vec::new() };
        return Some((Repeat::new(frequency, 1, days), adverb.end()?));
    }
    if let Some(found) = plural(cursor) {
        return Some(found);
    }
    if !cursor.eat(&["every", "each"]) {
        return None;
    }
    let interval = match cursor.eat(&["other", "second"]) {
        true => 2,
        false => cursor.eat_number(1..=3).map_or(1, |(count, _)| count),
    };
    if interval < 1 {
        return None;
    }
    let days = day_list(&mut cursor);
    if !days.is_empty() {
        return Some((Repeat::new("WEEKLY", interval, days), cursor.end()?));
    }
    let repeat = match cursor.eat_word()? {
        "day" | "days" => Repeat::new("DAILY", interval, Vec::new()),
        "weekday" | "workday" if interval == 1 => Repeat::new("WEEKLY", 1, WORKING_DAYS.to_vec()),
        "week" | "weeks" => Repeat::new("WEEKLY", interval, on_days(&mut cursor)),
        "month" | "months" => Repeat::new("MONTHLY", interval, Vec::new()),
        "year" | "years" => Repeat::new("YEARLY", interval, Vec::new()),
        _ => return None,
    };
    Some((repeat, cursor.end()?))
}

/// Matches `Mondays`, `on Mondays` and `weekdays`.
fn plural(mut cursor: TokenCursor<'_>) -> Option<(Repeat, usize)> {
    const NAMES: [(&str, Weekday); 7] = [
        ("mondays", Weekday::Monday),
        ("tuesdays", Weekday::Tuesday),
        ("wednesdays", Weekday::Wednesday),
        ("thursdays", Weekday::Thursday),
        ("fridays", Weekday::Friday),
        ("saturdays", Weekday::Saturday),
        ("sundays", Weekday::Sunday),
    ];
    cursor.eat(&["on"]);
    let word = cursor.eat_word()?;
    let days = match NAMES.iter().find(|(name, _)| *name == word) {
        Some((_, day)) => vec![*day],
        None if word == "weekdays" => WORKING_DAYS.to_vec(),
        None => return None,
    };
    Some((Repeat::new("WEEKLY", 1, days), cursor.end()?))
}

/// Matches `on` and weekdays; returns none, and consumes nothing, if there is no such phrase.
fn on_days(cursor: &mut TokenCursor<'_>) -> Vec<Weekday> {
    let mut ahead = *cursor;
    if !ahead.eat(&["on"]) {
        return Vec::new();
    }
    let days = day_list(&mut ahead);
    if !days.is_empty() {
        *cursor = ahead;
    }
    days
}

/// Matches weekdays, none or more: `Monday`, `Mon, Wed and Fri`.
fn day_list(cursor: &mut TokenCursor<'_>) -> Vec<Weekday> {
    let mut days = Vec::new();
    let mut ahead = *cursor;
    while let Some(day) = dates::weekday_name(&mut ahead, true) {
        days.push(day);
        *cursor = ahead;
        let separated = ahead.eat_symbol(&[',', '&', '/']);
        if !ahead.eat(&["and"]) && !separated {
            break;
        }
    }
    days
}

/// Matches the end of a recurrence: `until June 30`, `5 times`.
pub(super) fn bound(mut cursor: TokenCursor<'_>, today: Date, repeat: &mut Repeat) -> Option<usize> {
    if repeat.bound.is_some() {
        return None;
    }
    if cursor.eat(&["until", "till", "through"]) {
        let (date, cursor) = dates::date(cursor, today, None)?;
        let end = cursor.end()?;
        repeat.bound = Some(Bound::Until(date));
        return Some(end);
    }
    cursor.eat(&["for"]);
    let (count, _) = cursor.eat_number(1..=3).filter(|(count, _)| *count > 0)?;
    let end = if cursor.eat(&["times"]) { cursor.end()? } else { return None };
    repeat.bound = Some(Bound::Count(count));
    Some(end)
}
