//! Keys that belong to another version of the specification than that of the document.

use crate::node::Node;
use crate::openapi::view::{LIMITS, STRUCTURE};
use crate::unread::CONDITIONS;
use crate::value::Value;

/// Version of a document.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Version {
    /// 3.0.
    V30,
    /// 3.1.
    V31,
}

impl Version {
    /// Returns the version of a document.
    pub fn of(root: &Node<'_>) -> Self {
        match root.value.get("openapi") {
            Some(Value::Text(text) | Value::Number(text)) if text.starts_with("3.0") => Self::V30,
            _ => Self::V31,
        }
    }

    /// Reports a key of another version, once for all of its occurrences.
    fn report(self, node: &Node<'_>, key: &str) {
        let (own, other) = if self == Self::V30 { ("3.0", "3.1") } else { ("3.1", "3.0") };
        let what = format!("`{key}` is part of OpenAPI {other}, and is read as there, in a document of version {own}");
        node.note_once(&format!("version {key}"), what);
    }
}

/// Keywords of schemas that version 3.0 does not have.
const NEW_KEYWORDS: [&str; 17] = [
    "$defs",
    "const",
    "contains",
    "contentEncoding",
    "contentMediaType",
    "dependentRequired",
    "dependentSchemas",
    "else",
    "examples",
    "if",
    "patternProperties",
    "prefixItems",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
    "contentSchema",
];

/// Returns whether each operation must have responses.
pub fn requires_responses(version: Version) -> bool {
    version == Version::V30
}

/// Reports keys of the document itself.
pub fn document(version: Version, root: &Node<'_>) {
    if version == Version::V31 {
        return;
    }
    let of = |node: Option<&Node<'_>>, keys: &[&str]| {
        let Some(node) = node else { return };
        keys.iter().filter(|key| node.has(key)).for_each(|key| version.report(&node.child_at(key, node.value), key));
    };
    of(Some(root), &["jsonSchemaDialect", "webhooks"]);
    of(root.get("info").as_ref(), &["summary"]);
}

/// Reports components that are path items.
pub fn path_items(version: Version, section: &Node<'_>) {
    if version == Version::V30 {
        version.report(section, "pathItems");
    }
}

/// Reports a type of a security scheme.
pub fn security_scheme(version: Version, scheme: &Node<'_>) {
    if version == Version::V30 && scheme.text_if("type") == Some("mutualTLS") {
        version.report(scheme, "mutualTLS");
    }
}

/// Keywords next to `$ref` that change a type or a value, besides those that constrain values.
const CHANGING: [&str; 7] = ["allOf", "default", "discriminator", "nullable", "readOnly", "writeOnly", "xml"];

/// Reports keywords next to `$ref`, which version 3.0 ignores, unless they repeat those of the target, once per keyword.
fn siblings(root: &Node<'_>, schema: &Node<'_>) {
    let Some(target) = schema.component().and_then(|name| root.schema(name)) else { return };
    let changes = |key: &&str| {
        let is_unset =
            *key != "default" && CHANGING.contains(key) && schema.value.get(key) == Some(&Value::Bool(false));
        schema.has(key) && !is_unset && schema.value.get(key) != target.value.get(key)
    };
    for key in CHANGING.iter().chain(&STRUCTURE).chain(&LIMITS).chain(&CONDITIONS).filter(|key| changes(key)) {
        let what = format!("`{key}` next to `$ref` is read as in OpenAPI 3.1; in version 3.0 it is ignored");
        schema.note_once(&format!("sibling {key}"), what);
    }
}

/// Reports keywords of a schema.
pub fn schema(version: Version, root: &Node<'_>, schema: &Node<'_>) {
    if version == Version::V31 {
        if schema.has("nullable") {
            version.report(schema, "nullable");
        }
        for key in ["exclusiveMaximum", "exclusiveMinimum"] {
            if matches!(schema.value.get(key), Some(Value::Bool(_))) {
                version.report(schema, key);
            }
        }
        return;
    }
    siblings(root, schema);
    NEW_KEYWORDS.iter().filter(|key| schema.has(key)).for_each(|key| version.report(schema, key));
    for key in ["exclusiveMaximum", "exclusiveMinimum"] {
        if matches!(schema.value.get(key), Some(Value::Number(_))) {
            version.report(schema, key);
        }
    }
    let is_null = schema.text_if("type") == Some("null");
    if is_null || matches!(schema.value.get("type"), Some(Value::List(_))) {
        version.report(schema, if is_null { "type: null" } else { "type" });
    }
}
