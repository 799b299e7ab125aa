//! XML bodies.
//!
//! The tables here describe the XML representation of values, as generated code states it. XML is converted to the JSON
//! of the same value and back, so that fields, rules and the paths of violations are the same for both.
//!
//! * A field is an element, an attribute or the text of the element that contains it. A list is an element for each of
//!   its elements, in an enclosing element if it is wrapped. A map is an element for each entry.
//! * `xsi:nil="true"` is null. An empty element is an empty text, an empty object or an empty list.
//! * Anything that a table does not know is an unknown field by its name. A value of any type is read as texts,
//!   objects and lists, because XML has no more type information.
//! * An element has the namespace of its table, or none; one whose table has none can also be in the namespace of its
//!   parent. An attribute whose table has none is in none. Anything in another namespace is unknown.
//! * Comments and processing instructions are ignored. A document type, an entity that XML does not predefine, and an
//!   encoding other than UTF-8 are rejected.
//!
//! The crate `quick-xml` parses the events, with the feature `xml`; without it this module contains only tables.

#[cfg(feature = "xml")]
mod characters;
#[cfg(feature = "xml")]
mod codec;
#[cfg(feature = "xml")]
mod document;
#[cfg(feature = "xml")]
mod error;
#[cfg(feature = "xml")]
mod members;
#[cfg(feature = "xml")]
mod names;
#[cfg(feature = "xml")]
mod read;
#[cfg(feature = "xml")]
mod write;

pub use crate::http::media_type::is_xml;

/// Name of an element or an attribute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct XmlName {
    /// Local name, without a prefix.
    pub local: &'static str,
    /// Prefix for the namespace; empty if it is the default namespace.
    pub prefix: &'static str,
    /// Namespace; empty if the table has none.
    pub namespace: &'static str,
}

impl XmlName {
    /// Creates a name without a namespace.
    #[must_use]
    pub const fn new(local: &'static str) -> Self {
        Self { local, prefix: "", namespace: "" }
    }

    /// Sets the namespace.
    #[must_use]
    pub const fn in_namespace(self, prefix: &'static str, namespace: &'static str) -> Self {
        Self { prefix, namespace, ..self }
    }
}

/// Content of an element or an attribute.
#[derive(Clone, Copy, Debug)]
pub enum XmlValue {
    /// Text, with its white space.
    Text,
    /// Text in a format, with insignificant white space around it.
    Token,
    /// `true` or `false`.
    Bool,
    /// Number.
    Number,
    /// Text that is JSON if it is of one of these kinds, which are bits of the module `unions`.
    Mixed(u8),
    /// Any value.
    Any,
    /// Resource.
    Object(fn() -> &'static ObjectDescription),
    /// Union.
    Union(fn() -> &'static UnionDescription),
    /// List in an enclosing element: each of its child elements is an element of the list, written with this name.
    List(XmlName, &'static XmlValue),
    /// Map: an element for each entry.
    Map(&'static XmlValue),
}

/// Resource that can be XML. Generated code implements it.
pub trait XmlObject {
    /// Returns the XML description of the resource.
    fn xml() -> &'static ObjectDescription;
}

/// Union that can be XML. Generated code implements it.
pub trait XmlUnion {
    /// Returns the XML description of the union.
    fn xml() -> &'static UnionDescription;
}

/// Description of how the fields of a resource are written in XML.
#[derive(Clone, Copy, Debug)]
pub struct ObjectDescription {
    /// Fields of the resource.
    pub fields: &'static [FieldDescription],
    /// Type of additional fields, if it is known.
    pub rest: Option<&'static XmlValue>,
}

/// Description of how a field is written in XML.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "xml"), allow(dead_code))]
pub struct FieldDescription {
    name: &'static str,
    aliases: &'static [&'static str],
    xml: XmlName,
    representation: Representation,
    value: XmlValue,
}

/// Representation of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Representation {
    Element,
    /// Element for each element of a list.
    Elements,
    Attribute,
    Text,
}

impl FieldDescription {
    /// Creates a field that is an element; `name` is its JSON name.
    #[must_use]
    pub const fn element(name: &'static str, xml: XmlName, value: XmlValue) -> Self {
        Self { name, aliases: &[], xml, representation: Representation::Element, value }
    }

    /// Creates a list that is an element for each of its elements.
    #[must_use]
    pub const fn elements(name: &'static str, xml: XmlName, value: XmlValue) -> Self {
        Self { representation: Representation::Elements, ..Self::element(name, xml, value) }
    }

    /// Creates a field that is an attribute.
    #[must_use]
    pub const fn attribute(name: &'static str, xml: XmlName, value: XmlValue) -> Self {
        Self { representation: Representation::Attribute, ..Self::element(name, xml, value) }
    }

    /// Creates a field that is the text of the element that contains it.
    #[must_use]
    pub const fn text(name: &'static str, value: XmlValue) -> Self {
        Self { representation: Representation::Text, ..Self::element(name, XmlName::new(""), value) }
    }

    /// Sets aliases, which are accepted in JSON and in XML.
    #[must_use]
    pub const fn aliases(self, aliases: &'static [&'static str]) -> Self {
        Self { aliases, ..self }
    }
}

/// Description of how the variants of a union are written in XML.
#[derive(Clone, Copy, Debug)]
pub struct UnionDescription {
    /// Field whose value determines the variant; empty if the shape of a value does.
    pub discriminator: &'static str,
    /// Variants with their values of that field.
    pub variants: &'static [(&'static str, XmlValue)],
    /// Kinds of JSON that its values can be.
    pub kinds: u8,
}

