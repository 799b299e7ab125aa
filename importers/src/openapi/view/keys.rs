//! Keywords of schemas.

use wireform_codegen::diagnostics::nearest;

use crate::node::Node;
use crate::unread::CONDITIONS;
use crate::value::Value;

/// Annotations, which do not constrain values.
pub const ANNOTATIONS: [&str; 20] = [
    "$ref",
    "$comment",
    "$id",
    "$schema",
    "$anchor",
    "$defs",
    "default",
    "deprecated",
    "description",
    "discriminator",
    "example",
    "examples",
    "externalDocs",
    "nullable",
    "readOnly",
    "summary",
    "title",
    "writeOnly",
    "xml",
    "allOf",
];

/// Keywords that limit a value without defining its type.
pub const LIMITS: [&str; 14] = [
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "pattern",
    "uniqueItems",
];

/// Keywords that define the kind of values; together with [`LIMITS`], all that constrain values.
pub const STRUCTURE: [&str; 16] = [
    "additionalProperties",
    "anyOf",
    "const",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "enum",
    "items",
    "oneOf",
    "patternProperties",
    "prefixItems",
    "properties",
    "propertyNames",
    "required",
    "type",
    "unevaluatedProperties",
];

/// Keywords that constrain values and are not supported. Any other unknown keyword is an annotation (JSON Schema 2020-12,
/// section 4.3.1).
const UNSUPPORTED: [&str; 11] = [
    "$dynamicRef",
    "$recursiveRef",
    "additionalItems",
    "contains",
    "dependencies",
    "disallow",
    "divisibleBy",
    "extends",
    "maxContains",
    "minContains",
    "unevaluatedItems",
];

/// Reports the keywords of a schema that are not known: annotations are notes, once per kind, and keywords that constrain
/// values, or are probably misspelled ones, are losses.
pub fn report_unknown(node: &Node<'_>) {
    node.mark_read();
    let Value::Object(members) = node.value else { return };
    // A schema can be a part of thousands of others.
    if !node.is_first_visit() {
        return;
    }
    let constraining = || STRUCTURE.into_iter().chain(LIMITS).chain(["allOf", "$ref"]);
    for (key, value) in members {
        let is_constraining = constraining().any(|known| known == key);
        let is_annotation = ANNOTATIONS.contains(&key.as_str()) || key.starts_with("x-");
        let node = node.child_at(key, value);
        if is_constraining || CONDITIONS.contains(&key.as_str()) {
            report_empty(&node, key);
            continue;
        }
        if is_annotation {
            if key == "$id" {
                node.note_once("keyword $id", "`$id` is left out: references are relative to the file");
            }
            continue;
        }
        if UNSUPPORTED.contains(&key.as_str()) {
            node.whole_loss("left out: the schema language does not support it");
        } else if let Some(near) = nearest(key, constraining()) {
            node.whole_loss(format!("left out: unknown keyword; did you mean `{near}`?"));
        } else {
            let key = key.escape_debug();
            let what = format!("`{key}` is left out: an unknown keyword is an annotation");
            node.whole_note_once(&format!("keyword {key}"), what);
        }
    }
}

/// Keywords whose values are lists that cannot be empty.
const NONEMPTY: [&str; 6] = ["allOf", "anyOf", "enum", "oneOf", "prefixItems", "type"];

/// Reports a keyword that constrains nothing: null is only a constant, and a list is not empty.
fn report_empty(node: &Node<'_>, key: &str) {
    match node.value {
        Value::Null if key != "const" => node.whole_loss(format!("left out: null is not a value of `{key}`")),
        Value::List(items) if items.is_empty() && NONEMPTY.contains(&key) => {
            node.whole_loss(format!("left out: expected at least one value in `{key}`"));
        }
        _ => {}
    }
}
