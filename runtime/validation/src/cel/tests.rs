use wireform_runtime::jiff::SignedDuration;
use wireform_runtime::{Date, DateTime};

use super::*;

fn time(text: &str) -> DateTime {
    DateTime::parse(text).unwrap()
}

#[test]
fn errors_of_operands_are_ignored_if_the_other_decides() {
    let error = || Err(EvalError::Overflow);
    assert_eq!(or(error, || Ok(true)), Ok(true));
    assert_eq!(or(error, || Ok(false)), Err(EvalError::Overflow));
    assert_eq!(or(|| Ok(true), || unreachable!()), Ok(true));
    assert_eq!(and(error, || Ok(false)), Ok(false));
    assert_eq!(and(error, || Err(EvalError::MissingOperand)), Err(EvalError::Overflow));
    assert_eq!(and(|| Ok(true), error), Err(EvalError::Overflow));
}

#[test]
fn loops() {
    let positive = |number: i64| if number == 0 { Err(EvalError::DivisionByZero) } else { Ok(number > 0) };
    assert_eq!(all([1, 0, -1], positive), Ok(false));
    assert_eq!(all([1, 0], positive), Err(EvalError::DivisionByZero));
    assert_eq!(exists([0, -1, 1], positive), Ok(true));
    assert_eq!(exists([-1, 0], positive), Err(EvalError::DivisionByZero));
    assert_eq!(exists_one([1, 1, 0], positive), Err(EvalError::DivisionByZero));
    assert_eq!(exists_one([1, -1], positive), Ok(true));
    assert_eq!(filter([1, -1, 2], positive), Ok(vec![1, 2]));
    assert_eq!(
        (element_at([7, 8], 1), element_at([7], 1), element_at([7], -1)),
        (Ok(8), Err(EvalError::OutOfRange), Err(EvalError::OutOfRange))
    );
}

#[test]
fn uniqueness_of_short_and_long_lists() {
    for length in [0, 1, 2, 15, 16, 17, 18, 33, 1000_i64] {
        let list: Vec<i64> = (0..length).collect();
        assert!(is_unique(list.iter()), "{length}");
        for (first, second) in [(0, length - 1), (length / 2, length - 1), (0, 1)] {
            let mut copy = list.clone();
            let (Ok(first), Ok(second)) = (usize::try_from(first), usize::try_from(second)) else { continue };
            if first != second && second < copy.len() {
                copy[second] = copy[first];
                assert!(!is_unique(copy.iter()), "{length} {first} {second}");
            }
        }
    }
    assert!(
        !is_unique([EqFloat(0.0), EqFloat(-0.0)].into_iter())
            && is_unique([EqFloat(f64::NAN), EqFloat(f64::NAN)].into_iter())
    );
    let moments = ["2024-01-01T00:00:00Z", "2024-01-01T01:00:00+01:00"].map(|text| EqInstant(time(text)));
    assert!(!is_unique(moments.into_iter()));
}

#[test]
fn arithmetic_does_not_wrap_around() {
    assert_eq!(add(i64::MAX, 1), Err(EvalError::Overflow));
    assert_eq!(subtract(0_u64, 1), Err(EvalError::Overflow));
    assert_eq!(multiply(i64::MIN, -1), Err(EvalError::Overflow));
    assert_eq!(divide(i64::MIN, -1), Err(EvalError::Overflow));
    assert_eq!((divide(7_i64, -2), remainder(-7_i64, 2)), (Ok(-3), Ok(-1)));
    assert_eq!(
        (divide(1_u64, 0), remainder(1_i64, 0)),
        (Err(EvalError::DivisionByZero), Err(EvalError::DivisionByZero))
    );
    assert_eq!((negate(i64::MIN), negate(1)), (Err(EvalError::Overflow), Ok(-1)));
}

#[test]
fn numbers_of_different_types() {
    use std::cmp::Ordering::{Equal, Greater, Less};
    assert_eq!(compare(-1_i64, 0_u64), Some(Less));
    assert_eq!(compare(1_i64, 1.5), Some(Less));
    assert_eq!(compare(-1_i64, -1.5), Some(Greater));
    assert_eq!(compare(2.0, 2_u64), Some(Equal));
    assert_eq!(compare(i64::MAX, 9_223_372_036_854_775_808.0), Some(Less));
    assert_eq!(compare(f64::INFINITY, u64::MAX), Some(Greater));
    assert_eq!(compare(f64::NAN, 1_i64), None);
}

#[test]
fn conversions() {
    assert_eq!(
        (to_int("-7"), to_int(" 7"), to_int(1.9), to_int(-1.9)),
        (Ok(-7), Err(EvalError::BadConversion), Ok(1), Ok(-1))
    );
    assert_eq!(
        (to_int(1e19), to_int(f64::NAN), to_int(u64::MAX)),
        (Err(EvalError::Overflow), Err(EvalError::Overflow), Err(EvalError::Overflow))
    );
    assert_eq!(
        (to_uint(-1_i64), to_uint(-0.5), to_uint("3")),
        (Err(EvalError::Overflow), Err(EvalError::Overflow), Ok(3))
    );
    assert_eq!((to_double("1.5"), to_double("x")), (Ok(1.5), Err(EvalError::BadConversion)));
    assert_eq!(to_int(time("1970-01-01T01:00:01+01:00")), Ok(1));
    assert_eq!(to_int(time("1970-01-01T01:00:01")), Err(EvalError::Incomparable));
    assert_eq!(
        (format_double(1.0), format_double(1e22), format_double(0.5)),
        ("1".into(), "1e22".into(), "0.5".into())
    );
}

