//! Help for structural errors: a type in place of the mapping of a field, fields directly in a resource, a text that a
//! comma has split.

use super::types::type_expression_help;
use crate::schema::yaml::{Entry, Node, Style, Value};

/// Returns the help for a type in place of the mapping of a field or parameter.
pub fn member_help(node: &Node) -> Option<String> {
    if let Value::List(items) = &node.value {
        let [element] = items.as_slice() else { return None };
        return Some(format!("write `{{ type: [{}], doc: … }}`", element.text()?.escape_debug()));
    }
    let text = node.text().filter(|text| !text.is_empty() && !node.is_null())?;
    if let Some(required) = text.strip_suffix('!') {
        return Some(format!("write `{{ type: {}, required: true, doc: … }}`", required.escape_debug()));
    }
    if let Some(help) = type_expression_help(text) {
        return Some(format!("{help}, as `type:` in a mapping"));
    }
    Some(format!("write `{{ type: {}, doc: … }}`", text.trim_end_matches('?').escape_debug()))
}

/// Returns the help for a list of names in place of the mapping of an enum.
pub fn enum_values_help(node: &Node) -> Option<String> {
    let Value::List(items) = &node.value else { return None };
    let names: Vec<&str> = items.iter().take(3).map(Node::text).collect::<Option<_>>()?;
    Some(format!("write `values:` with a description of each value: `{{ values: {{ {}: … }} }}`", names.join(": …, ")))
}

/// Returns the help for a string as the location of the runtime.
pub fn runtime_help(text: &str) -> String {
    let key = match text {
        text if text.contains("://") || text.starts_with("git@") => "git",
        text if text.starts_with(|c: char| c.is_ascii_digit()) => "version",
        _ => "path",
    };
    let quote = if key == "path" { "" } else { "'" };
    format!("write `runtime: {{ {key}: {quote}{}{quote} }}`", text.escape_debug())
}

/// Returns the help for the name of a field, value, operation or status that is a level too high or too low.
pub fn misplaced_entry_help(construct: &str, entry: &Entry) -> Option<String> {
    let key = entry.key.escape_debug();
    let is_status = entry.key.len() == 3 && entry.key.bytes().all(|byte| byte.is_ascii_digit());
    match (construct, &entry.value.value) {
        ("resource", Value::Map(keys)) if keys.iter().any(|key| key.key == "type") => {
            Some(format!("declare fields under `fields:`: `fields: {{ {key}: … }}`"))
        }
        ("resource", Value::Scalar(text, Style::Plain)) if !text.contains(' ') && !entry.value.is_null() => {
            Some(format!("declare fields under `fields:`: `fields: {{ {key}: {{ type: {text} }} }}`"))
        }
        ("enum", Value::Scalar(..)) if !entry.value.is_null() => {
            Some(format!("declare values under `values:`: `values: {{ {key}: … }}`"))
        }
        ("operation", Value::Map(keys)) if keys.iter().any(|key| key.key == "http") => {
            Some(format!("name the operation with its group, next to the other operations: `items.{key}:`"))
        }
        ("response", value) if is_status => {
            let ty = if let Value::Scalar(text, _) = value { text.as_str() } else { "Event" };
            Some(format!("write the status before the type, under `responses:`: `responses: {{ {key}: {ty} }}`"))
        }
        ("errors", _) if is_status => Some(
            "declare the errors of an operation under its own `errors:`, by status; these keys describe the body of \
                all errors"
                .to_owned(),
        ),
        _ => None,
    }
}

/// Returns the help for parameters in place of the names of parameter sets: a mapping of parameters, or an entry of a
/// list as in OpenAPI.
pub fn parameters_help(node: &Node, expected: &str) -> Option<&'static str> {
    let Value::Map(entries) = &node.value else { return None };
    let has = |entries: &[Entry], key: &str| entries.iter().any(|entry| entry.key == key);
    let is_parameter = |value: &Value| matches!(value, Value::Map(keys) if has(keys, "type"));
    let is_one = expected == "a string" && has(entries, "name") && has(entries, "in");
    let are_all = expected == "a list" && entries.iter().any(|entry| is_parameter(&entry.value.value));
    (is_one || are_all).then_some(
        "declare the parameters of an operation under `path:`, `query:`, `headers:` or `cookies:`, by name: `query: { \
            limit: { type: uint32 } }`",
    )
}

/// Returns the help for a text in a flow mapping that a comma has split, so that the rest is a key without a value.
pub fn split_text_help(entries: &[Entry], index: usize) -> Option<String> {
    let torn = entries.get(index)?;
    let before = entries.get(index.checked_sub(1)?)?;
    let Value::Scalar(text, Style::Plain) = &before.value.value else { return None };
    // In a block mapping the next key is on another line.
    let is_adjacent = torn.key_span.start.saturating_sub(before.value.span.end) <= 2;
    let is_torn = torn.value.text() == Some("") && torn.value.is_null() && is_adjacent && !before.value.is_null();
    is_torn.then(|| {
        let whole = format!("{text}, {}", torn.key).replace('\'', "''");
        format!("quote a string that contains a comma: `{}: '{whole}'`", before.key.escape_debug())
    })
}
