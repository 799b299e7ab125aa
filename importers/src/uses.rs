//! Which definitions something refers to. A schema of the document that nothing uses is there on purpose; a part that was
//! named after its place and is used nowhere in the end is left out again.

use std::collections::{BTreeMap, BTreeSet};

use serde_yaml::{Mapping, Value};

use crate::files::{Item, Kind, put};

/// Keys whose value is a type, or a mapping with a type in it.
const TYPES: [&str; 6] = ["type", "body", "response", "metadata", "success", "rest"];

/// Keys whose values are types by names.
const TYPES_BY_NAME: [&str; 2] = ["variants", "responses"];

/// Keys whose values have names that mean nothing here.
const BY_NAME: [&str; 6] = ["fields", "path", "query", "headers", "cookies", "errors"];

/// Leaves out the parts that nothing uses, and says of the other types that nothing uses that they are there on purpose.
pub fn settle(items: Vec<Item>, api: &Mapping) -> Vec<Item> {
    let mut used = BTreeSet::new();
    names(api, &mut used);
    let sets = api.get("parameter_sets").and_then(Value::as_mapping);
    sets.into_iter().flatten().filter_map(|(_, set)| set.as_mapping()).for_each(|set| by_name(set, &mut used));
    let mut parts: BTreeMap<&str, &Item> = BTreeMap::new();
    for item in &items {
        if is_part(item) {
            parts.insert(&item.name, item);
        } else {
            names(&item.body, &mut used);
        }
    }
    let mut open: Vec<String> = used.iter().cloned().collect();
    let mut seen = BTreeSet::new();
    while let Some(name) = open.pop() {
        let Some(part) = parts.get(name.as_str()).filter(|_| seen.insert(name.clone())) else { continue };
        let mut more = BTreeSet::new();
        names(&part.body, &mut more);
        open.extend(more.iter().cloned());
        used.extend(more);
    }
    let stays = |item: &Item| !is_part(item) || used.contains(&item.name);
    items.into_iter().filter(stays).map(|item| marked(item, &used)).collect()
}

fn marked(mut item: Item, used: &BTreeSet<String>) -> Item {
    if item.kind != Kind::Operation && !used.contains(&item.name) {
        put(&mut item.body, "external", Some(Value::Bool(true)));
    }
    item
}

/// Whether a definition has no name in the document.
fn is_part(item: &Item) -> bool {
    item.kind != Kind::Operation && item.owner != item.name
}

/// The names of the types that a definition refers to.
fn names(body: &Mapping, into: &mut BTreeSet<String>) {
    for (key, value) in body {
        match (key.as_str().unwrap_or_default(), value) {
            (key, value) if TYPES.contains(&key) => ty(value, into),
            (key, Value::Mapping(named)) if TYPES_BY_NAME.contains(&key) => {
                named.values().for_each(|value| ty(value, into));
            }
            (key, Value::Mapping(named)) if BY_NAME.contains(&key) => {
                by_name(named, into);
                // What all errors of an API have stands under the same key.
                named.get("body").into_iter().for_each(|body| ty(body, into));
            }
            ("long_running", Value::Mapping(inner)) => names(inner, into),
            _ => {}
        }
    }
}

fn by_name(named: &Mapping, into: &mut BTreeSet<String>) {
    named.values().filter_map(Value::as_mapping).for_each(|inner| names(inner, into));
}

/// The names in a type, or in a mapping with a type and more.
fn ty(value: &Value, into: &mut BTreeSet<String>) {
    match value {
        Value::String(name) => {
            into.insert(name.trim_end_matches('?').to_owned());
        }
        Value::Sequence(items) => items.iter().for_each(|item| ty(item, into)),
        Value::Mapping(map) => {
            map.get("string").into_iter().for_each(|value| ty(value, into));
            names(map, into);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Kind, settle};
    use crate::files::Item;

    fn item(kind: Kind, owner: &str, name: &str, body: &str) -> Item {
        let body = serde_yaml::from_str(body).unwrap_or_default();
        Item { bucket: "types".to_owned(), owner: owner.to_owned(), kind, name: name.to_owned(), body }
    }

    #[test]
    fn parts_that_nothing_uses_go_and_schemas_that_nothing_uses_stay_on_purpose() {
        let api = serde_yaml::from_str(
            "{ errors: { body: Failure }, parameter_sets: { standard: { alt: { type: Form } } } }",
        );
        let items = vec![
            item(
                Kind::Operation,
                "a.get",
                "a.get",
                "{ query: { type: { type: [Letter] } }, response: { type: { string: Note? } } }",
            ),
            item(Kind::Resource, "Failure", "Failure", "{ fields: { type: { type: string } } }"),
            item(Kind::Enum, "Form", "Form", "{ values: { Alone: {} } }"),
            item(Kind::Enum, "a.get", "Letter", "{ values: { a: {} } }"),
            item(Kind::Resource, "Note", "Note", "{ doc: Lost, fields: { part: { type: NotePart } } }"),
            item(Kind::Union, "Note", "NotePart", "{ variants: { a: [NoteInner], b: { type: string } } }"),
            item(Kind::Resource, "Note", "NoteInner", "{ fields: {} }"),
            item(Kind::Resource, "Note", "Lost", "{ fields: { deeper: { type: Deeper } } }"),
            item(Kind::Resource, "Note", "Deeper", "{ fields: { lost: { type: Lost } } }"),
            item(Kind::Resource, "Alone", "Alone", "{ fields: {} }"),
        ];
        let left: BTreeMap<String, bool> = settle(items, &api.unwrap_or_default())
            .into_iter()
            .map(|item| (item.name, item.body.contains_key("external")))
            .collect();
        let names: Vec<&str> = left.keys().map(String::as_str).collect();
        assert_eq!(names, ["Alone", "Failure", "Form", "Letter", "Note", "NoteInner", "NotePart", "a.get"]);
        assert_eq!(
            left.into_iter().filter(|(_, external)| *external).map(|(name, _)| name).collect::<Vec<_>>(),
            ["Alone"]
        );
    }
}
