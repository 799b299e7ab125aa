//! Built-in types.

use crate::model::{Encoding, Lexical, Type};

/// Built-in types, in the order of the reference page.
pub const BUILTINS: &[(&str, &str)] = &[
    ("string", "A string."),
    ("bool", "`true` or `false`."),
    ("int32", "A signed 32-bit integer."),
    ("int64", "A signed 64-bit integer; a JSON number unless `encoding: decimal_string`."),
    ("uint32", "An unsigned 32-bit integer."),
    ("uint64", "An unsigned 64-bit integer; a JSON number unless `encoding: decimal_string`."),
    ("float", "A 32-bit floating-point number."),
    ("double", "A 64-bit floating-point number."),
    ("number", "A JSON number of any size and precision; its notation is kept."),
    ("decimal", "A decimal number of any precision in a string, such as `0.10`; its digits are kept."),
    (
        "bytes",
        "Bytes, encoded as base64 with `-` and `_` unless `encoding` says otherwise. Any base64 variant is decoded.",
    ),
    ("file", "A file in a multipart form: bytes, with the file name and the media type that the sender declares."),
    ("date", "A calendar date, `yyyy-mm-dd`."),
    ("datetime", "A timestamp (RFC 3339), with or without an offset; its notation is kept."),
    ("time", "A time of day (RFC 3339), with or without an offset, such as `09:30:00`; its notation is kept."),
    ("http_date", "A timestamp in the format of HTTP headers (RFC 9110): `Sun, 06 Nov 1994 08:49:37 GMT`."),
    (
        "unix_time",
        "A timestamp as a JSON number of seconds since 1970, or of milliseconds with `encoding: milliseconds`.",
    ),
    ("duration", "A duration in seconds: `1.5s`."),
    ("iso_duration", "An ISO 8601 duration, such as `P1DT2H30M`; its notation is kept."),
    ("any", "Any JSON value."),
    ("object", "Any JSON object."),
];

/// Returns whether a name is a built-in type.
pub fn is_builtin(name: &str) -> bool {
    BUILTINS.iter().any(|(builtin, _)| *builtin == name)
}

/// Returns the built-in type with a name.
pub fn builtin(name: &str) -> Option<Type> {
    Some(match name {
        "string" => Type::String,
        "bool" => Type::Bool,
        "int32" => Type::Int32,
        "int64" => Type::Int64(Encoding::Number),
        "uint32" => Type::Uint32,
        "uint64" => Type::Uint64(Encoding::Number),
        "float" => Type::Float,
        "double" => Type::Double,
        "number" => Type::Number,
        "decimal" => Type::Lexical(Lexical::Decimal),
        "bytes" => Type::Bytes(Encoding::Base64Url),
        "file" => Type::Bytes(Encoding::File),
        "date" => Type::Date,
        "datetime" => Type::DateTime,
        "time" => Type::Lexical(Lexical::Time),
        "http_date" => Type::Lexical(Lexical::HttpDate),
        "unix_time" => Type::Int64(Encoding::UnixSeconds),
        "duration" => Type::Duration,
        "iso_duration" => Type::Lexical(Lexical::IsoDuration),
        "any" => Type::Any,
        "object" => Type::Object,
        _ => return None,
    })
}
