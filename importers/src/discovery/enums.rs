//! Lists of values → enums.

use std::collections::BTreeSet;

use serde_yaml::{Mapping, Value};
use wireform_codegen::resolve::names::Casing;

use super::draft::Draft;
use super::types::Form;
use crate::draft::Place;
use crate::files::{Kind, put};
use crate::inner::Inner;
use crate::names::{self, Names};
use crate::node::Node;
use crate::prose;
use crate::value::Value as Json;

/// Writes the list of values of a schema as an enum of this type; gives its name and its values, or nothing where it has
/// none.
pub fn write<'d>(draft: &mut Draft<'d>, node: &Node<'d>, place: &Place, form: &Form) -> Option<(String, Vec<String>)> {
    let of_list = std::mem::take(&mut draft.of_values);
    let (values, listed) = values(node, form, of_list);
    if listed.is_empty() {
        let ty = form.ty.as_str().unwrap_or("any");
        node.loss(format!("becomes `{ty}`: its list of values is empty"));
        return None;
    }
    draft.made.counts.enums += 1;
    draft.made.counts.enum_values += listed.len();
    let name = draft.made.type_name(&place.name);
    let mut body = Mapping::new();
    put(&mut body, "doc", node.text("description").and_then(prose::paragraph));
    put(&mut body, "type", form.ty.as_str().filter(|ty| *ty != "string"));
    put(&mut body, "values", Some(values));
    draft.made.add(place, Kind::Enum, name.clone(), body);
    Some((name, listed))
}

/// The values with what is said of each, and the values alone.
fn values<'d>(node: &Node<'d>, form: &Form, of_list: Vec<Node<'d>>) -> (Mapping, Vec<String>) {
    let docs = if of_list.is_empty() { node.list("enumDescriptions") } else { of_list };
    let deprecated = node.list("enumDeprecated");
    let items = node.list("enum");
    if docs.len() > items.len() || deprecated.len() > items.len() {
        node.loss("descriptions are left out: there are more of them than values");
    }
    // The variant that every enum has for values that it does not list.
    let mut taken = Names::with(&["Unknown"]);
    let (mut seen, mut values, mut listed) = (BTreeSet::new(), Mapping::new(), Vec::new());
    for (index, item) in items.iter().enumerate() {
        let Some(wire) = on_the_wire(item, form) else {
            docs.get(index).into_iter().chain(deprecated.get(index)).for_each(Node::take);
            continue;
        };
        if !seen.insert(wire.clone()) {
            item.loss("the value is left out: it is there twice");
            docs.get(index).into_iter().chain(deprecated.get(index)).for_each(Node::take);
            continue;
        }
        let doc = docs.get(index).and_then(Node::as_text).and_then(prose::paragraph);
        let is_deprecated = deprecated.get(index).and_then(Node::as_flag) == Some(true);
        let name = taken.beside(&wire, Casing::Type, "value", names::ident);
        item.note_name(name.as_deref());
        values.insert(Value::from(wire.as_str()), value(name, doc, is_deprecated));
        listed.push(wire);
    }
    (values, listed)
}

/// A value as the schema lists it; nothing, and a loss, where it is none of the type.
fn on_the_wire(item: &Node<'_>, form: &Form) -> Option<String> {
    let Inner::Whole(least, most) = form.inner else { return item.as_text().map(str::to_owned) };
    item.read();
    let written = match item.value {
        Json::Text(text) | Json::Number(text) => text.parse::<i128>().ok(),
        _ => None,
    };
    let number = written.filter(|number| (least..=most).contains(number)).map(|number| number.to_string());
    if number.is_none() {
        item.loss("the value is left out: it is no number of this type");
    }
    number
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
