//! Recurrence lines (RFC 5545, sections 3.3.10 and 3.8.5).

mod rule;
mod times;

use super::{split, split_once};

/// Returns whether the text is a recurrence line: an `RRULE`, `EXRULE`, `RDATE` or `EXDATE` property of RFC 5545
/// (`EXRULE` of RFC 2445), on one line. `DTSTART` and `DTEND` have fields of their own.
///
/// Names are case-insensitive (section 1.2).
#[must_use]
pub fn is_recurrence_line(text: &str) -> bool {
    let Some((head, value)) = split_value(text) else { return false };
    let (name, parameters) = split_once(head, b';').map_or((head, None), |(name, rest)| (name, Some(rest)));
    let is = |property: &str| name.eq_ignore_ascii_case(property);
    if is("RRULE") || is("EXRULE") {
        // A rule has no standard parameters; extensions start with `X-`.
        parameters.is_none_or(|parameters| split_quoted(parameters, b';').all(is_extension)) && rule::is_rule(value)
    } else if is("RDATE") || is("EXDATE") {
        times::are_times(parameters, value, is("RDATE"))
    } else {
        false
    }
}

/// Splits a line at the first colon outside of quotes, into the name with its parameters and the value.
fn split_value(text: &str) -> Option<(&str, &str)> {
    let mut quoted = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            b':' if !quoted => return Some((text.get(..at)?, text.get(at + 1..)?)),
            // Folded lines and control characters are rejected.
            0..=0x1f | 0x7f => return None,
            _ => {}
        }
    }
    None
}

/// Splits a text at separators outside of quotes.
fn split_quoted(text: &str, separator: u8) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    split(text, move |byte| {
        quoted ^= byte == b'"';
        !quoted && byte == separator
    })
}

/// Returns whether the text is an extension parameter: `X-NAME=value`.
fn is_extension(parameter: &str) -> bool {
    split_once(parameter, b'=').is_some_and(|(name, value)| {
        name.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("X-"))
            && name.len() > 2
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && is_parameter_value(value)
    })
}

/// Returns whether the text is the value of a parameter: in quotes anything except quotes and control characters, else
/// also no separators.
fn is_parameter_value(value: &str) -> bool {
    match value.strip_prefix('"') {
        Some(rest) => rest.strip_suffix('"').is_some_and(|inner| !inner.contains(|c: char| c == '"' || c.is_control())),
        None => !value.contains(|c: char| matches!(c, '"' | ';' | ':' | ',') || c.is_control()),
    }
}

#[cfg(test)]
mod tests;
