//! Runtime library of the crates that Wireform generates.
//!
//! Generated code states facts: the members of an object, their names on the wire, the values of an enum. This library
//! works with those facts, so that a generated file holds no logic. Each module covers one topic, listed here in the
//! order in which a value is processed:
//!
//! | topic | items |
//! |---|---|
//! | decoding of values | [`FromWire`], [`Seed`], [`member`] |
//! | decoding and encoding of objects | [`Object`], [`read_object`], [`write_object`], [`object!`], [`patch!`] |
//! | encoding of members | [`ToMember`], [`ToWire`], [`write_member`] |
//! | enums that preserve unknown values | [`OpenEnum`], [`UnknownValue`], [`open_enum!`] |
//! | unions of several types | [`unions`], [`open_union!`], [`merge_union!`] |
//! | long-running operations | [`Outcome`], [`OutcomeRef`], [`outcome!`] |
//! | 64-bit integers as strings | [`Decimal`] |
//! | decimal numbers of arbitrary precision | [`BigDecimal`] |
//! | dates, times, durations | [`Date`], [`Time`], [`DateTime`], [`Duration`], [`IsoDuration`], [`ParseError`] |
//! | points in time in other formats | [`HttpDate`], [`UnixTime`], [`UnixMillis`] |
//! | binary data | [`Bytes`] |
//! | partial updates, RFC 7396 | [`Patch`], [`Merge`], [`MergeMember`], [`merge_object!`], [`merge_enum!`], [`merge_whole!`] |
//! | JSON Patch documents, RFC 6902 | [`JsonPatch`], [`JsonPointer`] |
//! | nullable members | [`Nullable`] |
//! | read-only and write-only members | [`Direction`] |
//! | description of an API, its operations and parameters | [`operation`] |
//! | error bodies with the names of an API | [`error_body`] |
//! | encoding of requests | [`Request`], [`Parts`], [`ToParameter`] |
//! | decoding of requests | [`FromParameter`], [`FromParameters`] |
//! | two namings of one API | [`Names`], [`names`] |
//! | selection of the members of a response | [`fields`] |
//! | entity tags and conditions | [`etag`] |
//! | values that a client generates | [`Fill`], [`FillMember`] |
//! | additional members | [`Rest`] |
//! | unknown members | [`UnknownMembers`], [`UnknownMembersPatch`] |
//! | any JSON | [`Value`], [`Map`] |
//! | bodies other than JSON, uploads | [`media`], [`Raw`], [`Upload`] |
//! | JSON text | [`json`] |
//! | form bodies | [`form`], [`FilePart`] |
//! | XML bodies | [`xml`], with the feature `xml` |
//!
//! # Wire rules
//!
//! * Outside of a merge patch `null` means absent: an `Option` becomes `None`, a list or a map becomes empty. It is a
//!   value where the schema allows it: in a [`Nullable`] member, in an element or an entry that is an `Option`. In a
//!   patch it clears the member.
//! * Absent members are not written: no `null`, no empty list, no empty map.
//! * An integer may be written as a float without a fraction (`1.0`, `1e2`); no other type is converted. Nothing is
//!   rounded and nothing wraps around.
//! * A duplicate member is an error, since two parsers would disagree on its value. An unknown member is skipped.
//! * Parsed values are written back in their original form: offsets, fraction digits, base64 alphabets, enum values
//!   that a later version of the API added.
//!
//! # Untrusted input
//!
//! No input makes this library panic, recurse without limit (`serde_json` stops at 128 levels) or allocate more than in
//! proportion to its size. Error messages are bounded to one line.
//!
//! ```
//! use wireform_runtime::{DateTime, json};
//!
//! let at: DateTime = json::from_str(r#""2026-01-01T10:00:00.50-00:00""#)?;
//! assert_eq!(at.to_string(), "2026-01-01T10:00:00.50-00:00");
//! # Ok::<(), json::DecodeError>(())
//! ```

pub mod batch;
mod big_decimal;
mod bytes;
mod date;
mod datetime;
mod decimal;
pub mod detached;
mod direction;
mod duration;
mod effective;
pub mod error_body;
pub mod etag;
pub mod fields;
pub mod file;
mod fill;
pub mod form;
#[doc(hidden)]
pub mod http;
mod http_date;
mod iso_duration;
pub mod json;
mod json_patch;
mod lookup;
pub mod media;
mod member;
mod merge;
pub mod multipart;
pub mod names;
mod nullable;
mod number;
mod object;
mod open_enum;
pub mod operation;
mod outcome;
mod parse_error;
mod patch;
mod request;
mod rest;
mod scan;
mod text;
mod time;
pub mod unions;
mod unix_time;
mod unknown;
pub mod watch;
mod wire;
pub mod xml;

pub use jiff;
pub use serde;
pub use serde::de::MapAccess;
pub use serde::ser::SerializeMap;
pub use serde_json;

/// Any JSON value, `any` in a schema.
pub type Value = serde_json::Value;

/// Any JSON object, `object` in a schema.
pub type Map = serde_json::Map<String, Value>;

pub use big_decimal::BigDecimal;
pub use bytes::{Base64Decoder, Bytes};
pub use date::Date;
pub use datetime::DateTime;
pub use decimal::{Decimal, DecimalInteger};
pub use direction::Direction;
pub use duration::{Duration, DurationOutOfRange};
pub use effective::{Condition, Effective, WriteContext};
pub use file::FilePart;
pub use fill::{Fill, FillMember};
pub use http_date::HttpDate;
pub use iso_duration::IsoDuration;
pub use json_patch::{InvalidPointer, JsonPatch, JsonPatchError, JsonPatchErrorKind, JsonPatchOperation, JsonPointer};
pub use lookup::{find_member, find_value, member_slots, value_slots};
pub use media::{Raw, RawContent, Upload};
pub use member::{KnownText, Members, ToMember, ToWire, known_member, list, write_member};
pub use merge::{Merge, MergeMember};
pub use names::Names;
pub use nullable::Nullable;
pub use object::{
    Chain, Object, ReadParts, Spelled, WriteParts, debug_object, read_object, skip_member, write_object, write_parts,
};
pub use open_enum::{
    OpenEnum, UnknownValue, ValueKind, clone_open_enum, debug_open_enum, hash_open_enum, same_open_enum,
};
pub use open_enum::{read_open_enum, write_open_enum};
pub use outcome::{Outcome, OutcomeError, OutcomeRef, read_outcome, write_outcome};
pub use parse_error::{ParseError, ParseErrorKind};
pub use patch::{MapPatch, Patch};
pub use request::percent_encode;
pub use request::{
    Answer, Carried, Format, FromParameter, FromParameters, LongRunning, Paged, ParameterError, ParameterTexts,
    ParameterValues, Parts, PatchesRead, Request, RequestError, RequestErrorKind, Stage, StageOf, Synced, ToParameter,
    UpdatesRead, WireRequest, Writes, patched, typed, untyped,
};
pub use request::{AnswerHeaders, HeaderLines, HeaderPut, read_header, write_header};
pub use request::{DecodeCase, ErrorCase, ErrorParts, ErrorStatuses, OperationError, read_error};
pub use rest::Rest;
pub use time::Time;
pub use unix_time::{TimeOutOfRange, UnixMillis, UnixTime};
pub use unknown::{UnknownMembers, UnknownMembersPatch};
pub use wire::{FromWire, Leaf, Seed, member};
