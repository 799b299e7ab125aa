//! Form bodies, whose fields are text rather than JSON.
//!
//! A form field holds the value of a field of a resource: strings as they are, numbers in decimal, `true` or `false`,
//! each element of a list in a form field of its own with the same name, and objects as JSON, which is the default of
//! OpenAPI.

pub(crate) mod brackets;

pub use brackets::MAX_BRACKET_DEPTH;

use serde::Serialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use crate::json::{self, EncodeError};
use crate::operation::Delimiter;
use crate::unions::{self, Content};

/// Description of a form: its fields.
#[derive(Debug)]
pub struct Form {
    fields: &'static [FormField],
    rest: Option<&'static FormField>,
    brackets: bool,
}

/// Description of a field of a form.
#[derive(Clone, Copy, Debug)]
pub struct FormField {
    /// Name of the field.
    pub name: &'static str,
    /// Aliases under which the field is accepted.
    pub aliases: &'static [&'static str],
    /// Type of its text.
    pub kind: FormFieldKind,
    /// True if the field can be repeated.
    pub list: bool,
    /// Delimiter of the elements of a list in one form field of a URL-encoded form.
    pub delimiter: Option<Delimiter>,
    /// Kinds of JSON that a [`FormFieldKind::Json`] holds, as bits of the module `unions`.
    pub kinds: u8,
    /// Structure of its value, or of an element of the list, where each scalar is a field of its own.
    pub structure: &'static [FieldStructure],
}

/// Structure of the value of a field, where the names of the fields give the path of a scalar in brackets.
#[derive(Clone, Copy, Debug)]
pub enum FieldStructure {
    /// Fields, as in a form.
    Members(&'static Form),
    /// Elements, each described by this field.
    Elements(&'static FormField),
}

/// Type of the text of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormFieldKind {
    /// Any text: a JSON string.
    Text,
    /// Number.
    Number,
    /// `true` or `false`.
    Bool,
    /// JSON of the kinds of the field; a text that is not JSON is a string.
    Json,
    /// File, which is a separate part instead of a text.
    File,
}

impl Form {
    /// Creates a form with these fields.
    #[must_use]
    pub const fn new(fields: &'static [FormField]) -> Self {
        Self { fields, rest: None, brackets: false }
    }

    /// Accepts fields with other names, all described by `field`.
    #[must_use]
    pub const fn with_other_fields(mut self, field: &'static FormField) -> Self {
        self.rest = Some(field);
        self
    }

    /// Makes each scalar a field of its own, whose name gives its path in brackets: `address[city]`.
    #[must_use]
    pub const fn brackets(mut self) -> Self {
        self.brackets = true;
        self
    }

    /// Returns whether each scalar is a field of its own.
    #[must_use]
    pub const fn has_brackets(&self) -> bool {
        self.brackets
    }

    /// Returns whether the form names a field with this name or alias.
    #[must_use]
    pub fn has_field(&self, name: &str) -> bool {
        self.fields.iter().any(|field| field.name == name || field.aliases.contains(&name))
    }

    /// Returns the field with this name or alias, or the description of fields with other names.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&'static FormField> {
        self.fields.iter().find(|field| field.name == name || field.aliases.contains(&name)).or(self.rest)
    }
}

impl FormField {
    const fn new(name: &'static str, kind: FormFieldKind) -> Self {
        Self { name, aliases: &[], kind, list: false, delimiter: None, kinds: unions::ANY, structure: &[] }
    }

    /// Creates a field that holds text.
    #[must_use]
    pub const fn text(name: &'static str) -> Self {
        Self::new(name, FormFieldKind::Text)
    }

    /// Creates a field that holds a number.
    #[must_use]
    pub const fn number(name: &'static str) -> Self {
        Self::new(name, FormFieldKind::Number)
    }

    /// Creates a field that holds `true` or `false`.
    #[must_use]
    pub const fn bool(name: &'static str) -> Self {
        Self::new(name, FormFieldKind::Bool)
    }

    /// Creates a field that holds JSON.
    #[must_use]
    pub const fn json(name: &'static str) -> Self {
        Self::new(name, FormFieldKind::Json)
    }

    /// Creates a field that holds a file.
    #[must_use]
    pub const fn file(name: &'static str) -> Self {
        Self::new(name, FormFieldKind::File)
    }