#[test]
fn times() {
    let day = SignedDuration::from_hours(24);
    assert_eq!(
        compare_times(time("2024-01-01T00:00:00Z"), time("2024-01-01T00:30:00+01:00")),
        Ok(std::cmp::Ordering::Greater)
    );
    assert_eq!(compare_times(time("2024-01-01T00:00:00Z"), time("2024-01-01T00:00:00")), Err(EvalError::Incomparable));
    assert_eq!(add_duration(time("2024-02-29T00:00:00"), day), Ok(time("2024-03-01T00:00:00")));
    assert_eq!(subtract_duration(time("2024-03-01T00:00:00+01:00"), day), Ok(time("2024-02-28T23:00:00Z")));
    assert_eq!(add_duration(time("9999-12-30T21:00:00Z"), day), Err(EvalError::Overflow));
    assert_eq!(subtract_duration(time("0001-01-01T00:00:00Z"), day), Err(EvalError::Overflow));
    assert_eq!(time_difference(time("2024-01-02T00:00:00Z"), time("2024-01-01T00:00:00Z")), Ok(day));
    assert_eq!(
        time_difference(time("2024-01-02T00:00:00Z"), time("2024-01-01T00:00:00")),
        Err(EvalError::Incomparable)
    );
    assert_eq!(add_durations(SignedDuration::from_secs(315_576_000_000), day), Err(EvalError::Overflow));
    assert_eq!(timestamp_from_seconds(0), Ok(time("1970-01-01T00:00:00Z")));
    assert_eq!(timestamp_from_seconds(i64::MAX), Err(EvalError::Overflow));
    assert_eq!(date("2024-02-30"), Err(EvalError::BadConversion));
    assert_eq!(Some(const_date(2024, 2, 29)), Date::new(2024, 2, 29));
}

#[test]
fn durations() {
    for (text, expected) in [
        ("1h2m3.5s", Ok(SignedDuration::new(3723, 500_000_000))),
        ("-1.5s", Ok(SignedDuration::new(-1, -500_000_000))),
        ("1.5µs", Ok(SignedDuration::new(0, 1500))),
        ("0", Ok(SignedDuration::ZERO)),
        ("315576000001s", Err(EvalError::Overflow)),
        ("", Err(EvalError::BadConversion)),
        ("1d", Err(EvalError::BadConversion)),
        ("1h0", Err(EvalError::BadConversion)),
        ("1.2.3s", Err(EvalError::BadConversion)),
    ] {
        assert_eq!(duration(text), expected, "{text}");
    }
    assert_eq!(format_duration(SignedDuration::new(-1, -500_000_000)), "-1.5s");
    let long = SignedDuration::new(7385, 321_000_000);
    assert_eq!((whole_hours(long), whole_minutes(long), whole_seconds(long)), (2, 123, 7385));
}

#[test]
fn parts_in_zones() {
    // Cases of the conformance tests of CEL.
    let at = time("2009-02-13T23:31:30.123Z");
    let here = to_utc(at).unwrap();
    assert_eq!((here.full_year(), here.month_index(), here.day_number()), (2009, 1, 13));
    assert_eq!((day_of_week(here), day_of_year(here), milliseconds(here)), (5, 43, 123));
    let there = to_zone(at, "Australia/Sydney").unwrap();
    assert_eq!((there.day_number(), hours(there), minutes(there), seconds(there)), (14, 10, 31, 30));
    assert_eq!(hours(to_zone(at, "-09:30").unwrap()), 14);
    assert_eq!(hours(to_zone(at, "02:00").unwrap()), 1);
    assert_eq!(to_zone(at, "Nowhere/None"), Err(EvalError::BadConversion));
    assert_eq!(to_utc(time("0000-01-01T00:00:00+01:00")).map(|time| time.year()), Ok(-1));
    // A time without an offset is a local time.
    assert_eq!(hours(to_zone(time("2024-01-01T10:00:00"), "Asia/Tokyo").unwrap()), 10);
}

#[test]
fn addresses_and_texts() {
    assert!(is_ip("::1", 6) && is_ip("127.0.0.1", 0) && !is_ip("::1", 4) && !is_ip("::1", 5));
    assert!(
        is_ip_prefix("10.0.0.0/8", 4, true)
            && !is_ip_prefix("10.0.0.1/8", 0, true)
            && !is_ip_prefix("10.0.0.1/8", 6, false)
    );
    assert!(is_date("2024-02-29") && !is_date("2024-02-30") && is_date_time("2024-02-29T00:00:00"));
    assert_eq!((code_points("ä💥"), concat("a", "b")), (2, "ab".into()));
    assert!(is_inf(f64::NEG_INFINITY, -1) && !is_inf(f64::INFINITY, -1) && is_inf(f64::INFINITY, 0) && !is_inf(1.0, 0));
}
