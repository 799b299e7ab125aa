use super::*;
use crate::json::{from_str, to_string};
use proptest::prelude::*;

#[test]
fn strings_and_numbers() {
    for (text, value) in [
        ("\"0\"", 0),
        ("0", 0),
        ("-0.0", 0),
        ("\"-9223372036854775808\"", i64::MIN),
        ("-9223372036854775808", i64::MIN),
        ("\"9223372036854775807\"", i64::MAX),
        ("1.0", 1),
        ("1e2", 100),
        ("\"\\u0031\"", 1),
    ] {
        assert_eq!(from_str::<Decimal<i64>>(text).ok(), Some(Decimal(value)), "{text}");
    }
    assert_eq!(from_str::<Decimal<u64>>("\"18446744073709551615\"").ok(), Some(Decimal(u64::MAX)));
    for text in [
        "\"\"",
        "\"-\"",
        "\"+1\"",
        "\" 1\"",
        "\"1 \"",
        "\"01\"",
        "\"00\"",
        "\"-0\"",
        "\"-01\"",
        "\"1.0\"",
        "\"1e2\"",
        "\"0x1\"",
        "\"1_0\"",
        "\"\u{661}\"",
        "\"9223372036854775808\"",
        "9223372036854775808",
        "0.5",
        "true",
        "null",
        "[]",
        "{}",
        "1e19",
    ] {
        assert!(from_str::<Decimal<i64>>(text).is_err(), "{text}");
    }
    for text in ["\"-1\"", "-1", "-1.0", "\"18446744073709551616\"", "18446744073709551616"] {
        assert!(from_str::<Decimal<u64>>(text).is_err(), "{text}");
    }
}

#[test]
fn errors_have_positions() {
    let position = |text| Decimal::<i64>::parse(text).map_err(|error| error.position());
    assert_eq!(position("12x"), Err(2));
    assert_eq!(position("-01"), Err(1));
    assert_eq!(Decimal::<u64>::parse("-1").map_err(|error| error.position()), Err(0));
    assert!(Decimal(3_u64) == 3 && Decimal::from(3_i64).to_string() == "3");
}

proptest! {
    #[test]
    fn round_trips(signed: i64, unsigned: u64) {
        let text = to_string(&Decimal(signed)).unwrap_or_default();
        prop_assert_eq!(&text, &format!("\"{signed}\""));
        prop_assert_eq!(from_str::<Decimal<i64>>(&text).ok(), Some(Decimal(signed)));
        prop_assert_eq!(Decimal::parse(&Decimal(unsigned).to_string()), Ok(Decimal(unsigned)));
    }

    #[test]
    fn any_text_parses_or_fails(text in "-?[0-9]{0,21}|.{0,10}") {
        if let Ok(number) = Decimal::<i64>::parse(&text) {
            prop_assert_eq!(number.to_string(), text);
        }
    }
}
