//! Macros that implement the serde traits for types that are text on the wire.

/// Implements the traits of a type that is text on the wire, given its `parse(&str)` and `fn write_text(&self, &mut
/// TextBuffer)`; the literal is its name in error messages.
macro_rules! text_type {
    ($ty:ident, $name:literal) => {
        impl std::fmt::Display for $ty {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let mut text = $crate::cursor::TextBuffer::new();
                self.write_text(&mut text);
                f.pad(text.as_str())
            }
        }

        impl std::fmt::Debug for $ty {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}({self})", stringify!($ty))
            }
        }

        impl std::str::FromStr for $ty {
            type Err = $crate::parse_error::ParseError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::parse(text)
            }
        }

        impl serde::Serialize for $ty {
            #[inline]
            fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                let mut text = $crate::cursor::TextBuffer::new();
                self.write_text(&mut text);
                s.serialize_str(text.as_str())
            }
        }

        $crate::text::read_as_text!($ty, $name);
    };
}

/// Implements the decoding half of [`text_type!`], and the traits that build on decoding and encoding.
macro_rules! read_as_text {
    ($ty:ident, $name:literal) => {
        impl<'de> $crate::wire::FromWire<'de> for $ty {
            #[inline]
            fn from_wire<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                struct TextVisitor;

                impl serde::de::Visitor<'_> for TextVisitor {
                    type Value = $ty;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str(concat!("a ", $name))
                    }

                    #[inline]
                    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<$ty, E> {
                        // The message excludes the text, which may be long or private.
                        $ty::parse(text)
                            .map_err(|error| E::custom(format_args!(concat!("invalid ", $name, ": {}"), error)))
                    }
                }

                d.deserialize_str(TextVisitor)
            }
        }

        impl<'de> serde::Deserialize<'de> for $ty {
            #[inline]
            fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                $crate::wire::FromWire::from_wire(d)
            }
        }

        impl $crate::__private::ToWire for $ty {
            #[inline]
            fn to_wire<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                serde::Serialize::serialize(self, s)
            }
        }

        $crate::merge_whole!($ty);
    };
}

/// Implements the traits of a type that keeps its text, given its field `text: Box<str>`, its `parse(&str)` and its
/// `zero()`; the literal is its name in error messages.
macro_rules! kept_text {
    ($ty:ident, $name:literal) => {
        impl std::ops::Deref for $ty {
            type Target = str;

            fn deref(&self) -> &str {
                &self.text
            }
        }

        impl Default for $ty {
            fn default() -> Self {
                Self::zero()
            }
        }

        impl std::fmt::Display for $ty {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(&self.text)
            }
        }

        impl std::fmt::Debug for $ty {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}({self})", stringify!($ty))
            }
        }

        impl std::str::FromStr for $ty {
            type Err = $crate::parse_error::ParseError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::parse(text)
            }
        }

        impl serde::Serialize for $ty {
            fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.serialize_str(&self.text)
            }
        }

        $crate::text::read_as_text!($ty, $name);
    };
}

pub(crate) use {kept_text, read_as_text, text_type};
