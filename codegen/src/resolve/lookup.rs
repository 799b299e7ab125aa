//! Look-up of fields and parameters by name.

use crate::diagnostics::{Code, Sink, nearest};
use crate::model::{Field, FieldPath, Parameter, Resource, ResourceId, Type};
use crate::schema::Text;

/// Returns the index of a field by its wire name; reports an unknown name. The map of other fields has no such name.
pub fn field_index(name: &Text, fields: &[Field], sink: &mut Sink) -> Option<usize> {
    let named = fields.iter().filter(|field| !field.is_rest).map(|field| field.name.wire.as_str());
    let found = named.clone().position(|wire| wire == name.text);
    if found.is_none() {
        sink.report(Code::UnknownMember, name.span, format!("unknown field `{}`", name.text))
            .suggest(&name.text, named);
    }
    found
}

/// Returns a field of a response and its path: its name, or the names of resources and the field, separated by dots. A
/// name can contain dots itself. Reports an unknown name.
pub fn field_path<'r>(
    name: &Text,
    fields: &'r [Field],
    resources: &'r [Resource],
    sink: &mut Sink,
) -> Option<(FieldPath, &'r Field)> {
    let (mut path, mut deepest) = (Vec::new(), (name.text.as_str(), fields));
    let found = find_path(&name.text, fields, resources, &mut path, &mut deepest);
    if found.is_none() {
        let (text, fields) = deepest;
        field_index(&Text { text: text.to_owned(), span: name.span }, fields, sink);
    }
    FieldPath::new(&path).zip(found)
}

/// Finds a field, and adds its indices to `path`. `deepest` becomes the fields in which the rest of the name is unknown.
fn find_path<'r, 't>(
    text: &'t str,
    fields: &'r [Field],
    resources: &'r [Resource],
    path: &mut Vec<usize>,
    deepest: &mut (&'t str, &'r [Field]),
) -> Option<&'r Field> {
    let position = |name: &str| fields.iter().position(|field| !field.is_rest && field.name.wire == name);
    if let Some(index) = position(text) {
        path.push(index);
        return fields.get(index);
    }
    if path.len() + 1 == FieldPath::MAX {
        return None;
    }
    text.match_indices('.').find_map(|(at, _)| {
        let index = position(&text[..at])?;
        let inner = fields_of(&fields[index].ty, resources)?;
        *deepest = (&text[at + 1..], inner);
        path.push(index);
        let found = find_path(&text[at + 1..], inner, resources, path, deepest);
        if found.is_none() {
            path.pop();
        }
        found
    })
}

/// Returns the index of a parameter by its wire name; reports an unknown name.
pub fn parameter_index(name: &Text, parameters: &[Parameter], sink: &mut Sink) -> Option<usize> {
    let is = |parameter: &Parameter| parameter.name.wire == name.text && !parameter.is_constant();
    let found = parameters.iter().position(is);
    if found.is_none() {
        let known: Vec<&str> = parameters.iter().map(|parameter| parameter.name.wire.as_str()).collect();
        let message = format!("unknown parameter `{}`", name.text);
        let report = sink.report(Code::UnknownMember, name.span, message);
        if nearest(&name.text, known.iter().copied()).is_none() {
            report.help(format!("declare it under `query:`: `{}: {{ type: … }}`", name.text));
        }
        report.suggest(&name.text, known);
    }
    found
}

/// Returns the fields of a type that is a resource.
pub fn fields_of<'r>(ty: &Type, resources: &'r [Resource]) -> Option<&'r [Field]> {
    match ty {
        Type::Resource(ResourceId(index)) => resources.get(*index).map(|resource| resource.fields.as_slice()),
        _ => None,
    }
}
