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
            Some(location) => format!("{location}: {}", violation.message),
            None => violation.message.clone().into_owned(),
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
            .map(|violation| {
                serde_json::json!({ "field": violation.path.to_string(), "description": violation.message })
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
