//! Parser of documents into trees of elements, within limits.

use std::borrow::Cow;
use std::fmt::Display;

use quick_xml::XmlVersion;
use quick_xml::events::attributes::Attributes;
use quick_xml::events::{BytesDecl, BytesStart, Event};
use quick_xml::reader::Reader;

use super::characters::{XML, XSI, is_character};
use super::error::{DocumentError, shorten};
use super::names::{NamespaceScope, QualifiedName, same_namespace};
use super::{RESPONSE_LIMITS, XmlLimits, XmlName};

/// Maximum number of attributes of an element, which are compared with each other.
const MAX_ATTRIBUTES: usize = 256;

/// Attributes of [`XSI`] that describe the document instead of its value.
const INSTANCE_ATTRIBUTES: [&str; 4] = ["nil", "type", "schemaLocation", "noNamespaceSchemaLocation"];

/// Element of a document.
#[derive(Debug, Default)]
pub struct Element<'x> {
    pub name: QualifiedName<'x>,
    /// Attributes, without namespace declarations and attributes about the document.
    pub attributes: Vec<(QualifiedName<'x>, Cow<'x, str>)>,
    /// Attributes about the document that a table may have as a field: `xsi:type` and similar.
    pub instance: Vec<(QualifiedName<'x>, Cow<'x, str>)>,
    pub children: Vec<Element<'x>>,
    /// Text of the element, without that of its children.
    pub text: Cow<'x, str>,
    /// True if the element has `xsi:nil`.
    pub is_nil: bool,
    /// Position of the element, in bytes.
    pub start: usize,
}

/// Parses an XML document.
pub fn read<'x>(text: &'x str, limits: XmlLimits) -> Result<Element<'x>, DocumentError> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().check_comments = true;
    let mut tree = TreeBuilder::new(limits);
    loop {
        tree.start = to_offset(reader.buffer_position());
        let event = reader.read_event().map_err(|error| {
            DocumentError::new(to_offset(reader.error_position()), format!("malformed XML: {error}"))
        })?;
        match event {
            Event::Start(tag) => tree.open(&tag, text)?,
            Event::Empty(tag) => {
                tree.open(&tag, text)?;
                tree.close();
            }
            // The reader has compared the name with that of the open element.
            Event::End(_) => tree.close(),
            Event::Text(content) => tree.push_markup_text(content.into_inner())?,
            Event::CData(content) => tree.push_text(content.into_inner())?,
            Event::GeneralRef(reference) => {
                let character = reference.resolve_char_ref().ok().flatten();
                tree.push_character(character.or_else(|| predefined_entity(&reference)), &reference)?;
            }
            Event::Decl(declaration) => tree.check_declaration(&declaration)?,
            Event::DocType(_) => return Err(tree.error("document types are not supported")),
            Event::Comment(_) | Event::PI(_) => {}
            Event::Eof => return tree.finish(),
        }
    }
}

/// Converts a position of the parser; a position beyond `usize` becomes the maximum.
fn to_offset(at: u64) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX)
}

/// Returns the character of an entity that XML predefines (XML 1.0, section 4.6).
fn predefined_entity(name: &str) -> Option<char> {
    Some(match name {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "apos" => '\'',
        "quot" => '"',
        _ => return None,
    })
}

impl Element<'_> {
    /// Returns whether a child of this element is the one that a table describes.
    pub fn is_child_named(&self, child: &QualifiedName<'_>, name: &XmlName) -> bool {
        child.local == name.local && self.accepts_namespace(child, name.namespace)
    }

    /// Returns whether the namespace of a child of this element is accepted where a table has `namespace`: none is, the
    /// same one is, and if `namespace` is empty, so is that of this element, because a default namespace applies to the
    /// children, too. A child in another namespace is an extension.
    pub fn accepts_namespace(&self, child: &QualifiedName<'_>, namespace: &str) -> bool {
        child.is_in_namespace(namespace)
            || namespace.is_empty() && same_namespace(&child.namespace, &self.name.namespace)
    }
}

