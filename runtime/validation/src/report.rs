//! Violations as an API's own error says what is wrong.

use std::borrow::Cow;

use serde::ser::{Serialize, SerializeMap, Serializer};
use wireform_runtime::operation::ErrorMembers;
use wireform_runtime::{Map, Value};

use crate::path::Within;
use crate::violation::{Kind, Violation};
use crate::violations::Violations;

/// A mistake, as the lists of mistakes in the bodies of errors have it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ErrorItem {
    /// The part of the service to which the reason belongs.
    pub domain: &'static str,
    /// The kind of mistake as a word: `required`, `invalid`, `invalidParameter` or `parseError` for a violation.
    pub reason: Cow<'static, str>,
    /// The mistake in words.
    pub message: String,
    /// The name of the parameter or header, or the path of the member.
    pub location: Option<String>,
    /// `parameter` or `header`; absent for a member of the body.
    pub location_type: Option<&'static str>,
}

impl ErrorItem {
    /// A mistake without a place.
    #[must_use]
    pub fn new(reason: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self { domain: "global", reason: reason.into(), message: message.into(), location: None, location_type: None }
    }

    /// At a parameter, a header or a member: its name or path, and `parameter` or `header` if it is one of those.
    #[must_use]
    pub fn located(mut self, location: impl Into<String>, location_type: Option<&'static str>) -> Self {
        (self.location, self.location_type) = (Some(location.into()), location_type);
        self
    }
}

impl From<&Violation> for ErrorItem {
    fn from(violation: &Violation) -> Self {
        let (location, location_type) = match violation.path.within() {
            Within::Parameter(_) => (Some(violation.path.to_string()), Some("parameter")),
            Within::Header(_) => (Some(violation.path.to_string()), Some("header")),
            Within::Body if violation.path.steps().is_empty() => (None, None),
            Within::Body => (Some(violation.path.to_string()), None),
        };
        let reason = match (violation.kind, violation.rule) {
            (Kind::Syntax, _) => "parseError",
            (_, "required") => "required",
            _ if location_type == Some("parameter") => "invalidParameter",
            _ => "invalid",
        };
        let message = match &location {
            Some(location) => format!("{location}: {}", violation.message()),
            // A message begins with what it says of a member; here it is the body as a whole.
            None if violation.kind == Kind::Syntax => violation.message().into_owned(),
            None => format!("the body {}", violation.message()),
        };
        Self { location, location_type, ..Self::new(reason, message) }
    }
}

impl Serialize for ErrorItem {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut map = s.serialize_map(None)?;
        map.serialize_entry("domain", self.domain)?;
        map.serialize_entry("reason", &self.reason)?;
        map.serialize_entry("message", &self.message)?;
        if let Some(location_type) = self.location_type {
            map.serialize_entry("locationType", location_type)?;
        }
        if let Some(location) = &self.location {
            map.serialize_entry("location", location)?;
        }
        map.end()
    }
}

impl Violations {
    /// The errors as the items of an error's body.
    pub fn error_items(&self) -> impl Iterator<Item = ErrorItem> {
        self.errors().map(ErrorItem::from)
    }

    /// What is wrong in one sentence: the first error, and how many others there are.
    #[must_use]
    pub fn summary(&self) -> String {
        let mut items = self.error_items();
        let first = items.next().map_or_else(|| "the request is not as it should be".to_owned(), |item| item.message);
        match items.count() + self.more() {
            0 => first,
            1 => format!("{first} (and 1 other violation)"),
            others => format!("{first} (and {others} other violations)"),
        }
    }

    /// The body of an API's error, put together from what the API says about the members of its errors: see
    /// [`error_body`]. `code` is the status.
    #[must_use]
    pub fn error_body(&self, code: u16, members: &ErrorMembers) -> Value {
        let items: Vec<ErrorItem> = self.error_items().collect();
        error_body(members, code, &self.summary(), &items)
    }

    /// The errors of the body as the detail `google.rpc.BadRequest`, which some APIs put beside the items.
    #[must_use]
    pub fn bad_request(&self) -> Value {
        let violations: Vec<Value> = self
            .errors()
            .filter(|violation| violation.path.within() == Within::Body)
            .map(|violation| {
                serde_json::json!({ "field": violation.path.to_string(), "description": violation.message() })
            })
            .collect();
        serde_json::json!({ "@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": violations })
    }
}

/// The body of an API's error, put together from what the API says about the members of its errors: the status, its
/// word, the message, and beside the reason's name the items.
#[must_use]
pub fn error_body(members: &ErrorMembers, code: u16, message: &str, items: &[ErrorItem]) -> Value {
    let mut body = Value::Object(Map::new());
    if let Some((name, holder)) = members.code.split_last() {
        put(&mut body, holder, name, code.into());
    }
    if let Some((name, holder)) = members.message.split_last() {
        put(&mut body, holder, name, message.into());
    }
    // The reason stands in an element of the list of mistakes, or by itself where an API knows but one.
    match members.reason.split_last() {
        Some((_, [holder @ .., name])) if holder.len() + 1 > members.message.len().saturating_sub(1) => {
            let items = items.iter().map(|item| serde_json::to_value(item).unwrap_or_default()).collect();
            put(&mut body, holder, name, Value::Array(items));
        }
        Some((name, holder)) => {
            put(&mut body, holder, name, items.first().map_or("invalid", |item| &*item.reason).into());
            let location = items.first().and_then(|item| item.location.as_deref());
            if let (Some((name, holder)), Some(location)) = (members.location.split_last(), location) {
                put(&mut body, holder, name, location.into());
            }
        }
        None => {}
    }
    if let Some((name, holder)) = members.status.split_last() {
        put(&mut body, holder, name, status_word(code).into());
    }
    body
}

