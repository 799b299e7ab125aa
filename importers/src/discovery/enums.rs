//! Conversion of lists of values to enums.

use std::collections::BTreeSet;

use wireform_codegen::resolve::names::Casing;
use wireform_codegen::schema::Named;
use wireform_codegen::schema::enums::{EnumDef, EnumType, EnumValue};
use wireform_codegen::schema::shape::Short;

use super::form::Form;
use super::importer::Importer;
use crate::lowering::{DefinitionPath, deprecated, text};
use crate::names::{self, NameScope};
use crate::node::Node;
use crate::value::Value as Json;
use crate::value_kind::ValueKind;

/// Writes the list of values of a schema as an enum of this type; returns its name and its values, or `None` if there
/// are none.
pub fn write<'d>(
    importer: &mut Importer<'d>,
    node: &Node<'d>,
    place: &DefinitionPath,
    form: &Form,
) -> Option<(String, Vec<String>)> {
    let of_list = std::mem::take(&mut importer.of_values);
    let (values, listed) = values(node, form, of_list);
    if listed.is_empty() {
        let ty = form.ty.name().unwrap_or("any");
        node.loss(format!("becomes `{ty}`: its `enum` is empty"));
        return None;
    }
    let name = importer.lowering.type_name(&place.name);
    let number = form.ty.name().filter(|ty| *ty != "string").and_then(EnumType::from_word);
    let definition =
        EnumDef { doc: text(node.prose("description")), ty: number.map(Into::into), values, ..EnumDef::default() };
    node.set_definition(&name);
    importer.lowering.add(place, name.clone(), definition);
    Some((name, listed))
}

/// Returns the values with their descriptions, and the plain values.
fn values<'d>(node: &Node<'d>, form: &Form, of_list: Vec<Node<'d>>) -> (Named<Short<EnumValue>>, Vec<String>) {
    let docs = if of_list.is_empty() { node.list("enumDescriptions") } else { of_list };
    let obsolete = node.list("enumDeprecated");
    let items = node.list("enum");
    if docs.len() > items.len() || obsolete.len() > items.len() {
        node.loss("some descriptions are left out: there are more descriptions than values");
    }
    // Variant that every enum has for unlisted values.
    let mut taken = NameScope::with(&["Unknown"]);
    let (mut seen, mut values, mut listed) = (BTreeSet::new(), Named::default(), Vec::new());
    for (index, item) in items.iter().enumerate() {
        let Some(wire) = wire_value(item, form) else {
            docs.get(index).into_iter().chain(obsolete.get(index)).for_each(Node::mark_used);
            continue;
        };
        if !seen.insert(wire.clone()) {
            item.loss("the value is left out: duplicate value");
            docs.get(index).into_iter().chain(obsolete.get(index)).for_each(Node::mark_used);
            continue;
        }
        let doc = docs.get(index).and_then(Node::as_prose);
        let is_deprecated = obsolete.get(index).and_then(Node::as_flag) == Some(true);
        let name = taken.explicit_name(&wire, Casing::Type, "value", names::ident);
        item.note_name(name.as_deref());
        let deprecated = deprecated(is_deprecated);
        let value = EnumValue { doc: text(doc), name: text(name), deprecated, ..EnumValue::default() };
        values.push(wire.as_str(), value.into());
        listed.push(wire);
    }
    (values, listed)
}

/// Returns the wire form of a value; a value of another type is a loss.
fn wire_value(item: &Node<'_>, form: &Form) -> Option<String> {
    let ValueKind::Whole(min, most) = form.inner else { return item.as_text().map(str::to_owned) };
    item.mark_read();
    let written = match item.value {
        Json::Text(text) | Json::Number(text) => text.parse::<i128>().ok(),
        _ => None,
    };
    let number = written.filter(|number| (min..=most).contains(number)).map(|number| number.to_string());
    if number.is_none() {
        item.loss("the value is left out: it is not a number of this type");
    }
    number
}
