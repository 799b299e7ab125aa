//! Conversion of form fields to JSON.

use serde::de::IgnoredAny;
use wireform_runtime::__private::unions;
use wireform_runtime::Number;
use wireform_runtime::form::FormFieldKind;

/// Converts a value to JSON of a kind. A text of another kind becomes a string, which the decoder then rejects with the
/// path of the field.
pub(super) fn to_json(kind: FormFieldKind, kinds: u8, text: &str) -> String {
    let as_it_is = match kind {
        FormFieldKind::Text | FormFieldKind::File => false,
        FormFieldKind::Bool => matches!(text, "true" | "false"),
        FormFieldKind::Number => Number::parse(text).is_ok(),
        FormFieldKind::Json => matches_kinds(kinds, text) && serde_json::from_str::<IgnoredAny>(text).is_ok(),
    };
    if as_it_is { text.to_owned() } else { to_json_string(text) }
}

/// Returns whether the text is JSON of one of these kinds. If strings are among them, texts are used literally, with
/// their quotes. If anything is allowed, quotes mark a string.
fn matches_kinds(kinds: u8, text: &str) -> bool {
    let kind = match text.trim_ascii_start().as_bytes().first() {
        Some(b'{') => unions::OBJECT,
        Some(b'[') => unions::LIST,
        Some(b'"') => return kinds == unions::ANY,
        Some(b't' | b'f') => unions::BOOL,
        Some(b'n') => return kinds & unions::TEXT == 0 || kinds == unions::ANY,
        _ => unions::INTEGER | unions::FRACTION,
    };
    kinds & kind != 0
}

/// Returns a text as a JSON string.
pub(super) fn to_json_string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
