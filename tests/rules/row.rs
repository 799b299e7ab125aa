//! Rows of the rule tables, and the notation of their values.
//!
//! A value is JSON text that is merged, as a merge patch, into the base value of the operation, so that a row contains
//! only what it tests. In it,
//!
//! * a field `?name` is the parameter `name`,
//! * a text `*40 abc` is `abc` with its last character repeated up to 40 characters,
//! * a list `["*40", element]` contains the element forty times.

use std::any::Any;

use serde_json::{Map, Value};
use wireform_runtime::{FromWire, Request, json};
use wireform_validation::{
    __private::Location, CheckRequests, PathRoot, ReadOptions, Severity, Validates, ValidationContext, Violation,
    read_body,
};

use crate::http;

/// Rule with a value that violates it and a value that satisfies it.
#[derive(Clone, Copy)]
pub struct Row {
    /// Identifier of the rule, or name of the constraint.
    pub rule: &'static str,
    /// Path of the violation; a parameter starts with a question mark.
    pub path: &'static str,
    /// Kind of value that the row checks.
    pub side: Side,
    /// Operation, or resource if the value is checked by itself.
    pub of: &'static str,
    /// Severity of the violation.
    pub severity: Severity,
    /// Stored value that the request changes.
    pub stored: Option<&'static str>,
    /// Stored value of the request that satisfies the rule, if it differs.
    pub stored_otherwise: Option<&'static str>,
    /// Further violations of both values.
    pub also: &'static [ExpectedViolation],
    /// Further violations of the value that violates the rule.
    pub with: &'static [ExpectedViolation],
    /// Value that violates the rule.
    pub breaks: &'static str,
    /// Value that satisfies the rule.
    pub passes: &'static str,
}

/// Kind of value that a row checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Request,
    Response,
    /// A resource by itself.
    Value,
}

/// Expected violation: path, rule and severity.
pub type ExpectedViolation = (&'static str, &'static str, Severity);

