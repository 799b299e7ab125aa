//! Mappings with names that the author chooses.

use super::read::{Kind, NAME_MAPPING, Read, Text, collect_all, report_wrong_kind};
use super::yaml::{Node, Value};
use crate::diagnostics::Sink;

/// A mapping from names that the author chooses to values, in file order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named<T>(pub Vec<(Text, T)>);

impl<T> Named<T> {
    /// Returns whether the mapping is empty.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the value of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&T> {
        self.0.iter().find(|(own, _)| own.text == name).map(|(_, value)| value)
    }

    /// Inserts a value, replacing the value with the same name.
    pub fn insert(&mut self, name: impl Into<String>, value: T) {
        let name = name.into();
        match self.0.iter_mut().find(|(own, _)| own.text == name) {
            Some((_, there)) => *there = value,
            None => self.push(name, value),
        }
    }

    /// Appends a value. The name must not be present already.
    pub fn push(&mut self, name: impl Into<String>, value: T) {
        self.0.push((Text::from(name.into()), value));
    }
}

impl<N: Into<String>, T> FromIterator<(N, T)> for Named<T> {
    fn from_iter<I: IntoIterator<Item = (N, T)>>(entries: I) -> Self {
        Self(entries.into_iter().map(|(name, value)| (Text::from(name.into()), value)).collect())
    }
}

impl<T> Default for Named<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Read> Read for Named<T> {
    fn kind() -> Kind {
        Kind::Map("name", Box::new(T::kind()))
    }

    fn read(node: &Node, sink: &mut Sink) -> Option<Self> {
        let Value::Map(entries) = &node.value else {
            let report = report_wrong_kind(node, NAME_MAPPING, sink);
            if let Some(path) = node.text().filter(|text| text.starts_with('/')) {
                let path = path.escape_debug();
                report.help(format!(
                    "write the path after the method: `http: GET {path}`; `path:` declares its variables"
                ));
            }
            return None;
        };
        let read = entries.iter().map(|entry| {
            let name = Text { text: entry.key.clone(), span: entry.key_span };
            T::read(&entry.value, sink).map(|value| (name, value))
        });
        collect_all(read).map(Self)
    }

    fn absent() -> Option<Self> {
        Some(Self::default())
    }
}
