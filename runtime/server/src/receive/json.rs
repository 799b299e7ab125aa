//! Fields of forms as JSON.

use serde::de::IgnoredAny;
use wireform_runtime::form::FormKind;
use wireform_runtime::unions;

/// A value as JSON of its kind. A text that is none of that kind stays a text, which the reader then refuses with the
/// place of the member.
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

/// Whether what is written there would be JSON of one of these kinds. Where texts are among them, they are written as
/// they are: quotes are part of one. Where anything can be, quotes say that it is a text.
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

/// A text as JSON.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
