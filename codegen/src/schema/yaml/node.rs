//! The tree of a file: values and where they stand.

use crate::diagnostics::Span;

/// A value of a schema file and where it stands.
#[derive(Clone, Debug)]
pub struct Node {
    /// From the first to the last character of the value.
    pub span: Span,
    /// The value.
    pub value: Value,
}

/// What a node holds.
#[derive(Clone, Debug)]
pub enum Value {
    /// Text, with the way it was written.
    Scalar(String, Style),
    /// A list.
    List(Vec<Node>),
    /// A mapping, in the order of the file, without duplicates.
    Map(Vec<Entry>),
}

/// How a scalar was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Without quotes: the only form that can be null, a number or a boolean.
    Plain,
    /// In quotes, or as a block: always text.
    Text,
}

/// A key of a mapping and its value.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The key's text.
    pub key: String,
    /// Where the key stands.
    pub key_span: Span,
    /// What it stands for.
    pub value: Node,
}

impl Node {
    /// The text of a scalar.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar(text, _) => Some(text),
            _ => None,
        }
    }

    /// Whether nothing, `~` or `null` was written.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(&self.value, Value::Scalar(text, Style::Plain) if matches!(text.as_str(), "" | "~" | "null" | "Null" | "NULL"))
    }

    /// What the value is, for a sentence: `a list`.
    #[must_use]
    pub fn describe(&self) -> &'static str {
        match &self.value {
            _ if self.is_null() => "nothing",
            Value::Scalar(..) => "a single value",
            Value::List(_) => "a list",
            Value::Map(_) => "a mapping",
        }
    }
}
