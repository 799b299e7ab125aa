//! Members and parameters by their names, as extensions have them.

use crate::model::{Api, Operation, Resource, Type};

/// The name of a parameter of an operation.
pub fn parameter(operation: &Operation, index: usize) -> &str {
    &operation.parameter(index).name.wire
}

/// The resource that an operation answers.
pub fn answer<'a>(api: &'a Api, operation: &Operation) -> Option<&'a Resource> {
    match operation.answer()? {
        Type::Resource(id) => Some(api.resource(*id)),
        _ => None,
    }
}

/// The name of a member of a resource.
pub fn member(resource: &Resource, index: usize) -> &str {
    &resource.field(index).name.wire
}

/// The name of a member of what an operation is about, which is a resource where anything names one.
pub fn member_of(resource: Option<&Resource>, index: usize) -> Option<&str> {
    resource.map(|resource| member(resource, index))
}
