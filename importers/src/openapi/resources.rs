//! Schemas with members → resources, and the schemas of the document by name.

use serde_yaml::{Mapping, Value as Yaml};
use wireform_codegen::resolve::names::Casing;

use super::draft::{Draft, Files, Target};
use super::unions::{self, Alternatives};
use super::view::{Kind as Shape, More, View, view};
use super::{enums, members, own, types, uploads};
use crate::draft::Place;
use crate::files::{Kind, put};
use crate::names::{self, Names};
use crate::node::Node;
use crate::value::Value;

/// Where a schema of the document stands.
pub fn place(name: &str) -> Place {
    Place::of_type(&names::pascal(name))
}

fn components<'d>(root: &Node<'d>) -> Vec<(&'d str, Node<'d>)> {
    root.get("components").map(|components| components.entries("schemas")).unwrap_or_default()
}

/// Gives every schema of the document its name, before anything refers to it.
pub fn define(draft: &mut Draft<'_>) {
    let root = draft.root.clone();
    for (id, node) in components(&root) {
        if draft.own && id.contains('.') {
            continue;
        }
        draft.made.counts.schemas += 1;
        let target = target(draft, id, &node);
        if let Target::Named(name) | Target::Union(name) | Target::Enum(name, _) = &target
            && name != id
        {
            node.note(format!("it is called `{name}`, because its own name cannot be used or is taken"));
        }
        draft.targets.insert(id, target);
    }
}

fn target<'d>(draft: &mut Draft<'d>, id: &'d str, node: &Node<'d>) -> Target {
    let view = view(&draft.root, std::slice::from_ref(node));
    if view.named.is_some() || view.never {
        return Target::Plain;
    }
    let texts = match enums::listed(&view) {
        Some(listed) => Some(listed),
        None => match unions::alternatives(draft, &view) {
            Alternatives::Texts(listed) => Some(listed),
            Alternatives::Types => return Target::Union(draft.made.type_name(id)),
            Alternatives::None => None,
        },
    };
    if let Some(listed) = texts {
        let default = view.first("default").filter(|_| !draft.own).cloned();
        draft.defaults.extend(default.map(|default| (id, default)));
        let values = listed.iter().map(|one| one.wire.to_owned()).collect();
        return Target::Enum(draft.made.type_name(id), values);
    }
    if draft.own {
        return Target::Named(draft.made.type_name(id));
    }
    if !unions::heirs(draft, id, &view).is_empty() {
        node.note("becomes a union of the schemas that are made of it");
        return Target::Union(draft.made.type_name(id));
    }
    let closed = matches!(view.more, More::Closed) && view.kind() == Some(Shape::Object);
    if view.values.is_none() && (closed || !view.properties.is_empty()) {
        return Target::Named(draft.made.type_name(id));
    }
    Target::Plain
}

/// Tells of the schemas that are no definitions and that nothing refers to, and of defaults that nothing has taken.
pub fn unused(draft: &Draft<'_>) {
    let defaults = draft.defaults.values().filter_map(|node| node.get("default"));
    for default in defaults.filter(|default| !default.is_whole()) {
        default.whole_loss("left out: nothing that refers to it can have it as its default");
    }
    for (id, node) in components(&draft.root) {
        if matches!(draft.targets.get(id), Some(Target::Plain)) && !draft.referenced.contains(id) {
            node.whole_note(
                "left out: nothing refers to it, and what has no members of its own has no name in a schema",
            );
        }
    }
}

/// Writes the definitions among the schemas of the document.
pub fn write_all(draft: &mut Draft<'_>) {
    let root = draft.root.clone();
    for (id, node) in components(&root) {
        let target = draft.targets.get(id).cloned();
        let view = view(&draft.root, std::slice::from_ref(&node));
        match target {
            Some(Target::Union(name)) => {
                let place = Place::of_type(&name);
                if draft.own && own::union(draft, &view, &place).is_some() {
                    continue;
                }
                let heirs = unions::heirs(draft, id, &view);
                if heirs.is_empty() {
                    unions::union(draft, &view, &node, &place, Some(&name));
                } else {
                    unions::union_of(draft, &view, &node, &place, Some(&name), heirs);
                }
            }
            Some(Target::Named(name)) => {
                unions::conditions(draft, &view);
                draft.files = match draft.parts.get(id) {
                    Some(true) => Files::Next,
                    Some(false) => Files::NextLost,
                    None => Files::None,
                };
                write(draft, &view, &Place::of_type(&name));
            }
            Some(Target::Enum(name, _)) => {
                let texts = enums::listed(&view).or_else(|| match unions::alternatives(draft, &view) {
                    Alternatives::Texts(listed) => Some(listed),
                    _ => None,
                });
                enums::write(draft, &view, texts.unwrap_or_default(), &Place::of_type(&name), Some(&name));
            }
            _ => {}
        }
    }
}

