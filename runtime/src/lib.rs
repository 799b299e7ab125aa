//! Runtime library of the crates that Wireform generates.
//!
//! Generated code states facts: the members of an object, their names on the wire, the values of an enum. This library
//! works with those facts, so that a generated file holds no logic. Each module covers one topic, listed here in the
//! order in which a value is processed:
//!
//! | topic | items |
//! |---|---|
//! | decoding of values | [`FromWire`] |
//! | enums that preserve unknown values | [`OpenEnum`], [`UnknownValue`] |
//! | long-running operations | [`Outcome`] |
//! | 64-bit integers as strings | [`Decimal`] |
//! | decimal numbers of arbitrary precision | [`BigDecimal`] |
//! | dates, times, durations | [`Date`], [`Time`], [`DateTime`], [`Duration`], [`IsoDuration`], [`ParseError`] |
//! | points in time in other formats | [`HttpDate`], [`UnixTime`], [`UnixMillis`] |
//! | binary data | [`Bytes`] |
//! | partial updates, RFC 7396 | [`Patch`], [`MapPatch`], [`Merge`] |
//! | JSON Patch documents, RFC 6902 | [`JsonPatch`], [`JsonPointer`] |
//! | nullable members | [`Nullable`] |
//! | read-only and write-only members | [`Direction`], [`Effective`], [`WriteContext`] |
//! | description of an API, its operations and parameters | [`operation`] |
//! | error bodies with the names of an API | [`error_body`] |
//! | requests | [`Request`] |
//! | two namings of one API | [`Names`], [`names`] |
//! | selection of the members of a response | [`fields`] |
//! | entity tags and conditions | [`etag`] |
//! | additional members | [`Rest`] |
//! | unknown fields | [`UnknownMembers`], [`UnknownMembersPatch`] |
//! | any JSON | [`Value`], [`Map`] |
//! | bodies other than JSON, uploads | [`media`], [`Raw`], [`Upload`] |
//! | JSON text | [`json`] |
//! | form bodies | [`form`], [`FilePart`] |
//! | XML bodies | [`xml`], with the feature `xml` |
//!
//! What only generated code calls is in the hidden module `__private`, and in macros that are hidden likewise.
//!
//! # Wire rules
//!
//! * Outside of a merge patch `null` means absent: an `Option` becomes `None`, a list or a map becomes empty. It is a
//!   value where the schema allows it: in a [`Nullable`] member, in an element or an entry that is an `Option`. In a
//!   patch it clears the member.
//! * Absent members are not written: no `null`, no empty list, no empty map.
//! * An integer may be written as a float without a fraction (`1.0`, `1e2`); no other type is converted. Nothing is
//!   rounded and nothing wraps around.
//! * A duplicate member is an error, since two parsers would disagree on its value. An unknown field is skipped.
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

#[doc(hidden)]
pub mod __private;
pub mod batch;
mod big_decimal;
mod bytes;
mod date;
mod datetime;
mod decimal;
mod detached;
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
mod lookup;
pub mod media;
mod member;
mod merge;
mod multipart;
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
mod unions;
mod unix_time;
mod unknown;
pub mod watch;
mod wire;
pub mod xml;

pub use jiff;
pub use serde;
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
pub use effective::{Effective, WriteContext};
pub use file::FilePart;
pub use http_date::HttpDate;
pub use iso_duration::IsoDuration;
pub use json_patch::{InvalidPointer, JsonPatch, JsonPatchError, JsonPatchErrorKind, JsonPatchOperation, JsonPointer};
pub use media::{Raw, RawContent, Upload};
pub use merge::Merge;
pub use names::Names;
pub use nullable::Nullable;
pub use open_enum::{OpenEnum, UnknownValue};
pub use outcome::{Outcome, OutcomeError};
pub use parse_error::{ParseError, ParseErrorKind};
pub use patch::{MapPatch, Patch};
pub use request::{
    Answer, AnswerHeaders, Format, LongRunning, OperationError, Paged, ParameterError, PatchesRead, Request,
    RequestError, RequestErrorKind, Stage, StageOf, Synced, UpdatesRead, WireRequest, Writes,
};
pub use rest::Rest;
pub use time::Time;
pub use unix_time::{TimeOutOfRange, UnixMillis, UnixTime};
pub use unknown::{UnknownMembers, UnknownMembersPatch};
pub use wire::FromWire;

use crate::__private::*;
