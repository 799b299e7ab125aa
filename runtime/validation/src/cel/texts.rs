//! Texts.

use wireform_runtime::jiff::SignedDuration;
use wireform_runtime::{Date, DateTime};

use crate::formats;

/// Returns the number of code points of a text.
#[must_use]
pub fn code_points(text: &str) -> i64 {
    super::count_to_int(text.chars().count())
}

/// Concatenates two texts.
#[must_use]
pub fn concat(a: &str, b: &str) -> String {
    [a, b].concat()
}

/// Formats a number as the shortest text that is parsed as the same number.
#[must_use]
pub fn format_double(number: f64) -> String {
    let size = number.abs();
    if number != 0.0 && number.is_finite() && !(1e-4..1e21).contains(&size) {
        format!("{number:e}")
    } else {
        number.to_string()
    }
}

/// Formats a duration in seconds: `1.5s`.
#[must_use]
pub fn format_duration(duration: SignedDuration) -> String {
    let sign = if duration.is_negative() { "-" } else { "" };
    let (seconds, nanos) = (duration.as_secs().unsigned_abs(), duration.subsec_nanos().unsigned_abs());
    if nanos == 0 {
        return format!("{sign}{seconds}s");
    }
    let fraction = format!("{nanos:09}");
    format!("{sign}{seconds}.{}s", fraction.trim_end_matches('0'))
}

/// Returns whether a text is an IP address of this version; 0 accepts both.
#[must_use]
pub fn is_ip(text: &str, version: i64) -> bool {
    match version {
        0 => formats::is_ip_address(text),
        4 => formats::is_ipv4_address(text),
        6 => formats::is_ipv6_address(text),
        _ => false,
    }
}

/// Returns whether a text is an IP prefix of this version; 0 accepts both.
#[must_use]
pub fn is_ip_prefix(text: &str, version: i64, strict: bool) -> bool {
    match version {
        0 => formats::is_ip_network(text, strict),
        4 => formats::is_ip_network_of_version(text, 4, strict),
        6 => formats::is_ip_network_of_version(text, 6, strict),
        _ => false,
    }
}

/// Returns whether a text is a date.
#[must_use]
pub fn is_date(text: &str) -> bool {
    Date::parse(text).is_ok()
}

/// Returns whether a text is a date-time, with or without an offset.
#[must_use]
pub fn is_date_time(text: &str) -> bool {
    DateTime::parse(text).is_ok()
}
