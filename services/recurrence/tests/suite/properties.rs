//! Tests that compare random rules with the oracle.

use wireform_recurrence::jiff::civil::DateTime;
use wireform_recurrence::jiff::tz::TimeZone;
use wireform_recurrence::jiff::{SignedDuration, ToSpan as _};
use wireform_recurrence::{Recurrence, RecurrenceSet, Start};

use crate::oracle;
use crate::random::Random;
use crate::rules::Parts;
use crate::support::{assert_same, set, time};

fn random_time(random: &mut Random) -> DateTime {
    let day = time("19960101T000000") + random.within(0, 12 * 365).days();
    day + SignedDuration::from_secs(random.within(0, 86_399))
}

/// Returns midnight a number of days after a time.
fn midnight(start: DateTime, days: i64) -> DateTime {
    (start + days.days()).date().at(0, 0, 0, 0)
}

fn local(set: &RecurrenceSet, end: DateTime) -> Vec<DateTime> {
    set.occurrences_between(time("19000101T000000"), end).map(|occurrence| occurrence.local()).collect()
}

/// Compares instances, windows, single instances and the last one with a list that is complete before `end`.
fn check(random: &mut Random, parts: &Parts, start: DateTime, end: DateTime) {
    let (text, expected) = (parts.text(), oracle::instances(parts, start, end));
    let recurrence = Recurrence::parse([&text]).unwrap();
    let set = RecurrenceSet::new(Start::floating(start), recurrence).unwrap();
    assert_same(&local(&set, end), &expected, &format!("{start} {text}"));
    for _ in 0..4 {
        let from = start + SignedDuration::from_secs(random.within(-9, (end - start).get_days().into()) * 86_400);
        let to = (from + SignedDuration::from_secs(random.within(0, 40 * 86_400))).min(end);
        let window: Vec<DateTime> = set.occurrences_between(from, to).map(|occurrence| occurrence.local()).collect();
        let within: Vec<DateTime> = expected.iter().copied().filter(|time| (from..to).contains(time)).collect();
        assert_same(&window, &within, &format!("{start} {text} from {from} to {to}"));
    }
    for moment in expected.iter().take(5).chain(expected.iter().rev().take(3)) {
        assert!(set.contains(*moment), "{start} {text} at {moment}");
        let later = *moment + 1.second();
        let known = later >= end || set.contains(later) == expected.contains(&later);
        assert!(known, "{start} {text} at {later}");
    }
    if parts.count == Some(expected.len()) {
        assert_eq!(set.last().map(|last| last.local()), expected.last().copied(), "{start} {text}");
        assert!(!set.is_endless());
    }
}

#[test]
fn rules_of_days_and_longer() {
    let mut random = Random::new(1);
    for _ in 0..600 {
        let (parts, start) = (Parts::random(&mut random, &["Y", "M", "W", "D"]), random_time(&mut random));
        check(&mut random, &parts, start, midnight(start, 4 * 366));
    }
}

#[test]
fn rules_of_parts_of_a_day() {
    let mut random = Random::new(2);
    for _ in 0..150 {
        let (parts, start) = (Parts::random(&mut random, &["h", "m", "s"]), random_time(&mut random));
        let days = match parts.frequency {
            's' => 1,
            'm' => 8,
            _ => 40,
        };
        check(&mut random, &parts, start, midnight(start, days));
    }
}

/// A parsed rule is written as a text that is parsed to the same rule.
#[test]
fn rules_survive_their_text() {
    let mut random = Random::new(3);
    for _ in 0..2_000 {
        let parts = Parts::random(&mut random, &["Y", "M", "W", "D", "h", "m", "s"]);
        let parsed = Recurrence::parse([parts.text()]).unwrap();
        let text = parsed.to_string();
        assert_eq!(Recurrence::parse_text(&text).unwrap(), parsed, "{text}");
        assert_eq!(Recurrence::parse_text(&text.to_lowercase()).unwrap().to_string(), text);
    }
}

/// In a zone, instances are those of the local times, with each instant once.
#[test]
fn rules_in_zones() {
    let mut random = Random::new(4);
    let zones = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Sao_Paulo", "Africa/Casablanca"];
    for round in 0..200 {
        let zone = TimeZone::get(random.pick(&zones)).unwrap();
        let frequencies: &[&str] = if round % 2 == 0 { &["h", "m"] } else { &["M", "W", "D", "D"] };
        let parts = Parts { count: None, ..Parts::random(&mut random, frequencies) };
        // The start is close to a transition, so that short rules reach it too.
        let someday = random_time(&mut random).to_zoned(TimeZone::UTC).unwrap().timestamp();
        let Some(transition) = zone.following(someday).next() else { continue };
        let back = SignedDuration::from_secs(random.within(0, 40) * 1_800);
        let start = zone.to_datetime(transition.timestamp() - back);
        let end = midnight(start, if round % 2 == 0 { 3 } else { 800 });
        let instant = |time: DateTime| time.to_zoned(zone.clone()).unwrap().timestamp();
        let mut expected: Vec<_> = oracle::instances(&parts, start, end).into_iter().map(instant).collect();
        expected.retain(|time| *time >= instant(start));
        expected.sort();
        expected.dedup();
        let recurrence = Recurrence::parse([parts.text()]).unwrap();
        let set = RecurrenceSet::new(Start::zoned(start, zone.clone()), recurrence).unwrap();
        // A local time in a gap at the very end belongs to the day after it.
        let found: Vec<_> =
            set.occurrences_between(instant(start), instant(end)).filter_map(|found| found.timestamp()).collect();
        expected.retain(|time| *time < instant(end));
        assert_same(&found, &expected, &format!("{start} {:?} {}", zone.iana_name(), parts.text()));
        for from in expected.iter().take(12) {
            assert!(set.contains(*from), "{from} of {start} {:?} {}", zone.iana_name(), parts.text());
            assert_eq!(
                set.occurrences_from(*from).next().and_then(|next| next.timestamp()),
                Some(*from),
                "{start} {}",
                parts.text()
            );
        }
    }
}

/// Rules are combined, and excluded rules subtracted.
#[test]
fn sets_of_rules() {
    let mut random = Random::new(5);
    for _ in 0..150 {
        let mut parts = || Parts::random(&mut random, &["M", "W", "D"]);
        let (first, second, out) = (parts(), parts(), parts());
        let start = random_time(&mut random);
        let end = midnight(start, 1_000);
        let mut expected = oracle::instances(&first, start, end);
        expected.extend(oracle::instances(&second, start, end));
        expected.sort();
        expected.dedup();
        let mut removed = oracle::matches(&out, start, end);
        removed.truncate(out.count.unwrap_or(usize::MAX));
        expected.retain(|time| !removed.contains(time));
        let lines = [first.text(), second.text(), out.text().replace("RRULE", "EXRULE")];
        let set = set(&start.strftime("%Y%m%dT%H%M%S").to_string(), &lines.each_ref().map(String::as_str));
        assert_same(&local(&set, end), &expected, &format!("{start} {lines:?}"));
    }
}
