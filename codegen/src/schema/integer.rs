//! Integers of schemas.

/// Parses decimal digits with an optional minus, in the range from `i64::MIN` to `u64::MAX`.
pub(crate) fn parse_integer(text: &str) -> Option<i128> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let padded = digits.len() > 1 && digits.starts_with('0') || text == "-0";
    let value: i128 = (plain && !padded && digits.len() <= 20).then(|| text.parse().ok())??;
    (i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(&value).then_some(value)
}
