//! Items that generated crates, their macros and the other runtime crates use. Not covered by semantic versioning: use
//! the items at the root of the crate.

pub use serde::de::MapAccess;
pub use serde::ser::SerializeMap;

pub use crate::conditions::Condition;
pub use crate::exact_number::{EXACT_NEWTYPE, NUMBER_NEWTYPE, with_normalized_numbers};
pub use crate::field_encoding::{
    FieldWriter, TextField, ToField, ToWire, collect_list, read_aliased_text, write_field,
};
pub use crate::fill::{Fill, FillField};
pub use crate::from_parameter::{FromParameter, FromParameters, ParameterTexts};
pub use crate::lookup::{field_slots, find_field, find_value, value_slots};
pub use crate::merge::{MergeField, create_from_patch, diff_to_default};
pub use crate::object::{
    AliasedText, Chain, Masked, Object, ReadFields, WriteFields, debug_object, read_object, skip_value, write_fields,
    write_object,
};
pub use crate::open_enum::{
    ValueKind, clone_open_enum, debug_open_enum, display_open_enum, eq_open_enum, hash_open_enum,
    open_enum_from_string, parse_open_enum, read_open_enum, write_open_enum,
};
pub use crate::outcome::{OutcomeRef, read_outcome, write_outcome};
pub use crate::request::{
    DecodeCase, ErrorCase, ErrorParts, ErrorStatuses, HeaderLookup, HeaderSink, ParameterValues, RequestEncoder,
    ToParameter, TokenParameter, hash_items, percent_encode, read_error, read_header, to_typed, to_untyped,
    undeclared_status, write_header,
};
pub use crate::wire::{WireDeserialize, WireSeed, read_value};

pub mod constants {
    //! Constructors of values that the generator has checked.
    pub use crate::constants::*;
}

pub mod pattern {
    //! Patterns of texts, as state tables.
    pub use crate::pattern::*;
}

pub mod placeholders {
    //! Copies of values that share no buffer with the message they were read from.
    pub use crate::placeholders::*;
}

pub mod multipart {
    //! Multipart bodies.
    pub use crate::multipart::*;
}

pub mod unions {
    //! Unions of several types.
    pub use crate::unions::*;
}
