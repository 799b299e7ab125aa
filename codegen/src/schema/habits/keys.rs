//! Keys of other languages, with their equivalents in the schema language.

use crate::schema::kind::Shape;

/// A hint for keys of other languages in some constructs.
pub struct Habit {
    /// The constructs; empty for all that have the key `means`.
    pub shapes: &'static [&'static str],
    /// The normalized keys: `maxitems` for `maxItems`, `max_items` and `max-items`.
    pub keys: &'static [&'static str],
    /// The key of the schema language that replaces it, if there is exactly one.
    pub means: Option<&'static str>,
    /// The help.
    pub help: &'static str,
}

const MEMBERS: &[&str] = &["field", "parameter", "rest"];
const FIELD: &[&str] = &["field"];
const TYPED: &[&str] = &["body", "response"];
const PAGES: &[&str] = &["pages"];
const FILE: &[&str] = &["schema file"];
const RESOURCE: &[&str] = &["resource"];
const OPERATION: &[&str] = &["operation"];

const fn habit(
    shapes: &'static [&'static str],
    keys: &'static [&'static str],
    means: Option<&'static str>,
    help: &'static str,
) -> Habit {
    Habit { shapes, keys, means, help }
}

/// The hints; those for single constructs come first.
pub const HABITS: &[Habit] = &[
    habit(
        MEMBERS,
        &["maxitems", "minitems", "maxproperties", "minproperties"],
        None,
        "write `items: 1..=10`, the range of the number of elements",
    ),
    habit(MEMBERS, &["maxcount", "mincount"], None, "write `items: 1..=10`, the range of the number of elements"),
    habit(MEMBERS, &["uniqueitems"], None, "write `unique: true`"),
    habit(MEMBERS, &["maxlength", "minlength", "maxlen", "minlen"], None, "write `length: 1..=10`, a range"),
    habit(MEMBERS, &["minimum", "gte", "ge"], None, "write `min: 1`, the inclusive minimum"),
    habit(MEMBERS, &["maximum", "lte", "le"], None, "write `max: 10`, the inclusive maximum"),
    habit(
        MEMBERS,
        &["exclusiveminimum", "gt"],
        None,
        "`min` is inclusive: for integers, write the next greater number",
    ),
    habit(
        MEMBERS,
        &["exclusivemaximum", "lt"],
        None,
        "`max` is inclusive: for integers, write the next smaller number",
    ),
    habit(
        &["field", "rest"],
        &["clearable"],
        None,
        "write it next to `in`: `required: { in: [items.create], clearable: true }`",
    ),
    habit(&["parameter"], &["clearable"], None, "remove it: parameters cannot be null"),
    habit(MEMBERS, &["multipleof"], None, "write `multiple_of: 5`"),
    habit(MEMBERS, &["readonly"], None, "write `behavior: [output_only]`"),
    habit(MEMBERS, &["writeonly"], None, "write `behavior: [input_only]`"),
    habit(MEMBERS, &["optional"], None, "remove it: everything without `required: true` is optional"),
    habit(
        &["parameter"],
        &["nullable"],
        None,
        "remove it: parameters cannot be null, and are optional without `required: true`",
    ),
    habit(
        MEMBERS,
        &["enum"],
        Some("type"),
        "define the values under `enums:` and use the name of the enum: `type: Color`",
    ),
    habit(MEMBERS, &["$ref", "ref", "schema"], Some("type"), "use the name of the type: `type: Event`"),
    habit(
        MEMBERS,
        &["properties", "fields"],
        Some("type"),
        "define a resource under `resources:` and use its name: `type: Event`",
    ),
    habit(MEMBERS, &["additionalproperties"], Some("type"), "write a map: `type: {string: T}`"),
    habit(
        MEMBERS,
        &["oneof", "anyof"],
        Some("type"),
        "define a union under `unions:` and use its name: `type: Contact`",
    ),
    habit(MEMBERS, &["examples"], None, "write one value: `example: Lunch`"),
    habit(MEMBERS, &["discriminator"], None, "write it in the union that is the type of the field"),
    habit(MEMBERS, &["repeated"], None, "write a list: `type: [string]`"),
    habit(MEMBERS, &["values"], None, "write a map: `type: {string: T}`; enum values are defined under `enums:`"),
    habit(MEMBERS, &["regex", "regexp"], None, "write `pattern:`"),
    habit(
        MEMBERS,
        &["range"],
        None,
        "write `min: 1` and `max: 10`, `length: 1..=10` for a string or `items: 1..=10` for a list",
    ),
    habit(FIELD, &["outputonly", "inputonly", "immutable", "identifier"], None, "write `behavior: [output_only]`"),
    habit(FIELD, &["number", "tag", "fieldnumber"], None, "remove it: fields are identified by name, not by number"),
    habit(FIELD, &["jsonname"], None, "the key is the wire name; `name:` is the Rust name"),
    habit(
        &["parameter"],
        &["explode"],
        None,
        "write `style: repeat`, the default of lists in the query, or `style: comma`",
    ),
    habit(
        &["parameter"],
        &["in"],
        None,
        "declare the parameter under `path:`, `query:`, `headers:` or `cookies:` of the operation",
    ),
    habit(TYPED, &["$ref", "ref", "schema", "content"], Some("type"), "use the name of the type: `type: Event`"),
    habit(TYPED, &["items"], None, "write a list: `type: [Event]`"),
    habit(&["body"], &["mergepatch"], None, "write `as: merge_patch`"),
    habit(
        &["response"],
        &["status", "statuscode", "code"],
        None,
        "use `responses:` with the status before the type: `responses: { 201: Event }`",
    ),
    habit(
        PAGES,
        &["limit", "pagesize", "perpage", "maxresults"],
        Some("size"),
        "write `size:` with the name of the parameter",
    ),
    habit(
        PAGES,
        &["cursor", "pagetoken"],
        Some("token"),
        "write `token:` with the name of the string parameter that takes the `next` token of the previous response",
    ),
    habit(PAGES, &["page", "pagenumber"], Some("number"), "write `number:` with the name of the page number parameter"),
    habit(
        PAGES,
        &["nextpagetoken", "nextcursor", "nexttoken"],
        Some("next"),
        "write `next:` with the name of the field",
    ),
    habit(PAGES, &["data", "results"], Some("items"), "write `items:` with the name of the field"),
    habit(RESOURCE, &["properties", "members"], None, "write `fields:`"),
    habit(RESOURCE, &["required"], None, "write `required: true` in each required field"),
    habit(RESOURCE, &["type"], None, "remove it: a resource is always an object"),
    habit(RESOURCE, &["additionalproperties"], None, "write `rest: T`, or `unknown_members: preserve`"),
    habit(RESOURCE, &["allof", "extends"], None, "write the fields of all of them under `fields:`"),
    habit(RESOURCE, &["oneof", "anyof"], None, "define a union under `unions:`"),
    habit(
        OPERATION,
        &["method", "url", "route", "uri"],
        Some("http"),
        "write the method and the path as one value: `http: GET /events/{id}`",
    ),
    habit(
        OPERATION,
        &["get", "put", "post", "patch", "delete", "head", "options"],
        Some("http"),
        "write the method and the path as one value: `http: GET /events/{id}`",
    ),
    habit(
        OPERATION,
        &["pagination", "paginated", "paging", "page"],
        None,
        "write `pages: { size: pageSize, token: pageToken, next: nextPageToken, items: items }` with the names of \
            parameters and fields",
    ),
    habit(
        OPERATION,
        &["etag", "versioned"],
        None,
        "write `conditional: [if_none_match]` for a read or `[if_match]` for a write; the ETag is a field with \
            `format: etag`",
    ),
    habit(OPERATION, &["public", "anonymous", "noauth"], None, "write `security: none` if the operation is public"),
    habit(
        OPERATION,
        &["timeout", "retry", "retries"],
        None,
        "remove it: clients and servers configure it when they are built",
    ),
    habit(OPERATION, &["operationid"], None, "remove it: the key under `operations:` is the name of the operation"),
    habit(OPERATION, &["requestbody", "request", "input"], None, "write `body: Event`"),
    habit(OPERATION, &["returns", "output", "result"], None, "write `response: Event`"),
    habit(OPERATION, &["tags"], None, "remove it: the parts of the name before the last dot are the groups"),
    habit(OPERATION, &["auth", "permissions"], None, "write `scopes:` or `security:`"),
    habit(OPERATION, &["params"], None, "write `path:`, `query:`, `headers:` or `cookies:`"),
    habit(
        FILE,
        &["openapi", "swagger"],
        None,
        "this is an OpenAPI document: convert it with `cargo xtask import openapi`",
    ),
    habit(FILE, &["info"], None, "write `api:`, `version:`, `title:` and `doc:`"),
    habit(FILE, &["servers", "server", "host"], None, "write `root: https://www.example.com`"),
    habit(FILE, &["paths", "routes", "endpoint"], None, "write `operations:` with the name of each operation as key"),
    habit(
        FILE,
        &["components", "definitions", "schemas", "models", "types", "structs"],
        None,
        "write `resources:`, `enums:` and `unions:`",
    ),
    habit(FILE, &["name"], Some("api"), "write `api:`"),
    habit(FILE, &["package"], Some("api"), "write `api:`"),
    habit(FILE, &["messages", "message"], None, "write `resources:`"),
    habit(
        FILE,
        &["services", "service", "methods", "rpc", "rpcs"],
        None,
        "write `operations:` with the name of each operation as key, such as `books.get`",
    ),
    habit(FILE, &["securitydefinitions", "authentication"], Some("security_schemes"), "write `security_schemes:`"),
    habit(&["settings file"], &["output", "outdir", "outputdir", "target", "dest"], Some("out"), "write `out:`"),
    habit(&["settings file"], &["input", "source", "src"], Some("schemas"), "write `schemas:`"),
    habit(&["enum"], &["enum", "members"], Some("values"), "write `values:` with a description of each value"),
    habit(
        &["rule"],
        &["when", "if", "condition", "expression", "expr", "rule"],
        Some("cel"),
        "write `cel:` with the condition that must be true",
    ),
    habit(&["rule"], &["error", "text", "reason"], Some("message"), "write `message:`"),
    habit(&["rule"], &["name", "key"], Some("id"), "write `id:`"),
    habit(
        &["element in XML"],
        &["nodetype"],
        None,
        "write `attribute: true`, `text: true`, or `wrapped: true` for a list with an enclosing element",
    ),
    habit(&["element in XML"], &["item", "itemname"], Some("items"), "write `items:` with the name of each element"),
    habit(&[], &["description", "summary", "comment", "title", "label"], Some("doc"), "write `doc:`"),
];

/// Normalizes a key: removes `_` and `-`, and converts it to lower case.
pub fn plain(written: &str) -> String {
    written.chars().filter(|c| !matches!(c, '_' | '-')).flat_map(char::to_lowercase).collect()
}

/// Returns the hint for a key of a construct.
pub fn find(shape: &Shape, written: &str) -> Option<&'static Habit> {
    let written = plain(written);
    let has_key = |name: &str| shape.keys.iter().any(|key| key.name == name);
    let fits = |habit: &&Habit| {
        let is_of_any = habit.shapes.is_empty() && habit.means.is_some_and(has_key);
        is_of_any || habit.shapes.contains(&shape.name)
    };
    HABITS.iter().filter(fits).find(|habit| habit.keys.contains(&written.as_str()))
}
