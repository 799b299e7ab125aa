//! The tree of a file: values and where they stand.

use crate::diagnostics::Span;

/// A value of a schema file and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// From the first to the last character of the value.
    pub span: Span,
    /// The value.
    pub value: Value,
}

/// What a node holds.
#[derive(Clone, Debug, PartialEq, Eq)]
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The key's text.
    pub key: String,
    /// Where the key stands.
    pub key_span: Span,
    /// What it stands for.
    pub value: Node,
}

impl Entry {
    /// Creates an entry that has no place in a file.
    #[must_use]
    pub fn new(key: impl Into<String>, value: Node) -> Self {
        Self { key: key.into(), key_span: Span::default(), value }
    }
}

impl Node {
    /// Creates a scalar without quotes, which can be null, a number or a boolean, and has no place in a file.
    #[must_use]
    pub fn plain(text: impl Into<String>) -> Self {
        Self::from(Value::Scalar(text.into(), Style::Plain))
    }

    /// Creates a text that has no place in a file.
    #[must_use]
    pub fn quoted(text: impl Into<String>) -> Self {
        Self::from(Value::Scalar(text.into(), Style::Text))
    }

    /// Creates a list that has no place in a file.
    #[must_use]
    pub fn list(items: Vec<Self>) -> Self {
        Self::from(Value::List(items))
    }

    /// Creates a mapping that has no place in a file.
    #[must_use]
    pub fn map(entries: Vec<Entry>) -> Self {
        Self::from(Value::Map(entries))
    }

    /// Returns the value of a key; `None` where the key or the mapping is missing.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Self> {
        match &self.value {
            Value::Map(entries) => entries.iter().find(|entry| entry.key == key).map(|entry| &entry.value),
            _ => None,
        }
    }

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
            Value::Scalar(..) => "a scalar",
            Value::List(_) => "a list",
            Value::Map(_) => "a mapping",
        }
    }
}

impl From<Value> for Node {
    fn from(value: Value) -> Self {
        Self { span: Span::default(), value }
    }
}
