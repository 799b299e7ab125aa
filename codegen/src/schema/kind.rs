//! What the values of the language look like: for the reference page and the JSON Schema.

use super::yaml::Node;
use crate::diagnostics::Sink;

/// What a value looks like.
#[derive(Clone, Debug)]
pub enum Kind {
    /// Free text.
    Text,
    /// `true` or `false`.
    Bool,
    /// A whole number.
    Int,
    /// Any YAML value.
    Any,
    /// A type expression.
    Type,
    /// A range of whole numbers.
    Range,
    /// One of a few words, each with what it means.
    Words(&'static [(&'static str, &'static str)]),
    /// A construct with keys.
    Shape(&'static Shape),
    /// A list.
    List(Box<Kind>),
    /// A mapping from names, described in a few words, to values.
    Map(&'static str, Box<Kind>),
    /// One of several forms.
    OneOf(Vec<Kind>),
}

/// A construct of the language: a mapping with known keys.
#[derive(Debug)]
pub struct Shape {
    /// What the reference page calls it.
    pub name: &'static str,
    /// What it is for.
    pub doc: &'static str,
    /// Its keys, in the order of the reference page.
    pub keys: &'static [Key],
}

/// A key of a construct.
#[derive(Debug)]
pub struct Key {
    /// As it is written.
    pub name: &'static str,
    /// What it says.
    pub doc: &'static str,
    /// A value that could be written, as YAML.
    pub example: &'static str,
    /// Whether the construct cannot do without.
    pub required: fn() -> bool,
    /// What its value looks like.
    pub kind: fn() -> Kind,
    /// Reads a node as its value and writes that; for the test of the examples.
    pub rewrite: fn(&Node, &mut Sink) -> Option<Node>,
}
