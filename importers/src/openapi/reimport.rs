//! Reimport of documents that were generated from a schema: `x-wireform-…` extensions restore the original schema.

mod api;
mod keys;
mod long_running;
mod operations;
mod resources;
mod text;
mod unions;

use wireform_codegen::schema::Deprecation;
use wireform_codegen::schema::Named;
use wireform_codegen::schema::field::{Encoding, KnownValue};
use wireform_codegen::schema::read::Raw;
use wireform_codegen::schema::resource::{Rule, Severity};
use wireform_codegen::schema::shape::Short;
use wireform_codegen::schema::types::Range;

pub use api::{api, endpoint, errors, is_generated_description, name, scopes, standard};
pub use operations::{is_unchanged, operation, parameter};
pub use resources::{enumeration, field, resource, rest, values};
pub use text::strip_generated_text;
pub use unions::union;

use super::document::is_own;
use super::form::Form;
use crate::lowering::{Member, deprecated as mark, range};
use crate::node::Node;
use crate::number::Number;
use crate::value::Value;
use crate::value_kind::ValueKind;
use keys::read;

/// Returns a path without the suffix that distinguishes it from a path that OpenAPI considers equal.
pub fn path<'d>(root: &Node<'d>, path: &'d str) -> &'d str {
    if is_own(root) { path.split('#').next().unwrap_or(path) } else { path }
}

/// Returns the name of the definition of a schema variant: `Event` of `Event.Input.events.insert`.
pub fn definition(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}

/// Returns the type of a shared wire-format schema.
pub fn wire<'d>(name: &str) -> Option<Form<'d>> {
    let decimal = |name: &str| {
        let mut form = Form::plain(name, ValueKind::integer_of(name));
        form.keys.encoding = Some(Encoding::DecimalString.into());
        form
    };
    match name.strip_prefix("Wire.")?.split('.').next()? {
        "Int64" => Some(decimal("int64")),
        "Uint64" => Some(decimal("uint64")),
        "DateTime" => Some(Form::plain("datetime", ValueKind::DateTime)),
        "Duration" => Some(Form::plain("duration", ValueKind::Scalar)),
        _ => None,
    }
}

/// Reads the deprecation with its replacement.
fn deprecated(node: &Node<'_>) -> Option<Short<Deprecation>> {
    read(node, "x-wireform-deprecation").or_else(|| mark(node.flag("deprecated")))
}

/// Reads the rules of a resource or an operation from `x-wireform-rules`.
fn rules(node: &Node<'_>) -> Vec<Rule> {
    let rule = |rule: &Node<'_>| {
        Some(Rule {
            id: read(rule, "id")?,
            cel: read(rule, "cel")?,
            message: read(rule, "message")?,
            at: read(rule, "at"),
            operations: read(rule, "operations").unwrap_or_default(),
            severity: (rule.text_if("severity") == Some("warning")).then_some(Severity::Warning),
            reason: read(rule, "reason"),
            ..Rule::default()
        })
    };
    node.list("x-wireform-rules").iter().filter_map(rule).collect()
}

/// Reads the values of a member with a special meaning from `x-wireform-known-values`.
fn known(node: &Node<'_>) -> Named<Short<KnownValue>> {
    let value = |(name, value): (&str, Node<'_>)| {
        let (doc, aliases) = (read(&value, "description"), read(&value, "aliases").unwrap_or_default());
        (name.to_owned(), KnownValue { doc, aliases, ..KnownValue::default() }.into())
    };
    node.entries("x-wireform-known-values").into_iter().map(value).collect()
}

/// Restores the type, the names and the constraints that JSON Schema cannot express.
fn restore_type(node: &Node<'_>, schema: &Node<'_>, member: &mut Member) {
    let keys = &mut member.constraints;
    if node.has("x-wireform-schemes") && !node.has("x-wireform-pattern") {
        keys.pattern = None;
    }
    keys.encoding = read(node, "x-wireform-encoding").or(keys.encoding);
    keys.pattern = read(node, "x-wireform-pattern").or(keys.pattern.take());
    keys.schemes = read(node, "x-wireform-schemes").unwrap_or_else(|| std::mem::take(&mut keys.schemes));
    // A minimum of one element of a required list only means that it is present.
    let max_items = keys.items.filter(|items| items.min != items.max).and_then(|items| items.max);
    let most = max_items.map(|most| Range { max: Some(most), ..Range::default() });
    keys.items = read(node, "x-wireform-items").or(most);
    if let Some(range) = node.get("x-wireform-range") {
        keys.min = read(&range, "min").or(keys.min.take());
        keys.max = read(&range, "max").or(keys.max.take());
    }
    let bytes =
        schema.get("x-wireform-bytes").or_else(|| schema.get("items").and_then(|of| of.get("x-wireform-bytes")));
    if let Some(bytes) = bytes {
        keys.length = range(bytes.count("min"), bytes.count("max")).or(keys.length);
    }
    member.name = read(node, "x-wireform-name").or(member.name.take());
    member.aliases = read(node, "x-wireform-aliases").unwrap_or_else(|| std::mem::take(&mut member.aliases));
    if let Some(ty) = read(node, "x-wireform-type") {
        member.ty = ty;
        restore_values(node, schema, member);
    }
}

/// Restores the default, the constant and the example of a member from an OpenAPI document that was generated.
/// Those of 64-bit integers, which are strings in the document, become numbers.
fn restore_values(node: &Node<'_>, schema: &Node<'_>, member: &mut Member) {
    let is_number = node.has("x-wireform-encoding");
    let value = |key: &str| -> Option<Raw> {
        let found = schema.get(key).or_else(|| node.get(key))?.first_or_self()?;
        match found {
            Value::Text(text) | Value::Number(text) if is_number => Number::parse(&text).map(Number::to_raw),
            found => (!is_number).then(|| found.to_raw()),
        }
    };
    member.default = value("default").or(member.default.take());
    member.constraints.constant = value("const").or(member.constraints.constant.take());
    member.example = value("example").or_else(|| value("examples")).or(member.example.take());
}

impl Node<'_> {
    /// Returns the first element of a list, or the value itself if it is not a list.
    fn first_or_self(&self) -> Option<Value> {
        match self.value {
            Value::List(items) => items.first().cloned(),
            value => Some(value.clone()),
        }
    }
}
