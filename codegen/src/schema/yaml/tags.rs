//! Tags of documents of others: those of YAML's core schema say what a value is, others mean nothing here.

use std::collections::BTreeMap;

use granit_parser::Tag;

use super::Style;

/// What the tags of YAML itself begin with.
const YAML: &str = "tag:yaml.org,2002:";

/// The most tags that mean nothing; a document has a handful of them.
pub const MOST_UNKNOWN: usize = 64;

/// A tag that means nothing here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownTag {
    /// The tag as it is written: `!include`.
    pub name: String,
    /// The keys and the indices that lead to the first value behind it.
    pub path: Vec<String>,
    /// How many values it stands before.
    pub count: usize,
}

/// The tags that mean nothing, in the order in which they come.
#[derive(Default)]
pub struct Unknown {
    found: Vec<UnknownTag>,
    places: BTreeMap<String, usize>,
}

impl Unknown {
    /// Takes one down; false where there are too many of them.
    pub fn add(&mut self, name: String, path: impl FnOnce() -> Vec<String>) -> bool {
        if let Some(found) = self.places.get(&name).and_then(|at| self.found.get_mut(*at)) {
            found.count += 1;
            return true;
        }
        if self.found.len() >= MOST_UNKNOWN {
            return false;
        }
        self.places.insert(name.clone(), self.found.len());
        self.found.push(UnknownTag { name, path: path(), count: 1 });
        true
    }

    /// All of them, each with the first of its places.
    pub fn into_sorted(self) -> Vec<UnknownTag> {
        self.found
    }
}

/// The type that a tag names; nothing where it means nothing here.
fn kind(tag: &Tag) -> Option<&str> {
    // `!` alone says that a value is what it looks like without reading it: a text, a list or a mapping.
    if tag.parts() == ("", "!") {
        return Some("!");
    }
    // A text in JSON is what these are as well.
    let texts = ["binary", "timestamp"];
    let other = tag.suffix_in_namespace(YAML)?;
    tag.core_suffix().or_else(|| texts.into_iter().chain(["merge"]).find(|known| *known == other))
}

/// A scalar behind a tag; nothing where the tag means nothing here.
///
/// # Errors
/// When the scalar is none of the kind that the tag says.
pub fn scalar(tag: &Tag, text: String, style: Style) -> Result<Option<(String, Style)>, String> {
    let Some(kind) = kind(tag) else { return Ok(None) };
    let fits = match kind {
        "!" | "str" | "binary" | "timestamp" => return Ok(Some((text, Style::Text))),
        "merge" if text == "<<" => return Ok(Some((text, style))),
        "null" => ["", "~", "null", "Null", "NULL"].contains(&text.as_str()),
        "bool" => ["true", "True", "TRUE", "false", "False", "FALSE"].contains(&text.as_str()),
        "int" => is_whole(&text),
        "float" => is_whole(&text) || is_fraction(&text),
        _ => false,
    };
    if fits { Ok(Some((text, Style::Plain))) } else { Err(differs(tag)) }
}

/// Whether a tag before a collection says what it is; false where the tag means nothing here.
///
/// # Errors
/// When the tag says that it is something else.
pub fn collection(tag: &Tag, is_list: bool) -> Result<bool, String> {
    match kind(tag) {
        None => Ok(false),
        Some("!") => Ok(true),
        Some(kind) if kind == if is_list { "seq" } else { "map" } => Ok(true),
        Some(_) => Err(differs(tag)),
    }
}

fn differs(tag: &Tag) -> String {
    format!("the value does not match its tag `{}`", tag.original().escape_debug())
}

fn is_whole(text: &str) -> bool {
    let digits = |text: &str, radix| !text.is_empty() && text.chars().all(|c| c.is_digit(radix));
    let radix = |prefix: &str, radix| text.strip_prefix(prefix).is_some_and(|rest| digits(rest, radix));
    digits(text.strip_prefix(['+', '-']).unwrap_or(text), 10) || radix("0x", 16) || radix("0o", 8)
}

fn is_fraction(text: &str) -> bool {
    let begins = text.trim_start_matches(['+', '-']).starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let special = [".inf", ".Inf", ".INF", "+.inf", "-.inf", ".nan", ".NaN", ".NAN"];
    special.contains(&text) || begins && text.parse::<f64>().is_ok()
}
