//! Conversion of schemas with members to resources, and the named schemas of the document.

use std::collections::{BTreeMap, BTreeSet};

use wireform_codegen::resolve::names::Casing;
use wireform_codegen::schema::Resource;
use wireform_codegen::schema::file::File;
use wireform_codegen::schema::resource::{RestDef, UnknownMembers};

use super::form::Form;
use super::importer::{Files, Importer, Target};
use super::types::unions::{self, Alternatives};
use super::types::{self, uploads};
use super::view::{AdditionalMembers, Kind as Shape, View, is_null};
use super::{conditions, enums, members, reimport};
use crate::lowering::{DefinitionPath, Key, Member, deprecated, flag, text};
use crate::names::{self, NameScope};
use crate::node::{Node, Report};
use crate::value::Value;

/// Returns the schemas of the document's components.
fn components<'d>(root: &Node<'d>) -> Vec<(&'d str, Node<'d>)> {
    root.get("components").map(|components| components.entries("schemas")).unwrap_or_default()
}

/// Assigns a name to every schema of the document, before any reference is resolved.
pub fn define(importer: &mut Importer<'_>) {
    let root = importer.root.clone();
    for (id, node) in components(&root) {
        if importer.is_generated && id.contains('.') {
            continue;
        }
        importer.lowering.counts.schemas += usize::from(!importer.names.contains_key(id));
        let target = target(importer, id, &node);
        if let (Some(_), false) = (target.name(), importer.is_generated) {
            let default = importer.view(std::slice::from_ref(&node)).first("default").cloned();
            importer.defaults.extend(default.map(|default| (id, default)));
        }
        if let Some(name) = target.name().filter(|name| *name != id) {
            node.note(format!("renamed to `{name}`: its name is invalid, reserved or already used"));
        }
        importer.targets.insert(id, target);
    }
    if !importer.is_generated {
        importer.nullable = nullable(importer);
    }
}

/// Returns the names of nullable schemas: directly, or through references and alternatives.
fn nullable<'d>(importer: &Importer<'d>) -> BTreeSet<&'d str> {
    let mut found = BTreeSet::new();
    let mut open = Vec::new();
    let mut dependents: BTreeMap<&'d str, Vec<&'d str>> = BTreeMap::new();
    for (id, node) in components(&importer.root) {
        let whole = importer.view(std::slice::from_ref(&node));
        if whole.nullable {
            open.push(id);
        }
        let alternatives = whole.alternatives.iter().flatten().map(|one| importer.view(std::slice::from_ref(one)));
        let named: Vec<&'d str> = alternatives.filter_map(|one| one.named).chain(whole.named).collect();
        named.into_iter().for_each(|name| dependents.entry(name).or_default().push(id));
    }
    while let Some(id) = open.pop() {
        if found.insert(id) {
            open.extend(dependents.get(id).into_iter().flatten());
        }
    }
    found
}

/// Returns what a schema of the components becomes.
fn target<'d>(importer: &mut Importer<'d>, id: &'d str, node: &Node<'d>) -> Target {
    let view = importer.view(std::slice::from_ref(node));
    if view.named.is_some() || view.is_impossible {
        return Target::Plain;
    }
    let texts = match enums::listed_values(&view) {
        Some(listed) => Some(listed),
        None => match unions::alternatives(importer, &view) {
            Alternatives::Texts(listed) => Some(listed),
            Alternatives::Types => return Target::Union(importer.lowering.type_name(id)),
            Alternatives::None | Alternatives::Free(_) => None,
        },
    };
    if let Some(listed) = texts {
        let values = listed.iter().map(|one| one.wire.to_string()).collect();
        return Target::Enum(importer.lowering.type_name(id), values);
    }
    if importer.is_generated {
        return Target::Named(importer.lowering.type_name(id));
    }
    if !unions::find_subtypes(importer, id, &view).is_empty() {
        node.note("becomes a union of the schemas that extend it");
        return Target::Union(importer.lowering.type_name(id));
    }
    let closed = matches!(view.additional, AdditionalMembers::Closed);
    let has_members = !view.properties.is_empty() || view.alternatives.is_empty() && !view.required_keys().is_empty();
    if view.kind() == Some(Shape::Object) && view.values.is_none() && (closed || has_members) {
        return Target::Named(importer.lowering.type_name(id));
    }
    Target::Plain
}

