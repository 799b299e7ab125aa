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
        "write `items: 1..=10`, a range of how many there are",
    ),
    habit(MEMBERS, &["maxcount", "mincount"], None, "write `items: 1..=10`, a range of how many there are"),
    habit(MEMBERS, &["uniqueitems"], None, "write `unique: true`"),
    habit(MEMBERS, &["maxlength", "minlength", "maxlen", "minlen"], None, "write `length: 1..=10`, a range"),
    habit(MEMBERS, &["minimum", "gte", "ge"], None, "write `min: 1`, the least number that is allowed"),
    habit(MEMBERS, &["maximum", "lte", "le"], None, "write `max: 10`, the greatest number that is allowed"),
    habit(
        MEMBERS,
        &["exclusiveminimum", "gt"],
        None,
        "`min` is the least number that is allowed, so that for whole numbers it is the next greater one",
    ),
    habit(
        MEMBERS,
        &["exclusivemaximum", "lt"],
        None,
        "`max` is the greatest number that is allowed, so that for whole numbers it is the next smaller one",
    ),
    habit(
        &["field", "rest"],
        &["clearable"],
        None,
        "it stands beside `in`: `required: { in: [items.create], clearable: true }`",
    ),
    habit(&["parameter"], &["clearable"], None, "leave it out: a parameter has no null"),
    habit(MEMBERS, &["multipleof"], None, "write `multiple_of: 5`"),
    habit(MEMBERS, &["readonly"], None, "write `behavior: [output_only]`"),
    habit(MEMBERS, &["writeonly"], None, "write `behavior: [input_only]`"),
    habit(MEMBERS, &["optional"], None, "leave it out: what is not `required: true` can be absent"),
    habit(
        &["parameter"],
        &["nullable"],
        None,
        "leave it out: a parameter has no null, and can be absent without `required: true`",
    ),
    habit(MEMBERS, &["enum"], Some("type"), "define the values under `enums:`, and name the enum: `type: Color`"),
    habit(MEMBERS, &["$ref", "ref", "schema"], Some("type"), "name the type: `type: Event`"),
    habit(
        MEMBERS,
        &["properties", "fields"],
        Some("type"),
        "define a resource under `resources:`, and name it: `type: Event`",
    ),
    habit(MEMBERS, &["additionalproperties"], Some("type"), "write a map: `type: {string: T}`"),
    habit(MEMBERS, &["oneof", "anyof"], Some("type"), "define a union under `unions:`, and name it: `type: Contact`"),
    habit(MEMBERS, &["examples"], None, "write one value: `example: Lunch`"),
    habit(MEMBERS, &["discriminator"], None, "it stands in the union, which the type names"),
    habit(MEMBERS, &["repeated"], None, "write a list: `type: [string]`"),
    habit(MEMBERS, &["values"], None, "write a map: `type: {string: T}`; the values of an enum stand under `enums:`"),
    habit(MEMBERS, &["regex", "regexp"], None, "write `pattern:`"),
    habit(
        MEMBERS,
        &["range"],
        None,
        "write `min: 1` and `max: 10`, or `length: 1..=10` of a text, `items: 1..=10` of a list",
    ),
    habit(FIELD, &["outputonly", "inputonly", "immutable", "identifier"], None, "write `behavior: [output_only]`"),
    habit(
        FIELD,
        &["number", "tag", "fieldnumber"],
        None,
        "leave it out: members have names on the wire, and no numbers",
    ),
    habit(FIELD, &["jsonname"], None, "the key is the name on the wire; `name:` is the one in Rust"),
    habit(
        &["parameter"],
        &["explode"],
        None,
        "write `style: repeat`, which a list in the query has unless said, or `style: comma`",
    ),
    habit(
        &["parameter"],
        &["in"],
        None,
        "put the parameter under `path:`, `query:`, `headers:` or `cookies:` of the operation",
    ),
    habit(TYPED, &["$ref", "ref", "schema", "content"], Some("type"), "name the type: `type: Event`"),
    habit(TYPED, &["items"], None, "write a list: `type: [Event]`"),
    habit(&["body"], &["mergepatch"], None, "write `as: merge_patch`"),
    habit(
        &["response"],
        &["status", "statuscode", "code"],
        None,
        "write the status before the type, and `responses:` instead: `responses: { 201: Event }`",
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
        "write `token:` with the name of the parameter, a text that the response before it gives in `next`",
    ),
    habit(
        PAGES,
        &["page", "pagenumber"],
        Some("number"),
        "write `number:` with the name of the parameter that counts the pages",
    ),
    habit(
        PAGES,
        &["nextpagetoken", "nextcursor", "nexttoken"],
        Some("next"),
        "write `next:` with the name of the member",
    ),
    habit(PAGES, &["data", "results"], Some("items"), "write `items:` with the name of the member"),
    habit(RESOURCE, &["properties", "members"], None, "write `fields:`"),
    habit(RESOURCE, &["required"], None, "write `required: true` in each of the fields"),
    habit(RESOURCE, &["type"], None, "leave it out: a resource is an object"),
    habit(RESOURCE, &["additionalproperties"], None, "write `rest: T`, or `unknown_members: preserve`"),
    habit(RESOURCE, &["allof", "extends"], None, "write the members of all of them under `fields:`"),
    habit(RESOURCE, &["oneof", "anyof"], None, "define a union under `unions:`"),
    habit(
        OPERATION,
        &["method", "url", "route", "uri"],
        Some("http"),
        "write the method and the path in one: `http: GET /events/{id}`",
    ),
    habit(
        OPERATION,
        &["get", "put", "post", "patch", "delete", "head", "options"],
        Some("http"),
        "write the method and the path in one: `http: GET /events/{id}`",
    ),
    habit(
        OPERATION,
        &["pagination", "paginated", "paging", "page"],
        None,
        "write `pages: { size: pageSize, token: pageToken, next: nextPageToken, items: items }`, with the names of \
         parameters and members",
    ),
    habit(
        OPERATION,
        &["etag", "versioned"],
        None,
        "write `conditional: [if_none_match]` for a read, `[if_match]` for a write; the tag is a member with \
         `format: etag`",
    ),
    habit(OPERATION, &["public", "anonymous", "noauth"], None, "write `security: none` if anybody may call it"),
    habit(
        OPERATION,
        &["timeout", "retry", "retries"],
        None,
        "leave it out: clients and servers set it when they are built",
    ),
    habit(OPERATION, &["operationid"], None, "leave it out: the key under `operations:` is the name"),
    habit(OPERATION, &["requestbody", "request", "input"], None, "write `body: Event`"),
    habit(OPERATION, &["returns", "output", "result"], None, "write `response: Event`"),
    habit(OPERATION, &["tags"], None, "leave it out: the words before the last dot of the name are the groups"),
    habit(OPERATION, &["auth", "permissions"], None, "write `scopes:` or `security:`"),
    habit(OPERATION, &["params"], None, "write `path:`, `query:`, `headers:` or `cookies:`"),
    habit(
        FILE,
        &["openapi", "swagger"],
        None,
        "this is a description in OpenAPI: `cargo xtask import openapi` makes a schema of it",
    ),
    habit(FILE, &["info"], None, "write `api:`, `version:`, `title:` and `doc:`"),
    habit(FILE, &["servers", "server", "host"], None, "write `root: https://www.example.com`"),
    habit(FILE, &["paths", "routes", "endpoint"], None, "write `operations:`, each by its name"),
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
        "write `operations:`, each by its name, `books.get`",
    ),
    habit(FILE, &["securitydefinitions", "authentication"], Some("security_schemes"), "write `security_schemes:`"),
    habit(&["settings file"], &["output", "outdir", "outputdir", "target", "dest"], Some("out"), "write `out:`"),
    habit(&["settings file"], &["input", "source", "src"], Some("schemas"), "write `schemas:`"),
    habit(&["enum"], &["enum", "members"], Some("values"), "write `values:`, each with its description"),
    habit(
        &["rule"],
        &["when", "if", "condition", "expression", "expr", "rule"],
        Some("cel"),
        "write `cel:`, the condition that has to hold",
    ),
    habit(&["rule"], &["error", "text", "reason"], Some("message"), "write `message:`"),
    habit(&["rule"], &["name", "key"], Some("id"), "write `id:`"),
    habit(
        &["element in XML"],
        &["nodetype"],
        None,
        "write `attribute: true` or `text: true`, or `wrapped: true` where a list has an element of its own",
    ),
    habit(&["element in XML"], &["item", "itemname"], Some("items"), "write `items:`, the name of each element"),
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
