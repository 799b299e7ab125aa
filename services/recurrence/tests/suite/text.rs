//! Tests of parsing, of canonical texts, and of the locations of errors.

use wireform_recurrence::{ParseErrorKind, Recurrence};

use ParseErrorKind::{
    Conflict, DuplicatePart, InvalidParameter, InvalidValue, MissingFrequency, OutOfRange, PropertyNotAllowed, Syntax,
    TooMany, UnknownPart, UnknownProperty, UnknownZone, UnsupportedPart,
};

#[track_caller]
fn canonical(line: &str) -> String {
    let parsed = Recurrence::parse([line]).unwrap_or_else(|error| panic!("{line}: {error}"));
    let text = parsed.lines().collect::<Vec<_>>().join("\n");
    assert_eq!(Recurrence::parse([&text]).as_ref(), Ok(&parsed), "{text}");
    text
}

#[test]
fn lines_have_a_canonical_form() {
    let cases = [
        ("rrule:freq=daily", "RRULE:FREQ=DAILY"),
        ("RRULE:COUNT=3;INTERVAL=1;FREQ=DAILY;WKST=MO", "RRULE:FREQ=DAILY;COUNT=3"),
        ("RRULE:FREQ=WEEKLY;BYDAY=FR,MO,FR;WKST=SU", "RRULE:FREQ=WEEKLY;BYDAY=MO,FR;WKST=SU"),
        ("RRULE:FREQ=MONTHLY;BYDAY=+2MO,-1MO,MO", "RRULE:FREQ=MONTHLY;BYDAY=MO,-1MO,2MO"),
        ("RRULE:FREQ=YEARLY;BYMONTHDAY=+5,-1,05;BYMONTH=12,1", "RRULE:FREQ=YEARLY;BYMONTHDAY=-1,5;BYMONTH=1,12"),
        ("EXRULE:FREQ=DAILY;UNTIL=20260105t090000z", "EXRULE:FREQ=DAILY;UNTIL=20260105T090000Z"),
        ("RDATE;VALUE=DATE-TIME:20260105T090000", "RDATE:20260105T090000"),
        ("EXDATE:20260105,20260101", "EXDATE;VALUE=DATE:20260105,20260101"),
        ("EXDATE;tzid=\"europe/paris\":20260105T090000", "EXDATE;TZID=Europe/Paris:20260105T090000"),
        ("EXDATE;TZID=Europe/Paris:20260105T090000Z", "EXDATE:20260105T090000Z"),
        ("EXDATE;VALUE=DATE;TZID=Europe/Paris:20260105", "EXDATE;VALUE=DATE:20260105"),
        ("RDATE;X-WHY=\"a:b;c\":20260105T090000Z/PT90M", "RDATE;VALUE=PERIOD:20260105T090000Z/PT1H30M"),
        ("RDATE:20260105T090000/P1DT3601S", "RDATE;VALUE=PERIOD:20260105T090000/P1DT1H0M1S"),
        ("RDATE:20260105T090000/P14D", "RDATE;VALUE=PERIOD:20260105T090000/P2W"),
        ("RDATE:20260105T090000Z/20260105T100000Z", "RDATE;VALUE=PERIOD:20260105T090000Z/20260105T100000Z"),
    ];
    for (line, expected) in cases {
        assert_eq!(canonical(line), expected);
    }
}

#[test]
fn lines_are_unfolded() {
    let text = "RRULE:FREQ=WEE\r\n KLY;BYDAY=M\r\n\tO\r\nEXDATE:20260105T090000\r\n ,20260112T090000\r\n";
    let parsed = Recurrence::parse_text(text).unwrap();
    assert_eq!(parsed.to_string(), "RRULE:FREQ=WEEKLY;BYDAY=MO\nEXDATE:20260105T090000,20260112T090000\n");
    let error = Recurrence::parse_text("RRULE:FREQ=DAILY\n\nRRULE:FREQ=DAI\n LY;COUNT=x").unwrap_err();
    assert_eq!((error.line(), error.column(), error.kind()), (4, 11, InvalidValue));
    assert!(Recurrence::parse_text("").unwrap().is_empty());
}

