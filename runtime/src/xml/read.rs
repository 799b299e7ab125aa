//! Conversion of documents to JSON.

pub(super) mod unions;

use super::document::{self, Element, is_blank};
use super::error::{DocumentError, shorten};
use super::members::{Context, UnknownNodes, find_field};
use super::{ObjectDescription, Representation, UnionDescription, XmlLimits, XmlRoot, XmlValue};
use crate::json::DecodeError;
use crate::unions as kinds;

/// Converts an XML document to JSON.
pub fn json(root: &XmlRoot, document: &[u8], limits: XmlLimits) -> Result<Vec<u8>, DecodeError> {
    let text = document.strip_prefix(b"\xef\xbb\xbf").unwrap_or(document);
    let read = || {
        let text =
            std::str::from_utf8(text).map_err(|error| DocumentError::new(error.valid_up_to(), "invalid UTF-8"))?;
        let element = document::read(text, limits)?;
        let name = &root.name;
        if !name.local.is_empty() && !element.name.is_root(name) {
            let (found, namespace) = (shorten(element.name.local), shorten(element.name.namespace()));
            let found = describe_name(&found, &namespace, name.namespace);
            let expected = describe_name(name.local, name.namespace, &namespace);
            return Err(DocumentError::new(
                element.start,
                format!("expected the root element {expected}, found {found}"),
            ));
        }
        let mut json = JsonWriter(String::with_capacity(text.len()));
        json.value(&element, &root.value);
        Ok(json.0.into_bytes())
    };
    read().map_err(|error| error.locate(text))
}

/// Formats a name for a message, with its namespace if it differs from the other.
fn describe_name(local: &str, namespace: &str, other: &str) -> String {
    match namespace {
        same if same == other => format!("`{local}`"),
        "" => format!("`{local}` without a namespace"),
        namespace => format!("`{local}` in the namespace `{namespace}`"),
    }
}

/// JSON text during conversion.
struct JsonWriter(String);

impl JsonWriter {
    /// Writes the content of an element.
    fn value(&mut self, element: &Element<'_>, value: &XmlValue) {
        if element.is_nil {
            return self.0.push_str("null");
        }
        match value {
            XmlValue::Union(union) => self.union(element, union()),
            // Text in an element that must not have any is written as text, so that decoding reports it.
            XmlValue::Object(object) if object().text().is_none() && !is_blank(&element.text) => {
                self.text(&element.text)
            }
            XmlValue::List(..) | XmlValue::Map(_) if !is_blank(&element.text) => self.text(&element.text),
            XmlValue::Object(object) => self.object(element, object()),
            XmlValue::List(_, inner) => self.list(element.children.iter(), inner),
            XmlValue::Map(inner) => self.map(element, inner),
            XmlValue::Any => self.any(element),
            // Elements within a text are written as an object, so that decoding reports them.
            _ if !element.children.is_empty() => self.any(element),
            scalar => self.scalar(&element.text, scalar),
        }
    }

    /// Writes the JSON of an element whose type is a union.
    fn union(&mut self, element: &Element<'_>, union: &'static UnionDescription) {
        match unions::find_variant(element, union) {
            (_, Some(value)) => self.value(element, value),
            (union, None) if unions::has_only_text(element) => {
                self.scalar(&element.text, &XmlValue::Mixed(union.kinds))
            }
            _ => self.any(element),
        }
    }

    /// Writes the value of a text.
    fn scalar(&mut self, text: &str, value: &XmlValue) {
        let trimmed = text.trim_matches([' ', '\t', '\r', '\n']);
        let plain = match value {
            // `1` and `0` are booleans as well (XML Schema, part 2, section 3.2.2).
            XmlValue::Bool if matches!(trimmed, "1" | "0") => {
                return self.0.push_str(if trimmed == "1" { "true" } else { "false" });
            }
            XmlValue::Bool => matches!(trimmed, "true" | "false"),
            XmlValue::Number => crate::Number::parse(trimmed).is_ok(),
            XmlValue::Mixed(bits) => is_json_of_kind(*bits, trimmed),
            XmlValue::Token => return self.text(trimmed),
            _ => false,
        };
        // A text in another format stays a text, so that decoding reports it with its path.
        if plain { self.0.push_str(trimmed) } else { self.text(text) }
    }

    /// Writes a JSON string.
    fn text(&mut self, text: &str) {
        self.0.push_str(&serde_json::Value::from(text).to_string());
    }

    /// Writes the name of a member and its colon.
    fn name(&mut self, name: &str) {
        if !self.0.ends_with('{') {
            self.0.push(',');
        }
        self.text(name);
        self.0.push(':');
    }

