//! Arbitrary text and JSON.

use super::*;
use proptest::prelude::*;

/// Arbitrary JSON, including field names of the event.
fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-c]{0,5}".prop_map(Value::from),
        Just(Value::from("2026-01-01T00:00:00Z")),
    ];
    leaf.prop_recursive(5, 60, 6, |inner| {
        let name =
            prop::sample::select(vec!["id", "sequence", "start", "time", "guests", "labels", "extra", "count", "x"]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::Array),
            prop::collection::vec((name, inner), 0..6)
                .prop_map(|members| members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes(bytes: Vec<u8>) {
        let _ = read_event(&bytes, &reading());
    }

    /// Text that is almost JSON.
    #[test]
    fn any_tokens(tokens in prop::collection::vec(prop::sample::select(vec![
        "{", "}", "[", "]", ",", ":", "\"id\"", "\"guests\"", "\"\\ud800\"", "1", "-", "1e9", "null", "true", " ", "\n", "\"", "\\",
    ]), 0..40)) {
        let _ = read_event(tokens.concat().as_bytes(), &reading());
    }

    /// Lenient reading rejects exactly what decoding rejects, and its violations have positions in the text.
    #[test]
    fn any_json(value in json()) {
        let text = value.to_string();
        let decoded = json::from_slice::<Event>(text.as_bytes());
        let read = read_body(text.as_bytes(), &reading(), |event: Event, _| event);
        prop_assert_eq!(decoded.is_ok(), read.is_ok());
        if let Err(violations) = read {
            prop_assert!(violations.iter().all(|violation| violation.position.is_some()));
            let places: Vec<_> = violations.iter().map(|violation| violation.position).collect();
            prop_assert!(places.is_sorted(), "{:?}", places);
            let first = decoded.map_err(|error| error.path).err().unwrap_or_default();
            prop_assert!(violations.iter().any(|violation| violation.path.to_string() == first), "{first} {violations}");
        }
    }
}
