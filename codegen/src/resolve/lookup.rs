//! Look-up of fields and parameters by name.

use crate::diagnostics::{Code, Sink, nearest};
use crate::model::{Field, Parameter, Resource, ResourceId, Type};
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
