//! Enums with values that are strings, numbers and booleans: the text of each value is its JSON.

use std::borrow::Cow;

use serde::ser::Serializer;

use super::{OpenEnum, UnknownValue};

/// Returns the value with exactly this text.
pub(super) fn from_exact_text<E: OpenEnum>(text: String) -> E {
    E::parse_known(&text).unwrap_or_else(|| E::from_unknown(UnknownValue::new_unchecked(text)))
}

/// Returns the JSON of a string.
pub(super) fn quote(text: &str) -> String {
    // Serializing a string does not fail.
    serde_json::to_string(text).unwrap_or_default()
}

/// Returns the value of a text that is JSON, or a string without its quotes. Known values take precedence, strings
/// before other types.
pub(super) fn from_text<E: OpenEnum>(text: &str) -> E {
    let quote = quote(text);
    match E::parse_known(&quote).or_else(|| E::parse_known(text)) {
        Some(known) => known,
        None => from_exact_text(if is_scalar(text) { text.to_owned() } else { quote }),
    }
}

/// Returns whether a text is the JSON of a string, a number or a boolean.
fn is_scalar(text: &str) -> bool {
    use serde_json::Value;
    let value = if text.starts_with(['{', '[']) { None } else { serde_json::from_str(text).ok() };
    matches!(value, Some(Value::String(_) | Value::Number(_) | Value::Bool(_)))
}

/// Returns the string of a quoted text, and any other text unchanged.
pub(super) fn unquote(text: &str) -> Cow<'_, str> {
    match text.starts_with('"').then(|| serde_json::from_str(text)) {
        Some(Ok(plain)) => Cow::Owned(plain),
        _ => Cow::Borrowed(text),
    }
}

/// Writes the value that a text is the JSON of; any other text is written as a string.
pub(super) fn write<S: Serializer>(text: &str, s: S) -> Result<S::Ok, S::Error> {
    match text {
        "true" => s.serialize_bool(true),
        "false" => s.serialize_bool(false),
        text if text.starts_with('"') => s.serialize_str(&unquote(text)),
        text if is_scalar(text) => super::write_number(text, s),
        text => s.serialize_str(text),
    }
}
