//! The tree of a file: values with their spans.

use crate::diagnostics::Span;

/// A value in a file, with its span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Span from the first to the last character of the value; the default for a node that was not read from a file.
    pub span: Span,
    /// The value.
    pub value: Value,
}

/// The value of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A scalar: its text after unquoting and folding, and its style.
    Scalar(String, Style),
    /// A list.
    List(Vec<Node>),
    /// A mapping, in file order and without duplicate keys.
    Map(Vec<Entry>),
}

/// Style of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Without quotes: the only style of null, numbers and booleans.
    Plain,
    /// Quoted or a block scalar: always a string.
    Text,
}

/// A key of a mapping and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The key's text.
    pub key: String,
    /// Span of the key.
    pub key_span: Span,
    /// Value of the key.
    pub value: Node,
}

impl Entry {
    /// Creates an entry with a default span.
    #[must_use]
    pub fn new(key: impl Into<String>, value: Node) -> Self {
        Self { key: key.into(), key_span: Span::default(), value }
    }
}

impl Node {
    /// Creates a scalar without quotes, which can be null, a number or a boolean, with a default span.
    #[must_use]
    pub fn plain(text: impl Into<String>) -> Self {
        Self::from(Value::Scalar(text.into(), Style::Plain))
    }

    /// Creates a quoted scalar with a default span.
    #[must_use]
    pub fn quoted(text: impl Into<String>) -> Self {
        Self::from(Value::Scalar(text.into(), Style::Text))
    }

    /// Creates a list with a default span.
    #[must_use]
    pub fn list(items: Vec<Self>) -> Self {
        Self::from(Value::List(items))
    }

    /// Creates a mapping with a default span.
    #[must_use]
    pub fn map(entries: Vec<Entry>) -> Self {
        Self::from(Value::Map(entries))
    }

    /// Returns the value of a key, or `None` if the node is not a mapping with this key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Self> {
        match &self.value {
            Value::Map(entries) => entries.iter().find(|entry| entry.key == key).map(|entry| &entry.value),
            _ => None,
        }
    }

    /// Returns the text of a scalar, or `None` for a list or mapping.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar(text, _) => Some(text),
            _ => None,
        }
    }

    /// Returns whether the node is a plain scalar that is empty, `~` or `null`.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(&self.value, Value::Scalar(text, Style::Plain) if matches!(text.as_str(), "" | "~" | "null" | "Null" | "NULL"))
    }

    /// Returns a description of the value for messages, such as `a list`.
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
