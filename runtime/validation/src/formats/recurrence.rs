//! Lines of a recurrence (RFC 5545, sections 3.3.10 and 3.8.5).

mod rule;
mod times;

use super::{split, split_once};

/// Returns whether the text is a line that says when an event recurs: an `RRULE`, `EXRULE`, `RDATE` or `EXDATE`
/// property of RFC 5545 (`EXRULE` of RFC 2445), on one line. `DTSTART` and `DTEND` have members of their own.
///
/// Names count alike whether they are small or not, as section 1.2 says.
#[must_use]
pub fn recurrence_line(text: &str) -> bool {
    let Some((head, value)) = split_value(text) else { return false };
    let (name, parameters) = split_once(head, b';').map_or((head, None), |(name, rest)| (name, Some(rest)));
    let is = |property: &str| name.eq_ignore_ascii_case(property);
    if is("RRULE") || is("EXRULE") {
        // A rule has no parameter of its own; what others define starts with `X-`.
        parameters.is_none_or(|parameters| split_quoted(parameters, b';').all(is_extension)) && rule::is_rule(value)
    } else if is("RDATE") || is("EXDATE") {
        times::are_times(parameters, value, is("RDATE"))
    } else {
        false
    }
}

/// Returns the name with its parameters, and the value behind the first colon outside of quotes.
fn split_value(text: &str) -> Option<(&str, &str)> {
    let mut quoted = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            b':' if !quoted => return Some((text.get(..at)?, text.get(at + 1..)?)),
            // A line is never folded here, and holds nothing that does not show.
            0..=0x1f | 0x7f => return None,
            _ => {}
        }
    }
    None
}

/// Returns the pieces between separators outside of quotes.
fn split_quoted(text: &str, separator: u8) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    split(text, move |byte| {
        quoted ^= byte == b'"';
        !quoted && byte == separator
    })
}

/// Returns a parameter that RFC 5545 leaves to others: `X-NAME=value`.
fn is_extension(parameter: &str) -> bool {
    split_once(parameter, b'=').is_some_and(|(name, value)| {
        name.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("X-"))
            && name.len() > 2
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && is_parameter_value(value)
    })
}

/// In quotes anything but a quote and control characters; else neither separators nor quotes.
fn is_parameter_value(value: &str) -> bool {
    match value.strip_prefix('"') {
        Some(rest) => rest.strip_suffix('"').is_some_and(|inner| !inner.contains(|c: char| c == '"' || c.is_control())),
        None => !value.contains(|c: char| matches!(c, '"' | ';' | ':' | ',') || c.is_control()),
    }
}

#[cfg(test)]
mod tests;
