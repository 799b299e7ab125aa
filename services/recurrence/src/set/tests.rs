//! Tests of the work of series, in examined periods.

use jiff::civil::{DateTime, date};

use crate::expand::steps;
use crate::limits::MAX_IDLE_PERIODS;
use crate::{Recurrence, RecurrenceSet, Start};

fn start() -> DateTime {
    date(2026, 1, 5).at(9, 0, 0, 0)
}

fn set(lines: &[&str]) -> RecurrenceSet {
    RecurrenceSet::new(Start::floating(start()), Recurrence::parse(lines).unwrap()).unwrap()
}

const LIMIT: u64 = MAX_IDLE_PERIODS as u64;

#[test]
fn windows_are_reached_without_a_walk_from_the_start() {
    let lines = [
        "RRULE:FREQ=SECONDLY;INTERVAL=7",
        "RRULE:FREQ=SECONDLY;BYMONTH=12;BYMONTHDAY=-1;BYHOUR=23",
        "RRULE:FREQ=MINUTELY;INTERVAL=90;BYDAY=MO",
        "RRULE:FREQ=HOURLY;COUNT=1000000",
        "RRULE:FREQ=DAILY;INTERVAL=3;UNTIL=90000101",
        "RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE,FR",
        "RRULE:FREQ=MONTHLY;INTERVAL=5;BYDAY=1MO,-1FR",
        "RRULE:FREQ=YEARLY;INTERVAL=2;BYWEEKNO=20",
    ];
    for line in lines {
        let set = set(&[line]);
        let far = date(2100, 6, 1).at(0, 0, 0, 0);
        let (found, steps) = steps::measure(|| set.occurrences_from(far).next());
        assert!(found.is_some_and(|found| found.local() >= far), "{line}");
        assert!(steps <= 20, "{steps} steps for {line}");
        let (_, steps) = steps::measure(|| set.contains(far));
        assert!(steps <= 1, "{steps} steps for {line}");
    }
}

#[test]
fn empty_windows_stop_at_their_end() {
    let set = set(&["RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "RRULE:FREQ=SECONDLY;BYMONTH=7"]);
    let (found, steps) = steps::measure(|| set.occurrences_between(date(2100, 1, 1), date(2100, 2, 1)).count());
    assert!((found, steps <= 5) == (0, true), "{found} instances, {steps} steps");
}

#[test]
fn an_instance_takes_about_one_step() {
    for line in ["RRULE:FREQ=DAILY", "RRULE:FREQ=SECONDLY", "RRULE:FREQ=WEEKLY;BYDAY=MO,WE,FR", "RRULE:FREQ=MONTHLY"] {
        let set = set(&[line]);
        let (found, steps) = steps::measure(|| set.occurrences().take(1_000).count());
        assert!(found == 1_000 && steps <= 2_000, "{steps} steps for {line}");
    }
}

#[test]
fn counting_visits_no_instance() {
    let uniform = ["RRULE:FREQ=SECONDLY;COUNT=1000000", "RRULE:FREQ=DAILY;INTERVAL=2;COUNT=1000000"];
    for line in uniform {
        let (_, steps) = steps::measure(|| set(&[line]));
        assert!(steps <= 4, "{steps} steps for {line}");
    }
    // Counts all 10,000 instances of a year at once.
    let line = "RRULE:FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=1,2,3,4,5,6;BYMINUTE=1,2,3,4,5;COUNT=1000000";
    let (_, steps) = steps::measure(|| set(&[line]));
    assert!(steps <= 100, "{steps} steps");
}

#[test]
fn searches_are_limited() {
    let lines = [
        "RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30",
        "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
        "RRULE:FREQ=SECONDLY;INTERVAL=60;BYSECOND=30",
        "RRULE:FREQ=WEEKLY;BYMONTH=2;BYMONTHDAY=30",
        "RRULE:FREQ=DAILY;INTERVAL=7;BYDAY=TU;COUNT=5",
        "RRULE:FREQ=MONTHLY;BYDAY=MO;BYSETPOS=7",
    ];
    for line in lines {
        let (set, built) = steps::measure(|| set(&[line]));
        let (_, walked) = steps::measure(|| set.occurrences().count());
        assert!(built <= LIMIT + 2 && walked <= LIMIT + 2, "{built} and {walked} steps for {line}");
        let (_, steps) = steps::measure(|| set.last());
        assert!(steps <= 3 * (LIMIT + 2), "{steps} steps for the last of {line}");
    }
}

#[test]
fn excluded_instances_count_towards_the_limit() {
    let set = set(&["RRULE:FREQ=SECONDLY", "EXRULE:FREQ=SECONDLY"]);
    let (found, steps) = steps::measure(|| set.occurrences().next());
    assert!(found.is_none() && steps <= 2 * LIMIT + 4, "{steps} steps");
    // One period with very many instances.
    let yearly =
        "FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11,12;BYMINUTE=0,1,2,3,4,5,6,7,8,9";
    let set = self::set(&[&format!("RRULE:{yearly}"), &format!("EXRULE:{yearly}")]);
    let (found, steps) = steps::measure(|| set.occurrences().next());
    assert!(found.is_none() && steps <= LIMIT + 4, "{steps} steps");
}
