use super::*;
use proptest::prelude::*;

#[test]
fn numbers_keep_their_notation() {
    for text in ["0", "-0", "0.10", "12.000", "-1E+5", "1e-400", "123456789012345678901234567890.000000000000000001"] {
        assert_eq!(BigDecimal::parse(text).map(|number| number.to_string()).as_deref(), Ok(text));
        let json = format!("\"{text}\"");
        let read = crate::json::from_str::<BigDecimal>(&json).ok();
        assert_eq!(read.and_then(|number| crate::json::to_string(&number).ok()).as_deref(), Some(json.as_str()));
    }
    assert_eq!(format!("{:?}", BigDecimal::from(-7)), "BigDecimal(-7)");
}

#[test]
fn invalid_texts_and_positions() {
    for (text, position) in [
        ("", 0),
        ("-", 1),
        ("+1", 0),
        (".5", 0),
        ("1.", 2),
        ("01", 0),
        ("-00", 1),
        ("1e", 2),
        ("1e+", 3),
        ("1,5", 1),
        ("1 ", 1),
        (" 1", 0),
        ("NaN", 0),
        ("0x1", 1),
    ] {
        assert_eq!(BigDecimal::parse(text).map_err(|error| error.position()), Err(position), "{text}");
    }
    assert!(crate::json::from_str::<BigDecimal>("1.5").is_err());
}

fn of(text: &str) -> BigDecimal {
    BigDecimal::parse(text).unwrap_or_default()
}

#[test]
fn the_order_is_exact() {
    let ascending = [
        "-1e99999999999999999999999999999999999999999999",
        "-10",
        "-9.99999999999999999999999999999999",
        "-1e-5",
        "0",
        "0.1",
        "0.10000000000000000000000000000000001",
        "9.99",
        "1e1",
        "10.000000000000000000001",
        "1e20",
        "100000000000000000001",
    ];
    for (at, one) in ascending.iter().enumerate() {
        for (other_at, other) in ascending.iter().enumerate() {
            assert_eq!(of(one).cmp_value(&of(other)), at.cmp(&other_at), "{one} {other}");
        }
    }
    for (one, other) in [("1", "1.000"), ("0", "-0.00e7"), ("1200e-2", "12"), ("0.001E3", "1"), ("-5", "-50e-1")] {
        assert_eq!(of(one).cmp_value(&of(other)), Ordering::Equal, "{one} {other}");
    }
}

proptest! {
    #[test]
    fn whole_numbers_are_in_their_order(one in any::<i64>(), other in any::<i64>(), shift in 0_usize..5) {
        let zeros = "0".repeat(shift);
        let shifted = of(&format!("{one}{zeros}e-{shift}"));
        prop_assert_eq!(shifted.cmp_text(&other.to_string()), one.cmp(&other));
    }

    #[test]
    fn any_text_parses_or_fails(text in "[-+.eE0-9]{0,10}|.{0,8}") {
        let json = serde_json::from_str::<serde_json::Number>(&text).is_ok() && !text.contains(char::is_whitespace);
        // A float that is too large is an error in that crate, but a valid decimal here.
        if json {
            prop_assert!(BigDecimal::parse(&text).is_ok());
        }
        if let Ok(number) = BigDecimal::parse(&text) {
            prop_assert_eq!(number.as_str(), text.as_str());
            prop_assert_eq!(number.cmp_value(&number), Ordering::Equal);
        }
    }
}
