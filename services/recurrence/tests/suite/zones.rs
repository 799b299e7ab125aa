//! Tests of series in zones: gaps, folds, and days of other lengths.

use wireform_recurrence::jiff::Timestamp;
use wireform_recurrence::jiff::civil::date;
use wireform_recurrence::jiff::tz::TimeZone;
use wireform_recurrence::{Recurrence, RecurrenceSet, Start};

use crate::support::{first, locals, set, utc};

#[test]
fn a_time_in_a_gap_moves_forward() {
    let start = "20260327T023000 Europe/Berlin";
    let expected = ["2026-03-27T01:30:00Z", "2026-03-28T01:30:00Z", "2026-03-29T01:30:00Z", "2026-03-30T00:30:00Z"];
    assert_eq!(utc(4, start, &["RRULE:FREQ=DAILY"]), expected);
    assert_eq!(first(4, start, &["RRULE:FREQ=DAILY"])[2..], ["20260329T033000", "20260330T023000"]);
    // A start in a gap moves too; the rule counts from the local time as written.
    let expected = ["2026-03-29T01:30:00Z", "2026-03-30T00:30:00Z"];
    assert_eq!(utc(2, "20260329T023000 Europe/Berlin", &["RRULE:FREQ=DAILY"]), expected);
}

#[test]
fn an_ambiguous_time_is_the_first() {
    let expected = ["2026-10-24T00:30:00Z", "2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"];
    assert_eq!(utc(3, "20261024T023000 Europe/Berlin", &["RRULE:FREQ=DAILY"]), expected);
}

/// Rules shorter than a day follow the clock as well: the hour that occurs twice has its instances once, and instances
/// in a gap coincide with those after it.
#[test]
fn hours_follow_the_clock() {
    let found = first(5, "20261025T010000 Europe/Berlin", &["RRULE:FREQ=HOURLY"]);
    let expected = ["20261025T010000", "20261025T020000", "20261025T030000", "20261025T040000", "20261025T050000"];
    assert_eq!(found, expected);
    let found = utc(4, "20260329T010000 Europe/Berlin", &["RRULE:FREQ=HOURLY"]);
    let expected = ["2026-03-29T00:00:00Z", "2026-03-29T01:00:00Z", "2026-03-29T02:00:00Z", "2026-03-29T03:00:00Z"];
    assert_eq!(found, expected);
}

#[test]
fn no_instant_occurs_twice_and_all_are_in_order() {
    let found = utc(6, "20260329T014500 Europe/Berlin", &["RRULE:FREQ=MINUTELY;INTERVAL=25"]);
    // 01:45, 02:10 and 02:35 in the gap, 03:00, 03:25, 03:50.
    let expected = ["00:45", "01:00", "01:10", "01:25", "01:35", "01:50"];
    assert_eq!(found, expected.map(|time| format!("2026-03-29T{time}:00Z")));
    let set = set("20260329T010000 Europe/Berlin", &["RRULE:FREQ=MINUTELY;INTERVAL=30;COUNT=8"]);
    let found: Vec<_> = set.occurrences().map(|found| found.timestamp().unwrap()).collect();
    assert!(found.windows(2).all(|pair| pair[0] < pair[1]));
    // Local times are counted, and two of the eight have the same instants as others.
    assert_eq!(found.len(), 6);
}

#[test]
fn a_day_that_a_zone_skips() {
    let set = set("20111228T090000 Pacific/Apia", &["RRULE:FREQ=DAILY;COUNT=5"]);
    let found = locals(set.occurrences());
    // December 30 moves forward by a day, and coincides with the next instance.
    assert_eq!(found, ["20111228T090000", "20111229T090000", "20111231T090000", "20120101T090000"]);
    let seconds = self::set("20111229T235959 Pacific/Apia", &["RRULE:FREQ=SECONDLY;COUNT=172802"]);
    assert_eq!(seconds.occurrences().count(), 86_402);
}

#[test]
fn the_end_is_an_instant() {
    let line = "RRULE:FREQ=DAILY;UNTIL=20260330T003000Z";
    assert_eq!(utc(9, "20260328T023000 Europe/Berlin", &[line]).len(), 3);
    assert_eq!(utc(9, "20260328T023001 Europe/Berlin", &[line]).len(), 2);
    // In the second hour of a fold, times after the fold have not passed yet.
    let line = "RRULE:FREQ=MINUTELY;INTERVAL=30;UNTIL=20261025T011500Z";
    let found = utc(9, "20261025T013000 Europe/Berlin", &[line]);
    assert_eq!(found, ["2026-10-24T23:30:00Z", "2026-10-25T00:00:00Z", "2026-10-25T00:30:00Z"]);
}

#[test]
fn a_date_and_a_local_time_end_in_the_zone_of_the_start() {
    let start = "20260101T233000 Pacific/Auckland";
    assert_eq!(first(9, start, &["RRULE:FREQ=DAILY;UNTIL=20260103"]).len(), 3);
    assert_eq!(first(9, start, &["RRULE:FREQ=DAILY;UNTIL=20260103T232959"]).len(), 2);
    assert_eq!(first(9, start, &["RRULE:FREQ=DAILY;UNTIL=20260103T233000"]).len(), 3);
}

/// An instant selects one of two equal local times.
#[test]
fn a_start_may_be_the_second_of_two() {
    let berlin = TimeZone::get("Europe/Berlin").unwrap();
    let instant: Timestamp = "2026-10-25T01:30:00Z".parse().unwrap();
    let recurrence = Recurrence::parse(["RRULE:FREQ=DAILY;COUNT=3"]).unwrap();
    let set = RecurrenceSet::new(Start::instant(instant, berlin), recurrence).unwrap();
    let found: Vec<String> = set.occurrences().map(|found| found.timestamp().unwrap().to_string()).collect();
    assert_eq!(found, ["2026-10-25T01:30:00Z", "2026-10-26T01:30:00Z", "2026-10-27T01:30:00Z"]);
    assert!(set.contains(instant));
    assert!(!set.contains("2026-10-25T00:30:00Z".parse::<Timestamp>().unwrap()));
}

#[test]
fn windows_at_transitions_lack_nothing() {
    let set = set("20250101T023000 Europe/Berlin", &["RRULE:FREQ=HOURLY"]);
    let from: Timestamp = "2026-03-28T12:00:00Z".parse().unwrap();
    let all: Vec<Timestamp> = set.occurrences_from(from).take(40).map(|found| found.timestamp().unwrap()).collect();
    for pair in all.windows(2) {
        let next = set.occurrences_from(pair[0] + wireform_recurrence::jiff::SignedDuration::from_secs(1)).next();
        assert_eq!(next.and_then(|next| next.timestamp()), Some(pair[1]));
    }
    // A local moment is interpreted in the zone of the start.
    let local = date(2026, 3, 29).at(2, 30, 0, 0);
    assert!(set.contains(local) && set.contains(date(2026, 3, 29).at(3, 30, 0, 0)));
}
