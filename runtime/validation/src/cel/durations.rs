//! Durations.

use wireform_runtime::Duration;
use wireform_runtime::jiff::SignedDuration;

use super::{EvalError, EvalResult};

/// Maximum length of a duration in seconds, in both directions: ten thousand years.
const MAX_SECONDS: i64 = 315_576_000_000;

/// Returns whether two durations have the same length, regardless of the notation.
#[inline]
#[must_use]
pub fn eq_duration(a: &Duration, b: &Duration) -> bool {
    a.to_signed() == b.to_signed()
}

/// Returns the duration if it is within the range of CEL, else an overflow.
fn check_range(duration: Option<SignedDuration>) -> EvalResult<SignedDuration> {
    duration.filter(|duration| duration.as_secs().abs() <= MAX_SECONDS).ok_or(EvalError::Overflow)
}

/// Evaluates `a + b`.
///
/// # Errors
/// Returns an error if the result is too long.
pub fn add_durations(a: SignedDuration, b: SignedDuration) -> EvalResult<SignedDuration> {
    check_range(a.checked_add(b))
}

/// Evaluates `a - b`.
///
/// # Errors
/// Returns an error if the result is too long.
pub fn subtract_durations(a: SignedDuration, b: SignedDuration) -> EvalResult<SignedDuration> {
    check_range(a.checked_sub(b))
}

/// Evaluates `duration(text)`, such as `1h2m3.5s`.
///
/// # Errors
/// Returns an error if the text is not a duration, or the duration is too long.
pub fn duration(text: &str) -> EvalResult<SignedDuration> {
    if let Ok(duration) = Duration::parse(text) {
        return Ok(duration.to_signed());
    }
    let (negative, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let mut nanos: i128 = 0;
    match rest {
        "" => return Err(EvalError::BadConversion),
        // Zero needs no unit.
        "0" => rest = "",
        _ => {}
    }
    while !rest.is_empty() {
        let (part, after) = parse_quantity(rest).ok_or(EvalError::BadConversion)?;
        nanos = nanos.checked_add(part).ok_or(EvalError::Overflow)?;
        rest = after;
    }
    let nanos = if negative { -nanos } else { nanos };
    let seconds = i64::try_from(nanos / 1_000_000_000).map_err(|_| EvalError::Overflow)?;
    let nanos = i32::try_from(nanos % 1_000_000_000).map_err(|_| EvalError::Overflow)?;
    check_range(Some(SignedDuration::new(seconds, nanos)))
}

/// Parses a number with its unit, and returns it in nanoseconds with the rest of the text.
fn parse_quantity(text: &str) -> Option<(i128, &str)> {
    const UNITS: &[(&str, i128)] = &[
        ("ns", 1),
        ("us", 1_000),
        ("µs", 1_000),
        ("μs", 1_000),
        ("ms", 1_000_000),
        ("s", 1_000_000_000),
        ("m", 60_000_000_000),
        ("h", 3_600_000_000_000),
    ];
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let (number, after) = text.split_at(end);
    let (unit, rest) = UNITS.iter().find_map(|(name, nanos)| Some((*nanos, after.strip_prefix(name)?)))?;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let plain = |text: &str| text.len() <= 18 && text.bytes().all(|byte| byte.is_ascii_digit());
    if !plain(whole) || !plain(fraction) || (whole.is_empty() && fraction.is_empty()) {
        return None;
    }
    let value = |text: &str| if text.is_empty() { Some(0) } else { text.parse::<i128>().ok() };
    let scale = 10_i128.checked_pow(u32::try_from(fraction.len()).ok()?)?;
    let part = value(fraction)?.checked_mul(unit)? / scale;
    Some((value(whole)?.checked_mul(unit)?.checked_add(part)?, rest))
}

/// Returns the whole hours of a duration.
#[must_use]
pub fn whole_hours(duration: SignedDuration) -> i64 {
    duration.as_hours()
}

/// Returns the whole minutes of a duration.
#[must_use]
pub fn whole_minutes(duration: SignedDuration) -> i64 {
    duration.as_mins()
}

/// Returns the whole seconds of a duration.
#[must_use]
pub fn whole_seconds(duration: SignedDuration) -> i64 {
    duration.as_secs()
}
