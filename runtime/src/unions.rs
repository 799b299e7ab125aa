//! Unions: values of one of several types that preserve types this version does not know.
//!
//! | variant determined by | method |
//! |---|---|
//! | the discriminator, a field of the object | by its value; the fields after it are decoded directly |
//! | the shape, if only one variant has the kind of JSON | that variant, decoded directly |
//! | the shape, if several variants have the kind | the value is buffered and compared with the form of each variant, in which the generator put what distinguishes it from the others: the one with the best score wins, the first of equals |
//! | decoding, if the form of several variants matches | the best of those that the value can be decoded as |
//!
//! The best score is that of the variant of which the value says most: constants, listed values, values within bounds,
//! patterns and formats before other values of the same kind, a resource before a map, fewer unknown fields before more, complete
//! objects before those that lack required fields.
//!
//! A value that matches the form of no variant is preserved as unknown, so that it is written back unchanged. Null is
//! not a value of a union. A value that matches only variants as which it cannot be decoded is an error.

mod content;
mod form;
mod macros;

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, Unexpected, VariantAccess, Visitor,
};
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::wire::WireSeed;
use crate::{Object, Value};
use content::Name;

pub(crate) use content::Content;

pub use form::{ANY, BOOL, Bounds, FRACTION, INTEGER, LIST, OBJECT, ObjectForm, TEXT, ValueForm};

/// Name of the newtype with which a union requests its value from a deserializer. A deserializer that can repeat a
/// value responds with an enum: its variant is the value for inspection, and the content of the variant is the value
/// again. So errors have the same path as without a union.
pub const UNION_NEWTYPE: &str = "$wireform::union";

/// Value of one of several types. Generated code implements this and applies [`open_union!`](crate::open_union!).
pub trait OpenUnion: Sized {
    /// Name of the type in the schema.
    const NAME: &'static str;

    /// Field whose value determines the variant; `None` if the shape does.
    const DISCRIMINATOR: Option<&'static str>;

    /// Kind of the values of the discriminator: strings, integers or booleans.
    const TAG: u8 = TEXT;

    /// Variants, in the order of the schema; a variant is identified by its index.
    const VARIANTS: &'static [Variant];

    /// Reads a value of the variant with this index.
    ///
    /// # Errors
    /// Returns an error if it is not a value of the variant.
    fn read<'de, D: Deserializer<'de>>(variant: usize, d: D) -> Result<Self, D::Error>;

    /// Creates an unknown value.
    fn from_unknown(value: Value) -> Self;

    /// Returns the value if it is unknown.
    fn as_unknown(&self) -> Option<&Value>;

    /// Writes the value, including the discriminator.
    ///
    /// # Errors
    /// Returns an error if the serializer fails.
    fn write<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error>;
}

/// Description of a variant.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// Value of the discriminator, or the name of the variant in the schema.
    pub name: &'static str,
    /// True if the type of the variant has the discriminator as a field.
    pub has_discriminator: bool,
    /// Form of its values.
    pub form: ValueForm,
}

/// Writes the object of a variant, starting with the discriminator unless the object has it as a field.
///
/// # Errors
/// Returns an error if the serializer fails.
pub fn write_variant<S: Serializer, T: Object, V: Serialize>(
    s: S,
    discriminator: &'static str,
    variant: V,
    value: &T,
    has_discriminator: bool,
) -> Result<S::Ok, S::Error> {
    let mut map = s.serialize_map(None)?;
    if !has_discriminator {
        map.serialize_entry(discriminator, &variant)?;
    }
    value.write(&mut map)?;
    map.end()
}

/// Writes the object of a variant of a nested union: the discriminators with their values, except for those that the
/// object has as fields.
///
/// # Errors
/// Returns an error if the serializer fails.
pub fn write_nested<S: Serializer, T: Object>(
    s: S,
    discriminators: &[(&'static str, &'static str, bool)],
    value: &T,
) -> Result<S::Ok, S::Error> {
    let mut map = s.serialize_map(None)?;
    for (discriminator, variant, _) in discriminators.iter().filter(|(.., is_member)| !is_member) {
        map.serialize_entry(discriminator, variant)?;
    }
    value.write(&mut map)?;
    map.end()
}

