//! Literals: how they adapt to the other operand, and which texts are times.

use crate::model::condition::{CelType, Expr, ExprKind, Literal};

/// Returns a literal expression with its type.
pub fn literal_expr(value: &Literal) -> Expr {
    let ty = match value {
        Literal::Bool(_) => CelType::Bool,
        Literal::Int(_) => CelType::Int,
        Literal::Uint(_) => CelType::Uint,
        Literal::Double(_) => CelType::Double,
        Literal::String(_) => CelType::String,
        Literal::Bytes(_) => CelType::Bytes,
        // A literal `null` is distinct from the placeholder of a parameter that an operation lacks.
        Literal::Null => CelType::Any,
        Literal::Enum(id, _) => CelType::Enum(*id),
        Literal::Timestamp(_) => CelType::Timestamp,
        Literal::Date(..) => CelType::Date,
        Literal::Duration(..) => CelType::Duration,
    };
    Expr::new(ExprKind::Literal(value.clone()), ty)
}

/// Converts an integer literal to unsigned or floating-point to match the other operand.
pub fn adapt(expr: Expr, to: &CelType) -> Expr {
    match (&expr.kind, to) {
        (ExprKind::Literal(Literal::Int(value)), CelType::Uint) => match u64::try_from(*value) {
            Ok(value) => literal_expr(&Literal::Uint(value)),
            Err(_) => expr,
        },
        // Integers beyond 2^53 are not exact as floats.
        (ExprKind::Literal(Literal::Int(value)), CelType::Double) if value.unsigned_abs() <= 1 << 53 => {
            #[allow(clippy::cast_precision_loss, reason = "it is exact up to that bound")]
            let value = *value as f64;
            literal_expr(&Literal::Double(value))
        }
        _ => expr,
    }
}

/// Parses a date: `2026-02-28`.
pub fn date(text: &str) -> Option<Literal> {
    let (year, month, day) = (digits(text, 0..4)?, digits(text, 5..7)?, digits(text, 8..10)?);
    let separated = text.len() == 10 && text.get(4..5) == Some("-") && text.get(7..8) == Some("-");
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let last = match month {
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        1..=12 => 31,
        _ => 0,
    };
    let fits = separated && (1..=last).contains(&day);
    let small = |value: u16| u8::try_from(value).ok();
    if fits { Some(Literal::Date(year, small(month)?, small(day)?)) } else { None }
}

/// Returns whether a text is a date-time (RFC 3339), with or without an offset.
pub fn is_timestamp(text: &str) -> bool {
    let bounded = |at: std::ops::Range<usize>, max: u16| digits(text, at).is_some_and(|value| value <= max);
    let sign = |at: usize, signs: &[u8]| text.as_bytes().get(at).is_some_and(|byte| signs.contains(byte));
    // Timestamps of CEL start with the year 1.
    let day = text.get(..10).is_some_and(|day| date(day).is_some() && !day.starts_with("0000"));
    let clock = bounded(11..13, 23) && bounded(14..16, 59) && bounded(17..19, 59);
    if !(day && clock && sign(10, b"Tt") && sign(13, b":") && sign(16, b":")) {
        return false;
    }
    let rest = text.get(19..).unwrap_or_default();
    let fraction = rest.strip_prefix('.').map(|rest| rest.bytes().take_while(u8::is_ascii_digit).count());
    let offset = 19 + fraction.map_or(0, |digits| digits + 1);
    let numeric = text.len() == offset + 6
        && sign(offset, b"+-")
        && sign(offset + 3, b":")
        && bounded(offset + 1..offset + 3, 23)
        && bounded(offset + 4..offset + 6, 59);
    let zone = text.get(offset..).unwrap_or_default();
    fraction.is_none_or(|digits| (1..=18).contains(&digits)) && (matches!(zone, "" | "Z" | "z") || numeric)
}

/// Parses a duration: integers or decimals of hours, minutes, seconds and fractions of seconds.
pub fn duration(text: &str) -> Option<Literal> {
    const MAX_NANOSECONDS: i128 = 315_576_000_000 * 1_000_000_000;
    let (negative, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let mut nanos: i128 = 0;
    match rest {
        "" => return None,
        // Zero needs no unit.
        "0" => rest = "",
        _ => {}
    }
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, after) = rest.split_at(end);
        let (unit, after) = unit(after)?;
        nanos = nanos.checked_add(multiply_unit(number, unit)?)?;
        rest = after;
    }
    if nanos > MAX_NANOSECONDS {
        return None;
    }
    let nanos = if negative { -nanos } else { nanos };
    let second = 1_000_000_000;
    Some(Literal::Duration(i64::try_from(nanos / second).ok()?, i32::try_from(nanos % second).ok()?))
}

/// Parses a unit; returns its nanoseconds and the rest of the text.
fn unit(text: &str) -> Option<(i128, &str)> {
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
    UNITS.iter().find_map(|(name, nanos)| text.strip_prefix(name).map(|rest| (*nanos, rest)))
}

/// Multiplies a number with an optional fraction by a unit; digits below a nanosecond are truncated.
fn multiply_unit(number: &str, unit: i128) -> Option<i128> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let plain = |text: &str| text.len() <= 18 && text.bytes().all(|byte| byte.is_ascii_digit());
    if !plain(whole) || !plain(fraction) || (whole.is_empty() && fraction.is_empty()) {
        return None;
    }
    let value = |text: &str| if text.is_empty() { Some(0) } else { text.parse::<i128>().ok() };
    let scale = 10_i128.pow(u32::try_from(fraction.len()).ok()?);
    value(whole)?.checked_mul(unit)?.checked_add(value(fraction)?.checked_mul(unit)? / scale)
}

/// Parses a range of a text that consists only of digits.
fn digits(text: &str, at: std::ops::Range<usize>) -> Option<u16> {
    let part = text.get(at)?;
    part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        for (text, seconds, nanos) in [
            ("1s", 1, 0),
            ("1h2m3.5s", 3723, 500_000_000),
            ("-1.5s", -1, -500_000_000),
            ("100ms", 0, 100_000_000),
            ("1.5µs", 0, 1_500),
            ("0", 0, 0),
            ("315576000000s", 315_576_000_000, 0),
        ] {
            assert_eq!(duration(text), Some(Literal::Duration(seconds, nanos)), "{text}");
        }
        for text in ["", "1", "s", "1d", "1 s", "315576000001s", "--1s", "1.2.3s", ".s", "1e3s", "1h0", "00"] {
            assert_eq!(duration(text), None, "{text}");
        }
    }

    #[test]
    fn dates_and_times() {
        assert_eq!(date("2024-02-29"), Some(Literal::Date(2024, 2, 29)));
        for text in ["2023-02-29", "2024-13-01", "2024-1-01", "20240101", "2024-01-00", "ä024-01-01"] {
            assert_eq!(date(text), None, "{text}");
        }
        for text in ["2024-02-29T23:59:59Z", "2024-02-29T23:59:59.123", "2024-02-29t00:00:00-23:59"] {
            assert!(is_timestamp(text), "{text}");
        }
        for text in [
            "2024-02-30T00:00:00Z",
            "2024-02-29 00:00:00Z",
            "2024-02-29T00:00:00.Z",
            "2024-02-29T24:00:00Z",
            "2024-02-29T00:00Z",
        ] {
            assert!(!is_timestamp(text), "{text}");
        }
    }
}
