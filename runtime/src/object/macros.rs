//! Macros that implement objects from lists of their fields.

/// Implements [`Object`](crate::Object) from the fields, each with its wire name, and the traits that build on it:
/// `Serialize`, `Deserialize`, [`FromWire`](crate::FromWire) and `Debug`.
///
/// ```text
/// object! {
///     Event "Event" {
///         id "id",
///         status "status",
///     }
/// }
/// ```
///
/// With brackets before the fields a field may have aliases, `creator "creator" | "organizer"`, and a text may have
/// known values with aliases, `kind "kind" as [("event", "calendar#event")]`; `pin "pin" => sensitive` is a field whose
/// value `Debug` masks. The brackets contain the name of the field for additional fields, if there is one. The word
/// `many` after the name of the type gives it a lookup table sized by its fields, whose compile time is justified for
/// more than 128 of them.
#[doc(hidden)]
#[macro_export]
macro_rules! object {
    ($ty:ident $name:literal $($many:ident)? { $($member:ident $wire:literal),* $(,)? }) => {
        impl $crate::__private::Object for $ty {
            const NAME: &'static str = $name;
            const FIELDS: &'static [&'static str] = &[$($wire),*];
            $($crate::members!(@$many);)?
            $crate::members!($($member)*);
        }

        $crate::object!($ty);
    };
    ($ty:ident $name:literal $($many:ident)? [$($rest:ident)?] {
        $($member:ident $wire:literal $(| $alias:literal)* $(as $spellings:tt)? $(=> $sensitive:ident)?),* $(,)?
    }) => {
        impl $crate::__private::Object for $ty {
            const NAME: &'static str = $name;
            const FIELDS: &'static [&'static str] = &[$($wire),*];
            const ALIASES: &'static [(&'static str, &'static str)] = &[$($(($alias, $wire),)*)*];
            $($crate::members!(@$many);)?
            $crate::members!([$($rest)?] $($member $wire [$($spellings)?] [$($sensitive)?])*);
        }

        $crate::object!($ty);
    };
    ($ty:ty) => {
        impl $crate::serde::Serialize for $ty {
            #[inline]
            fn serialize<S: $crate::serde::Serializer>(&self, s: S) -> ::core::result::Result<S::Ok, S::Error> {
                $crate::__private::write_object(self, s)
            }
        }

        impl<'de> $crate::serde::Deserialize<'de> for $ty {
            #[inline]
            fn deserialize<D: $crate::serde::Deserializer<'de>>(d: D) -> ::core::result::Result<Self, D::Error> {
                $crate::__private::read_object(d)
            }
        }

        impl $crate::__private::WireDeserialize for $ty {}

        impl ::core::fmt::Debug for $ty {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                $crate::__private::debug_object(self, f)
            }
        }
    };
}

/// Implements [`Object`](crate::Object) for the merge patch of an object, which has the same fields, and the
/// application of patches, as [`merge_object!`](crate::merge_object!) does: `patch! { Event => EventPatch "EventPatch"
/// { id, status } }`. With brackets before the fields it accepts the same syntax as [`object!`](crate::object!),
/// without aliases.
#[doc(hidden)]
#[macro_export]
macro_rules! patch {
    ($ty:ident => $patch:ident $name:literal $($many:ident)? { $($member:ident),* $(,)? }) => {
        impl $crate::__private::Object for $patch {
            const NAME: &'static str = $name;
            const FIELDS: &'static [&'static str] = <$ty as $crate::__private::Object>::FIELDS;
            const ALIASES: &'static [(&'static str, &'static str)] = <$ty as $crate::__private::Object>::ALIASES;
            $($crate::members!(@$many);)?
            $crate::members!($($member)*);
        }

        $crate::object!($patch);
        $crate::merge_object!($ty => $patch { $($member),* });
    };
    ($ty:ident => $patch:ident $name:literal $($many:ident)? [$($rest:ident)?] {
        $($member:ident $wire:literal $(as $spellings:tt)? $(=> $sensitive:ident)?),* $(,)?
    }) => {
        impl $crate::__private::Object for $patch {
            const NAME: &'static str = $name;
            const FIELDS: &'static [&'static str] = <$ty as $crate::__private::Object>::FIELDS;
            const ALIASES: &'static [(&'static str, &'static str)] = <$ty as $crate::__private::Object>::ALIASES;
            $($crate::members!(@$many);)?
            $crate::members!([$($rest)?] $($member $wire [$($spellings)?] [$($sensitive)?])*);
        }

        $crate::object!($patch);
        $crate::members!(@merge $ty $patch [$($rest)?] $($member)*);
    };
}

