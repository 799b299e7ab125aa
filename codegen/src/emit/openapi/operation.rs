//! Operations: description, parameters, responses and security.

use super::catalogue::Catalogue;
use super::json::{Json, Object, object};
use super::resources::{deprecation, join_sentences};
use super::template::Variable;
use super::{extensions, parameters, responses, security, source, values, xml};
use crate::emit::{docs, operation_docs};
use crate::model::{
    Api, Body, BodyAlternative, BodyMode, Codec, Field, FormList, FormStyle, Location, Operation, OperationId, Segment,
    Type,
};

/// Returns `{ "operationId": "events.get", … }`; the variables and the template are those of its path.
pub fn operation(of: &Catalogue<'_>, id: OperationId, variables: &[Variable], template: &str) -> Object {
    let operation = of.api.operation(id);
    let security: Vec<Json> = security::security_requirements(of.api, operation).into_iter().map(Json::from).collect();
    object()
        .with("operationId", operation.name.as_str())
        .with_list("tags", tag(operation))
        .with_text("summary", &summary(operation))
        .with_text("description", &description(operation))
        .with_true("deprecated", operation.deprecated.is_some())
        .with_list("parameters", parameters::of_operation(of, operation, variables))
        .with_some("requestBody", operation.body.as_ref().map(|one| body(of, id, one)))
        .with("responses", responses::responses(of, operation))
        .with_members("callbacks", callbacks(of.api, operation))
        .with("security", security)
        .merged(extensions::operation(of, operation))
        .merged(further_facts(of, operation, template))
}

/// Returns the tag of its group.
fn tag(operation: &Operation) -> Option<String> {
    let name: Vec<&str> = operation.groups.iter().map(|group| group.wire.as_str()).collect();
    (!name.is_empty()).then(|| name.join("."))
}

/// Returns the summary: the first paragraph of the description without the final full stop.
fn summary(operation: &Operation) -> String {
    let doc = docs::markdown(&operation.doc);
    let first = doc.split("\n\n").next().unwrap_or_default();
    docs::paragraph(first).trim_end_matches('.').to_owned()
}

/// Returns the description: what the summary and other members do not contain.
fn description(operation: &Operation) -> String {
    let cost = (operation.cost != 1).then(|| format!("Costs {} quota units.", operation.cost));
    let more = join_sentences([cost.unwrap_or_default(), deprecation(operation.deprecated.as_ref())]);
    let doc = docs::markdown(&operation.doc);
    if more.is_empty() && !doc.contains(". ") && !doc.contains('\n') {
        String::new()
    } else {
        join_sentences([doc, more])
    }
}

/// Returns the `requestBody` of an operation, with a schema for each media type.
fn body(of: &Catalogue<'_>, id: OperationId, body: &Body) -> Object {
    let content = if body.alternatives.is_empty() {
        content(of, body, &body_schema(of, id, body))
    } else {
        body.alternatives.iter().flat_map(|one| alternative(of, id, one)).collect()
    };
    let patch = match body.mode {
        BodyMode::Whole => "",
        BodyMode::MergePatch => "A merge patch (RFC 7396).",
        BodyMode::JsonPatch => "A JSON Patch (RFC 6902).",
    };
    object()
        .with_text("description", &join_sentences([docs::markdown(&body.doc), patch.to_owned()]))
        .with_true("required", body.required)
        .with("content", content)
}

fn body_schema(of: &Catalogue<'_>, id: OperationId, body: &Body) -> Object {
    match (body.raw(), body.mode) {
        (Some(raw), _) => values::raw(raw),
        (None, BodyMode::JsonPatch) => json_patch(),
        (None, BodyMode::Whole | BodyMode::MergePatch) => {
            let schema = values::body(of, &body.ty, &body.counts, of.body_use(id, body));
            xml::of_body(of.api, schema, &body.ty, &body.xml)
        }
    }
}

/// Returns the media types of an alternative, with extensions next to the schema.
fn alternative(of: &Catalogue<'_>, id: OperationId, one: &BodyAlternative) -> Vec<(String, Json)> {
    let all = content(of, &one.body, &body_schema(of, id, &one.body));
    let mode = match one.body.mode {
        BodyMode::Whole => None,
        BodyMode::MergePatch => Some("merge_patch"),
        BodyMode::JsonPatch => Some("json_patch"),
    };
    let more = object()
        .with("x-wireform-alternative", one.name.wire.as_str())
        .merged(source::name(&one.name))
        .with_some("x-wireform-body", mode)
        .with_some("x-wireform-form", (one.body.style == FormStyle::Brackets).then_some("brackets"))
        .with_list("x-wireform-json-lists", json_lists(&one.body))
        .with_text("x-wireform-description", &docs::markdown(&one.body.doc));
    responses::with_extensions(all, &more)
}

/// Returns the names of the lists that are one form field each, as JSON.
fn json_lists(body: &Body) -> impl Iterator<Item = &str> {
    body.lists.iter().filter(|(_, list)| *list == FormList::Json).map(|(name, _)| name.as_str())
}

