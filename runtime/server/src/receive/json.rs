//! Conversion of form fields to JSON.

use serde::de::IgnoredAny;
use wireform_runtime::__private::unions;
use wireform_runtime::form::FormKind;

/// Converts a value to JSON of a kind. A text of another kind becomes a string, which the decoder then rejects with the
/// path of the field.
pub(super) fn written(kind: FormKind, kinds: u8, text: &str) -> String {
    let tight = text.trim_ascii().len() == text.len();
    let as_it_is = match kind {
        FormKind::Text | FormKind::File => false,
        FormKind::Bool => matches!(text, "true" | "false"),
        FormKind::Number => tight && serde_json::from_str::<serde_json::Number>(text).is_ok(),
        FormKind::Json => is_of(kinds, text) && serde_json::from_str::<IgnoredAny>(text).is_ok(),
    };
    if as_it_is { text.to_owned() } else { quoted(text) }
}

/// Returns whether the text is JSON of one of these kinds. If strings are among them, texts are used literally, with
/// their quotes. If anything is allowed, quotes mark a string.
fn is_of(kinds: u8, text: &str) -> bool {
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
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
