//! Keys of other languages, with their equivalents in the schema language.

use crate::schema::kind::Shape;

/// A hint for keys of other languages in some constructs.
pub struct KeyHint {
    /// The constructs; empty for all that have the key `replacement`.
    pub shapes: &'static [&'static str],
    /// The normalized keys: `maxitems` for `maxItems`, `max_items` and `max-items`.
    pub keys: &'static [&'static str],
    /// The key of the schema language that replaces it, if there is exactly one.
    pub replacement: Option<&'static str>,
    /// The help.
    pub help: &'static str,
}

/// Constructs with constraints on a value.
const MEMBERS: &[&str] = &["field", "parameter", "rest"];
const FIELD: &[&str] = &["field"];
/// Constructs with a type but without constraints.
const TYPED: &[&str] = &["body", "response"];
const PAGES: &[&str] = &["pages"];
const FILE: &[&str] = &["schema file"];
const RESOURCE: &[&str] = &["resource"];
const OPERATION: &[&str] = &["operation"];

/// Creates a hint; `means` is the key that replaces the others.
const fn hint(
    shapes: &'static [&'static str],
    keys: &'static [&'static str],
    means: Option<&'static str>,
    help: &'static str,
) -> KeyHint {
    KeyHint { shapes, keys, replacement: means, help }
}

