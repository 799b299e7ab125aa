//! OpenAPI 3.1 document of an API, for readers in Swagger UI and for tools that test servers.
//!
//! | module | content |
//! |---|---|
//! | `paths`, `operation` | paths, and operations in them |
//! | `parameters`, `responses`, `security` | parameters, responses and security of an operation |
//! | `catalogue` | schemas and their names |
//! | `resources` | schemas of resources and enums |
//! | `values`, `texts`, `wire` | schemas of values: types and constraints |
//! | `extensions` | facts that OpenAPI cannot express: `x-wireform-…` |
//! | `source` | further facts, with which the document can be converted back to a schema |
//! | `json` | JSON whose members keep their order |
//!
//! # One resource, several schemas
//!
//! Responses and requests differ, and one schema cannot be exact for both. A resource `Event` has the following
//! schemas, as far as operations need them:
//!
//! * `Event`: **response**. Output-only fields are `readOnly`, input-only ones `writeOnly`. An enum is open: its
//!   schema is `anyOf` the known values and any other text, because a later version may return new values. Fields that
//!   the parameter `fields` can omit are not `required`.
//! * `Event.Input`: **request**. An enum is closed: its `enum` lists the values that may be sent, with the accepted
//!   aliases. A field that is not required may be null, which is equivalent to absent. Output-only fields are
//!   `readOnly` and without constraints, since the server drops them.
//! * `Event.Input.<operation>`: request of one operation, if required or output-only fields depend on the operation.
//! * `Event.Patch`: **merge patch** (RFC 7396): no field is required, and null clears one.
//! * `Wire.…`: wire formats that several fields share, such as 64-bit integers as decimal strings.
//!
//! The names of resources have no dots, so that these names are free.
//!
//! # Limits of JSON Schema
//!
//! * The length of base64 data is in `x-wireform-bytes`; the length of the text is as close as possible.
//! * A leap second has to be in `Z`; with `+01:00` it is an hour later, which no pattern can express.
//! * A field can have the names in `x-wireform-aliases`, which `required` does not consider.
//! * Formats that are not part of JSON Schema, such as `time-zone`, are annotations to most tools.
//! * The URLs of the authorization server are not in the schema, so the document has placeholders.

mod catalogue;
mod definitions;
mod extensions;
mod json;
mod long_running;
mod names;
mod operation;
mod parameters;
mod paths;
mod regexes;
mod resources;
mod responses;
mod security;
mod source;
mod template;
mod unions;
mod values;
mod wire;
mod xml;

use std::collections::BTreeMap;

use super::{Artifact, Content, docs};
use crate::model::{Api, Endpoint, Group, Literal, Type};
use crate::options::{MARKER, Options};
use catalogue::Catalogue;
use json::{Json, Object, object};

/// Returns the document, next to the server crate; none for an API without operations.
pub fn emit<'a>(api: &'a Api, options: &'a Options) -> Vec<Artifact<'a>> {
    if api.operations.is_empty() {
        return Vec::new();
    }
    let path = format!("{}/openapi.json", options.crate_name(&api.name, "server"));
    vec![Artifact { path, content: Box::new(move || Content::Text(Json::from(document(api)).to_text())) }]
}

/// Returns the document:
///
/// ```text
/// { "openapi": "3.1.0", "info": …, "servers": …, "tags": …, "paths": …, "components": … }
/// ```
fn document(api: &Api) -> Object {
    let of = Catalogue::new(api);
    let paths = paths::paths(&of);
    let components = object()
        .with("schemas", schemas(&of, &paths))
        .with_members("parameters", parameters::shared(&of))
        .with_members("headers", responses::headers(api))
        .with_members("securitySchemes", security::schemes(api));
    let batch = api.batch.as_ref();
    let batch = batch.map(|batch| {
        let aliases = batch.aliases.iter().map(String::as_str);
        object().with("path", batch.path.as_str()).with_list("aliases", aliases).with("max", i64::from(batch.max))
    });
    object()
        .with("openapi", "3.1.0")
        .with("x-generated", MARKER)
        .with("x-wireform-api", source::api(api))
        .with("info", info(api))
        .with("servers", servers(api))
        .with_some("x-wireform-batch", batch)
        .with_list("tags", tags(&api.groups))
        .with("paths", paths)
        .with("components", components)
}

