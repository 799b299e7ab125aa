//! Macros that implement unions.

/// Implements the serde traits and [`FromWire`](crate::FromWire) for a type that implements
/// [`OpenUnion`](crate::unions::OpenUnion).
#[doc(hidden)]
#[macro_export]
macro_rules! open_union {
    ($ty:ty) => {
        impl $crate::serde::Serialize for $ty {
            #[inline]
            fn serialize<S: $crate::serde::Serializer>(&self, s: S) -> ::core::result::Result<S::Ok, S::Error> {
                $crate::__private::unions::OpenUnion::write(self, s)
            }
        }

        impl<'de> $crate::serde::Deserialize<'de> for $ty {
            #[inline]
            fn deserialize<D: $crate::serde::Deserializer<'de>>(d: D) -> ::core::result::Result<Self, D::Error> {
                $crate::__private::unions::read_union(d)
            }
        }

        impl $crate::__private::WireDeserialize for $ty {}
    };
}

/// Implements [`ToWire`](crate::ToWire) and [`Merge`](crate::Merge), as a whole value, for a type that implements
/// [`OpenUnion`](crate::unions::OpenUnion): fields of one variant have no meaning in another.
#[doc(hidden)]
#[macro_export]
macro_rules! merge_union {
    ($ty:ty) => {
        impl $crate::__private::ToWire for $ty {
            #[inline]
            fn to_wire<S: $crate::serde::Serializer>(&self, s: S) -> ::core::result::Result<S::Ok, S::Error> {
                $crate::__private::unions::OpenUnion::write(self, s)
            }
        }

        $crate::merge_whole!($ty);
    };
}
