//! XML bodies.
//!
//! The tables here describe the XML representation of values, as generated code states it. XML is converted to the JSON
//! of the same value and back, so that members, rules and the paths of violations are the same for both.
//!
//! * A member is an element, an attribute or the text of the element that contains it. A list is an element for each of
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

/// Name of an element or an attribute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Name {
    /// Local name, without a prefix.
    pub local: &'static str,
    /// Prefix for the namespace; empty if it is the default namespace.
    pub prefix: &'static str,
    /// Namespace; empty if the table has none.
    pub namespace: &'static str,
}

impl Name {
    /// Creates a name without a namespace.
    #[must_use]
    pub const fn new(local: &'static str) -> Self {
        Self { local, prefix: "", namespace: "" }
    }

    /// Sets the namespace.
    #[must_use]
    pub const fn within(self, prefix: &'static str, namespace: &'static str) -> Self {
        Self { prefix, namespace, ..self }
    }
}

/// Content of an element or an attribute.
#[derive(Clone, Copy, Debug)]
pub enum Value {
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
    Object(fn() -> &'static Object),
    /// Union.
    Union(fn() -> &'static Union),
    /// List in an enclosing element: each of its child elements is an element of the list, written with this name.
    List(Name, &'static Value),
    /// Map: an element for each entry.
    Map(&'static Value),
}

/// Resource that can be XML. Generated code implements it.
pub trait XmlObject {
    /// Returns the XML description of the resource.
    fn xml() -> &'static Object;
}

/// Union that can be XML. Generated code implements it.
pub trait XmlUnion {
    /// Returns the XML description of the union.
    fn xml() -> &'static Union;
}

/// XML description of a resource.
#[derive(Clone, Copy, Debug)]
pub struct Object {
    /// Members of the resource.
    pub members: &'static [Member],
    /// Type of additional members, if it is known.
    pub rest: Option<&'static Value>,
}

/// XML description of a member.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "xml"), allow(dead_code))]
pub struct Member {
    name: &'static str,
    aliases: &'static [&'static str],
    xml: Name,
    place: Place,
    value: Value,
}

/// Representation of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Element,
    /// Element for each element of a list.
    Elements,
    Attribute,
    Text,
}

impl Member {
    /// Creates a member that is an element; `name` is its JSON name.
    #[must_use]
    pub const fn element(name: &'static str, xml: Name, value: Value) -> Self {
        Self { name, aliases: &[], xml, place: Place::Element, value }
    }

    /// Creates a list that is an element for each of its elements.
    #[must_use]
    pub const fn elements(name: &'static str, xml: Name, value: Value) -> Self {
        Self { place: Place::Elements, ..Self::element(name, xml, value) }
    }

    /// Creates a member that is an attribute.
    #[must_use]
    pub const fn attribute(name: &'static str, xml: Name, value: Value) -> Self {
        Self { place: Place::Attribute, ..Self::element(name, xml, value) }
    }

    /// Creates a member that is the text of the element that contains it.
    #[must_use]
    pub const fn text(name: &'static str, value: Value) -> Self {
        Self { place: Place::Text, ..Self::element(name, Name::new(""), value) }
    }

    /// Sets aliases, which are accepted in JSON and in XML.
    #[must_use]
    pub const fn aliases(self, aliases: &'static [&'static str]) -> Self {
        Self { aliases, ..self }
    }
}

/// XML description of a union.
#[derive(Clone, Copy, Debug)]
pub struct Union {
    /// Member whose value determines the variant; empty if the shape of a value does.
    pub discriminator: &'static str,
    /// Variants with their values of that member.
    pub variants: &'static [(&'static str, Value)],
    /// Kinds of JSON that its values can be.
    pub kinds: u8,
}

/// Limits of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum depth of nested elements.
    pub depth: usize,
    /// Maximum number of elements and attributes.
    pub nodes: usize,
}

/// Limits of a response, whose length is limited elsewhere.
pub const ANSWER: Limits = Limits { depth: 127, nodes: 500_000 };

/// Root element of a body, and its media types.
#[derive(Clone, Copy, Debug)]
pub struct Root {
    /// Name of the element; an empty one is written as `items`, and any name is accepted.
    pub name: Name,
    /// Content of the element.
    pub value: Value,
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
impl Root {
    /// Converts a document to JSON.
    ///
    /// # Errors
    /// Never returns an error: there are no documents without the feature `xml`.
    pub fn to_json(&self, _document: &[u8], _limits: Limits) -> Result<Vec<u8>, crate::json::DecodeError> {
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

impl Root {
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

/// Returns whether a media type is XML (RFC 7303).
#[must_use]
pub fn is_xml(media_type: &str) -> bool {
    let essence = media_type.split(';').next().unwrap_or_default().trim_ascii();
    let is = |text: &str| essence.eq_ignore_ascii_case(text);
    let suffix = essence.len().checked_sub("+xml".len()).and_then(|start| essence.get(start..));
    is("application/xml") || is("text/xml") || suffix.is_some_and(|suffix| suffix.eq_ignore_ascii_case("+xml"))
}
