//! Schemas of wire formats that several fields share.

use super::json::{Object, object};
use super::regexes;

/// Constructor of a schema.
type Make = fn() -> Object;

/// Names with their constructors.
pub const WIRE_SCHEMAS: &[(&str, Make)] = &[
    (INT64, || decimal(i64::MIN.into(), i64::MAX.into(), false)),
    (INT64_INPUT, || decimal(i64::MIN.into(), i64::MAX.into(), true)),
    (UINT64, || decimal(0, u64::MAX.into(), false)),
    (UINT64_INPUT, || decimal(0, u64::MAX.into(), true)),
    (DATE_TIME, date_time),
    (DURATION, duration),
];

/// Signed 64-bit integer as a decimal string.
pub const INT64: &str = "Wire.Int64";
/// The same in requests, where a number is accepted too.
pub const INT64_INPUT: &str = "Wire.Int64.Input";
/// Unsigned 64-bit integer as a decimal string.
pub const UINT64: &str = "Wire.Uint64";
/// The same in requests, where a number is accepted too.
pub const UINT64_INPUT: &str = "Wire.Uint64.Input";
/// Timestamp.
pub const DATE_TIME: &str = "Wire.DateTime";
/// Duration.
pub const DURATION: &str = "Wire.Duration";

/// Maximum number of seconds of a duration, about 10,000 years.
const MAX_SECONDS: u128 = 315_576_000_000;

/// Returns the schema of a 64-bit integer as a decimal string; in requests, a number is accepted too.
pub fn decimal(least: i128, most: i128, sent: bool) -> Object {
    let text = object()
        .with("type", "string")
        .with("format", if least < 0 || most <= i64::MAX.into() { "int64" } else { "uint64" })
        .with("pattern", regexes::integers(least, most))
        .with("description", "A 64-bit integer as a decimal string, because JavaScript numbers cannot hold it.");
    if !sent {
        return text;
    }
    let number = object()
        .with("type", "integer")
        .with("minimum", super::json::integer(least))
        .with("maximum", super::json::integer(most));
    object().with("anyOf", vec![text, number])
}

/// Returns the schema of RFC 3339 timestamps, with or without an offset.
fn date_time() -> Object {
    let days = "(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))";
    let leap_days = "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29";
    let time = "(?:(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]|23:59:60)(?:\\.[0-9]{1,18})?";
    let offset = object()
        .with("type", "string")
        .with("format", "date-time")
        .with("description", "With `Z` or an offset (RFC 3339).");
    let local = object()
        .with("type", "string")
        .with("pattern", format!("^(?:[0-9]{{4}}-{days}|{leap_days})[Tt]{time}$"))
        .with("description", "A local time without an offset; its time zone is given elsewhere.");
    object().with("description", "A point in time.").with("anyOf", vec![offset, local])
}

/// Returns the schema of durations: `3s`, `-1.5s`; not those of ISO 8601.
fn duration() -> Object {
    let seconds = regexes::one_of(regexes::digits(0, MAX_SECONDS));
    object()
        .with("type", "string")
        .with("format", "google-duration")
        .with("pattern", format!("^-?{seconds}(?:\\.[0-9]{{1,9}})?s$"))
        .with("description", "A duration in seconds, with up to nine fractional digits, ending in `s`.")
}
