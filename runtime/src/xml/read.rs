//! A document becomes JSON.

use std::collections::HashMap;

use super::characters::is_character;
use super::document::{self, Element, Named};
use super::fault::Fault;
use super::{Limits, Member, Object, Place, Root, Union, Value, unions};
use crate::json::DecodeError;
use crate::unions as kinds;

/// The JSON of a document.
pub fn json(root: &Root, document: &[u8], limits: Limits) -> Result<Vec<u8>, DecodeError> {
    let text = document.strip_prefix(b"\xef\xbb\xbf").unwrap_or(document);
    let read = || {
        let text = std::str::from_utf8(text)
            .map_err(|error| Fault::new(error.valid_up_to(), "the document must be in UTF-8"))?;
        let element = document::read(text, limits)?;
        let name = &root.name;
        if !name.local.is_empty() && !element.name.is(name) {
            let found: String = element.name.local.chars().take(40).filter(|c| is_character(*c)).collect();
            let message = format!("the outermost element is `{found}`, and not `{}`", name.local);
            return Err(Fault::new(element.start, message));
        }
        let mut json = Json(String::with_capacity(text.len()));
        json.value(&element, &root.value);
        Ok(json.0.into_bytes())
    };
    read().map_err(|fault| fault.within(text))
}

/// The JSON while it is written.
struct Json(String);

impl Json {
    /// What an element holds.
    fn value(&mut self, element: &Element<'_>, value: &Value) {
        if element.is_nil {
            return self.0.push_str("null");
        }
        match value {
            Value::Object(object) => self.object(element, object()),
            Value::Union(union) => self.union(element, union()),
            Value::List(_, inner) => self.list(element.children.iter(), inner),
            Value::Map(inner) => self.map(element, inner),
            Value::Any => self.any(element),
            // Elements in what is a text are no part of it, and are what is wrong with it.
            _ if !element.children.is_empty() => self.any(element),
            scalar => self.scalar(&element.text, scalar),
        }
    }

    fn union(&mut self, element: &Element<'_>, union: &'static Union) {
        match unions::of(element, union) {
            (_, Some(value)) => self.value(element, value),
            (union, None) if unions::is_plain(element) => self.scalar(&element.text, &Value::Mixed(union.kinds)),
            _ => self.any(element),
        }
    }

    /// What a text is.
    fn scalar(&mut self, text: &str, value: &Value) {
        let tight = text.trim_matches([' ', '\t', '\r', '\n']);
        let plain = match value {
            Value::Bool => matches!(tight, "true" | "false"),
            Value::Number => serde_json::from_str::<serde_json::Number>(tight).is_ok(),
            Value::Mixed(bits) => is_of(*bits, tight),
            Value::Token => return self.text(tight),
            _ => false,
        };
        // What is of another form stays a text, which the reader of the JSON refuses with its place.
        if plain { self.0.push_str(tight) } else { self.text(text) }
    }

    fn text(&mut self, text: &str) {
        self.0.push_str(&serde_json::Value::from(text).to_string());
    }

    fn name(&mut self, name: &str) {
        if !self.0.ends_with('{') {
            self.0.push(',');
        }
        self.text(name);
        self.0.push(':');
    }

