//! Conversion of names of a document to valid ones.
//!
//! The schema reader defines the rules for Rust names and is called here, so that it accepts everything that an import
//! writes.

use std::collections::{BTreeMap, BTreeSet};

use heck::{ToKebabCase as _, ToPascalCase as _};
use wireform_codegen::diagnostics::{Sink, Span};
use wireform_codegen::model::Name;
use wireform_codegen::resolve::names::{self, Casing};
use wireform_codegen::schema::Text;

use crate::ImportError;

/// Returns the Rust form of a name, if it has one.
pub fn rust_name(text: &str, casing: Casing) -> Option<Name> {
    let text = Text { text: text.to_owned(), span: Span::default() };
    names::name(&text, None, casing, &mut Sink::new())
}

/// Reserved names of a scope.
#[derive(Clone, Default)]
pub struct NameScope {
    taken: BTreeSet<String>,
    /// Number of requests for each name, so that finding free names takes linear time.
    requests: BTreeMap<String, u32>,
}

impl NameScope {
    /// Creates a scope with reserved names.
    pub fn with(taken: &[&str]) -> Self {
        Self { taken: taken.iter().map(|name| (*name).to_owned()).collect(), requests: BTreeMap::new() }
    }

    /// Reserves all marks, or none of them.
    pub fn reserve_all(&mut self, marks: &[String]) -> bool {
        let free = marks.iter().all(|mark| !self.taken.contains(mark));
        if free {
            self.taken.extend(marks.iter().cloned());
        }
        free
    }

    /// Returns a free name of the given form, with a number if needed. `marks` are the identifiers that a name
    /// reserves.
    pub fn reserve_free(&mut self, wanted: &str, casing: Casing, marks: fn(&Name) -> Vec<String>) -> Option<String> {
        if rust_name(wanted, casing).is_some_and(|name| self.reserve_all(&marks(&name))) {
            return Some(wanted.to_owned());
        }
        let requests = self.requests.get(wanted).copied().unwrap_or(1);
        for number in requests.saturating_add(1)..u32::MAX {
            let numbered = format!("{wanted}_{number}");
            let name = rust_name(&numbered, casing)?;
            if self.reserve_all(&marks(&name)) {
                self.requests.insert(wanted.to_owned(), number);
                return Some(numbered);
            }
        }
        None
    }

    /// Returns the value of `name:` for a name on the wire; `None` if its own form is free.
    pub fn explicit_name(
        &mut self,
        wire: &str,
        casing: Casing,
        fallback: &str,
        marks: fn(&Name) -> Vec<String>,
    ) -> Option<String> {
        let own = rust_name(wire, casing);
        if own.as_ref().is_some_and(|name| self.reserve_all(&marks(name))) {
            return None;
        }
        let stem = own.map(|name| name.stem.trim_start_matches('_').to_owned());
        let stem = stem.filter(|stem| !stem.is_empty() && stem.len() < 100);
        // `-1` and `+1`, and `-name` for descending order, need distinct names.
        let sign = wire.strip_prefix('-').map(|_| "minus").or_else(|| wire.strip_prefix('+').map(|_| "plus"));
        let stem = stem.map(|stem| match (sign, casing) {
            (None, _) => stem,
            (Some(sign), Casing::Type) => format!("{}{stem}", sign.to_pascal_case()),
            (Some(sign), _) => format!("{sign}_{stem}"),
        });
        self.reserve_free(&stem.unwrap_or_else(|| fallback.to_owned()), casing, marks)
    }
}

/// Returns the identifiers that a member, an enum value or a type reserves.
pub fn ident(name: &Name) -> Vec<String> {
    // `_3d` and `3d` have the same setter.
    if name.ident == name.stem { vec![name.ident.clone()] } else { vec![name.ident.clone(), name.stem.clone()] }
}

/// Returns the identifiers that a parameter reserves: its member and its setter.
pub fn parameter(name: &Name) -> Vec<String> {
    let mut marks = ident(name);
    let setter = format!("{}()", names::setter(name));
    marks.push(setter);
    marks
}

/// Returns the note about a renamed item.
pub fn rename_note(name: &str) -> String {
    format!("renamed to `{name}` in code: its name is invalid, reserved or already used")
}

/// Converts any text to a type name: at most 100 letters and digits.
pub fn pascal(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    plain.to_pascal_case().chars().take(100).collect()
}

/// Joins a name and that of a part: `Event` and `EventType` become `EventType`.
pub fn join_names(name: &str, part: &str) -> String {
    let (before, words) = (words(name), words(part));
    let most = before.len().min(words.len().saturating_sub(1));
    let shared = (1..=most).rev().find(|count| before[before.len() - count..] == words[..*count]).unwrap_or(0);
    format!("{name}{}", words[shared..].concat())
}

/// Returns the words of a type name.
fn words(name: &str) -> Vec<&str> {
    let starts = name.char_indices().filter(|(at, c)| *at == 0 || c.is_ascii_uppercase()).map(|(at, _)| at);
    let starts: Vec<usize> = starts.collect();
    let ends = starts.iter().skip(1).copied().chain([name.len()]);
    starts.iter().zip(ends).map(|(start, end)| &name[*start..end]).collect()
}

/// Validates a given name of an API.
///
/// # Errors
/// Returns an error if the name is not valid for an API.
pub fn validate_api_name(name: &str) -> Result<String, ImportError> {
    if names::is_api_name(name) {
        return Ok(name.to_owned());
    }
    let problem = format!("`{}` is not a valid API name: use {}", name.escape_debug(), names::API_NAME_SYNTAX);
    Err(ImportError::Document { at: String::new(), problem })
}

/// Converts any text to a part of a file name or API name: lower-case letters, digits and single hyphens.
pub fn kebab(text: &str) -> String {
    let whole = whole_kebab(text);
    let Some((cut, rest)) = whole.split_at_checked(MAX_LETTERS) else { return whole.trim_matches('-').to_owned() };
    // A word that does not fit is omitted, unless it is the first.
    let words = if rest.is_empty() || rest.starts_with('-') { None } else { cut.rsplit_once('-') };
    words.map_or(cut, |(words, _)| words).trim_matches('-').to_owned()
}

/// Maximum length of such a part.
const MAX_LETTERS: usize = 40;

/// Converts a text of any length to kebab case; all but ASCII letters and digits separates words.
fn whole_kebab(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    plain.to_kebab_case()
}

/// Returns whether [`kebab`] truncates a text.
pub fn is_truncated(text: &str) -> bool {
    whole_kebab(text).len() > MAX_LETTERS
}

#[cfg(test)]
mod tests {
    use super::join_names;

    #[test]
    fn repeated_words_are_joined_once() {
        let table = [
            ("Event", "EventType", "EventType"),
            ("Payment", "PaymentMethodRef", "PaymentMethodRef"),
            ("DirectCostLineItemsItem", "ItemRef", "DirectCostLineItemsItemRef"),
            ("ResourceScope", "Scope", "ResourceScopeScope"),
            ("Note", "Part", "NotePart"),
            ("", "Part", "Part"),
        ];
        for (name, part, expected) in table {
            assert_eq!(join_names(name, part), expected, "{name} {part}");
        }
    }
}
