//! Rows of the table, and the values that stand in them.
//!
//! A value is JSON text that is merged, as a merge patch is, into what the operation is usually sent or answers, so
//! that a row shows what it is about and nothing else. In it
//!
//! * a member `?name` is the parameter of that name,
//! * a text `*40 abc` is `abc`, with its last character repeated until it has 40 characters,
//! * a list `["*40", element]` has that element forty times.

use std::any::Any;

use serde_json::{Map, Value};
use wireform_runtime::{FromWire, Request, json};
use wireform_validation::{
    __private::Location, CheckRequests, Context, PathRoot, ReadOptions, Severity, Validates, Violation, read_body,
};

use crate::http;

/// A rule with a value that breaks it and one that does not.
#[derive(Clone, Copy)]
pub struct Row {
    /// The id of the rule, or the word for a constraint.
    pub rule: &'static str,
    /// The member at fault; a parameter after a question mark.
    pub path: &'static str,
    /// Where the value is on its way to.
    pub side: Side,
    /// The operation, or the resource of a value by itself.
    pub of: &'static str,
    /// What the rule leads to.
    pub severity: Severity,
    /// What is stored where the request goes.
    pub stored: Option<&'static str>,
    /// What is stored where the other request goes, if it is something else.
    pub stored_otherwise: Option<&'static str>,
    /// What is said beside it, of both values.
    pub also: &'static [Said],
    /// What is said beside it, of the value that breaks it.
    pub with: &'static [Said],
    /// The value that breaks it.
    pub breaks: &'static str,
    /// The value that does not.
    pub passes: &'static str,
}

/// Where a value is on its way to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Request,
    Response,
    /// Nowhere: it is checked by itself.
    Value,
}

/// A violation: the path, the rule and what it leads to.
pub type Said = (&'static str, &'static str, Severity);

/// A violation that was found.
pub type Found = (String, &'static str, Severity);

/// A row about what an operation is sent.
pub const fn request(operation: &'static str, rule: &'static str, path: &'static str) -> Row {
    row(Side::Request, operation, rule, path)
}

/// A row about what an operation answers.
pub const fn response(operation: &'static str, rule: &'static str, path: &'static str) -> Row {
    row(Side::Response, operation, rule, path)
}

/// A row about a resource by itself.
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
    /// The value that breaks the rule.
    pub const fn breaks(self, breaks: &'static str) -> Self {
        Self { breaks, ..self }
    }

    /// The value that does not.
    pub const fn passes(self, passes: &'static str) -> Self {
        Self { passes, ..self }
    }

    /// The rule warns.
    pub const fn warns(self) -> Self {
        Self { severity: Severity::Warning, ..self }
    }

    /// What is stored.
    pub const fn stored(self, stored: &'static str) -> Self {
        Self { stored: Some(stored), ..self }
    }

    /// What is stored where the value goes that does not break it.
    pub const fn stored_otherwise(self, stored: &'static str) -> Self {
        Self { stored_otherwise: Some(stored), ..self }
    }

    /// Adds violations of both values, independent of the rule.
    pub const fn also(self, also: &'static [Said]) -> Self {
        Self { also, ..self }
    }

    /// The row of the value that does not break the rule.
    pub fn otherwise(self) -> Self {
        Self { stored: self.stored_otherwise.or(self.stored), ..self }
    }

    /// What is said of the value that breaks it, since no value breaks the rule alone.
    pub const fn with(self, with: &'static [Said]) -> Self {
        Self { with, ..self }
    }

    /// What is to be said of the value that breaks it, or of the other one.
    pub fn expected(&self, broken: bool) -> Vec<Found> {
        let mut said: Vec<Said> = self.also.to_vec();
        if broken {
            said.push((self.path, self.rule, self.severity));
            said.extend(self.with);
        }
        sorted(said.into_iter().map(|(path, rule, severity)| (path.to_owned(), rule, severity)).collect())
    }
}

/// The parameters and the body of a value.
pub struct Given {
    parameters: Map<String, Value>,
    body: Value,
}

impl Given {
    /// A value that is merged into another.
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

    /// The body.
    pub fn body<T: for<'de> FromWire<'de>>(&self) -> T {
        decoded(&self.body)
    }

    /// Takes a parameter, if it is given.
    pub fn take<T: for<'de> FromWire<'de>>(&mut self, name: &str, member: &mut T) {
        if let Some(value) = self.parameters.remove(name) {
            *member = decoded(&value);
        }
    }
}

fn decoded<T: for<'de> FromWire<'de>>(value: &Value) -> T {
    json::from_str(&value.to_string()).unwrap_or_else(|error| panic!("{error}: {value}"))
}

/// RFC 7396.
fn merge(into: &mut Value, patch: Value) {
    let Value::Object(members) = patch else { return *into = patch };
    if !into.is_object() {
        *into = Value::Object(Map::new());
    }
    let Some(object) = into.as_object_mut() else { return };
    for (name, value) in members {
        // A merge patch in a row has its nulls as well.
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

/// Makes a request of what a row gives: the members that are parameters, with their names on the wire.
#[macro_export]
macro_rules! asked {
    ($given:ident, $request:expr $(, $member:ident: $name:literal)* $(,)?) => {{
        #[allow(unused_mut)]
        let mut request = $request;
        $($given.take($name, &mut request.$member);)*
        $given.finish();
        request
    }};
}

impl Given {
    /// Holds that every parameter was taken.
    pub fn finish(&self) {
        assert!(self.parameters.is_empty(), "nobody takes {:?}", self.parameters);
    }
}

/// What is said of a request: the same by its type and without it, the same again, and the same by a server.
pub fn of_request<V, R>(rules: &V, request: &R, stored: Option<&dyn Any>) -> Vec<Found>
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
    found(match &typed {
        Ok(warnings) => warnings.iter(),
        Err(violations) => violations.iter(),
    })
}

/// What is said of a value: the same of the text and of what it stands for.
pub fn of_value<T, V>(rules: &V, context: Context<'_>, given: &Given) -> Vec<Found>
where
    T: for<'de> FromWire<'de>,
    V: Validates<T>,
{
    given.finish();
    let text = given.body.to_string();
    let reading = ReadOptions::for_type::<T, V>(context);
    let from_text =
        match read_body(text.as_bytes(), &reading, |value: T, checker| rules.check(&value, Location::BODY, checker)) {
            Ok((_, warnings)) => found(warnings.iter()),
            Err(violations) => found(violations.iter()),
        };
    if let Ok(value) = json::from_str::<T>(&text) {
        let typed = match rules.validate(&value, context) {
            Ok(warnings) => found(warnings.iter()),
            Err(violations) => found(violations.iter()),
        };
        assert_eq!(from_text, typed, "{text}");
    }
    from_text
}

/// What was found, in an order of its own.
fn found<'a>(violations: impl Iterator<Item = &'a Violation>) -> Vec<Found> {
    sorted(
        violations
            .map(|violation| {
                let mark = if matches!(violation.path.root(), PathRoot::Parameter(_)) { "?" } else { "" };
                (format!("{mark}{}", violation.path), violation.rule, violation.severity)
            })
            .collect(),
    )
}

fn sorted(mut found: Vec<Found>) -> Vec<Found> {
    found.sort_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
    found
}
