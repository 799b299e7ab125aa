//! A document as a tree of elements, within bounds.

use std::borrow::Cow;
use std::fmt::Display;

use quick_xml::XmlVersion;
use quick_xml::events::attributes::Attributes;
use quick_xml::events::{BytesDecl, BytesStart, Event};
use quick_xml::reader::Reader;

use super::characters::{XSI, is_character, is_name};
use super::fault::Fault;
use super::{Limits, Name};

/// The most attributes of an element, which are compared with each other.
const MOST_ATTRIBUTES: usize = 256;

/// The most declarations of namespaces that hold at one place.
const MOST_NAMESPACES: usize = 64;

/// An element.
#[derive(Debug, Default)]
pub struct Element<'x> {
    pub name: Named<'x>,
    /// Those that are neither declarations of namespaces nor about the document itself.
    pub attributes: Vec<(Named<'x>, Cow<'x, str>)>,
    pub children: Vec<Element<'x>>,
    /// All text in it that is not within another element.
    pub text: Cow<'x, str>,
    /// Whether it says that it is null.
    pub is_nil: bool,
    /// Where it begins, in bytes.
    pub start: usize,
}

/// A name with its namespace, which is empty where there is none.
#[derive(Clone, Debug, Default)]
pub struct Named<'x> {
    pub local: &'x str,
    pub namespace: Cow<'x, str>,
}

impl Named<'_> {
    /// Whether it is the name that a table has: exactly, or in no namespace, or in one of which the table says nothing.
    pub fn is(&self, name: &Name) -> bool {
        self.local == name.local
            && (name.namespace.is_empty() || self.namespace.is_empty() || self.namespace == name.namespace)
    }

    /// Whether it is that name in that very namespace.
    pub fn is_exactly(&self, name: &Name) -> bool {
        self.local == name.local && self.namespace == name.namespace
    }
}

/// Reads a document.
pub fn read<'x>(text: &'x str, limits: Limits) -> Result<Element<'x>, Fault> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().check_comments = true;
    let mut tree = Tree { limits, nodes: 0, open: Vec::new(), root: None, namespaces: Vec::new(), start: 0 };
    loop {
        tree.start = place(reader.buffer_position());
        let event = reader.read_event().map_err(|error| {
            Fault::new(place(reader.error_position()), format!("the document is not well-formed: {error}"))
        })?;
        match event {
            Event::Start(tag) => tree.open(&tag, text)?,
            Event::Empty(tag) => {
                tree.open(&tag, text)?;
                tree.close();
            }
            // Its name is that of the element that is open: the reader has compared them.
            Event::End(_) => tree.close(),
            Event::Text(content) => tree.text(content.into_inner())?,
            Event::CData(content) => tree.data(content.into_inner())?,
            Event::GeneralRef(reference) => {
                let character = reference.resolve_char_ref().ok().flatten();
                tree.character(character.or_else(|| predefined(&reference)), &reference)?;
            }
            Event::Decl(declaration) => tree.declared(&declaration)?,
            Event::DocType(_) => return Err(tree.fault("a document type is refused")),
            Event::Comment(_) | Event::PI(_) => {}
            Event::Eof => return tree.finish(),
        }
    }
}

fn place(at: u64) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX)
}

/// The entities that XML defines itself (XML 1.0, section 4.6).
fn predefined(name: &str) -> Option<char> {
    Some(match name {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "apos" => '\'',
        "quot" => '"',
        _ => return None,
    })
}

/// A document while it is read.
struct Tree<'x> {
    limits: Limits,
    nodes: usize,
    /// The elements that are open, each with how many namespaces held before it.
    open: Vec<(Element<'x>, usize)>,
    root: Option<Element<'x>>,
    /// The namespaces that hold, by prefix.
    namespaces: Vec<(&'x str, Cow<'x, str>)>,
    /// Where the event begins.
    start: usize,
}

impl<'x> Tree<'x> {
    fn fault(&self, message: impl Into<Cow<'static, str>>) -> Fault {
        Fault::new(self.start, message)
    }

    fn count(&mut self) -> Result<(), Fault> {
        self.nodes += 1;
        if self.nodes > self.limits.nodes {
            return Err(self.fault("the document has too many elements and attributes"));
        }
        Ok(())
    }

    fn declared(&self, declaration: &BytesDecl<'_>) -> Result<(), Fault> {
        if self.start != 0 {
            return Err(self.fault("the XML declaration stands at the beginning"));
        }
        if declaration.version().ok().as_deref() != Some("1.0") {
            return Err(self.fault("the document must be XML 1.0"));
        }
        let encoding = declaration.encoding().transpose();
        let is_ours = |name: &str| name.eq_ignore_ascii_case("utf-8") || name.eq_ignore_ascii_case("us-ascii");
        match encoding {
            Ok(encoding) if encoding.as_deref().is_none_or(is_ours) => Ok(()),
            _ => Err(self.fault("the document must be in UTF-8, and say no other encoding")),
        }
    }

