#![allow(clippy::panic)]

use super::*;
use crate::json;
use jiff::Timestamp;
use jiff::civil;
use jiff::tz::Offset;
use proptest::prelude::*;

fn parse(text: &str) -> DateTime {
    DateTime::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn texts_round_trip() {
    for text in [
        "1963-06-19T08:30:06.283185Z",
        "1963-06-19t08:30:06.283185z",
        "1937-01-01T12:00:27.87+00:20",
        "1990-12-31T15:59:50.123-08:00",
        "1998-12-31T23:59:60Z",
        "1998-12-31T15:59:60.123-08:00",
        "1998-12-31T23:59:60",
        "2017-01-01T00:29:60.5+00:30",
        "2026-01-01T10:00:00",
        "2026-01-01t10:00:00.0",
        "2026-01-01T10:00:00+00:00",
        "2026-01-01T10:00:00-00:00",
        "2026-01-01T10:00:00.000000000000000000-23:59",
        "2026-01-01T10:00:00.999999999999999999+23:59",
        "0000-02-29T00:00:00Z",
        "9999-12-31T23:59:59.999999999Z",
    ] {
        assert_eq!(parse(text).to_string(), text);
        let quoted = format!("\"{text}\"");
        let read = json::from_str::<DateTime>(&quoted);
        assert_eq!(read.ok().and_then(|value| json::to_string(&value).ok()), Some(quoted));
    }
}

#[test]
fn invalid_texts_and_positions() {
    for (text, position) in [
        ("", 0),
        ("2026-01-01", 10),
        ("2026-01-01 10:00:00Z", 10),
        ("2026-01-01T10:00Z", 16),
        ("2026-01-01T10:00:0Z", 18),
        ("2026-01-01T24:00:00Z", 11),
        ("2026-01-01T10:60:00Z", 14),
        ("2026-01-01T10:00:61Z", 17),
        ("1998-12-31T23:58:60Z", 17),
        ("1998-12-31T22:59:60Z", 17),
        ("1998-12-31T23:59:60-08:00", 17),
        ("1998-12-31T22:59:60", 17),
        ("2026-01-01T10:00:00.Z", 20),
        ("2026-01-01T10:00:00,5Z", 19),
        ("2026-01-01T10:00:00.1234567890123456789Z", 20),
        ("2026-01-01T10:00:00+24:00", 20),
        ("2026-01-01T10:00:00+10:60", 23),
        ("2026-01-01T10:00:00+01", 22),
        ("2026-01-01T10:00:00+0100", 22),
        ("2026-01-01T10:00:00+01:00Z", 25),
        ("2026-01-01T10:00:00Z\n", 20),
        ("2026-01-01T10:00:00Z[UTC]", 20),
        ("2026-02-30T10:00:00Z", 8),
        ("+11963-06-19T08:30:06Z", 0),
        ("1963-06-11T0\u{9ea}:00:00Z", 12),
    ] {
        assert_eq!(DateTime::parse(text).map_err(|error| error.position()), Err(position), "{text}");
    }
}

#[test]
fn it_is_compact() {
    assert!(size_of::<DateTime>() <= 24, "{}", size_of::<DateTime>());
    assert_eq!(size_of::<Option<DateTime>>(), size_of::<DateTime>());
}

#[test]
fn accessors() {
    let at = parse("2026-03-04T05:06:07.0089-01:30");
    assert_eq!((at.year(), at.month(), at.day()), (2026, 3, 4));
    assert_eq!((at.hour(), at.minute(), at.second()), (5, 6, 7));
    assert_eq!((at.fraction_digits(), at.subsec_nanos()), (4, 8_900_000));
    assert_eq!((at.offset_minutes(), at.has_offset()), (Some(-90), true));
    assert_eq!(at.offset(), Offset::from_seconds(-5400).ok());
    assert!(parse("2026-03-04T05:06:07-00:00").is_local_offset_unknown());
    assert_eq!(parse("2026-03-04T05:06:07").offset(), None);
    assert_eq!(format!("{:?}", parse("2026-03-04T05:06:07z")), "DateTime(2026-03-04T05:06:07z)");
}

#[test]
fn instants_are_compared_regardless_of_notation() {
    let instants =
        ["2016-12-31T23:59:59.9Z", "2016-12-31T23:59:60.0Z", "2016-12-31T23:59:60.1Z", "2017-01-01T00:00:00Z"];
    for pair in instants.windows(2) {
        let order = parse(pair[0]).cmp_instant(&parse(pair[1]));
        assert_eq!(order, Some(Ordering::Less), "{pair:?}");
    }
    let (shown, meant) = (parse("2026-01-01T00:30:00+01:00"), parse("2025-12-31T23:30:00.000Z"));
    assert!(shown != meant && shown.same_instant(&meant));
    let local = parse("2026-01-01T00:30:00");
    assert_eq!(local.cmp_instant(&shown), None);
    assert!(local.same_instant(&parse("2026-01-01t00:30:00.0")));
}

#[test]
fn leap_seconds_and_limits() {
    let leap = parse("2016-12-31T23:59:60.25Z");
    assert_eq!(leap.to_timestamp(), Timestamp::new(1_483_228_799, 250_000_000).ok());
    assert_eq!(leap.to_civil(), civil::date(2016, 12, 31).at(23, 59, 59, 250_000_000));
    assert_eq!(parse("9999-12-31T23:59:59Z").to_timestamp(), None);
    assert_eq!(parse("2026-01-01T00:00:00").to_timestamp(), None);
    assert_eq!(DateTime::from(Timestamp::MIN).to_string(), "0000-01-01T00:00:00Z");
    assert_eq!(DateTime::from_civil(civil::DateTime::MIN).to_string(), "0000-01-01T00:00:00");
    assert_eq!(DateTime::from(Timestamp::MAX).to_string(), "9999-12-30T22:00:00.999999999Z");
    assert_eq!(DateTime::from_civil(civil::DateTime::MAX).to_string(), "9999-12-31T23:59:59.999999999");
    let late = DateTime::from_timestamp_at(Timestamp::UNIX_EPOCH, Offset::MIN);
    assert_eq!(late.to_string(), "1969-12-31T00:01:00-23:59");
}

proptest! {
    #[test]
    fn any_text_parses_or_fails(
        text in "[0-9]{4}-[01][0-9]-[0-3][0-9][Tt][0-2][0-9]:[0-5][0-9]:[0-6][0-9](\\.[0-9]{0,20})?([Zz]|[+-][0-2][0-9]:[0-5][0-9])?|.{0,40}",
    ) {
        if let Ok(value) = DateTime::parse(&text) {
            prop_assert_eq!(value.to_string(), text);
        }
    }

    #[test]
    fn timestamps_survive(second in -62_167_219_200_i64..=253_402_207_200, nano in 0..1_000_000_000_i32, offset in -1439..=1439_i32) {
        let timestamp = Timestamp::new(second, nano).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let utc = DateTime::from(timestamp);
        prop_assert_eq!(utc.to_timestamp(), Some(timestamp));
        prop_assert_eq!(DateTime::parse(&utc.to_string()), Ok(utc));
        let offset = Offset::from_seconds(offset * 60).unwrap_or(Offset::UTC);
        let shown = DateTime::from_timestamp_at(timestamp, offset);
        if offset.to_datetime(timestamp).year() >= 0 {
            prop_assert_eq!(shown.to_timestamp(), Some(timestamp));
            prop_assert!(shown.same_instant(&utc));
            prop_assert_eq!(DateTime::from_civil(shown.to_civil()).to_civil(), shown.to_civil());
        }
        prop_assert_eq!(DateTime::parse(&shown.to_string()), Ok(shown));
    }
}
