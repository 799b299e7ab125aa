//! Entity tags and conditions on them.

use std::collections::HashSet;

use proptest::prelude::*;
use wireform_runtime::etag::{ETag, ETagCondition, MAX_ETAG_LENGTH};

fn tag(text: &str) -> ETag {
    text.parse().unwrap()
}

fn condition(text: &str) -> ETagCondition {
    text.parse().unwrap()
}

#[test]
fn tags_keep_their_notation() {
    for (text, opaque, weak) in [
        (r#""""#, "", false),
        (r#"W/"""#, "", true),
        (r#""a""#, "a", false),
        (r#""W/""#, "W/", false),
        (r#"W/"W/""#, "W/", true),
        (r#""!#$%&'()*+,-./:;<=>?@[\]^_`{|}~""#, r"!#$%&'()*+,-./:;<=>?@[\]^_`{|}~", false),
        ("\"é\u{1f600}\u{a0}\"", "é\u{1f600}\u{a0}", false),
        (r#""p33c8jfrhqsnoa0o""#, "p33c8jfrhqsnoa0o", false),
    ] {
        let tag = tag(text);
        assert_eq!((tag.as_str(), tag.opaque(), tag.is_weak()), (text, opaque, weak));
        assert_eq!((tag.to_string(), tag.as_ref()), (text.to_owned(), text));
        assert_eq!(format!("{tag:?}"), format!("ETag({text})"));
        let made = if weak { ETag::weak(opaque) } else { ETag::strong(opaque) };
        assert_eq!(made.unwrap(), tag);
    }
}

#[test]
fn invalid_tags_and_positions() {
    for (text, error) in [
        ("", "expected an entity tag at byte 0"),
        ("a", "expected an entity tag at byte 0"),
        ("*", "expected an entity tag at byte 0"),
        (" \"a\"", "expected an entity tag at byte 0"),
        ("w/\"a\"", "expected an entity tag at byte 0"),
        ("W\"a\"", "expected an entity tag at byte 0"),
        ("W/", "expected a quote at byte 2"),
        ("W/a", "expected a quote at byte 2"),
        ("\"", "expected a quote at byte 1"),
        ("\"a", "expected a quote at byte 2"),
        ("W/\"a", "expected a quote at byte 4"),
        ("\"a b\"", "expected a character of an entity tag at byte 2"),
        ("\"a\tb\"", "expected a character of an entity tag at byte 2"),
        ("\"a\r\nX: 1\"", "expected a character of an entity tag at byte 2"),
        ("\"\u{7f}\"", "expected a character of an entity tag at byte 1"),
        ("\"a\"b", "text after the end at byte 3"),
        ("\"a\"\"b\"", "text after the end at byte 3"),
        ("\"a\\\"b\"", "text after the end at byte 4"),
        ("\"a\" ", "text after the end at byte 3"),
    ] {
        assert_eq!(ETag::parse(text).unwrap_err().to_string(), error, "{text:?}");
    }
    for opaque in ["a b", "\"", "\0", "a\nb"] {
        ETag::strong(opaque).unwrap_err();
        ETag::weak(opaque).unwrap_err();
    }
}

#[test]
fn missing_quotes_are_added() {
    for (text, read) in [
        (r#""abc""#, r#""abc""#),
        (r#"W/"abc""#, r#"W/"abc""#),
        ("abc", r#""abc""#),
        ("W/abc", r#""W/abc""#),
        ("BwWWja0YfJA=", r#""BwWWja0YfJA=""#),
        ("*", r#""*""#),
    ] {
        assert_eq!(ETag::parse_lenient(text).unwrap().as_str(), read);
    }
    for text in ["", "\"", "\"abc", "abc\"", "W/\"abc", "\"a\"b\"", "a b", "a\r\nb", " abc"] {
        ETag::parse_lenient(text).unwrap_err();
    }
}

/// Table of RFC 9110, section 8.8.3.2.
#[test]
fn comparisons() {
    for (one, other, strong, weak) in [
        (r#"W/"1""#, r#"W/"1""#, false, true),
        (r#"W/"1""#, r#"W/"2""#, false, false),
        (r#"W/"1""#, r#""1""#, false, true),
        (r#""1""#, r#"W/"1""#, false, true),
        (r#""1""#, r#""1""#, true, true),
        (r#""1""#, r#""2""#, false, false),
    ] {
        let (one, other) = (tag(one), tag(other));
        assert_eq!((one.strong_eq(&other), one.weak_eq(&other)), (strong, weak), "{one} {other}");
    }
    assert_eq!(HashSet::from([tag("\"1\""), tag("\"1\""), tag("W/\"1\"")]).len(), 2);
}

#[test]
fn lists_of_tags() {
    for (text, tags) in [
        ("", vec![]),
        (" , ,\t", vec![]),
        (r#""a""#, vec![r#""a""#]),
        ("\t \"a\"\t, W/\"b\" ", vec![r#""a""#, r#"W/"b""#]),
        (r#","a",,"b","#, vec![r#""a""#, r#""b""#]),
        (r#""a,b","c""#, vec![r#""a,b""#, r#""c""#]),
        (r#""*""#, vec![r#""*""#]),
    ] {
        assert_eq!(condition(text), ETagCondition::Tags(tags.into_iter().map(tag).collect()), "{text}");
    }
    assert_eq!(condition(" *\t"), ETagCondition::Any);
    assert_eq!(condition(r#""a" ,W/"b""#).to_string(), r#""a", W/"b""#);
    assert_eq!(ETagCondition::Any.to_string(), "*");
    assert_eq!(ETagCondition::from(tag("\"a\"")), condition("\"a\""));
}

#[test]
fn invalid_lists_and_positions() {
    for (text, error) in [
        ("*,\"a\"", "expected an entity tag at byte 0"),
        ("\"a\", *", "expected an entity tag at byte 5"),
        ("**", "expected an entity tag at byte 0"),
        ("\"a\" \"b\"", "expected a comma at byte 4"),
        ("\"a\"\"b\"", "expected a comma at byte 3"),
        ("\"a\";\"b\"", "expected a comma at byte 3"),
        ("a", "expected an entity tag at byte 0"),
        ("\"a\",\"b", "expected a quote at byte 6"),
        ("\"a\"\n", "expected a comma at byte 3"),
        ("\u{a0}*", "expected an entity tag at byte 0"),
    ] {
        assert_eq!(ETagCondition::parse(text).unwrap_err().to_string(), error, "{text:?}");
    }
}

#[test]
fn conditions_match() {
    let (strong, weak, other) = (tag(r#""1""#), tag(r#"W/"1""#), tag(r#""2""#));
    for (text, matches) in [
        ("*", [(true, true), (true, true), (true, true)]),
        ("", [(false, false), (false, false), (false, false)]),
        (r#""0", "1""#, [(true, true), (false, true), (false, false)]),
        (r#"W/"1""#, [(false, true), (false, true), (false, false)]),
    ] {
        let condition = condition(text);
        let found = [&strong, &weak, &other].map(|tag| (condition.matches_strong(tag), condition.matches_weak(tag)));
        assert_eq!(found, matches, "{text}");
    }
}

#[test]
fn lengths_are_limited() {
    let longest = "x".repeat(MAX_ETAG_LENGTH - 2);
    let tag = ETag::strong(&longest).unwrap();
    assert_eq!((tag.as_str().len(), ETag::parse(tag.as_str()).unwrap()), (MAX_ETAG_LENGTH, tag.clone()));
    assert_eq!(ETag::parse_lenient(&longest).unwrap(), tag);
    assert_eq!(condition(tag.as_str()), ETagCondition::from(tag));
    let too_long = "length out of range at byte 8192";
    assert_eq!(ETag::strong(&format!("{longest}x")).unwrap_err().to_string(), too_long);
    assert_eq!(ETag::weak(&longest).unwrap_err().to_string(), too_long);
    assert_eq!(ETag::parse(&format!("\"{longest}x\"")).unwrap_err().to_string(), too_long);
    assert_eq!(ETag::parse_lenient(&longest.repeat(100)).unwrap_err().to_string(), too_long);
    assert_eq!(ETagCondition::parse(&",".repeat(MAX_ETAG_LENGTH + 1)).unwrap_err().to_string(), too_long);
    assert_eq!(condition(&",".repeat(MAX_ETAG_LENGTH)), ETagCondition::Tags(vec![]));
}

proptest! {
    #[test]
    fn parsed_tags_round_trip(text in r#"(W/)?["a-c, \t*é/W]{0,12}"#) {
        if let Ok(tag) = ETag::parse(&text) {
            prop_assert_eq!(tag.as_str(), &text);
            prop_assert!(tag.weak_eq(&tag) && tag.strong_eq(&tag) != tag.is_weak());
            prop_assert_eq!(ETagCondition::parse(&text).unwrap(), ETagCondition::from(tag));
        }
        if let Ok(tag) = ETag::parse_lenient(&text) {
            prop_assert_eq!(ETag::parse(tag.as_str()).unwrap(), tag);
        }
        if let Ok(condition) = ETagCondition::parse(&text) {
            prop_assert_eq!(ETagCondition::parse(&condition.to_string()).unwrap(), condition);
        }
    }

    #[test]
    fn no_text_panics(text in ".{0,40}") {
        let _ = (ETag::parse(&text), ETag::parse_lenient(&text), ETagCondition::parse(&text));
    }

    #[test]
    fn lists_round_trip(opaque in prop::collection::vec(("[!#-~é]{0,6}", any::<bool>()), 0..6)) {
        let made = |(text, weak): &(String, bool)| if *weak { ETag::weak(text) } else { ETag::strong(text) };
        let tags = opaque.iter().map(|one| made(one).unwrap()).collect();
        let condition = ETagCondition::Tags(tags);
        prop_assert_eq!(ETagCondition::parse(&condition.to_string()).unwrap(), condition);
    }
}
