//! Tests of starts, dates, periods, and exclusions.

use wireform_recurrence::jiff::SignedDuration;
use wireform_recurrence::jiff::civil::date;
use wireform_recurrence::{Ending, Moment, Recurrence, RecurrenceSet, SetError, Start};

use crate::support::{first, locals, set, start, utc};

#[test]
fn the_start_is_the_first_instance_and_counts() {
    let found = first(9, "20260101T090000", &["RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=3"]);
    assert_eq!(found, ["20260101T090000", "20260105T090000", "20260112T090000"]);
    assert_eq!(first(9, "20260101T090000", &["RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=1"]), ["20260101T090000"]);
    assert_eq!(first(9, "20260101T090000", &["RRULE:FREQ=DAILY;UNTIL=20251231"]), ["20260101T090000"]);
    assert_eq!(first(9, "20260101", &[]), ["20260101T000000"]);
}

#[test]
fn whole_days_have_no_times() {
    let found = first(9, "20260101", &["RRULE:FREQ=DAILY;BYHOUR=9,10;BYMINUTE=5;COUNT=2"]);
    assert_eq!(found, ["20260101T000000", "20260102T000000"]);
    for until in ["20260103", "20260103T000000", "20260103T235959Z"] {
        assert_eq!(first(9, "20260101", &[&format!("RRULE:FREQ=DAILY;UNTIL={until}")]).len(), 3, "{until}");
    }
    let set = set("20260131", &["RRULE:FREQ=MONTHLY", "RDATE;VALUE=DATE:20260201", "EXDATE:20260331T090000Z"]);
    let found: Vec<Moment> = set.occurrences().take(3).map(|found| found.start()).collect();
    let expected = [date(2026, 1, 31), date(2026, 2, 1), date(2026, 5, 31)].map(Moment::Date);
    assert_eq!(found, expected);
    assert!(set.contains(date(2026, 5, 31)) && !set.contains(date(2026, 3, 31)));
    assert!(!set.contains(date(2026, 5, 31).at(0, 0, 1, 0)));
}

#[test]
fn dates_join_and_leave() {
    let lines = [
        "RRULE:FREQ=DAILY;COUNT=4",
        "RDATE:20260110T120000,20260103T090000,20251231T090000",
        "RDATE;TZID=America/New_York:20260102T090000",
        "EXDATE:20260102T090000",
        "EXDATE:20260104T080000Z",
    ];
    let expected = ["2026-01-01T08:00:00Z", "2026-01-02T14:00:00Z", "2026-01-03T08:00:00Z", "2026-01-10T11:00:00Z"];
    // A date before the start is no instance; a repeated one is one instance.
    assert_eq!(utc(9, "20260101T090000 Europe/Berlin", &lines), expected);
}

#[test]
fn a_day_takes_out_all_of_its_instances() {
    let lines = ["RRULE:FREQ=HOURLY;INTERVAL=6;COUNT=9", "EXDATE;VALUE=DATE:20260102"];
    let found = first(9, "20260101T090000", &lines);
    assert_eq!(found[..4], ["20260101T090000", "20260101T150000", "20260101T210000", "20260103T030000"]);
}

#[test]
fn the_start_can_be_taken_out() {
    let set = set("20260101", &["RRULE:FREQ=DAILY;COUNT=3", "EXDATE;VALUE=DATE:20260101"]);
    assert_eq!(set.first().unwrap().start(), Moment::Date(date(2026, 1, 2)));
    assert!(!set.contains(date(2026, 1, 1)));
    let none = self::set("20260101", &["EXDATE;VALUE=DATE:20260101"]);
    assert_eq!((none.first(), none.last(), none.is_endless()), (None, None, false));
}

/// `COUNT` of an excluded rule counts its own matches.
#[test]
fn rules_take_out_what_they_match() {
    let lines = ["RRULE:FREQ=DAILY;COUNT=8", "EXRULE:FREQ=WEEKLY;BYDAY=FR,SA,SU;COUNT=2"];
    let found = first(9, "20260101", &lines);
    let days = ["20260101", "20260104", "20260105", "20260106", "20260107", "20260108"];
    assert_eq!(found, days.map(|day| format!("{day}T000000")));
    // In a zone an instant is excluded by each of its local times.
    let lines = ["RRULE:FREQ=DAILY", "EXRULE:FREQ=DAILY;BYHOUR=3"];
    let found = utc(3, "20260328T023000 Europe/Berlin", &lines);
    assert_eq!(found, ["2026-03-28T01:30:00Z", "2026-03-30T00:30:00Z", "2026-03-31T00:30:00Z"]);
}

