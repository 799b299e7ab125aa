//! What several operations have in common: sets of errors and of rules.

use super::named::Named;
use super::operation::ErrorCase;
use super::read::{Kind, Read, Text};
use super::resource::Rule;
use super::shape::{Short, Shorthand, shape};
use super::write::Write;
use super::yaml::{Node, Value};
use crate::diagnostics::{Sink, Span};

shape! {
    /// Errors that several operations have in common. Where a set has nothing but errors, they can stand in it without the key `errors`.
    ErrorSetDef "error set" {
        /// Other sets whose errors belong to this one. Where both have a status, its own error takes the place of theirs.
        include "include": Vec<Text> = "[usual]";
        /// Its errors, as those of an operation.
        errors "errors": Named<Short<ErrorCase>> = "{ 404: { doc: The item does not exist., reason: notFound } }";
        /// Where its errors come from, when it is not the API's own specification; an error can say otherwise.
        origin "origin": Option<Text> = "wire";
    }
}

/// A set of errors as it is written: the errors alone, or a mapping with more.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ErrorSet(pub ErrorSetDef);

impl Write for ErrorSet {
    fn write(&self) -> Node {
        if self.0.include.is_empty() && self.0.origin.is_none() && !self.0.errors.is_empty() {
            return self.0.errors.write();
        }
        self.0.write()
    }
}

impl Read for ErrorSet {
    fn kind() -> Kind {
        Kind::OneOf(vec![Named::<Short<ErrorCase>>::kind(), ErrorSetDef::kind()])
    }

    fn read(node: &Node, sink: &mut Sink) -> Option<Self> {
        let is_status = |key: &str| key == "default" || key.starts_with(|c: char| c.is_ascii_digit());
        match &node.value {
            Value::Map(entries) if entries.iter().all(|entry| is_status(&entry.key)) => {
                let errors = Named::read(node, sink)?;
                Some(Self(ErrorSetDef { span: node.span, errors, ..ErrorSetDef::default() }))
            }
            _ => ErrorSetDef::read(node, sink).map(Self),
        }
    }
}

shape! {
    /// Rules that hold in several operations: a list of them, or a mapping with more.
    RuleSetDef "rule set" {
        /// Other sets whose rules belong to this one and stand before its own.
        include "include": Vec<Text> = "[paged]";
        /// Its rules, as those of an operation. The `id` is the same in each operation, unless `{method}` stands in it for the last word of the operation's name, or `{group}` for the word before that: `{method}.range` is `list.range` in `events.list`.
        rules "rules": Vec<Rule> = "[{ id: item.locked, cel: '!old.locked', message: the item is locked }]";
        /// Where its rules come from, when it is not the API's own specification; a rule can say otherwise.
        origin "origin": Option<Text> = "wire";
    }
}

impl Shorthand for RuleSetDef {
    const KEY: &'static str = "rules";
    type Short = Vec<Rule>;

    fn expand(rules: Vec<Rule>, span: Span) -> Self {
        Self { span, rules, ..Self::default() }
    }
}
