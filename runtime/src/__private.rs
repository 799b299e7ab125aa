//! Items that generated crates, their macros and the other runtime crates use. Not covered by semantic versioning: use
//! the items at the root of the crate.

pub use serde::de::MapAccess;
pub use serde::ser::SerializeMap;

pub use crate::effective::Condition;
pub use crate::fill::{Fill, FillMember};
pub use crate::lookup::{find_member, find_value, member_slots, value_slots};
pub use crate::member::{KnownText, Members, ToMember, ToWire, known_member, list, write_member};
pub use crate::merge::MergeMember;
pub use crate::object::{
    Chain, Object, ReadParts, Spelled, WriteParts, debug_object, read_object, skip_member, write_object, write_parts,
};
pub use crate::open_enum::{
    ValueKind, clone_open_enum, debug_open_enum, hash_open_enum, read_open_enum, same_open_enum, write_open_enum,
};
pub use crate::outcome::{OutcomeRef, read_outcome, write_outcome};
pub use crate::request::{
    Carried, DecodeCase, ErrorCase, ErrorParts, ErrorStatuses, FromParameter, FromParameters, HeaderLines, HeaderPut,
    ParameterTexts, ParameterValues, Parts, ToParameter, patched, percent_encode, read_error, read_header, typed,
    untyped, write_header,
};
pub use crate::wire::{Leaf, Seed, member};

pub mod detached {
    //! Copies of values that share no buffer with the message they were read from.
    pub use crate::detached::*;
}

pub mod multipart {
    //! Multipart bodies.
    pub use crate::multipart::*;
}

pub mod unions {
    //! Unions of several types.
    pub use crate::unions::*;
}
