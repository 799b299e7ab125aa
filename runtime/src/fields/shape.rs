//! Shapes: the names that a selection of a resource can contain, as generated code states them.

use crate::Object;

/// Fields of a resource, and their contents.
#[derive(Debug)]
pub struct Shape {
    /// Name of the resource in the schema.
    pub name: &'static str,
    /// Wire names of the fields.
    pub fields: &'static [&'static str],
    /// Contents of fields that are not leaves, by the names in [`fields`](Self::fields). Lists do not appear: a path
    /// goes through them to their elements.
    pub contents: &'static [(&'static str, FieldContent)],
    /// Content of additional fields, if the resource can have any.
    pub additional_content: Option<FieldContent>,
    /// Aliases of fields, each with the name in [`fields`](Self::fields).
    pub aliases: &'static [(&'static str, &'static str)],
    /// Fields that a server drops from the body of a request, by the names in [`fields`](Self::fields), and the ids
    /// of the operations that accept each.
    pub dropped: &'static [(&'static str, &'static [&'static str])],
    /// Fields with confidential values, by the names in [`fields`](Self::fields).
    pub sensitive: &'static [&'static str],
}

/// Content of a field, an element of a list or a value of a map.
#[derive(Clone, Copy, Debug)]
pub enum FieldContent {
    /// Value without fields.
    Leaf,
    /// Resource. Use the static itself rather than [`Selectable::SHAPE`]: constants of recursive shapes do not compile,
    /// statics do.
    Shape(&'static Shape),
    /// Map with any keys.
    Map(&'static FieldContent),
    /// Any JSON: every path below it is valid.
    Any,
}

impl Shape {
    /// Creates a shape from the name of a resource and the wire names of its fields. Each field counts as a leaf until
    /// [`with_contents`](Self::with_contents) sets its contents.
    #[must_use]
    pub const fn new(name: &'static str, fields: &'static [&'static str]) -> Self {
        Self { name, fields, contents: &[], additional_content: None, aliases: &[], dropped: &[], sensitive: &[] }
    }

    /// Creates the shape of a type that is an object on the wire. Each field counts as a leaf until
    /// [`with_contents`](Self::with_contents) sets its contents.
    #[must_use]
    pub const fn of_object<T: Object>() -> Self {
        Self { aliases: T::ALIASES, ..Self::new(T::NAME, T::FIELDS) }
    }

    /// Sets the contents of fields that are not leaves, by the names of the fields.
    #[must_use]
    pub const fn with_contents(self, contents: &'static [(&'static str, FieldContent)]) -> Self {
        Self { contents, ..self }
    }

    /// Sets the content of additional fields.
    #[must_use]
    pub const fn with_rest(self, additional_content: FieldContent) -> Self {
        Self { additional_content: Some(additional_content), ..self }
    }

    /// Sets the fields that a server drops from requests, by their names, each with the operations that accept it.
    #[must_use]
    pub const fn with_dropped(self, dropped: &'static [(&'static str, &'static [&'static str])]) -> Self {
        Self { dropped, ..self }
    }

    /// Sets the fields with confidential values, by their names.
    #[must_use]
    pub const fn with_sensitive(self, sensitive: &'static [&'static str]) -> Self {
        Self { sensitive, ..self }
    }

    /// Returns the wire name of the field with this name or alias.
    #[must_use]
    pub fn canonical_name(&self, name: &str) -> Option<&'static str> {
        let alias = || self.aliases.iter().find(|(alias, _)| *alias == name).map(|(_, field)| *field);
        self.fields.iter().find(|field| **field == name).copied().or_else(alias)
    }

    /// Returns whether a server drops the field with this wire name from the body of a request to the operation.
    #[must_use]
    pub fn is_dropped(&self, field: &str, operation: &str) -> bool {
        self.dropped.iter().any(|(name, accepted_by)| *name == field && !accepted_by.contains(&operation))
    }

    /// Returns the content of a field by its name in [`fields`](Self::fields).
    pub(super) fn content_at(&self, field: &str) -> FieldContent {
        self.contents.iter().find(|(name, _)| *name == field).map_or(FieldContent::Leaf, |(_, content)| *content)
    }

    /// Returns the content of the field with this name, or of additional fields if there may be any.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<FieldContent> {
        // Few fields have contents, so these are searched first.
        let content = self.contents.iter().find(|(field, _)| *field == name).map(|(_, content)| *content);
        let leaf = || self.fields.contains(&name).then_some(FieldContent::Leaf);
        content.or_else(leaf).or(self.additional_content)
    }

    /// Returns whether a named field is a leaf.
    pub(super) fn has_leaf(&self) -> bool {
        self.contents.len() < self.fields.len()
    }
}

/// Resource whose fields can be selected. Generated code implements it.
pub trait Selectable {
    /// Description of the fields of the resource, by which selections are checked.
    const SHAPE: &'static Shape;
}
