//! Hand-written types with the structure of generated ones.
#![allow(unreachable_pub, missing_docs)]

use std::collections::BTreeMap;

use wireform_runtime::serde::de::MapAccess;
use wireform_runtime::serde::ser::SerializeMap;
use wireform_runtime::serde_json::Value;
use wireform_runtime::{
    __private::{Object, OutcomeRef, read_value, skip_value, write_field},
    Bytes, Date, DateTime, Decimal, Duration, FieldBehavior, Outcome, Patch, UnknownValue, merge_enum, merge_object,
    merge_whole, object, open_enum, outcome,
};

#[non_exhaustive]
pub enum EventStatus {
    Confirmed,
    Tentative,
    Unknown(UnknownValue<Self>),
}

open_enum! { EventStatus "EventStatus" { 0 Confirmed "confirmed" | "CONFIRMED", 1 Tentative "tentative" } }
merge_enum!(EventStatus);

/// Defines an object, its patch, and their implementation of `Merge`: `field: type, its patch, "wire name";`.
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

type Table<T> = BTreeMap<String, T>;

resource!(Attendee, AttendeePatch {
    0 email: Option<String>, Patch<String>, "email";
    1 optional: Option<bool>, Patch<bool>, "optional";
    2 guests: Option<i32>, Patch<i32>, "additionalGuests";
});

resource!(Event, EventPatch {
    0 id: Option<String>, Patch<String>, "id";
    1 status: Option<EventStatus>, Patch<EventStatus>, "status";
    2 version: Option<Decimal<u64>>, Patch<Decimal<u64>>, "version";
    3 start: Option<DateTime>, Patch<DateTime>, "start";
    4 day: Option<Date>, Patch<Date>, "day";
    5 length: Option<Duration>, Patch<Duration>, "length";
    6 organizer: Option<Attendee>, Patch<AttendeePatch>, "organizer";
    7 attendees: Vec<Attendee>, Patch<Vec<Attendee>>, "attendees";
    8 labels: Table<String>, Patch<Table<Patch<String>>>, "labels";
    9 people: Table<Attendee>, Patch<Table<Patch<AttendeePatch>>>, "people";
    10 counts: Table<Table<i32>>, Patch<Table<Patch<Table<Patch<i32>>>>>, "counts";
    11 parent: Option<Box<Event>>, Patch<Box<EventPatch>>, "parent";
    12 raw: Option<Bytes>, Patch<Bytes>, "raw";
    13 weight: Option<f64>, Patch<f64>, "weight";
    14 settings: Option<Value>, Patch<Value>, "settings";
});

impl FieldBehavior for Attendee {
    fn strip_output_only(&mut self, operation: &str) {
        if operation != "events.import" {
            self.guests = None;
        }
    }
}

impl FieldBehavior for Event {
    fn strip_output_only(&mut self, operation: &str) {
        self.version = None;
        self.organizer.strip_output_only(operation);
        self.attendees.strip_output_only(operation);
        self.people.strip_output_only(operation);
        self.parent.strip_output_only(operation);
    }
}

/// Object that preserves unknown fields.
#[derive(Clone, Default, PartialEq)]
pub struct Open {
    pub name: Option<String>,
    pub rest: Table<Value>,
}

impl Object for Open {
    const NAME: &'static str = "Open";
    const FIELDS: &'static [&'static str] = &["name"];
    const PRESERVES_UNKNOWN: bool = true;

    fn index(name: &str) -> Option<usize> {
        matches!(name, "name" | "displayName").then_some(0)
    }

    fn read<'de, A: MapAccess<'de>>(&mut self, index: usize, map: &mut A) -> Result<(), A::Error> {
        match index {
            0 => read_value(map, &mut self.name),
            _ => skip_value(map),
        }
    }

    fn read_unknown<'de, A: MapAccess<'de>>(&mut self, name: String, map: &mut A) -> Result<(), A::Error> {
        self.rest.insert(name, map.next_value()?);
        Ok(())
    }

    fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        write_field(map, "name", &self.name)?;
        self.rest.iter().try_for_each(|(name, value)| map.serialize_entry(name, value))
    }
}

object!(Open);

#[derive(Clone, Debug, Default, PartialEq)]
pub enum Operation {
    #[default]
    Running,
    Succeeded(Attendee),
    Failed(Table<String>),
}

impl Outcome for Operation {
    type Success = Attendee;
    type Failure = Table<String>;

    const NAME: &'static str = "Operation";
    const DONE: &'static str = "done";
    const SUCCESS: &'static str = "response";
    const FAILURE: &'static str = "error";

    fn running() -> Self {
        Self::Running
    }

    fn succeeded(value: Attendee) -> Self {
        Self::Succeeded(value)
    }

    fn failed(value: Table<String>) -> Self {
        Self::Failed(value)
    }

    fn state(&self) -> OutcomeRef<'_, Attendee, Table<String>> {
        match self {
            Self::Running => OutcomeRef::Running,
            Self::Succeeded(value) => OutcomeRef::Succeeded(value),
            Self::Failed(value) => OutcomeRef::Failed(value),
        }
    }
}

outcome!(Operation);
merge_whole!(Operation);
