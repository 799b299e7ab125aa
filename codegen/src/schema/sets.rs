//! Sets of errors and rules that operations share.

use super::named::Named;
use super::operation::ErrorCase;
use super::read::{Kind, Read, Text};
use super::resource::Rule;
use super::shape::{Short, Shorthand, shape};
use super::write::Write;
use super::yaml::{Node, Value};
use crate::diagnostics::{Sink, Span};

shape! {
    /// Errors that operations share. A set that consists of errors only can omit the key `errors`.
    ErrorSetDef "error set" {
        /// Other sets whose errors this one includes. Its own errors override theirs by status.
        include "include": Vec<Text> = "[usual]";
        /// The errors, as in an operation.
        errors "errors": Named<Short<ErrorCase>> = "{ 404: { doc: The item does not exist., reason: notFound } }";
        /// The origin of the errors, if it is not the API's own specification; an error can override it.
        origin "origin": Option<Text> = "wire";
    }
}

/// An error set as written: the errors alone, or a mapping with details.
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
    /// Rules that operations share: a list, or a mapping with details.
    RuleSetDef "rule set" {
        /// Other sets whose rules this one includes, before its own.
        include "include": Vec<Text> = "[paged]";
        /// The rules, as in an operation. The `id` is the same in each operation, unless it contains `{method}`, the
        /// last word of the operation's name, or `{group}`, the word before it: `{method}.range` is `list.range` in
        /// `events.list`.
        rules "rules": Vec<Rule> = "[{ id: item.locked, cel: '!old.locked', message: the item is locked }]";
        /// The origin of the rules, if it is not the API's own specification; a rule can override it.
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
