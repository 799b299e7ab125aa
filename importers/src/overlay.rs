//! Overlays: manual changes to an imported schema, in a separate file that outlives the next import.
//!
//! `change` is merged into the imported schema, construct by construct: a key replaces an existing one, and null
//! removes it. `add` inserts what the document does not have. Targets of `change` must exist and those of `add` must
//! not: an overlay that is outdated by a newer document is reported with its location.

mod location;

use std::collections::BTreeSet;

use wireform_codegen::diagnostics::{Sink, nearest};
use wireform_codegen::schema::yaml::{self, Entry, Node, Value};

use crate::value::Value as Json;
use crate::{ImportError, OverlayError};

/// Sections whose keys are names.
const SECTIONS: [&str; 11] = [
    "endpoints",
    "enums",
    "error_sets",
    "operations",
    "parameter_sets",
    "path_parameters",
    "resources",
    "rule_sets",
    "scopes",
    "security_schemes",
    "unions",
];

/// Keys of a definition whose own keys are names.
const PARTS: [&str; 10] =
    ["cookies", "errors", "fields", "headers", "path", "query", "responses", "states", "values", "variants"];

/// Parsed overlay.
pub struct Overlay {
    text: String,
    change: Option<Node>,
    add: Option<Node>,
}

impl Overlay {
    /// Parses an overlay.
    ///
    /// # Errors
    /// Returns all errors if the text is not a mapping in YAML with the keys `change` and `add` only.
    pub fn read(text: &str) -> Result<Self, ImportError> {
        let mut sink = Sink::new();
        let node = yaml::parse(0, text, &mut sink);
        let mut found = Self { text: text.to_owned(), change: None, add: None };
        let mut errors: Vec<OverlayError> = sink
            .into_sorted()
            .iter()
            .map(|diagnostic| found.error(diagnostic.span.start, &[], &diagnostic.message))
            .collect();
        if node.is_none() && errors.is_empty() {
            errors.push(found.error(0, &[], "the overlay is empty"));
        }
        let entries = node.iter().flat_map(|node| found.entries(node, &[], &mut errors)).cloned().collect::<Vec<_>>();
        for Entry { key, key_span, value } in entries {
            match key.as_str() {
                "change" => found.change = Some(value),
                "add" => found.add = Some(value),
                _ => {
                    let problem = "unknown key; expected `change` or `add`";
                    errors.push(found.error(key_span.start, &[&key], problem));
                }
            }
        }
        if errors.is_empty() { Ok(found) } else { Err(ImportError::Overlay(errors)) }
    }

    /// Returns all words in the overlay, some of which may name types.
    pub(crate) fn words(&self) -> BTreeSet<String> {
        let words = self.text.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
    }

    /// Returns whether this overlay sets or removes the key that a line of an overlay would set or remove, or a larger part
    /// of its definition.
    pub(crate) fn decides(&self, line: &str) -> bool {
        let Some(line) = Self::read(line).ok().and_then(|line| line.change.or(line.add)) else { return false };
        [&self.change, &self.add].into_iter().flatten().any(|own| contains_path(own, &line, MAX_PATH))
    }

    /// Applies the overlay to a whole schema: the keys of the API, and its definitions in their sections.
    ///
    /// # Errors
    /// Returns all errors if a name that it changes or a key that it removes does not exist, something that it adds
    /// does, or something must not be in an overlay, such as the name of the API.
    pub fn apply(&self, whole: &mut Vec<Entry>) -> Result<(), ImportError> {
        let mut errors = Vec::new();
        if let Some(change) = &self.change {
            self.change(whole, change, &[], &mut errors);
        }
        if let Some(add) = &self.add {
            self.add(whole, add, &[], &mut errors);
        }
        if errors.is_empty() { Ok(()) } else { Err(ImportError::Overlay(errors)) }
    }

    /// Merges the section `change` of an overlay, or a part of it, into a schema.
    fn change(&self, target: &mut Vec<Entry>, patch: &Node, at: &[&str], errors: &mut Vec<OverlayError>) {
        for Entry { key, key_span, value } in self.entries(patch, at, errors) {
            let at = [at, &[key.as_str()]].concat();
            if !self.is_allowed(&at, key_span.start, value, errors) {
                continue;
            }
            let existing = position(target, key);
            if existing.is_none() && (value.is_null() || is_name(&at)) {
                errors.push(self.error(key_span.start, &at, &missing_key_message(target, key)));
                continue;
            }
            match existing.and_then(|existing| target.get_mut(existing)) {
                Some(_) if value.is_null() => target.retain(|entry| entry.key != *key),
                Some(existing) => self.replace(&mut existing.value, value, &at, errors),
                // Its names do not exist either.
                None if has_name_keys(&at) => self.change(&mut Vec::new(), value, &at, errors),
                None => target.push(Entry::new(key.as_str(), to_schema_node(value))),
            }
        }
    }

