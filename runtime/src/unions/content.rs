//! Buffered JSON values whose type is not known yet.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::{BorrowedStrDeserializer, StringDeserializer};
use serde::de::{DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;

use super::UNION_NEWTYPE;
use crate::decimal_digits::compare;
use crate::exact_number::{EXACT_NEWTYPE, NUMBER_NEWTYPE};
use crate::wire::{FromWire, WireSeed};
use crate::{Map, Value};

/// JSON value that preserves the order of fields and duplicates, so that decoding it later reports duplicates as
/// direct decoding would.
#[derive(Clone, Debug)]
pub(crate) enum Content<'de> {
    Null,
    Bool(bool),
    Unsigned(u64),
    Signed(i64),
    Float(f64),
    /// JSON number that is not an integer of 64 bits as it would be written.
    Number(&'de str),
    Text(Cow<'de, str>),
    List(Vec<Content<'de>>),
    Object(Vec<(Cow<'de, str>, Content<'de>)>),
}

impl<'de> Content<'de> {
    /// Converts the value to untyped JSON.
    ///
    /// # Errors
    /// Returns an error if a number is beyond all doubles.
    pub(super) fn into_value<E: Error>(self) -> Result<Value, E> {
        Ok(match self {
            Self::Null => Value::Null,
            Self::Bool(value) => value.into(),
            Self::Unsigned(value) => value.into(),
            Self::Signed(value) => value.into(),
            Self::Float(value) => value.into(),
            Self::Number(text) => parse_float::<E>(text)?.into(),
            Self::Text(text) => Value::String(text.into_owned()),
            Self::List(items) => Value::Array(items.into_iter().map(Self::into_value).collect::<Result<_, E>>()?),
            Self::Object(members) => into_map(members)?.into(),
        })
    }

    /// Converts the value to untyped JSON for a format in which scalars are texts: a number that untyped JSON would write
    /// differently becomes a string. `levels` is the number of nested levels whose scalars are texts; an object counts
    /// as two. Numbers below become strings only if untyped JSON would change their value.
    pub(crate) fn into_texts(self, levels: usize) -> Value {
        let within = |levels: usize, item: Self| item.into_texts(levels);
        match self {
            Self::Null => Value::Null,
            Self::Bool(value) => value.into(),
            Self::Unsigned(value) => value.into(),
            Self::Signed(value) => value.into(),
            Self::Float(value) => value.into(),
            Self::Number(text) => match text.parse::<f64>().map(Value::from) {
                Ok(value @ Value::Number(_)) if is_kept(&value.to_string(), text, levels > 0) => value,
                _ => Value::from(text),
            },
            Self::Text(text) => Value::String(text.into_owned()),
            Self::List(items) => items.into_iter().map(|item| within(levels.saturating_sub(1), item)).collect(),
            Self::Object(members) => {
                members.into_iter().map(|(name, item)| (name, within(levels.saturating_sub(2), item))).collect()
            }
        }
    }

    /// Returns the nearest double of a number that is not stored as an integer.
    pub(super) fn as_float(&self) -> Option<f64> {
        match self {
            Self::Float(value) => Some(*value),
            Self::Number(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// Returns a deserializer of the value.
    pub(super) const fn deserializer<E: Error>(self) -> ContentDeserializer<'de, E> {
        ContentDeserializer { content: self, error: PhantomData }
    }
}

/// Returns whether a number that is written as `written` is the same: the same text, or at least of the same value.
fn is_kept(written: &str, text: &str, as_text: bool) -> bool {
    if as_text { written == text } else { compare(written, text).is_eq() }
}

/// Converts the fields of an object to untyped JSON.
///
/// # Errors
/// Returns an error if a number is beyond all doubles.
pub(super) fn into_map<E: Error>(members: Vec<(Cow<'_, str>, Content<'_>)>) -> Result<Map, E> {
    members.into_iter().map(|(name, value)| Ok((name.into_owned(), value.into_value()?))).collect()
}

/// Returns the nearest double of a number.
fn parse_float<E: Error>(text: &str) -> Result<f64, E> {
    text.parse().ok().filter(|value: &f64| value.is_finite()).ok_or_else(|| E::custom("number out of range"))
}

impl<'de> FromWire<'de> for Content<'de> {
    fn from_wire<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_newtype_struct(EXACT_NEWTYPE, ContentVisitor)
    }
}

/// Visitor that buffers any JSON value.
struct ContentVisitor;

impl<'de> Visitor<'de> for ContentVisitor {
    type Value = Content<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Content::Null)
    }

    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Content::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, d: D) -> Result<Self::Value, D::Error> {
        d.deserialize_any(self)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Content::Bool(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Self::Value, E> {
        Ok(Content::Unsigned(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
        Ok(u64::try_from(value).map_or(Content::Signed(value), Content::Unsigned))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Self::Value, E> {
        Ok(Content::Float(value))
    }

    fn visit_borrowed_bytes<E: Error>(self, text: &'de [u8]) -> Result<Self::Value, E> {
        exact_number(text)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, d: D) -> Result<Self::Value, D::Error> {
        d.deserialize_any(self)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Content::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Content::Text(Cow::Borrowed(text)))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Self::Value, E> {
        Ok(Content::Text(Cow::Owned(text)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(WireSeed::new())? {
            list.push(item);
        }
        Ok(Content::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(Name(name)) = map.next_key_seed(WireSeed::new())? {
            members.push((name, map.next_value_seed(WireSeed::new())?));
        }
        Ok(Content::Object(members))
    }
}

/// Returns the content of a number whose text a deserializer passed for [`EXACT_NEWTYPE`].
pub(super) fn exact_number<E: Error>(text: &[u8]) -> Result<Content<'_>, E> {
    str::from_utf8(text).map(Content::Number).map_err(|_| E::custom("invalid number"))
}

/// Name of a field.
pub(super) struct Name<'de>(pub(super) Cow<'de, str>);

impl<'de> FromWire<'de> for Name<'de> {
    #[inline]
    fn from_wire<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_identifier(NameVisitor)
    }
}

/// Visitor of the name of a field, which is borrowed if the input allows it.
struct NameVisitor;

impl<'de> Visitor<'de> for NameVisitor {
    type Value = Name<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a field")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok(Name(Cow::Owned(name.to_owned())))
    }

    fn visit_borrowed_str<E: Error>(self, name: &'de str) -> Result<Self::Value, E> {
        Ok(Name(Cow::Borrowed(name)))
    }

    fn visit_string<E: Error>(self, name: String) -> Result<Self::Value, E> {
        Ok(Name(Cow::Owned(name)))
    }
}

/// Passes the name of a field to a seed.
pub(super) fn deserialize_name<'de, S: DeserializeSeed<'de>, E: Error>(
    name: Cow<'de, str>,
    seed: S,
) -> Result<S::Value, E> {
    match name {
        Cow::Borrowed(name) => seed.deserialize(BorrowedStrDeserializer::new(name)),
        Cow::Owned(name) => seed.deserialize(StringDeserializer::new(name)),
    }
}

/// Deserializer of a buffered value.
pub(crate) struct ContentDeserializer<'de, E> {
    content: Content<'de>,
    error: PhantomData<fn() -> E>,
}

impl<'de, E: Error> IntoDeserializer<'de, E> for Content<'de> {
    type Deserializer = ContentDeserializer<'de, E>;

    fn into_deserializer(self) -> Self::Deserializer {
        self.deserializer()
    }
}

impl<'de, E: Error> Deserializer<'de> for ContentDeserializer<'de, E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match self.content {
            Content::Null => visitor.visit_unit(),
            Content::Bool(value) => visitor.visit_bool(value),
            Content::Unsigned(value) => visitor.visit_u64(value),
            Content::Signed(value) => visitor.visit_i64(value),
            Content::Float(value) => visitor.visit_f64(value),
            Content::Number(text) => visitor.visit_f64(parse_float(text)?),
            Content::Text(Cow::Borrowed(text)) => visitor.visit_borrowed_str(text),
            Content::Text(Cow::Owned(text)) => visitor.visit_string(text),
            Content::List(items) => {
                visitor.visit_seq(serde::de::value::SeqDeserializer::<_, E>::new(items.into_iter()))
            }
            Content::Object(members) => {
                visitor.visit_map(ContentMembers { rest: members.into_iter(), value: None, error: PhantomData })
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match self.content {
            Content::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, E> {
        match (name, &self.content) {
            (NUMBER_NEWTYPE, Content::Number(text)) => visitor.visit_borrowed_str(text),
            (EXACT_NEWTYPE | UNION_NEWTYPE, Content::Number(text)) => visitor.visit_borrowed_bytes(text.as_bytes()),
            _ => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct enum identifier
    }
}

/// Fields of a buffered object.
struct ContentMembers<'de, E> {
    rest: std::vec::IntoIter<(Cow<'de, str>, Content<'de>)>,
    value: Option<Content<'de>>,
    error: PhantomData<fn() -> E>,
}

impl<'de, E: Error> MapAccess<'de> for ContentMembers<'de, E> {
    type Error = E;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, E> {
        let Some((key, value)) = self.rest.next() else { return Ok(None) };
        self.value = Some(value);
        deserialize_name(key, seed).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, E> {
        match self.value.take() {
            Some(value) => seed.deserialize(value.deserializer()),
            None => Err(E::custom("the value of a field was requested before its name")),
        }
    }
}
