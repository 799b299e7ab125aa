//! Enums that preserve values this version does not know.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use serde::de::Deserializer;
use serde::ser::Serializer;

mod impls;
mod mixed;
mod visitor;

use self::visitor::EnumVisitor;
pub use impls::{
    clone_open_enum, debug_open_enum, display_open_enum, eq_open_enum, hash_open_enum, open_enum_from_string,
    parse_open_enum,
};

/// Type of the values of an enum on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// Strings.
    Strings,
    /// Integers; their texts are the decimal digits.
    Integers,
    /// Numbers; their texts are in JSON format, without a zero fraction.
    Numbers,
    /// Strings, numbers and booleans; the text of each is its JSON, with quotes around a string.
    Json,
}

/// Enum with known values and one variant for all others. [`open_enum!`](crate::open_enum!) implements it.
pub trait OpenEnum: Sized + Clone + PartialEq + 'static {
    /// Name of the type in the schema.
    const NAME: &'static str;

    /// Canonical wire names of the known values, in the order of the schema.
    const VALUES: &'static [&'static str];

    /// Aliases of known values, each with the index of the value in [`VALUES`](Self::VALUES). The first alias of a
    /// value is the name of the public service.
    const ALIASES: &'static [(&'static str, u32)] = &[];

    /// Type of the values on the wire.
    const KIND: ValueKind = ValueKind::Strings;

    /// Returns the value with this index in [`VALUES`](Self::VALUES).
    fn from_index(place: u32) -> Option<Self>;

    /// Returns the index of this value in [`VALUES`](Self::VALUES).
    ///
    /// # Errors
    /// Returns the unknown value, if it is one.
    fn index(&self) -> Result<u32, &UnknownValue<Self>>;

    /// Creates the value for an unknown text.
    fn from_unknown(value: UnknownValue<Self>) -> Self;

    /// Returns the known value with this canonical name or alias.
    #[inline]
    fn parse_known(text: &str) -> Option<Self> {
        find_by_name(text)
    }

    /// Returns the index of this value in [`VALUES`](Self::VALUES), or `None` if it is unknown.
    #[inline]
    fn wire_index(&self) -> Option<u32> {
        self.index().ok()
    }

    /// Returns the unknown value, if it is one.
    #[inline]
    fn as_unknown(&self) -> Option<&UnknownValue<Self>> {
        self.index().err()
    }

    /// Returns the text on the wire. Aliases are replaced by the canonical name when they are read.
    #[inline]
    fn as_str(&self) -> &str {
        match self.index() {
            Ok(place) => name_at::<Self>(place).unwrap_or_default(),
            Err(unknown) => unknown.as_str(),
        }
    }

    /// Returns the canonical wire name of a known value, or `None` if the value is unknown.
    #[inline]
    fn wire_name(&self) -> Option<&'static str> {
        name_at::<Self>(self.wire_index()?)
    }

    /// Returns the text on the wire in the [current naming](crate::naming::current_naming).
    #[inline]
    fn wire_str(&self) -> &str {
        if !Self::ALIASES.is_empty()
            && crate::naming::current_naming() == crate::Naming::Public
            && let Ok(known) = self.index()
            && let Some((public, _)) = Self::ALIASES.iter().find(|(_, place)| *place == known)
        {
            return public;
        }
        self.as_str()
    }

    /// Creates the value with this text. It cannot fail: an unknown text gives an unknown value.
    ///
    /// For an enum with values of several types the text is JSON, or else a string without its quotes.
    #[inline]
    fn from_text(text: &str) -> Self {
        if Self::KIND == ValueKind::Json {
            return mixed::from_text(text);
        }
        Self::parse_known(text).unwrap_or_else(|| Self::from_unknown(UnknownValue::new_unchecked(text.to_owned())))
    }

    /// Returns the text without quotes around strings, as in a path or a query.
    #[inline]
    fn plain_text(&self) -> Cow<'_, str> {
        if Self::KIND == ValueKind::Json { mixed::unquote(self.wire_str()) } else { Cow::Borrowed(self.wire_str()) }
    }

    /// Returns whether this version knows the value.
    #[inline]
    fn is_known(&self) -> bool {
        self.index().is_ok()
    }
}

