//! XML representation of values.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Deref;

use crate::diagnostics::Span;

use super::{Api, Field, Resource, ResourceId, Type, UnionId};

/// XML facts of a value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Xml {
    /// Location in the schema.
    pub span: Span,
    /// Name of the element or attribute, if it is not the default.
    pub name: Option<String>,
    /// Namespace prefix.
    pub prefix: Option<String>,
    /// Namespace.
    pub namespace: Option<String>,
    /// True if it is an attribute.
    pub attribute: bool,
    /// True if it is the text of the enclosing element.
    pub text: bool,
    /// True if an element wraps those of a list.
    pub wrapped: bool,
    /// Name of the elements of a list.
    pub items: Option<String>,
}

/// XML facts, boxed so that the common empty value takes little room.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct XmlMapping(Option<Box<Xml>>);

impl From<Xml> for XmlMapping {
    fn from(xml: Xml) -> Self {
        Self(Some(Box::new(xml)))
    }
}

impl Deref for XmlMapping {
    type Target = Xml;

    fn deref(&self) -> &Xml {
        static EMPTY: Xml = Xml {
            span: Span { file: 0, start: 0, end: 0 },
            name: None,
            prefix: None,
            namespace: None,
            attribute: false,
            text: false,
            wrapped: false,
            items: None,
        };
        self.0.as_deref().unwrap_or(&EMPTY)
    }
}

impl fmt::Debug for XmlMapping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Types that are serialized as XML.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct XmlTypes {
    /// Resources.
    pub resources: BTreeSet<ResourceId>,
    /// Unions.
    pub unions: BTreeSet<UnionId>,
}

impl XmlTypes {
    /// Returns all types that these contain.
    #[must_use]
    pub fn reachable_from<'t>(resources: &'t [Resource], unions: &'t [super::Union], types: Vec<&'t Type>) -> Self {
        let (mut found, mut open) = (Self::default(), types);
        while let Some(ty) = open.pop() {
            match ty.innermost_type() {
                Type::Resource(id) if found.resources.insert(*id) => {
                    open.extend(resources.get(id.0).into_iter().flat_map(|one| &one.fields).map(|field| &field.ty));
                }
                Type::Union(id) if found.unions.insert(*id) => {
                    open.extend(unions.get(id.0).into_iter().flat_map(|one| &one.variants).map(|variant| &variant.ty));
                }
                _ => {}
            }
        }
        found
    }
}

impl Api {
    /// Returns whether a body or a response can be XML.
    #[must_use]
    pub fn has_xml(&self) -> bool {
        self.operations.iter().any(super::Operation::has_xml)
    }
}

impl super::Operation {
    /// Returns whether its body or its response can be XML.
    #[must_use]
    pub fn has_xml(&self) -> bool {
        self.xml_types().next().is_some()
    }

    /// Returns the types of its request and response bodies that can be XML.
    pub fn xml_types(&self) -> impl Iterator<Item = &Type> {
        let sent = self.bodies().filter(|body| body.accepts_codec(super::Codec::Xml)).map(|body| &body.ty);
        let returned = self.responses.iter().filter(|response| response.status < 300).flat_map(|response| {
            let alone = response.ty.as_ref().filter(|_| response.alternatives.is_empty());
            let alone = alone.filter(|ty| has_xml(ty, &response.content_types));
            let several = response.alternatives.iter().filter(|one| has_xml(&one.ty, &one.content_types));
            alone.into_iter().chain(several.map(|one| &one.ty))
        });
        sent.chain(returned)
    }
}

/// Returns whether values of a type can be XML in one of the media types.
#[must_use]
pub fn has_xml(ty: &Type, media_types: &[String]) -> bool {
    media_types.iter().any(|media_type| super::Codec::of_type(media_type, ty) == Some(super::Codec::Xml))
}

/// Returns whether values of a type are XML elements, not plain text without an enclosing element.
#[must_use]
pub fn is_document(ty: &Type) -> bool {
    matches!(ty, Type::Resource(_) | Type::Union(_) | Type::List(_) | Type::Map(_) | Type::Any | Type::Object)
}

/// Returns the default name of an element or attribute: characters that are not allowed become `_`.
#[must_use]
pub fn default_name(wire: &str) -> String {
    let mut name: String = wire.chars().map(|c| if is_name_char(c) { c } else { '_' }).collect();
    if !name.starts_with(is_name_start_char) {
        name.insert(0, '_');
    }
    name
}

/// Returns whether a character can start a name: `NameStartChar` of XML 1.0, fifth edition, section 2.3, without the
/// colon. The runtime has the same ranges, and a test compares both.
fn is_name_start_char(c: char) -> bool {
    matches!(c,
        'A'..='Z' | '_' | 'a'..='z'
        | '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{2ff}'
        | '\u{370}'..='\u{37d}' | '\u{37f}'..='\u{1fff}' | '\u{200c}'..='\u{200d}'
        | '\u{2070}'..='\u{218f}' | '\u{2c00}'..='\u{2fef}' | '\u{3001}'..='\u{d7ff}'
        | '\u{f900}'..='\u{fdcf}' | '\u{fdf0}'..='\u{fffd}' | '\u{10000}'..='\u{effff}')
}

/// Returns whether a character can continue a name: `NameChar` of the same section, without the colon.
fn is_name_char(c: char) -> bool {
    is_name_start_char(c)
        || matches!(c, '-' | '.' | '0'..='9' | '\u{b7}' | '\u{300}'..='\u{36f}' | '\u{203f}'..='\u{2040}')
}

/// Returns whether a text is a valid name of an element or attribute, without a prefix.
#[must_use]
pub fn is_name(text: &str) -> bool {
    !text.is_empty() && default_name(text) == text
}

impl Field {
    /// Returns the name of its element or attribute.
    #[must_use]
    pub fn xml_name(&self) -> String {
        self.xml.name.clone().unwrap_or_else(|| default_name(&self.name.wire))
    }
}

impl Resource {
    /// Returns the name of its root element.
    #[must_use]
    pub fn xml_name(&self) -> String {
        self.xml.name.clone().unwrap_or_else(|| default_name(&self.name.wire))
    }
}
