//! Lists and maps that contain themselves. Only a definition can, so that they are unions of one type.

use super::unions::{kind_name, write_union};
use crate::lowering::DefinitionPath;
use crate::node::Node;
use crate::openapi::form::{Collection, Form};
use crate::openapi::importer::Importer;
use crate::openapi::view::{Kind, View};

/// Returns the name of the union that a schema becomes which contains itself; `None` if the schema at this location is
/// not being written.
pub fn name(importer: &mut Importer<'_>, key: &str) -> Option<String> {
    let (_, place) = importer.writing.iter().find(|(open, _)| open == key)?;
    let name = match importer.recursive.get(key) {
        Some(name) => name.clone(),
        None => importer.lowering.type_name(place),
    };
    importer.recursive.insert(key.to_owned(), name.clone());
    Some(name)
}

/// Defines the union of a schema that contains itself, and returns its use; returns the type of any other schema.
pub fn define<'d>(
    importer: &mut Importer<'d>,
    key: &str,
    view: &View<'d>,
    node: &Node<'d>,
    place: &DefinitionPath,
    mut form: Form<'d>,
) -> Form<'d> {
    let Some(name) = importer.recursive.get(key).cloned() else { return form };
    let kind = form.collection.map(|kind| if kind == Collection::List { Kind::List } else { Kind::Object });
    let lost = form.keys.retain(&[]);
    if !lost.is_empty() {
        let lost = lost.join("`, `");
        node.loss(format!("`{lost}` is left out: not supported for lists and maps that contain themselves"));
    }
    let nullable = form.nullable;
    let key = kind_name(kind).to_owned();
    Form { nullable, ..write_union(importer, view, place, &name, None, vec![(key, form)], true) }
}
