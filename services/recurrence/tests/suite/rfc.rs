//! Examples of RFC 5545, section 3.8.5.3: each rule as printed there, with the instances of its list.

use crate::support::{first, locals, set};

const ZONE: &str = "America/New_York";

/// Example: its description, its local start, its lines, and its first instances as `month: days`; `…` marks a list
/// that continues. The time of day is that of the start.
type Example = (&'static str, &'static str, &'static [&'static str], &'static str);

const DAYS: &[Example] = &[
    ("ten days", "19970902", &["RRULE:FREQ=DAILY;COUNT=10"], "199709: 2 3 4 5 6 7 8 9 10 11"),
    (
        "every second day",
        "19970902",
        &["RRULE:FREQ=DAILY;INTERVAL=2"],
        "199709: 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30 199710: 2 4 6 8 …",
    ),
    ("every tenth day", "19970902", &["RRULE:FREQ=DAILY;INTERVAL=10;COUNT=5"], "199709: 2 12 22 199710: 2 12"),
    ("ten weeks", "19970902", &["RRULE:FREQ=WEEKLY;COUNT=10"], "199709: 2 9 16 23 30 199710: 7 14 21 28 199711: 4"),
    (
        "weeks before Christmas",
        "19970902",
        &["RRULE:FREQ=WEEKLY;UNTIL=19971224T000000Z"],
        "199709: 2 9 16 23 30 199710: 7 14 21 28 199711: 4 11 18 25 199712: 2 9 16 23",
    ),
    (
        "every second week",
        "19970902",
        &["RRULE:FREQ=WEEKLY;INTERVAL=2;WKST=SU"],
        "199709: 2 16 30 199710: 14 28 199711: 11 25 199712: 9 23 199801: 6 20 199802: 3 17 …",
    ),
    (
        "two weekdays, five weeks by their end",
        "19970902",
        &["RRULE:FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH"],
        "199709: 2 4 9 11 16 18 23 25 30 199710: 2",
    ),
    (
        "two weekdays, five weeks by their number",
        "19970902",
        &["RRULE:FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH"],
        "199709: 2 4 9 11 16 18 23 25 30 199710: 2",
    ),
    (
        "three weekdays of every second week",
        "19970901",
        &["RRULE:FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR"],
        "199709: 1 3 5 15 17 19 29 199710: 1 3 13 15 17 27 29 31 199711: 10 12 14 24 26 28 199712: 8 10 12 22",
    ),
    (
        "two weekdays of every second week",
        "19970902",
        &["RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH"],
        "199709: 2 4 16 18 30 199710: 2 14 16",
    ),
    (
        "weeks that begin on Monday",
        "19970805",
        &["RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO"],
        "199708: 5 10 19 24",
    ),
    (
        "weeks that begin on Sunday",
        "19970805",
        &["RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU"],
        "199708: 5 17 19 31",
    ),
];

const MONTHS: &[Example] = &[
    (
        "first Fridays",
        "19970905",
        &["RRULE:FREQ=MONTHLY;COUNT=10;BYDAY=1FR"],
        "199709: 5 199710: 3 199711: 7 199712: 5 199801: 2 199802: 6 199803: 6 199804: 3 199805: 1 199806: 5",
    ),
    (
        "first Fridays before Christmas",
        "19970905",
        &["RRULE:FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR"],
        "199709: 5 199710: 3 199711: 7 199712: 5",
    ),
    (
        "first and last Sundays of every second month",
        "19970907",
        &["RRULE:FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU"],
        "199709: 7 28 199711: 2 30 199801: 4 25 199803: 1 29 199805: 3 31",
    ),
    (
        "last Mondays but one",
        "19970922",
        &["RRULE:FREQ=MONTHLY;COUNT=6;BYDAY=-2MO"],
        "199709: 22 199710: 20 199711: 17 199712: 22 199801: 19 199802: 16",
    ),
    (
        "last days but two",
        "19970928",
        &["RRULE:FREQ=MONTHLY;BYMONTHDAY=-3"],
        "199709: 28 199710: 29 199711: 28 199712: 29 199801: 29 199802: 26 …",
    ),
    (
        "two days of a month",
        "19970902",
        &["RRULE:FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15"],
        "199709: 2 15 199710: 2 15 199711: 2 15 199712: 2 15 199801: 2 15",
    ),
    (
        "first and last days",
        "19970930",
        &["RRULE:FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1"],
        "199709: 30 199710: 1 31 199711: 1 30 199712: 1 31 199801: 1 31 199802: 1",
    ),
    (
        "some days every year and a half",
        "19970910",
        &["RRULE:FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15"],
        "199709: 10 11 12 13 14 15 199903: 10 11 12 13",
    ),
    (
        "Tuesdays of every second month",
        "19970902",
        &["RRULE:FREQ=MONTHLY;INTERVAL=2;BYDAY=TU"],
        "199709: 2 9 16 23 30 199711: 4 11 18 25 199801: 6 13 20 27 199803: 3 10 17 24 31 …",
    ),
    (
        "Fridays that are a 13th, without the start",
        "19970902",
        &["EXDATE;TZID=America/New_York:19970902T090000", "RRULE:FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13"],
        "199802: 13 199803: 13 199811: 13 199908: 13 200010: 13 …",
    ),
    (
        "Saturdays after the first Sunday",
        "19970913",
        &["RRULE:FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13"],
        "199709: 13 199710: 11 199711: 8 199712: 13 199801: 10 199802: 7 199803: 7 199804: 11 199805: 9 199806: 13 …",
    ),
    (
        "the third of three weekdays",
        "19970904",
        &["RRULE:FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3"],
        "199709: 4 199710: 7 199711: 6",
    ),
    (
        "last working days but one",
        "19970929",
        &["RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2"],
        "199709: 29 199710: 30 199711: 27 199712: 30 199801: 29 199802: 26 199803: 30 …",
    ),
    (
        "a February without a 30th",
        "20070115",
        &["RRULE:FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5"],
        "200701: 15 30 200702: 15 200703: 15 30",
    ),
];