    /// Replaces the value of a key. A short form becomes a mapping if the overlay contains more than it.
    fn replace(&self, existing: &mut Node, patch: &Node, at: &[&str], errors: &mut Vec<OverlayError>) {
        if let (Some(key), Value::Map(_), true) = (short_form_key(at), &patch.value, is_short(existing, at)) {
            let mut inner = expand_short_form(existing, key);
            self.change(&mut inner, patch, at, errors);
            *existing = Node::map(inner);
            return;
        }
        match (&mut existing.value, &patch.value, short_form_key(at)) {
            (Value::Map(inner), Value::Map(_), _) => self.change(inner, patch, at, errors),
            (Value::Map(inner), Value::Scalar(..), Some(key)) => insert(inner, key, to_schema_node(patch)),
            _ => *existing = to_schema_node(patch),
        }
    }

    /// Merges the section `add` of an overlay, or a part of it, into a schema.
    fn add(&self, target: &mut Vec<Entry>, patch: &Node, at: &[&str], errors: &mut Vec<OverlayError>) {
        for Entry { key, key_span, value } in self.entries(patch, at, errors) {
            let at = [at, &[key.as_str()]].concat();
            if !self.is_allowed(&at, key_span.start, value, errors) {
                continue;
            }
            let existing = position(target, key).and_then(|existing| target.get_mut(existing));
            match (existing.map(|existing| &mut existing.value.value), &value.value) {
                (None, _) if value.is_null() => {
                    let problem = "null cannot be added; to remove something, move it to `change`";
                    errors.push(self.error(value.span.start, &at, problem));
                }
                (None, _) => target.push(Entry::new(key.as_str(), to_schema_node(value))),
                (Some(Value::Map(inner)), Value::Map(_)) => self.add(inner, value, &at, errors),
                (Some(_), _) => {
                    let problem = "already in the document; move it to `change`";
                    errors.push(self.error(key_span.start, &at, problem));
                }
            }
        }
    }

    /// Returns whether an overlay may contain a key with its value, or reports errors: not the name of the API, which
    /// is that of its folder, and no definition that is not a mapping.
    fn is_allowed(&self, at: &[&str], start: u32, value: &Node, errors: &mut Vec<OverlayError>) -> bool {
        let before = errors.len();
        let is_defined = at.first().is_some_and(|section| SECTIONS.contains(section)) && at.len() <= 2;
        if at == ["api"] {
            errors.push(self.error(start, at, "the name of the API cannot be changed here; pass `--name` to `import`"));
        } else if is_defined && short_form_key(at).is_none() && !value.is_null() {
            self.entries(value, at, errors);
        }
        errors.len() == before
    }

    /// Returns the entries of a mapping; none, and an error, if it is not a mapping.
    fn entries<'n>(&self, node: &'n Node, at: &[&str], errors: &mut Vec<OverlayError>) -> &'n [Entry] {
        match &node.value {
            Value::Map(entries) => entries,
            _ => {
                let problem = format!("expected a mapping, found {}", node.describe());
                errors.push(self.error(node.span.start, at, &problem));
                &[]
            }
        }
    }

    /// Creates an error at an offset of the overlay.
    fn error(&self, start: u32, at: &[&str], problem: &str) -> OverlayError {
        let (line, column) = crate::locations::line_and_column(&self.text, start as usize);
        let at = at.iter().map(|key| key.escape_debug().to_string()).collect::<Vec<_>>().join(".");
        let problem = if at.is_empty() { problem.to_owned() } else { format!("`{at}`: {problem}") };
        OverlayError { line, column, problem }
    }
}

/// Length of the path to a key of a definition: the section, the name and the key.
const MAX_PATH: usize = 3;

/// Keys whose own keys are decided separately.
const NESTED: [&str; 4] = ["body", "errors", "response", "responses"];

/// Length of the path below such a key: the status, the alternatives, the name of one, its key, and the value.
const MAX_NESTED: usize = 5;

