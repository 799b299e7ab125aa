//! Facts about a field or parameter.

use std::collections::BTreeMap;

/// Attributes by name: `type`, `required`, `default`, `min`, `max`, `clamp`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fact(BTreeMap<String, String>);

/// Value of a boolean attribute.
pub const FLAG: &str = "yes";

impl Fact {
    pub fn of(ty: impl Into<String>) -> Self {
        let mut fact = Self::default();
        fact.set("type", ty);
        fact
    }

    pub fn ty(&self) -> &str {
        self.0.get("type").map_or("", String::as_str)
    }

    pub fn has(&self, what: &str) -> bool {
        self.0.contains_key(what)
    }

    /// Sets an attribute; an empty value removes it.
    pub fn set(&mut self, what: &str, value: impl Into<String>) {
        let value = value.into();
        if value.is_empty() {
            self.0.remove(what);
        } else {
            self.0.insert(what.into(), value);
        }
    }

    /// Sets an attribute if there is a value.
    pub fn with(mut self, what: &str, value: Option<String>) -> Self {
        if let Some(value) = value {
            self.set(what, value);
        }
        self
    }

    pub fn render(&self) -> String {
        let rest = self.0.iter().filter(|(what, _)| *what != "type");
        let rest = rest.map(|(what, value)| match value.as_str() {
            FLAG => what.clone(),
            value => format!("{what}={value}"),
        });
        std::iter::once(self.ty().to_string()).chain(rest).collect::<Vec<_>>().join(" ")
    }
}
