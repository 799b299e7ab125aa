//! Document as a tree whose objects keep the order of their members, without duplicates.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use wireform_codegen::schema::read::Raw;
use wireform_codegen::schema::yaml::{Entry, Node, Style, Value as Written};

use crate::number::Number;
use crate::reference::Reference;

/// Value of a document.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Bool(bool),
    /// Number literal: `1.10` is a version for some keys.
    Number(String),
    Text(String),
    List(Vec<Value>),
    Object(Vec<(String, Value)>),
    /// Text that refers to a part of the document.
    Reference(Box<Reference>),
}

impl Value {
    /// Returns a member of an object.
    pub fn get(&self, key: &str) -> Option<&Value> {
        match self {
            Self::Object(members) => members.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// Returns a member of an object, or an element of a list, by the segment of a JSON pointer.
    pub fn part(&self, segment: &str) -> Option<&Value> {
        match self {
            Self::List(items) => segment.parse::<usize>().ok().and_then(|index| items.get(index)),
            value => value.get(segment),
        }
    }

    /// Inserts a member at a path in objects, which are created if they are absent.
    pub fn insert(&mut self, path: &[String], value: Value) {
        let (Self::Object(members), Some((name, rest))) = (self, path.split_first()) else { return };
        let known = members.iter().position(|(own, _)| own == name);
        if rest.is_empty() {
            members.push((name.clone(), value));
        } else if let Some((_, member)) = known.and_then(|index| members.get_mut(index)) {
            member.insert(rest, value);
        } else {
            let mut member = Self::Object(Vec::new());
            member.insert(rest, value);
            members.push((name.clone(), member));
        }
    }

    /// Returns the size of its texts in bytes, with one byte for each value in it.
    pub fn size(&self) -> usize {
        let inner: usize = match self {
            Self::List(items) => items.iter().map(Self::size).sum(),
            Self::Object(members) => members.iter().map(|(_, value)| value.size()).sum(),
            _ => 0,
        };
        self.own_size() + inner
    }

    /// Returns its size without that of the values in it.
    pub fn own_size(&self) -> usize {
        let text = match self {
            Self::Number(text) | Self::Text(text) => text.len(),
            Self::Reference(reference) => reference.text.len(),
            Self::Object(members) => members.iter().map(|(name, _)| name.len()).sum(),
            Self::Null | Self::Bool(_) | Self::List(_) => 0,
        };
        1 + text
    }

    /// Returns the reference that an object is.
    pub fn reference(&self) -> Option<&Reference> {
        match self.get("$ref")? {
            Self::Reference(reference) => Some(reference),
            _ => None,
        }
    }

    /// Returns the name of the schema of the components that a schema refers to.
    pub fn component(&self) -> Option<&str> {
        self.reference()?.component("schemas")
    }

    /// Returns whether it is an object.
    pub fn is_object(&self) -> bool {
        matches!(self, Self::Object(_))
    }

    /// Sorts the members of all objects by name.
    pub fn sort(&mut self) {
        match self {
            Self::List(items) => items.iter_mut().for_each(Self::sort),
            Self::Object(members) => {
                members.sort_by(|(a, _), (b, _)| a.cmp(b));
                members.iter_mut().for_each(|(_, value)| value.sort());
            }
            _ => {}
        }
    }

    /// Returns the text of the value.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Reference(reference) => Some(&reference.text),
            _ => None,
        }
    }

    /// Returns the value as a schema writes it.
    pub fn to_node(&self) -> Node {
        match self {
            Self::Null => Node::plain("null"),
            Self::Bool(flag) => Node::plain(flag.to_string()),
            Self::Number(text) => {
                let number = Number::exact(text).or_else(|| Number::parse(text));
                number.map_or_else(|| Node::quoted(text.as_str()), Number::to_node)
            }
            Self::Text(text) => Node::quoted(text.as_str()),
            Self::Reference(reference) => Node::quoted(reference.text.as_str()),
            Self::List(items) => Node::list(items.iter().map(Self::to_node).collect()),
            Self::Object(members) => {
                Node::map(members.iter().map(|(name, value)| Entry::new(name.as_str(), value.to_node())).collect())
            }
        }
    }

    /// Returns the value as one of a key such as `default`.
    pub fn to_raw(&self) -> Raw {
        Raw(self.to_node())
    }

    /// Converts a YAML value by the core schema of YAML 1.2, as far as JSON supports it.
    pub fn of_yaml(node: &Node) -> Self {
        match &node.value {
            _ if node.is_null() => Self::Null,
            Written::Scalar(text, Style::Plain) => plain(text),
            Written::Scalar(text, Style::Text) => Self::Text(text.clone()),
            Written::List(items) => Self::List(items.iter().map(Self::of_yaml).collect()),
            Written::Map(entries) => {
                Self::Object(entries.iter().map(|entry| (entry.key.clone(), Self::of_yaml(&entry.value))).collect())
            }
        }
    }
}

/// Converts a plain scalar of YAML.
fn plain(text: &str) -> Value {
    match text {
        "true" | "True" | "TRUE" => return Value::Bool(true),
        "false" | "False" | "FALSE" => return Value::Bool(false),
        _ => {}
    }
    let radix = |prefix: &str, radix| u64::from_str_radix(text.strip_prefix(prefix)?, radix).ok();
    if let Some(number) = radix("0x", 16).or_else(|| radix("0o", 8)) {
        return Value::Number(number.to_string());
    }
    let digits = text.strip_prefix('+').unwrap_or(text);
    let begins = digits.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit());
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    if begins && plain && digits.parse::<f64>().is_ok_and(f64::is_finite) {
        return Value::Number(digits.to_owned());
    }
    Value::Text(text.to_owned())
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

/// Visitor that builds a [`Value`]; it rejects duplicate keys.
struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Value, E> {
        Ok(Value::Bool(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Number(number.to_string()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(Value::Number(number.to_string()))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value, E> {
        let number = serde_json::Number::from_f64(number);
        number.map(|number| Value::Number(number.to_string())).ok_or_else(|| E::custom("a number is not finite"))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(Value::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut seen = std::collections::HashSet::new();
        let mut members = Vec::new();
        while let Some((key, value)) = entries.next_entry::<String, Value>()? {
            if !seen.insert(key.clone()) {
                return Err(A::Error::custom(format!("duplicate key `{}` in an object", key.escape_debug())));
            }
            members.push((key, value));
        }
        Ok(Value::Object(members))
    }
}
