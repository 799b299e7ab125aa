//! List of names and facts, in one format for the checked-in list, the derived one and that of a schema, so that any
//! two can be compared.

use std::collections::BTreeMap;
use std::fmt::Write as _;

const HEADER: &str = "\
# Written by `UPDATE_INVENTORY=1 cargo test -p wireform-tests --test suite inventory` from the documents, apart from lines
# that are written by hand: `rule`, `field … ours`, and the kinds in `tests/suite/inventory/behavior.rs`.
";

/// Entries by key; the value is an origin or a fact.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct List(BTreeMap<String, String>);

/// Kinds of facts that documents do not always have, while a schema always does. A new field is detected nevertheless,
/// since it is an entry of its own.
const PARTIAL: [&str; 2] = ["type", "name"];

impl List {
    pub fn set(&mut self, key: impl Into<String>, value: impl Into<String>) {
        self.0.insert(key.into(), value.into());
    }

    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(String::as_str)
    }

    /// Parses the checked-in format: sorted lines, one for each entry.
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

    /// Returns this list combined with another.
    pub fn with(mut self, other: &Self) -> Self {
        self.0.extend(other.0.clone());
        self
    }

    /// Returns the differences of `actual` from this list, one line each.
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

/// Returns the end of an entry's key, whose number of words depends on its kind; the value follows.
fn end_of_key(line: &str) -> usize {
    let words = match line.split(' ').next() {
        Some("parameter" | "alias") => 4,
        Some("scope" | "header") => 3,
        _ => 2,
    };
    line.match_indices(' ').nth(words - 1).map_or(line.len(), |(at, _)| at)
}
