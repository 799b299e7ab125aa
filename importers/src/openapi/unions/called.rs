//! What variants are called that no member tells apart.

use super::Case;
use crate::names;
use crate::openapi::view::{Kind, View};
use crate::value::Value;

/// What a value of a kind is called.
pub const fn word(kind: Option<Kind>) -> &'static str {
    match kind {
        Some(Kind::Bool) => "flag",
        Some(Kind::Integer) => "count",
        Some(Kind::Number) => "number",
        Some(Kind::Text) => "text",
        Some(Kind::List) => "list",
        Some(Kind::Object) => "object",
        None => "value",
    }
}

/// What a value is called of which some are listed, or none: texts that are listed are words.
fn of_values(view: &View<'_>) -> &'static str {
    match view.values.iter().flatten().next().map(|value| value.value) {
        None => word(view.kind()),
        Some(Value::Number(_)) => word(view.kind().or(Some(Kind::Number))),
        Some(Value::Bool(_)) => word(Some(Kind::Bool)),
        Some(_) => "word",
    }
}

/// What a variant is called without a discriminator.
pub fn called(case: &Case<'_>, view: &View<'_>) -> String {
    let said = case.component.or_else(|| view.text("title"));
    if let (Some(said), Some(node)) = (said.filter(|said| names::is_cut(said)), case.nodes.last()) {
        let (name, said) = (names::kebab(said), said.escape_debug());
        node.note_alike(
            &format!("variant {said}"),
            format!("the variant is called `{name}`, after the beginning of `{said}`"),
        );
    }
    let named = said.map(names::kebab);
    named.filter(|named| !named.is_empty()).unwrap_or_else(|| of_values(view).to_owned())
}