#[test]
fn periods_have_their_own_length() {
    let lines = [
        "RRULE:FREQ=DAILY;COUNT=2",
        "RDATE;VALUE=PERIOD:20260103T080000Z/PT2H,20260104T090000/20260104T093000",
        "RDATE;VALUE=PERIOD;TZID=Europe/Berlin:20260328T120000/P1D,20260102T090000/PT5M",
    ];
    let set = set("20260101T090000 Europe/Berlin", &lines);
    let lengths: Vec<Option<i64>> =
        set.occurrences().map(|found| found.duration().map(|length| length.as_secs())).collect();
    // March 28 has 23 hours in Berlin. A period at an instance of the rule determines its length.
    assert_eq!(lengths, [None, Some(300), Some(7_200), Some(1_800), Some(82_800)]);
    let last = set.last().unwrap();
    assert_eq!(last.end(), Some(Moment::Instant("2026-03-29T10:00:00Z".parse().unwrap())));
    assert_eq!(set.max_duration(), Some(SignedDuration::from_secs(82_800)));
}

#[test]
fn kinds_must_agree() {
    let refused =
        |start: &str, line: &str| RecurrenceSet::new(self::start(start), Recurrence::parse([line]).unwrap()).err();
    assert_eq!(refused("20260101", "RRULE:FREQ=HOURLY"), Some(SetError::SubDailyDate));
    assert_eq!(refused("20260101", "EXRULE:FREQ=SECONDLY"), Some(SetError::SubDailyDate));
    assert_eq!(refused("20260101", "RDATE:20260102T090000"), Some(SetError::TimedDate));
    assert_eq!(refused("20260101", "RDATE:20260102T090000Z/PT1H"), Some(SetError::TimedDate));
    assert_eq!(refused("20260101T090000", "RDATE:20260102"), Some(SetError::UntimedDate));
    let early = RecurrenceSet::new(Start::date(date(-1, 1, 1)), Recurrence::default());
    assert_eq!(early.err(), Some(SetError::StartOutOfRange));
    assert_eq!(refused("99991231T090000 UTC", "RRULE:FREQ=DAILY"), Some(SetError::StartOutOfRange));
}

#[test]
fn parts_come_from_the_start() {
    let first = |line: &str| first(4, "20260131T083015", &[line])[1..].to_vec();
    assert_eq!(first("RRULE:FREQ=YEARLY"), ["20270131T083015", "20280131T083015", "20290131T083015"]);
    assert_eq!(first("RRULE:FREQ=MONTHLY"), ["20260331T083015", "20260531T083015", "20260731T083015"]);
    assert_eq!(first("RRULE:FREQ=YEARLY;BYMONTH=3,4"), ["20260331T083015", "20270331T083015", "20280331T083015"]);
    assert_eq!(first("RRULE:FREQ=YEARLY;BYWEEKNO=1"), ["20270109T083015", "20280108T083015", "20290106T083015"]);
    assert_eq!(first("RRULE:FREQ=YEARLY;BYMONTHDAY=5"), ["20260205T083015", "20260305T083015", "20260405T083015"]);
    assert_eq!(first("RRULE:FREQ=DAILY;BYSECOND=0,60"), ["20260131T083059", "20260201T083000", "20260201T083059"]);
    assert_eq!(first("RRULE:FREQ=HOURLY;BYMINUTE=10"), ["20260131T091015", "20260131T101015", "20260131T111015"]);
}

#[test]
fn leap_days_wait() {
    let set = set("20960229", &["RRULE:FREQ=YEARLY"]);
    assert_eq!(locals(set.occurrences().take(3)), ["20960229T000000", "21040229T000000", "21080229T000000"]);
}

#[test]
fn the_calendar_ends() {
    for (start, last) in [("99970101T090000", "99991231T090000"), ("99970101T090000 Asia/Tokyo", "99991229T090000")] {
        let set = set(start, &["RRULE:FREQ=DAILY"]);
        let mut occurrences = set.occurrences();
        let found = locals(occurrences.by_ref());
        assert_eq!(found.last().map(String::as_str), Some(last));
        assert_eq!(occurrences.ending(), Some(Ending::Calendar));
        assert_eq!(occurrences.next(), None);
    }
}
