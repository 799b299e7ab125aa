//! Descriptions of the language's values, for the reference page and the JSON Schema.

use super::yaml::Node;
use crate::diagnostics::Sink;

/// The syntax of a value.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A string.
    Text,
    /// `true` or `false`.
    Bool,
    /// An integer.
    Int,
    /// Any YAML value.
    Any,
    /// A type expression.
    Type,
    /// A range of integers.
    Range,
    /// One of several keywords, each with its description.
    Words(&'static [(&'static str, &'static str)]),
    /// A construct with keys.
    Shape(&'static Shape),
    /// A list.
    List(Box<Kind>),
    /// A mapping from names to values, with a term for the names.
    Map(&'static str, Box<Kind>),
    /// One of several syntaxes.
    OneOf(Vec<Kind>),
}

/// A construct of the language: a mapping with known keys.
#[derive(Debug)]
pub struct Shape {
    /// Its name on the reference page and in messages.
    pub name: &'static str,
    /// Its description.
    pub doc: &'static str,
    /// Its keys, in the order of the reference page.
    pub keys: &'static [Key],
}

/// A key of a construct.
#[derive(Debug)]
pub struct Key {
    /// The key as written.
    pub name: &'static str,
    /// Its description.
    pub doc: &'static str,
    /// An example value, as YAML.
    pub example: &'static str,
    /// Returns whether the key is required.
    pub required: fn() -> bool,
    /// Returns the syntax of its value.
    pub kind: fn() -> Kind,
    /// Reads a node as its value and writes the value again, for the test of the examples.
    pub rewrite: fn(&Node, &mut Sink) -> Option<Node>,
}
