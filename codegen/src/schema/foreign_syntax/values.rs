//! Help that contains the author's own values: numbers and names under keys of another language, in the syntax of the
//! schema language.

use super::normalize_key;
use crate::schema::integer::parse_integer;
use crate::schema::methods::METHODS;
use crate::schema::yaml::{Entry, Node, Value};

/// Pairs of keys of other languages for a minimum and a maximum, with the key of the range.
pub const RANGE_KEYS: &[(&str, &str, &str)] = &[
    ("minlength", "maxlength", "length"),
    ("minitems", "maxitems", "items"),
    ("minproperties", "maxproperties", "items"),
    ("minlen", "maxlen", "length"),
    ("mincount", "maxcount", "items"),
];

/// Returns the help for a key of another language in a construct, with its value. Returns `None` if the value does not
/// improve the general help.
pub fn key_value_help(construct: &str, key: &str, entry: &Entry, others: &[Entry]) -> Option<String> {
    let value = entry.value.text();
    let key = match key {
        "gt" => "exclusiveminimum",
        "lt" => "exclusivemaximum",
        "gte" | "ge" => "minimum",
        "lte" | "le" => "maximum",
        key => key,
    };
    match key {
        "$ref" | "ref" | "schema" | "content" => {
            referenced_type(&entry.value).map(|name| format!("use the name of the type: `type: {name}`"))
        }
        "items" => {
            let element = referenced_type(&entry.value).filter(|name| is_type_name(name))?;
            Some(format!("write a list: `type: [{element}]`"))
        }
        "repeated" => sibling_type(others).map(|name| format!("write a list: `type: [{name}]`")),
        "values" if sibling_type(others).is_some_and(|ty| normalize_key(ty) == "map") => {
            Some(format!("write a map: `type: {{string: {}}}`", referenced_type(&entry.value)?))
        }
        "additionalproperties" => {
            let inner =
                referenced_type(&entry.value).filter(|name| is_type_name(name) && !["true", "false"].contains(name))?;
            match construct {
                "resource" => Some(format!("write `rest: {inner}`")),
                _ => Some(format!("write a map: `type: {{string: {inner}}}`")),
            }
        }
        "regex" | "regexp" => Some(format!("write `pattern: '{}'`", value?.replace('\'', "''"))),
        "range" => {
            let range = normalize_range(value?)?;
            let (low, high) = range.split_once("..=")?;
            let number = format!("write `min: {low}` and `max: {high}`");
            Some(format!("{number}, or `length: {range}` for a string or `items: {range}` for a list"))
        }
        "outputonly" | "inputonly" | "immutable" | "identifier" => {
            let word = key.replace("putonly", "put_only");
            Some(format!("write `behavior: [{word}]`"))
        }
        "minimum" | "exclusiveminimum" => bound_help(&LOWER, key, value?, others),
        "maximum" | "exclusivemaximum" => bound_help(&UPPER, key, value?, others),
        "multipleof" => Some(format!("write `multiple_of: {}`", finite_number(value?)?)),
        _ if construct == "operation" => operation_key_help(key, entry, others),
        _ => range_key_help(key, others),
    }
}

/// Returns the help for a minimum or maximum of a range.
fn range_key_help(key: &str, others: &[Entry]) -> Option<String> {
    let (low, high, name) = RANGE_KEYS.iter().find(|(low, high, _)| [low, high].contains(&&key))?;
    Some(format!("write `{name}: {}`; both bounds are inclusive", format_range(others, low, high)?))
}

/// Returns the help for a key of another language in an operation.
fn operation_key_help(key: &str, entry: &Entry, others: &[Entry]) -> Option<String> {
    let type_name = || referenced_type(&entry.value).filter(|text| is_type_name(text));
    match key {
        "get" | "put" | "post" | "patch" | "delete" | "head" | "options" => match entry.value.text() {
            Some(path) if path.starts_with('/') => Some(format!("write `http: {}`", format_http_line(key, path))),
            Some(name) if key == "patch" && is_type_name(name) => {
                Some(format!("write `body: {{ type: {name}, as: merge_patch }}`"))
            }
            _ => super::structure::misplaced_entry_help("operation", entry),
        },
        "method" | "url" | "route" | "uri" => separate_http_help(others),
        "returns" | "output" | "result" => Some(format!("write `response: {}`", type_name()?)),
        "requestbody" | "request" | "input" => Some(format!("write `body: {}`", type_name()?)),
        _ => range_key_help(key, others),
    }
}

