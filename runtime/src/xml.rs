//! Bodies that are XML.
//!
//! The tables here say how values stand in XML, as generated code knows it; what they are in JSON is the one form that
//! everything else reads and writes. So XML becomes the JSON that the same value would be sent as, and the other way
//! round: members, rules and the paths of violations are the same for both.
//!
//! * A member is an element, an attribute or the text of the element around it. A list is an element for each of its
//!   elements, in one around all of them where it is wrapped. A map is an element for each entry.
//! * `xsi:nil="true"` is null. An element that is empty is an empty text, an empty object or an empty list.
//! * What a table does not know is an unknown member by its name. What can be anything is read as texts, objects and
//!   lists, because XML says no more of it.
//! * An element has the namespace that its table says, or none; one of which the table says none can also be in that of
//!   the element around it. An attribute of which the table says none is in none. What is in another namespace is unknown.
//! * Comments and processing instructions say nothing. A document type, an entity that XML does not define itself, and
//!   another encoding than UTF-8 are refused.
//!
//! The crate `quick-xml` finds the events, with the feature `xml`; without it there is nothing here but tables.

#[cfg(feature = "xml")]
mod characters;
#[cfg(feature = "xml")]
mod codec;
#[cfg(feature = "xml")]
mod document;
#[cfg(feature = "xml")]
mod fault;
#[cfg(feature = "xml")]
mod members;
#[cfg(feature = "xml")]
mod names;
#[cfg(feature = "xml")]
mod read;
#[cfg(feature = "xml")]
mod write;

/// The name of an element or of an attribute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Name {
    /// The name without a prefix.
    pub local: &'static str,
    /// The prefix as which the namespace is written; empty where it is that of elements without a prefix.
    pub prefix: &'static str,
    /// The namespace; empty where nothing is said of one.
    pub namespace: &'static str,
}

impl Name {
    /// Creates a name of which no namespace is said.
    #[must_use]
    pub const fn new(local: &'static str) -> Self {
        Self { local, prefix: "", namespace: "" }
    }

    /// Returns the same in a namespace.
    #[must_use]
    pub const fn within(self, prefix: &'static str, namespace: &'static str) -> Self {
        Self { prefix, namespace, ..self }
    }
}

/// What an element or an attribute holds.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// Text, with its white space.
    Text,
    /// Text of a form of its own, around which white space does not count.
    Token,
    /// `true` or `false`.
    Bool,
    /// A number.
    Number,
    /// Text that is JSON where it is of one of these kinds, which are bits of [`unions`](crate::unions).
    Mixed(u8),
    /// Anything.
    Any,
    /// A resource.
    Object(fn() -> &'static Object),
    /// One of several.
    Union(fn() -> &'static Union),
    /// A list in an element of its own: each element in that is one of the list, and is written by this name.
    List(Name, &'static Value),
    /// A map: an element for each entry.
    Map(&'static Value),
}

/// A resource that can be XML. Generated code implements it.
pub trait XmlObject {
    /// How it is written.
    fn xml() -> &'static Object;
}

/// A union that can be XML. Generated code implements it.
pub trait XmlUnion {
    /// How it is written.
    fn xml() -> &'static Union;
}

/// How a resource is written.
#[derive(Clone, Copy, Debug)]
pub struct Object {
    /// Its members.
    pub members: &'static [Member],
    /// What those beside them hold, where that is known.
    pub rest: Option<&'static Value>,
}

/// How a member is written.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "xml"), allow(dead_code))]
pub struct Member {
    name: &'static str,
    aliases: &'static [&'static str],
    xml: Name,
    place: Place,
    value: Value,
}

/// Where a member is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Element,
    /// An element for each element of a list.
    Elements,
    Attribute,
    Text,
}

impl Member {
    /// Creates a member that is an element; the first name is that in JSON.
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

    /// Creates a member that is the text of the element around it.
    #[must_use]
    pub const fn text(name: &'static str, value: Value) -> Self {
        Self { place: Place::Text, ..Self::element(name, Name::new(""), value) }
    }

    /// Accepts other names too, in JSON and in XML.
    #[must_use]
    pub const fn aliases(self, aliases: &'static [&'static str]) -> Self {
        Self { aliases, ..self }
    }
}

/// How a union is written.
#[derive(Clone, Copy, Debug)]
pub struct Union {
    /// The member whose value tells the variant; empty where the shape of a value does.
    pub discriminator: &'static str,
    /// The variants with the values of that member.
    pub variants: &'static [(&'static str, Value)],
    /// The kinds of JSON that its values can be.
    pub kinds: u8,
}

/// How much a document can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How deep elements stand in one another.
    pub depth: usize,
    /// How many elements and attributes there are.
    pub nodes: usize,
}

/// What an answer can have, of which the length is bounded elsewhere.
pub const ANSWER: Limits = Limits { depth: 127, nodes: 500_000 };

/// The outermost element of a body, and the media types as which the body can be sent.
#[derive(Clone, Copy, Debug)]
pub struct Root {
    /// The name; one that is empty is written as `items`, and any is read.
    pub name: Name,
    /// What it holds.
    pub value: Value,
    /// The media types of the body, those of JSON among them.
    pub media_types: &'static [&'static str],
    #[cfg(feature = "xml")]
    codec: codec::Codec,
    #[cfg(not(feature = "xml"))]
    codec: Never,
}

/// Without the feature nothing is written.
#[cfg(not(feature = "xml"))]
#[derive(Clone, Copy, Debug)]
enum Never {}

#[cfg(not(feature = "xml"))]
impl Root {
    /// Returns the JSON of a document.
    ///
    /// # Errors
    /// None: there are no documents without the feature `xml`.
    pub fn to_json(&self, _document: &[u8], _limits: Limits) -> Result<Vec<u8>, crate::json::DecodeError> {
        match self.codec {}
    }

    /// Returns the document of a JSON text.
    ///
    /// # Errors
    /// None: there are no documents without the feature `xml`.
    pub fn to_xml(&self, _json: &[u8]) -> Result<Vec<u8>, crate::json::EncodeError> {
        match self.codec {}
    }
}

impl Root {
    /// Returns whether a body that is said to be of that media type is XML. One of which nothing is said is what the
    /// first of the media types is.
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

/// Returns whether a media type is one of XML (RFC 7303).
#[must_use]
pub fn is_xml(media_type: &str) -> bool {
    let essence = media_type.split(';').next().unwrap_or_default().trim_ascii();
    let is = |text: &str| essence.eq_ignore_ascii_case(text);
    let suffix = essence.len().checked_sub("+xml".len()).and_then(|start| essence.get(start..));
    is("application/xml") || is("text/xml") || suffix.is_some_and(|suffix| suffix.eq_ignore_ascii_case("+xml"))
}
