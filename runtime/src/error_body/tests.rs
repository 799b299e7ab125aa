use serde_json::json;

use super::{ErrorDetail, ErrorReport, rpc_code_name};
use crate::operation::{ErrorField, ErrorFields, Profile, Step};

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
const NESTED: ErrorFields = ErrorFields {
    message: ErrorField::at(&[Step::member("problem"), Step::member("title")]),
    violation_message: ErrorField::at(&[
        Step::member("problem"),
        Step::list("violations"),
        Step::list("broken"),
        Step::member("text"),
    ]),
    rule: ErrorField::at(&[
        Step::member("problem"),
        Step::list("violations"),
        Step::list("broken"),
        Step::member("rule"),
    ]),
    location: ErrorField::at(&[Step::member("problem"), Step::list("violations"), Step::member("field")]),
    ..ErrorFields::NONE
};

#[test]
fn lists_have_every_violation() {
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
fn nested_lists_are_read_completely() {
    let body = json!({ "problem": { "violations": [
        { "field": "a", "broken": [{ "rule": "length" }, { "text": "no", "rule": "pair" }] },
        { "field": "b" },
        7,
        {},
    ] } });
    let read = ErrorReport::read(&NESTED, &body).details;
    let found: Vec<_> =
        read.iter().map(|it| (it.location.as_deref(), it.rule.as_deref(), it.message.as_deref())).collect();
    let expected = [(Some("a"), Some("length"), None), (Some("a"), Some("pair"), Some("no")), (Some("b"), None, None)];
    assert_eq!(found, expected);
}

#[test]
fn nested_resources_are_not_lists() {
    const MEMBERS: ErrorFields = ErrorFields {
        message: ErrorField::at(&[Step::member("error"), Step::member("text")]),
        reason: ErrorField::at(&[
            Step::member("error"),
            Step::member("info"),
            Step::member("more"),
            Step::member("reason"),
        ]),
        location: ErrorField::at(&[
            Step::member("error"),
            Step::member("info"),
            Step::member("more"),
            Step::member("field"),
        ]),
        ..ErrorFields::NONE
    };
    let body = ErrorReport { reason: Some("invalid".into()), ..report() }.write(&MEMBERS, 400);
    let info = json!({ "more": { "reason": "invalid", "field": "a" } });
    assert_eq!(body, json!({ "error": { "text": "a is short; b is long", "info": info } }));
    let read = ErrorReport::read(&MEMBERS, &body);
    assert_eq!((read.reason.as_deref(), read.location.as_deref()), (Some("invalid"), Some("a")));
    assert_eq!(read.details.len(), 1);
}

#[test]
fn lists_of_texts_have_every_message() {
    const MEMBERS: ErrorFields = ErrorFields { message: ErrorField::at(&[Step::list("errors")]), ..ErrorFields::NONE };
    let body = report().write(&MEMBERS, 400);
    assert_eq!(body, json!({ "errors": ["a is short", "b is long"] }));
    let read = ErrorReport::read(&MEMBERS, &body);
    assert_eq!(
        read.details.iter().filter_map(|it| it.message.as_deref()).collect::<Vec<_>>(),
        ["a is short", "b is long"]
    );
    assert_eq!(ErrorReport::new("gone").write(&MEMBERS, 410), json!({ "errors": ["gone"] }));
}

#[test]
fn errors_without_violations_use_a_list_if_needed() {
    let mut report = ErrorReport::new("there is none");
    assert_eq!(report.write(&NESTED, 404), json!({ "problem": { "title": "there is none" } }));
    report.location = Some("id".into());
    let violations = json!([{ "broken": [{ "text": "there is none" }], "field": "id" }]);
    assert_eq!(report.write(&NESTED, 404)["problem"]["violations"], violations);
}

const DEMANDING: ErrorFields = ErrorFields {
    location: ErrorField::at(&[
        Step::list("violations").required(),
        Step::member("at").required(),
        Step::member("field").required(),
    ]),
    rule: ErrorField::at(&[Step::list("violations").required(), Step::member("rule")]),
    violation_message: ErrorField::at(&[Step::list("violations").required(), Step::member("text")]),
    code: ErrorField::at(&[Step::list("violations"), Step::member("code")]),
    reason: ErrorField::at(&[Step::member("class").required(), Step::member("word")]),
    constants: &[
        (ErrorField::at(&[Step::member("kind")]), "error"),
        (ErrorField::at(&[Step::member("violations"), Step::member("kind")]), "violation"),
    ],
    ..ErrorFields::NONE
};

#[test]
fn required_fields_are_written() {
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
fn only_allowed_values_are_written() {
    const MEMBERS: ErrorFields = ErrorFields {
        status: ErrorField::at(&[Step::member("status")]).with_values(&["NOT_FOUND"]),
        domain: ErrorField::at(&[Step::member("domain")]).with_values(&["shop"]),
        location_type: ErrorField::at(&[Step::member("in")]).with_values(&["header"]),
        reason: ErrorField::at(&[Step::member("reason")]).with_values(&["gone"]),
        ..ErrorFields::NONE
    };
    let mut report = ErrorReport::new("x");
    report.reason = Some("of the service's own".into());
    report.location_type = Some("parameter".into());
    assert_eq!(report.write(&MEMBERS, 404), json!({ "status": "NOT_FOUND", "reason": "of the service's own" }));
    assert_eq!(report.write(&MEMBERS, 400), json!({ "reason": "of the service's own" }));
}

#[test]
fn standard_error_fields() {
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
    assert_eq!(report.write(&ErrorFields::STANDARD, 404), expected);
    // The domain is a word of the service.
    let profile = &Profile { domain: Some("orders"), ..Profile::STANDARD };
    let written = report.write(&ErrorFields { profile, ..ErrorFields::STANDARD }, 404);
    assert_eq!(written["error"]["errors"][0]["domain"], "orders");
    // A reason can be of another domain.
    let profile = &Profile { domain: Some("orders"), domains: &[("notFound", "catalog")], ..Profile::STANDARD };
    let written = report.write(&ErrorFields { profile, ..ErrorFields::STANDARD }, 404);
    assert_eq!(written["error"]["errors"][0]["domain"], "catalog");
}

#[test]
fn foreign_bodies_have_no_report() {
    for body in [json!(null), json!([]), json!("text"), json!({ "problem": 7 }), json!({ "problem": [[], {}] })] {
        assert_eq!(ErrorReport::read(&NESTED, &body), ErrorReport::default(), "{body}");
    }
}

#[test]
fn rpc_code_names() {
    let words = [400, 418, 412, 500, 502, 503, 302].map(rpc_code_name);
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