/// Writes an object with members under the name of its place.
pub fn write<'d>(draft: &mut Draft<'d>, view: &View<'d>, place: &Place) {
    let mut body = Mapping::new();
    put(&mut body, "doc", view.doc());
    others(view, &mut body);
    let files = match draft.files {
        Files::Next => Files::Here,
        Files::NextLost => Files::Lost,
        Files::None | Files::Here | Files::Lost => Files::None,
    };
    let mut taken = Names::with(&["unknown_members"]);
    let mut fields = Mapping::new();
    for (wire, nodes) in &view.properties {
        draft.made.counts.properties += 1;
        let name = taken.beside(wire, Casing::Member, "member", names::ident);
        if let (Some(name), Some(node), false) = (&name, nodes.first(), draft.own) {
            node.note(names::called(name));
        }
        let required = view.required.contains(wire);
        draft.files = files;
        let mut field = members::field(draft, nodes, &place.part(wire), name, required);
        if let Some(node) = nodes.first().filter(|_| draft.own) {
            field.shift_remove("name");
            own::field(node, &mut field);
        }
        fields.insert(Yaml::from(*wire), Yaml::Mapping(field));
    }
    for name in view.required.iter().filter(|name| view.properties.iter().all(|(own, _)| own != *name)) {
        if let Some(node) = view.first("required") {
            node.loss(format!("`required: {}` is left out: there is no such member", name.escape_debug()));
        }
    }
    put(&mut body, "fields", Some(fields));
    if let More::Typed(nodes) = &view.more {
        draft.files = files;
        rest(draft, nodes, place, &mut taken, &mut body);
    }
    draft.files = Files::None;
    put(&mut body, "deprecated", view.flag("deprecated").then_some(true));
    if let Some(node) = view.nodes.first().filter(|_| draft.own) {
        own::resource(&draft.root, &place.name, node, &mut body);
    }
    draft.made.add(place, Kind::Resource, place.name.clone(), body);
}

/// Says whether there are members beside the named ones, where nothing says what they hold.
fn others(view: &View<'_>, body: &mut Mapping) {
    match &view.more {
        More::Closed => view.first("additionalProperties").into_iter().for_each(|node| {
            node.note("`additionalProperties: false` is left out: a server reads over members that it does not know");
        }),
        More::Open => put(body, "unknown_members", Some("preserve")),
        More::Unsaid | More::Typed(_) => {}
    }
    for key in ["minProperties", "maxProperties"] {
        let limit = view.first(key).and_then(|node| node.get(key));
        limit.iter().for_each(|limit| limit.whole_loss("left out: how many there are is said of lists and maps"));
    }
}

/// What can be said of members beside the named ones.
const REST: [&str; 8] = ["pattern", "length", "format", "schemes", "min", "max", "multiple_of", "encoding"];

/// Whether a schema says nothing.
pub fn is_any(schema: &Node<'_>) -> bool {
    matches!(schema.value, Value::Object(members) if members.is_empty())
}

/// Says what members beside the named ones hold.
fn rest<'d>(draft: &mut Draft<'d>, nodes: &[Node<'d>], place: &Place, taken: &mut Names, body: &mut Mapping) {
    nodes.iter().filter(|more| is_any(more)).for_each(Node::read);
    let nodes: Vec<Node<'d>> = nodes.iter().filter(|more| !is_any(more)).cloned().collect();
    let Some(first) = nodes.first() else {
        put(body, "unknown_members", Some("preserve"));
        return;
    };
    let mut form = types::form(draft, &nodes, &place.part("Rest"), 0);
    uploads::never_null(&mut form, first);
    let nullable = form.nullable && form.ty != "any";
    if nullable && form.collection.is_some() {
        first.loss("null is left out: a list or a map within another is never null");
    }
    let lost: Vec<&str> = form.keys.keys().filter_map(Yaml::as_str).filter(|key| !REST.contains(key)).collect();
    if !lost.is_empty() {
        first.loss(format!("`{}` is left out: members beside the named ones have a type alone", lost.join("`, `")));
    }
    form.keys.retain(|key, _| key.as_str().is_some_and(|key| REST.contains(&key)));
    let mut rest = Mapping::new();
    put(&mut rest, "type", Some(form.ty.clone()));
    put(&mut rest, "doc", members::doc(&form));
    put(&mut rest, "name", taken.beside("rest", Casing::Member, "member", names::ident));
    put(&mut rest, "nullable", (nullable && form.collection.is_none()).then_some(true));
    rest.extend(form.keys);
    if draft.own {
        rest.shift_remove("name");
        own::rest(first, &mut rest);
    }
    put(body, "rest", Some(rest));
}