/// State of parsing a document.
struct TreeBuilder<'x> {
    limits: XmlLimits,
    nodes: usize,
    /// Open elements, each with the number of namespaces in scope before it.
    open: Vec<(Element<'x>, usize)>,
    root: Option<Element<'x>>,
    /// Namespaces in scope.
    scope: NamespaceScope<'x>,
    /// Position of the current event.
    start: usize,
}

impl<'x> TreeBuilder<'x> {
    fn new(limits: XmlLimits) -> Self {
        // Functions recurse over the elements, so the depth is limited regardless of what a service allows.
        let limits = XmlLimits { depth: limits.depth.min(RESPONSE_LIMITS.depth), ..limits };
        Self { limits, nodes: 0, open: Vec::new(), root: None, scope: NamespaceScope::default(), start: 0 }
    }

    /// Creates an error at the current event.
    fn error(&self, message: impl Into<Cow<'static, str>>) -> DocumentError {
        DocumentError::new(self.start, message)
    }

    /// Counts an element or attribute; an error beyond the limit.
    fn count_node(&mut self) -> Result<(), DocumentError> {
        self.nodes += 1;
        if self.nodes > self.limits.nodes {
            return Err(self.error("the document has too many elements and attributes"));
        }
        Ok(())
    }

    fn check_declaration(&self, declaration: &BytesDecl<'_>) -> Result<(), DocumentError> {
        if self.start != 0 {
            return Err(self.error("the XML declaration must be at the beginning of the document"));
        }
        if declaration.version().ok().as_deref() != Some("1.0") {
            return Err(self.error("unsupported XML version: expected `1.0`"));
        }
        let encoding = declaration.encoding().transpose();
        let is_ours = |name: &str| name.eq_ignore_ascii_case("utf-8") || name.eq_ignore_ascii_case("us-ascii");
        match encoding {
            Ok(encoding) if encoding.as_deref().is_none_or(is_ours) => Ok(()),
            _ => Err(self.error("unsupported encoding: expected UTF-8")),
        }
    }

    /// Opens an element: reads its attributes and namespaces. The start of `tag` in `text` is the current position.
    fn open(&mut self, tag: &BytesStart<'_>, text: &'x str) -> Result<(), DocumentError> {
        self.count_node()?;
        if self.open.is_empty() && self.root.is_some() {
            return Err(self.error("unexpected second root element"));
        }
        if self.open.len() >= self.limits.depth {
            return Err(self.error("the document is nested too deep"));
        }
        let before = self.scope.len();
        // The event borrows for its own lifetime only, so the same text is borrowed from the document.
        let (raw, length): (&str, usize) = (tag, tag.name().0.len());
        let from = text.get(self.start + 1..).and_then(|rest| rest.get(..raw.len())).filter(|same| *same == raw);
        let Some(from) = from else { return Err(self.error("malformed XML")) };
        let mut plain = Vec::new();
        for attribute in Attributes::new(from, length).with_checks(false) {
            let malformed = |error: &dyn Display| self.error(format!("malformed attribute: {error}"));
            let attribute = attribute.map_err(|error| malformed(&error))?;
            let value = attribute.normalized_value(XmlVersion::Implicit1_0).map_err(|error| malformed(&error))?;
            if attribute.value.contains('<') || !value.chars().all(is_character) {
                return Err(self.error("invalid character in an attribute"));
            }
            self.count_node()?;
            if plain.len() >= MAX_ATTRIBUTES {
                return Err(self.error("an element has too many attributes"));
            }
            let key = attribute.key.0;
            match key.strip_prefix("xmlns:").or_else(|| (key == "xmlns").then_some("")) {
                // Without a prefix it is neither a declaration nor a valid name.
                Some("") if key != "xmlns" => plain.push((key, value)),
                Some(prefix) => {
                    self.scope.declare(prefix, &value, before).map_err(|message| self.error(message))?;
                }
                None => plain.push((key, value)),
            }
        }
        let name = from.get(..length).unwrap_or_default();
        let element = Element { name: self.resolve(name, true)?, start: self.start, ..Element::default() };
        let element = self.with_attributes(element, plain)?;
        self.open.push((element, before));
        Ok(())
    }

