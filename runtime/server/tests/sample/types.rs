//! Sample resources and an enum.

use wireform_server::wireform_runtime::fields::{FieldContent, Selectable, Shape};
use wireform_server::wireform_runtime::serde::de::MapAccess;
use wireform_server::wireform_runtime::serde::ser::SerializeMap;
use wireform_server::wireform_runtime::{
    __private::{Object, read_value, skip_value, write_field},
    DateTime, Patch, UnknownValue, merge_enum, merge_object, object, open_enum,
};

#[non_exhaustive]
pub enum Kind {
    Small,
    Large,
    Unknown(UnknownValue<Self>),
}

open_enum! { Kind "Kind" { 0 Small "small" | "SMALL", 1 Large "large" } }
merge_enum!(Kind);

/// Defines an object, its patch, and their conversions: `field: type, its patch, "wire name";`.
macro_rules! resource {
    ($name:ident, $patch:ident { $($index:literal $field:ident: $ty:ty, $change:ty, $wire:literal;)* }) => {
        resource!(@object $name { $($index $field: $ty, $wire;)* });
        resource!(@object $patch { $($index $field: $change, $wire;)* });
        merge_object!($name => $patch { $($field),* });
    };
    (@object $name:ident { $($index:literal $field:ident: $ty:ty, $wire:literal;)* }) => {
        #[derive(Clone, Default, PartialEq)]
        pub struct $name {
            $(pub $field: $ty,)*
        }

        impl Object for $name {
            const NAME: &'static str = stringify!($name);
            const FIELDS: &'static [&'static str] = &[$($wire),*];

            fn index(name: &str) -> Option<usize> {
                Some(match name {
                    $($wire => $index,)*
                    _ => return None,
                })
            }

            fn read<'de, A: MapAccess<'de>>(&mut self, index: usize, map: &mut A) -> Result<(), A::Error> {
                match index {
                    $($index => read_value(map, &mut self.$field),)*
                    _ => skip_value(map),
                }
            }

            fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
                $(write_field(map, $wire, &self.$field)?;)*
                Ok(())
            }
        }

        object!($name);
    };
}

resource!(Owner, OwnerPatch {
    0 name: Option<String>, Patch<String>, "name";
    1 email: Option<String>, Patch<String>, "email";
});

// `created` is output-only, `secret` is input-only.
resource!(Thing, ThingPatch {
    0 id: Option<String>, Patch<String>, "id";
    1 etag: Option<String>, Patch<String>, "etag";
    2 name: Option<String>, Patch<String>, "name";
    3 kind: Option<Kind>, Patch<Kind>, "kind";
    4 weight: Option<i32>, Patch<i32>, "weight";
    5 owner: Option<Owner>, Patch<OwnerPatch>, "owner";
    6 tags: Vec<String>, Patch<Vec<String>>, "tags";
    7 created: Option<DateTime>, Patch<DateTime>, "created";
    8 secret: Option<String>, Patch<String>, "secret";
});

resource!(Things, ThingsPatch {
    0 items: Vec<Thing>, Patch<Vec<Thing>>, "items";
    1 next: Option<String>, Patch<String>, "nextPageToken";
});

static OWNER: Shape = Shape::new("Owner", Owner::FIELDS);
static THING: Shape = Shape::new("Thing", Thing::FIELDS).with_contents(&[("owner", FieldContent::Shape(&OWNER))]);
static THINGS: Shape = Shape::new("Things", Things::FIELDS).with_contents(&[("items", FieldContent::Shape(&THING))]);

impl Selectable for Thing {
    const SHAPE: &'static Shape = &THING;
}

impl Selectable for Things {
    const SHAPE: &'static Shape = &THINGS;
}
