//! Documents that are deep, long, duplicated or truncated. They are decoded with a small stack, which unbounded
//! recursion would overflow.

use calendar_types::Event;
use wireform_runtime::json::{DecodeError, DecodeErrorKind, from_slice, from_str};
use wireform_runtime::{Map, Value};
use wireform_tests::registry::ALL;

const DEEP: usize = 100_000;

/// Runs a function with a stack for little more than 128 levels.
fn with_a_small_stack(run: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(run).expect("a thread starts");
    assert!(thread.join().is_ok(), "the thread panicked");
}

/// In fields of any JSON, of a list or an object, and as the document itself.
#[test]
fn a_hundred_thousand_levels_end_in_an_error() {
    with_a_small_stack(|| {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            for inner in [String::new(), format!("1{}", close.repeat(DEEP))] {
                let deep = open.repeat(DEEP) + &inner;
                assert!(from_str::<Value>(&deep).is_err() && from_str::<Map>(&deep).is_err());
                assert!(from_str::<Map>(&format!("{{\"a\":{deep}}}")).is_err());
                for member in ["attendees", "recurrence", "summary"] {
                    let error =
                        from_str::<Event>(&format!("{{\"{member}\":{deep}}}")).expect_err("it is not such a field");
                    assert!(error.to_string().len() < 1000, "{error}");
                }
            }
        }
    });
}

/// Skipped values are not stored, so that their depth is not limited; but they must be valid JSON.
#[test]
fn an_unknown_member_is_skipped_however_deep_it_is() {
    with_a_small_stack(|| {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let text = format!("{{\"unknown\":{}1{}}}", open.repeat(DEEP), close.repeat(DEEP));
            assert!(from_str::<Event>(&text).is_ok());
            let error = from_str::<Event>(&text[..text.len() - 2]).expect_err("the end is missing");
            assert_eq!(error.kind, DecodeErrorKind::Eof);
            assert!(error.to_string().len() < 1000, "{}", error.to_string().len());
        }
    });
}

/// The error names the depth limit even at a deeply nested location.
#[test]
fn the_limit_is_where_it_is_documented() {
    let nested = |levels: usize| format!("{}1{}", "[".repeat(levels), "]".repeat(levels));
    assert!(from_str::<Value>(&nested(127)).is_ok());
    let error = from_str::<Value>(&nested(128)).expect_err("128 levels are too many");
    assert!(error.message.contains("recursion limit"), "{error}");
    assert_eq!(error.kind, DecodeErrorKind::Syntax);
}

#[test]
fn long_texts_are_kept_and_make_short_errors() {
    let long = "ü\\u00fc\\n".repeat(1 << 20);
    let event: Event = from_str(&format!("{{\"summary\":\"{long}\"}}")).expect("a long text is accepted");
    assert_eq!(event.summary.map(|summary| summary.chars().count()), Some(3 << 20));
    for text in [
        format!("{{\"sequence\":\"{long}\"}}"),
        format!("{{\"summary\":\"{long}"),
        format!("{{\"start\":{{\"date\":\"{long}\"}}}}"),
        format!("{{\"{long}\":1,\"summary\":1}}"),
        format!("{{\"sequence\":{}}}", "9".repeat(1 << 20)),
    ] {
        let error = from_str::<Event>(&text).expect_err("it is not an event");
        assert!(error.to_string().len() < 1000, "{}", error.to_string().len());
    }
}

#[test]
fn a_member_given_twice_is_refused() {
    for text in [
        r#"{"summary":"a","summary":"b"}"#,
        r#"{"summary":"a","summary":"a"}"#,
        r#"{"summary":null,"summary":"a"}"#,
        r#"{"summary":"a","\u0073ummary":"b"}"#,
        r#"{"start":{"date":"2026-01-01","date":"2026-01-02"}}"#,
        r#"{"extendedProperties":{"private":{"a":"1","a":"2"}}}"#,
    ] {
        let error = from_str::<Event>(text).expect_err("a field must not be repeated");
        assert_eq!(error.kind, DecodeErrorKind::Data, "{text}: {error}");
        assert!(error.message.contains("duplicate"), "{text}: {error}");
    }
}

/// Truncates every resource after every byte.
#[test]
fn whatever_is_cut_off_is_refused() {
    for entry in ALL {
        let text = crate::round_trip::full_payload(entry).to_string();
        for end in 0..text.len() {
            let result = (entry.codec.round_trip)(&text.as_bytes()[..end]);
            assert!(result.is_err(), "{} accepts {end} bytes of\n{text}", entry.resource);
        }
    }
    let event = ALL.iter().find(|entry| entry.resource == "Event").expect("a resource");
    let text = crate::round_trip::full_payload(event).to_string();
    assert!(text.len() > 2000, "a realistic event is long: {}", text.len());
    for end in 0..text.len() {
        let error: DecodeError = from_slice::<Event>(&text.as_bytes()[..end]).expect_err("the end is missing");
        let inside = !text.is_char_boundary(end);
        assert!(error.kind == DecodeErrorKind::Eof || inside, "{end} bytes: {error:?}");
        assert!(error.line == 1 && error.column <= end + 1, "{end} bytes: {error:?}");
    }
}