/// The word of `google.rpc.Code` for a status. Where several have the same status it is the one that fits when nothing
/// more is known.
#[must_use]
pub const fn status_word(code: u16) -> &'static str {
    match code {
        401 => "UNAUTHENTICATED",
        403 => "PERMISSION_DENIED",
        404 | 410 => "NOT_FOUND",
        408 | 504 => "DEADLINE_EXCEEDED",
        409 => "ABORTED",
        412 | 428 => "FAILED_PRECONDITION",
        416 => "OUT_OF_RANGE",
        429 => "RESOURCE_EXHAUSTED",
        499 => "CANCELLED",
        405 | 501 => "UNIMPLEMENTED",
        503 => "UNAVAILABLE",
        400..=499 => "INVALID_ARGUMENT",
        500..=599 => "INTERNAL",
        _ => "UNKNOWN",
    }
}

/// Puts a member into the object that stands below these names, which come to be if need be.
fn put(body: &mut Value, holder: &[&str], name: &str, value: Value) {
    let mut place = body;
    for step in holder {
        let Value::Object(members) = place else { return };
        place = members.entry(*step).or_insert_with(|| Value::Object(Map::new()));
    }
    if let Value::Object(members) = place {
        members.insert(name.to_owned(), value);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::at::At;
    use crate::checker::Checker;
    use crate::context::Context;

    /// Where Google's errors say what.
    const MEMBERS: ErrorMembers = ErrorMembers {
        message: &["error", "message"],
        reason: &["error", "errors", "reason"],
        location: &["error", "errors", "location"],
        code: &["error", "code"],
        ..ErrorMembers::NONE
    };

    fn violations() -> Violations {
        let mut checker = Checker::new(Context::VALUE);
        checker.required(At::BODY.member("end"), false);
        checker.range(At::parameter("maxResults"), 0, Some(1), None);
        checker.deprecated(At::BODY.member("colorId"), true, None);
        checker.required(At::header("If-Match"), false);
        let Err(violations) = checker.finish() else { return Violations::default() };
        violations
    }

    #[test]
    fn the_body_of_an_error() {
        let expected = json!({ "error": {
            "code": 400,
            "message": "end: is required (and 2 other violations)",
            "errors": [
                { "domain": "global", "reason": "required", "message": "end: is required", "location": "end" },
                { "domain": "global", "reason": "invalidParameter", "message": "maxResults: must be at least 1",
                  "locationType": "parameter", "location": "maxResults" },
                { "domain": "global", "reason": "required", "message": "If-Match: is required",
                  "locationType": "header", "location": "If-Match" },
            ],
        } });
        assert_eq!(violations().error_body(400, &MEMBERS), expected);
    }

    #[test]
    fn what_is_not_json_is_an_error_of_parsing() {
        let reading = crate::lenient::Reading::new(Context::VALUE);
        let Err(violations) = crate::lenient::read(b"{", &reading, |_: Value, _| ()) else { panic!("it is no JSON") };
        let items: Vec<ErrorItem> = violations.error_items().collect();
        assert_eq!(
            items.iter().map(|item| (&*item.reason, &item.location)).collect::<Vec<_>>(),
            [("parseError", &None)]
        );
    }

    #[test]
    fn other_shapes_of_errors() {
        let flat = ErrorMembers { message: &["message"], reason: &["code"], ..ErrorMembers::NONE };
        let body = violations().error_body(422, &flat);
        assert_eq!(body, json!({ "code": "required", "message": "end: is required (and 2 other violations)" }));
        let nothing = ErrorMembers::NONE;
        assert_eq!(violations().error_body(422, &nothing), json!({}));
        let nested = ErrorMembers { message: &["fault", "text"], reason: &["fault", "kind"], ..ErrorMembers::NONE };
        let body = violations().error_body(400, &nested);
        assert_eq!(body["fault"]["kind"], "required");
    }

    #[test]
    fn the_status_and_its_word() {
        let members = ErrorMembers { status: &["error", "status"], ..MEMBERS };
        let items = [ErrorItem::new("notFound", "no such event").located("eventId", Some("parameter"))];
        let expected = json!({ "error": {
            "code": 404,
            "message": "no such event",
            "errors": [{ "domain": "global", "reason": "notFound", "message": "no such event",
                         "locationType": "parameter", "location": "eventId" }],
            "status": "NOT_FOUND",
        } });
        assert_eq!(error_body(&members, 404, "no such event", &items), expected);
        let flat = ErrorMembers {
            code: &["status"],
            message: &["text"],
            reason: &["kind"],
            location: &["at"],
            status: &["word"],
        };
        let expected = json!({ "status": 404, "text": "x", "kind": "notFound", "at": "eventId", "word": "NOT_FOUND" });
        assert_eq!(error_body(&flat, 404, "x", &items), expected);
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

    #[test]
    fn the_detail_of_an_error() {
        let detail = violations().bad_request();
        assert_eq!(detail["@type"], "type.googleapis.com/google.rpc.BadRequest");
        assert_eq!(detail["fieldViolations"][0], json!({ "field": "end", "description": "is required" }));
        assert_eq!(detail["fieldViolations"].as_array().map(Vec::len), Some(1), "parameters are no fields of the body");
    }
}
