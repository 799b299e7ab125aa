//! Types of other languages, with their equivalents in the schema language.

use super::normalize_key;
use crate::schema::yaml::{Entry, Node};

/// Returns the help for a type name of another language.
fn type_name_help(written: &str) -> Option<&'static str> {
    if let Some(name) = written.strip_prefix("google.protobuf.") {
        return protobuf_type_help(name);
    }
    if written.len() == 3 && written.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(
            "write the status before the type: `responses: { 201: Event }`; an operation without responses returns 204",
        );
    }
    Some(match normalize_key(written).as_str() {
        "integer" | "int" => "write `int32` or `int64`, or `uint32` or `uint64` for unsigned integers",
        "i32" | "short" | "int16" | "int8" => "write `int32`",
        "i64" | "long" | "bigint" => "write `int64`",
        "u32" | "uint" | "uint16" | "uint8" => "write `uint32`",
        "u64" | "usize" => "write `uint64`",
        "f64" | "float64" => "write `double`",
        "decimal" | "money" => "write `number`, or `decimal` for numbers in strings",
        "f32" | "float32" => "write `float`",
        "boolean" => "write `bool`",
        "str" | "text" | "char" | "varchar" => "write `string`",
        "datetime" | "timestamp" | "instant" => "write `datetime`",
        "byte" | "binary" | "base64" | "blob" => "write `bytes`",
        "array" | "list" | "set" | "vec" => "write the element type in brackets: `[string]`",
        "map" | "dict" | "hashmap" | "record" => "write a map: `{string: int32}`",
        "enum" => "define the values under `enums:` and use the name of the enum: `type: Color`",
        "json" | "unknown" => "write `any`, or `object` for an object",
        "oneof" | "anyof" | "union" => "define a union under `unions:` and use its name: `type: Contact`",
        "fieldmask" => "write `string`, with `format: field_mask`",
        "struct" | "dictionary" => "write `object`",
        "*" => "use the name of the body type: `body: Event`",
        "null" | "void" | "none" | "nothing" | "empty" | "unit" | "()" => {
            "remove the key if there is no value: an operation without `response:` returns no body; a field that \
                accepts null has `nullable: true`"
        }
        "email" => "write `string`, with `format: email`",
        "uri" | "url" => "write `string`, with `format: uri`",
        "uuid" | "guid" => "write `string`, with `format: uuid`",
        _ => return None,
    })
}

/// Returns the help for a well-known type of Protocol Buffers.
fn protobuf_type_help(name: &str) -> Option<&'static str> {
    Some(match name {
        "Struct" => "write `object`",
        "Value" | "Any" => "write `any`",
        "ListValue" => "write `[any]`",
        "BoolValue" => "write `bool`: fields are optional by default",
        "StringValue" => "write `string`: fields are optional by default",
        "BytesValue" => "write `bytes`: fields are optional by default",
        "Int32Value" => "write `int32`: fields are optional by default",
        "Int64Value" => "write `int64`: fields are optional by default",
        "UInt32Value" => "write `uint32`: fields are optional by default",
        "UInt64Value" => "write `uint64`: fields are optional by default",
        "FloatValue" => "write `float`: fields are optional by default",
        "DoubleValue" => "write `double`: fields are optional by default",
        "Duration" => "write `duration`",
        other => return type_name_help(other),
    })
}

/// Returns the help for a list that does not have exactly one type. In JSON Schema `[string, 'null']` is a choice.
pub fn type_list_help(items: &[Node]) -> String {
    let names: Vec<&str> = items.iter().filter_map(Node::text).collect();
    let types: Vec<&str> = names.iter().copied().filter(|name| *name != "null").collect();
    match types.as_slice() {
        [one] if names.len() == 2 => format!("write `type: {one}` and `nullable: true`"),
        [] => "write the element type in brackets: `[string]`".to_owned(),
        _ => "define a union of them under `unions:` and use its name".to_owned(),
    }
}

