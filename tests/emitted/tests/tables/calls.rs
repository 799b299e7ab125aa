//! The calls of the generated clients: of every operation one with all that it takes, and one with what it must have.

use std::fmt::Write as _;

use serde_json::Value as Json;
use wireform_codegen::model::{
    Api, Body, BodyMode, Location, Operation, OperationId, Parameter, ResourceId, Response, Type,
};

use super::samples::{self, Extent};
use super::values;

/// Appends an `Entry` an operation, in the order of the schema.
pub fn write(api: &Api, code: &mut String) {
    for (index, operation) in api.operations.iter().enumerate() {
        let _ = writeln!(code, "Entry {{ api: {:?}, operation: {:?},", api.name, operation.name);
        requests(api, OperationId(index), code);
        write_response(api, operation, code);
        code.push_str("},\n");
    }
}

fn requests(api: &Api, id: OperationId, code: &mut String) {
    let operation = api.operation(id);
    let (full, minimal) = (query(api, operation, true), query(api, operation, false));
    let body = |extent| operation.body.as_ref().map(|body| sample(api, body, extent).to_string());
    let _ = writeln!(code, "full: {},", call(api, id, true));
    let _ = writeln!(code, "minimal: {},", call(api, id, false));
    let _ = writeln!(code, "full_query: &{full:?}, minimal_query: &{minimal:?},");
    let _ = writeln!(code, "full_body: {:?}, written: {:?},", body(Extent::Full), body(Extent::Written(id)));
    let _ = writeln!(code, "texts_in_path: {},", texts_in_path(operation));
}

fn write_response(api: &Api, operation: &Operation, code: &mut String) {
    let success = operation.responses.first().expect("an operation answers something");
    let sample = |extent| Some(samples::resource(api, resource(success)?, extent).to_string());
    let wrong = resource(success).and_then(|id| samples::wrong(api, id)).map(|json| json.to_string());
    let errors = operation.errors.iter().filter_map(|error| Some((error.status.exact()?, error.reason.as_deref())));
    let errors: Vec<_> = errors.collect();
    let _ = writeln!(code, "status: {}, response: {:?},", success.status, sample(Extent::Full));
    let _ = writeln!(code, "unknown: {:?}, wrong: {wrong:?}, errors: &{errors:?},", sample(Extent::Unknown));
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
    let sample = sample(api, body, if full { Extent::Full } else { Extent::Required(id) });
    let model = api.resource(body_resource(body));
    let name = match body.mode {
        BodyMode::Whole => &model.name.ident,
        BodyMode::MergePatch => model.patch.as_ref().expect("a resource that is patched has a patch"),
        BodyMode::JsonPatch => panic!("no sample is known of a JSON Patch"),
    };
    format!("sample::<::{}_types::{name}>({:?})", api.name, sample.to_string())
}

fn body_resource(body: &Body) -> ResourceId {
    let Type::Resource(resource) = body.ty else { panic!("no sample is known of a body of type {:?}", body.ty) };
    resource
}

fn sample(api: &Api, body: &Body, extent: Extent) -> Json {
    match body.mode {
        BodyMode::Whole => samples::resource(api, body_resource(body), extent),
        BodyMode::MergePatch => samples::merge_patch(api, body_resource(body), extent),
        BodyMode::JsonPatch => panic!("no sample is known of a JSON Patch"),
    }
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

fn resource(success: &Response) -> Option<ResourceId> {
    match success.ty {
        Some(Type::Resource(id)) => Some(id),
        None => None,
        ref other => panic!("no sample is known of an answer of type {other:?}"),
    }
}
