//! Schemas with members → resources.

use serde_yaml::{Mapping, Value};
use wireform_codegen::resolve::names::Casing;

use super::draft::{Draft, Target};
use super::members::{self, Side};
use super::{types, variants};
use crate::draft::Place;
use crate::files::{Kind, put};
use crate::names::{self, Names};
use crate::node::Node;
use crate::prose;
use crate::value::Value as Json;

/// What a schema with a name can say: the keys of types are told of where nothing is made of them.
const KEYS: [&str; 13] = [
    "$ref",
    "additionalProperties",
    "deprecated",
    "description",
    "enum",
    "enumDeprecated",
    "enumDescriptions",
    "format",
    "id",
    "items",
    "properties",
    "type",
    "variant",
];

/// Where the resources of a document stand.
fn place(name: &str) -> Place {
    // One file for each first letter, so that a definition that comes in moves few others.
    let letter = name.chars().find(char::is_ascii_alphabetic).map_or('z', |letter| letter.to_ascii_lowercase());
    Place { bucket: format!("types-{letter}"), owner: name.to_owned(), name: name.to_owned() }
}

/// Whether a schema has members, or can have them.
fn is_resource(node: &Node<'_>) -> bool {
    match node.text("type") {
        None => node.has("properties"),
        Some("object") => node.has("properties") || !node.has("additionalProperties") && !node.has("format"),
        Some(_) => false,
    }
}

/// Gives every schema of the document its name, before anything refers to it.
pub fn define<'d>(draft: &mut Draft<'d>, document: &Node<'d>) {
    for (id, node) in document.objects("schemas") {
        let is_union = variants::is_variant(&node);
        let target = if is_union || is_resource(&node) {
            let name = draft.made.type_name(id);
            if name != id {
                node.note(format!("it is called `{name}`, because its own name cannot be used or is taken"));
            }
            if is_union { Target::Union(name) } else { Target::Resource(name) }
        } else {
            node.note("its name is left out: it has no members, so that it is written out wherever it is used");
            Target::Plain(None)
        };
        if let Some(own) = node.text("id").filter(|own| *own != id) {
            node.note(format!("`id: {}` is left out: references name the key", own.escape_debug()));
        }
        draft.made.counts.schemas += 1;
        draft.targets.insert(id, target);
    }
}

/// Writes the resources of the document.
pub fn write<'d>(draft: &mut Draft<'d>, document: &Node<'d>) {
    for (id, node) in document.objects("schemas") {
        match draft.targets.get(id).cloned() {
            Some(Target::Union(name)) => {
                node.only(&KEYS);
                variants::write(draft, &node, &place(&name));
            }
            Some(Target::Resource(name)) => {
                node.only(&KEYS);
                types::rest(&node, "members", &["type", "properties", "additionalProperties"]);
                if let Some(variant) = node.get("variant") {
                    variant
                        .whole_loss("left out: it belongs to a schema without members, and says their member and map");
                }
                resource(draft, &node, &place(&name), node.text("description"));
            }
            _ => {}
        }
    }
}

/// Writes an object with members under the name of its place.
pub fn resource<'d>(draft: &mut Draft<'d>, node: &Node<'d>, place: &Place, doc: Option<&str>) {
    let mut body = Mapping::new();
    put(&mut body, "doc", doc.and_then(prose::paragraph));
    let mut taken = Names::with(&["unknown_members"]);
    let mut fields = Mapping::new();
    for (wire, field) in node.objects("properties") {
        draft.made.counts.properties += 1;
        let name = taken.beside(wire, Casing::Member, "member", names::ident);
        field.note_name(name.as_deref());
        let inner = Place { name: format!("{}{}", place.name, names::pascal(wire)), ..place.clone() };
        fields.insert(Value::from(wire), Value::Mapping(members::member(draft, &field, &inner, name, Side::Field)));
    }
    put(&mut body, "fields", Some(fields));
    if let Some(more) = node.get("additionalProperties").filter(|more| *more.value != Json::Bool(false)) {
        rest(draft, &more, place, &mut taken, &mut body);
    }
    put(&mut body, "deprecated", node.flag("deprecated").then_some(true));
    draft.made.add(place, Kind::Resource, place.name.clone(), body);
}

/// Says what members beside the named ones hold.
fn rest<'d>(draft: &mut Draft<'d>, more: &Node<'d>, place: &Place, taken: &mut Names, body: &mut Mapping) {
    if *more.value == Json::Bool(true) {
        more.read();
        put(body, "unknown_members", Some("preserve"));
        return;
    }
    let form = types::element(draft, Some(more.clone()), more, place, 0, "Rest");
    let doc = form.element_doc.or(form.doc);
    if form.ty == "any" && doc.is_none() {
        put(body, "unknown_members", Some("preserve"));
        return;
    }
    let mut rest = Mapping::new();
    put(&mut rest, "type", Some(form.ty));
    put(&mut rest, "doc", doc);
    put(&mut rest, "name", taken.beside("rest", Casing::Member, "member", names::ident));
    put(&mut rest, "encoding", form.encoding);
    put(&mut rest, "format", form.format);
    put(body, "rest", Some(rest));
}