/// Reads a value of a union.
///
/// # Errors
/// Returns an error if the value is null, or does not have the type of its variant.
#[inline]
pub fn read_union<'de, D: Deserializer<'de>, T: OpenUnion>(d: D) -> Result<T, D::Error> {
    d.deserialize_newtype_struct(UNION_NEWTYPE, UnionVisitor(PhantomData))
}

/// Returns the variant of a value.
fn choose_variant<T: OpenUnion>(content: &Content<'_>) -> Option<usize> {
    match T::DISCRIMINATOR {
        Some(discriminator) => {
            let Content::Object(members) = content else { return None };
            let (_, tag) = members.iter().find(|(name, _)| name == discriminator)?;
            find_tagged::<T>(tag)
        }
        // Whether a value can be decoded does not depend on the variants of unions in it.
        None if IS_TRIAL.get() => None,
        None => {
            let score = |(at, variant): (usize, &Variant)| Some((variant.form.score(content, false)?, at));
            let mut scores: Vec<_> = T::VARIANTS.iter().enumerate().filter_map(score).collect();
            scores.sort_unstable();
            let best = scores.first().map(|(_, at)| *at);
            // A scalar that has the form of a variant is a value of it.
            if scores.len() < 2 || !matches!(content, Content::List(_) | Content::Object(_)) {
                return best;
            }
            scores.into_iter().map(|(_, at)| at).find(|at| is_decodable::<T>(*at, content)).or(best)
        }
    }
}

thread_local! {
    /// True while a value is decoded only to find out whether it can be.
    static IS_TRIAL: Cell<bool> = const { Cell::new(false) };
}

/// Returns whether a value can be decoded as the variant with this index. Unions without a discriminator in it accept
/// every value then: to try their variants in turn would take time exponential in the depth.
fn is_decodable<T: OpenUnion>(variant: usize, content: &Content<'_>) -> bool {
    IS_TRIAL.set(true);
    let decoded =
        T::read::<content::ContentDeserializer<'_, serde::de::value::Error>>(variant, content.clone().deserializer());
    IS_TRIAL.set(false);
    decoded.is_ok()
}

/// Returns the index of the variant with this name.
fn find_variant<T: OpenUnion>(name: &str) -> Option<usize> {
    T::VARIANTS.iter().position(|variant| variant.name == name)
}

/// Returns the index of the variant with this value of the discriminator.
#[inline]
fn find_tagged<T: OpenUnion>(tag: &Content<'_>) -> Option<usize> {
    match tag {
        Content::Text(text) if T::TAG == TEXT => find_variant::<T>(text),
        _ if T::TAG == TEXT => None,
        _ if form::kind(tag) == T::TAG => find_variant::<T>(&form::scalar_json(tag)?),
        _ => None,
    }
}

/// Returns the only variant with values of this kind.
fn only_variant<T: OpenUnion>(kind: u8) -> Option<usize> {
    if T::DISCRIMINATOR.is_some() {
        return None;
    }
    let mut found = T::VARIANTS.iter().enumerate().filter(|(_, variant)| variant.form.kinds() & kind != 0);
    let (at, _) = found.next()?;
    found.next().is_none().then_some(at)
}

/// Visitor that decodes a value into the matching variant.
struct UnionVisitor<T>(PhantomData<fn() -> T>);

impl<T: OpenUnion> UnionVisitor<T> {
    /// Decodes a buffered value.
    fn decode_buffered<E: Error>(self, content: Content<'_>) -> Result<T, E> {
        match choose_variant::<T>(&content) {
            Some(variant) => T::read(variant, content.deserializer()),
            None => content.into_value().map(T::from_unknown),
        }
    }
}

