use serde_json::json;

use super::{ErrorDetail, ErrorReport, status_word};
use crate::operation::{ErrorMember, ErrorMembers, Profile, Step};

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
    message: ErrorMember::at(&[Step::member("problem"), Step::member("title")]),
    violation_message: ErrorMember::at(&[
        Step::member("problem"),
        Step::list("violations"),
        Step::list("broken"),
        Step::member("text"),
    ]),
    rule: ErrorMember::at(&[
        Step::member("problem"),
        Step::list("violations"),
        Step::list("broken"),
        Step::member("rule"),
    ]),
    location: ErrorMember::at(&[Step::member("problem"), Step::list("violations"), Step::member("field")]),
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
    const MEMBERS: ErrorMembers = ErrorMembers {
        message: ErrorMember::at(&[Step::member("error"), Step::member("text")]),
        reason: ErrorMember::at(&[
            Step::member("error"),
            Step::member("info"),
            Step::member("more"),
            Step::member("reason"),
        ]),
        location: ErrorMember::at(&[
            Step::member("error"),
            Step::member("info"),
            Step::member("more"),
            Step::member("field"),
        ]),
        ..ErrorMembers::NONE
    };
    let body = ErrorReport { reason: Some("invalid".into()), ..report() }.write(&MEMBERS, 400);
    let info = json!({ "more": { "reason": "invalid", "field": "a" } });
    assert_eq!(body, json!({ "error": { "text": "a is short; b is long", "info": info } }));
    let read = ErrorReport::read(&MEMBERS, &body);
    assert_eq!((read.reason.as_deref(), read.location.as_deref()), (Some("invalid"), Some("a")));
    assert_eq!(read.details.len(), 1);
}

#[test]
fn a_list_of_texts_has_every_message() {
    const MEMBERS: ErrorMembers =
        ErrorMembers { message: ErrorMember::at(&[Step::list("errors")]), ..ErrorMembers::NONE };
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
fn an_error_that_is_no_violation_is_in_a_list_where_only_that_has_room() {
    let mut report = ErrorReport::new("there is none");
    assert_eq!(report.write(&NESTED, 404), json!({ "problem": { "title": "there is none" } }));
    report.location = Some("id".into());
    let violations = json!([{ "broken": [{ "text": "there is none" }], "field": "id" }]);
    assert_eq!(report.write(&NESTED, 404)["problem"]["violations"], violations);
}

const DEMANDING: ErrorMembers = ErrorMembers {
    location: ErrorMember::at(&[
        Step::list("violations").required(),
        Step::member("at").required(),
        Step::member("field").required(),
    ]),
    rule: ErrorMember::at(&[Step::list("violations").required(), Step::member("rule")]),
    violation_message: ErrorMember::at(&[Step::list("violations").required(), Step::member("text")]),
    code: ErrorMember::at(&[Step::list("violations"), Step::member("code")]),
    reason: ErrorMember::at(&[Step::member("class").required(), Step::member("word")]),
    kinds: &[
        (ErrorMember::at(&[Step::member("kind")]), "error"),
        (ErrorMember::at(&[Step::member("violations"), Step::member("kind")]), "violation"),
    ],
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
    const MEMBERS: ErrorMembers = ErrorMembers {
        status: ErrorMember::at(&[Step::member("status")]).with_words(&["NOT_FOUND"]),
        domain: ErrorMember::at(&[Step::member("domain")]).with_words(&["shop"]),
        location_type: ErrorMember::at(&[Step::member("in")]).with_words(&["header"]),
        reason: ErrorMember::at(&[Step::member("reason")]).with_words(&["gone"]),
        ..ErrorMembers::NONE
    };
    let mut report = ErrorReport::new("x");
    report.reason = Some("of the service's own".into());
    report.location_type = Some("parameter".into());
    assert_eq!(report.write(&MEMBERS, 404), json!({ "status": "NOT_FOUND", "reason": "of the service's own" }));
    assert_eq!(report.write(&MEMBERS, 400), json!({ "reason": "of the service's own" }));
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