/// Returns the `info` of the document: title, description and version of the API.
fn info(api: &Api) -> Object {
    object()
        .with("title", if api.title.is_empty() { api.name.as_str() } else { api.title.as_str() })
        .with_text("description", &docs::markdown(&api.doc))
        .with("version", api.version.as_str())
}

/// Returns the root URL, the alternative base paths, and the further endpoints.
fn servers(api: &Api) -> Vec<Object> {
    let root = api.root.as_deref().unwrap_or_default();
    let server = |path: &String| {
        object().with("url", if path.is_empty() { format!("{root}/") } else { format!("{root}{path}") })
    };
    let alias = |path| server(path).with("description", "Same as the primary path.");
    let own = std::iter::once(server(&api.base_path.path)).chain(api.base_path.aliases.iter().map(alias));
    own.chain(api.endpoints.iter().map(|endpoint| other_server(api, endpoint))).collect()
}

/// Returns a further endpoint, with the facts that its description does not provide to programs.
fn other_server(api: &Api, endpoint: &Endpoint) -> Object {
    object()
        .with("url", format!("{}{}", endpoint.url, api.base_path.path))
        .with_text("description", &docs::markdown(&endpoint.doc))
        .with("x-wireform-endpoint", endpoint.name.wire.as_str())
        .with_some("x-wireform-location", endpoint.location.as_deref())
        .with_true("x-wireform-mtls", endpoint.mtls)
}

/// Returns one tag for each group, outer ones first; [`tag`] returns that of an operation.
fn tags(group: &Group) -> Vec<Object> {
    let mut found = Vec::new();
    for inner in &group.groups {
        let name: Vec<&str> = inner.path.iter().map(|name| name.wire.as_str()).collect();
        if !inner.operations.is_empty() {
            found.push(object().with("name", name.join(".")));
        }
        found.extend(tags(inner));
    }
    found
}

/// Returns the response schemas of all definitions, and the other schemas that are referenced.
fn schemas(of: &Catalogue<'_>, paths: &Object) -> Object {
    let mut made: BTreeMap<String, Object> = BTreeMap::new();
    let mut open = of.response_schemas();
    let wanted = |json: &Json, open: &mut Vec<String>| {
        json.references(&mut |target| open.extend(target.strip_prefix(catalogue::PREFIX).map(str::to_owned)));
    };
    wanted(&Json::from(paths.clone()), &mut open);
    wanted(&Json::from(parameters::shared(of)), &mut open);
    while let Some(name) = open.pop() {
        if made.contains_key(&name) {
            continue;
        }
        if let Some(schema) = of.schema(&name) {
            wanted(&Json::from(schema.clone()), &mut open);
            made.insert(name, schema);
        }
    }
    of.names().filter_map(|name| Some((name.clone(), Json::from(made.remove(&name)?)))).collect()
}

/// Returns the wire value of a literal.
fn literal(api: &Api, ty: &Type, value: &Literal) -> Json {
    let decimal = values::is_decimal(ty.innermost_type());
    match value {
        Literal::Bool(value) => Json::from(*value),
        Literal::Number(value) if decimal => Json::from(values::digits(*value)),
        Literal::Number(value) => values::number(*value),
        Literal::Text(text) => Json::from(text.as_str()),
        Literal::Enum(id, index) => {
            let definition = api.enumeration(*id);
            resources::enum_value(definition, &definition.value(*index).name.wire)
        }
        Literal::Json(value) => Json::from(value.clone()),
    }
}
