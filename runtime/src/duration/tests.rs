use super::*;
use proptest::prelude::*;

#[test]
fn texts_round_trip() {
    for (text, seconds, nanos) in [
        ("0s", 0, 0),
        ("-0s", 0, 0),
        ("1.5s", 1, 500_000_000),
        ("-1.50s", -1, -500_000_000),
        ("-0.5s", 0, -500_000_000),
        ("315576000000.999999999s", 315_576_000_000, 999_999_999),
        ("-315576000000.999999999s", -315_576_000_000, -999_999_999),
        ("3.000000001s", 3, 1),
    ] {
        let duration = Duration::parse(text);
        assert_eq!(duration.map(|duration| duration.to_string()).as_deref(), Ok(text));
        assert_eq!(duration.map(SignedDuration::from), Ok(SignedDuration::new(seconds, nanos)), "{text}");
    }
    assert_eq!(size_of::<Duration>(), 16);
    assert_eq!(format!("{:?}", Duration::ZERO), "Duration(0s)");
}

#[test]
fn invalid_texts_and_positions() {
    for (text, position) in [
        ("", 0),
        ("s", 0),
        ("1", 1),
        ("+1s", 0),
        ("--1s", 1),
        ("1.s", 2),
        (".5s", 0),
        ("01s", 0),
        ("1S", 1),
        ("1s ", 2),
        (" 1s", 0),
        ("1.0000000000s", 2),
        ("315576000001s", 0),
        ("-99999999999999999999999s", 1),
        ("1e3s", 1),
        ("PT1S", 0),
    ] {
        assert_eq!(Duration::parse(text).map_err(|error| error.position()), Err(position), "{text}");
    }
}

#[test]
fn conversions_fail_out_of_range() {
    let negative = Duration::parse("-1s");
    assert_eq!(negative.map(std::time::Duration::try_from), Ok(Err(DurationOutOfRange)));
    let zero = Duration::parse("-0.0s");
    assert_eq!(zero.map(std::time::Duration::try_from), Ok(Ok(std::time::Duration::ZERO)));
    assert_eq!(Duration::try_from(SignedDuration::MIN), Err(DurationOutOfRange));
    assert_eq!(Duration::try_from(std::time::Duration::MAX), Err(DurationOutOfRange));
    let (short, long) = (Duration::parse("-2s"), Duration::parse("1.0s"));
    assert_eq!(short.and_then(|short| Ok(short.cmp_length(&long?))), Ok(Ordering::Less));
}

proptest! {
    #[test]
    fn any_text_parses_or_fails(text in "-?[0-9]{0,13}(\\.[0-9]{0,10})?s|.{0,20}") {
        if let Ok(duration) = Duration::parse(&text) {
            prop_assert_eq!(duration.to_string(), text);
            let again = Duration::try_from(duration.to_signed());
            prop_assert_eq!(again.map(|again| again.cmp_length(&duration)), Ok(Ordering::Equal));
        }
    }

    #[test]
    fn lengths_survive(seconds in -315_576_000_000_i64..=315_576_000_000, nanos in -999_999_999..=999_999_999_i32) {
        let signed = SignedDuration::new(seconds, nanos);
        prop_assert_eq!(Duration::try_from(signed).map(|duration| duration.to_signed()), Ok(signed));
    }
}