/// Rejected lines: the column of the error, its kind, and a part of the message.
const REFUSED: &[(&str, usize, ParseErrorKind, &str)] = &[
    ("", 1, Syntax, "empty"),
    ("RRULE", 1, Syntax, "no property name"),
    ("FREQ=DAILY", 1, Syntax, "`FREQ=DAILY` has no property name"),
    ("FREQ=DAILY;UNTIL=x:y", 1, Syntax, "no property name"),
    ("DTSTART:20260105T090000", 1, PropertyNotAllowed, "`DTSTART` is not allowed in a recurrence"),
    ("dtend;VALUE=DATE:20260105", 1, PropertyNotAllowed, "`DTEND`"),
    ("SUMMARY:x", 1, UnknownProperty, "unknown property `SUMMARY`"),
    (" RRULE:FREQ=DAILY", 1, UnknownProperty, "unknown property ` RRULE`"),
    ("RRULE:", 7, Syntax, "a rule part is empty"),
    ("RRULE:COUNT=3", 7, MissingFrequency, "no `FREQ`"),
    ("RRULE:FREQ=DAILY;", 18, Syntax, "a rule part is empty"),
    ("RRULE:FREQ=DAILY;COUNT", 18, Syntax, "invalid rule part `COUNT`"),
    ("RRULE:FREQ=FORTNIGHTLY", 12, InvalidValue, "`FREQ` value `FORTNIGHTLY`, expected `SECONDLY`"),
    ("RRULE:FREQ=DAILY;FREQ=DAILY", 18, DuplicatePart, "`FREQ` occurs twice"),
    ("RRULE:FREQ=DAILY;BYWEEKDAY=MO", 18, UnknownPart, "unknown rule part `BYWEEKDAY`"),
    ("RRULE:RSCALE=GREGORIAN;FREQ=DAILY", 7, UnsupportedPart, "`RSCALE` is not supported"),
    ("RRULE:FREQ=DAILY;SKIP=OMIT", 18, UnsupportedPart, "`SKIP` is not supported"),
    (
        "RRULE:FREQ=DAILY;COUNT=0",
        24,
        OutOfRange,
        "`COUNT` value `0` is out of range, expected a number from 1 to 1000000",
    ),
    ("RRULE:FREQ=DAILY;COUNT=99999999999", 24, OutOfRange, "`COUNT`"),
    ("RRULE:FREQ=DAILY;COUNT=-1", 24, InvalidValue, "`COUNT`"),
    ("RRULE:FREQ=DAILY;INTERVAL=0", 27, OutOfRange, "`INTERVAL`"),
    ("RRULE:FREQ=DAILY;INTERVAL=100000001", 27, OutOfRange, "`INTERVAL`"),
    ("RRULE:FREQ=DAILY;COUNT=3;UNTIL=20260105", 24, Conflict, "exclude each other"),
    ("RRULE:FREQ=DAILY;UNTIL=tomorrow", 24, InvalidValue, "`UNTIL` value `tomorrow`, expected a date such as"),
    ("RRULE:FREQ=DAILY;UNTIL=20260230", 24, OutOfRange, "a date that exists"),
    ("RRULE:FREQ=DAILY;UNTIL=20260105T250000", 24, OutOfRange, "a time up to"),
    ("RRULE:FREQ=DAILY;BYSECOND=61", 27, OutOfRange, "from 0 to 60"),
    ("RRULE:FREQ=DAILY;BYMINUTE=60", 27, OutOfRange, "from 0 to 59"),
    ("RRULE:FREQ=DAILY;BYHOUR=1,24", 27, OutOfRange, "from 0 to 23"),
    ("RRULE:FREQ=DAILY;BYHOUR=", 25, InvalidValue, "`BYHOUR` value ``"),
    ("RRULE:FREQ=DAILY;BYMONTH=0", 26, OutOfRange, "from 1 to 12"),
    ("RRULE:FREQ=DAILY;BYMONTHDAY=0", 29, OutOfRange, "from 1 to 31 or from -31 to -1"),
    ("RRULE:FREQ=DAILY;BYMONTHDAY=-32", 29, OutOfRange, "from 1 to 31"),
    ("RRULE:FREQ=DAILY;BYMONTHDAY=--1", 29, InvalidValue, "`--1`"),
    ("RRULE:FREQ=YEARLY;BYYEARDAY=367", 29, OutOfRange, "366"),
    ("RRULE:FREQ=YEARLY;BYWEEKNO=54", 28, OutOfRange, "53"),
    ("RRULE:FREQ=YEARLY;BYDAY=MO;BYSETPOS=367", 37, OutOfRange, "366"),
    ("RRULE:FREQ=YEARLY;BYDAY=54MO", 25, OutOfRange, "an ordinal from 1 to 53"),
    ("RRULE:FREQ=YEARLY;BYDAY=0MO", 25, OutOfRange, "an ordinal"),
    ("RRULE:FREQ=YEARLY;BYDAY=1é", 25, InvalidValue, "a weekday such as"),
    ("RRULE:FREQ=WEEKLY;BYDAY=", 25, InvalidValue, "a weekday such as"),
    ("RRULE:FREQ=WEEKLY;BYDAY=MO,-1OK", 28, InvalidValue, "`-1OK`"),
    ("RRULE:FREQ=WEEKLY;BYDAY=MO,,TU", 28, InvalidValue, "``"),
    ("RRULE:FREQ=WEEKLY;BYDAY=1MO", 25, Conflict, "`BYDAY` has an ordinal, expected a rule of `MONTHLY`"),
    ("RRULE:FREQ=YEARLY;BYWEEKNO=1;BYDAY=1MO", 36, Conflict, "excludes `BYWEEKNO`"),
    ("RRULE:FREQ=MONTHLY;BYSETPOS=1", 29, Conflict, "`BYSETPOS` requires another"),
    ("RRULE:FREQ=WEEKLY;WKST=1MO", 24, InvalidValue, "`WKST`"),
    ("RRULE;TZID=Europe/Paris:FREQ=DAILY", 7, InvalidParameter, "unknown parameter `TZID`"),
    ("RDATE;RANGE=x:20260105", 7, InvalidParameter, "unknown parameter `RANGE`"),
    ("RDATE;TZID:20260105", 7, Syntax, "invalid parameter `TZID`"),
    ("RDATE;TZID=UTC", 7, Syntax, "no value"),
    ("RDATE;TZID=UTC;TZID=UTC:20260105T090000", 16, InvalidParameter, "occurs twice"),
    ("RDATE;TZID=Mars/Olympus:20260105T090000", 12, UnknownZone, "unknown time zone `Mars/Olympus`"),
    ("RDATE;VALUE=TEXT:20260105", 13, InvalidParameter, "`DATE`, `DATE-TIME` or `PERIOD`"),
    ("EXDATE;VALUE=PERIOD:20260105T090000/PT1H", 14, InvalidParameter, "`DATE` or `DATE-TIME`"),
    ("EXDATE:20260105T090000/PT1H", 8, InvalidValue, "a date-time such as"),
    ("RDATE;VALUE=DATE:20260105T090000", 18, InvalidValue, "a date such as"),
    ("RDATE:20260105,20260106T090000", 16, InvalidValue, "a date such as"),
    ("RDATE:", 7, InvalidValue, "``"),
    ("RDATE:20260105T090000Z,", 24, InvalidValue, "``"),
    ("RDATE:20260105/PT1H", 7, InvalidValue, "a date-time such as"),
    ("RDATE:20260105T090000Z/-PT1H", 24, InvalidValue, "a positive duration"),
    ("RDATE:20260105T090000Z/20260105T090000Z", 24, InvalidValue, "an end after the start"),
    ("RDATE:20260105T090000Z/20260105T100000", 24, InvalidValue, "both in UTC or both local"),
];

