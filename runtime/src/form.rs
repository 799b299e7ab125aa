//! Forms: what a body looks like that has fields of text rather than JSON.
//!
//! A field holds the value of a member: texts as they are, numbers in decimal, `true` or `false`, the elements of a list
//! one by one under the same name, and anything that has members itself as JSON, which is how OpenAPI has such values
//! in forms unless it says otherwise.

pub(crate) mod brackets;

pub use brackets::MOST_DEPTH;

use serde::Serialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use crate::json::{self, EncodeError};
use crate::unions;

/// The fields of a form.
#[derive(Debug)]
pub struct Form {
    fields: &'static [FormField],
    rest: Option<&'static FormField>,
    brackets: bool,
}

/// A field of a form.
#[derive(Clone, Copy, Debug)]
pub struct FormField {
    /// Its name.
    pub name: &'static str,
    /// Other names under which it is read.
    pub aliases: &'static [&'static str],
    /// What its text is.
    pub kind: FormKind,
    /// Whether it can be there several times.
    pub list: bool,
    /// Which kinds of JSON a [`FormKind::Json`] holds, as bits of [`unions`].
    pub kinds: u8,
    /// What its value, or an element of the list, can have within, where each single value is a field of its own.
    pub within: &'static [Within],
}

/// What the value of a field has within, where the names of the fields say in brackets where a value stands.
#[derive(Clone, Copy, Debug)]
pub enum Within {
    /// Members, as in a form.
    Members(&'static Form),
    /// Elements, each like this field.
    Elements(&'static FormField),
}

/// What the text of a field is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormKind {
    /// Any text: in JSON, a string.
    Text,
    /// A number.
    Number,
    /// `true` or `false`.
    Bool,
    /// JSON of the kinds that the field holds; what is none is a string.
    Json,
    /// A file, which is a part of its own and no text.
    File,
}

impl Form {
    /// Creates a form with these fields.
    #[must_use]
    pub const fn new(fields: &'static [FormField]) -> Self {
        Self { fields, rest: None, brackets: false }
    }

    /// With fields of other names, all of which are like this one.
    #[must_use]
    pub const fn rest(mut self, field: &'static FormField) -> Self {
        self.rest = Some(field);
        self
    }

    /// With a field for each single value, whose name says in brackets where it stands: `address[city]`.
    #[must_use]
    pub const fn brackets(mut self) -> Self {
        self.brackets = true;
        self
    }

    /// Returns whether each single value is a field of its own.
    #[must_use]
    pub const fn has_brackets(&self) -> bool {
        self.brackets
    }

    /// Returns whether a field of that name is among those that are named.
    #[must_use]
    pub fn names(&self, name: &str) -> bool {
        self.fields.iter().any(|field| field.name == name || field.aliases.contains(&name))
    }

    /// Returns the field that is called so, or the one that those of other names are like.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&'static FormField> {
        self.fields.iter().find(|field| field.name == name || field.aliases.contains(&name)).or(self.rest)
    }
}

impl FormField {
    const fn new(name: &'static str, kind: FormKind) -> Self {
        Self { name, aliases: &[], kind, list: false, kinds: unions::ANY, within: &[] }
    }

    /// Creates a field that holds a text.
    #[must_use]
    pub const fn text(name: &'static str) -> Self {
        Self::new(name, FormKind::Text)
    }

    /// Creates a field that holds a number.
    #[must_use]
    pub const fn number(name: &'static str) -> Self {
        Self::new(name, FormKind::Number)
    }

    /// Creates a field that holds `true` or `false`.
    #[must_use]
    pub const fn bool(name: &'static str) -> Self {
        Self::new(name, FormKind::Bool)
    }

    /// Creates a field that holds JSON.
    #[must_use]
    pub const fn json(name: &'static str) -> Self {
        Self::new(name, FormKind::Json)
    }

    /// Creates a field that is a file.
    #[must_use]
    pub const fn file(name: &'static str) -> Self {
        Self::new(name, FormKind::File)
    }

    /// With other names.
    #[must_use]
    pub const fn aliases(mut self, aliases: &'static [&'static str]) -> Self {
        self.aliases = aliases;
        self
    }

    /// Which holds JSON of these kinds alone.
    #[must_use]
    pub const fn kinds(mut self, kinds: u8) -> Self {
        self.kinds = kinds;
        self
    }

    /// Whose value, or whose elements, have that within, where each single value is a field of its own.
    #[must_use]
    pub const fn within(mut self, within: &'static [Within]) -> Self {
        self.within = within;
        self
    }

    /// Which can be there several times.
    #[must_use]
    pub const fn list(mut self) -> Self {
        self.list = true;
        self
    }
}

/// Which members can hold anything: a text in one of them that reads as JSON is written as JSON, so that it stays a text.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Free {
    /// These.
    Only(&'static [&'static str]),
    /// All but these.
    AllBut(&'static [&'static str]),
}

impl Default for Free {
    fn default() -> Self {
        Self::Only(&[])
    }
}

impl Free {
    /// Returns whether the member that is called so is one of them.
    pub(crate) fn has(self, name: &str) -> bool {
        match self {
            Self::Only(names) => names.contains(&name),
            Self::AllBut(names) => !names.contains(&name),
        }
    }
}

/// Returns the fields that a value has as a form: its members that are not null, in their order.
///
/// # Errors
/// Returns an error if the value cannot be encoded.
pub fn fields<T: Serialize + ?Sized>(value: &T) -> Result<Vec<(String, String)>, EncodeError> {
    fields_with(value, Free::default(), &[])
}

/// Returns the same for a value of which some members can hold anything.
///
/// Each of `json_lists` is one field, and all other lists are one for each element.
pub(crate) fn fields_with<T: Serialize + ?Sized>(
    value: &T,
    free: Free,
    json_lists: &[&str],
) -> Result<Vec<(String, String)>, EncodeError> {
    let mut fields = Vec::new();
    for (name, value) in members(&json::to_vec(value)?)?.0 {
        let free = free.has(&name);
        match value {
            Value::Array(list) if !json_lists.contains(&name.as_str()) => {
                fields.extend(list.iter().map(|value| (name.clone(), text(value, free))));
            }
            Value::Null => {}
            value => fields.push((name, text(&value, free))),
        }
    }
    Ok(fields)
}

/// Returns the text of a value: a string is its own, unless it would be read as something else.
pub(crate) fn text(value: &Value, free: bool) -> String {
    match value {
        Value::String(text) if !(free && serde_json::from_str::<IgnoredAny>(text).is_ok()) => text.clone(),
        other => other.to_string(),
    }
}

/// The members of an object in their order, which a map would lose.
pub(crate) struct Members(pub(crate) Vec<(String, Value)>);

/// Returns the members of a value that was encoded.
pub(crate) fn members(encoded: &[u8]) -> Result<Members, EncodeError> {
    serde_json::from_slice(encoded).map_err(|error| EncodeError::new(&error))
}

impl<'de> serde::Deserialize<'de> for Members {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Members;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }

        d.deserialize_map(Visitor)
    }
}
