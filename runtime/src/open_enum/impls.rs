//! Implementations for open enums that replace derives: a value is the index of a known one, or a text. The macro calls
//! one function in each method, since every expression in it is checked for every enum.

use std::convert::Infallible;
use std::fmt;
use std::hash::{Hash, Hasher};

use super::{OpenEnum, UnknownValue};

/// Returns a copy of a value.
#[inline]
#[must_use]
pub fn clone_open_enum<E: OpenEnum>(value: &E) -> E {
    match value.index() {
        Ok(place) => E::from_index(place).unwrap_or_else(|| E::from_text("")),
        Err(unknown) => E::from_unknown(unknown.clone()),
    }
}

/// Returns whether two values are equal.
#[inline]
#[must_use]
pub fn eq_open_enum<E: OpenEnum>(one: &E, other: &E) -> bool {
    one.index() == other.index()
}

/// Hashes a value.
#[inline]
pub fn hash_open_enum<E: OpenEnum, H: Hasher>(value: &E, state: &mut H) {
    value.index().hash(state);
}

/// Formats a known value as its wire name, and an unknown one as `Unknown("its text")`.
///
/// # Errors
/// Returns an error if the formatter fails.
pub fn debug_open_enum<E: OpenEnum>(value: &E, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match value.index() {
        Ok(_) => f.pad(value.as_str()),
        Err(unknown) => f.debug_tuple("Unknown").field(unknown).finish(),
    }
}

/// Formats a value as its text on the wire.
///
/// # Errors
/// Returns an error if the formatter fails.
pub fn display_open_enum<E: OpenEnum>(value: &E, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.pad(value.as_str())
}

/// Creates the value with this text. Every text is a value.
///
/// # Errors
/// Never returns an error.
#[inline]
pub fn parse_open_enum<E: OpenEnum>(text: &str) -> Result<E, Infallible> {
    Ok(E::from_text(text))
}

/// Creates the value with this text, which an unknown value keeps without a copy.
#[must_use]
pub fn open_enum_from_string<E: OpenEnum>(text: String) -> E {
    match UnknownValue::new(text) {
        Ok(unknown) => E::from_unknown(unknown),
        Err(known) => known,
    }
}

