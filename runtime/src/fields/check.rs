//! Checks of a selection against the shape of its resource.

use std::collections::HashSet;
use std::ptr;

use super::error::{SelectionError, SelectionErrorKind as Kind, truncate};
use super::shape::{Inner, Shape};
use super::suggest::suggest;
use super::tree::{EVERY, Tree};

/// Checks all names of a tree.
///
/// After `*` a name is looked up in several resources, and it is enough that one of them knows it.
pub fn check(tree: &Tree, shape: &'static Shape) -> Result<(), SelectionError> {
    check_members(tree, &[Inner::Shape(shape)])
}

/// Checks the fields of a tree, which are looked up in all contents in `places`.
fn check_members(tree: &Tree, places: &[Inner]) -> Result<(), SelectionError> {
    let mut members: Vec<_> = tree.members.iter().collect();
    // Of several errors the first is reported.
    members.sort_by_key(|(_, member)| member.position);
    for (name, member) in members {
        let mut next = Next::default();
        for place in places {
            next.add_member(*place, name);
        }
        if next.found.is_empty() {
            return Err(SelectionError::new(member.position, unknown_member(name, places)));
        }
        let Some((first, inside)) = member.members.iter().next() else { continue };
        if next.found.iter().all(|place| matches!(place, Inner::Leaf)) {
            let kind = Kind::BelowLeaf { member: truncate(first), leaf: truncate(name) };
            return Err(SelectionError::new(inside.position, kind));
        }
        check_members(member, &next.found)?;
    }
    Ok(())
}

/// Deduplicated set of the contents that a name can refer to: repeated `*` must not multiply them.
#[derive(Default)]
struct Next {
    found: Vec<Inner>,
    seen: HashSet<(u8, usize)>,
}

impl Next {
    fn add(&mut self, place: Inner) {
        let key = match place {
            Inner::Leaf => (0, 0),
            Inner::Any => (1, 0),
            Inner::Shape(shape) => (2, ptr::from_ref(shape).addr()),
            Inner::Map(inner) => (3, ptr::from_ref(inner).addr()),
        };
        if self.seen.insert(key) {
            self.found.push(place);
        }
    }

    fn add_member(&mut self, place: Inner, name: &str) {
        match place {
            Inner::Leaf => {}
            Inner::Any => self.add(Inner::Any),
            Inner::Map(inner) => self.add(*inner),
            Inner::Shape(shape) if name == EVERY => {
                if shape.has_leaf() || shape.members.is_empty() {
                    self.add(Inner::Leaf);
                }
                shape.inner.iter().map(|(_, inner)| inner).chain(&shape.rest).for_each(|inner| self.add(*inner));
            }
            Inner::Shape(shape) => {
                if let Some(inner) = shape.member(name) {
                    self.add(inner);
                }
            }
        }
    }
}

fn unknown_member(name: &str, places: &[Inner]) -> Kind {
    let shapes = places.iter().filter_map(|place| match place {
        Inner::Shape(shape) => Some(*shape),
        _ => None,
    });
    let resource = shapes.clone().next().map_or("", |shape| shape.name);
    let suggestion = suggest(name, shapes.flat_map(|shape| shape.members).copied());
    Kind::UnknownMember { member: truncate(name), resource, suggestion }
}