impl<'de, T: OpenUnion> Visitor<'de> for UnionVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a value ({})", T::NAME)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, d: D) -> Result<T, D::Error> {
        d.deserialize_any(self)
    }

    fn visit_some<D: Deserializer<'de>>(self, d: D) -> Result<T, D::Error> {
        d.deserialize_any(self)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<T, A::Error> {
        let (content, again) = access.variant_seed(WireSeed::<Content<'de>>::new())?;
        match choose_variant::<T>(&content) {
            Some(variant) => again.newtype_variant_seed(VariantSeed(variant, PhantomData)),
            None if matches!(content, Content::Null) => Err(A::Error::invalid_type(Unexpected::Unit, &self)),
            None => content.into_value().map(T::from_unknown),
        }
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<T, E> {
        self.decode_buffered(Content::Bool(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<T, E> {
        self.decode_buffered(Content::Unsigned(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<T, E> {
        self.decode_buffered(u64::try_from(value).map_or(Content::Signed(value), Content::Unsigned))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<T, E> {
        self.decode_buffered(Content::Float(value))
    }

    fn visit_borrowed_bytes<E: Error>(self, text: &'de [u8]) -> Result<T, E> {
        self.decode_buffered(content::exact_number(text)?)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        self.decode_buffered(Content::Text(Cow::Borrowed(text)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<T, A::Error> {
        if let Some(variant) = only_variant::<T>(LIST) {
            return T::read(variant, SeqAccessDeserializer::new(items));
        }
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(WireSeed::new())? {
            list.push(item);
        }
        self.decode_buffered(Content::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<T, A::Error> {
        if let Some(variant) = only_variant::<T>(OBJECT) {
            return T::read(variant, MapAccessDeserializer::new(map));
        }
        let mut members: Vec<(Cow<'de, str>, Content<'de>)> = Vec::new();
        while let Some(Name(name)) = map.next_key_seed(WireSeed::new())? {
            let value: Content<'de> = map.next_value_seed(WireSeed::new())?;
            let tag = T::DISCRIMINATOR.filter(|discriminator| *discriminator == name);
            let variant = tag.and_then(|_| find_tagged::<T>(&value));
            let known = variant.and_then(|at| T::VARIANTS.get(at));
            if known.is_none_or(|variant| variant.has_discriminator) {
                members.push((name, value));
            }
            if let (Some(discriminator), Some(variant)) = (tag, variant) {
                let members = VariantMembers { buffered: members.into_iter(), value: None, discriminator, map };
                return T::read(variant, MapAccessDeserializer::new(members));
            }
        }
        match T::DISCRIMINATOR {
            Some(_) => Ok(T::from_unknown(content::into_map(members)?.into())),
            None => self.decode_buffered(Content::Object(members)),
        }
    }
}

/// Seed that reads a value of the variant with this index.
struct VariantSeed<T>(usize, PhantomData<fn() -> T>);

impl<'de, T: OpenUnion> DeserializeSeed<'de> for VariantSeed<T> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, d: D) -> Result<T, D::Error> {
        T::read(self.0, d)
    }
}

/// Fields of an object with a known variant: the buffered ones before the discriminator, then the others.
struct VariantMembers<'de, A> {
    buffered: std::vec::IntoIter<(Cow<'de, str>, Content<'de>)>,
    value: Option<Content<'de>>,
    discriminator: &'static str,
    map: A,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for VariantMembers<'de, A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        if let Some((name, value)) = self.buffered.next() {
            self.value = Some(value);
            return content::deserialize_name(name, seed).map(Some);
        }
        let Some(Name(name)) = self.map.next_key_seed(WireSeed::new())? else { return Ok(None) };
        if name == self.discriminator {
            // The variant might skip it, and another parser might use the second.
            return Err(A::Error::duplicate_field(self.discriminator));
        }
        content::deserialize_name(name, seed).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        match self.value.take() {
            Some(value) => seed.deserialize(value.deserializer()),
            None => self.map.next_value_seed(seed),
        }
    }
}
