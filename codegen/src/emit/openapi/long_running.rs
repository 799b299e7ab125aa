//! Long-running operations, which OpenAPI cannot express.

use super::catalogue::{Catalogue, SchemaUse};
use super::json::{Object, object};
use super::names::{field_name, optional_field_name, parameter, response_resource};
use super::values;
use crate::model::{Argument, LongRunning, LongRunningStart, Operation, Resource, Type};

/// Returns the fields that make a resource a long-running operation.
pub fn resource_extension(resource: &Resource, work: &LongRunning) -> Object {
    let named = |index: usize| field_name(resource, index);
    object()
        .with("name", named(work.name))
        .with("done", named(work.done))
        .with_list("doneValues", work.done_values.iter().map(String::as_str))
        .with_some("response", work.response.map(named))
        .with_some("error", work.error.map(named))
        .with_some("metadata", work.metadata.map(named))
}

/// Returns the result of the long-running operation that an operation starts, and how it is polled.
pub fn operation_extension(of: &Catalogue<'_>, operation: &Operation, started: &LongRunningStart) -> Object {
    let poll = of.api.operation(started.poll);
    let response = response_resource(of.api, operation);
    let required = poll.settable_parameters().map(|(_, one)| one).filter(|parameter| parameter.required);
    let with: Object = required
        .zip(&started.arguments)
        .filter_map(|(requested, argument)| {
            let source = match argument {
                Argument::Member(index) => optional_field_name(response, *index)?.to_owned(),
                Argument::Parameter(index) => format!("params.{}", parameter(operation, *index)),
            };
            Some((requested.name.wire.clone(), source.into()))
        })
        .collect();
    let schema = |ty: &Type| values::unconstrained(of, ty, SchemaUse::Response);
    object()
        .with("poll", poll.name.as_str())
        .with("with", with)
        .with_some("response", started.response.as_ref().map(schema))
        .with_some("metadata", started.metadata.as_ref().map(schema))
}