/// Implements the parts of an object that depend on its fields: reading and writing.
#[doc(hidden)]
#[doc(hidden)]
#[macro_export]
macro_rules! members {
    ([$($rest:ident)?] $($member:ident $wire:literal [$($spellings:tt)?] [$($sensitive:ident)?])*) => {
        fn read<'de, A: $crate::__private::MapAccess<'de>>(
            &mut self,
            index: usize,
            map: &mut A,
        ) -> ::core::result::Result<(), A::Error> {
            $($(if Self::FIELDS.get(index) == ::core::option::Option::Some(&$wire) {
                return $crate::__private::read_aliased_text(map, &mut self.$member, &$spellings);
            })?)*
            $crate::__private::ReadFields::read($crate::members!(@parts $((&mut self.$member))*), index, map)
        }

        fn write<M: $crate::__private::SerializeMap>(&self, map: &mut M) -> ::core::result::Result<(), M::Error> {
            $crate::__private::write_fields::<M, Self>(
                $crate::members!(@parts $(($crate::members!(@written self $member [$($spellings)?] [$($sensitive)?])))*),
                map,
            )?;
            $crate::members!(@write_unknown self map $($rest)?)
        }

        $crate::members!(@read_unknown $($rest)?);
    };
    // Evaluated for each type, which is justified only if there are too many fields for the shared table.
    (@many) => {
        #[inline]
        fn index(name: &str) -> ::core::option::Option<usize> {
            $crate::__private::find_field::<Self, { $crate::__private::field_slots(Self::FIELDS.len()) }>(name)
        }
    };
    (@written $this:ident $member:ident [] []) => { &$this.$member };
    (@written $this:ident $member:ident [$spellings:tt] []) => {
        &$crate::__private::AliasedText(&$this.$member, &$spellings)
    };
    (@written $this:ident $member:ident $spellings:tt [sensitive]) => {
        &$crate::__private::Masked($crate::members!(@written $this $member $spellings []))
    };
    (@write_unknown $this:ident $map:ident) => { ::core::result::Result::Ok(()) };
    (@write_unknown $this:ident $map:ident $rest:ident) => {
        $this.$rest.write::<Self, M>($map)
    };
    (@read_unknown) => {};
    (@read_unknown $rest:ident) => {
        const PRESERVES_UNKNOWN: bool = true;

        fn read_unknown<'de, A: $crate::__private::MapAccess<'de>>(
            &mut self,
            name: ::std::string::String,
            map: &mut A,
        ) -> ::core::result::Result<(), A::Error> {
            self.$rest.read(name, map)
        }
    };
    (@merge $ty:ident $patch:ident [] $($member:ident)*) => {
        $crate::merge_object!($ty => $patch { $($member),* });
    };
    (@merge $ty:ident $patch:ident [$rest:ident] $($member:ident)*) => {
        $crate::merge_object!($ty => $patch { $($member,)* $rest });
    };
    // Fields in chunks of sixty-four, and of eight, the maximum length of the tuples. A recursion step for every eight
    // of all fields would soon exceed the recursion limit of the compiler.
    (@parts
        $a0:tt $a1:tt $a2:tt $a3:tt $a4:tt $a5:tt $a6:tt $a7:tt
        $b0:tt $b1:tt $b2:tt $b3:tt $b4:tt $b5:tt $b6:tt $b7:tt
        $c0:tt $c1:tt $c2:tt $c3:tt $c4:tt $c5:tt $c6:tt $c7:tt
        $d0:tt $d1:tt $d2:tt $d3:tt $d4:tt $d5:tt $d6:tt $d7:tt
        $e0:tt $e1:tt $e2:tt $e3:tt $e4:tt $e5:tt $e6:tt $e7:tt
        $f0:tt $f1:tt $f2:tt $f3:tt $f4:tt $f5:tt $f6:tt $f7:tt
        $g0:tt $g1:tt $g2:tt $g3:tt $g4:tt $g5:tt $g6:tt $g7:tt
        $h0:tt $h1:tt $h2:tt $h3:tt $h4:tt $h5:tt $h6:tt $h7:tt
        $($more:tt)+
    ) => {
        $crate::__private::Chain(
            $crate::members!(@parts
                $a0 $a1 $a2 $a3 $a4 $a5 $a6 $a7
                $b0 $b1 $b2 $b3 $b4 $b5 $b6 $b7
                $c0 $c1 $c2 $c3 $c4 $c5 $c6 $c7
                $d0 $d1 $d2 $d3 $d4 $d5 $d6 $d7
                $e0 $e1 $e2 $e3 $e4 $e5 $e6 $e7
                $f0 $f1 $f2 $f3 $f4 $f5 $f6 $f7
                $g0 $g1 $g2 $g3 $g4 $g5 $g6 $g7
                $h0 $h1 $h2 $h3 $h4 $h5 $h6 $h7
            ),
            $crate::members!(@parts $($more)+),
        )
    };
    (@parts $a:tt $b:tt $c:tt $d:tt $e:tt $f:tt $g:tt $h:tt $($more:tt)+) => {
        $crate::__private::Chain(($a, $b, $c, $d, $e, $f, $g, $h), $crate::members!(@parts $($more)+))
    };
    (@parts $($part:tt)*) => { ($($part,)*) };
    ($($member:ident)*) => {
        fn read<'de, A: $crate::__private::MapAccess<'de>>(
            &mut self,
            index: usize,
            map: &mut A,
        ) -> ::core::result::Result<(), A::Error> {
            $crate::__private::ReadFields::read($crate::members!(@parts $((&mut self.$member))*), index, map)
        }

        fn write<M: $crate::__private::SerializeMap>(&self, map: &mut M) -> ::core::result::Result<(), M::Error> {
            $crate::__private::write_fields::<M, Self>($crate::members!(@parts $((&self.$member))*), map)
        }
    };
}
