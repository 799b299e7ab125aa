//! Checks of a selection against the shape of its resource.

use std::collections::HashSet;
use std::ptr;

use super::error::{SelectionError, SelectionErrorKind as Kind, truncate};
use super::shape::{FieldContent, Shape};
use super::suggest::suggest_similar;
use super::tree::{Tree, WILDCARD};

/// Checks all names of a tree.
///
/// After `*` a name is looked up in several resources, and it is enough that one of them knows it.
pub fn check(tree: &Tree, shape: &'static Shape) -> Result<(), SelectionError> {
    check_fields(tree, &[FieldContent::Shape(shape)])
}

/// Checks the fields of a tree, which are looked up in all contents in `places`.
fn check_fields(tree: &Tree, places: &[FieldContent]) -> Result<(), SelectionError> {
    let mut members: Vec<_> = tree.fields.iter().collect();
    // Of several errors the first is reported.
    members.sort_by_key(|(_, member)| member.position);
    for (name, member) in members {
        let mut next = ContentSet::default();
        for content in places {
            next.add_member(*content, name);
        }
        if next.found.is_empty() {
            return Err(SelectionError::new(member.position, unknown_field_error(name, places)));
        }
        let Some((first, inside)) = member.fields.iter().next() else { continue };
        if next.found.iter().all(|content| matches!(content, FieldContent::Leaf)) {
            let kind = Kind::NoSubfields { member: truncate(first), leaf: truncate(name) };
            return Err(SelectionError::new(inside.position, kind));
        }
        check_fields(member, &next.found)?;
    }
    Ok(())
}

/// Deduplicated set of the contents that a name can refer to: repeated `*` must not multiply them.
#[derive(Default)]
struct ContentSet {
    found: Vec<FieldContent>,
    seen: HashSet<(u8, usize)>,
}

impl ContentSet {
    /// Adds a content, unless the set has it.
    fn add(&mut self, content: FieldContent) {
        let key = match content {
            FieldContent::Leaf => (0, 0),
            FieldContent::Any => (1, 0),
            FieldContent::Shape(shape) => (2, ptr::from_ref(shape).addr()),
            FieldContent::Map(inner) => (3, ptr::from_ref(inner).addr()),
        };
        if self.seen.insert(key) {
            self.found.push(content);
        }
    }

    /// Adds the contents of the fields with this name in a content; `*` is every field.
    fn add_member(&mut self, content: FieldContent, name: &str) {
        match content {
            FieldContent::Leaf => {}
            FieldContent::Any => self.add(FieldContent::Any),
            FieldContent::Map(inner) => self.add(*inner),
            FieldContent::Shape(shape) if name == WILDCARD => {
                if shape.has_leaf() || shape.fields.is_empty() {
                    self.add(FieldContent::Leaf);
                }
                shape
                    .contents
                    .iter()
                    .map(|(_, contents)| contents)
                    .chain(&shape.additional_content)
                    .for_each(|contents| self.add(*contents));
            }
            FieldContent::Shape(shape) => {
                if let Some(inner) = shape.field(name) {
                    self.add(inner);
                }
            }
        }
    }
}

/// Creates the error of a name that no resource in these places has, with a similar name if there is one.
fn unknown_field_error(name: &str, places: &[FieldContent]) -> Kind {
    let shapes = places.iter().filter_map(|content| match content {
        FieldContent::Shape(shape) => Some(*shape),
        _ => None,
    });
    let resource = shapes.clone().next().map_or("", |shape| shape.name);
    let suggestion = suggest_similar(name, shapes.flat_map(|shape| shape.fields).copied());
    Kind::UnknownField { member: truncate(name), resource, suggestion }
}
