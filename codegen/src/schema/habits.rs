//! What other languages call things: the keys, types and formats of JSON Schema, OpenAPI and programming languages, each
//! with what is written here instead.

use super::kind::Shape;
use super::yaml::{Entry, Node};

pub mod written;

/// A key that another language has, in some constructs.
struct Habit {
    /// The constructs; any for none.
    shapes: &'static [&'static str],
    /// The keys, without the difference between `maxItems`, `max_items` and `max-items`.
    keys: &'static [&'static str],
    /// The key that takes its place, where there is one.
    means: Option<&'static str>,
    /// What to do.
    help: &'static str,
}

const MEMBERS: &[&str] = &["field", "parameter", "rest"];
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

/// The habits, those of single constructs first.
const HABITS: &[Habit] = &[
    habit(
        MEMBERS,
        &["maxitems", "minitems", "maxproperties", "minproperties"],
        None,
        "write `items: 1..=10`, a range of how many there are",
    ),
    habit(MEMBERS, &["uniqueitems"], None, "write `unique: true`"),
    habit(MEMBERS, &["maxlength", "minlength"], None, "write `length: 1..=10`, a range"),
    habit(MEMBERS, &["minimum"], None, "write `min: 1`, the least number that is allowed"),
    habit(MEMBERS, &["maximum"], None, "write `max: 10`, the greatest number that is allowed"),
    habit(
        MEMBERS,
        &["exclusiveminimum"],
        None,
        "`min` is the least number that is allowed, so that for whole numbers it is the next greater one",
    ),
    habit(
        MEMBERS,
        &["exclusivemaximum"],
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
    habit(MEMBERS, &["enum"], None, "define the values under `enums:`, and name the enum: `type: Color`"),
    habit(MEMBERS, &["$ref", "ref", "schema"], Some("type"), "name the type: `type: Event`"),
    habit(MEMBERS, &["properties", "fields"], None, "define a resource under `resources:`, and name it: `type: Event`"),
    habit(MEMBERS, &["additionalproperties"], None, "write a map: `type: {string: T}`"),
    habit(MEMBERS, &["oneof", "anyof"], Some("type"), "define a union under `unions:`, and name it: `type: Contact`"),
    habit(MEMBERS, &["examples"], None, "write one value: `example: Lunch`"),
    habit(
        &["parameter"],
        &["in"],
        None,
        "put the parameter under `path:`, `query:`, `headers:` or `cookies:` of the operation",
    ),
    habit(&["body", "response"], &["$ref", "ref", "schema"], Some("type"), "name the type: `type: Event`"),
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
    habit(&[], &["description", "summary", "comment"], Some("doc"), "write `doc:`"),
];

/// What stands between the words of a key in one language and not in another.
fn plain(written: &str) -> String {
    written.chars().filter(|c| !matches!(c, '_' | '-')).flat_map(char::to_lowercase).collect()
}

fn find(shape: &Shape, written: &str) -> Option<&'static Habit> {
    let written = plain(written);
    let has_key = |name: &str| shape.keys.iter().any(|key| key.name == name);
    let fits = |habit: &&Habit| {
        let is_of_any = habit.shapes.is_empty() && habit.means.is_some_and(has_key);
        is_of_any || habit.shapes.contains(&shape.name)
    };
    HABITS.iter().filter(fits).find(|habit| habit.keys.contains(&written.as_str()))
}

/// What to write in place of a key of another language, with what stands there; `others` are the keys beside it.
pub fn key(shape: &Shape, entry: &Entry, others: &[Entry]) -> Option<String> {
    let habit = find(shape, &entry.key)?;
    Some(written::help(shape.name, &plain(&entry.key), entry, others).unwrap_or_else(|| habit.help.to_owned()))
}

/// The key of another language that says the other end of the same range: `maxLength` for `minLength`.
pub fn other_end<'e>(shape: &Shape, entry: &Entry, others: &'e [Entry]) -> Option<&'e Entry> {
    let key = plain(&entry.key);
    let other = written::ENDS.iter().find_map(|(low, high, _)| match key.as_str() {
        key if key == *low => Some(*high),
        key if key == *high => Some(*low),
        _ => None,
    })?;
    others.iter().find(|other_entry| plain(&other_entry.key) == other).filter(|_| find(shape, &entry.key).is_some())
}