    /// Sets the further accepted names of the field.
    #[must_use]
    pub const fn aliases(mut self, aliases: &'static [&'static str]) -> Self {
        self.aliases = aliases;
        self
    }

    /// Restricts the kinds of JSON that the field holds.
    #[must_use]
    pub const fn kinds(mut self, kinds: u8) -> Self {
        self.kinds = kinds;
        self
    }

    /// Sets the structure of the value or of the elements, where each scalar is a field of its own.
    #[must_use]
    pub const fn with_structure(mut self, within: &'static [FieldStructure]) -> Self {
        self.structure = within;
        self
    }

    /// Allows the field to be repeated.
    #[must_use]
    pub const fn list(mut self) -> Self {
        self.list = true;
        self
    }

    /// Joins the elements of a list with commas.
    #[must_use]
    pub const fn commas(mut self) -> Self {
        self.delimiter = Some(Delimiter::Comma);
        self
    }

    /// Joins the elements of a list with spaces.
    #[must_use]
    pub const fn spaces(mut self) -> Self {
        self.delimiter = Some(Delimiter::Space);
        self
    }

    /// Joins the elements of a list with vertical bars.
    #[must_use]
    pub const fn pipes(mut self) -> Self {
        self.delimiter = Some(Delimiter::Pipe);
        self
    }
}

/// Set of fields that can hold any JSON: a string in one of them that would parse as JSON is written as JSON, so that
/// it stays a string.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AnyJsonFields {
    /// Only these.
    Only(&'static [&'static str]),
    /// All except these.
    AllExcept(&'static [&'static str]),
}

impl Default for AnyJsonFields {
    fn default() -> Self {
        Self::Only(&[])
    }
}

impl AnyJsonFields {
    /// Returns whether the set contains the field with this name.
    pub(crate) fn contains(self, name: &str) -> bool {
        match self {
            Self::Only(names) => names.contains(&name),
            Self::AllExcept(names) => !names.contains(&name),
        }
    }
}

/// Returns the form fields of a value: its fields that are not null, in their order.
///
/// # Errors
/// Returns an error if the value cannot be encoded, or is not an object.
pub fn fields<T: Serialize + ?Sized>(value: &T) -> Result<Vec<(String, String)>, EncodeError> {
    fields_with(value, AnyJsonFields::default())
}

/// Returns the form fields of a value with fields that can hold any JSON. A list is one field for each element.
pub(crate) fn fields_with<T: Serialize + ?Sized>(
    value: &T,
    free: AnyJsonFields,
) -> Result<Vec<(String, String)>, EncodeError> {
    let mut fields = Vec::new();
    for (name, value) in parse_fields(&json::to_vec(value)?, |_| text_levels(false))?.0 {
        let free = free.contains(&name);
        match value {
            Value::Array(list) => {
                fields.extend(list.iter().map(|value| (name.clone(), text(value, free))));
            }
            Value::Null => {}
            value => fields.push((name, text(&value, free))),
        }
    }
    Ok(fields)
}

/// Returns the text of a value: a string is written as it is, unless it would be parsed as another value.
pub(crate) fn text(value: &Value, free: bool) -> String {
    match value {
        Value::String(text) if !(free && serde_json::from_str::<IgnoredAny>(text).is_ok()) => text.clone(),
        other => other.to_string(),
    }
}

/// Fields of an object in their order, which a map would lose.
pub(crate) struct OrderedFields(pub(crate) Vec<(String, Value)>);

/// Parses the fields of an encoded value. `levels` returns the number of nested levels of a field whose scalars are
/// texts: a list counts as one, an object as two.
pub(crate) fn parse_fields(encoded: &[u8], levels: impl Fn(&str) -> usize) -> Result<OrderedFields, EncodeError> {
    let content = json::from_slice(encoded).map_err(|error| EncodeError::new(&error.message))?;
    let Content::Object(members) = content else { return Err(EncodeError::new(&"expected an object")) };
    let members = members.into_iter().map(|(name, value)| {
        let value = value.into_texts(levels(&name));
        (name.into_owned(), value)
    });
    Ok(OrderedFields(members.collect()))
}

/// Returns the levels of a field of a form without brackets: the value and the elements of a list are texts, and
/// everything else is JSON.
pub(crate) const fn text_levels(is_json_list: bool) -> usize {
    if is_json_list { 1 } else { 2 }
}