/// Returns the known value with this name or alias, by a linear search.
#[inline]
pub(crate) fn find_by_name<E: OpenEnum>(text: &str) -> Option<E> {
    let place = (0..).zip(E::VALUES).find(|(_, name)| **name == text).map(|(place, _)| place);
    let alias = || E::ALIASES.iter().find(|(alias, _)| *alias == text).map(|(_, place)| *place);
    E::from_index(place.or_else(alias)?)
}

/// Returns the canonical name of the value with this index.
#[inline]
fn name_at<E: OpenEnum>(place: u32) -> Option<&'static str> {
    E::VALUES.get(usize::try_from(place).ok()?).copied()
}

/// Text of a value that `E` does not know. It cannot be the text of a known value, so comparing an enum with a known
/// variant is sufficient: no unknown value equals it on the wire.
pub struct UnknownValue<E> {
    text: String,
    of: PhantomData<fn() -> E>,
}

impl<E: OpenEnum> UnknownValue<E> {
    /// Creates a value from a text that `E` does not know.
    ///
    /// # Errors
    /// Returns the known value, if the text is one.
    pub fn new(text: impl Into<String>) -> Result<Self, E> {
        let text = text.into();
        match E::parse_known(&text) {
            Some(known) => Err(known),
            None => Ok(Self::new_unchecked(text)),
        }
    }
}

impl<E> UnknownValue<E> {
    /// Creates a value from a text that was looked up before.
    const fn new_unchecked(text: String) -> Self {
        Self { text, of: PhantomData }
    }

    /// Returns the text as it was on the wire.
    #[inline]
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

// Implemented by hand because a derive would require the same of `E`, which itself contains this type.
impl<E> Clone for UnknownValue<E> {
    fn clone(&self) -> Self {
        Self::new_unchecked(self.text.clone())
    }
}

impl<E> fmt::Debug for UnknownValue<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text, f)
    }
}

impl<E> PartialEq for UnknownValue<E> {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl<E> Eq for UnknownValue<E> {}

impl<E> Hash for UnknownValue<E> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl<E> PartialOrd for UnknownValue<E> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<E> Ord for UnknownValue<E> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.text.cmp(&other.text)
    }
}

/// Reads a value of an open enum; a known string needs no allocation.
///
/// # Errors
/// Returns an error if the input does not have the type of the values.
#[inline]
pub fn read_open_enum<'de, D: Deserializer<'de>, E: OpenEnum>(d: D) -> Result<E, D::Error> {
    match E::KIND {
        ValueKind::Strings => d.deserialize_str(EnumVisitor(PhantomData)),
        ValueKind::Integers => d.deserialize_i64(EnumVisitor(PhantomData)),
        ValueKind::Numbers => d.deserialize_f64(EnumVisitor(PhantomData)),
        ValueKind::Json => d.deserialize_any(EnumVisitor(PhantomData)),
    }
}

/// Writes a value of an open enum. A known value is written as a unit variant with its index in [`OpenEnum::VALUES`],
/// so that a serializer can distinguish it from a string; an unknown one as its text. With the [naming](crate::naming)
/// of the public service a value is written as its first alias.
///
/// # Errors
/// Returns an error if the serializer fails.
#[inline]
pub fn write_open_enum<S: Serializer, E: OpenEnum>(value: &E, s: S) -> Result<S::Ok, S::Error> {
    match E::KIND {
        ValueKind::Strings => {}
        ValueKind::Integers | ValueKind::Numbers => return write_number(value.wire_str(), s),
        ValueKind::Json => return mixed::write(value.wire_str(), s),
    }
    if !E::ALIASES.is_empty() && crate::naming::current_naming() == crate::Naming::Public {
        return s.serialize_str(value.wire_str());
    }
    match (value.wire_index(), value.wire_name()) {
        (Some(index), Some(name)) => s.serialize_unit_variant(E::NAME, index, name),
        _ => s.serialize_str(value.as_str()),
    }
}

/// Writes a number; any other text is written as a string.
fn write_number<S: Serializer>(text: &str, s: S) -> Result<S::Ok, S::Error> {
    match (text.parse::<i64>(), text.parse::<u64>(), text.parse::<f64>()) {
        (Ok(number), ..) => s.serialize_i64(number),
        (_, Ok(number), _) => s.serialize_u64(number),
        (_, _, Ok(number)) if number.is_finite() => s.serialize_f64(number),
        _ => s.serialize_str(text),
    }
}
