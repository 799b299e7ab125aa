//! Helpers of the tests.

use wireform_recurrence::jiff::civil::{Date, DateTime};
use wireform_recurrence::jiff::tz::TimeZone;
use wireform_recurrence::{Occurrence, Recurrence, RecurrenceSet, Start};

/// Parses a basic date-time such as `20260105T090000`.
pub fn time(text: &str) -> DateTime {
    text.parse().unwrap()
}

/// Parses a basic date such as `20260105`.
pub fn date(text: &str) -> Date {
    text.parse().unwrap()
}

/// Writes a basic date-time.
pub fn basic(time: DateTime) -> String {
    time.strftime("%Y%m%dT%H%M%S").to_string()
}

/// Creates a start from a text: a date, a date-time, or a date-time and a zone after a space.
pub fn start(text: &str) -> Start {
    match text.split_once(' ') {
        Some((local, zone)) => Start::zoned(time(local), TimeZone::get(zone).unwrap()),
        None if text.contains('T') => Start::floating(time(text)),
        None => Start::date(date(text)),
    }
}

/// Creates a series from its start and its lines.
pub fn set(start: &str, lines: &[&str]) -> RecurrenceSet {
    let recurrence = Recurrence::parse(lines).unwrap_or_else(|error| panic!("{lines:?}: {error}"));
    RecurrenceSet::new(self::start(start), recurrence).unwrap_or_else(|error| panic!("{lines:?}: {error}"))
}

/// Writes the local times of instances.
pub fn locals(occurrences: impl Iterator<Item = Occurrence>) -> Vec<String> {
    occurrences.map(|occurrence| basic(occurrence.local())).collect()
}

/// Writes the local times of the first instances of a series.
pub fn first(count: usize, start: &str, lines: &[&str]) -> Vec<String> {
    locals(set(start, lines).occurrences().take(count))
}

/// Writes the first instances in UTC.
pub fn utc(count: usize, start: &str, lines: &[&str]) -> Vec<String> {
    let set = set(start, lines);
    set.occurrences().take(count).map(|occurrence| occurrence.timestamp().unwrap().to_string()).collect()
}

/// Asserts that two lists are equal, and shows their first difference.
#[track_caller]
pub fn assert_same<T: std::fmt::Debug + PartialEq>(found: &[T], expected: &[T], about: &str) {
    let index = found.iter().zip(expected).take_while(|(found, expected)| found == expected).count();
    let (found_next, expected_next) = (found.get(index), expected.get(index));
    let lengths = (found.len(), expected.len());
    assert!(found == expected, "{about}\n at {index} of {lengths:?}: {found_next:?}, and not {expected_next:?}");
}
