//! Lists of values → enums.

use std::collections::BTreeSet;

use serde_yaml::{Mapping, Value};
use wireform_codegen::resolve::names::Casing;

use super::draft::Draft;
use crate::draft::Place;
use crate::files::{Kind, put};
use crate::names::{self, Names};
use crate::node::Node;
use crate::prose;
use crate::value::Value as Json;

/// Writes the list of values of a schema as an enum; gives its name and its values, or nothing where it has none.
pub fn write<'d>(draft: &mut Draft<'d>, node: &Node<'d>, place: &Place) -> Option<(String, Vec<String>)> {
    let docs = node.list("enumDescriptions");
    let deprecated = node.list("enumDeprecated");
    let items = node.list("enum");
    if docs.len() > items.len() || deprecated.len() > items.len() {
        node.loss("descriptions are left out: there are more of them than values");
    }
    // The variant that every enum has for values that it does not list.
    let mut taken = Names::with(&["Unknown"]);
    let (mut seen, mut values, mut listed) = (BTreeSet::new(), Mapping::new(), Vec::new());
    for (index, item) in items.iter().enumerate() {
        let Some(wire) = item.value.text() else {
            item.loss("the value is left out: text belongs here");
            continue;
        };
        if !seen.insert(wire) {
            item.loss("the value is left out: it is there twice");
            continue;
        }
        let doc = docs.get(index).and_then(|doc| doc.value.text()).and_then(prose::paragraph);
        let is_deprecated = deprecated.get(index).is_some_and(|flag| *flag.value == Json::Bool(true));
        let name = taken.beside(wire, Casing::Type, "value", names::ident);
        values.insert(Value::from(wire), value(name, doc, is_deprecated));
        listed.push(wire.to_owned());
    }
    if listed.is_empty() {
        node.loss("becomes `string`: its list of values is empty");
        return None;
    }
    draft.made.counts.enums += 1;
    draft.made.counts.enum_values += listed.len();
    let name = draft.made.type_name(&place.name);
    let mut body = Mapping::new();
    put(&mut body, "doc", node.text("description").and_then(prose::paragraph));
    put(&mut body, "values", Some(values));
    draft.made.add(place, Kind::Enum, name.clone(), body);
    Some((name, listed))
}

fn value(name: Option<String>, doc: Option<String>, deprecated: bool) -> Value {
    if let (None, Some(doc), false) = (&name, &doc, deprecated) {
        return Value::String(doc.clone());
    }
    let mut body = Mapping::new();
    put(&mut body, "name", name);
    put(&mut body, "doc", doc);
    put(&mut body, "deprecated", deprecated.then_some(true));
    Value::Mapping(body)
}
