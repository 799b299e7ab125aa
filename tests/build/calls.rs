//! The calls of the generated clients: of every operation one with all that it takes, and one with what it must have.

use std::fmt::Write as _;

use serde_json::Value as Json;
use wireform_codegen::model::{Api, Body, BodyMode, Location, Operation, OperationId, Parameter, Response, Type};

use crate::samples::{self, Extent};
use crate::values;

/// Appends an `Entry` an operation, in the order of the schema.
pub fn write(api: &Api, code: &mut String) {
    for (index, operation) in api.operations.iter().enumerate() {
        let success = operation.responses.first().expect("an operation answers something");
        let _ = writeln!(code, "Entry {{ api: {:?}, operation: {:?},", api.name, operation.name);
        let _ = writeln!(code, "full: {},", call(api, OperationId(index), true));
        let _ = writeln!(code, "minimal: {},", call(api, OperationId(index), false));
        let _ = writeln!(code, "full_query: &{:?}, minimal_query: &{:?},", query(api, operation, true), query(api, operation, false));
        let _ = writeln!(code, "texts_in_path: {}, status: {},", texts_in_path(operation), success.status);
        let _ = writeln!(code, "answer: {:?}, unknown: {:?},", answer(api, success, Extent::Full), answer(api, success, Extent::Unknown));
        let _ = writeln!(code, "wrong: {:?},", resource(success).and_then(|id| samples::wrong(api, id)).map(|json| json.to_string()));
        let errors: Vec<_> = operation.errors.iter().map(|error| (error.status, error.reason.as_deref())).collect();
        let _ = writeln!(code, "errors: &{errors:?} }},");
    }
}

/// `|clients, path| finish(clients.calendar.events().get(path[0], path[1]).time_zone("…").send())`
fn call(api: &Api, id: OperationId, full: bool) -> String {
    let operation = api.operation(id);
    let mut code = format!("|clients, path| finish({{ let _ = path; clients.{}", api.name);
    for group in &operation.groups {
        let _ = write!(code, ".{}()", group.ident);
    }
    let _ = write!(code, ".{}({})", operation.method.ident, arguments(api, id, full).join(", "));
    for parameter in operation.parameters.iter().filter(|parameter| full && !parameter.required) {
        let _ = write!(code, ".{}({})", parameter.setter, values::of(api, parameter).rust);
    }
    if let Some(body) = operation.body.as_ref().filter(|body| full && !body.required) {
        let _ = write!(code, ".body({})", self::body(api, id, body, full));
    }
    code.push_str(".send() })");
    code
}

fn arguments(api: &Api, id: OperationId, full: bool) -> Vec<String> {
    let operation = api.operation(id);
    let mut texts = 0..;
    let required = operation.parameters.iter().filter(|parameter| parameter.required);
    let mut arguments: Vec<String> = required
        .map(|parameter| match is_text_in_path(parameter) {
            true => format!("path[{}]", texts.next().unwrap_or_default()),
            false => values::of(api, parameter).rust,
        })
        .collect();
    arguments.extend(operation.body.iter().filter(|body| body.required).map(|body| self::body(api, id, body, full)));
    arguments
}

/// Texts in the path are what the test says.
fn is_text_in_path(parameter: &Parameter) -> bool {
    parameter.location == Location::Path && parameter.ty == Type::String
}

fn texts_in_path(operation: &Operation) -> usize {
    operation.parameters.iter().filter(|parameter| is_text_in_path(parameter)).count()
}

fn body(api: &Api, id: OperationId, body: &Body, full: bool) -> String {
    let Type::Resource(resource) = body.ty else { panic!("no sample is known of a body of type {:?}", body.ty) };
    let extent = if full { Extent::Full } else { Extent::Required(id) };
    let model = api.resource(resource);
    let (name, sample): (&str, Json) = match body.mode {
        BodyMode::Whole => (&model.name.ident, samples::resource(api, resource, extent)),
        BodyMode::MergePatch => {
            let patch = model.patch.as_deref().expect("a resource that is patched has a patch");
            (patch, samples::merge_patch(api, resource, extent))
        }
    };
    format!("sample::<::{}_types::{name}>({:?})", api.name, sample.to_string())
}

/// The parameters of the query in their order, a list once an element.
fn query(api: &Api, operation: &Operation, full: bool) -> Vec<(String, String)> {
    let sent = operation
        .parameters
        .iter()
        .filter(|parameter| parameter.location == Location::Query && (full || parameter.required));
    sent.flat_map(|parameter| {
        let texts = values::of(api, parameter).texts;
        texts.into_iter().map(|text| (parameter.name.wire.clone(), text))
    })
    .collect()
}

fn resource(success: &Response) -> Option<wireform_codegen::model::ResourceId> {
    match success.ty {
        Some(Type::Resource(id)) => Some(id),
        None => None,
        ref other => panic!("no sample is known of an answer of type {other:?}"),
    }
}

fn answer(api: &Api, success: &Response, extent: Extent) -> Option<String> {
    Some(samples::resource(api, resource(success)?, extent).to_string())
}
