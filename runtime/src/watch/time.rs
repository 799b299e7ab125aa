//! HTTP dates (RFC 9110, section 5.6.7).

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// Format of HTTP dates, for `strftime` and `strptime`.
const FORMAT: &str = "%a, %d %b %Y %H:%M:%S GMT";

/// Formats milliseconds since the start of 1970; `None` if the year has more than four digits.
pub(super) fn format(millis: i64) -> Option<String> {
    let time = Timestamp::from_millisecond(millis).ok()?.to_zoned(TimeZone::UTC);
    (0..=9999).contains(&time.year()).then(|| time.strftime(FORMAT).to_string())
}

/// Parses an HTTP date, or milliseconds as digits.
pub(super) fn parse(text: &str) -> Option<i64> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.parse().ok();
    }
    let time = DateTime::strptime(FORMAT, text).ok()?.to_zoned(TimeZone::UTC).ok()?;
    Some(time.timestamp().as_millisecond())
}
