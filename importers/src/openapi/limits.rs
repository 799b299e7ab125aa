//! Alternatives that only limit a value whose type is given next to them, or state conditions of its members.

use std::collections::HashSet;

use crate::node::Node;
use crate::openapi::view::{LIMITS, View};
use crate::value::Value;

/// Returns whether an alternative only limits the whole.
pub fn is_limit(node: &Node<'_>, whole: &View<'_>) -> bool {
    let Value::Object(members) = node.value else { return false };
    let is_limit = |key: &str| LIMITS.contains(&key) || matches!(key, "description" | "title") || key.starts_with("x-");
    whole.kind().is_some() && !members.is_empty() && members.iter().all(|(key, _)| is_limit(key))
}

/// Returns the names of the members of the whole.
fn members<'d>(whole: &View<'d>) -> HashSet<&'d str> {
    whole.properties.iter().map(|(name, _)| *name).collect()
}

/// Returns whether an alternative only restricts these members, those of the whole.
fn is_condition(node: &Node<'_>, members: &HashSet<&str>) -> bool {
    let only = ["required", "properties", "not", "title", "description", "type"];
    let plain = ["required", "not"].iter().any(|key| node.value.get(key).is_some())
        && node.members().iter().all(|(key, _)| only.contains(key) || key.starts_with("x-"));
    plain && !members.is_empty() && node.entries("properties").iter().all(|(name, _)| members.contains(name))
}

/// Returns whether all alternatives only restrict or limit the whole.
pub fn are_conditions_or_limits(list: &[Node<'_>], whole: &View<'_>) -> bool {
    let members = members(whole);
    list.iter().all(|one| is_condition(one, &members) || is_limit(one, whole))
}

/// Returns whether a list of alternatives only states conditions of the whole.
pub fn is_list_of_conditions(list: &[Node<'_>], whole: &View<'_>) -> bool {
    let members = members(whole);
    list.iter().any(|one| is_condition(one, &members)) && are_conditions_or_limits(list, whole)
}

/// Returns the value of the only key of an alternative.
fn only_value<'d>(node: &Node<'d>, key: &str) -> Option<&'d Value> {
    match node.value {
        Value::Object(members) if members.len() == 1 => members.first().filter(|(own, _)| own == key).map(|(_, it)| it),
        _ => None,
    }
}

/// Returns whether the alternatives are IPv4 and IPv6 addresses.
pub fn is_ip(list: &[Node<'_>]) -> bool {
    let mut formats: Vec<&str> = list.iter().filter_map(|one| only_value(one, "format")?.text()).collect();
    formats.sort_unstable();
    list.len() == 2 && formats == ["ipv4", "ipv6"]
}

/// Returns the minimum count of a collection that can also be empty, which is equivalent to absent.
pub fn min_unless_empty(list: &[Node<'_>], min: &str, most: &str) -> Option<u64> {
    let number = |key: &str| {
        list.iter().find_map(|one| match only_value(one, key)? {
            Value::Number(text) => text.parse::<u64>().ok(),
            _ => None,
        })
    };
    (list.len() == 2 && number(most)? == 0).then(|| number(min))?
}

/// Returns whether the schema can express these alternatives.
pub fn is_expressible(list: &[Node<'_>]) -> bool {
    is_ip(list)
        || min_unless_empty(list, "minItems", "maxItems").is_some()
        || min_unless_empty(list, "minProperties", "maxProperties").is_some()
}
