//! Violations as an API's own error says what is wrong.

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
    /// The kind of mistake as a word: `required`, `invalid`, `invalidParameter` or `parseError`.
    pub reason: &'static str,
    /// The mistake in words.
    pub message: String,
    /// The name of the parameter or header, or the path of the member.
    pub location: Option<String>,
    /// `parameter` or `header`; absent for a member of the body.
    pub location_type: Option<&'static str>,
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
            None => violation.message().into_owned(),
        };
        Self { domain: "global", reason, message, location, location_type }
    }
}

impl Serialize for ErrorItem {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut map = s.serialize_map(None)?;
        map.serialize_entry("domain", self.domain)?;
        map.serialize_entry("reason", self.reason)?;
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

    /// The body of an API's error, put together from what the API says about the members of its errors: the message,
    /// and beside the reason's name the items. `code` is the status, which goes beside the message.
    #[must_use]
    pub fn error_body(&self, code: u16, members: &ErrorMembers) -> Value {
        let mut body = Value::Object(Map::new());
        if let Some((_, holder)) = members.message.split_last() {
            put(&mut body, holder, "code", code.into());
        }
        if let Some((name, holder)) = members.message.split_last() {
            put(&mut body, holder, name, self.summary().into());
        }
        // The reason stands in an element of the list of mistakes, or by itself where an API knows but one.
        match members.reason.split_last() {
            Some((_, list @ [.., name])) if list.len() > members.message.len().saturating_sub(1) => {
                let items = self.error_items().map(|item| serde_json::to_value(item).unwrap_or_default()).collect();
                put(&mut body, list.split_last().map_or(&[], |(_, holder)| holder), name, Value::Array(items));
            }
            Some((name, holder)) => {
                let reason = self.error_items().next().map_or("invalid", |item| item.reason);
                put(&mut body, holder, name, reason.into());
            }
            None => {}
        }
        body
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
        assert_eq!(items.iter().map(|item| (item.reason, &item.location)).collect::<Vec<_>>(), [("parseError", &None)]);
    }

    #[test]
    fn other_shapes_of_errors() {
        let flat = ErrorMembers { message: &["message"], reason: &["code"], location: &[] };
        let body = violations().error_body(422, &flat);
        assert_eq!(body, json!({ "code": "required", "message": "end: is required (and 2 other violations)" }));
        let nothing = ErrorMembers { message: &[], reason: &[], location: &[] };
        assert_eq!(violations().error_body(422, &nothing), json!({}));
        let nested = ErrorMembers { message: &["fault", "text"], reason: &["fault", "kind"], location: &[] };
        let body = violations().error_body(400, &nested);
        assert_eq!(body["fault"]["kind"], "required");
    }

    #[test]
    fn the_detail_of_an_error() {
        let detail = violations().bad_request();
        assert_eq!(detail["@type"], "type.googleapis.com/google.rpc.BadRequest");
        assert_eq!(detail["fieldViolations"][0], json!({ "field": "end", "description": "is required" }));
        assert_eq!(detail["fieldViolations"].as_array().map(Vec::len), Some(1), "parameters are no fields of the body");
    }
}