/// Returns the schema of a JSON Patch (RFC 6902).
fn json_patch() -> Object {
    let text = || object().with("type", "string");
    let names: Vec<Json> = ["add", "remove", "replace", "move", "copy", "test"].into_iter().map(Json::from).collect();
    let pointer = || text().with("format", "json-pointer");
    let members = object()
        .with("op", text().with("enum", names))
        .with("path", pointer())
        .with("from", pointer())
        .with("value", object());
    let required: Vec<Json> = ["op", "path"].into_iter().map(Json::from).collect();
    let operation = object().with("type", "object").with("required", required).with("properties", members);
    object().with("type", "array").with("items", operation)
}

/// Returns the schema by media type; in a form, structured values are JSON.
fn content(of: &Catalogue<'_>, body: &Body, schema: &Object) -> Object {
    let fields = match body.ty {
        Type::Resource(resource) => of.api.resource(resource).named_fields(),
        _ => &[],
    };
    let brackets = body.style == FormStyle::Brackets;
    let is_json = |ty: &Type| matches!(ty, Type::Object | Type::Resource(_) | Type::Union(_) | Type::Map(_));
    let has_members = |field: &&Field| is_json(field.ty.innermost_type()) || is_json(&field.ty);
    let plain = |field: &Field| {
        let style = match body.list(&field.name.wire) {
            None if !has_members(&field) => return None,
            None | Some(FormList::Json) => object().with("contentType", "application/json"),
            Some(FormList::Comma) => object().with("style", "form").with("explode", false),
            Some(FormList::Space) => object().with("style", "spaceDelimited").with("explode", false),
            Some(FormList::Pipe) => object().with("style", "pipeDelimited").with("explode", false),
        };
        Some((field.name.wire.clone(), Json::from(style)))
    };
    let deep = |field: &Field| {
        (field.name.wire.clone(), Json::from(object().with("style", "deepObject").with("explode", true)))
    };
    let encoding: Object = if brackets {
        fields.iter().filter(|field| matches!(field.ty, Type::List(_)) || has_members(field)).map(deep).collect()
    } else {
        fields.iter().filter_map(plain).collect()
    };
    let media = |media_type: &String| {
        let is_form = matches!(Codec::of(media_type), Some(Codec::Form | Codec::Multipart));
        let encoding = if is_form { encoding.clone() } else { object() };
        (media_type.clone(), Json::from(object().with("schema", schema.clone()).with_members("encoding", encoding)))
    };
    body.content_types.iter().map(media).collect()
}

/// Returns the notifications of the channel that the operation opens.
fn callbacks(api: &Api, operation: &Operation) -> Object {
    let (Some(watch), Some(body)) = (&operation.watch, &operation.body) else { return object() };
    let Type::Resource(channel) = body.ty else { return object() };
    let channel = api.resource(channel);
    let header = |(name, holds): &(String, String)| {
        let field = channel.fields.iter().find(|field| field.name.wire == *holds);
        let doc = field.map_or(holds, |field| &field.doc);
        object()
            .with("name", name.as_str())
            .with("in", "header")
            .with_text("description", &docs::markdown(doc))
            .with("schema", object().with("type", "string"))
    };
    let taken = object().with("2XX", object().with("description", "The notification was accepted."));
    let announcement = object()
        .with("summary", "Something has changed")
        .with_list("parameters", watch.headers.iter().map(header))
        .with("responses", taken)
        .with("security", Vec::<Json>::new());
    let address = &channel.field(watch.address).name.wire;
    let path = object().with(format!("{{$request.body#/{address}}}"), object().with("post", announcement));
    object().with("announcement", path)
}

/// Returns further facts of a schema: the path if OpenAPI has a different one, and the mode of the body.
fn further_facts(of: &Catalogue<'_>, operation: &Operation, template: &str) -> Object {
    let path = operation_docs::path(operation, &operation.http);
    let differs = path != template || operation.http.segments.iter().any(|one| matches!(one, Segment::Rest(_)));
    let in_path = operation.parameters.iter().filter(|one| differs && one.location == Location::Path);
    let mode = match operation.body.as_ref().map(|body| body.mode) {
        Some(BodyMode::MergePatch) => Some("merge_patch"),
        Some(BodyMode::JsonPatch) => Some("json_patch"),
        Some(BodyMode::Whole) | None => None,
    };
    let brackets = operation.body.as_ref().is_some_and(|body| body.style == FormStyle::Brackets);
    let watch = operation.watch.as_ref().map(|watch| {
        let headers = watch.headers.iter().map(|(name, holds)| (name.clone(), Json::from(holds.as_str())));
        extensions::watched(of.api, operation, &watch.operations).with_members("headers", headers.collect())
    });
    let server = |root: &String| {
        let path = of.api.base_path.path.as_str();
        Json::from(object().with("url", format!("{root}{}", if path.is_empty() { "/" } else { path })))
    };
    object()
        .with_some("servers", operation.root.as_ref().map(|root| vec![server(root)]))
        .with_some("x-wireform-path", differs.then_some(path))
        .with_list("x-wireform-path-parameters", in_path.map(|one| parameters::path_parameter(of, one)))
        .with_some("x-wireform-body", mode)
        .with_some("x-wireform-form", brackets.then_some("brackets"))
        .with_list("x-wireform-json-lists", operation.body.iter().flat_map(json_lists))
        .with_some("x-wireform-watch", watch)
        .with_true("x-wireform-client-only", operation.client_only)
        .merged(source::deprecated(operation.deprecated.as_ref()))
}