/// Implements [`OpenEnum`] from the known values, and the traits that build on it: the conversions from and to text,
/// comparison, hashing, `Debug`, the serde traits and [`FromWire`](crate::FromWire). A value has its index, its
/// variant, its wire name, and its aliases; the enum has the variant `Unknown` for all others.
///
/// ```text
/// open_enum! {
///     EventStatus "EventStatus" {
///         0 Confirmed "confirmed",
///         1 Tentative "tentative" | "maybe",
///     }
/// }
/// ```
///
/// The word `numbers` before the values means that they are integers on the wire, `floats` that they are numbers, and
/// `json` that they are strings, numbers and booleans, whose texts are JSON. The word `many` gives the enum a lookup
/// table sized by its values, whose compile time is justified for more than 16 names.
#[doc(hidden)]
#[macro_export]
macro_rules! open_enum {
    ($ty:ident $name:literal $($word:ident)* { $($place:literal $variant:ident $text:literal),* $(,)? }) => {
        $crate::open_enum! { @all $ty $name [$($word)*] { $($place $variant $text,)* } }
    };
    ($ty:ident $name:literal $($word:ident)* {
        $($place:literal $variant:ident $text:literal $(| $alias:literal)*),* $(,)?
    }) => {
        $crate::open_enum! {
            @all $ty $name [$($word)*] { $($place $variant $text,)* }
            const ALIASES: &'static [(&'static str, u32)] = &[$($(($alias, $place),)*)*];
        }
    };
    (@numbers) => {
        const KIND: $crate::__private::ValueKind = $crate::__private::ValueKind::Integers;
    };
    (@floats) => {
        const KIND: $crate::__private::ValueKind = $crate::__private::ValueKind::Numbers;
    };
    (@json) => {
        const KIND: $crate::__private::ValueKind = $crate::__private::ValueKind::Json;
    };
    // Evaluated for each type, which is justified only if there are many values.
    (@many) => {
        #[inline]
        fn parse_known(text: &str) -> ::core::option::Option<Self> {
            $crate::__private::find_value::<Self, { $crate::__private::value_slots(Self::VALUES.len(), Self::ALIASES.len()) }>(text)
        }
    };
    (@all $ty:ident $name:literal [$($word:ident)*] { $($place:literal $variant:ident $text:literal,)* } $($more:tt)*) => {
        impl $ty {
            /// Returns the text on the wire. Aliases are replaced by the canonical name when they are read.
            #[inline]
            #[must_use]
            pub fn as_str(&self) -> &str {
                $crate::OpenEnum::as_str(self)
            }
        }

        impl $crate::OpenEnum for $ty {
            const NAME: &'static str = $name;
            const VALUES: &'static [&'static str] = &[$($text),*];
            $($more)*
            $($crate::open_enum!(@$word);)*

            #[inline]
            fn from_index(index: u32) -> ::core::option::Option<Self> {
                ::core::option::Option::Some(match index {
                    $($place => Self::$variant,)*
                    _ => return ::core::option::Option::None,
                })
            }

            #[inline]
            fn index(&self) -> ::core::result::Result<u32, &$crate::UnknownValue<Self>> {
                ::core::result::Result::Ok(match self {
                    $(Self::$variant => $place,)*
                    Self::Unknown(unknown) => return ::core::result::Result::Err(unknown),
                })
            }

            fn from_unknown(value: $crate::UnknownValue<Self>) -> Self {
                Self::Unknown(value)
            }
        }

        impl ::core::clone::Clone for $ty {
            #[inline]
            fn clone(&self) -> Self {
                $crate::__private::clone_open_enum(self)
            }
        }

        impl ::core::cmp::PartialEq for $ty {
            #[inline]
            fn eq(&self, other: &Self) -> bool {
                $crate::__private::eq_open_enum(self, other)
            }
        }

        impl ::core::cmp::Eq for $ty {}

        impl ::core::hash::Hash for $ty {
            #[inline]
            fn hash<H: ::core::hash::Hasher>(&self, state: &mut H) {
                $crate::__private::hash_open_enum(self, state);
            }
        }

        impl ::core::fmt::Debug for $ty {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                $crate::__private::debug_open_enum(self, f)
            }
        }

        impl ::core::convert::From<&str> for $ty {
            fn from(text: &str) -> Self {
                $crate::OpenEnum::from_text(text)
            }
        }

        impl ::core::convert::From<::std::string::String> for $ty {
            fn from(text: ::std::string::String) -> Self {
                $crate::__private::open_enum_from_string(text)
            }
        }

        impl ::core::str::FromStr for $ty {
            type Err = ::core::convert::Infallible;

            // Not `Self::Err`, which would be the value `Err` of an enum that has one.
            fn from_str(text: &str) -> ::core::result::Result<Self, ::core::convert::Infallible> {
                $crate::__private::parse_open_enum(text)
            }
        }

        impl ::core::fmt::Display for $ty {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                $crate::__private::display_open_enum(self, f)
            }
        }

        impl ::core::convert::AsRef<str> for $ty {
            fn as_ref(&self) -> &str {
                $crate::OpenEnum::as_str(self)
            }
        }

        impl $crate::serde::Serialize for $ty {
            #[inline]
            fn serialize<S: $crate::serde::Serializer>(&self, s: S) -> ::core::result::Result<S::Ok, S::Error> {
                $crate::__private::write_open_enum(self, s)
            }
        }

        impl<'de> $crate::serde::Deserialize<'de> for $ty {
            #[inline]
            fn deserialize<D: $crate::serde::Deserializer<'de>>(d: D) -> ::core::result::Result<Self, D::Error> {
                $crate::__private::read_open_enum(d)
            }
        }

        impl $crate::__private::WireDeserialize for $ty {}
    };
}

/// Implements [`ToWire`](crate::ToWire) and [`Merge`](crate::Merge), as a whole value, for a type that implements
/// [`OpenEnum`]. It is separate from [`open_enum!`](crate::open_enum!) because most enums are not part of a patch, and
/// unused implementations cost compile time.
#[doc(hidden)]
#[macro_export]
macro_rules! merge_enum {
    ($ty:ty) => {
        impl $crate::__private::ToWire for $ty {
            #[inline]
            fn to_wire<S: $crate::serde::Serializer>(&self, s: S) -> ::core::result::Result<S::Ok, S::Error> {
                $crate::__private::write_open_enum(self, s)
            }
        }

        $crate::merge_whole!($ty);
    };
}