/// Returns the value of the key `type`.
fn sibling_type(others: &[Entry]) -> Option<&str> {
    others.iter().find(|entry| entry.key == "type").and_then(|entry| entry.value.text())
}

/// Returns the name of the type that a value of JSON Schema or OpenAPI is or refers to, at any depth.
fn referenced_type(node: &Node) -> Option<&str> {
    match &node.value {
        Value::Scalar(text, _) => Some(referenced_name(text)).filter(|name| !name.is_empty() && !node.is_null()),
        Value::Map(entries) => {
            let named = entries.iter().find(|entry| ["$ref", "type"].contains(&entry.key.as_str()));
            let inner = ["content", "schema"].map(|name| entries.iter().find(|entry| entry.key == name));
            let inner = named.or_else(|| inner.into_iter().flatten().next());
            // The entry of `content` is a media type.
            let inner = inner.or_else(|| entries.iter().find(|entry| entry.key.contains('/')))?;
            referenced_type(&inner.value)
        }
        Value::List(_) => None,
    }
}

/// A bound of a number, as JSON Schema expresses it.
struct Bound {
    /// The key of the inclusive bound.
    inclusive: &'static str,
    /// The key of the exclusive bound; in older versions `true` next to the inclusive one.
    exclusive: &'static str,
    /// The key of the schema language.
    key: &'static str,
    /// The description of the key.
    what: &'static str,
}

/// Keys of minimums.
const LOWER: Bound =
    Bound { inclusive: "minimum", exclusive: "exclusiveminimum", key: "min", what: "the inclusive minimum" };

/// Keys of maximums.
const UPPER: Bound =
    Bound { inclusive: "maximum", exclusive: "exclusivemaximum", key: "max", what: "the inclusive maximum" };

/// Returns the help for a bound of a number.
fn bound_help(bound: &Bound, key: &str, value: &str, others: &[Entry]) -> Option<String> {
    let of =
        |name: &str| others.iter().find(|entry| normalize_key(&entry.key) == name).and_then(|entry| entry.value.text());
    // In older versions of JSON Schema `true` makes the other bound exclusive.
    let (end, is_exclusive) = match (key == bound.exclusive, value) {
        (true, "true") => (of(bound.inclusive)?, true),
        (true, "false") => return Some(format!("remove it: `{}` is {}", bound.key, bound.what)),
        (true, value) => (value, true),
        (false, value) => (value, of(bound.exclusive) == Some("true")),
    };
    let (name, what, end) = (bound.key, bound.what, finite_number(end)?);
    if !is_exclusive {
        return Some(format!("write `{name}: {end}`, {what}"));
    }
    Some(format!("write `{name}: {{ exclusive: {end} }}`"))
}

/// Returns the help for a method and a path under separate keys.
fn separate_http_help(entries: &[Entry]) -> Option<String> {
    let of = |names: &[&str]| {
        let entry = entries.iter().find(|entry| names.contains(&normalize_key(&entry.key).as_str()))?;
        entry.value.text()
    };
    let method = of(&["method"]).filter(|method| method.chars().all(|c| c.is_ascii_alphabetic()))?;
    let path = of(&["path", "url", "route", "uri"]).filter(|path| path.starts_with('/'))?;
    Some(format!("write the method and the path as one value: `http: {}`", format_http_line(method, path)))
}

/// Formats a method and a path, in quotes if YAML requires them.
fn format_http_line(method: &str, path: &str) -> String {
    let method = method.to_uppercase();
    if path.contains(['{', '[', '#']) { format!("'{method} {path}'") } else { format!("{method} {path}") }
}

/// Returns the help for a mapping with a method and a path, or with a path under its method: `{ get: /books }`.
pub fn http_mapping_help(node: &Node) -> Option<String> {
    let Value::Map(entries) = &node.value else { return None };
    let by_method = || {
        let [entry] = entries.as_slice() else { return None };
        let path = entry.value.text().filter(|path| path.starts_with('/'))?;
        Some(format!("write the method and the path as one value: `http: {}`", format_http_line(&entry.key, path)))
    };
    separate_http_help(entries).or_else(by_method)
}

