//! Tests of the work of series, in examined periods.

use jiff::SignedDuration;
use jiff::civil::{DateTime, date};

use crate::expand::steps;
use crate::limits::MAX_IDLE_PERIODS;
use crate::{Moment, Recurrence, RecurrenceSet, Start};

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
fn rules_that_never_match_cost_nothing() {
    let lines = [
        "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30;BYSECOND=7",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=MONTHLY;BYMONTH=4,6,9,11;BYMONTHDAY=31",
        "FREQ=WEEKLY;BYMONTH=2;BYMONTHDAY=-30",
        "FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6",
        "FREQ=DAILY;BYYEARDAY=366;BYMONTH=1",
        "FREQ=YEARLY;BYMONTH=2;BYDAY=6MO",
        // Every fourth year from 2026 on, none of which is a leap year.
        "FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29",
        "FREQ=MONTHLY;INTERVAL=12;BYMONTH=2;BYMONTHDAY=1",
        "FREQ=DAILY;INTERVAL=7;BYDAY=TU",
        "FREQ=HOURLY;INTERVAL=168;BYDAY=TU,WE",
        "FREQ=HOURLY;INTERVAL=24;BYHOUR=3",
        "FREQ=MINUTELY;INTERVAL=1440;BYMINUTE=7",
        "FREQ=SECONDLY;INTERVAL=60;BYSECOND=30",
        "FREQ=SECONDLY;BYSECOND=1,2;BYSETPOS=2",
        "FREQ=MINUTELY;BYSECOND=1,2;BYSETPOS=-3",
        "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=7",
    ];
    for line in lines {
        for bound in ["", ";COUNT=5", ";UNTIL=99990101"] {
            let line = format!("RRULE:{line}{bound}");
            let ((found, last, endless), steps) = steps::measure(|| {
                let set = set(&[&line]);
                (set.occurrences().count(), set.last().is_some(), set.is_endless())
            });
            assert_eq!((found, last, endless), (1, true, false), "{line}");
            assert!(steps <= 4, "{steps} steps for {line}");
        }
    }
}

#[test]
fn rules_that_match_rarely_are_not_empty() {
    let lines = [
        "FREQ=YEARLY;INTERVAL=2;BYMONTH=2;BYMONTHDAY=29",
        "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO;BYSECOND=7",
        "FREQ=YEARLY;BYWEEKNO=53;BYMONTH=1;BYDAY=SU",
        "FREQ=DAILY;BYYEARDAY=366",
        "FREQ=MONTHLY;INTERVAL=5;BYMONTH=2;BYMONTHDAY=29",
        "FREQ=HOURLY;INTERVAL=5;BYHOUR=3;BYDAY=TU",
        "FREQ=SECONDLY;INTERVAL=77;BYSECOND=59",
        "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=5",
        "FREQ=YEARLY;INTERVAL=100;BYMONTH=2;BYMONTHDAY=28",
    ];
    for line in lines {
        let line = format!("RRULE:{line}");
        assert!(set(&[&line]).occurrences().nth(1).is_some() && set(&[&line]).is_endless(), "{line}");
    }
}

#[test]
fn work_of_an_iterator_is_reported() {
    let set = set(&["RRULE:FREQ=SECONDLY", "EXRULE:FREQ=SECONDLY"]);
    let mut occurrences = set.occurrences();
    assert!(occurrences.next().is_none());
    assert!(occurrences.steps() >= LIMIT, "{}", occurrences.steps());
    let window = date(2026, 2, 1).at(0, 0, 0, 0);
    let mut occurrences = set.occurrences_between(window, date(2026, 2, 1).at(0, 0, 9, 0));
    assert!(occurrences.next().is_none() && occurrences.steps() < 100, "{}", occurrences.steps());
}

#[test]
fn long_dates_do_not_widen_the_window_of_rules() {
    let lines = ["RRULE:FREQ=SECONDLY", "RDATE;VALUE=PERIOD:20260105T100000/P36500D"];
    let set = set(&lines);
    let (from, to) = (date(2100, 1, 1).at(0, 0, 0, 0), date(2100, 1, 1).at(0, 0, 10, 0));
    let (found, steps) = steps::measure(|| {
        let found = set.occurrences_overlapping(from, Some(Moment::Local(to)), SignedDuration::from_secs(2));
        found.map(|found| (found.local(), found.duration().is_some())).collect::<Vec<_>>()
    });
    let dates = [(date(2026, 1, 5).at(9, 0, 0, 0), false), (date(2026, 1, 5).at(10, 0, 0, 0), true)];
    assert_eq!((found.len(), &found[..2]), (14, dates.as_slice()));
    assert_eq!(found[2].0, date(2099, 12, 31).at(23, 59, 58, 0));
    assert!(steps <= 30, "{steps}");
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
