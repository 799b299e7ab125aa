//! Schemas of a document that are used in XML.

use std::collections::HashSet;

use wireform_codegen::model::Codec;

use super::MAX_REFERENCES;
use crate::node::Node;
use crate::value::Value;

/// Returns the schemas of the XML requests and responses of a document whose elements are defined.
pub fn documents<'d>(root: &Node<'d>) -> Vec<&'d Value> {
    let (mut open, mut found) = (vec![root.value], Vec::new());
    while let Some(value) = open.pop() {
        let content = if let Some(Value::Object(content)) = value.get("content") { content.as_slice() } else { &[] };
        let schemas = || content.iter().filter_map(|(media_type, one)| Some((media_type, one.get("schema")?)));
        for (_, of_xml) in schemas().filter(|(media_type, _)| is_xml(media_type)) {
            if is_document(root.value, of_xml) {
                // If JSON has an equal schema, both share a type, which is made from the first of them.
                found.extend(schemas().map(|(_, schema)| schema).filter(|schema| *schema == of_xml));
            }
        }
        open.extend(children(value));
    }
    found
}

/// Returns the schemas reachable from these, including themselves.
pub fn reachable_schemas<'d>(root: &Node<'d>, schemas: Vec<&'d Value>) -> HashSet<*const Value> {
    let (mut open, mut found) = (schemas, HashSet::new());
    while let Some(value) = open.pop() {
        if found.insert(std::ptr::from_ref(value)) {
            let name = value.component();
            open.extend(name.and_then(|name| root.value.get("components")?.get("schemas")?.get(name)));
            open.extend(children(value));
        }
    }
    found
}

/// Returns the values within a value.
fn children(value: &Value) -> Box<dyn Iterator<Item = &Value> + '_> {
    match value {
        Value::Object(members) => Box::new(members.iter().map(|(_, value)| value)),
        Value::List(items) => Box::new(items.iter()),
        _ => Box::new(std::iter::empty()),
    }
}

/// Returns whether a media type is XML.
pub fn is_xml(written: &str) -> bool {
    Codec::of(written) == Some(Codec::Xml)
}

/// Returns whether the values of a schema have elements, and are not plain text.
pub fn is_document(root: &Value, schema: &Value) -> bool {
    let mut open = vec![schema];
    for _ in 0..MAX_REFERENCES {
        let Some(schema) = open.pop() else { return false };
        let is_kind = |kind: &Value| matches!(kind.text(), Some("object" | "array"));
        let has_kind = match schema.get("type") {
            Some(Value::List(kinds)) => kinds.iter().any(is_kind),
            Some(kind) => is_kind(kind),
            None => ["properties", "items", "additionalProperties"].iter().any(|key| schema.get(key).is_some()),
        };
        if has_kind {
            return true;
        }
        let name = schema.component();
        open.extend(name.and_then(|name| root.get("components")?.get("schemas")?.get(name)));
        for key in ["allOf", "oneOf", "anyOf"] {
            if let Some(Value::List(all)) = schema.get(key) {
                open.extend(all);
            }
        }
    }
    false
}
