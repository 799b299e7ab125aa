//! A list of names and facts: what is checked in, what is derived, and what a schema says, in one
//! form, so that any two of them can be compared.

use std::collections::BTreeMap;
use std::fmt::Write as _;

const HEADER: &str = "\
# Written by `UPDATE_INVENTORY=1 cargo test -p wireform-tests --test suite inventory` from the documents, apart from lines
# that are written by hand: `rule`, `field … ours`, and the kinds in `tests/suite/inventory/behavior.rs`.
";

/// Entries by their key; the value is an origin or a fact.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct List(BTreeMap<String, String>);

/// Kinds of facts that the list has only where the sources do, while a schema has them everywhere.
/// A new member cannot hide behind that: it is an entry of its own.
const PARTIAL: [&str; 2] = ["type", "name"];

impl List {
    pub fn set(&mut self, key: impl Into<String>, value: impl Into<String>) {
        self.0.insert(key.into(), value.into());
    }

    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(String::as_str)
    }

    /// Reads the checked-in form: one line an entry, sorted.
    pub fn parse(text: &str) -> Self {
        let mut list = Self::default();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let at = end_of_key(line);
            list.set(&line[..at], line[at..].trim_start());
        }
        list
    }

    pub fn render(&self) -> String {
        let mut out = String::from(HEADER);
        for (key, value) in &self.0 {
            let _ = writeln!(out, "{}", format!("{key} {value}").trim_end());
        }
        out
    }

    /// Returns the entries that `keep` accepts by their kind and value.
    pub fn only(&self, keep: impl Fn(&str, &str) -> bool) -> Self {
        let entries = self.0.iter().filter(|(key, value)| keep(key.split(' ').next().unwrap_or_default(), value));
        Self(entries.map(|(key, value)| (key.clone(), value.clone())).collect())
    }

    /// This list and another.
    pub fn with(mut self, other: &Self) -> Self {
        self.0.extend(other.0.clone());
        self
    }

    /// What `actual` has that differs from this list, one line each.
    pub fn differences(&self, actual: &Self) -> Vec<String> {
        let mut found = Vec::new();
        for (key, wanted) in &self.0 {
            match actual.get(key) {
                None => found.push(format!("missing: {key} {wanted}").trim_end().into()),
                Some(value) if value != wanted => {
                    found.push(format!("different: {key}: expected `{wanted}`, found `{value}`"));
                }
                Some(_) => {}
            }
        }
        for (key, value) in &actual.0 {
            let kind = key.split(' ').next().unwrap_or_default();
            if !self.0.contains_key(key) && !PARTIAL.contains(&kind) {
                found.push(format!("extra: {key} {value}").trim_end().into());
            }
        }
        found
    }
}

/// How many words tell an entry from others depends on its kind; what follows is said about it.
fn end_of_key(line: &str) -> usize {
    let words = match line.split(' ').next() {
        Some("parameter" | "alias") => 4,
        Some("scope" | "header") => 3,
        _ => 2,
    };
    line.match_indices(' ').nth(words - 1).map_or(line.len(), |(at, _)| at)
}
