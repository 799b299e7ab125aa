use wireform_runtime::Value;
use wireform_runtime::operation::{AuthRequirement, Operation, Parameter};

use super::*;
use crate::context::ValidationContext;
use crate::rule::Rule;

static OPERATION: Operation = Operation {
    name: "things.insert",
    method: "POST",
    path: &[],
    verb: None,
    parameters: &[Parameter::path("id"), Parameter::query("count"), Parameter::header("x-note")],
    scopes: AuthRequirement::None,
    api_key: false,
    safe: false,
    idempotent: false,
    cost: 1,
};

static BOTH: Rule = Rule::new("both", "the two do not fit");

struct Rules;

/// Request with an id, a count and a body, each of which can violate a rule.
#[derive(Debug, PartialEq)]
struct Request {
    id: String,
    count: i32,
    body: Value,
}

impl Validates<Request> for Rules {
    const CONTEXT: ValidationContext<'static> = ValidationContext::request(&OPERATION, 0);

    fn check(&self, this: &Request, at: Location<'_>, checker: &mut Checker<'_>) {
        checker.length(Location::parameter("id"), &this.id, 1, 3);
        checker.range(Location::parameter("count"), this.count, Some(1), None);
        checker.rule(Location::parameter("count"), &BOTH, Ok(this.id != "a" || this.count == 1));
        checker.required(at.field("name"), this.body.get("name").is_some());
    }
}

fn reported(violations: &Violations) -> Vec<String> {
    violations.iter().map(|violation| format!("{}: {}", violation.path, violation.rule)).collect()
}

/// Reads a body with these parameters.
fn read(reader: RequestReader, id: &str, count: i32, body: &str) -> Result<Request, Vec<String>> {
    let make = |_: &mut RequestReader, body| Box::new(Request { id: id.to_owned(), count, body });
    let mut request = None;
    reader.read(&Rules, body.as_bytes(), &mut request, make).map_err(|violations| reported(&violations))?;
    Ok(*request.expect("a valid request was built"))
}

#[test]
fn valid_requests_are_read() {
    let request = read(RequestReader::default(), "a", 1, r#"{"name":1}"#);
    assert_eq!(request.map(|request| request.id).as_deref(), Ok("a"));
}

#[test]
fn parameter_violations_come_first() {
    let mut reader = RequestReader::default();
    reader.unknown_parameter("nonsense", None);
    reader.reject(Location::header("x-note"), "type", "must be visible");
    reader.missing_parameter(Location::parameter("id"));
    let expected = ["id: required", "count: min", "x-note: type", "nonsense: unknown_parameter", "name: required"];
    assert_eq!(read(reader, "", 0, "{}"), Err(expected.map(str::to_owned).to_vec()));
}

#[test]
fn placeholders_are_not_reported() {
    assert_eq!(
        read(RequestReader::default(), "a", 0, r#"{"name":1}"#),
        Err(vec!["count: min".into(), "count: both".into()])
    );
    let mut reader = RequestReader::default();
    reader.reject_parameter(Location::parameter("count"), "type", "must be a number");
    assert_eq!(read(reader, "a", 0, r#"{"name":1}"#), Err(vec!["count: type".into()]));
    // Rules do not apply to anything except the parameters of the operation.
    let mut reader = RequestReader::default();
    reader.reject(Location::parameter("alt"), "alt", "must be `json`");
    assert_eq!(read(reader, "a", 2, r#"{"name":1}"#), Err(vec!["count: both".into(), "alt: alt".into()]));
}

#[test]
fn unreadable_bodies_hide_no_parameter() {
    for (body, rule) in [("", ": required"), ("{", ": json"), (r#"{"a":1,"#, ": json"), ("\u{1}", ": json")] {
        let found = read(RequestReader::default(), "long", 0, body);
        assert_eq!(found, Err(vec!["id: length".into(), "count: min".into(), rule.to_owned()]), "{body}");
    }
    // Rules about several values are dropped then, since the condition may read the body.
    assert_eq!(read(RequestReader::default(), "a", 2, "{"), Err(vec![": json".to_owned()]));
}

#[test]
fn requests_without_a_body() {
    let request = |count| Request { id: "a".to_owned(), count, body: serde_json::json!({ "name": 1 }) };
    assert!(RequestReader::default().check(&Rules, &request(1)).is_ok());
    let found = RequestReader::default().check(&Rules, &request(2)).map_err(|found| reported(&found));
    assert_eq!(found, Err(vec!["count: both".to_owned()]));
    let mut reader = RequestReader::default();
    reader.missing_parameter(Location::parameter("id"));
    let found = reader.check(&Rules, &request(0)).map_err(|found| reported(&found));
    assert_eq!(found, Err(vec!["id: required".to_owned(), "count: min".to_owned()]));
}

#[test]
fn violations_are_limited() {
    let mut reader = RequestReader::with_max_violations(3);
    for at in 0..10 {
        reader.unknown_parameter(&"x".repeat(10_000), (at == 0).then_some("id"));
    }
    let make = |_: &mut RequestReader, body| Box::new(Request { id: String::new(), count: 0, body });
    let Err(found) = reader.read(&Rules, b"{}", &mut None, make) else { panic!("there are violations") };
    assert_eq!((found.as_slice().len(), found.count()), (3, 13));
    assert!(found.iter().all(|violation| violation.to_string().len() < 400));
}
