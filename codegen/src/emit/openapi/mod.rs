//! The OpenAPI 3.1 document of an API: what a reader opens in Swagger UI, and what tools test a server by.
//!
//! | module | what of the document |
//! |---|---|
//! | `paths`, `operation` | paths, and operations in them |
//! | `parameters`, `responses`, `security` | what an operation takes, answers and demands |
//! | `catalogue` | which schemas there are, and what they are called |
//! | `resources` | schemas of resources and enums |
//! | `values`, `texts`, `wire` | schemas of values: types and constraints |
//! | `extensions` | what OpenAPI has no word for: `x-wireform-…` |
//! | `source` | what it takes beyond that to read the document back as a schema |
//! | `json` | JSON whose members keep their order |
//!
//! # One resource, several schemas
//!
//! What a server answers and what it takes differ, and one schema cannot be right about both. Of a resource `Event`
//! there are, as far as an operation needs them:
//!
//! * `Event`: what is **answered**. Members that only the server writes are `readOnly`, those that only a client writes
//!   `writeOnly`. An enum is open: its schema is `anyOf` the known values and any other text, because a later version
//!   may answer values that this one does not know. Nothing is `required` of what the parameter `fields` can leave out.
//! * `Event.Input`: what is **sent**. An enum is closed: its `enum` are the values that may be sent, with the aliases
//!   under which they are read. A member that is not required may be null, which is the same as leaving it out. Members
//!   that only the server writes are `readOnly` and without constraints, since the server drops what it is sent.
//! * `Event.Input.<operation>`: the same where what is required, or who writes a member, depends on the operation.
//! * `Event.Patch`: a **merge patch** (RFC 7396): no member is required, and null clears one.
//! * `Wire.…`: texts of the wire that several members have, such as 64-bit integers in decimal digits.
//!
//! The names of resources have no dots, so that these names are free.
//!
//! # Where JSON Schema cannot say what is meant
//!
//! * The bytes of a base64 text are counted in `x-wireform-bytes`, and the length of the text as near as it goes.
//! * A leap second has to be in `Z`; `+01:00` has one an hour later, which no pattern can tell.
//! * A member may come under the names in `x-wireform-aliases`, which `required` does not know.
//! * Formats that are not of JSON Schema, such as `time-zone`, are annotations to most tools.
//! * The addresses of the authorization server are not in the schema; stand-ins stand in for them.

mod catalogue;
mod definitions;
mod extensions;
mod json;
mod long_running;
mod names;
mod operation;
mod parameters;
mod paths;
mod resources;
mod responses;
mod security;
mod source;
mod template;
mod texts;
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

/// The document, beside the server crate; none for an API without operations.
pub fn emit<'a>(api: &'a Api, options: &'a Options) -> Vec<Artifact<'a>> {
    if api.operations.is_empty() {
        return Vec::new();
    }
    let path = format!("{}/openapi.json", options.crate_name(&api.name, "server"));
    vec![Artifact { path, content: Box::new(move || Content::Text(Json::from(document(api)).to_text())) }]
}

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
    let batch = batch.map(|batch| object().with("path", batch.path.as_str()).with("max", i64::from(batch.max)));
    object()
        .with("openapi", "3.1.0")
        .with("x-generated", MARKER)
        .with("x-wireform-api", source::api(api))
        .with("info", info(api))
        .with("servers", servers(api))
        .with_some("x-wireform-batch", batch)
        .with_all("tags", tags(&api.groups))
        .with("paths", paths)
        .with("components", components)
}

fn info(api: &Api) -> Object {
    object()
        .with("title", if api.title.is_empty() { api.name.as_str() } else { api.title.as_str() })
        .with_text("description", &docs::markdown(&api.doc))
        .with("version", api.version.as_str())
}

/// The public address, the other paths under which the API answers, and its other addresses.
fn servers(api: &Api) -> Vec<Object> {
    let root = api.root.as_deref().unwrap_or_default();
    let server = |path: &String| {
        object().with("url", if path.is_empty() { format!("{root}/") } else { format!("{root}{path}") })
    };
    let alias = |path| server(path).with("description", "Same as the primary path.");
    let own = std::iter::once(server(&api.base_path.path)).chain(api.base_path.aliases.iter().map(alias));
    own.chain(api.endpoints.iter().map(|endpoint| other_server(api, endpoint))).collect()
}

/// Another address, with what its description does not tell a program.
fn other_server(api: &Api, endpoint: &Endpoint) -> Object {
    object()
        .with("url", format!("{}{}", endpoint.url, api.base_path.path))
        .with_text("description", &docs::markdown(&endpoint.doc))
        .with("x-wireform-endpoint", endpoint.name.wire.as_str())
        .with_some("x-wireform-location", endpoint.location.as_deref())
        .with_true("x-wireform-mtls", endpoint.mtls)
}

/// A tag a group, the outer ones first; that of an operation is [`tag`].
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

/// The definitions as they are answered, with everything that is known of them; and what something refers to.
fn schemas(of: &Catalogue<'_>, paths: &Object) -> Object {
    let mut made: BTreeMap<String, Object> = BTreeMap::new();
    let mut open = of.answered();
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

/// A value that the schema gives, as it is on the wire.
fn literal(api: &Api, ty: &Type, value: &Literal) -> Json {
    let decimal = values::is_decimal(ty.innermost());
    match value {
        Literal::Bool(value) => Json::from(*value),
        Literal::Number(value) if decimal => Json::from(values::digits(*value)),
        Literal::Number(value) => values::number(*value),
        Literal::Text(text) => Json::from(text.as_str()),
        Literal::Enum(id, index) => {
            let definition = api.enumeration(*id);
            resources::spelled(definition, &definition.value(*index).name.wire)
        }
        Literal::Json(value) => Json::from(value.clone()),
    }
}
