//! Conversion of the elements of a text into start, end and rule.

use wireform_recurrence::jiff::civil::{Date, DateTime, Time};
use wireform_recurrence::jiff::tz::TimeZone;
use wireform_recurrence::jiff::{SignedDuration, Span, Zoned};

use super::clock::Times;
use super::dates::Days;
use super::durations::Length;
use super::recurrence::{Bound, Repeat};
use super::{Elements, EventTime, Now};

/// Default start of an event with a duration in hours and a day without a time, in minutes since midnight.
const DEFAULT_START: i32 = 9 * 60;
/// Default start of an event tonight.
const EVENING_START: i32 = 19 * 60;
/// Default duration in minutes.
const DEFAULT_LENGTH: i32 = 60;

/// Returns start, end and rule. If no such time exists, the start is the next full hour.
pub(super) fn resolve(elements: &Elements, present: &Now) -> (EventTime, EventTime, Option<String>) {
    let found = if is_all_day(elements) { day_range(elements, present) } else { time_range(elements, present) };
    let (start, end) = found.unwrap_or_else(|| next_hour(present, DEFAULT_LENGTH));
    let rule = elements.repeat.clone().map(|repeat| limit_recurrence(repeat, elements, &start));
    let rule = rule.map(|repeat| repeat.rule(|last| until(last, &start)));
    (start, end, rule)
}

/// Returns the duration if it is in hours or minutes, and not in days.
fn length_without_days(elements: &Elements) -> Option<Length> {
    elements.length.filter(|length| length.days == 0)
}

/// Returns whether it is an all-day event.
fn is_all_day(elements: &Elements) -> bool {
    let has_day = elements.days.is_some() || elements.repeat.is_some();
    let has_days = elements.length.is_some_and(|length| length.days > 0);
    let is_timed = elements.times.is_some() || elements.tonight || length_without_days(elements).is_some();
    elements.all_day || (!is_timed && (has_day || has_days))
}

/// Returns the first possible day of the event on or after a day.
fn first_day(elements: &Elements, from: Date) -> Option<Date> {
    if let Some(days) = elements.days {
        return Some(days.first());
    }
    let Some(repeat) = &elements.repeat else { return Some(from) };
    (0..7).find_map(|ahead| add_days(from, ahead).filter(|day| repeat.matches(*day)))
}

/// Adds days to a date; `None` beyond the range of the calendar.
fn add_days(date: Date, days: i32) -> Option<Date> {
    date.checked_add(Span::new().days(i64::from(days))).ok()
}

/// Returns the start and the exclusive end of an all-day event.
fn day_range(elements: &Elements, present: &Now) -> Option<(EventTime, EventTime)> {
    let start = first_day(elements, present.today())?;
    let length = elements.length.filter(|length| length.days > 0 && elements.repeat.is_none());
    let end = match (elements.days, length) {
        (Some(days @ Days::Range(..)), _) => add_days(days.last(), 1)?,
        (_, Some(length)) => add_days(start, length.days)?,
        _ => add_days(start, 1)?,
    };
    Some((EventTime::Day(start), EventTime::Day(end)))
}

/// Returns the start and the end of an event with times; those that the text does not contain have defaults.
fn time_range(elements: &Elements, present: &Now) -> Option<(EventTime, EventTime)> {
    // The duration in days of a recurring event limits its recurrence.
    let length = elements.length.filter(|length| length.days == 0 || elements.repeat.is_none());
    let minutes = length.map_or(DEFAULT_LENGTH, |length| length.minutes.max(length.days.saturating_mul(24 * 60)));
    let times = match elements.times {
        Some(times) if elements.tonight => tonight(times),
        Some(times) => times,
        None if elements.tonight => Times { start: EVENING_START, end: None, is_bare: false },
        None if elements.days.is_some() || elements.repeat.is_some() => {
            Times { start: DEFAULT_START, end: None, is_bare: false }
        }
        None => return Some(next_hour(present, minutes)),
    };
    let today = present.today();
    let is_past = time_of_day(today, times.start)? < present.now;
    let is_free = elements.days.is_none();
    let start_day = first_day(elements, if is_past && is_free { add_days(today, 1)? } else { today })?;
    let start = zoned(time_of_day(start_day, times.start)?, &present.zone)?;
    let last_day = elements.days.filter(|_| elements.repeat.is_none()).map_or(start_day, Days::last);
    let end = match (times.end, last_day == start_day) {
        (Some(end), _) => zoned(time_of_day(last_day, end)?, &present.zone)?,
        (None, true) => add_minutes(&start, minutes)?,
        (None, false) => add_minutes(&zoned(time_of_day(last_day, times.start)?, &present.zone)?, minutes)?,
    };
    // A clock that is set back can make a range negative.
    let end = if end < start { start.clone() } else { end };
    Some((EventTime::Time(start), EventTime::Time(end)))
}

/// Returns times of tonight: an hour without half of the day is after noon.
fn tonight(times: Times) -> Times {
    let moves = times.is_bare && times.start < 12 * 60;
    let more = if moves { 12 * 60 } else { 0 };
    Times { start: times.start + more, end: times.end.map(|end| end + more), is_bare: false }
}

/// Returns the local time some minutes after midnight, possibly on another day.
fn time_of_day(day: Date, minutes: i32) -> Option<DateTime> {
    day.to_datetime(Time::midnight()).checked_add(Span::new().minutes(i64::from(minutes))).ok()
}

/// Returns the instant of a local time; in a gap it is moved forward, and of an ambiguous time the first one is used.
fn zoned(time: DateTime, zone: &TimeZone) -> Option<Zoned> {
    zone.to_ambiguous_zoned(time).compatible().ok()
}

fn add_minutes(start: &Zoned, minutes: i32) -> Option<Zoned> {
    start.checked_add(SignedDuration::from_mins(i64::from(minutes))).ok()
}

/// Returns the next full hour in the zone, limited to the range of the calendar.
fn next_hour(present: &Now, minutes: i32) -> (EventTime, EventTime) {
    let hour = present.now.date().at(present.now.hour(), 0, 0, 0);
    let next = hour.saturating_add(Span::new().hours(1));
    let start = zoned(next, &present.zone).or_else(|| zoned(hour, &present.zone));
    let start = start.unwrap_or_else(|| Zoned::default().with_time_zone(present.zone.clone()));
    let end = start.saturating_add(SignedDuration::from_mins(i64::from(minutes)));
    (EventTime::Time(start), EventTime::Time(end))
}

/// Limits a recurrence by a duration in days: `every day for 2 weeks`.
fn limit_recurrence(mut repeat: Repeat, elements: &Elements, start: &EventTime) -> Repeat {
    let first = match start {
        EventTime::Day(date) => *date,
        EventTime::Time(time) => time.date(),
    };
    let length = elements.length.filter(|length| length.days > 0);
    let last = length.and_then(|length| add_days(first, length.days - 1));
    repeat.bound = repeat.bound.or(last.map(Bound::Until));
    repeat
}

/// Returns the end of a rule, in the form of the start: a day, or the last second of the day in UTC.
fn until(last: Date, start: &EventTime) -> Option<String> {
    match start {
        EventTime::Day(_) => Some(last.strftime("%Y%m%d").to_string()),
        EventTime::Time(start) => {
            let end = zoned(last.at(23, 59, 59, 0), start.time_zone())?;
            Some(end.with_time_zone(TimeZone::UTC).strftime("%Y%m%dT%H%M%SZ").to_string())
        }
    }
}
