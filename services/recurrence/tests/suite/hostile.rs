//! Tests with hostile input: nothing panics, and nothing takes long.

use wireform_recurrence::jiff::Timestamp;
use wireform_recurrence::jiff::civil::date;
use wireform_recurrence::{Moment, Recurrence, RecurrenceSet, Start};

use crate::random::Random;
use crate::rules::Parts;
use crate::support::start;

const STARTS: [&str; 6] = [
    "20260105",
    "20240229T235959",
    "20261025T023000 Europe/Berlin",
    "99991228T000000",
    "00000101T000000 Pacific/Apia",
    "99981231T090000 America/St_Johns",
];

/// Calls all methods of a series. The number of instances is bounded here, the work for each by the crate.
fn call_all(set: &RecurrenceSet) {
    let mut last = None;
    for occurrence in set.occurrences().take(40) {
        let instant = (occurrence.local(), occurrence.timestamp());
        assert!(last < Some(instant) || instant.1.is_some(), "{:?}", set.recurrence());
        assert!(set.contains(occurrence.start()), "{occurrence:?} of {}", set.recurrence());
        last = Some(instant);
        assert!(occurrence.duration().is_none_or(|length| !length.is_negative()));
    }
    let far = [Moment::Date(date(-9999, 1, 1)), Moment::Date(date(9999, 12, 31)), Moment::Instant(Timestamp::MAX)];
    for moment in far.into_iter().chain([Moment::Instant(Timestamp::MIN), Moment::Date(date(5000, 6, 1))]) {
        assert!(set.occurrences_from(moment).take(3).count() <= 3);
        let _ = set.contains(moment);
    }
    let window = set.occurrences_between(date(3000, 1, 1).at(0, 0, 0, 0), date(3000, 1, 1).at(0, 20, 0, 0));
    assert!(window.count() <= 1_200, "{}", set.recurrence());
    assert!(set.last().is_none() || !set.is_endless());
}

fn expand(start: Start, lines: &[String]) -> bool {
    let Ok(recurrence) = Recurrence::parse(lines) else { return false };
    let text = recurrence.to_string();
    assert_eq!(Recurrence::parse_text(&text).as_ref(), Ok(&recurrence), "{text}");
    if let Ok(set) = RecurrenceSet::new(start, recurrence) {
        call_all(&set);
    }
    true
}

#[test]
fn random_bytes_are_refused() {
    let mut random = Random::new(11);
    let alphabet = b"RULEXDATFQ=;:,-+0123456789TZ/PMOWH \t\r\n\"\xc3\xa9";
    for _ in 0..20_000 {
        let length = random.below(60);
        let noise = random.once_in(2);
        let bytes: Vec<u8> = (0..length)
            .map(|_| {
                let next = random.next();
                if noise {
                    next.to_le_bytes()[0]
                } else {
                    alphabet[usize::try_from(next % alphabet.len() as u64).unwrap()]
                }
            })
            .collect();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        for prefix in ["", "RRULE:FREQ=DAILY;", "RDATE;", "EXDATE:"] {
            let line = format!("{prefix}{text}");
            let _ = Recurrence::parse_text(&line);
            if let Err(error) = Recurrence::parse([&line]) {
                assert!(error.line() == 1 && (1..=line.len() + 1).contains(&error.column()), "{line:?}: {error:?}");
            }
        }
    }
}

#[test]
fn mutated_lines_are_handled() {
    let mut random = Random::new(12);
    let dates = [
        "RDATE;TZID=Europe/Berlin;VALUE=PERIOD:20260329T023000/PT1H,20260401T090000/20260401T100000",
        "EXDATE;TZID=America/New_York:20260105T090000,20261101T013000",
        "RDATE:20260105T090000Z,99991231T235959Z,00000101T000000Z",
        "EXDATE;VALUE=DATE:20260105,99991231",
        "RRULE:FREQ=DAILY;UNTIL=99991231T235959Z",
        "EXRULE:FREQ=DAILY;BYMONTH=1,2,3;UNTIL=20300101",
    ];
    let mut parsed = 0;
    for _ in 0..1_500 {
        let rule = Parts::random(&mut random, &["Y", "M", "W", "D", "h", "m", "s"]).text();
        let mut lines = vec![rule, random.pick(&dates).to_owned()];
        for _ in 0..random.below(4) {
            mutate(&mut random, &mut lines);
        }
        parsed += usize::from(expand(start(random.pick(&STARTS)), &lines));
    }
    assert!(parsed > 300, "{parsed} sets of lines were expanded");
}

/// Replaces, removes or doubles a character, or replaces a number.
fn mutate(random: &mut Random, lines: &mut [String]) {
    let line = &mut lines[usize::try_from(random.below(2)).unwrap()];
    let at = usize::try_from(random.below(line.len().max(1) as u64)).unwrap();
    let numbers = ["0", "1", "7", "53", "60", "366", "9999", "1000000", "100000000", "-1", "99991231"];
    let digits = line[at..].bytes().take_while(u8::is_ascii_digit).count();
    match random.below(6) {
        0 if at < line.len() => drop(line.remove(at)),
        1 if at < line.len() => {
            let byte = line.as_bytes()[at];
            line.insert(at, byte.into());
        }
        2 => line.insert(at, random.pick(&[",", ";", "=", "é", "\n "]).chars().next().unwrap()),
        _ => line.replace_range(at..at + digits, random.pick(&numbers)),
    }
}

/// Series that took, or would take, very many steps in a naive expansion.
#[test]
fn expensive_series_are_handled() {
    let all = |high: u32| (1..=high).map(|number| format!("{number},-{number}")).collect::<Vec<_>>().join(",");
    let positions = all(366);
    let cases = [
        vec![format!("RRULE:FREQ=YEARLY;BYSETPOS={positions};BYDAY=MO,TU,WE,TH,FR,SA,SU;COUNT=1000000")],
        vec![format!("RRULE:FREQ=SECONDLY;BYSETPOS={positions};BYYEARDAY={positions}")],
        vec!["RRULE:FREQ=SECONDLY;INTERVAL=86399;BYHOUR=3;BYMINUTE=3;BYSECOND=3;COUNT=1000000".to_owned()],
        vec!["RRULE:FREQ=MINUTELY;INTERVAL=7;BYSECOND=1,2,3;BYMONTHDAY=-1;COUNT=1000000".to_owned()],
        vec!["RRULE:FREQ=YEARLY;BYHOUR=0,23;BYMINUTE=0,59;BYSECOND=0,59;BYSETPOS=-1,1;BYDAY=53MO".to_owned()],
        vec!["RRULE:FREQ=SECONDLY".to_owned(); 50],
        [vec!["RRULE:FREQ=SECONDLY".to_owned()], vec!["EXRULE:FREQ=SECONDLY;BYMONTH=1,2,3,4".to_owned(); 49]].concat(),
    ];
    for lines in cases {
        for text in STARTS.iter().skip(1) {
            assert!(expand(start(text), &lines), "{lines:?}");
        }
    }
}
