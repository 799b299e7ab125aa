//! Conversion of JSON to documents.

use serde_json::Value as Json;

use super::characters::{XSI, is_character, is_name};
use super::read::unions;
use super::{FieldDescription, ObjectDescription, Representation, XmlName, XmlRoot, XmlValue};
use crate::json::EncodeError;

/// Converts a value to a document.
pub fn document(root: &XmlRoot, json: &Json) -> Result<Vec<u8>, EncodeError> {
    let text = String::from(r#"<?xml version="1.0" encoding="UTF-8"?>"#);
    let mut writer = Writer { text, scope: Vec::new(), namespaces: Vec::new() };
    let name = if root.name.local.is_empty() { XmlName { local: "items", ..root.name } } else { root.name };
    writer.element(&name.into(), json, &root.value)?;
    Ok(writer.text.into_bytes())
}

/// Name that is written; one without a table is in no namespace.
struct Tag<'n> {
    local: &'n str,
    prefix: &'n str,
    namespace: &'n str,
}

impl From<XmlName> for Tag<'static> {
    fn from(name: XmlName) -> Self {
        Self { local: name.local, prefix: name.prefix, namespace: name.namespace }
    }
}

/// Writer of a document.
struct Writer {
    text: String,
    /// Declared namespaces, by prefix.
    scope: Vec<(String, String)>,
    /// Namespaces of the open elements.
    namespaces: Vec<String>,
}

/// Result of writing.
type WriteResult = Result<(), EncodeError>;

