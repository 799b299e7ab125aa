//! Values that are one of several types, and survive a type that this version does not know.
//!
//! | who tells the variant | how it is found |
//! |---|---|
//! | a member of the object, the discriminator | by its value; what stands behind it is read as it comes |
//! | the shape, and the kind of JSON is that of one variant | it is that variant, and read as it comes |
//! | the shape, and several variants have that kind | the value is held back and compared with each: the best [`Form`] counts, the first of equals |
//!
//! What fits no variant whole is kept as it came, so that it is written back unchanged. Null is no value of a union.

mod content;
mod form;
mod macros;

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, Unexpected, VariantAccess, Visitor,
};
use serde::ser::{SerializeMap, Serializer};

use crate::wire::Seed;
use crate::{Object, Value};
use content::{Content, Name};

pub use form::{ANY, BOOL, FRACTION, Form, INTEGER, LIST, OBJECT, ObjectForm, TEXT};

/// The name under which a union asks a decoder for its value. A decoder that can give a value twice answers with an
/// enum: its variant is the value to look at, and what the variant holds is the value again. So errors have the place
/// that they have without a union.
pub const UNION: &str = "$wireform::union";

/// A value that is one of several types. Generated code implements this and applies
/// [`open_union!`](crate::open_union!).
pub trait OpenUnion: Sized {
    /// The name of the type, as the schema gives it.
    const NAME: &'static str;

    /// The member whose value tells the variant; `None` if the shape does.
    const DISCRIMINATOR: Option<&'static str>;

    /// The variants, in the order of the schema; they are known by their place here.
    const VARIANTS: &'static [Variant];

    /// Reads a value of the variant with this index.
    ///
    /// # Errors
    /// Returns an error if it is not one.
    fn read<'de, D: Deserializer<'de>>(variant: usize, d: D) -> Result<Self, D::Error>;

    /// Creates a value of which nothing is known.
    fn unknown(value: Value) -> Self;

    /// Returns the value, if nothing is known of it.
    fn as_unknown(&self) -> Option<&Value>;

    /// Writes the value, the discriminator included.
    ///
    /// # Errors
    /// Returns the errors of the serializer.
    fn write<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error>;
}

/// What is known of a variant.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// The value of the discriminator, or the name that the schema gives it.
    pub name: &'static str,
    /// Whether what it holds has the discriminator as a member of its own.
    pub has_discriminator: bool,
    /// What its values look like.
    pub form: Form,
}

/// Writes the object of a variant, the discriminator first unless the object has it as a member of its own.
///
/// # Errors
/// Returns the errors of the serializer.
pub fn write_variant<S: Serializer, T: Object>(
    s: S,
    discriminator: &'static str,
    variant: &'static str,
    value: &T,
    has_discriminator: bool,
) -> Result<S::Ok, S::Error> {
    let mut map = s.serialize_map(None)?;
    if !has_discriminator {
        map.serialize_entry(discriminator, variant)?;
    }
    value.write(&mut map)?;
    map.end()
}

/// Writes the object of a variant of a union that is itself a variant: the discriminators with their values, but for
/// those that the object has as members of its own.
///
/// # Errors
/// Returns the errors of the serializer.
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
/// Returns an error if it is null, or is not of the type that its variant has.
#[inline]
pub fn read_union<'de, D: Deserializer<'de>, T: OpenUnion>(d: D) -> Result<T, D::Error> {
    d.deserialize_newtype_struct(UNION, UnionVisitor(PhantomData))
}

/// Returns the variant that a value is of.
fn choose<T: OpenUnion>(content: &Content<'_>) -> Option<usize> {
    match T::DISCRIMINATOR {
        Some(discriminator) => {
            let Content::Object(members) = content else { return None };
            let (_, told) = members.iter().find(|(name, _)| name == discriminator)?;
            let Content::Text(told) = told else { return None };
            named::<T>(told)
        }
        None => {
            let scores =
                T::VARIANTS.iter().enumerate().filter_map(|(at, variant)| Some((variant.form.score(content)?, at)));
            scores.min().map(|(_, at)| at)
        }
    }
}

fn named<T: OpenUnion>(name: &str) -> Option<usize> {
    T::VARIANTS.iter().position(|variant| variant.name == name)
}

/// Returns the one variant whose values are of that kind.
fn only<T: OpenUnion>(kind: u8) -> Option<usize> {
    if T::DISCRIMINATOR.is_some() {
        return None;
    }
    let mut found = T::VARIANTS.iter().enumerate().filter(|(_, variant)| variant.form.kinds() & kind != 0);
    let (at, _) = found.next()?;
    found.next().is_none().then_some(at)
}

