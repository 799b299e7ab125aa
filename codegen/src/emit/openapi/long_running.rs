//! Long-running operations, which OpenAPI cannot express.

use super::catalogue::{Catalogue, Side};
use super::json::{Object, object};
use super::names::{answer, member, member_of, parameter};
use super::values;
use crate::model::{Argument, Constraints, LongRunning, Operation, Resource, Started, Type};

/// Returns the fields that make a resource a long-running operation.
pub fn work(resource: &Resource, work: &LongRunning) -> Object {
    let named = |index: usize| member(resource, index);
    object()
        .with("name", named(work.name))
        .with("done", named(work.done))
        .with_all("doneValues", work.done_values.iter().map(String::as_str))
        .with_some("response", work.response.map(named))
        .with_some("error", work.error.map(named))
        .with_some("metadata", work.metadata.map(named))
}

/// Returns the result of the long-running operation that an operation starts, and how it is polled.
pub fn started(of: &Catalogue<'_>, operation: &Operation, started: &Started) -> Object {
    let poll = of.api.operation(started.poll);
    let answer = answer(of.api, operation);
    let required = poll.given().map(|(_, one)| one).filter(|parameter| parameter.required);
    let with: Object = required
        .zip(&started.with)
        .filter_map(|(asked, argument)| {
            let source = match argument {
                Argument::Member(index) => member_of(answer, *index)?.to_owned(),
                Argument::Parameter(index) => format!("params.{}", parameter(operation, *index)),
            };
            Some((asked.name.wire.clone(), source.into()))
        })
        .collect();
    let schema = |ty: &Type| values::schema(of, ty, &Constraints::default(), Side::Answer, false);
    object()
        .with("poll", poll.name.as_str())
        .with("with", with)
        .with_some("response", started.response.as_ref().map(schema))
        .with_some("metadata", started.metadata.as_ref().map(schema))
}