/// What to write in place of a single value where a construct with keys is expected.
pub fn value(shape: &Shape, node: &Node) -> Option<String> {
    let text = node.text().filter(|text| !node.is_null() && !text.is_empty())?;
    (shape.name == "runtime").then(|| {
        let key = match text {
            text if text.contains("://") || text.starts_with("git@") => "git",
            text if text.starts_with(|c: char| c.is_ascii_digit()) => "version",
            _ => "path",
        };
        let quote = if key == "path" { "" } else { "'" };
        format!("write `runtime: {{ {key}: {quote}{}{quote} }}`", text.escape_debug())
    })
}

/// The key that one of another language stands for.
pub fn meant(shape: &Shape, written: &str) -> Option<&'static str> {
    find(shape, written).and_then(|habit| habit.means)
}

/// What to write in place of a type of another language.
fn type_name(written: &str) -> Option<&'static str> {
    if written.len() == 3 && written.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(
            "a status stands before the type: `responses: { 201: Event }`; without any response an operation answers \
             204 and no body",
        );
    }
    Some(match plain(written).as_str() {
        "integer" | "int" => "write `int32` or `int64`, or `uint32` or `uint64` where nothing is below zero",
        "i32" | "short" | "int16" | "int8" => "write `int32`",
        "i64" | "long" | "bigint" => "write `int64`",
        "u32" | "uint" | "uint16" | "uint8" => "write `uint32`",
        "u64" | "usize" => "write `uint64`",
        "number" => "write `double`, or `int64` for whole numbers",
        "f64" | "float64" => "write `double`",
        "decimal" | "money" => "write `double`, or `string` with a `pattern` where every digit counts",
        "f32" | "float32" => "write `float`",
        "boolean" => "write `bool`",
        "str" | "text" | "char" | "varchar" => "write `string`",
        "datetime" | "timestamp" | "instant" => "write `datetime`",
        "byte" | "binary" | "base64" | "blob" => "write `bytes`",
        "array" | "list" | "set" | "vec" => "write the type of the elements in brackets: `[string]`",
        "map" | "dict" | "hashmap" | "record" => "write a map: `{string: int32}`",
        "enum" => "define the values under `enums:`, and name the enum: `type: Color`",
        "json" | "unknown" => "write `any`, or `object` for an object",
        "null" | "void" | "none" | "nothing" | "empty" | "unit" | "()" => {
            "leave the key out where there is nothing: an operation without `response:` answers without a body; a field \
             that can be null has `nullable: true`"
        }
        "email" => "write `string`, with `format: email`",
        "uri" | "url" => "write `string`, with `format: uri`",
        "uuid" | "guid" => "write `string`, with `format: uuid`",
        _ => return None,
    })
}

/// What to write in place of a word of another language, where one of a kind is expected.
pub fn word(kind: &str, written: &str) -> Option<&'static str> {
    if kind == "Format" { format(written) } else { None }
}

/// What to write in place of a format of another language.
fn format(written: &str) -> Option<&'static str> {
    Some(match plain(written).as_str() {
        "datetime" | "timestamp" => "a point in time is a type: `type: datetime`",
        "date" => "a date is a type: `type: date`",
        "duration" => "a length of time is a type: `type: duration`",
        "int32" => "the size of a number is its type: `type: int32`",
        "int64" => "the size of a number is its type: `type: int64`",
        "uint32" => "the size of a number is its type: `type: uint32`",
        "uint64" => "the size of a number is its type: `type: uint64`",
        "float" => "the size of a number is its type: `type: float`",
        "double" => "the size of a number is its type: `type: double`",
        "byte" | "binary" | "base64" => "bytes are a type: `type: bytes`",
        "ipv4" | "ipv6" => "write `ip`",
        "url" | "iri" => "write `uri`",
        "regex" => "leave it out: `pattern` says what a text looks like",
        "password" => "leave it out: a text that only a client writes has `behavior: [input_only]`",
        _ => return None,
    })
}

