//! What the crates that Wireform generates call.
//!
//! Generated code states facts: which members an object has, what they are called on the wire, which values an
//! enum knows. This library does the work with those facts, so that a generated file holds no logic worth
//! reading twice. A newcomer finds one topic in each module, in the order in which a value travels:
//!
//! | topic | what to read |
//! |---|---|
//! | a value is read from the wire | [`FromWire`], [`Seed`], [`member`] |
//! | an object is read and written | [`Object`], [`read_object`], [`write_object`], [`object!`], [`patch!`] |
//! | a member is written or left out | [`ToMember`], [`ToWire`], [`write_member`] |
//! | an enum that survives new values | [`OpenEnum`], [`UnknownValue`], [`open_enum!`] |
//! | a value of one of several types | [`unions`], [`open_union!`], [`merge_union!`] |
//! | a long-running operation | [`Outcome`], [`OutcomeRef`], [`outcome!`] |
//! | 64-bit integers as strings | [`Decimal`] |
//! | decimal numbers of any precision | [`BigDecimal`] |
//! | dates, times, durations | [`Date`], [`Time`], [`DateTime`], [`Duration`], [`IsoDuration`], [`ParseError`] |
//! | points in time in other forms | [`HttpDate`], [`UnixTime`], [`UnixMillis`] |
//! | binary data | [`Bytes`] |
//! | partial updates, RFC 7396 | [`Patch`], [`Merge`], [`MergeMember`], [`merge_object!`], [`merge_enum!`], [`merge_whole!`] |
//! | JSON Patch documents, RFC 6902 | [`JsonPatch`], [`JsonPointer`] |
//! | a member that can be null | [`Nullable`] |
//! | who may write a member | [`Direction`] |
//! | an API, its operations, their parameters | [`operation`] |
//! | the body of an error, by the names that an API has for it | [`error_body`] |
//! | a request on its way to the wire | [`Request`], [`Parts`], [`ToParameter`] |
//! | a request on its way from the wire | [`FromParameter`], [`FromParameters`] |
//! | two vocabularies for one API | [`Names`], [`names`] |
//! | which members an answer has | [`fields`] |
//! | versions of a resource, and conditions on them | [`etag`] |
//! | what a client makes up | [`Fill`], [`FillMember`] |
//! | members beside those that a schema names | [`Rest`] |
//! | members that a schema does not know | [`UnknownMembers`], [`UnknownMembersPatch`] |
//! | any JSON | [`Value`], [`Map`] |
//! | bodies that are no JSON, uploads | [`media`], [`Raw`], [`Upload`] |
//! | JSON text in and out | [`json`] |
//! | bodies that are forms | [`form`], [`FilePart`] |
//! | bodies that are XML | [`xml`], with the feature `xml` |
//!
//! # Rules of the wire
//!
//! * Outside a merge patch `null` means absent: an `Option` becomes `None`, a list or a map becomes empty. It is a
//!   value where a schema says so: of a [`Nullable`] member, of an element or an entry that is an `Option`.
//!   Inside a patch it clears the member.
//! * What is absent is not written: no `null`, no empty list, no empty map.
//! * An integer may be written as a float that has no fraction (`1.0`, `1e2`); no other type is converted into
//!   another one. Nothing is rounded and nothing wraps around.
//! * A member given twice is an error, since two readers would disagree on which of the two counts. A member
//!   that this version does not know is skipped.
//! * What was read is written back as it was spelled: offsets, fraction digits, base64 alphabets, enum values
//!   that a later version of the API added.
//!
//! # Input is hostile
//!
//! No input makes this library panic, recurse without bound (`serde_json` stops at 128 levels) or allocate more
//! than in proportion to its own size. Error messages are one line and bounded.
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
mod http_date;
mod iso_duration;
pub mod json;
mod json_patch;
mod many;
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

/// Any JSON value: what a schema calls `any`.
pub type Value = serde_json::Value;

/// Any JSON object: what a schema calls `object`.
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
pub use many::{find_member, find_value, member_slots, value_slots};
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