/// Returns the help for a line whose method is not in upper case, or whose path ends with a slash.
pub fn http_line_help(text: &str) -> Option<String> {
    let (method, path) = text.split_once(' ')?;
    let method = method.to_ascii_uppercase();
    let path = path.strip_suffix('/').filter(|path| !path.is_empty()).unwrap_or(path);
    let line = format!("{method} {path}");
    let is_path = path.starts_with('/') && !path.contains(['?', ' ', ':']) && !path.contains("//");
    (line != text && is_path && METHODS.contains(&method.as_str())).then(|| format!("write `{line}`"))
}

/// Returns whether a text can be the name of a type.
fn is_type_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Returns the help for a mapping such as `{ min: 1, max: 10 }` in place of a range.
pub fn range_mapping_help(entries: &[Entry]) -> Option<String> {
    let pairs = [("min", "max"), ("minimum", "maximum"), ("from", "to"), ("least", "most")];
    let range = pairs.iter().find_map(|(low, high)| format_range(entries, low, high))?;
    Some(format!("write both bounds as one range: `{range}`"))
}

/// Returns the help for a string that is not a valid range.
pub fn range_help(text: &str) -> String {
    if let Some(range) = normalize_range(text) {
        return format!("both bounds of a range are inclusive: did you mean `{range}`?");
    }
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let end = |text: &str| digits(text.trim_start_matches(['=', '-']));
    let ends: Vec<&str> = text.split("..").filter(|end| !end.is_empty()).collect();
    if !ends.is_empty() && ends.iter().all(|text| end(text)) {
        return if ends.iter().any(|end| end.starts_with('-') || end.starts_with("=-")) {
            "a lower bound cannot be negative: write `..=1024` for a range without one".to_owned()
        } else {
            format!("the maximum is {}: write `5..` for a range without an upper bound", u64::MAX)
        };
    }
    let number = |text: &str| parse_integer(text.trim()).filter(|number| *number >= 0);
    let range = match text.split_at_checked(2) {
        Some(("<=", end)) => number(end).map(|end| format!("..={end}")),
        Some((">=", end)) => number(end).map(|end| format!("{end}..")),
        _ => None,
    };
    match range {
        Some(range) => format!("did you mean `{range}`?"),
        None => "write a number, `5..=1024`, `5..` or `..=1024`".to_owned(),
    }
}

/// Converts two numbers with another separator to a range: `1..100`, `1-100`, `1...100`, `1 to 100`.
pub fn normalize_range(text: &str) -> Option<String> {
    let number = |text: &str| parse_integer(text.trim()).filter(|number| *number >= 0);
    let signs = ["..=", "...", "..<", "..", " - ", "-", "–", " to ", ",", ":"];
    let (sign, (low, high)) = signs.iter().find_map(|sign| Some((*sign, text.split_once(sign)?)))?;
    let (low, high) = (number(low)?, number(high)?);
    // `..<` excludes its end, as in Swift.
    let high = if sign == "..<" { high.checked_sub(1)? } else { high };
    (low <= high).then(|| format!("{low}..={high}"))
}

/// Returns the last segment of a reference to a type: `Event` for `#/components/schemas/Event`.
pub fn referenced_name(written: &str) -> &str {
    written.rsplit(['/', '#']).next().unwrap_or(written)
}

/// Formats the range of the integers under two keys. Returns `None` if neither has one.
fn format_range(entries: &[Entry], low: &str, high: &str) -> Option<String> {
    let end = |name: &str| {
        let entry = entries.iter().find(|entry| normalize_key(&entry.key) == name)?;
        entry.value.text().and_then(parse_integer).filter(|number| *number >= 0)
    };
    match (end(low), end(high)) {
        (Some(low), Some(high)) if low == high => Some(low.to_string()),
        (Some(low), Some(high)) => Some(format!("{low}..={high}")),
        (Some(low), None) => Some(format!("{low}..")),
        (None, Some(high)) => Some(format!("..={high}")),
        (None, None) => None,
    }
}

/// Returns the text if it is a finite number.
fn finite_number(text: &str) -> Option<&str> {
    text.parse::<f64>().is_ok_and(f64::is_finite).then_some(text)
}
