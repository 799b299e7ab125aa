//! Parameters whose values, or fields with their names, are in one text: see [`Expansion`].

use std::borrow::Cow;

use wireform_runtime::operation::{Expansion, Parameter};

use wireform_runtime::http::percent::{Text, decode};

/// Violation of a text that does not match the style of its parameter.
const OTHER: &str = "must be formatted in the style of the parameter";

/// Field in a text: its name and its value.
type Member<'r> = (Cow<'r, str>, Cow<'r, str>);

/// Splits the values in a path variable, or returns a single one if it is not a list. They are split before they are
/// decoded: an encoded delimiter is part of a value.
pub(super) fn values<'r>(expansion: Expansion, parameter: &Parameter, raw: &'r str, list: bool) -> Vec<Text<'r>> {
    let divided = match (divide(expansion, parameter, raw), list) {
        (None, _) => return vec![Err(OTHER)],
        (Some((text, _)), false) => vec![text],
        (Some((text, between)), true) => text.split(between).collect(),
    };
    let each = matches!(expansion, Expansion::Matrix { each: true });
    // The name precedes each value; that of the first one was removed before.
    let value = |(at, text): (usize, &'r str)| match text.split_once('=') {
        Some((name, value)) if each && at > 0 && is_name(parameter, name) => decode(value),
        _ if each && at > 0 => Err(OTHER),
        _ => decode(text),
    };
    divided.into_iter().enumerate().map(value).collect()
}

/// Splits the fields in a text, each with its name.
pub(super) fn members<'r>(
    expansion: Expansion,
    parameter: &Parameter,
    raw: &'r str,
    decode: fn(&str) -> Text<'_>,
) -> Result<Vec<Member<'r>>, &'static str> {
    let is_assigned =
        matches!(expansion, Expansion::Assigned | Expansion::Label { each: true } | Expansion::Matrix { each: true });
    let (text, between) = match expansion {
        // Each has its own name before it.
        Expansion::Matrix { each: true } => (raw.strip_prefix(';').ok_or(OTHER)?, ';'),
        _ => divide(expansion, parameter, raw).ok_or(OTHER)?,
    };
    let pieces: Vec<&str> = text.split(between).collect();
    if is_assigned {
        let member = |piece: &&'r str| {
            let (name, value) = piece.split_once('=').ok_or(OTHER)?;
            Ok((decode(name)?, decode(value)?))
        };
        return pieces.iter().map(member).collect();
    }
    let (pairs, rest) = pieces.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(OTHER);
    }
    pairs.iter().map(|[name, value]| Ok((decode(name)?, decode(value)?))).collect()
}

/// Returns a text without its prefix, and the delimiter of its values.
fn divide<'r>(expansion: Expansion, parameter: &Parameter, raw: &'r str) -> Option<(&'r str, char)> {
    match expansion {
        Expansion::Pairs | Expansion::Assigned | Expansion::Members(_) => Some((raw, ',')),
        Expansion::Label { each } => Some((raw.strip_prefix('.')?, if each { '.' } else { ',' })),
        Expansion::Matrix { each } => {
            let (name, text) = raw.strip_prefix(';')?.split_once('=')?;
            is_name(parameter, name).then_some((text, if each { ';' } else { ',' }))
        }
    }
}

fn is_name(parameter: &Parameter, raw: &str) -> bool {
    decode(raw).is_ok_and(|name| parameter.name.is(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDS: Parameter = Parameter::path("ids");

    fn texts(expansion: Expansion, raw: &str) -> Vec<String> {
        let texts = values(expansion, &IDS, raw, true).into_iter();
        texts.map(|text| text.map_or_else(|_| "?".to_owned(), Cow::into_owned)).collect()
    }

    #[test]
    fn values_of_a_list() {
        for (expansion, raw, expected) in [
            (Expansion::Label { each: false }, ".a,b%2Cc", &["a", "b,c"] as &[&str]),
            (Expansion::Label { each: true }, ".a.b", &["a", "b"]),
            (Expansion::Label { each: true }, "a.b", &["?"]),
            (Expansion::Matrix { each: false }, ";ids=a,b", &["a", "b"]),
            (Expansion::Matrix { each: true }, ";ids=a;ids=b", &["a", "b"]),
            (Expansion::Matrix { each: true }, ";ids=a;other=b", &["a", "?"]),
            (Expansion::Matrix { each: false }, ";other=a", &["?"]),
        ] {
            assert_eq!(texts(expansion, raw), expected, "{raw}");
        }
    }

    #[test]
    fn members_with_their_names() {
        for (expansion, raw, expected) in [
            (Expansion::Pairs, "a,1,b,2%2C", Ok(vec![("a", "1"), ("b", "2,")])),
            (Expansion::Assigned, "a=1,b=2", Ok(vec![("a", "1"), ("b", "2")])),
            (Expansion::Label { each: false }, ".a,1,b,2", Ok(vec![("a", "1"), ("b", "2")])),
            (Expansion::Label { each: true }, ".a=1.b=2", Ok(vec![("a", "1"), ("b", "2")])),
            (Expansion::Matrix { each: false }, ";ids=a,1,b,2", Ok(vec![("a", "1"), ("b", "2")])),
            (Expansion::Matrix { each: true }, ";a=1;b=2", Ok(vec![("a", "1"), ("b", "2")])),
            (Expansion::Pairs, "a,1,b", Err(OTHER)),
            (Expansion::Assigned, "a=1,b", Err(OTHER)),
        ] {
            let read = members(expansion, &IDS, raw, decode);
            let read = read.as_ref().map(|all| all.iter().map(|(name, text)| (&**name, &**text)).collect::<Vec<_>>());
            assert_eq!(read.map_err(|error| *error), expected, "{raw}");
        }
    }
}
