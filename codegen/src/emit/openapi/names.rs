//! Members and parameters by their names, as extensions have them.

use crate::model::{Api, Operation, Resource, Response, Type};

/// The name of a parameter of an operation.
pub fn parameter(operation: &Operation, index: usize) -> &str {
    operation.parameters.get(index).map_or("", |parameter| &parameter.name.wire)
}

/// The resource that an operation answers.
pub fn answer<'a>(api: &'a Api, operation: &Operation) -> Option<&'a Resource> {
    let of = |response: &Response| match response.ty {
        Some(Type::Resource(id)) => Some(api.resource(id)),
        _ => None,
    };
    operation.responses.iter().find_map(of)
}

/// The name of a member of a resource.
pub fn member(resource: Option<&Resource>, index: usize) -> &str {
    resource.and_then(|resource| resource.fields.get(index)).map_or("", |field| &field.name.wire)
}
