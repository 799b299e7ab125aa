//! Reports of unread parts of a document, so that nothing is dropped silently.

use std::collections::HashSet;

use crate::node::{Node, Report};
use crate::value::Value;

/// Keys with information for people, and not about the wire format.
const INFORMATION: [&str; 12] = [
    "$comment",
    "contentMediaType",
    "contentSchema",
    "deprecated",
    "description",
    "encoding",
    "example",
    "examples",
    "format",
    "summary",
    "title",
    "xml",
];

/// Keys about the publisher, or about the document itself.
const PUBLISHER: [&str; 8] =
    ["$anchor", "$id", "$schema", "contact", "externalDocs", "jsonSchemaDialect", "license", "termsOfService"];

/// Keys of objects whose keys are names.
const NAMED: [&str; 24] = [
    "$defs",
    "callbacks",
    "content",
    "definitions",
    "encoding",
    "examples",
    "flows",
    "headers",
    "links",
    "mapping",
    "methods",
    "parameters",
    "pathItems",
    "paths",
    "patternProperties",
    "properties",
    "requestBodies",
    "resources",
    "responses",
    "schemas",
    "scopes",
    "securitySchemes",
    "variables",
    "webhooks",
];

/// Keywords of JSON Schema for conditions across the members of an object.
pub const CONDITIONS: [&str; 6] = ["dependentRequired", "dependentSchemas", "else", "if", "not", "then"];

/// Result of a visit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Visit {
    /// Value or a part of it was read.
    Read,
    /// Value was not read.
    Unread,
    /// Value is empty.
    Nothing,
}

/// Reports every unread part of the document as omitted, except for the publisher's information at the top level.
pub fn report_unread(root: &Node<'_>, report: &Report, publisher: &[&str]) {
    let covered = report.covered();
    Walk { report, covered: &covered, publisher }.visit(root, "", Context::Word);
}

/// Context of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    /// Under a keyword of the format.
    Word,
    /// Under a name that the document defines.
    Name,
    /// In a list.
    Element,
}

/// Walk over a document that reports what the import has not read.
struct Walk<'w> {
    report: &'w Report,
    /// Locations whose whole value is already reported as omitted.
    covered: &'w HashSet<String>,
    /// Top-level keys about the publisher.
    publisher: &'w [&'w str],
}

impl<'w> Walk<'w> {
    /// Visits a value under a key, or in a list under it.
    fn visit(&self, node: &Node<'w>, key: &str, context: Context) -> Visit {
        if self.covered.contains(&node.at) || node.is_used() {
            return Visit::Read;
        }
        let mut unread: Vec<(&str, Node<'w>, Context)> = Vec::new();
        // Components are reported one by one.
        let is_shelf = node.at.starts_with("/components") && node.at.matches('/').count() <= 2;
        let mut is_read = node.is_read() || is_shelf && matches!(node.value, Value::Object(_));
        match node.value {
            Value::Null => return Visit::Nothing,
            Value::Object(members) => {
                let names = context == Context::Word && NAMED.contains(&key);
                let context = if names { Context::Name } else { Context::Word };
                for (inner, value) in members {
                    let below = node.child_at(inner, value);
                    let is_top = node.at.is_empty() && self.publisher.contains(&inner.as_str());
                    if is_top || !names && PUBLISHER.contains(&inner.as_str()) {
                        continue;
                    }
                    match self.visit(&below, inner, context) {
                        // Only one of several examples is kept.
                        Visit::Unread if names && INFORMATION.contains(&key) => {
                            unread.push((key, below, Context::Word))
                        }
                        Visit::Unread => unread.push((inner, below, context)),
                        found => is_read |= found == Visit::Read,
                    }
                }
            }
            Value::List(items) => {
                for (index, value) in items.iter().enumerate() {
                    let below = node.child_at(&index.to_string(), value);
                    match self.visit(&below, key, Context::Element) {
                        Visit::Unread => unread.push((key, below, Context::Element)),
                        found => is_read |= found == Visit::Read,
                    }
                }
            }
            _ => {}
        }
        if !is_read {
            return Visit::Unread;
        }
        unread.into_iter().for_each(|(key, node, context)| self.report(&node, key, context));
        Visit::Read
    }

    /// Reports a value that was not read: as a note if a component is unused, as an omitted key, or as a loss.
    fn report(&self, node: &Node<'_>, key: &str, context: Context) {
        let is_component = node.at.starts_with("/components/") && node.at.matches('/').count() == 3;
        if is_component || node.at.rsplit('/').take(2).any(|segment| segment == "$defs") {
            node.whole_note("left out: nothing refers to it");
        } else if context != Context::Name && (INFORMATION.contains(&key) || key.starts_with("x-")) {
            self.report.omitted_key(key, &node.at);
        } else if context != Context::Name && key == "not" {
            node.whole_loss("left out: negated schemas are not supported");
        } else if context != Context::Name && CONDITIONS.contains(&key) {
            node.whole_loss("left out: conditions are supported for objects with members only");
        } else {
            node.whole_loss("left out: it has no effect at this location");
        }
    }
}
