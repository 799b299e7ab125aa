use serde_json::json;

use super::{ErrorDetail, ErrorReport, status_word};
use crate::operation::{ErrorMember, ErrorMembers, Profile};

fn details() -> Vec<ErrorDetail> {
    vec![
        ErrorDetail::new().with_message("a is short").with_location("a").with_rule("length"),
        ErrorDetail::new().with_message("b is long").with_location("b.c").with_rule("pair"),
    ]
}

fn report() -> ErrorReport {
    ErrorReport { details: details(), ..ErrorReport::new("two are wrong") }
}

/// Non-standard names, with a nested list.
const NESTED: ErrorMembers = ErrorMembers {
    message: ErrorMember::at(&["problem", "title"]),
    violation_message: ErrorMember::in_lists(&["problem", "violations", "broken", "text"], &[1, 2]),
    rule: ErrorMember::in_lists(&["problem", "violations", "broken", "rule"], &[1, 2]),
    location: ErrorMember::in_lists(&["problem", "violations", "field"], &[1]),
    ..ErrorMembers::NONE
};

#[test]
fn a_list_has_every_violation() {
    let body = report().write(&NESTED, 400);
    let expected = json!({ "problem": { "title": "two are wrong", "violations": [
        { "broken": [{ "text": "a is short", "rule": "length" }], "field": "a" },
        { "broken": [{ "text": "b is long", "rule": "pair" }], "field": "b.c" },
    ] } });
    assert_eq!(body, expected);
    let read = ErrorReport::read(&NESTED, &body);
    assert_eq!(read.details, details());
    assert_eq!((read.message.as_deref(), read.location.as_deref()), (Some("two are wrong"), Some("a")));
}

#[test]
fn a_list_within_a_list_is_read_whole() {
    let body = json!({ "problem": { "violations": [
        { "field": "a", "broken": [{ "rule": "length" }, { "text": "no", "rule": "pair" }] },
        { "field": "b" },
        7,
        {},
    ] } });
    let read = ErrorReport::read(&NESTED, &body).details;
    let said: Vec<_> =
        read.iter().map(|it| (it.location.as_deref(), it.rule.as_deref(), it.message.as_deref())).collect();
    let expected = [(Some("a"), Some("length"), None), (Some("a"), Some("pair"), Some("no")), (Some("b"), None, None)];
    assert_eq!(said, expected);
}

#[test]
fn a_resource_is_no_list_however_long_the_path() {
    let members = ErrorMembers {
        message: ErrorMember::at(&["error", "text"]),
        reason: ErrorMember::at(&["error", "info", "more", "reason"]),
        location: ErrorMember::at(&["error", "info", "more", "field"]),
        ..ErrorMembers::NONE
    };
    let body = ErrorReport { reason: Some("invalid".into()), ..report() }.write(&members, 400);
    let info = json!({ "more": { "reason": "invalid", "field": "a" } });
    assert_eq!(body, json!({ "error": { "text": "a is short; b is long", "info": info } }));
    let read = ErrorReport::read(&members, &body);
    assert_eq!((read.reason.as_deref(), read.location.as_deref()), (Some("invalid"), Some("a")));
    assert_eq!(read.details.len(), 1);
}

#[test]
fn a_list_of_texts_has_every_message() {
    let members = ErrorMembers { message: ErrorMember::in_lists(&["errors"], &[0]), ..ErrorMembers::NONE };
    let body = report().write(&members, 400);
    assert_eq!(body, json!({ "errors": ["a is short", "b is long"] }));
    let read = ErrorReport::read(&members, &body);
    assert_eq!(
        read.details.iter().filter_map(|it| it.message.as_deref()).collect::<Vec<_>>(),
        ["a is short", "b is long"]
    );
    assert_eq!(ErrorReport::new("gone").write(&members, 410), json!({ "errors": ["gone"] }));
}

#[test]
fn an_error_that_is_no_violation_is_in_a_list_where_only_that_has_room() {
    let mut report = ErrorReport::new("there is none");
    assert_eq!(report.write(&NESTED, 404), json!({ "problem": { "title": "there is none" } }));
    report.location = Some("id".into());
    let violations = json!([{ "broken": [{ "text": "there is none" }], "field": "id" }]);
    assert_eq!(report.write(&NESTED, 404)["problem"]["violations"], violations);
}

