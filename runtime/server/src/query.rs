//! The query as a form (`application/x-www-form-urlencoded`), whose values are still encoded.

use wireform_runtime::operation::Parameter;

use crate::percent::decode_form;

/// The names and values of a query, both as they came. What has no `=` is a name with an empty value.
pub(crate) fn pairs(query: Option<&str>) -> impl Iterator<Item = (&str, &str)> {
    let pairs = query.unwrap_or_default().split('&').filter(|pair| !pair.is_empty());
    pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")))
}

/// Whether a name as it came is this one.
pub(crate) fn is_name(raw: &str, name: &str) -> bool {
    // A text of another length is not decoded at all.
    let may_be = (name.len()..=3 * name.len()).contains(&raw.len()) && raw.contains(['%', '+']);
    raw == name || (may_be && decode_form(raw).is_ok_and(|decoded| decoded == name))
}

/// Whether a name as it came is one of those of a parameter.
pub(crate) fn is_parameter(raw: &str, parameter: &Parameter) -> bool {
    std::iter::once(&parameter.name.name).chain(parameter.name.aliases).any(|name| is_name(raw, name))
}
