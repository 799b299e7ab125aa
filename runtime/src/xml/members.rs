//! Lookup of the field of an element or an attribute.

use std::collections::HashMap;

use super::document::Element;
use super::names::QualifiedName;
use super::{Member, Name, Object, Place, Value};
use crate::unions as kinds;

/// Context of a name.
#[derive(Clone, Copy)]
pub enum Context<'e> {
    /// Attribute of a tag.
    Attribute,
    /// Child of this element.
    In(&'e Element<'e>),
}

impl Context<'_> {
    fn accepts(self, place: Place) -> bool {
        match self {
            Self::Attribute => place == Place::Attribute,
            Self::In(_) => matches!(place, Place::Element | Place::Elements),
        }
    }

    fn is(self, found: &QualifiedName<'_>, name: &Name) -> bool {
        match self {
            Self::Attribute => found.is_attribute(name),
            Self::In(element) => element.has(found, name),
        }
    }
}

/// Returns the field with a name: one in exactly that namespace takes precedence over others that match.
pub fn find<'o>(object: &'o Object, name: &QualifiedName<'_>, at: Context<'_>) -> Option<(usize, &'o Member)> {
    let members = || object.members.iter().enumerate().filter(|(_, member)| at.accepts(member.place));
    let has_alias = |member: &Member| member.aliases.iter().any(|local| at.is(name, &Name { local, ..member.xml }));
    members()
        .find(|(_, member)| name.is_exactly(&member.xml))
        .or_else(|| members().find(|(_, member)| at.is(name, &member.xml)))
        .or_else(|| members().find(|(_, member)| has_alias(member)))
}

impl Object {
    /// Returns the field that is the text of the element.
    pub(super) fn text(&self) -> Option<&Member> {
        self.members.iter().find(|member| member.place == Place::Text)
    }

    /// Returns the field for an attribute about the document, if the table has one.
    pub(super) fn instance_member(&self, name: &QualifiedName<'_>) -> Option<&Member> {
        self.members.iter().find(|member| member.place == Place::Attribute && name.is_exactly(&member.xml))
    }
}

impl Value {
    /// Returns whether an empty text is a valid value.
    pub(super) const fn can_be_empty(&self) -> bool {
        match self {
            Self::Text | Self::Any => true,
            Self::Mixed(bits) => *bits & kinds::TEXT != 0,
            _ => false,
        }
    }
}

/// Unknown attributes and elements of a resource, by name. Those with the JSON name of a field are skipped.
pub struct Unknown<'o, 'e> {
    object: &'o Object,
    pub attributes: Vec<(&'e str, &'e str)>,
    pub elements: Vec<(&'e str, Vec<&'e Element<'e>>)>,
    /// Indices of the elements by name: a map, since the client controls their number.
    places: HashMap<&'e str, usize>,
}

impl<'o, 'e> Unknown<'o, 'e> {
    pub fn new(object: &'o Object) -> Self {
        Self { object, attributes: Vec::new(), elements: Vec::new(), places: HashMap::new() }
    }

    fn is_known(&self, name: &str) -> bool {
        self.object.members.iter().any(|member| member.name == name || member.aliases.contains(&name))
    }

    pub fn attribute(&mut self, name: &'e str, value: &'e str) {
        if !self.is_known(name) && !self.attributes.iter().any(|(known, _)| *known == name) {
            self.attributes.push((name, value));
        }
    }

    pub fn element(&mut self, element: &'e Element<'e>) {
        let name = element.name.local;
        if self.is_known(name) || self.attributes.iter().any(|(known, _)| *known == name) {
            return;
        }
        let place = *self.places.entry(name).or_insert(self.elements.len());
        match self.elements.get_mut(place) {
            Some((_, all)) => all.push(element),
            None => self.elements.push((name, vec![element])),
        }
    }
}