    fn list<'e, 'x: 'e>(&mut self, elements: impl Iterator<Item = &'e Element<'x>>, value: &Value) {
        self.0.push('[');
        for (at, element) in elements.enumerate() {
            if at > 0 {
                self.0.push(',');
            }
            self.value(element, value);
        }
        self.0.push(']');
    }

    fn map(&mut self, element: &Element<'_>, value: &Value) {
        self.0.push('{');
        for child in &element.children {
            self.name(child.name.local);
            self.value(child, value);
        }
        self.0.push('}');
    }

    /// The members of a resource, in the order in which they come.
    fn object(&mut self, element: &Element<'_>, object: &Object) {
        self.0.push('{');
        let mut unknown = Unknown::new(object);
        for (name, value) in &element.attributes {
            match find(object, name, |place| place == Place::Attribute) {
                Some((_, member)) => {
                    self.name(member.name);
                    self.scalar(value, &member.value);
                }
                None => unknown.attribute(name.local, value),
            }
        }
        let mut lists: Vec<Vec<&Element<'_>>> = Vec::new();
        let mut places: Vec<(usize, usize)> = Vec::new();
        for child in &element.children {
            match find(object, &child.name, |place| matches!(place, Place::Element | Place::Elements)) {
                Some((at, member)) if member.place == Place::Elements => {
                    match places.iter().find(|(known, _)| *known == at).and_then(|(_, place)| lists.get_mut(*place)) {
                        Some(list) => list.push(child),
                        None => {
                            places.push((at, lists.len()));
                            lists.push(vec![child]);
                        }
                    }
                }
                // Given twice it stays so, and is refused as such.
                Some((_, member)) => {
                    self.name(member.name);
                    self.value(child, &member.value);
                }
                None => unknown.element(child),
            }
        }
        for ((at, _), list) in places.iter().zip(lists) {
            let Some(member) = object.members.get(*at) else { continue };
            self.name(member.name);
            self.list(list.into_iter(), &member.value);
        }
        self.own_text(element, object);
        self.unknown(unknown, object.rest);
        self.0.push('}');
    }

    /// The member that is the text of the element.
    fn own_text(&mut self, element: &Element<'_>, object: &Object) {
        let Some(member) = object.members.iter().find(|member| member.place == Place::Text) else { return };
        let is_blank = || element.text.trim().is_empty();
        if element.text.is_empty() || !element.children.is_empty() && is_blank() {
            return;
        }
        self.name(member.name);
        self.scalar(&element.text, &member.value);
    }

    /// What no member is for.
    fn unknown(&mut self, unknown: Unknown<'_, '_>, rest: Option<&Value>) {
        let value = rest.unwrap_or(&Value::Any);
        for (name, text) in unknown.attributes {
            self.name(name);
            self.scalar(text, value);
        }
        for (name, elements) in unknown.elements {
            self.name(name);
            match elements.as_slice() {
                [one] => self.value(one, value),
                // A list of what has a type is read as the type is.
                several => match value {
                    Value::List(_, inner) => self.list(several.iter().copied(), inner),
                    other => self.list(several.iter().copied(), other),
                },
            }
        }
    }

    /// An element of which nothing is known.
    fn any(&mut self, element: &Element<'_>) {
        if element.is_nil {
            return self.0.push_str("null");
        }
        if element.children.is_empty() && element.attributes.is_empty() {
            return self.text(&element.text);
        }
        self.object(element, &Object { members: &[], rest: None });
    }
}

/// Whether a text is JSON of one of these kinds, and no text.
fn is_of(bits: u8, text: &str) -> bool {
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

/// The member that a name is of: that of the very namespace before one that would take it as well.
fn find<'o>(object: &'o Object, name: &Named<'_>, of: impl Fn(Place) -> bool) -> Option<(usize, &'o Member)> {
    let members = || object.members.iter().enumerate().filter(|(_, member)| of(member.place));
    members()
        .find(|(_, member)| name.is_exactly(&member.xml))
        .or_else(|| members().find(|(_, member)| name.is(&member.xml)))
        .or_else(|| members().find(|(_, member)| member.aliases.contains(&name.local)))
}

/// What a resource does not know, by name; what has the name that a member has in JSON is none of them.
struct Unknown<'o, 'e> {
    object: &'o Object,
    attributes: Vec<(&'e str, &'e str)>,
    elements: Vec<(&'e str, Vec<&'e Element<'e>>)>,
    /// The places of those by name: whoever sends the document chooses how many there are.
    places: HashMap<&'e str, usize>,
}

impl<'o, 'e> Unknown<'o, 'e> {
    fn new(object: &'o Object) -> Self {
        Self { object, attributes: Vec::new(), elements: Vec::new(), places: HashMap::new() }
    }

    fn is_known(&self, name: &str) -> bool {
        self.object.members.iter().any(|member| member.name == name || member.aliases.contains(&name))
    }

    fn attribute(&mut self, name: &'e str, value: &'e str) {
        if !self.is_known(name) && !self.attributes.iter().any(|(known, _)| *known == name) {
            self.attributes.push((name, value));
        }
    }

    fn element(&mut self, element: &'e Element<'e>) {
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
