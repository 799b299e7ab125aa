//! Names of fields and parameters in extensions.

use crate::model::{Api, Operation, Resource, Type};

/// Returns the name of a parameter of an operation.
pub fn parameter(operation: &Operation, index: usize) -> &str {
    &operation.parameter(index).name.wire
}

/// Returns the resource of an operation's response.
pub fn response_resource<'a>(api: &'a Api, operation: &Operation) -> Option<&'a Resource> {
    match operation.response_type()? {
        Type::Resource(id) => Some(api.resource(*id)),
        _ => None,
    }
}

/// Returns the name of a field.
pub fn field_name(resource: &Resource, index: usize) -> &str {
    &resource.field(index).name.wire
}

/// Returns the name of a field of an operation's resource, which exists if anything refers to a field.
pub fn optional_field_name(resource: Option<&Resource>, index: usize) -> Option<&str> {
    resource.map(|resource| field_name(resource, index))
}