/// The hints; those for single constructs come first.
pub const KEY_HINTS: &[KeyHint] = &[
    hint(
        MEMBERS,
        &["maxitems", "minitems", "maxproperties", "minproperties"],
        None,
        "write `items: 1..=10`, the range of the number of elements",
    ),
    hint(MEMBERS, &["maxcount", "mincount"], None, "write `items: 1..=10`, the range of the number of elements"),
    hint(MEMBERS, &["uniqueitems"], None, "write `unique: true`"),
    hint(MEMBERS, &["maxlength", "minlength", "maxlen", "minlen"], None, "write `length: 1..=10`, a range"),
    hint(MEMBERS, &["minimum", "gte", "ge"], None, "write `min: 1`, the inclusive minimum"),
    hint(MEMBERS, &["maximum", "lte", "le"], None, "write `max: 10`, the inclusive maximum"),
    hint(MEMBERS, &["exclusiveminimum", "gt"], None, "write `min: { exclusive: 0 }`"),
    hint(MEMBERS, &["exclusivemaximum", "lt"], None, "write `max: { exclusive: 1 }`"),
    hint(
        &["field", "rest"],
        &["clearable"],
        None,
        "write it next to `in`: `required: { in: [items.create], clearable: true }`",
    ),
    hint(&["parameter"], &["clearable"], None, "remove it: parameters cannot be null"),
    hint(MEMBERS, &["multipleof"], None, "write `multiple_of: 5`"),
    hint(MEMBERS, &["readonly"], None, "write `behavior: [output_only]`"),
    hint(MEMBERS, &["writeonly"], None, "write `behavior: [input_only]`"),
    hint(
        FIELD,
        &["xsensitive", "secret", "confidential", "masked", "redact", "redacted"],
        Some("sensitive"),
        "write `sensitive: true`: `Debug` output and violations then do not contain the value",
    ),
    hint(MEMBERS, &["optional"], None, "remove it: everything without `required: true` is optional"),
    hint(
        &["parameter"],
        &["nullable"],
        None,
        "remove it: parameters cannot be null, and are optional without `required: true`",
    ),
    hint(
        MEMBERS,
        &["enum"],
        Some("type"),
        "define the values under `enums:` and use the name of the enum: `type: Color`",
    ),
    hint(MEMBERS, &["$ref", "ref", "schema"], Some("type"), "use the name of the type: `type: Event`"),
    hint(
        MEMBERS,
        &["properties", "fields"],
        Some("type"),
        "define a resource under `resources:` and use its name: `type: Event`",
    ),
    hint(MEMBERS, &["additionalproperties"], Some("type"), "write a map: `type: {string: T}`"),
    hint(
        MEMBERS,
        &["oneof", "anyof"],
        Some("type"),
        "define a union under `unions:` and use its name: `type: Contact`",
    ),
    hint(MEMBERS, &["examples"], None, "write one value: `example: Lunch`"),
    hint(MEMBERS, &["discriminator"], None, "write it in the union that is the type of the field"),
    hint(MEMBERS, &["repeated"], None, "write a list: `type: [string]`"),
    hint(MEMBERS, &["values"], None, "write a map: `type: {string: T}`; enum values are defined under `enums:`"),
    hint(MEMBERS, &["regex", "regexp"], None, "write `pattern:`"),
    hint(
        MEMBERS,
        &["range"],
        None,
        "write `min: 1` and `max: 10`, `length: 1..=10` for a string or `items: 1..=10` for a list",
    ),
    hint(FIELD, &["outputonly", "inputonly", "immutable", "identifier"], None, "write `behavior: [output_only]`"),
    hint(FIELD, &["number", "tag", "fieldnumber"], None, "remove it: fields are identified by name, not by number"),
    hint(FIELD, &["jsonname"], None, "the key is the wire name; `name:` is the Rust name"),
    hint(
        &["parameter"],
        &["explode"],
        None,
        "write `style: repeat`, the default of lists in the query, or `style: comma`",
    ),
    hint(
        &["parameter"],
        &["in"],
        None,
        "declare the parameter under `path:`, `query:`, `headers:` or `cookies:` of the operation",
    ),
    hint(TYPED, &["$ref", "ref", "schema", "content"], Some("type"), "use the name of the type: `type: Event`"),
    hint(&["body"], &["mergepatch"], None, "write `as: merge_patch`"),
    hint(
        &["response"],
        &["status", "statuscode", "code"],
        None,
        "use `responses:` with the status before the type: `responses: { 201: Event }`",
    ),
    hint(
        PAGES,
        &["limit", "pagesize", "perpage", "maxresults"],
        Some("size"),
        "write `size:` with the name of the parameter",
    ),
    hint(
        PAGES,
        &["cursor", "pagetoken"],
        Some("token"),
        "write `token:` with the name of the string parameter that takes the `next` token of the previous response",
    ),
    hint(PAGES, &["page", "pagenumber"], Some("number"), "write `number:` with the name of the page number parameter"),
    hint(
        PAGES,
        &["nextpagetoken", "nextcursor", "nexttoken"],
        Some("next"),
        "write `next:` with the name of the field",
    ),
    hint(PAGES, &["data", "results"], Some("items"), "write `items:` with the name of the field"),
    hint(RESOURCE, &["properties", "members"], None, "write `fields:`"),
    hint(RESOURCE, &["required"], None, "write `required: true` in each required field"),
    hint(RESOURCE, &["type"], None, "remove it: a resource is always an object"),
    hint(RESOURCE, &["additionalproperties"], None, "write `rest: T`, or `unknown_members: preserve`"),
    hint(RESOURCE, &["allof", "extends"], None, "write the fields of all of them under `fields:`"),
    hint(RESOURCE, &["oneof", "anyof"], None, "define a union under `unions:`"),
    hint(
        OPERATION,
        &["method", "url", "route", "uri"],
        Some("http"),
        "write the method and the path as one value: `http: GET /events/{id}`",
    ),
    hint(
        OPERATION,
        &["get", "put", "post", "patch", "delete", "head", "options"],
        Some("http"),
        "write the method and the path as one value: `http: GET /events/{id}`",
    ),
    hint(
        OPERATION,
        &["pagination", "paginated", "paging", "page"],
        None,
        "write `pages: { size: pageSize, token: pageToken, next: nextPageToken, items: items }` with the names of \
            parameters and fields",
    ),
    hint(
        OPERATION,
        &["etag", "versioned"],
        None,
        "write `conditional: [if_none_match]` for a read or `[if_match]` for a write; the ETag is a field with \
            `format: etag`",
    ),
    hint(OPERATION, &["public", "anonymous", "noauth"], None, "write `security: none` if the operation is public"),
    hint(
        OPERATION,
        &["timeout", "retry", "retries"],
        None,
        "remove it: clients and servers configure it when they are built",
    ),
    hint(OPERATION, &["operationid"], None, "remove it: the key under `operations:` is the name of the operation"),
    hint(OPERATION, &["requestbody", "request", "input"], None, "write `body: Event`"),
    hint(OPERATION, &["returns", "output", "result"], None, "write `response: Event`"),
    hint(OPERATION, &["tags"], None, "remove it: the parts of the name before the last dot are the groups"),
    hint(OPERATION, &["auth", "permissions"], None, "write `scopes:` or `security:`"),
    hint(OPERATION, &["params"], None, "write `path:`, `query:`, `headers:` or `cookies:`"),
    hint(
        FILE,
        &["openapi", "swagger"],
        None,
        "this is an OpenAPI document: convert it with `cargo xtask import openapi`",
    ),
    hint(FILE, &["info"], None, "write `api:`, `version:`, `title:` and `doc:`"),
    hint(FILE, &["servers", "server", "host"], None, "write `root: https://www.example.com`"),
    hint(FILE, &["paths", "routes", "endpoint"], None, "write `operations:` with the name of each operation as key"),
    hint(
        FILE,
        &["components", "definitions", "schemas", "models", "types", "structs"],
        None,
        "write `resources:`, `enums:` and `unions:`",
    ),
    hint(FILE, &["name"], Some("api"), "write `api:`"),
    hint(FILE, &["package"], Some("api"), "write `api:`"),
    hint(FILE, &["messages", "message"], None, "write `resources:`"),
    hint(
        FILE,
        &["services", "service", "methods", "rpc", "rpcs"],
        None,
        "write `operations:` with the name of each operation as key, such as `books.get`",
    ),
    hint(FILE, &["securitydefinitions", "authentication"], Some("security_schemes"), "write `security_schemes:`"),
    hint(&["settings file"], &["output", "outdir", "outputdir", "target", "dest"], Some("out"), "write `out:`"),
    hint(&["settings file"], &["input", "source", "src"], Some("schemas"), "write `schemas:`"),
    hint(&["enum"], &["enum", "members"], Some("values"), "write `values:` with a description of each value"),
    hint(
        &["rule"],
        &["when", "if", "condition", "expression", "expr", "rule"],
        Some("cel"),
        "write `cel:` with the condition that must be true",
    ),
    hint(&["rule"], &["error", "text"], Some("message"), "write `message:`"),
    hint(&["rule"], &["name", "key"], Some("id"), "write `id:`"),
    hint(
        &["XML element"],
        &["nodetype"],
        None,
        "write `attribute: true`, `text: true`, or `wrapped: true` for a list with an enclosing element",
    ),
    hint(&["XML element"], &["item", "itemname"], Some("items"), "write `items:` with the name of each element"),
    hint(&[], &["description", "summary", "comment", "title", "label"], Some("doc"), "write `doc:`"),
];

/// Normalizes a key: removes `_` and `-`, and converts it to lower case.
pub fn normalize_key(written: &str) -> String {
    written.chars().filter(|c| !matches!(c, '_' | '-')).flat_map(char::to_lowercase).collect()
}

/// Returns the hint for a key of a construct.
pub fn find_hint(shape: &Shape, written: &str) -> Option<&'static KeyHint> {
    let written = normalize_key(written);
    let has_key = |name: &str| shape.keys.iter().any(|key| key.name == name);
    let fits = |habit: &&KeyHint| {
        let is_of_any = habit.shapes.is_empty() && habit.replacement.is_some_and(has_key);
        is_of_any || habit.shapes.contains(&shape.name)
    };
    KEY_HINTS.iter().filter(fits).find(|habit| habit.keys.contains(&written.as_str()))
}
