//! Paths of fields, in the notation of decoding errors: `attendees[3].email`, `labels["a b"]`.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

/// Longer names are truncated, and so is a longer path: both may come from the input.
const MAX_NAME_CHARS: usize = 64;
const MAX_PATH_BYTES: usize = 512;

/// Location of a field in a request or a response.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Path {
    root: PathRoot,
    steps: Vec<PathStep>,
}

/// Part of a request or response in which the path of a violation begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PathRoot {
    /// Parameter of the path or the query, by its wire name in the schema, until the violations are
    /// [renamed](crate::Violations::rename_parameters).
    Parameter(&'static str),
    /// Header or cookie, by its name.
    Header(&'static str),
    /// Body.
    Body,
}

/// Step of the path of a violation: a field, an index or a key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PathStep {
    /// Field, by its wire name.
    Field(Cow<'static, str>),
    /// Element of a list.
    Index(usize),
    /// Entry of a map.
    Key(String),
    /// Entry of a map with a secret key.
    RedactedKey,
    /// Steps in the notation of the decoder.
    Formatted(String),
}

impl PathStep {
    /// Creates the step of a parameter of the query, whose name is not a path: a dot is a part of it.
    pub(crate) fn parameter(name: &str) -> Self {
        let name = name.to_owned();
        if is_plain(&name, &['_', '-', '$', '.']) { Self::Formatted(name) } else { Self::Key(name) }
    }
}

impl Path {
    pub(crate) const fn new(within: PathRoot) -> Self {
        Self { root: within, steps: Vec::new() }
    }

    pub(crate) const fn from_steps(within: PathRoot, steps: Vec<PathStep>) -> Self {
        Self { root: within, steps }
    }

    pub(crate) const fn set_root(&mut self, within: PathRoot) {
        self.root = within;
    }

    pub(crate) fn push(&mut self, step: PathStep) {
        self.steps.push(step);
    }

    /// Returns the root of the path.
    #[must_use]
    pub const fn root(&self) -> PathRoot {
        self.root
    }

    /// Returns the steps after the root.
    #[must_use]
    pub fn steps(&self) -> &[PathStep] {
        &self.steps
    }

    pub(crate) fn steps_mut(&mut self) -> &mut [PathStep] {
        &mut self.steps
    }

    /// Returns the path without list indices and map keys. If the fields are unknown, names may be keys or not, and
    /// are kept.
    pub(crate) fn generalized(&self, members_are_known: bool) -> String {
        let mut text = String::new();
        for step in &self.steps {
            match step {
                PathStep::Field(name) => push_name(&mut text, name),
                PathStep::Index(_) => text.push_str("[]"),
                PathStep::Key(name) if !members_are_known => push_name(&mut text, name),
                PathStep::Key(_) | PathStep::RedactedKey => text.push_str("[*]"),
                PathStep::Formatted(steps) => text.push_str(steps),
            }
        }
        text
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = match self.root {
            PathRoot::Parameter(name) | PathRoot::Header(name) => name.to_owned(),
            PathRoot::Body => String::new(),
        };
        for step in &self.steps {
            if text.len() > MAX_PATH_BYTES {
                text.push('…');
                break;
            }
            match step {
                PathStep::Field(name) => push_name(&mut text, name),
                PathStep::Index(index) => {
                    // Writing to a string does not fail.
                    let _ = write!(text, "[{index}]");
                }
                PathStep::Key(key) => push_name(&mut text, key),
                PathStep::RedactedKey => text.push_str("[…]"),
                PathStep::Formatted(steps) => text.push_str(steps),
            }
        }
        f.pad(&text)
    }
}

/// Returns whether a name is shown without quotes.
fn is_plain(name: &str, others: &[char]) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || others.contains(&c);
    !name.is_empty() && name.len() <= MAX_NAME_CHARS && name.chars().all(plain)
}

fn push_name(path: &mut String, name: &str) {
    if is_plain(name, &['_', '-', '$']) {
        if !path.is_empty() {
            path.push('.');
        }
        path.push_str(name);
    } else {
        // Writing to a string does not fail.
        let _ = write!(path, "[{}]", quote_truncated(name));
    }
}

/// Quotes a text from the input, truncated and with line breaks escaped.
pub(crate) fn quote_truncated(text: &str) -> String {
    match text.char_indices().nth(MAX_NAME_CHARS) {
        None => format!("{text:?}"),
        Some((end, _)) => format!("{:?}…", text.get(..end).unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(steps: &[PathStep]) -> Path {
        Path { root: PathRoot::Body, steps: steps.to_vec() }
    }

    #[test]
    fn names_are_truncated_and_escaped() {
        let long = "\u{1f600}".repeat(1000);
        let text = path(&[PathStep::Key(long)]).to_string();
        assert!(text.ends_with("\"…]") && text.len() < 300, "{text}");
        let odd = path(&[PathStep::Key("a\nb\u{85}\u{1b}".to_owned())]).to_string();
        assert_eq!(odd, r#"["a\nb\u{85}\u{1b}"]"#);
        assert_eq!(path(&[PathStep::Key(String::new())]).to_string(), r#"[""]"#);
    }

    #[test]
    fn paths_are_bounded() {
        let step = PathStep::Key("a b".repeat(20));
        assert!(path(&vec![step; 100]).to_string().len() < 700);
    }

    #[test]
    fn generalized_paths() {
        let steps = [
            PathStep::Field("items".into()),
            PathStep::Index(7),
            PathStep::Field("labels".into()),
            PathStep::Key("k".into()),
        ];
        assert_eq!(path(&steps).generalized(true), "items[].labels[*]");
        assert_eq!(path(&steps).generalized(false), "items[].labels.k");
    }
}
