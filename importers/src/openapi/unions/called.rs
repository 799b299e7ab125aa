//! What variants are called that no member tells apart.

use super::Case;
use crate::names;
use crate::openapi::view::{Kind, View};

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
    let word = if view.values.is_some() { "word" } else { word(view.kind()) };
    named.filter(|named| !named.is_empty()).unwrap_or_else(|| word.to_owned())
}
