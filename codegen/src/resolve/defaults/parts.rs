//! Checks of the parts of a default: counts, keys and numbers.

use serde_json::Value as Json;

use crate::diagnostics::{Code, Sink};
use crate::model::{Constraints, Decimal};
use crate::patterns;
use crate::resolve::literals;
use crate::resolve::violations::is_within;
use crate::schema::yaml::{Entry, Node, Style, Value};

/// Reports bytes with another length than the constraints have.
pub fn check_bytes(node: &Node, text: &str, constraints: &Constraints, sink: &mut Sink) {
    let count = u64::try_from(text.trim_end_matches('=').len() * 3 / 4).unwrap_or(u64::MAX);
    if !is_within(constraints.length, count) {
        sink.report(Code::BadValue, node.span, format!("the default has {count} bytes, which violates `length`"))
            .help("change the default or `length`");
    }
}

/// Checks the number of elements.
pub fn check_count(node: &Node, count: usize, constraints: &Constraints, sink: &mut Sink) -> bool {
    let fits = is_within(constraints.items, u64::try_from(count).unwrap_or(u64::MAX));
    if !fits {
        sink.report(Code::BadValue, node.span, format!("the default has {count} elements, which violates `items`"))
            .help("change the default or `items`");
    }
    fits
}

/// Checks that no element of a list occurs twice.
pub fn check_unique(node: &Node, items: &[Node], sink: &mut Sink) -> bool {
    let mut seen = std::collections::HashSet::new();
    let fits = items.iter().filter_map(literals::json).all(|item| seen.insert(item.to_string()));
    if !fits {
        sink.report(Code::BadValue, node.span, "the default has equal elements, which violates `unique`")
            .help("change the default or `unique`");
    }
    fits
}

/// Checks the key of a map.
pub fn check_key(entry: &Entry, constraints: &Constraints, sink: &mut Sink) -> bool {
    let Some(keys) = &constraints.keys else { return true };
    let is_match =
        |pattern: &String| patterns::compile_anchored(pattern).map_or(true, |matcher| matcher.is_match(&entry.key));
    let length = u64::try_from(entry.key.chars().count()).unwrap_or(u64::MAX);
    let fits = is_within(keys.length, length) && keys.pattern.as_ref().is_none_or(is_match);
    if !fits {
        let message = format!("the key `{}` of the default violates `keys`", entry.key.escape_debug());
        sink.report(Code::BadValue, entry.key_span, message).help("change the default or `keys`");
    }
    fits
}

/// Checks that a value of any type is exactly one of JSON whose numbers are 64-bit integers or doubles.
pub fn check_exact(node: &Node, sink: &mut Sink) -> bool {
    match &node.value {
        Value::List(items) => items.iter().filter(|item| check_exact(item, sink)).count() == items.len(),
        Value::Map(entries) => entries.iter().filter(|entry| check_exact(&entry.value, sink)).count() == entries.len(),
        Value::Scalar(text, Style::Plain) => {
            let Some(number) = Decimal::parse_json(text) else { return true };
            let found = match literals::json(node) {
                Some(Json::Number(found)) => Decimal::parse_json(&found.to_string()),
                _ => None,
            };
            if found != Some(number) {
                sink.report(Code::BadValue, node.span, format!("the number `{text}` in the default would be rounded"))
                    .help("quote it if it is a string");
            }
            found == Some(number)
        }
        Value::Scalar(..) => true,
    }
}
