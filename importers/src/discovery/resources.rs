//! Conversion of schemas with members to resources.

use wireform_codegen::resolve::names::Casing;
use wireform_codegen::schema::Resource;
use wireform_codegen::schema::resource::{RestDef, UnknownMembers};

use super::importer::{Importer, Inline, Target};
use super::members;
use super::{types, variants};
use crate::lowering::{DefinitionPath, deprecated, text};
use crate::names::{self, NameScope};
use crate::node::Node;
use crate::value::Value as Json;

/// Keys of a named schema; keys of types that are not imported are reported.
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

/// Returns the place of a resource of the document.
fn place(name: &str) -> DefinitionPath {
    // One file per initial letter, so that a new definition moves few others.
    let letter = name.chars().find(char::is_ascii_alphabetic).map_or('z', |letter| letter.to_ascii_lowercase());
    DefinitionPath {
        bucket: format!("types-{letter}"),
        owner: name.to_owned(),
        name: name.to_owned(),
        parts: Vec::new(),
        member: String::new(),
    }
}

/// Returns whether a schema has members, or can have them.
fn is_resource(node: &Node<'_>) -> bool {
    match node.text("type") {
        None => node.has("properties"),
        Some("object") => node.has("properties") || !node.has("additionalProperties") && !node.has("format"),
        Some(_) => false,
    }
}

/// Assigns a name to every schema of the document, before any reference is resolved.
pub fn define<'d>(importer: &mut Importer<'d>, document: &Node<'d>) {
    for (id, node) in document.objects("schemas") {
        let is_union = variants::is_variant(&node);
        let target = if is_union || is_resource(&node) {
            let name = importer.lowering.type_name(id);
            if name != id {
                node.note(format!("renamed to `{name}`: its name is invalid, reserved or already used"));
            }
            if is_union { Target::Union(name) } else { Target::Resource(name) }
        } else {
            node.note("its name is left out: a schema without members is inlined wherever it is used");
            Target::Plain(None)
        };
        if let Some(own) = node.text("id").filter(|own| *own != id) {
            node.note(format!("`id: {}` is left out: references use the key", own.escape_debug()));
        }
        importer.lowering.counts.schemas += 1;
        importer.targets.insert(id, target);
    }
}

/// Writes the resources of the document.
pub fn write<'d>(importer: &mut Importer<'d>, document: &Node<'d>) {
    for (id, node) in document.objects("schemas") {
        match importer.targets.get(id).cloned() {
            Some(Target::Union(name)) => {
                node.report_unknown(&KEYS);
                variants::write(importer, &node, &place(&name));
            }
            Some(Target::Resource(name)) => {
                node.report_unknown(&KEYS);
                types::report_other_keys(&node, "members", &["type", "properties", "additionalProperties"]);
                if let Some(variant) = node.get("variant") {
                    variant.whole_loss("left out: it requires a schema without members, a `discriminant` and a `map`");
                }
                resource(importer, &node, &place(&name), node.prose("description"));
            }
            _ => {}
        }
    }
}

/// Writes the objects in the types so far as resources.
pub fn write_inline(importer: &mut Importer<'_>) {
    for Inline { node, place } in std::mem::take(&mut importer.inline) {
        resource(importer, &node, &place, node.prose("description"));
    }
}

/// Writes an object with members under the name of its place.
fn resource<'d>(importer: &mut Importer<'d>, node: &Node<'d>, place: &DefinitionPath, doc: Option<String>) {
    let mut resource = Resource { doc: text(doc), ..Resource::default() };
    let mut taken = NameScope::with(&["unknown_members"]);
    for (wire, field) in node.objects("properties") {
        importer.lowering.counts.properties += 1;
        let name = taken.explicit_name(wire, Casing::Member, "member", names::ident);
        field.note_name(name.as_deref());
        let inner = DefinitionPath { name: format!("{}{}", place.name, names::pascal(wire)), ..place.clone() };
        resource.fields.push(wire, members::field(importer, &field, &inner, name));
        write_inline(importer);
    }
    if let Some(more) = node.get("additionalProperties").filter(|more| *more.value != Json::Bool(false)) {
        rest(importer, &more, place, &mut taken, &mut resource);
    }
    resource.deprecated = deprecated(node.flag("deprecated"));
    node.set_definition(&place.name);
    importer.lowering.add(place, place.name.clone(), resource);
}

/// Writes the type of additional members.
fn rest<'d>(
    importer: &mut Importer<'d>,
    more: &Node<'d>,
    place: &DefinitionPath,
    taken: &mut NameScope,
    resource: &mut Resource,
) {
    if *more.value == Json::Bool(true) {
        more.mark_read();
        resource.unknown_members = Some(UnknownMembers::Preserve);
        return;
    }
    let form = types::element(importer, Some(more.clone()), more, place, 0, "Rest");
    write_inline(importer);
    let doc = form.element_doc.or(form.doc);
    if form.ty.name() == Some("any") && doc.is_none() {
        resource.unknown_members = Some(UnknownMembers::Preserve);
        return;
    }
    let rest = RestDef {
        ty: form.ty,
        doc: text(doc),
        name: text(taken.explicit_name("rest", Casing::Member, "member", names::ident)),
        encoding: form.encoding.map(Into::into),
        format: form.format.map(Into::into),
        ..RestDef::default()
    };
    resource.rest = Some(rest.into());
}
