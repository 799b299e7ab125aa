//! Parameters whose values, or fields with their names, are in one text: see [`Expansion`].

use std::borrow::Cow;

use wireform_runtime::operation::{Expansion, Parameter};

use wireform_runtime::http::percent::{DecodedText, decode};

/// Violation of a text that does not match the style of its parameter.
const STYLE_MISMATCH: &str = "must have the style of the parameter";

/// Field in a text: its name and its value.
type Member<'r> = (Cow<'r, str>, Cow<'r, str>);

/// Splits the values in a path variable, or returns a single one if it is not a list. They are split before they are
/// decoded: an encoded delimiter is part of a value.
pub(super) fn split_values<'r>(
    expansion: Expansion,
    parameter: &Parameter,
    raw: &'r str,
    list: bool,
) -> Vec<DecodedText<'r>> {
    let divided = match (strip_style_prefix(expansion, parameter, raw), list) {
        (None, _) => return vec![Err(STYLE_MISMATCH)],
        (Some((text, _)), false) => vec![text],
        (Some((text, between)), true) => text.split(between).collect(),
    };
    let each = matches!(expansion, Expansion::Matrix { explode: true });
    // The name precedes each value; that of the first one was removed before.
    let value = |(at, text): (usize, &'r str)| match text.split_once('=') {
        Some((name, value)) if each && at > 0 && is_name(parameter, name) => decode(value),
        _ if each && at > 0 => Err(STYLE_MISMATCH),
        _ => decode(text),
    };
    divided.into_iter().enumerate().map(value).collect()
}

/// Splits the fields in a text, each with its name.
pub(super) fn split_members<'r>(
    expansion: Expansion,
    parameter: &Parameter,
    raw: &'r str,
    decode: fn(&str) -> DecodedText<'_>,
) -> Result<Vec<Member<'r>>, &'static str> {
    let is_assigned = matches!(
        expansion,
        Expansion::Assignments | Expansion::Label { explode: true } | Expansion::Matrix { explode: true }
    );
    let (text, between) = match expansion {
        // Each has its own name before it.
        Expansion::Matrix { explode: true } => (raw.strip_prefix(';').ok_or(STYLE_MISMATCH)?, ';'),
        _ => strip_style_prefix(expansion, parameter, raw).ok_or(STYLE_MISMATCH)?,
    };
    let pieces: Vec<&str> = text.split(between).collect();
    if is_assigned {
        let member = |piece: &&'r str| {
            let (name, value) = piece.split_once('=').ok_or(STYLE_MISMATCH)?;
            Ok((decode(name)?, decode(value)?))
        };
        return pieces.iter().map(member).collect();
    }
    let (pairs, rest) = pieces.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(STYLE_MISMATCH);
    }
    pairs.iter().map(|[name, value]| Ok((decode(name)?, decode(value)?))).collect()
}

/// Returns a text without its prefix, and the delimiter of its values.
fn strip_style_prefix<'r>(expansion: Expansion, parameter: &Parameter, raw: &'r str) -> Option<(&'r str, char)> {
    match expansion {
        Expansion::Pairs | Expansion::Assignments | Expansion::Members(_) => Some((raw, ',')),
        Expansion::Label { explode: each } => Some((raw.strip_prefix('.')?, if each { '.' } else { ',' })),
        Expansion::Matrix { explode: each } => {
            let (name, text) = raw.strip_prefix(';')?.split_once('=')?;
            is_name(parameter, name).then_some((text, if each { ';' } else { ',' }))
        }
    }
}

/// Returns whether a name, still percent-encoded, is that of the parameter or an alias.
fn is_name(parameter: &Parameter, raw: &str) -> bool {
    decode(raw).is_ok_and(|name| parameter.name.matches(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDS: Parameter = Parameter::path("ids");

    fn texts(expansion: Expansion, raw: &str) -> Vec<String> {
        let texts = split_values(expansion, &IDS, raw, true).into_iter();
        texts.map(|text| text.map_or_else(|_| "?".to_owned(), Cow::into_owned)).collect()
    }

    #[test]
    fn values_of_a_list() {
        for (expansion, raw, expected) in [
            (Expansion::Label { explode: false }, ".a,b%2Cc", &["a", "b,c"] as &[&str]),
            (Expansion::Label { explode: true }, ".a.b", &["a", "b"]),
            (Expansion::Label { explode: true }, "a.b", &["?"]),
            (Expansion::Matrix { explode: false }, ";ids=a,b", &["a", "b"]),
            (Expansion::Matrix { explode: true }, ";ids=a;ids=b", &["a", "b"]),
            (Expansion::Matrix { explode: true }, ";ids=a;other=b", &["a", "?"]),
            (Expansion::Matrix { explode: false }, ";other=a", &["?"]),
        ] {
            assert_eq!(texts(expansion, raw), expected, "{raw}");
        }
    }

    #[test]
    fn members_with_their_names() {
        for (expansion, raw, expected) in [
            (Expansion::Pairs, "a,1,b,2%2C", Ok(vec![("a", "1"), ("b", "2,")])),
            (Expansion::Assignments, "a=1,b=2", Ok(vec![("a", "1"), ("b", "2")])),
            (Expansion::Label { explode: false }, ".a,1,b,2", Ok(vec![("a", "1"), ("b", "2")])),
            (Expansion::Label { explode: true }, ".a=1.b=2", Ok(vec![("a", "1"), ("b", "2")])),
            (Expansion::Matrix { explode: false }, ";ids=a,1,b,2", Ok(vec![("a", "1"), ("b", "2")])),
            (Expansion::Matrix { explode: true }, ";a=1;b=2", Ok(vec![("a", "1"), ("b", "2")])),
            (Expansion::Pairs, "a,1,b", Err(STYLE_MISMATCH)),
            (Expansion::Assignments, "a=1,b", Err(STYLE_MISMATCH)),
        ] {
            let read = split_members(expansion, &IDS, raw, decode);
            let read = read.as_ref().map(|all| all.iter().map(|(name, text)| (&**name, &**text)).collect::<Vec<_>>());
            assert_eq!(read.map_err(|error| *error), expected, "{raw}");
        }
    }
}
