use super::*;

fn read<T: FromParameter>(text: &str) -> Result<T, String> {
    T::from_parameter(Cow::Borrowed(text)).map_err(|error| error.to_string())
}

#[test]
fn integers_are_strictly_decimal() {
    assert_eq!((read::<i32>("0"), read::<i32>("-12"), read::<i32>("-0")), (Ok(0), Ok(-12), Ok(0)));
    assert_eq!(read::<i32>("-2147483648"), Ok(i32::MIN));
    assert_eq!(read::<u64>("18446744073709551615"), Ok(u64::MAX));
    for text in ["", "-", "+1", " 1", "1 ", "01", "-01", "1.0", "1e2", "0x1", "1_0", "٣", "2147483648", "99999999999"]
    {
        assert_eq!(read::<i32>(text), Err("must be a 32-bit integer".to_owned()), "{text}");
    }
    assert!(read::<u32>("-1").is_err() && read::<u64>("-1").is_err() && read::<u64>("18446744073709551616").is_err());
}

#[test]
fn floats_are_decimal() {
    for text in ["0", "-0.5", "1e3", "1.25E-2", "1000000000000000000000", "2E+2"] {
        assert_eq!(read::<f64>(text), Ok(text.parse().unwrap()), "{text}");
    }
    assert_eq!(read::<f64>("-Infinity"), Ok(f64::NEG_INFINITY));
    assert!(read::<f32>("NaN").is_ok_and(f32::is_nan));
    for text in ["", ".5", "1.", "+1", "inf", "nan", "infinity", "1e", "1e+", "e1", "1e999", "00.1", "1,5", "0x1p3"] {
        assert_eq!(read::<f64>(text), Err("must be a number".to_owned()), "{text}");
    }
    assert!(read::<f32>("1e39").is_err() && read::<f64>("1e39").is_ok());
}

#[test]
fn booleans() {
    for (text, value) in [("true", true), ("TRUE", true), ("1", true), ("False", false), ("0", false)] {
        assert_eq!(read::<bool>(text), Ok(value), "{text}");
    }
    for text in ["", "yes", "2", "true ", "on"] {
        assert_eq!(read::<bool>(text), Err("must be `true` or `false`".to_owned()), "{text}");
    }
}

#[test]
fn errors_do_not_repeat_the_text() {
    assert_eq!(read::<Date>("2026-02-30"), Err("must be a date: day out of range at byte 8".to_owned()));
    assert!(read::<Duration>("1.5s").is_ok() && read::<Duration>("1.5").is_err());
    assert!(read::<Bytes>("_-8").is_ok() && read::<Bytes>("_+8").is_err());
    assert_eq!(read::<Decimal<i64>>("007"), Err("must be a 64-bit integer: leading zero at byte 0".to_owned()));
    assert_eq!(read::<Decimal<u64>>("7"), Ok(Decimal(7)));
    assert!(read::<DateTime>("2026-01-01T00:00:00Z").is_ok());
    assert_eq!(read::<BigDecimal>("1.50").map(|number| number.to_string()), Ok("1.50".to_owned()));
    assert_eq!(read::<BigDecimal>("1,5"), Err("must be a decimal number: text after the end at byte 1".to_owned()));
    assert_eq!(
        read::<Time>("9:30"),
        Err("must be a time of day such as `09:30:00`: expected a digit at byte 1".to_owned())
    );
    assert!(read::<IsoDuration>("PT1H").is_ok() && read::<IsoDuration>("3600").is_err());
    assert!(read::<HttpDate>("Sun, 06 Nov 1994 08:49:37 GMT").is_ok() && read::<HttpDate>("1994-11-06").is_err());
    assert_eq!(read::<UnixTime>("1700000000"), Ok(UnixTime(1_700_000_000)));
    for text in ["1.5", "now", "253402300800"] {
        assert_eq!(read::<UnixTime>(text), Err("must be an integer number of seconds since 1970".to_owned()), "{text}");
    }
    assert!(read::<UnixMillis>("253402300800").is_ok());
}

#[test]
fn placeholders() {
    assert_eq!(DateTime::placeholder().to_string(), "1970-01-01T00:00:00Z");
    assert_eq!((Decimal::<u64>::placeholder(), Date::placeholder()), (Decimal(0), Date::MIN));
}