    fn open(&mut self, tag: &BytesStart<'_>, text: &'x str) -> Result<(), Fault> {
        self.count()?;
        if self.open.is_empty() && self.root.is_some() {
            return Err(self.fault("the document has a second outermost element"));
        }
        if self.open.len() >= self.limits.depth {
            return Err(self.fault("the document is nested too deep"));
        }
        let before = self.namespaces.len();
        // What the event lends lives no longer than it does, and the same in the document as long as that.
        let (raw, length): (&str, usize) = (tag, tag.name().0.len());
        let from = text.get(self.start + 1..).and_then(|rest| rest.get(..raw.len())).filter(|same| *same == raw);
        let Some(from) = from else { return Err(self.fault("the document is not well-formed")) };
        let mut plain = Vec::new();
        for attribute in Attributes::new(from, length).with_checks(false) {
            let unread = |error: &dyn Display| self.fault(format!("an attribute is not well-formed: {error}"));
            let attribute = attribute.map_err(|error| unread(&error))?;
            let value = attribute.normalized_value(XmlVersion::Implicit1_0).map_err(|error| unread(&error))?;
            if attribute.value.contains('<') || !value.chars().all(is_character) {
                return Err(self.fault("an attribute has a character that cannot stand in it"));
            }
            self.count()?;
            if plain.len() >= MOST_ATTRIBUTES {
                return Err(self.fault("an element has too many attributes"));
            }
            match attribute.key.0.strip_prefix("xmlns") {
                Some("") => self.declare("", value)?,
                Some(prefix) if prefix.starts_with(':') => self.declare(prefix.get(1..).unwrap_or_default(), value)?,
                _ => plain.push((attribute.key.0, value)),
            }
        }
        let name = from.get(..length).unwrap_or_default();
        let element = Element { name: self.named(name, true)?, start: self.start, ..Element::default() };
        let element = self.with_attributes(element, plain)?;
        self.open.push((element, before));
        Ok(())
    }

    /// Gives an element its attributes, but for those that are about the document itself.
    fn with_attributes(
        &self,
        mut element: Element<'x>,
        attributes: Vec<(&'x str, Cow<'x, str>)>,
    ) -> Result<Element<'x>, Fault> {
        for (name, value) in attributes {
            let named = self.named(name, false)?;
            let is_same =
                |(other, _): &(Named<'_>, _)| (other.local, &other.namespace) == (named.local, &named.namespace);
            if element.attributes.iter().any(is_same) {
                return Err(self.fault("an attribute is given twice"));
            }
            element.attributes.push((named, value));
        }
        element.is_nil = element
            .attributes
            .iter()
            .any(|(name, value)| name.namespace == XSI && name.local == "nil" && matches!(value.trim(), "true" | "1"));
        element.attributes.retain(|(name, _)| name.namespace != XSI && name.namespace != XML);
        Ok(element)
    }

    fn declare(&mut self, prefix: &'x str, namespace: Cow<'x, str>) -> Result<(), Fault> {
        if self.namespaces.len() >= MOST_NAMESPACES {
            return Err(self.fault("the document declares too many namespaces"));
        }
        self.namespaces.push((prefix, namespace));
        Ok(())
    }

    /// A name as it stands in the document.
    fn named(&self, name: &'x str, is_element: bool) -> Result<Named<'x>, Fault> {
        let (prefix, local) = name.split_once(':').unwrap_or(("", name));
        if !is_name(local) || !prefix.is_empty() && !is_name(prefix) || name.starts_with(':') {
            return Err(self.fault("the document has a name that is none"));
        }
        let declared = self.namespaces.iter().rev().find(|(known, _)| *known == prefix);
        let namespace = match (declared, prefix) {
            // An attribute without a prefix is in no namespace.
            (_, "") if !is_element => Cow::Borrowed(""),
            (Some((_, namespace)), _) => namespace.clone(),
            (None, "") => Cow::Borrowed(""),
            (None, "xml") => Cow::Borrowed(XML),
            (None, _) => return Err(self.fault("the document has a prefix that it does not declare")),
        };
        Ok(Named { local, namespace })
    }

    fn close(&mut self) {
        let Some((element, before)) = self.open.pop() else { return };
        self.namespaces.truncate(before);
        match self.open.last_mut() {
            Some((outer, _)) => outer.children.push(element),
            None => self.root = Some(element),
        }
    }

    /// Text, in which line ends are line feeds.
    fn text(&mut self, content: Cow<'x, str>) -> Result<(), Fault> {
        if self.open.is_empty() && content.trim_matches([' ', '\t', '\r', '\n']).is_empty() {
            return Ok(());
        }
        self.data(content)
    }

    fn data(&mut self, content: Cow<'x, str>) -> Result<(), Fault> {
        if !content.chars().all(is_character) {
            return Err(self.fault("the document has a character that cannot stand in it"));
        }
        let content =
            if content.contains('\r') { content.replace("\r\n", "\n").replace('\r', "\n").into() } else { content };
        let start = self.start;
        let Some((element, _)) = self.open.last_mut() else {
            return Err(Fault::new(start, "the document has text outside of its outermost element"));
        };
        if element.text.is_empty() {
            element.text = content;
        } else {
            element.text.to_mut().push_str(&content);
        }
        Ok(())
    }

    fn character(&mut self, character: Option<char>, name: &str) -> Result<(), Fault> {
        match character.filter(|character| is_character(*character)) {
            Some(character) => match self.open.last_mut() {
                Some((element, _)) => {
                    element.text.to_mut().push(character);
                    Ok(())
                }
                None => Err(self.fault("the document has text outside of its outermost element")),
            },
            None => {
                let short: String = name.chars().take(40).collect();
                Err(self.fault(format!("`&{};` stands for nothing", short.escape_debug())))
            }
        }
    }

    fn finish(self) -> Result<Element<'x>, Fault> {
        if !self.open.is_empty() {
            return Err(self.fault("the document ends before its elements do"));
        }
        let at = self.start;
        self.root.ok_or_else(|| Fault::new(at, "the document has no element"))
    }
}

/// The namespace of the prefix `xml`.
const XML: &str = "http://www.w3.org/XML/1998/namespace";
