//! Decoding and encoding of objects, enums and outcomes with the structure of generated ones.

use wireform_runtime::json::{DecodeErrorKind, from_slice, from_str, to_string, to_vec};
use wireform_runtime::serde_json::{self, json};
use wireform_runtime::{
    AdditionalFields, Decimal, FieldBehavior, MapPatch, Merge, OpenEnum, Patch, UnknownFields, UnknownValue,
};

use crate::sample::{Attendee, Event, EventPatch, EventStatus, Open, Operation};

const EVENT: &str = concat!(
    r#"{"id":"a1","status":"confirmed","version":"18446744073709551615","start":"2026-01-01T10:00:00.50-00:00","#,
    r#""day":"2026-01-01","length":"-1.50s","organizer":{"email":"o@example.com"},"#,
    r#""attendees":[{"email":"a@example.com","optional":true},{"additionalGuests":2}],"#,
    r#""labels":{"a":"","b":"x"},"people":{"p":{}},"counts":{"c":{},"d":{"e":1}},"#,
    r#""parent":{"parent":{"status":"postponed"}},"raw":"+w","weight":0.30000000000000004,"#,
    r#""settings":{"deep":[null,{"x":1e300}]}}"#
);

fn error_of(text: &str) -> String {
    match from_str::<Event>(text) {
        Ok(event) => panic!("{text} was read as {event:?}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn objects_round_trip() {
    let event: Event = from_str(EVENT).unwrap();
    assert_eq!(event.version, Some(Decimal(u64::MAX)));
    assert_eq!(event.attendees.len(), 2);
    assert_eq!(to_string(&event).unwrap(), EVENT.replace("1e300", "1e+300"));
    assert_eq!(from_slice::<Event>(&to_vec(&event).unwrap()).unwrap(), event);
    // serde's own traits, and a buffered value, give the same result.
    assert_eq!(serde_json::from_str::<Event>(EVENT).unwrap(), event);
    assert_eq!(serde_json::from_value::<Event>(serde_json::to_value(&event).unwrap()).unwrap(), event);
}

#[test]
fn debug_shows_present_fields() {
    let event = Event { status: Some(EventStatus::Confirmed), version: Some(Decimal(7)), ..Event::default() };
    assert_eq!(format!("{event:?}"), r#"Event {"status":"confirmed","version":"7"}"#);
    assert_eq!(
        format!("{:#?}", Some(&event)),
        "Some(\n    Event {\n      \"status\": \"confirmed\",\n      \"version\": \"7\"\n    },\n)"
    );
    let patch = EventPatch { status: Patch::Clear, ..EventPatch::default() };
    assert_eq!(format!("{patch:?}"), r#"EventPatch {"status":null}"#);
}

#[test]
fn order_aliases_nulls_and_unknown_members() {
    let reversed = r#" { "attendees" : null , "labels":null, "x":{"y":[1]}, "status":"CONFIRMED", "id":null,
        "organizer":null, "settings":null, "version":7.0 } "#;
    let event: Event = from_str(reversed).unwrap();
    let expected = Event { status: Some(EventStatus::Confirmed), version: Some(Decimal(7)), ..Event::default() };
    assert_eq!(event, expected);
    assert_eq!(to_string(&event).unwrap(), r#"{"status":"confirmed","version":"7"}"#);
    assert_eq!(to_string(&Event::default()).unwrap(), "{}");
    assert_eq!(from_str::<Event>(r#"{"\u0069d":"x"}"#).unwrap().id.as_deref(), Some("x"));
}

#[test]
fn errors_name_the_member() {
    for (text, error) in [
        (r#"{"id":"a","id":"b"}"#, "duplicate field `id` at line 1 column 14"),
        (r#"{"organizer":{"email":"a","email":"b"}}"#, "organizer: duplicate field `email` at line 1 column 33"),
        (
            r#"{"attendees":[{},{"email":5}]}"#,
            "attendees[1].email: invalid type: integer `5`, expected a string at line 1 column 27",
        ),
        (
            r#"{"attendees":[{},null]}"#,
            "attendees[1]: invalid type: null, expected an object (Attendee) at line 1 column 21",
        ),
        (
            r#"{"counts":{"a b":{"c":1.5}}}"#,
            r#"counts["a b"].c: invalid value: floating point `1.5`, expected a 32-bit integer at line 1 column 25"#,
        ),
        (r#"{"labels":{"k":"","k":""}}"#, r#"labels: duplicate key "k" at line 1 column 21"#),
        (
            r#"{"x":[{}],"start":"2026-02-30T00:00:00Z"}"#,
            "start: invalid date-time: day out of range at byte 8 at line 1 column 40",
        ),
        (
            r#"{"raw":"A","id":1}"#,
            "raw: invalid base64 text: wrong base64 length or padding at byte 1 at line 1 column 10",
        ),
        (r#"{"attendees":{}}"#, "attendees: invalid type: map, expected a list at line 1 column 13"),
        (r#"{"status":3}"#, "status: invalid type: integer `3`, expected a string (EventStatus) at line 1 column 11"),
        (
            r#"{"parent":{"parent":[]}}"#,
            "parent.parent: invalid type: sequence, expected an object (Event) at line 1 column 20",
        ),
        (r#"{"parent":{"id":}}"#, "parent.id: expected value at line 1 column 17"),
        ("[]", "invalid type: sequence, expected an object (Event) at line 1 column 0"),
        (r#"{"id":"a"} {}"#, "trailing characters at line 1 column 12"),
    ] {
        assert_eq!(error_of(text), error, "{text}");
    }
}

#[test]
fn nesting_is_limited_for_decoded_values_only() {
    let nested = |levels| format!("{}{}", r#"{"parent":"#.repeat(levels) + "{}", "}".repeat(levels));
    assert!(from_str::<Event>(&nested(126)).is_ok());
    let error = from_str::<Event>(&nested(100_000)).unwrap_err();
    assert_eq!(error.kind, DecodeErrorKind::Syntax);
    assert!(error.to_string().len() < 1000);
    let skipped = format!(r#"{{"x":{}{},"id":"a"}}"#, "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(from_str::<Event>(&skipped).unwrap().id.as_deref(), Some("a"));
}

#[test]
fn open_objects_preserve_unknown_fields() {
    let open: Open = from_str(r#"{"b":[1,null],"displayName":"n","a":{}}"#).unwrap();
    assert_eq!(to_string(&open).unwrap(), r#"{"name":"n","a":{},"b":[1,null]}"#);
    let both = from_str::<Open>(r#"{"name":"n","displayName":"n"}"#).unwrap_err();
    assert_eq!(both.message, "duplicate field `name`");
}

#[test]
fn enums_preserve_unknown_values() {
    let later = EventStatus::from("postponed");
    assert_eq!((later.as_str(), later.is_known(), later.to_string()), ("postponed", false, "postponed".to_owned()));
    assert_eq!(EventStatus::from("CONFIRMED".to_owned()), EventStatus::Confirmed);
    assert_eq!("tentative".parse(), Ok(EventStatus::Tentative));
    assert_eq!(UnknownValue::<EventStatus>::new("CONFIRMED"), Err(EventStatus::Confirmed));
    let text = UnknownValue::<EventStatus>::new("x").map(|unknown| unknown.as_str().to_owned());
    assert_eq!(text, Ok("x".to_owned()));
    assert_eq!(EventStatus::Confirmed.as_ref(), "confirmed");
    assert_eq!(format!("{later:?}"), r#"Unknown("postponed")"#);
    let all = r#"["confirmed","tentative",""]"#;
    assert_eq!(to_string(&from_str::<Vec<EventStatus>>(all).unwrap()).unwrap(), all);
}

#[test]
fn outcomes_are_determined_by_their_fields() {
    let success = Operation::Succeeded(Attendee::default());
    let failure = Operation::Failed([("code".to_owned(), "x".to_owned())].into());
    for (text, outcome) in [
        (r#"{"done":false}"#, Operation::Running),
        (r#"{"done":true,"response":{}}"#, success.clone()),
        (r#"{"done":true,"error":{"code":"x"}}"#, failure.clone()),
    ] {
        assert_eq!(from_str::<Operation>(text).unwrap(), outcome);
        assert_eq!(to_string(&outcome).unwrap(), text);
    }
    for (text, outcome) in [
        ("{}", Operation::Running),
        (r#"{"done":null,"response":null,"error":null}"#, Operation::Running),
        (r#"{"x":[],"response":{"y":1},"error":null,"done":true}"#, success),
        (r#"{"error":{"code":"x"},"done":true}"#, failure),
    ] {
        assert_eq!(from_str::<Operation>(text).unwrap(), outcome, "{text}");
    }
    for (text, message) in [
        (r#"{"done":true}"#, "`done` is true, but neither `response` nor `error` is given"),
        (r#"{"done":true,"response":null}"#, "`done` is true, but neither `response` nor `error` is given"),
        (r#"{"response":{}}"#, "`response` is given, but `done` is not true"),
        (r#"{"done":false,"error":{}}"#, "`error` is given, but `done` is not true"),
        (r#"{"error":{},"done":true,"response":{}}"#, "both `response` and `error` are given"),
        (r#"{"done":true,"done":true}"#, "duplicate field `done`"),
        (r#"{"response":null,"response":{}}"#, "duplicate field `response`"),
        (r#"{"done":"true"}"#, "invalid type: string \"true\", expected a boolean"),
    ] {
        assert_eq!(from_str::<Operation>(text).unwrap_err().message, message, "{text}");
    }
}

#[test]
fn directions_descend() {
    let mut event: Event = from_str(
        r#"{"version":"1","attendees":[{"additionalGuests":2}],"parent":{"version":"2","people":{"p":{"additionalGuests":1}}}}"#,
    )
    .unwrap();
    event.strip_input_only("events.get");
    event.strip_output_only("events.import");
    assert_eq!(
        serde_json::to_value(&event).unwrap(),
        json!({"attendees": [{"additionalGuests": 2}], "parent": {"people": {"p": {"additionalGuests": 1}}}})
    );
    event.strip_output_only("events.insert");
    assert_eq!(serde_json::to_value(&event).unwrap(), json!({"attendees": [{}], "parent": {"people": {"p": {}}}}));
}

#[test]
fn constructors_determine_the_base64_variant() {
    let bytes = [0xfb, 0xff, 0xfe, 0x00];
    let written = |bytes: &wireform_runtime::Bytes| wireform_runtime::json::to_string(bytes).expect("JSON");
    let (url, standard) = (wireform_runtime::Bytes::from(&bytes[..]), wireform_runtime::Bytes::standard(&bytes[..]));
    assert_eq!((written(&url).as_str(), written(&standard).as_str()), (r#""-__-AA==""#, r#""+//+AA==""#));
    for value in [url, standard, wireform_runtime::Bytes::standard(*b"abc")] {
        assert_eq!(
            wireform_runtime::json::from_str::<wireform_runtime::Bytes>(&written(&value)).expect("bytes"),
            value
        );
    }
}

#[derive(Clone, Default, PartialEq)]
struct Counts {
    total: Option<i32>,
    rest: AdditionalFields<i32>,
}

#[derive(Clone, Default, PartialEq)]
struct CountsPatch {
    total: Patch<i32>,
    rest: Patch<MapPatch<i32>>,
}

#[derive(Clone, Default, PartialEq)]
struct Kept {
    total: Option<i32>,
    unknown_members: UnknownFields,
}

wireform_runtime::object! { Counts "Counts" [rest] { total "total" | "sum" } }
wireform_runtime::patch! { Counts => CountsPatch "CountsPatch" [rest] { total "total" } }
wireform_runtime::object! { Kept "Kept" [unknown_members] { total "total" } }

#[test]
fn additional_fields_cannot_shadow_declared_ones() {
    for (name, refused) in [("red", false), ("total", true), ("sum", true)] {
        let counts = Counts { total: None, rest: [(name.to_owned(), 1)].into_iter().collect() };
        let patch = Counts::default().diff(&counts).unwrap();
        for written in [to_string(&counts), to_string(&patch)] {
            match written {
                Ok(text) => assert_eq!((text, refused), (format!(r#"{{"{name}":1}}"#), false)),
                Err(error) => assert!(refused && error.to_string().contains(&format!("`{name}`")), "{error}"),
            }
        }
    }
    let kept = Kept { total: Some(1), unknown_members: UnknownFields([("total".to_owned(), json!(2))].into()) };
    let expected = "Kept: the additional field `total` has the name of the declared field `total`";
    assert_eq!(to_string(&kept).unwrap_err().to_string(), expected);
}

#[test]
fn additional_fields_are_removed_one_by_one() {
    let all = CountsPatch { rest: Patch::Clear, ..CountsPatch::default() };
    let error = to_string(&all).unwrap_err().to_string();
    assert!(error.contains("cannot be removed all at once"), "{error}");
    let old = Counts { total: None, rest: [("red".to_owned(), 1)].into_iter().collect() };
    assert_eq!(to_string(&old.diff(&Counts::default()).unwrap()).unwrap(), r#"{"red":null}"#);
}
