//! Query as a form (`application/x-www-form-urlencoded`), whose values are still encoded.

use wireform_runtime::operation::Parameter;

use wireform_runtime::http::percent::decode_form;

/// Returns the encoded names and values of a query. A pair without `=` is a name with an empty value.
pub(crate) fn pairs(query: Option<&str>) -> impl Iterator<Item = (&str, &str)> {
    let pairs = query.unwrap_or_default().split('&').filter(|pair| !pair.is_empty());
    pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")))
}

/// Returns whether an encoded name equals a name.
pub(crate) fn is_name(raw: &str, name: &str) -> bool {
    // A text of another length cannot match, and is not decoded.
    let may_be = (name.len()..=3 * name.len()).contains(&raw.len()) && raw.contains(['%', '+']);
    raw == name || (may_be && decode_form(raw).is_ok_and(|decoded| decoded == name))
}

/// Returns whether an encoded name is one of those of a parameter.
pub(crate) fn is_parameter(raw: &str, parameter: &Parameter) -> bool {
    std::iter::once(&parameter.name.name).chain(parameter.name.aliases).any(|name| is_name(raw, name))
}