/// Limits of an XML document that is parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct XmlLimits {
    /// Maximum depth of nested elements.
    pub depth: usize,
    /// Maximum number of elements and attributes.
    pub nodes: usize,
}

/// Limits of a response, whose length is limited elsewhere.
pub const RESPONSE_LIMITS: XmlLimits = XmlLimits { depth: 127, nodes: 500_000 };

/// Root element of a body, and its media types.
#[derive(Clone, Copy, Debug)]
pub struct XmlRoot {
    /// Name of the element; an empty one is written as `items`, and any name is accepted.
    pub name: XmlName,
    /// Content of the element.
    pub value: XmlValue,
    /// Media types of the body, including those of JSON.
    pub media_types: &'static [&'static str],
    #[cfg(feature = "xml")]
    codec: codec::Codec,
    #[cfg(not(feature = "xml"))]
    codec: Never,
}

/// Without the feature a root cannot be constructed.
#[cfg(not(feature = "xml"))]
#[derive(Clone, Copy, Debug)]
enum Never {}

#[cfg(not(feature = "xml"))]
impl XmlRoot {
    /// Converts an XML document to JSON.
    ///
    /// # Errors
    /// Never returns an error: there are no documents without the feature `xml`.
    pub fn to_json(&self, _document: &[u8], _limits: XmlLimits) -> Result<Vec<u8>, crate::json::DecodeError> {
        match self.codec {}
    }

    /// Converts JSON text to a document.
    ///
    /// # Errors
    /// Never returns an error: there are no documents without the feature `xml`.
    pub fn to_xml(&self, _json: &[u8]) -> Result<Vec<u8>, crate::json::EncodeError> {
        match self.codec {}
    }
}

impl XmlRoot {
    /// Returns whether a body with this media type is XML. Without a media type the first one of the root is used.
    #[must_use]
    pub fn is_xml(&self, content_type: Option<&str>) -> bool {
        content_type.or_else(|| self.media_types.first().copied()).is_some_and(is_xml)
    }

    /// Returns the first media type that is XML.
    #[must_use]
    pub fn media_type(&self) -> &'static str {
        self.media_types.iter().copied().find(|media_type| is_xml(media_type)).unwrap_or("application/xml")
    }
}
