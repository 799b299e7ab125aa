//! Limits for types other than that of the schema, which have no effect (JSON Schema, Validation, section 6).

use crate::openapi::form::Form;
use crate::openapi::view::{Kind, View};
use crate::value_kind::ValueKind;

/// Keys that constrain numbers only.
const NUMBERS: &[&str] = &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
/// Keys that constrain strings only.
const TEXTS: &[&str] = &["minLength", "maxLength", "pattern"];
/// Keys that constrain arrays only.
const LISTS: &[&str] = &["minItems", "maxItems", "uniqueItems"];
/// Keys that constrain objects only.
const OBJECTS: &[&str] = &["minProperties", "maxProperties", "properties", "required"];

/// Reports limits that apply to other types.
pub fn report(view: &View<'_>, form: &Form<'_>, kind: Kind) {
    // A number that is encoded as text has the bounds of a number.
    let is_number = matches!(form.inner, ValueKind::Whole(..) | ValueKind::Float | ValueKind::Number);
    let own = match kind {
        Kind::Text if is_number => &[NUMBERS, TEXTS].concat(),
        Kind::Integer | Kind::Number => NUMBERS,
        Kind::Text => TEXTS,
        Kind::List => LISTS,
        Kind::Object => OBJECTS,
        Kind::Bool => &[],
    };
    // They apply to the other types of the value.
    if view.is_variant {
        return;
    }
    for node in &view.nodes {
        let keys = [NUMBERS, TEXTS, LISTS, OBJECTS].concat().into_iter().filter(|key| !own.contains(key));
        for limit in keys.filter_map(|key| node.get(key)) {
            limit.whole_note("left out: it has no effect on a value of this type");
        }
    }
}