impl Form {
    /// Returns the kinds of JSON that such values are.
    const fn kinds(&self) -> u8 {
        match self {
            Self::Nullable(form) => form.kinds(),
            Self::Kinds(kinds) | Self::Wide(kinds) => *kinds,
            Self::Integers { digits: false, .. } => INTEGER,
            Self::Integers { digits: true, .. } => INTEGER | TEXT,
            Self::Texts(_) | Self::Values(_) => TEXT,
            Self::List(_) => LIST,
            Self::Map(_) | Self::Object(_) | Self::Tagged(..) => OBJECT,
            // Only where several variants have a kind is it looked at, and then the kinds are not.
            Self::AnyOf(_) => ANY,
        }
    }
}

struct UnionVisitor<T>(PhantomData<fn() -> T>);

impl<T: OpenUnion> UnionVisitor<T> {
    /// Returns a value that was held back.
    fn held<E: Error>(self, content: Content<'_>) -> Result<T, E> {
        match choose::<T>(&content) {
            Some(variant) => T::read(variant, content.read()),
            None => Ok(T::unknown(content.into_value())),
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
        let (content, again) = access.variant_seed(Seed::<Content<'de>>::new())?;
        match choose::<T>(&content) {
            Some(variant) => again.newtype_variant_seed(VariantSeed(variant, PhantomData)),
            None if matches!(content, Content::Null) => Err(A::Error::invalid_type(Unexpected::Unit, &self)),
            None => Ok(T::unknown(content.into_value())),
        }
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<T, E> {
        self.held(Content::Bool(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<T, E> {
        self.held(Content::Unsigned(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<T, E> {
        self.held(u64::try_from(value).map_or(Content::Signed(value), Content::Unsigned))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<T, E> {
        self.held(Content::Float(value))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        self.held(Content::Text(Cow::Borrowed(text)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<T, A::Error> {
        if let Some(variant) = only::<T>(LIST) {
            return T::read(variant, SeqAccessDeserializer::new(items));
        }
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(Seed::new())? {
            list.push(item);
        }
        self.held(Content::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<T, A::Error> {
        if let Some(variant) = only::<T>(OBJECT) {
            return T::read(variant, MapAccessDeserializer::new(map));
        }
        let mut members: Vec<(Cow<'de, str>, Content<'de>)> = Vec::new();
        while let Some(Name(name)) = map.next_key_seed(Seed::new())? {
            let value: Content<'de> = map.next_value_seed(Seed::new())?;
            let told = T::DISCRIMINATOR.filter(|discriminator| *discriminator == name);
            let variant = match (&value, told) {
                (Content::Text(text), Some(_)) => named::<T>(text),
                _ => None,
            };
            let known = variant.and_then(|at| T::VARIANTS.get(at));
            if known.is_none_or(|variant| variant.has_discriminator) {
                members.push((name, value));
            }
            if let (Some(discriminator), Some(variant)) = (told, variant) {
                let members = Rest { held: members.into_iter(), value: None, discriminator, map };
                return T::read(variant, MapAccessDeserializer::new(members));
            }
        }
        match T::DISCRIMINATOR {
            Some(_) => Ok(T::unknown(content::object(members).into())),
            None => self.held(Content::Object(members)),
        }
    }
}

/// Reads a value of the variant with that index.
struct VariantSeed<T>(usize, PhantomData<fn() -> T>);

impl<'de, T: OpenUnion> DeserializeSeed<'de> for VariantSeed<T> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, d: D) -> Result<T, D::Error> {
        T::read(self.0, d)
    }
}

/// The members of an object whose variant is known: those that stand before the discriminator, then the others.
struct Rest<'de, A> {
    held: std::vec::IntoIter<(Cow<'de, str>, Content<'de>)>,
    value: Option<Content<'de>>,
    discriminator: &'static str,
    map: A,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Rest<'de, A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        if let Some((name, value)) = self.held.next() {
            self.value = Some(value);
            return content::name(name, seed).map(Some);
        }
        let Some(Name(name)) = self.map.next_key_seed(Seed::new())? else { return Ok(None) };
        if name == self.discriminator {
            // The variant might skip it, and another reader might go by the second.
            return Err(A::Error::duplicate_field(self.discriminator));
        }
        content::name(name, seed).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        match self.value.take() {
            Some(value) => seed.deserialize(value.read()),
            None => self.map.next_value_seed(seed),
        }
    }
}