/// Reported violation.
pub type ReportedViolation = (String, &'static str, Severity);

/// Creates a row about the request of an operation.
pub const fn request(operation: &'static str, rule: &'static str, path: &'static str) -> Row {
    row(Side::Request, operation, rule, path)
}

/// Creates a row about the response of an operation.
pub const fn response(operation: &'static str, rule: &'static str, path: &'static str) -> Row {
    row(Side::Response, operation, rule, path)
}

/// Creates a row about a resource by itself.
pub const fn value(resource: &'static str, rule: &'static str, path: &'static str) -> Row {
    row(Side::Value, resource, rule, path)
}

const fn row(side: Side, of: &'static str, rule: &'static str, path: &'static str) -> Row {
    Row {
        rule,
        path,
        side,
        of,
        severity: Severity::Error,
        stored: None,
        stored_otherwise: None,
        also: &[],
        with: &[],
        breaks: "{}",
        passes: "{}",
    }
}

impl Row {
    /// Sets the value that violates the rule.
    pub const fn breaks(self, breaks: &'static str) -> Self {
        Self { breaks, ..self }
    }

    /// Sets the value that satisfies the rule.
    pub const fn passes(self, passes: &'static str) -> Self {
        Self { passes, ..self }
    }

    /// Makes the violation a warning.
    pub const fn warns(self) -> Self {
        Self { severity: Severity::Warning, ..self }
    }

    /// Sets the stored value.
    pub const fn stored(self, stored: &'static str) -> Self {
        Self { stored: Some(stored), ..self }
    }

    /// Sets the stored value of the request that satisfies the rule.
    pub const fn stored_otherwise(self, stored: &'static str) -> Self {
        Self { stored_otherwise: Some(stored), ..self }
    }

    /// Adds violations of both values, independent of the rule.
    pub const fn also(self, also: &'static [ExpectedViolation]) -> Self {
        Self { also, ..self }
    }

    /// Returns the row of the value that satisfies the rule.
    pub fn otherwise(self) -> Self {
        Self { stored: self.stored_otherwise.or(self.stored), ..self }
    }

    /// Adds violations of the value that violates the rule, if no value violates this rule alone.
    pub const fn with(self, with: &'static [ExpectedViolation]) -> Self {
        Self { with, ..self }
    }

    /// Returns the expected violations of the value that violates the rule, or of the other one.
    pub fn expected(&self, broken: bool) -> Vec<ReportedViolation> {
        let mut expected: Vec<ExpectedViolation> = self.also.to_vec();
        if broken {
            expected.push((self.path, self.rule, self.severity));
            expected.extend(self.with);
        }
        sorted(expected.into_iter().map(|(path, rule, severity)| (path.to_owned(), rule, severity)).collect())
    }
}

/// Parameters and body of a value.
#[derive(Clone)]
pub struct RowValue {
    parameters: Map<String, Value>,
    body: Value,
}

impl RowValue {
    /// Merges the value of a row into the base value.
    pub fn new(usual: Value, text: &str) -> Self {
        let given: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let Value::Object(given) = given else { panic!("a row has an object: {text}") };
        let (parameters, members): (Map<_, _>, Map<_, _>) =
            given.into_iter().partition(|(name, _)| name.starts_with('?'));
        let mut body = usual;
        merge(&mut body, Value::Object(members));
        expand(&mut body);
        Self { parameters: parameters.into_iter().map(|(name, value)| (name[1..].to_owned(), value)).collect(), body }
    }

    /// Decodes the body.
    pub fn body<T: for<'de> FromWire<'de>>(&self) -> T {
        decoded(&self.body)
    }

    /// Moves a parameter, if the row sets it, into a field of the request.
    pub fn take<T: for<'de> FromWire<'de>>(&mut self, name: &str, member: &mut T) {
        if let Some(value) = self.parameters.remove(name) {
            *member = decoded(&value);
        }
    }
}

fn decoded<T: for<'de> FromWire<'de>>(value: &Value) -> T {
    json::from_str(&value.to_string()).unwrap_or_else(|error| panic!("{error}: {value}"))
}

/// Applies a merge patch (RFC 7396).
fn merge(into: &mut Value, patch: Value) {
    let Value::Object(members) = patch else { return *into = patch };
    if !into.is_object() {
        *into = Value::Object(Map::new());
    }
    let Some(object) = into.as_object_mut() else { return };
    for (name, value) in members {
        // A null for an absent field stays, so that a row can contain a merge patch with nulls.
        if value.is_null() && object.contains_key(&name) {
            object.remove(&name);
        } else {
            merge(object.entry(name).or_insert(Value::Null), value);
        }
    }
}

fn expand(value: &mut Value) {
    match value {
        Value::String(text) => {
            let Some((count, start)) = text.strip_prefix('*').and_then(|rest| rest.split_once(' ')) else { return };
            let missing = count.parse::<usize>().expect("a number of characters") - start.chars().count();
            let last = start.chars().last().expect("a character to repeat");
            *text = start.chars().chain(std::iter::repeat_n(last, missing)).collect();
        }
        Value::Array(items) => {
            let count = items.first().and_then(Value::as_str).and_then(|text| text.strip_prefix('*'));
            if let (Some(count), [_, element]) = (count.and_then(|count| count.parse().ok()), items.as_slice()) {
                *items = vec![element.clone(); count];
            }
            items.iter_mut().for_each(expand);
        }
        Value::Object(members) => members.values_mut().for_each(expand),
        _ => {}
    }
}

/// Builds a request from the value of a row: sets the parameters of the given names, and asserts that no other
/// parameter remains.
#[macro_export]
macro_rules! build_request {
    ($given:ident, $request:expr $(, $member:ident: $name:literal)* $(,)?) => {{
        #[allow(unused_mut)]
        let mut request = $request;
        $($given.take($name, &mut request.$member);)*
        $given.finish();
        request
    }};
}

impl RowValue {
    /// Asserts that every parameter was used.
    pub fn finish(&self) {
        assert!(self.parameters.is_empty(), "unused parameters {:?}", self.parameters);
    }
}

/// Returns the violations of a request, and asserts that they are the same without its static type, when repeated, and
/// from a server.
pub fn violations_of_request<V, R>(rules: &V, request: &R, stored: Option<&dyn Any>) -> Vec<ReportedViolation>
where
    V: Validates<R> + CheckRequests,
    R: Request,
{
    let context = <V as Validates<R>>::CONTEXT.with_any_stored(stored);
    let typed = rules.validate(request, context);
    let erased = rules.check_request(R::OPERATION, request, stored).expect("the rules know the request");
    assert_eq!(typed, erased, "{request:?}");
    assert_eq!(typed, rules.validate(request, context), "{request:?}");
    http::assert_same_verdict(rules, request, stored);
    reported(match &typed {
        Ok(warnings) => warnings.iter(),
        Err(violations) => violations.iter(),
    })
}

/// Returns the violations of a value, and asserts that its text has the same ones.
pub fn violations_of_value<T, V>(rules: &V, context: ValidationContext<'_>, given: &RowValue) -> Vec<ReportedViolation>
where
    T: for<'de> FromWire<'de>,
    V: Validates<T>,
{
    given.finish();
    let text = given.body.to_string();
    let reading = ReadOptions::for_type::<T, V>(context);
    let from_text =
        match read_body(text.as_bytes(), &reading, |value: T, checker| rules.check(&value, Location::BODY, checker)) {
            Ok((_, warnings)) => reported(warnings.iter()),
            Err(violations) => reported(violations.iter()),
        };
    if let Ok(value) = json::from_str::<T>(&text) {
        let typed = match rules.validate(&value, context) {
            Ok(warnings) => reported(warnings.iter()),
            Err(violations) => reported(violations.iter()),
        };
        assert_eq!(from_text, typed, "{text}");
    }
    from_text
}

/// Returns the reported violations in sorted order.
fn reported<'a>(violations: impl Iterator<Item = &'a Violation>) -> Vec<ReportedViolation> {
    sorted(
        violations
            .map(|violation| {
                let mark = if matches!(violation.path.root(), PathRoot::Parameter(_)) { "?" } else { "" };
                (format!("{mark}{}", violation.path), violation.rule, violation.severity)
            })
            .collect(),
    )
}

fn sorted(mut found: Vec<ReportedViolation>) -> Vec<ReportedViolation> {
    found.sort_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
    found
}
