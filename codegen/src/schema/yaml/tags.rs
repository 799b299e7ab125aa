//! Tags in imported documents: those of YAML's core schema determine the type of a value, others are unknown.

use std::collections::BTreeMap;

use granit_parser::Tag;

use super::Style;

/// Prefix of YAML's own tags.
const YAML_TAG_PREFIX: &str = "tag:yaml.org,2002:";

/// Maximum number of different unknown tags; usual documents have a few.
pub const MAX_UNKNOWN_TAGS: usize = 64;

/// An unknown tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownTag {
    /// The tag as written, such as `!include`.
    pub name: String,
    /// Path of keys and indexes to the first value with the tag.
    pub path: Vec<String>,
    /// Number of values with the tag.
    pub count: usize,
}

/// Unknown tags, in document order.
#[derive(Default)]
pub struct UnknownTags {
    found: Vec<UnknownTag>,
    indexes: BTreeMap<String, usize>,
}

impl UnknownTags {
    /// Records an occurrence of a tag. Returns false if the maximum number of tags is reached.
    pub fn record(&mut self, name: String, path: impl FnOnce() -> Vec<String>) -> bool {
        if let Some(found) = self.indexes.get(&name).and_then(|at| self.found.get_mut(*at)) {
            found.count += 1;
            return true;
        }
        if self.found.len() >= MAX_UNKNOWN_TAGS {
            return false;
        }
        self.indexes.insert(name.clone(), self.found.len());
        self.found.push(UnknownTag { name, path: path(), count: 1 });
        true
    }

    /// Returns the tags in document order.
    pub fn into_vec(self) -> Vec<UnknownTag> {
        self.found
    }
}

/// Returns the core schema's name of the type of a tag, or `None` for an unknown tag.
fn core_type(tag: &Tag) -> Option<&str> {
    // The non-specific tag `!`: a string, a list or a mapping, without type resolution.
    if tag.parts() == ("", "!") {
        return Some("!");
    }
    // These are strings in JSON.
    let texts = ["binary", "timestamp"];
    let other = tag.suffix_in_namespace(YAML_TAG_PREFIX)?;
    tag.core_suffix().or_else(|| texts.into_iter().chain(["merge"]).find(|known| *known == other))
}

/// Applies a tag to a scalar. Returns `None` for an unknown tag.
///
/// # Errors
/// Returns an error if the scalar is not of the tag's type.
pub fn resolve_scalar(tag: &Tag, text: String, style: Style) -> Result<Option<(String, Style)>, String> {
    let Some(kind) = core_type(tag) else { return Ok(None) };
    let fits = match kind {
        "!" | "str" | "binary" | "timestamp" => return Ok(Some((text, Style::Text))),
        "merge" if text == "<<" => return Ok(Some((text, style))),
        "null" => ["", "~", "null", "Null", "NULL"].contains(&text.as_str()),
        "bool" => ["true", "True", "TRUE", "false", "False", "FALSE"].contains(&text.as_str()),
        "int" => is_integer(&text),
        "float" => is_integer(&text) || is_float(&text),
        _ => false,
    };
    if fits { Ok(Some((text, Style::Plain))) } else { Err(mismatch_message(tag)) }
}

/// Checks the tag of a collection. Returns false for an unknown tag.
///
/// # Errors
/// Returns an error if the tag is that of another type.
pub fn check_collection(tag: &Tag, is_list: bool) -> Result<bool, String> {
    match core_type(tag) {
        None => Ok(false),
        Some("!") => Ok(true),
        Some(kind) if kind == if is_list { "seq" } else { "map" } => Ok(true),
        Some(_) => Err(mismatch_message(tag)),
    }
}

fn mismatch_message(tag: &Tag) -> String {
    format!("the value does not match its tag `{}`", tag.original().escape_debug())
}

fn is_integer(text: &str) -> bool {
    let digits = |text: &str, radix| !text.is_empty() && text.chars().all(|c| c.is_digit(radix));
    let radix = |prefix: &str, radix| text.strip_prefix(prefix).is_some_and(|rest| digits(rest, radix));
    digits(text.strip_prefix(['+', '-']).unwrap_or(text), 10) || radix("0x", 16) || radix("0o", 8)
}

fn is_float(text: &str) -> bool {
    let begins = text.trim_start_matches(['+', '-']).starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let special = [".inf", ".Inf", ".INF", "+.inf", "-.inf", ".nan", ".NaN", ".NAN"];
    special.contains(&text) || begins && text.parse::<f64>().is_ok()
}
