//! Advice in the author's own words: the numbers and names that stand under the keys of another language, as they are
//! written here.

use super::plain;
use crate::schema::read::whole_number;
use crate::schema::yaml::Entry;

/// Keys of other languages for the least and the most of something, and the key for the range of both.
pub const ENDS: &[(&str, &str, &str)] = &[
    ("minlength", "maxlength", "length"),
    ("minitems", "maxitems", "items"),
    ("minproperties", "maxproperties", "items"),
];

/// Returns what to write for a key of another language in a construct, with its value; nothing where the value says
/// nothing.
pub fn help(construct: &str, key: &str, entry: &Entry, others: &[Entry]) -> Option<String> {
    let value = entry.value.text();
    match key {
        "$ref" | "ref" | "schema" => {
            let name = type_name(value?);
            (!name.is_empty()).then(|| format!("name the type: `type: {name}`"))
        }
        "minimum" => Some(format!("write `min: {}`, the least number that is allowed", number(value?)?)),
        "maximum" => Some(format!("write `max: {}`, the greatest number that is allowed", number(value?)?)),
        "method" | "url" | "route" | "uri" if construct == "operation" => http(others),
        "returns" | "output" | "result" if construct == "operation" => {
            Some(format!("write `response: {}`", value.filter(|text| is_name(text))?))
        }
        "requestbody" | "request" | "input" if construct == "operation" => {
            Some(format!("write `body: {}`", value.filter(|text| is_name(text))?))
        }
        "multipleof" => Some(format!("write `multiple_of: {}`", number(value?)?)),
        _ => {
            let (low, high, name) = ENDS.iter().find(|(low, high, _)| [low, high].contains(&&key))?;
            Some(format!("write `{name}: {}`; both ends of a range belong to it", between(others, low, high)?))
        }
    }
}

/// Returns the line of a method and a path that stand under keys of their own.
fn http(entries: &[Entry]) -> Option<String> {
    let of = |names: &[&str]| {
        let entry = entries.iter().find(|entry| names.contains(&plain(&entry.key).as_str()))?;
        entry.value.text()
    };
    let method = of(&["method"]).filter(|method| method.chars().all(|c| c.is_ascii_alphabetic()))?;
    let path = of(&["path", "url", "route", "uri"]).filter(|path| path.starts_with('/'))?;
    Some(format!("write the method and the path in one: `http: {} {path}`", method.to_uppercase()))
}

/// Whether a text is the name of a type, and no sentence.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Returns the range that a mapping such as `{ min: 1, max: 10 }` says.
pub fn range(entries: &[Entry]) -> Option<String> {
    let pairs = [("min", "max"), ("minimum", "maximum"), ("from", "to"), ("least", "most")];
    let range = pairs.iter().find_map(|(low, high)| between(entries, low, high))?;
    Some(format!("write both ends in one: `{range}`"))
}

/// Returns the name of a type that is written as a reference: `Event` for `#/components/schemas/Event`.
pub fn type_name(written: &str) -> &str {
    written.rsplit(['/', '#']).next().unwrap_or(written)
}

/// Writes a range of the whole numbers that stand under two keys; nothing where neither has one.
fn between(entries: &[Entry], low: &str, high: &str) -> Option<String> {
    let end = |name: &str| {
        let entry = entries.iter().find(|entry| plain(&entry.key) == name)?;
        entry.value.text().and_then(whole_number).filter(|number| *number >= 0)
    };
    match (end(low), end(high)) {
        (Some(low), Some(high)) if low == high => Some(low.to_string()),
        (Some(low), Some(high)) => Some(format!("{low}..={high}")),
        (Some(low), None) => Some(format!("{low}..")),
        (None, Some(high)) => Some(format!("..={high}")),
        (None, None) => None,
    }
}

/// Returns a text that is a number.
fn number(text: &str) -> Option<&str> {
    text.parse::<f64>().is_ok_and(f64::is_finite).then_some(text)
}