/// Removes and reports what unions cannot have.
pub fn repair_unions(importer: &mut Importer<'_>, report: &Report) {
    let origins = report.origins();
    for loss in importer.lowering.repair_unions() {
        let at = origins.get(&loss.union).map_or("/components/schemas", String::as_str);
        report.loss(at, loss.what);
    }
}

/// Removes and reports defaults that are not values of their types.
pub fn repair_defaults(importer: &mut Importer<'_>, api: &File, report: &Report) {
    for (at, what) in importer.lowering.repair_defaults(api) {
        report.loss(&at, format!("left out: {what}"));
    }
}

/// Reports inlined schemas without references, and unused defaults.
pub fn report_unused(importer: &Importer<'_>) {
    let defaults = importer.defaults.values().filter_map(|node| node.get("default"));
    for default in defaults.filter(|default| !default.is_used()) {
        default.whole_note("left out: no field or parameter refers to the schema without a default of its own");
    }
    for (id, node) in components(&importer.root) {
        let is_inlined = matches!(importer.targets.get(id), Some(Target::Plain)) && !is_null(&node);
        if is_inlined && !importer.referenced.contains(id) {
            node.whole_note("left out: nothing refers to this schema without members");
        }
    }
}

/// Reports schemas that are omitted because no operation refers to them.
pub fn report_removed(importer: &Importer<'_>, report: &Report, names: &BTreeSet<String>) {
    let mut places = BTreeSet::new();
    for (id, node) in components(&importer.root) {
        let Some(name) = importer.targets.get(id).and_then(Target::name) else { continue };
        if names.contains(name) {
            node.whole_note("left out: no operation refers to it; `--all-types` keeps it");
            places.insert(node.at.clone());
        }
    }
    report.remove_below(&places);
}

/// Writes the definitions among the schemas of the document.
pub fn write_all(importer: &mut Importer<'_>) {
    let root = importer.root.clone();
    for (id, node) in components(&root) {
        let target = importer.targets.get(id).cloned();
        let view = importer.view(std::slice::from_ref(&node));
        match target {
            Some(Target::Union(name)) => {
                let place = DefinitionPath::of_type(&name);
                if importer.is_generated && reimport::union(importer, &view, &place).is_some() {
                    write_inline(importer);
                    continue;
                }
                let subtypes = unions::find_subtypes(importer, id, &view);
                if subtypes.is_empty() {
                    unions::union(importer, &view, &node, &place, Some(&name));
                } else {
                    unions::union_of(importer, &view, &node, &place, Some(&name), subtypes);
                }
                write_inline(importer);
            }
            Some(Target::Named(name)) => {
                unions::limits(importer, &view);
                importer.files = match importer.parts.get(id) {
                    Some(true) => Files::Next,
                    Some(false) => Files::NextLost,
                    None => Files::None,
                };
                importer.elements.component = Some(importer.wire_name(id));
                write(importer, &view, &DefinitionPath::of_type(&name));
            }
            Some(Target::Enum(name, _)) => {
                let texts = enums::listed_values(&view).or_else(|| match unions::alternatives(importer, &view) {
                    Alternatives::Texts(listed) => Some(listed),
                    _ => None,
                });
                enums::write(importer, &view, texts.unwrap_or_default(), &DefinitionPath::of_type(&name), Some(&name));
            }
            _ => {}
        }
    }
}