/// Returns whether a part of an overlay contains the path to a value of another one.
fn contains_path(own: &Node, line: &Node, length: usize) -> bool {
    match (&own.value, &line.value) {
        // The first key of a definition is the one that decides, and others adapt to it.
        (Value::Map(_), Value::Map(entries)) if length > 0 => {
            entries.iter().take(if length == 1 { 1 } else { usize::MAX }).any(|Entry { key, value, .. }| {
                let is_nested = length == 1 && NESTED.contains(&key.as_str());
                let length = if is_nested { MAX_NESTED } else { length - 1 };
                own.get(key).is_some_and(|own| contains_path(own, value, length))
            })
        }
        // A larger part is replaced or removed.
        _ => true,
    }
}

/// Returns whether the last key of a path is a name.
fn is_name(at: &[&str]) -> bool {
    match at {
        [section, _] => SECTIONS.contains(section),
        ["parameter_sets" | "path_parameters", _, _] => true,
        [section, _, part, _] => SECTIONS.contains(section) && PARTS.contains(part),
        _ => false,
    }
}

/// Returns whether the value at a path has names as its keys.
fn has_name_keys(at: &[&str]) -> bool {
    is_name(&[at, &[""]].concat())
}

/// Returns the key for which a plain text stands at a path of an overlay where a mapping is also allowed: `type` for
/// `response: Event`.
fn short_form_key(at: &[&str]) -> Option<&'static str> {
    match at {
        ["scopes", _] | ["operations", _, "errors", _] | [_, _, "values", _] | [.., "known_values", _] => Some("doc"),
        [_, _, "deprecated"] | [_, _, _, _, "deprecated"] => Some("doc"),
        ["endpoints", _] => Some("url"),
        ["base_path" | "batch"] | ["operations", _, "media", "simple" | "resumable"] => Some("path"),
        ["operations", _, "body" | "response"] | ["operations", _, "responses", _] => Some("type"),
        ["operations", _, "body" | "response", "alternatives", _]
        | ["operations", _, "responses", _, "alternatives", _] => Some("type"),
        ["resources", _, "rest"] | ["unions", _, "variants", _] => Some("type"),
        ["resources", _, "long_running", "done"] => Some("field"),
        ["resources", _, "kind"] => Some("value"),
        _ => None,
    }
}

/// Returns the message about an overlay's key that the target lacks, with the most similar key if there is one.
fn missing_key_message(target: &[Entry], key: &str) -> String {
    let problem = "not in the document";
    match nearest(key, target.iter().map(|entry| entry.key.as_str())) {
        Some(near) => format!("{problem}; did you mean `{}`?", near.escape_debug()),
        None => format!("{problem}; remove it from the overlay, or move it to `add`"),
    }
}

/// Returns the index of a key.
fn position(entries: &[Entry], key: &str) -> Option<usize> {
    entries.iter().position(|entry| entry.key == key)
}

/// Sets the value of a key, replacing an existing one.
fn insert(entries: &mut Vec<Entry>, key: &str, value: Node) {
    match position(entries, key).and_then(|existing| entries.get_mut(existing)) {
        Some(existing) => existing.value = value,
        None => entries.push(Entry::new(key, value)),
    }
}

/// Returns whether the value at a path is a short form: not a mapping, or a map type instead of a variant.
fn is_short(existing: &Node, at: &[&str]) -> bool {
    let is_map_type = at.first() == Some(&"unions") && existing.get("string").is_some();
    !matches!(existing.value, Value::Map(_)) || is_map_type
}

/// Returns the entries of a short form as a mapping.
fn expand_short_form(short: &Node, key: &str) -> Vec<Entry> {
    // `deprecated: true` adds nothing to the key itself.
    let is_empty = *short == Node::plain("true");
    if is_empty { Vec::new() } else { vec![Entry::new(key, short.clone())] }
}

/// Returns a value of the overlay as written in a schema: unquoted if it is null, a number or a boolean.
fn to_schema_node(node: &Node) -> Node {
    match &node.value {
        Value::List(items) => Node::list(items.iter().map(to_schema_node).collect()),
        Value::Map(entries) => Node::map(
            entries.iter().map(|entry| Entry::new(entry.key.as_str(), to_schema_node(&entry.value))).collect(),
        ),
        Value::Scalar(..) => match Json::of_yaml(node) {
            // A number keeps its literal: `1.10` is a version for some keys.
            Json::Number(digits) => Node::plain(digits),
            other => other.to_node(),
        },
    }
}

#[cfg(test)]
mod tests;
