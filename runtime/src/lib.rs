//! Runtime library of the crates that Wireform generates.
//!
//! Generated code states facts: the fields of an object, their names on the wire, the values of an enum. This library
//! works with those facts, so that a generated file holds no logic. Each module covers one topic:
//!
//! | topic | items |
//! |---|---|
//! | decoding of values | [`FromWire`] |
//! | enums that preserve unknown values | [`OpenEnum`], [`UnknownValue`] |
//! | long-running operations | [`Outcome`] |
//! | 64-bit integers as strings | [`Decimal`] |
//! | numbers of arbitrary precision | [`Number`], and [`BigDecimal`] in strings |
//! | dates, times, durations | [`Date`], [`Time`], [`DateTime`], [`Duration`], [`IsoDuration`], [`ParseError`] |
//! | points in time in other formats | [`HttpDate`], [`UnixTime`], [`UnixMillis`] |
//! | binary data | [`Bytes`] |
//! | partial updates, RFC 7396 | [`Patch`], [`MapPatch`], [`Merge`] |
//! | JSON Patch documents, RFC 6902 | [`JsonPatch`], [`JsonPointer`] |
//! | nullable fields | [`Nullable`] |
//! | output-only and input-only fields | [`FieldBehavior`], [`ConditionSet`], [`WriteContext`] |
//! | description of an API, its operations and parameters | [`operation`] |
//! | error bodies with the names of an API | [`error_body`] |
//! | requests | [`Request`] |
//! | two namings of one API | [`Naming`], [`naming`] |
//! | selection of the fields of a response | [`fields`] |
//! | entity tags and conditions | [`etag`] |
//! | additional fields | [`AdditionalFields`] |
//! | unknown fields | [`UnknownFields`], [`UnknownFieldsPatch`] |
//! | any JSON | [`Value`], [`Map`] |
//! | bodies other than JSON, uploads | [`media`], [`RawBody`], [`Upload`] |
//! | JSON text | [`json`] |
//! | form bodies | [`form`], [`FilePart`] |
//! | XML bodies | [`xml`], with the feature `xml` |
//!
//! What only generated code calls is in the hidden module `__private`, and in macros that are hidden likewise.
//!
//! # Wire rules
//!
//! * Outside of a merge patch `null` means absent: an `Option` becomes `None`, a list or a map becomes empty. It is a
//!   value where the schema allows it: in a [`Nullable`] field, in an element or an entry that is an `Option`. In a
//!   patch it clears the field.
//! * Absent fields are not written: no `null`, no empty list, no empty map.
//! * An integer may be written as a float without a fraction (`1.0`, `1e2`); no other type is converted. Nothing is
//!   rounded and nothing wraps around.
//! * A duplicate field is an error, since two parsers would disagree on its value. An unknown field is
//!   skipped, unless its resource preserves unknown fields.
//! * Parsed texts are written back in their original form: offsets, fraction digits, base64 alphabets, enum values that
//!   a later version of the API added. Numbers and HTTP dates are written in one canonical form.
//!
//! # Untrusted input
//!
//! No input makes this library panic, recurse without limit (`serde_json` stops at 128 levels) or allocate more than in
//! proportion to its size; a JSON Patch may copy up to 64 MiB. Error messages are bounded to one line.
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
mod additional_fields;
pub mod batch;
mod big_decimal;
mod bytes;
mod conditions;
mod constants;
mod cursor;
mod date;
mod datetime;
mod decimal;
mod decimal_digits;
mod duration;
pub mod error_body;
pub mod etag;
mod exact_number;
mod field_behavior;
mod field_encoding;
pub mod fields;
pub mod file;
mod fill;
pub mod form;
mod from_parameter;
#[doc(hidden)]
pub mod http;
mod http_date;
mod iso_duration;
pub mod json;
mod json_patch;
mod lookup;
mod masking;
pub mod media;
mod merge;
mod multipart;
pub mod naming;
mod nullable;
mod number;
mod object;
mod open_enum;
pub mod operation;
mod outcome;
mod parse_error;
mod patch;
mod pattern;
mod placeholders;
mod raw_body;
mod request;
mod scoped;
mod text;
mod time;
mod unions;
mod unix_time;
mod unknown_fields;
pub mod watch;
mod wire;
mod wire_body;
pub mod xml;

pub use jiff;
pub use serde;
pub use serde_json;

/// Any JSON value, `any` in a schema.
pub type Value = serde_json::Value;

/// Any JSON object, `object` in a schema.
pub type Map = serde_json::Map<String, Value>;

pub use additional_fields::AdditionalFields;
pub use big_decimal::BigDecimal;
pub use bytes::{Base64Decoder, Bytes};
pub use conditions::{ConditionSet, WriteContext};
pub use date::Date;
pub use datetime::DateTime;
pub use decimal::{Decimal, DecimalInteger};
pub use duration::{Duration, DurationOutOfRange};
pub use exact_number::Number;
pub use field_behavior::FieldBehavior;
pub use file::FilePart;
pub use from_parameter::ParameterError;
pub use http_date::HttpDate;
pub use iso_duration::IsoDuration;
pub use json_patch::{
    JsonPatch, JsonPatchError, JsonPatchErrorKind, JsonPatchOperation, JsonPointer, JsonPointerError,
};
pub use media::{RawBody, RawContent, Upload};
pub use merge::Merge;
pub use naming::Naming;
pub use nullable::Nullable;
pub use open_enum::{OpenEnum, UnknownValue};
pub use outcome::{Outcome, OutcomeError};
pub use parse_error::{ParseError, ParseErrorKind};
pub use patch::{MapPatch, Patch};
pub use request::{
    LongRunning, OperationError, OperationState, OperationStateOf, PagePosition, Paginated, ReadForPatch,
    ReadForUpdate, Request, RequestError, RequestErrorKind, ResponseAlternative, ResponseHeaders, Syncable,
    WireRequest, WriteRequest, apply_patch,
};
pub use time::Time;
pub use unix_time::{TimeOutOfRange, UnixMillis, UnixTime};
pub use unknown_fields::{UnknownFields, UnknownFieldsPatch};
pub use wire::FromWire;
pub use wire_body::WireBody;

use crate::__private::*;