    /// Writes a JSON array of elements.
    fn list<'e, 'x: 'e>(&mut self, elements: impl Iterator<Item = &'e Element<'x>>, value: &XmlValue) {
        self.0.push('[');
        for (at, element) in elements.enumerate() {
            if at > 0 {
                self.0.push(',');
            }
            self.value(element, value);
        }
        self.0.push(']');
    }

    /// Writes a JSON object of the children of an element.
    fn map(&mut self, element: &Element<'_>, value: &XmlValue) {
        self.0.push('{');
        for child in &element.children {
            self.name(child.name.local);
            self.value(child, value);
        }
        self.0.push('}');
    }

    /// Writes the fields of a resource, in document order.
    fn object(&mut self, element: &Element<'_>, object: &ObjectDescription) {
        self.0.push('{');
        let mut unknown = UnknownNodes::new(object);
        for (name, value) in &element.attributes {
            match find_field(object, name, Context::Attribute) {
                Some((_, member)) => {
                    self.name(member.name);
                    self.scalar(value, &member.value);
                }
                None => unknown.add_attribute(name.local, value),
            }
        }
        // Attributes about the document are not unknown fields.
        for (name, value) in &element.instance {
            if let Some(member) = object.instance_member(name) {
                self.name(member.name);
                self.scalar(value, &member.value);
            }
        }
        let mut lists: Vec<Vec<&Element<'_>>> = Vec::new();
        let mut places: Vec<(usize, usize)> = Vec::new();
        for child in &element.children {
            match find_field(object, &child.name, Context::ChildOf(element)) {
                Some((at, member)) if member.representation == Representation::Elements => {
                    match places.iter().find(|(known, _)| *known == at).and_then(|(_, place)| lists.get_mut(*place)) {
                        Some(list) => list.push(child),
                        None => {
                            places.push((at, lists.len()));
                            lists.push(vec![child]);
                        }
                    }
                }
                // A duplicate is written twice, so that decoding reports it.
                Some((_, member)) => {
                    self.name(member.name);
                    self.value(child, &member.value);
                }
                None => unknown.add_element(child),
            }
        }
        for ((at, _), list) in places.iter().zip(lists) {
            let Some(member) = object.fields.get(*at) else { continue };
            self.name(member.name);
            self.list(list.into_iter(), &member.value);
        }
        self.text_member(element, object);
        self.unknown(unknown, object.rest);
        self.0.push('}');
    }

    /// Writes the field that is the text of the element.
    fn text_member(&mut self, element: &Element<'_>, object: &ObjectDescription) {
        let Some(member) = object.text() else { return };
        // An empty element has an empty text, if that is a valid value.
        let is_nothing = match element.text.is_empty() {
            true => !element.children.is_empty() || !member.value.can_be_empty(),
            false => !element.children.is_empty() && is_blank(&element.text),
        };
        if !is_nothing {
            self.name(member.name);
            self.scalar(&element.text, &member.value);
        }
    }

    /// Writes the unknown fields.
    fn unknown(&mut self, unknown: UnknownNodes<'_, '_>, rest: Option<&XmlValue>) {
        let value = rest.unwrap_or(&XmlValue::Any);
        for (name, text) in unknown.attributes {
            self.name(name);
            self.scalar(text, value);
        }
        for (name, elements) in unknown.elements {
            self.name(name);
            match elements.as_slice() {
                [one] => self.value(one, value),
                // A list of typed values is converted by their type.
                several => match value {
                    XmlValue::List(_, inner) => self.list(several.iter().copied(), inner),
                    other => self.list(several.iter().copied(), other),
                },
            }
        }
    }

    /// Writes an element without a description.
    fn any(&mut self, element: &Element<'_>) {
        if element.is_nil {
            return self.0.push_str("null");
        }
        if element.children.is_empty() && element.attributes.is_empty() {
            return self.text(&element.text);
        }
        self.object(element, &ObjectDescription { fields: &[], rest: None });
    }
}

/// Returns whether a text is JSON of one of these kinds, other than a string.
pub fn is_json_of_kind(bits: u8, text: &str) -> bool {
    let kind = match text.as_bytes().first() {
        Some(b't' | b'f') => kinds::BOOL,
        Some(b'0'..=b'9' | b'-') => kinds::INTEGER | kinds::FRACTION,
        _ => return false,
    };
    let is_json = || match kind {
        kinds::BOOL => matches!(text, "true" | "false"),
        _ => serde_json::from_str::<serde_json::Number>(text).is_ok(),
    };
    bits & kind != 0 && is_json()
}