/// Returns the type of a value outside of resources; its objects become resources.
pub fn form<'d>(importer: &mut Importer<'d>, nodes: &[Node<'d>], place: &DefinitionPath) -> Form<'d> {
    let form = types::form(importer, nodes, place, 0);
    write_inline(importer);
    form
}

/// Writes the collected inline objects as resources.
fn write_inline(importer: &mut Importer<'_>) {
    for one in std::mem::take(&mut importer.inline) {
        let depth = std::mem::replace(&mut importer.depth, one.depth);
        importer.files = one.files;
        write(importer, &one.view, &one.place);
        importer.depth = depth;
    }
}

/// Writes an object with members under the name of its place.
fn write<'d>(importer: &mut Importer<'d>, view: &View<'d>, place: &DefinitionPath) {
    view.nodes.iter().take(1).for_each(|node| node.set_definition(&place.name));
    let mut resource = Resource { doc: text(view.doc()), ..Resource::default() };
    importer.elements.resource(&place.name, view, &mut resource);
    set_unknown_members(view, &mut resource);
    let files = match importer.files {
        Files::Next => Files::Here,
        Files::NextLost => Files::Lost,
        Files::None | Files::Here | Files::Lost => Files::None,
    };
    let mut taken = NameScope::with(&["unknown_members"]);
    let required_keys = view.required_keys();
    for (wire, nodes) in view.properties.iter().chain(&required_keys) {
        importer.lowering.counts.properties += 1;
        let name = taken.explicit_name(wire, Casing::Member, "member", names::ident);
        if let (Some(name), Some(node), false) = (&name, nodes.first(), importer.is_generated) {
            node.note(names::rename_note(name));
        }
        let required = view.required.contains(wire);
        importer.files = files;
        resource.fields.push(*wire, members::field(importer, wire, nodes, &place.part(wire), name, required));
        write_inline(importer);
    }
    let is_unknown = |name: &&&str| resource.fields.get(name).is_none();
    for name in view.required.iter().filter(is_unknown) {
        if let Some(node) = view.first("required") {
            node.loss(format!("`required: {}` is left out: unknown field", name.escape_debug()));
        }
    }
    types::keys::report(view);
    importer.elements.disambiguate(view.nodes.first(), &mut resource);
    if let AdditionalMembers::Typed(nodes) = &view.additional {
        importer.files = files;
        rest(importer, nodes, place, &mut taken, &mut resource);
    }
    importer.files = Files::None;
    conditions::write(importer, view, &place.name, &mut resource);
    resource.deprecated = deprecated(view.flag("deprecated"));
    if let Some(node) = view.nodes.first().filter(|_| importer.is_generated) {
        reimport::resource(&importer.root, &place.name, node, &mut resource);
    }
    importer.lowering.add(place, place.name.clone(), resource);
}

/// Writes whether there are additional members, if their type is not given.
fn set_unknown_members(view: &View<'_>, resource: &mut Resource) {
    match &view.additional {
        AdditionalMembers::Closed => ["additionalProperties", "unevaluatedProperties"].into_iter().for_each(|key| {
            if let Some(node) = view.first(key) {
                node.note(format!("`{key}: false` is left out: servers ignore unknown members"));
            }
        }),
        AdditionalMembers::Open => resource.unknown_members = Some(UnknownMembers::Preserve),
        AdditionalMembers::Unspecified | AdditionalMembers::Typed(_) => {}
    }
    for key in ["minProperties", "maxProperties"] {
        let limit = view.first(key).and_then(|node| node.get(key));
        limit.iter().for_each(|limit| limit.whole_loss("left out: supported for lists and maps only"));
    }
}

/// Keys that additional members support.
const REST: [Key; 12] = [
    Key::Pattern,
    Key::Length,
    Key::Format,
    Key::Schemes,
    Key::Min,
    Key::Max,
    Key::MultipleOf,
    Key::Items,
    Key::Keys,
    Key::Unique,
    Key::Elements,
    Key::Encoding,
];

/// Returns whether a schema allows anything.
pub fn is_any(schema: &Node<'_>) -> bool {
    matches!(schema.value, Value::Object(members) if members.is_empty())
}

/// Writes the type of additional members.
fn rest<'d>(
    importer: &mut Importer<'d>,
    nodes: &[Node<'d>],
    place: &DefinitionPath,
    taken: &mut NameScope,
    resource: &mut Resource,
) {
    nodes.iter().filter(|more| is_any(more)).for_each(Node::mark_read);
    let nodes: Vec<Node<'d>> = nodes.iter().filter(|more| !is_any(more)).cloned().collect();
    let Some(first) = nodes.first() else {
        resource.unknown_members = Some(UnknownMembers::Preserve);
        return;
    };
    let mut form = form(importer, &nodes, &place.part("Rest"));
    uploads::remove_null(&mut form, first);
    let nullable = form.nullable && !form.is("any");
    if nullable && form.collection.is_some() {
        first.loss("null is left out: nested lists and maps cannot be null");
    }
    let lost = form.keys.retain(&REST);
    if !lost.is_empty() {
        first.loss(format!("`{}` is left out: not supported for additional members", lost.join("`, `")));
    }
    let member = Member {
        ty: form.ty.clone(),
        doc: text(members::doc(&form)),
        name: text(taken.explicit_name("rest", Casing::Member, "member", names::ident)),
        constraints: form.keys,
        ..Member::default()
    };
    let rest = if importer.is_generated { reimport::rest(first, member) } else { member.into_rest() };
    let nullable = flag(nullable && form.collection.is_none());
    resource.rest = Some(RestDef { nullable, ..rest }.into());
}