impl Writer {
    /// Writes an element with a value.
    fn element(&mut self, tag: &Tag<'_>, json: &Json, value: &XmlValue) -> WriteResult {
        let value = match value {
            XmlValue::Union(union) => &unions::json_description(union(), json),
            other => other,
        };
        let before = self.scope.len();
        self.open(tag);
        match (value, json) {
            (_, Json::Null) => {
                self.declare("xsi", XSI);
                self.text.push_str(r#" xsi:nil="true"/>"#);
                self.leave_element(before);
                return Ok(());
            }
            (XmlValue::Object(object), Json::Object(members)) => self.members(object(), members)?,
            (XmlValue::List(name, inner), Json::Array(list)) => {
                self.text.push('>');
                list.iter().try_for_each(|item| self.element(&(*name).into(), item, inner))?;
            }
            (XmlValue::Map(inner), Json::Object(entries)) => {
                self.text.push('>');
                entries.iter().try_for_each(|(name, entry)| self.unknown_element(name, entry, inner))?;
            }
            (_, Json::Object(entries)) => {
                self.text.push('>');
                entries.iter().try_for_each(|(name, entry)| self.unknown_member(name, entry))?;
            }
            (_, Json::Array(list)) => {
                self.text.push('>');
                list.iter().try_for_each(|item| self.unknown_element("item", item, &XmlValue::Any))?;
            }
            (_, scalar) => {
                self.text.push('>');
                self.characters(scalar, false)?;
            }
        }
        self.close(tag);
        self.leave_element(before);
        Ok(())
    }

    /// Writes an element with a name that no table has.
    fn unknown_element(&mut self, name: &str, json: &Json, value: &XmlValue) -> WriteResult {
        if !is_name(name) {
            let short: String = name.chars().take(40).collect();
            return Err(EncodeError::from_message(format!("invalid name `{}` of an element", short.escape_debug())));
        }
        self.element(&Tag { local: name, prefix: "", namespace: "" }, json, value)
    }

    /// Writes a field without a description: each element of a list.
    fn unknown_member(&mut self, name: &str, json: &Json) -> WriteResult {
        match json {
            Json::Array(list) => list.iter().try_for_each(|item| self.unknown_element(name, item, &XmlValue::Any)),
            other => self.unknown_element(name, other, &XmlValue::Any),
        }
    }

    /// Writes the attributes, the text and the children of a resource whose tag is open.
    fn members(&mut self, object: &ObjectDescription, members: &serde_json::Map<String, Json>) -> WriteResult {
        let found = |member: &FieldDescription| {
            members.get(member.name).or_else(|| member.aliases.iter().find_map(|alias| members.get(*alias)))
        };
        // Namespaces of the fields are declared at the start of the resource.
        for name in object.fields.iter().map(|member| member.xml).filter(|name| !name.prefix.is_empty()) {
            self.declare(name.prefix, name.namespace);
        }
        for member in object.fields.iter().filter(|member| member.representation == Representation::Attribute) {
            let Some(value) = found(member).filter(|value| !value.is_null()) else { continue };
            self.text.push(' ');
            self.write_name(&member.xml.into());
            self.text.push_str("=\"");
            self.characters(value, true)?;
            self.text.push('"');
        }
        self.text.push('>');
        for member in object.fields {
            let Some(value) = found(member) else { continue };
            match (member.representation, value) {
                (Representation::Attribute, _) => {}
                (Representation::Text, value) => self.characters(value, false)?,
                (Representation::Elements, Json::Array(list)) => {
                    list.iter().try_for_each(|item| self.element(&member.xml.into(), item, &member.value))?;
                }
                (Representation::Elements | Representation::Element, value) => {
                    self.element(&member.xml.into(), value, &member.value)?;
                }
            }
        }
        let is_known =
            |name: &String| object.fields.iter().any(|member| member.name == name || member.aliases.contains(&&**name));
        for (name, value) in members.iter().filter(|(name, _)| !is_known(name)) {
            match object.rest {
                Some(rest) if !matches!(rest, XmlValue::Any) => self.unknown_element(name, value, rest)?,
                _ => self.unknown_member(name, value)?,
            }
        }
        Ok(())
    }

    /// Writes the start of a tag, with the declaration of its namespace.
    fn open(&mut self, tag: &Tag<'_>) {
        self.text.push('<');
        self.write_name(tag);
        let plain = || self.namespace_of_prefix("").unwrap_or_default().to_owned();
        let namespace = match (tag.namespace, tag.prefix) {
            ("", "") => plain(),
            (explicit, _) => explicit.to_owned(),
        };
        // An element without a namespace can be in that of its parent, and in no other.
        let is_foreign =
            tag.namespace.is_empty() && !namespace.is_empty() && self.namespaces.last() != Some(&namespace);
        if !tag.namespace.is_empty() {
            self.declare(tag.prefix, tag.namespace);
        } else if is_foreign {
            self.declare("", "");
        }
        self.namespaces.push(if is_foreign { String::new() } else { namespace });
    }

    /// Leaves the open element and the scope of its declarations.
    fn leave_element(&mut self, declared_before: usize) {
        self.scope.truncate(declared_before);
        self.namespaces.pop();
    }

    /// Returns the namespace of a prefix.
    fn namespace_of_prefix(&self, prefix: &str) -> Option<&str> {
        self.scope.iter().rev().find(|(known, _)| known == prefix).map(|(_, namespace)| namespace.as_str())
    }

    /// Writes the end tag of an element.
    fn close(&mut self, tag: &Tag<'_>) {
        self.text.push_str("</");
        self.write_name(tag);
        self.text.push('>');
    }

    /// Writes a qualified name.
    fn write_name(&mut self, tag: &Tag<'_>) {
        if !tag.prefix.is_empty() {
            self.text.push_str(tag.prefix);
            self.text.push(':');
        }
        self.text.push_str(tag.local);
    }

    /// Declares a namespace in the open tag, unless it is in scope.
    fn declare(&mut self, prefix: &str, namespace: &str) {
        if self.namespace_of_prefix(prefix) == Some(namespace) {
            return;
        }
        self.text.push_str(" xmlns");
        if !prefix.is_empty() {
            self.text.push(':');
            self.text.push_str(prefix);
        }
        self.text.push_str("=\"");
        escape(namespace, true, &mut self.text);
        self.text.push('"');
        self.scope.push((prefix.to_owned(), namespace.to_owned()));
    }

    /// Writes a scalar as escaped text; null as nothing. An error if a character is invalid in XML.
    fn characters(&mut self, json: &Json, in_attribute: bool) -> WriteResult {
        match json {
            Json::Null => {}
            Json::String(text) if !text.chars().all(is_character) => {
                return Err(EncodeError::from_message("invalid XML character in a string"));
            }
            Json::String(text) => escape(text, in_attribute, &mut self.text),
            other => escape(&other.to_string(), in_attribute, &mut self.text),
        }
        Ok(())
    }
}

/// Appends a text in which markup is escaped, and what a parser would normalize.
fn escape(text: &str, in_attribute: bool, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // A parser normalizes it to a line feed.
            '\r' => out.push_str("&#13;"),
            '"' if in_attribute => out.push_str("&quot;"),
            '\n' if in_attribute => out.push_str("&#10;"),
            '\t' if in_attribute => out.push_str("&#9;"),
            c => out.push(c),
        }
    }
}