const YEARS: &[Example] = &[
    (
        "two months",
        "19970610",
        &["RRULE:FREQ=YEARLY;COUNT=10;BYMONTH=6,7"],
        "199706: 10 199707: 10 199806: 10 199807: 10 199906: 10 199907: 10 200006: 10 200007: 10 200106: 10 200107: 10",
    ),
    (
        "three months of every second year",
        "19970310",
        &["RRULE:FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3"],
        "199703: 10 199901: 10 199902: 10 199903: 10 200101: 10 200102: 10 200103: 10 200301: 10 200302: 10 200303: 10",
    ),
    (
        "three days of every third year",
        "19970101",
        &["RRULE:FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200"],
        "199701: 1 199704: 10 199707: 19 200001: 1 200004: 9 200007: 18 200301: 1 200304: 10 200307: 19 200601: 1",
    ),
    ("Monday 20 of a year", "19970519", &["RRULE:FREQ=YEARLY;BYDAY=20MO"], "199705: 19 199805: 18 199905: 17 …"),
    (
        "Monday of week 20",
        "19970512",
        &["RRULE:FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO"],
        "199705: 12 199805: 11 199905: 17 …",
    ),
    (
        "Thursdays of March",
        "19970313",
        &["RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=TH"],
        "199703: 13 20 27 199803: 5 12 19 26 199903: 4 11 18 25 …",
    ),
    (
        "Thursdays of a summer",
        "19970605",
        &["RRULE:FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8"],
        "199706: 5 12 19 26 199707: 3 10 17 24 31 199708: 7 14 21 28 199806: 4 11 18 25 199807: 2 9 16 23 30 …",
    ),
    (
        "election days",
        "19961105",
        &["RRULE:FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8"],
        "199611: 5 200011: 7 200411: 2 …",
    ),
];

/// Returns the days of a list, and whether it continues.
fn days(list: &str) -> (Vec<String>, bool) {
    let (mut month, mut days) = ("", Vec::new());
    for word in list.split(' ').filter(|word| *word != "…") {
        match word.strip_suffix(':') {
            Some(name) => month = name,
            None => days.push(format!("{month}{word:0>2}T090000")),
        }
    }
    (days, list.ends_with('…'))
}

#[test]
fn lists_of_days() {
    for (about, start, lines, list) in DAYS.iter().chain(MONTHS).chain(YEARS) {
        let (expected, endless) = days(list);
        let set = set(&format!("{start}T090000 {ZONE}"), lines);
        assert_eq!(locals(set.occurrences().take(expected.len() + usize::from(!endless))), expected, "{about}");
        assert_eq!(set.is_endless(), endless, "{about}");
        let last = set.last().map(|last| locals(std::iter::once(last)).concat());
        assert_eq!(last.as_ref(), expected.last().filter(|_| !endless), "{about}");
    }
}

#[test]
fn every_day_before_christmas() {
    let found = first(200, &format!("19970902T090000 {ZONE}"), &["RRULE:FREQ=DAILY;UNTIL=19971224T000000Z"]);
    assert_eq!((found.len(), found[112].as_str()), (29 + 31 + 30 + 23, "19971223T090000"));
}

#[test]
fn every_day_of_three_januaries() {
    let start = format!("19980101T090000 {ZONE}");
    let yearly = "RRULE:FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA";
    let daily = "RRULE:FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1";
    let expected: Vec<String> =
        (1998..=2000).flat_map(|year| (1..=31).map(move |day| format!("{year}01{day:02}T090000"))).collect();
    assert_eq!(first(200, &start, &[yearly]), expected);
    assert_eq!(first(200, &start, &[daily]), expected);
}

#[test]
fn parts_of_a_day() {
    let first = |count: usize, line: &str| first(count, &format!("19970902T090000 {ZONE}"), &[line]);
    let at = |times: &[&str]| times.iter().map(|time| format!("19970902T{time}00")).collect::<Vec<_>>();
    // The list in the RFC continues to 15:00, though the rule ends at 13:00 in New York; an erratum moves its end to
    // 21:00Z.
    assert_eq!(first(9, "RRULE:FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000Z"), at(&["0900", "1200"]));
    assert_eq!(first(9, "RRULE:FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T210000Z"), at(&["0900", "1200", "1500"]));
    let quarters = ["0900", "0915", "0930", "0945", "1000", "1015"];
    assert_eq!(first(9, "RRULE:FREQ=MINUTELY;INTERVAL=15;COUNT=6"), at(&quarters));
    assert_eq!(first(9, "RRULE:FREQ=MINUTELY;INTERVAL=90;COUNT=4"), at(&["0900", "1030", "1200", "1330"]));
    let twenty = "RRULE:FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40";
    let found = first(50, twenty);
    assert_eq!((found[0].as_str(), found[23].as_str()), ("19970902T090000", "19970902T164000"));
    assert_eq!((found[24].as_str(), found.len()), ("19970903T090000", 50));
    assert_eq!(first(50, "RRULE:FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16"), found);
}