/// Returns the help for a type with a modifier such as `repeated`, or a union with `|`.
fn modifier_help(text: &str) -> Option<String> {
    let element = ["repeated ", "list of ", "array of ", "set of "].iter().find_map(|words| text.strip_prefix(words));
    if let Some(element) = element {
        return Some(format!("write a list: `[{}]`", element.trim()));
    }
    if let Some(inner) = text.strip_prefix("optional ") {
        return Some(format!("write `{}`: fields without `required: true` are optional", inner.trim()));
    }
    if let Some(inner) = text.strip_prefix("required ") {
        return Some(format!("write `type: {}` and `required: true`", inner.trim()));
    }
    if text.starts_with("stream ") {
        return Some("streaming responses are not supported: use pagination or a media download".to_owned());
    }
    let (one, other) = text.split_once('|').map(|(one, other)| (one.trim(), other.trim()))?;
    match (one, other) {
        ("null", inner) | (inner, "null") => Some(format!("write `type: {inner}` and `nullable: true`")),
        _ => Some("define a union under `unions:` and use its name: `type: Contact`".to_owned()),
    }
}

/// Returns the help for an unknown type.
pub fn type_help(written: &str) -> Option<String> {
    type_name_help(written)
        .map(str::to_owned)
        .or_else(|| modifier_help(written))
        .or_else(|| type_expression_help(written))
}

/// Returns the help for a map type that a comma in a flow mapping has split: `map<string`, followed by the key
/// `string>`.
pub fn split_map_help(entries: &[Entry], index: usize) -> Option<String> {
    let torn = entries.get(index)?;
    let before = entries.get(index.checked_sub(1)?)?.value.text()?;
    let value = torn.key.strip_suffix('>').filter(|_| torn.value.is_null())?;
    let help = type_expression_help(&format!("{before}, {value}>"))?;
    Some(format!("{help}; a comma in a flow mapping ends the value"))
}

/// Returns the help for a type expression in the syntax of another language, or in quotes.
pub(super) fn type_expression_help(text: &str) -> Option<String> {
    let text = text.trim();
    let inner = |open: &[&str], close: char| {
        let rest = open.iter().find_map(|open| text.strip_prefix(open))?;
        rest.strip_suffix(close).map(str::trim).filter(|inner| !inner.is_empty())
    };
    if text.starts_with(['[', '{']) {
        return Some(format!("remove the quotes: `{text}`"));
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

    #[test]
    fn lists_and_maps_of_other_languages_are_translated() {
        assert_eq!(type_expression_help("[string]").as_deref(), Some("remove the quotes: `[string]`"));
        assert_eq!(type_expression_help("Event[]").as_deref(), Some("write a list: `[Event]`"));
        assert_eq!(type_expression_help("Vec<Event>").as_deref(), Some("write a list: `[Event]`"));
        assert_eq!(type_expression_help("map<string, Event>").as_deref(), Some("write a map: `{string: Event}`"));
        assert_eq!(type_expression_help("Event"), None);
    }

    #[test]
    fn words_around_a_type_are_translated() {
        for (written, expected) in [
            ("repeated string", "write a list: `[string]`"),
            ("list of Event", "write a list: `[Event]`"),
            ("optional int32", "write `int32`: fields without `required: true` are optional"),
            ("required int32", "write `type: int32` and `required: true`"),
            ("Event | null", "write `type: Event` and `nullable: true`"),
            ("google.protobuf.Timestamp", "write `datetime`"),
            ("google.protobuf.UInt64Value", "write `uint64`: fields are optional by default"),
        ] {
            assert_eq!(type_help(written).as_deref(), Some(expected), "{written}");
        }
        assert_eq!(type_help("google.protobuf.Timestump"), None);
        assert!(type_help("Mail | Phone").is_some_and(|help| help.contains("`unions:`")));
    }
}
