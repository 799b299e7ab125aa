//! Lenient decoding of invalid bodies, including hostile ones: it ends, reports a limited number of violations, and
//! rejects exactly the bodies that strict decoding rejects.

use std::io::Read as _;

use calendar_types::Event;
use calendar_validation::{Rules, operation};
use serde_json::Value;
use wireform_runtime::fields::Selectable as _;
use wireform_runtime::{Bytes, FromWire, json};
use wireform_test_data::requires;
use wireform_tests::shared;
use wireform_validation::{
    __private::Location, ReadOptions, Validates as _, ValidationContext, ViolationKind, Violations, detect_drift,
    read_body,
};

/// Returns the violations of a body that is not a valid `T`.
fn violations_of<T: for<'de> FromWire<'de>>(body: &[u8], reading: &ReadOptions<'_>) -> Option<Violations> {
    let decoded = json::from_slice::<T>(body).map(drop);
    let violations = read_body(body, reading, |value: T, _| drop(value)).err();
    assert_eq!(decoded.is_err(), violations.is_some(), "{decoded:?} {violations:?}");
    let violations = violations?;
    assert!(!violations.is_empty() && violations.as_slice().len() <= 100);
    for violation in &violations {
        let line = violation.to_string();
        assert!(line.len() < 1500 && !line.contains(char::is_control), "{line:?}");
        assert!(violation.position.is_some() || body.is_empty(), "{line}");
    }
    Some(violations)
}

fn events() -> ReadOptions<'static> {
    ReadOptions { shape: Some(Event::SHAPE), ..ReadOptions::new(ValidationContext::VALUE) }
}

fn decoded(text: &Value) -> Vec<u8> {
    json::from_str::<Bytes>(&text.to_string()).expect("it is base64").into_vec()
}

/// Returns the hostile bodies by name.
fn bodies() -> Vec<(String, Vec<u8>)> {
    let file = shared("corpora/hostile/event-bodies.json");
    let cases: Vec<Value> = serde_json::from_slice(&fs_err::read(file).expect("a file")).expect("a list");
    assert!(cases.len() >= 65);
    let bodies = cases.iter().map(|case| {
        let id = case["id"].as_str().expect("a name").to_owned();
        if let Some(text) = case.get("b64") {
            return (id, decoded(text));
        }
        let mut body = Vec::new();
        let packed = decoded(&case["zlib_b64"]);
        flate2::read::ZlibDecoder::new(packed.as_slice()).read_to_end(&mut body).expect("it is compressed");
        (id, body)
    });
    bodies.collect()
}

#[requires("corpora/hostile")]
#[test]
fn hostile_bodies() {
    let mut refusals = 0;
    for (id, body) in bodies() {
        let violations = violations_of::<Event>(&body, &events());
        if id.starts_with("dup-key") {
            let rules: Vec<&str> = violations.iter().flatten().map(|violation| violation.rule).collect();
            assert_eq!(rules, ["duplicate_member"], "{id}");
        }
        refusals += usize::from(violations.is_some());
    }
    assert!(refusals > 20, "{refusals}");
}

/// Rules find further violations in hostile bodies, within the same limits, and so does the detection of drift in
/// responses.
#[requires("corpora/hostile")]
#[test]
fn hostile_bodies_by_the_rules() {
    let rules = calendar_validation::Rules;
    let context = operation::request(operation::EVENTS_INSERT);
    let (mut errors, mut drifts) = (0, 0);
    for (id, body) in bodies() {
        let reading = ReadOptions::for_type::<Event, Rules>(context);
        let read = read_body(&body, &reading, |event: Event, checker| rules.check(&event, Location::BODY, checker));
        if let Err(violations) = &read {
            assert!(violations.as_slice().len() <= 100, "{id}");
            let lines: Vec<String> = violations.iter().map(ToString::to_string).collect();
            assert!(lines.iter().all(|line| line.len() < 1500 && !line.contains(char::is_control)), "{id}: {lines:?}");
            assert!(violations.to_json()["violations"].is_array());
            errors += violations.count();
        }
        let report = detect_drift::<Event, _>(&rules, &body, operation::response(operation::EVENTS_GET));
        assert!(report.iter().all(|drift| drift.to_string().len() < 1500), "{id}: {report}");
        drifts += report.iter().count();
    }
    assert!(errors > 20 && drifts > 20, "{errors} {drifts}");
}

#[requires("corpora/json-test-suite")]
#[test]
fn the_json_test_suite() {
    let dir = shared("corpora/json-test-suite/test_parsing");
    let mut count = 0;
    for entry in fs_err::read_dir(dir).expect("the folder is there") {
        let path = entry.expect("an entry can be read").path();
        let body = fs_err::read(&path).expect("a file");
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (any, event) = (
            violations_of::<Value>(&body, &ReadOptions::new(ValidationContext::VALUE)),
            violations_of::<Event>(&body, &events()),
        );
        if name.starts_with("n_") {
            for violations in [any, event] {
                let kinds: Vec<ViolationKind> = violations.iter().flatten().map(|violation| violation.kind).collect();
                assert_eq!(kinds, [ViolationKind::Syntax], "{name}: {violations:?}");
            }
        }
        count += 1;
    }
    assert!(count > 300, "{count}");
}

#[test]
fn every_violation_of_an_event_is_reported() {
    let body = r#"{
  "summary": "Lunch", "summary": "Dinner",
  "start": {"dateTime": "2026-01-01 10:00:00Z", "timeZone": 1},
  "attendees": [{"email": 1}, "x", {"self": "no"}],
  "extendedProperties": {"private": {"a b": 1}},
  "sequence": 1.5
}"#;
    let violations = violations_of::<Event>(body.as_bytes(), &events()).expect("it is wrong");
    let lines: Vec<String> = violations.iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        [
            "summary: must not be repeated (duplicate_member) at line 2 column 34",
            "start.dateTime: invalid date-time: expected `T` at byte 10 (type) at line 3 column 25",
            "start.timeZone: must be a string, found a number (type) at line 3 column 61",
            "attendees[0].email: must be a string, found a number (type) at line 4 column 27",
            "attendees[1]: must be an object (Attendee), found a string (type) at line 4 column 31",
            "attendees[2].self: must be a boolean, found a string (type) at line 4 column 45",
            r#"extendedProperties.private["a b"]: must be a string, found a number (type) at line 5 column 45"#,
            "sequence: must be a 32-bit integer (type) at line 6 column 15",
        ]
    );
}