const DEMANDING: ErrorMembers = ErrorMembers {
    location: ErrorMember::in_lists(&["violations", "at", "field"], &[0]).with_required(&[0, 1, 2]),
    rule: ErrorMember::in_lists(&["violations", "rule"], &[0]).with_required(&[0]),
    violation_message: ErrorMember::in_lists(&["violations", "text"], &[0]).with_required(&[0]),
    code: ErrorMember::in_lists(&["violations", "code"], &[0]),
    reason: ErrorMember::at(&["class", "word"]).with_required(&[0]),
    kinds: &[(ErrorMember::at(&["kind"]), "error"), (ErrorMember::at(&["violations", "kind"]), "violation")],
    ..ErrorMembers::NONE
};

#[test]
fn what_is_required_is_there() {
    let mut report = ErrorReport::new("there is none");
    let mut violation = json!({ "at": { "field": "" }, "code": 404, "text": "there is none", "kind": "violation" });
    let expected = json!({ "kind": "error", "class": {}, "violations": [violation] });
    assert_eq!(report.write(&DEMANDING, 404), expected);
    report.details = vec![ErrorDetail::new().with_rule("pair")];
    violation = json!({ "at": { "field": "" }, "code": 400, "rule": "pair", "kind": "violation" });
    let expected = json!({ "kind": "error", "class": {}, "violations": [violation] });
    assert_eq!(report.write(&DEMANDING, 400), expected);
}

#[test]
fn words_are_those_of_the_type() {
    let members = ErrorMembers {
        status: ErrorMember::at(&["status"]).with_words(&["NOT_FOUND"]),
        domain: ErrorMember::at(&["domain"]).with_words(&["shop"]),
        location_type: ErrorMember::at(&["in"]).with_words(&["header"]),
        reason: ErrorMember::at(&["reason"]).with_words(&["gone"]),
        ..ErrorMembers::NONE
    };
    let mut report = ErrorReport::new("x");
    report.reason = Some("of the service's own".into());
    report.location_type = Some("parameter".into());
    assert_eq!(report.write(&members, 404), json!({ "status": "NOT_FOUND", "reason": "of the service's own" }));
    assert_eq!(report.write(&members, 400), json!({ "reason": "of the service's own" }));
}

#[test]
fn the_errors_of_an_api_that_declares_none() {
    let mut report = ErrorReport::new("no such event");
    report.reason = Some("notFound".into());
    report.location = Some("eventId".into());
    report.location_type = Some("parameter".into());
    let expected = json!({ "error": {
        "code": 404,
        "message": "no such event",
        "errors": [{ "reason": "notFound", "message": "no such event",
                     "locationType": "parameter", "location": "eventId" }],
        "status": "NOT_FOUND",
    } });
    assert_eq!(report.write(&ErrorMembers::STANDARD, 404), expected);
    // The domain is a word of the service.
    let profile = &Profile { domain: Some("orders"), ..Profile::STANDARD };
    let written = report.write(&ErrorMembers { profile, ..ErrorMembers::STANDARD }, 404);
    assert_eq!(written["error"]["errors"][0]["domain"], "orders");
}

#[test]
fn what_is_no_error_of_the_api_says_nothing() {
    for body in [json!(null), json!([]), json!("text"), json!({ "problem": 7 }), json!({ "problem": [[], {}] })] {
        assert_eq!(ErrorReport::read(&NESTED, &body), ErrorReport::default(), "{body}");
    }
}

#[test]
fn the_words_of_statuses() {
    let words = [400, 418, 412, 500, 502, 503, 302].map(status_word);
    let expected = [
        "INVALID_ARGUMENT",
        "INVALID_ARGUMENT",
        "FAILED_PRECONDITION",
        "INTERNAL",
        "INTERNAL",
        "UNAVAILABLE",
        "UNKNOWN",
    ];
    assert_eq!(words, expected);
}