#[test]
fn errors_have_locations() {
    for (line, column, kind, message) in REFUSED {
        let error = Recurrence::parse(["RRULE:FREQ=DAILY", line]).expect_err(line);
        assert_eq!((error.line(), error.column(), error.kind()), (2, *column, *kind), "{line}: {error}");
        assert!(error.message().contains(message), "{line}: {error}");
        assert_eq!(error.to_string(), format!("line 2, column {column}: {}", error.message()));
    }
}

#[test]
fn errors_have_help() {
    let help = |line: &str| Recurrence::parse([line]).unwrap_err().help().unwrap_or_default().to_owned();
    assert_eq!(help("FREQ=DAILY"), "write `RRULE:` in front of the rule");
    assert_eq!(help("RRULE:FREQ=DAILY;BYWEEKDAY=MO"), "did you mean `BYDAY`?");
    assert!(help("RRULE:FREQ=DAILY;BYEASTER=1").contains("`BYSETPOS`, `WKST`"));
    assert!(help("DTSTART:20260105").contains("not part of a recurrence"));
    assert!(help("RDATE;TZID=Paris:20260105T090000").contains("IANA"));
}

#[test]
fn limits_hold() {
    let kind = |lines: &[String]| Recurrence::parse(lines).map_err(|error| (error.line(), error.kind()));
    let daily = "RRULE:FREQ=DAILY".to_owned();
    assert!(kind(&vec![daily.clone(); 50]).is_ok());
    assert_eq!(kind(&vec![daily.clone(); 51]), Err((51, TooMany)));
    assert_eq!(kind(&[format!("{daily};X={}", "x".repeat(70_000))]), Err((1, TooMany)));
    assert!(kind(&[format!("{daily};BYHOUR=1{}", ",1".repeat(999))]).is_ok());
    assert_eq!(kind(&[format!("{daily};BYHOUR=1{}", ",1".repeat(1_000))]), Err((1, TooMany)));
    let dates = format!("EXDATE:20260101{}", ",20260101".repeat(4_999));
    assert!(kind(&[dates.clone(), dates.clone()]).is_ok());
    assert_eq!(kind(&[dates.clone(), dates.clone(), dates]), Err((3, TooMany)));
    let rule = "FREQ=DAILY".parse::<wireform_recurrence::Rule>();
    assert_eq!(rule.map(|rule| rule.to_string()), Ok("FREQ=DAILY".to_owned()));
    assert!(format!("FREQ=DAILY;BYHOUR={}", "1,".repeat(40_000)).parse::<wireform_recurrence::Rule>().is_err());
}