    /// Sets the attributes of an element, except for those about the document.
    fn with_attributes(
        &mut self,
        mut element: Element<'x>,
        attributes: Vec<(&'x str, Cow<'x, str>)>,
    ) -> Result<Element<'x>, DocumentError> {
        for (name, value) in attributes {
            let named = self.resolve(name, false)?;
            let is_same = |(other, _): &(QualifiedName<'_>, _)| other.is_same(&named);
            if element.attributes.iter().chain(&element.instance).any(is_same) {
                return Err(self.error(format!("duplicate attribute `{}`", shorten(name))));
            }
            match named.namespace() {
                XML => {}
                XSI if INSTANCE_ATTRIBUTES.contains(&named.local) => element.instance.push((named, value)),
                _ => element.attributes.push((named, value)),
            }
        }
        let is_nil_attribute = |(name, value): &(QualifiedName<'_>, Cow<'_, str>)| {
            name.local == "nil" && matches!(value.trim(), "true" | "1")
        };
        element.is_nil = element.instance.iter().any(is_nil_attribute);
        Ok(element)
    }

    /// Resolves a name of the document.
    fn resolve(&mut self, name: &'x str, is_element: bool) -> Result<QualifiedName<'x>, DocumentError> {
        self.scope.resolve(name, is_element).map_err(|message| self.error(message))
    }

    /// Closes the innermost element, which becomes a child of the next one or the root.
    fn close(&mut self) {
        let Some((element, before)) = self.open.pop() else { return };
        self.scope.truncate(before);
        match self.open.last_mut() {
            Some((outer, _)) => outer.children.push(element),
            None => self.root = Some(element),
        }
    }

    /// Adds text, and normalizes line ends to line feeds.
    fn push_markup_text(&mut self, content: Cow<'x, str>) -> Result<(), DocumentError> {
        if self.open.is_empty() && is_blank(&content) {
            return Ok(());
        }
        if content.contains("]]>") {
            return Err(self.error("unexpected `]]>` outside of a CDATA section: write `]]&gt;`"));
        }
        self.push_text(content)
    }

    /// Appends text to the innermost element, with normalized line breaks.
    fn push_text(&mut self, content: Cow<'x, str>) -> Result<(), DocumentError> {
        if !content.chars().all(is_character) {
            return Err(self.error("invalid character in the document"));
        }
        let content =
            if content.contains('\r') { content.replace("\r\n", "\n").replace('\r', "\n").into() } else { content };
        let start = self.start;
        let Some((element, _)) = self.open.last_mut() else {
            return Err(DocumentError::new(start, "unexpected text outside of the root element"));
        };
        if element.text.is_empty() {
            element.text = content;
        } else {
            element.text.to_mut().push_str(&content);
        }
        Ok(())
    }

    /// Appends the character of the reference `name`; an error if there is none.
    fn push_character(&mut self, character: Option<char>, name: &str) -> Result<(), DocumentError> {
        match character.filter(|character| is_character(*character)) {
            Some(character) => match self.open.last_mut() {
                Some((element, _)) => {
                    element.text.to_mut().push(character);
                    Ok(())
                }
                None => Err(self.error("unexpected text outside of the root element")),
            },
            None => {
                let short = shorten(name);
                Err(self.error(match name.strip_prefix('#') {
                    Some(_) => format!("invalid character reference `&{short};`"),
                    None => {
                        format!("unknown entity `&{short};`: expected `lt`, `gt`, `amp`, `apos` or `quot`")
                    }
                }))
            }
        }
    }

    /// Returns the root element; an error if it is missing or an element is open.
    fn finish(self) -> Result<Element<'x>, DocumentError> {
        if !self.open.is_empty() {
            return Err(self.error("unexpected end of the document: an element is not closed"));
        }
        let at = self.start;
        self.root.ok_or_else(|| DocumentError::new(at, "missing root element"))
    }
}

/// Returns whether a text consists of white space (XML 1.0, section 2.3).
pub fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'))
}
