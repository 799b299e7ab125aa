//! What an operation answers: successes, what conditions lead to, and errors.

use super::catalogue::{Catalogue, Side};
use super::json::{Json, Object, object};
use super::resources::joined;
use super::{parameters, values};
use crate::emit::docs;
use crate::model::{Api, Conditional, Constraints, ErrorCase, Operation, Parameter, Response, Type};

/// The headers that answers share.
pub fn headers(api: &Api) -> Object {
    let tagged = api.operations.iter().any(|operation| !operation.conditional.is_empty());
    let tag = object()
        .with("description", "The version of what is answered (RFC 9110, section 8.8.3).")
        .with("schema", object().with("type", "string").with("format", "etag"));
    object().with_some("ETag", tagged.then_some(tag))
}

/// The answers of an operation by status, the successes first.
pub fn responses(of: &Catalogue<'_>, operation: &Operation) -> Object {
    let mut responses = object();
    for response in &operation.responses {
        responses = responses.with(response.status.to_string(), success(of, operation, response));
    }
    if operation.conditional.contains(&Conditional::IfNoneMatch) {
        let unchanged = object().with("description", "Nothing has changed since.").with("headers", tag());
        responses = responses.with("304", unchanged);
    }
    let mut statuses: Vec<u16> = operation.errors.iter().map(|error| error.status).collect();
    let changed = operation.conditional.contains(&Conditional::IfMatch) && !statuses.contains(&412);
    statuses.extend(changed.then_some(412));
    statuses.sort_unstable();
    statuses.dedup();
    for status in statuses {
        let cases: Vec<&ErrorCase> = operation.errors.iter().filter(|error| error.status == status).collect();
        responses = responses.with(status.to_string(), error(of, &cases));
    }
    responses.with("default", failure(of, "Any other error.", &[]))
}

fn tag() -> Object {
    object().with("ETag", object().with("$ref", "#/components/headers/ETag"))
}

fn success(of: &Catalogue<'_>, operation: &Operation, response: &Response) -> Object {
    let doc = docs::markdown(&response.doc);
    let answered = match &response.ty {
        Some(Type::Resource(id)) => docs::markdown(&of.api.resource(*id).doc),
        _ => String::new(),
    };
    let description = [doc, answered].into_iter().find(|text| !text.is_empty());
    let tagged = !operation.conditional.is_empty() && response.ty.is_some();
    let headers = declared(of, if tagged { tag() } else { object() }, &response.headers);
    let schema = response.ty.as_ref().map(|ty| match response.raw() {
        Some(raw) => values::raw(raw),
        None => values::schema(of, ty, &Constraints::default(), Side::Answer, false),
    });
    object()
        .with("description", description.unwrap_or_else(|| "The operation has succeeded.".to_owned()))
        .with_members("headers", headers)
        .with_some("content", schema.map(|schema| content(&response.content_types, &schema)))
}

/// The headers that the schema has, beside others.
fn declared(of: &Catalogue<'_>, others: Object, headers: &[Parameter]) -> Object {
    headers.iter().fold(others, |all, header| all.with(header.name.wire.as_str(), parameters::header(of, header)))
}

/// A schema by media type.
pub fn content(types: &[String], schema: &Object) -> Object {
    let media = || object().with("schema", schema.clone());
    if types.is_empty() {
        return object().with("application/json", media());
    }
    types.iter().map(|ty| (ty.clone(), Json::from(media()))).collect()
}

/// The errors of one status.
fn error(of: &Catalogue<'_>, cases: &[&ErrorCase]) -> Object {
    let docs: Vec<String> = cases.iter().map(|case| docs::markdown(&case.doc)).filter(|doc| !doc.is_empty()).collect();
    let description = if docs.is_empty() { "The resource has changed.".to_owned() } else { joined(docs) };
    let reasons = cases.iter().filter_map(|case| case.reason.as_deref());
    let headers = cases.iter().fold(object(), |all, case| declared(of, all, &case.headers));
    failure(of, &description, cases).with_members("headers", headers).with_all("x-wireform-reasons", reasons)
}

/// An error, in the shape that it has or that the API gives its errors.
fn failure(of: &Catalogue<'_>, description: &str, cases: &[&ErrorCase]) -> Object {
    let mut bodies: Vec<_> = cases.iter().map(|case| case.body.or(of.api.error_body)).collect();
    if bodies.is_empty() {
        bodies.push(of.api.error_body);
    }
    bodies.dedup();
    let mut schemas: Vec<Object> = bodies
        .into_iter()
        .map(|body| body.map_or_else(|| object().with("type", "object"), |body| of.to_resource(body, Side::Answer)))
        .collect();
    let schema = if schemas.len() == 1 { schemas.remove(0) } else { object().with("anyOf", schemas) };
    object().with("description", description).with("content", content(&[], &schema))
}
