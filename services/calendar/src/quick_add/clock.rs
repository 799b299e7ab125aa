//! Times of a day: `at 3pm`, `12-13`, `from 9 to 10:30am`.

use wireform_recurrence::jiff::Span;
use wireform_recurrence::jiff::civil::{Date, DateTime, Time};

use super::dates::{self, Days};
use super::durations;
use super::lex::{RangeSeparator, TokenCursor};

/// Noon, in minutes since midnight.
const NOON: i32 = 12 * 60;
/// Length of a day in minutes.
const DAY: i32 = 24 * 60;

/// Times of an event, in minutes since midnight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Times {
    pub(super) start: i32,
    /// End, on the next day if beyond 24 hours.
    pub(super) end: Option<i32>,
    /// True if the start is only an hour.
    pub(super) is_bare: bool,
}

impl From<Time> for Times {
    fn from(time: Time) -> Self {
        Self { start: i32::from(time.hour()) * 60 + i32::from(time.minute()), end: None, is_bare: false }
    }
}

/// Time as it is written.
#[derive(Clone, Copy, Debug)]
struct Clock {
    /// Minutes since midnight on a 24-hour clock, before the half of the day is determined.
    minutes: i32,
    /// True if the half of the day is given.
    has_half: bool,
    /// True if it is a 24-hour time: `15`, `09`, `24:00`.
    is_long: bool,
    /// True if it is only an hour.
    is_bare: bool,
}

impl Clock {
    /// Returns the minutes of a start: hours from 1 to 6 without minutes are in the afternoon.
    fn start(self) -> i32 {
        let is_afternoon = self.is_bare && !self.is_long && (60..=6 * 60).contains(&self.minutes);
        if is_afternoon { self.minutes + NOON } else { self.minutes }
    }
}

/// Matches a time or a range of times.
pub(super) fn times(mut cursor: TokenCursor<'_>) -> Option<(Times, usize)> {
    let between = cursor.eat(&["between"]);
    let from = between || cursor.eat(&["from"]);
    let at = !from && (cursor.eat(&["at"]) || cursor.eat_symbol(&['@']));
    let first = clock(&mut cursor)?;
    let mut ahead = cursor;
    if let Some(second) = range_end(&mut ahead, between)
        && let Some(end) = ahead.end()
    {
        let (second, sign) = second;
        // `5 to 7 people` is not a time.
        let is_sure = from || at || sign == RangeSeparator::Dash || !first.is_bare || !second.is_bare;
        if is_sure {
            return Some((range(first, second), end));
        }
    }
    let is_sure = at || !first.is_bare;
    let times = Times { start: first.start(), end: None, is_bare: first.is_bare };
    if is_sure && !between { Some((times, cursor.end()?)) } else { None }
}

/// Matches the separator and the end of a range: `- 11`, `to 11`, and `and 11` after `between`.
fn range_end(cursor: &mut TokenCursor<'_>, between: bool) -> Option<(Clock, RangeSeparator)> {
    let sign = match between && cursor.eat(&["and"]) {
        true => RangeSeparator::Word,
        false => cursor.eat_range_separator()?,
    };
    Some((clock(cursor)?, sign))
}

/// Returns the times of a range. Missing halves of the day are chosen so that the range is short.
fn range(first: Clock, second: Clock) -> Times {
    let is_bare = first.is_bare && second.is_bare;
    let (start, end);
    if second.has_half && !first.has_half && !first.is_long {
        end = second.minutes;
        let length = |start: &i32| (end - start - 1).rem_euclid(DAY);
        let halves = [first.minutes % NOON, first.minutes % NOON + NOON];
        start = halves.into_iter().min_by_key(length).unwrap_or(first.minutes);
    } else {
        start = first.start();
        let is_sure = second.has_half || second.is_long || first.is_long;
        let halves = [second.minutes, second.minutes + NOON];
        end = halves.into_iter().find(|end| *end > start && !is_sure).unwrap_or(second.minutes);
    }
    let end = if end <= start { end + DAY } else { end };
    Times { start, end: Some(end), is_bare }
}

