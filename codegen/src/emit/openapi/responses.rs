//! Responses of operations: successes, conditional responses, and errors.

use super::catalogue::{Catalogue, SchemaUse};
use super::json::{Json, Object, object};
use super::{parameters, source, values, xml};
use crate::emit::docs;
use crate::model::{
    Api, Conditional, ErrorCase, ErrorStatus, Operation, Parameter, Response, ResponseAlternative, Type,
};

/// Returns the headers that responses share.
pub fn headers(api: &Api) -> Object {
    let tagged = api.operations.iter().any(|operation| !operation.conditional.is_empty());
    let tag = object()
        .with("description", "Entity tag of the response (RFC 9110, section 8.8.3).")
        .with("schema", object().with("type", "string").with("format", "etag"));
    object().with_some("ETag", tagged.then_some(tag))
}

/// Returns the responses of an operation by status, successes first.
pub fn responses(of: &Catalogue<'_>, operation: &Operation) -> Object {
    let mut responses = object();
    for response in &operation.responses {
        responses = responses.with(response.status.to_string(), success(of, operation, response));
    }
    if operation.conditional.contains(&Conditional::IfNoneMatch) {
        let unchanged = object().with("description", "Not modified.").with("headers", entity_tag_header());
        responses = responses.with("304", unchanged);
    }
    const CHANGED: ErrorStatus = ErrorStatus::Exact(412);
    let mut statuses: Vec<ErrorStatus> = operation.errors.iter().map(|error| error.status).collect();
    statuses.extend(operation.conditional.contains(&Conditional::IfMatch).then_some(CHANGED));
    statuses.push(ErrorStatus::Default);
    statuses.sort_unstable();
    statuses.dedup();
    for status in statuses {
        let case = operation.errors.iter().find(|error| error.status == status);
        let otherwise = match status {
            CHANGED => "The resource has changed.",
            ErrorStatus::Default => "Any other error.",
            ErrorStatus::Exact(_) | ErrorStatus::Class(_) => "The operation has failed.",
        };
        responses = responses.with(status.to_string(), error(of, case, otherwise));
    }
    responses
}

fn entity_tag_header() -> Object {
    object().with("ETag", object().with("$ref", "#/components/headers/ETag"))
}

/// Returns the Response Object of a success: description, headers, and a schema for each media type.
fn success(of: &Catalogue<'_>, operation: &Operation, response: &Response) -> Object {
    let doc = docs::markdown(&response.doc);
    let resource_doc = match &response.ty {
        Some(Type::Resource(id)) => docs::markdown(&of.api.resource(*id).doc),
        _ => String::new(),
    };
    let description = [doc, resource_doc].into_iter().find(|text| !text.is_empty());
    let tagged = !operation.conditional.is_empty() && response.ty.is_some();
    let headers = with_declared(of, if tagged { entity_tag_header() } else { object() }, &response.headers);
    let schema = response.ty.as_ref().map(|ty| match response.raw() {
        Some(raw) => values::raw(raw),
        None => {
            let schema = values::body(of, ty, &response.counts, SchemaUse::Response);
            xml::of_body(of.api, schema, ty, &response.xml)
        }
    });
    let content = if response.alternatives.is_empty() {
        schema.map(|schema| content(&response.content_types, &schema))
    } else {
        Some(response.alternatives.iter().flat_map(|one| alternative(of, one)).collect())
    };
    object()
        .with("description", description.unwrap_or_else(|| "The operation has succeeded.".to_owned()))
        .with_members("headers", headers)
        .with_some("content", content)
}

/// Returns the media types of an alternative, with extensions next to the schema.
fn alternative(of: &Catalogue<'_>, one: &ResponseAlternative) -> Vec<(String, Json)> {
    let schema = match one.raw() {
        Some(raw) => values::raw(raw),
        None => {
            let schema = values::body(of, &one.ty, &one.counts, SchemaUse::Response);
            xml::of_body(of.api, schema, &one.ty, &one.xml)
        }
    };
    let more = object()
        .with("x-wireform-alternative", one.name.wire.as_str())
        .merged(source::name(&one.name))
        .with_text("x-wireform-description", &docs::markdown(&one.doc));
    with_extensions(content(&one.content_types, &schema), &more)
}

/// Adds members to each media type.
pub fn with_extensions(content: Object, more: &Object) -> Vec<(String, Json)> {
    let with = |(media_type, media): (String, Json)| match media {
        Json::Object(media) => (media_type, Json::from(media.merged(more.clone()))),
        other => (media_type, other),
    };
    content.into_iter().map(with).collect()
}

/// Returns the declared headers in addition to others.
fn with_declared(of: &Catalogue<'_>, others: Object, headers: &[Parameter]) -> Object {
    headers.iter().fold(others, |all, header| all.with(header.name.wire.as_str(), parameters::header(of, header)))
}

/// Returns a schema by media type.
pub fn content(types: &[String], schema: &Object) -> Object {
    let media = || object().with("schema", schema.clone());
    if types.is_empty() {
        return object().with("application/json", media());
    }
    types.iter().map(|ty| (ty.clone(), Json::from(media()))).collect()
}

/// Returns an error with its own body, or with that of the API.
fn error(of: &Catalogue<'_>, case: Option<&ErrorCase>, otherwise: &str) -> Object {
    let description = case.map(|case| docs::markdown(&case.doc)).filter(|doc| !doc.is_empty());
    let own = case.and_then(|case| Some((case, case.body.as_ref()?)));
    let schema = match (own.and_then(|(case, _)| case.raw()), own, of.api.error_body) {
        (Some(raw), ..) => values::raw(raw),
        (None, Some((_, ty)), _) => values::unconstrained(of, ty, SchemaUse::Response),
        (None, None, Some(body)) => of.resource_reference(body, SchemaUse::Response),
        (None, None, None) => object().with("type", "object"),
    };
    // Without a declared error body any object is assumed, so one that is declared to be an object is marked.
    let is_object = of.api.error_body.is_none() && own.is_some_and(|(_, ty)| *ty == Type::Object);
    let types = own.map_or(&[][..], |(case, _)| &case.content_types);
    let headers = case.map_or_else(object, |case| with_declared(of, object(), &case.headers));
    object()
        .with("description", description.unwrap_or_else(|| otherwise.to_owned()))
        .with("content", content(types, &schema))
        .with_members("headers", headers)
        .with_some("x-wireform-error-body", is_object.then_some("object"))
        .with_list("x-wireform-reasons", case.and_then(|case| case.reason.as_deref()))
}
