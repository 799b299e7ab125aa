//! Lookup of the field of an element or an attribute.

use std::collections::HashMap;

use super::document::Element;
use super::names::QualifiedName;
use super::{FieldDescription, ObjectDescription, Representation, XmlName, XmlValue};
use crate::unions as kinds;

/// Context of a name.
#[derive(Clone, Copy)]
pub enum Context<'e> {
    /// Attribute of a tag.
    Attribute,
    /// Child of this element.
    ChildOf(&'e Element<'e>),
}

impl Context<'_> {
    /// Returns whether a field with this representation can have a name in this context.
    fn accepts(self, place: Representation) -> bool {
        match self {
            Self::Attribute => place == Representation::Attribute,
            Self::ChildOf(_) => matches!(place, Representation::Element | Representation::Elements),
        }
    }

    /// Returns whether a name that was found in this context is that of a field.
    fn matches(self, found: &QualifiedName<'_>, name: &XmlName) -> bool {
        match self {
            Self::Attribute => found.is_attribute(name),
            Self::ChildOf(element) => element.is_child_named(found, name),
        }
    }
}

/// Returns the field with a name: one in exactly that namespace takes precedence over others that match.
pub fn find_field<'o>(
    object: &'o ObjectDescription,
    name: &QualifiedName<'_>,
    at: Context<'_>,
) -> Option<(usize, &'o FieldDescription)> {
    let members = || object.fields.iter().enumerate().filter(|(_, member)| at.accepts(member.representation));
    let has_alias = |member: &FieldDescription| {
        member.aliases.iter().any(|local| at.matches(name, &XmlName { local, ..member.xml }))
    };
    members()
        .find(|(_, member)| name.is_exactly(&member.xml))
        .or_else(|| members().find(|(_, member)| at.matches(name, &member.xml)))
        .or_else(|| members().find(|(_, member)| has_alias(member)))
}

impl ObjectDescription {
    /// Returns the field that is the text of the element.
    pub(super) fn text(&self) -> Option<&FieldDescription> {
        self.fields.iter().find(|member| member.representation == Representation::Text)
    }

    /// Returns the field for an attribute about the document, if the table has one.
    pub(super) fn instance_member(&self, name: &QualifiedName<'_>) -> Option<&FieldDescription> {
        self.fields
            .iter()
            .find(|member| member.representation == Representation::Attribute && name.is_exactly(&member.xml))
    }
}

impl XmlValue {
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
pub struct UnknownNodes<'o, 'e> {
    object: &'o ObjectDescription,
    pub attributes: Vec<(&'e str, &'e str)>,
    pub elements: Vec<(&'e str, Vec<&'e Element<'e>>)>,
    /// Indices of the elements by name: a map, since the client controls their number.
    indices: HashMap<&'e str, usize>,
}

impl<'o, 'e> UnknownNodes<'o, 'e> {
    pub fn new(object: &'o ObjectDescription) -> Self {
        Self { object, attributes: Vec::new(), elements: Vec::new(), indices: HashMap::new() }
    }

    /// Returns whether the name is the JSON name or an alias of a field.
    fn is_known(&self, name: &str) -> bool {
        self.object.fields.iter().any(|member| member.name == name || member.aliases.contains(&name))
    }

    /// Adds an attribute, except one whose name is that of a field or already added.
    pub fn add_attribute(&mut self, name: &'e str, value: &'e str) {
        if !self.is_known(name) && !self.attributes.iter().any(|(known, _)| *known == name) {
            self.attributes.push((name, value));
        }
    }

    /// Adds an element to those with its name, except one whose name is that of a field or an added attribute.
    pub fn add_element(&mut self, element: &'e Element<'e>) {
        let name = element.name.local;
        if self.is_known(name) || self.attributes.iter().any(|(known, _)| *known == name) {
            return;
        }
        let place = *self.indices.entry(name).or_insert(self.elements.len());
        match self.elements.get_mut(place) {
            Some((_, all)) => all.push(element),
            None => self.elements.push((name, vec![element])),
        }
    }
}