/// Matches a time of a day.
fn clock(cursor: &mut TokenCursor<'_>) -> Option<Clock> {
    for (word, minutes) in [("noon", NOON), ("midday", NOON), ("midnight", 0)] {
        if cursor.eat(&[word]) {
            return Some(Clock { minutes, has_half: true, is_long: false, is_bare: false });
        }
    }
    let mut ahead = *cursor;
    let (hour, digits) = ahead.eat_number(1..=2)?;
    let mut minute = None;
    let mut colon = ahead;
    if colon.is_adjacent() && colon.eat_symbol(&[':']) {
        minute = Some(colon.eat_number(2..=2).filter(|(minute, _)| *minute < 60)?.0);
        ahead = colon;
    }
    let half = day_half(&mut ahead);
    let is_oclock = half.is_none() && minute.is_none() && oclock(&mut ahead);
    *cursor = ahead;
    let minutes = hour * 60 + minute.unwrap_or(0);
    if let Some(is_afternoon) = half {
        let fits = (1..=12).contains(&hour);
        let minutes = minutes % NOON + if is_afternoon { NOON } else { 0 };
        return fits.then_some(Clock { minutes, has_half: true, is_long: false, is_bare: false });
    }
    let is_long = hour > 12 || hour == 0 || digits.starts_with('0');
    let is_bare = minute.is_none() && !is_oclock;
    (minutes <= DAY).then_some(Clock { minutes, has_half: false, is_long, is_bare })
}

/// Matches `am`, `pm`, `a.m.` and `p.m.`; returns true for the afternoon.
fn day_half(cursor: &mut TokenCursor<'_>) -> Option<bool> {
    let mut ahead = *cursor;
    let is_afternoon = match ahead.eat_word()? {
        "am" => Some(false),
        "pm" => Some(true),
        letter @ ("a" | "p") => {
            if !ahead.eat_symbol(&['.']) || !ahead.eat(&["m"]) {
                return None;
            }
            if ahead.is_adjacent() {
                ahead.eat_symbol(&['.']);
            }
            Some(letter == "p")
        }
        _ => None,
    };
    is_afternoon.inspect(|_| *cursor = ahead)
}

/// Consumes `o'clock`, or nothing.
fn oclock(cursor: &mut TokenCursor<'_>) -> bool {
    let mut ahead = *cursor;
    let found = ahead.eat(&["o"]) && ahead.eat_symbol(&['\'', '’']) && ahead.eat(&["clock"]);
    if found {
        *cursor = ahead;
    }
    found
}

/// Matches a range between times of different days: `March 3 9am - March 4 5pm`.
pub(super) fn moments(mut cursor: TokenCursor<'_>, today: Date) -> Option<((Days, Times), usize)> {
    cursor.eat(&["from"]);
    let (first, cursor) = dates::date(cursor, today, None)?;
    let (start, mut cursor) = moment(cursor)?;
    cursor.eat_range_separator()?;
    let (last, cursor) = dates::date(cursor, today, Some(first))?;
    let (end, cursor) = moment(cursor)?;
    let (start, end) = (start.start(), end.start());
    let in_order = (first, start) < (last, end);
    let times = Times { start, end: Some(end), is_bare: false };
    in_order.then_some(((Days::Range(first, last), times), cursor.end()?))
}

/// Matches the time after a date: `9am`, `, 9:30`, `at 9`. An hour alone requires `at` or `@`.
fn moment(mut cursor: TokenCursor<'_>) -> Option<(Clock, TokenCursor<'_>)> {
    cursor.eat_symbol(&[',']);
    let at = cursor.eat(&["at"]) || cursor.eat_symbol(&['@']);
    let clock = clock(&mut cursor).filter(|clock| at || !clock.is_bare)?;
    Some((clock, cursor))
}

/// Matches `in 3 hours`.
pub(super) fn time_from_now(mut cursor: TokenCursor<'_>, now: DateTime) -> Option<(DateTime, usize)> {
    if !cursor.eat(&["in"]) {
        return None;
    }
    let (length, cursor) = durations::amount(cursor).filter(|(length, _)| length.days == 0)?;
    let start = now.checked_add(Span::new().minutes(i64::from(length.minutes))).ok()?;
    Some((start, cursor.end()?))
}