/// What to write in place of a type that there is not.
pub fn type_help(written: &str) -> Option<String> {
    type_name(written).map(str::to_owned).or_else(|| type_expression(written))
}

/// What to write in place of a map that braces or commas have torn apart: `map<string` and behind it `string>`, which
/// looks like a key.
pub fn torn_map(entries: &[Entry], index: usize) -> Option<String> {
    let torn = entries.get(index)?;
    let before = entries.get(index.checked_sub(1)?)?.value.text()?;
    let value = torn.key.strip_suffix('>').filter(|_| torn.value.is_null())?;
    let help = type_expression(&format!("{before}, {value}>"))?;
    Some(format!("{help}; between braces a comma ends the value"))
}

/// What to write in place of a type that is written as other languages write it; `text` is what was written.
fn type_expression(text: &str) -> Option<String> {
    let text = text.trim();
    let inner = |open: &[&str], close: char| {
        let rest = open.iter().find_map(|open| text.strip_prefix(open))?;
        rest.strip_suffix(close).map(str::trim).filter(|inner| !inner.is_empty())
    };
    if text.starts_with(['[', '{']) {
        return Some(format!("write it without quotes: `{text}`"));
    }
    let list =
        text.strip_suffix("[]").or_else(|| inner(&["list<", "List<", "array<", "Array<", "Vec<", "set<", "Set<"], '>'));
    if let Some(element) = list.or_else(|| inner(&["list(", "array("], ')')) {
        return Some(format!("write a list: `[{element}]`"));
    }
    let map = inner(&["map<", "Map<", "Record<", "HashMap<", "BTreeMap<", "dict<"], '>')?;
    let (_, value) = map.split_once(',')?;
    Some(format!("write a map: `{{string: {}}}`", value.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::{settings_shapes, shapes};

    fn all() -> Vec<&'static Shape> {
        shapes().into_iter().chain(settings_shapes()).collect()
    }

    /// What the language has itself is no habit of another one.
    #[test]
    fn habits_are_no_keys_and_stand_for_one() {
        for habit in HABITS {
            for name in habit.shapes {
                let shapes = all();
                let shape = shapes.iter().find(|shape| shape.name == *name).expect("a construct of the language");
                let is_key = |name: &str| shape.keys.iter().any(|key| key.name == name);
                assert!(habit.means.is_none_or(is_key), "{name}: {:?}", habit.means);
                assert!(!habit.keys.iter().any(|key| is_key(key)), "{name}: {:?}", habit.keys);
            }
        }
    }

    #[test]
    fn the_same_words_in_another_spelling_are_the_same_habit() {
        let shapes = shapes();
        let shape = |name: &str| *shapes.iter().find(|shape| shape.name == name).expect("a construct");
        let key = |name: &str, written: &str| find(shape(name), written).map(|habit| habit.help);
        assert!(key("field", "max_length").is_some_and(|help| Some(help) == key("field", "maxLength")));
        assert!(key("parameter", "in").is_some() && key("field", "in").is_none());
        assert!(key("operation", "summary").is_some() && key("pages", "summary").is_none());
        assert_eq!(key("field", "pinned"), None);
    }

    #[test]
    fn a_status_is_no_type() {
        assert!(type_help("204").is_some_and(|help| help.contains("answers 204")));
        assert_eq!(type_help("2040"), None);
    }

    #[test]
    fn lists_and_maps_of_other_languages_are_translated() {
        assert_eq!(type_expression("[string]").as_deref(), Some("write it without quotes: `[string]`"));
        assert_eq!(type_expression("Event[]").as_deref(), Some("write a list: `[Event]`"));
        assert_eq!(type_expression("Vec<Event>").as_deref(), Some("write a list: `[Event]`"));
        assert_eq!(type_expression("map<string, Event>").as_deref(), Some("write a map: `{string: Event}`"));
        assert_eq!(type_expression("Event"), None);
    }
}
