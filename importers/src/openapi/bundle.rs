//! Parsing of the references of a document.

mod kinds;

use std::collections::BTreeSet;

use super::reference::{Path, Reference, parse_fragment};
use crate::value::Value;
use kinds::{Kind, Position};

/// Parses the references of a document wherever OpenAPI has references.
pub fn parse_references(document: &mut Value) {
    let mut walk = Walk::default();
    walk.visit(document, Position::One(Kind::Document));
    // Targets can be in positions that OpenAPI does not define, such as extensions.
    while let Some((path, position)) = walk.open.pop() {
        if let Some(value) = document.at_mut(&path) {
            walk.visit(value, position);
        }
    }
}

/// Walk over a document.
#[derive(Default)]
struct Walk {
    /// Targets to visit.
    open: Vec<(Path, Position)>,
    /// Targets so far.
    seen: BTreeSet<(Path, Position)>,
}

impl Walk {
    /// Parses the references in a value.
    fn visit(&mut self, value: &mut Value, position: Position) {
        match value {
            _ if position == Position::Opaque => {}
            Value::List(items) => items.iter_mut().for_each(|item| self.visit(item, position.element())),
            Value::Object(members) => {
                for (key, member) in members {
                    match member {
                        Value::Text(text) if position == Position::Mapping || key == "$ref" => {
                            if let Some(reference) = self.reference(text, position) {
                                *member = Value::Reference(Box::new(reference));
                            }
                        }
                        _ => self.visit(member, position.member(key)),
                    }
                }
            }
            _ => {}
        }
    }

    /// Returns a reference within the document.
    fn reference(&mut self, text: &str, position: Position) -> Option<Reference> {
        let target = parse_fragment(text.strip_prefix('#')?);
        if let Ok(path) = &target
            && self.seen.insert((path.clone(), position))
        {
            self.open.push((path.clone(), position));
        }
        Some(Reference { text: text.to_owned(), target })
    }
}
