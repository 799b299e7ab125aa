//! Lists of dates, times and periods (RFC 5545, sections 3.8.5.1 and 3.8.5.2).

use super::{is_extension, split, split_once, split_quoted};

/// Type of the elements of a list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ElementType {
    DateTime,
    Date,
    Period,
}

/// Returns whether these are the parameters and the value of an `RDATE`, which may contain periods, or of an `EXDATE`.
pub fn are_times(parameters: Option<&str>, value: &str, may_be_periods: bool) -> bool {
    let (mut of, mut zone) = (None, false);
    for parameter in parameters.into_iter().flat_map(|parameters| split_quoted(parameters, b';')) {
        let Some((name, value)) = split_once(parameter, b'=') else { return false };
        if name.eq_ignore_ascii_case("VALUE") && of.is_none() {
            of = match () {
                () if value.eq_ignore_ascii_case("DATE-TIME") => Some(ElementType::DateTime),
                () if value.eq_ignore_ascii_case("DATE") => Some(ElementType::Date),
                () if value.eq_ignore_ascii_case("PERIOD") && may_be_periods => Some(ElementType::Period),
                () => return false,
            };
        } else if name.eq_ignore_ascii_case("TZID") && !zone && super::super::is_time_zone(unquote(value)) {
            zone = true;
        } else if !is_extension(parameter) {
            return false;
        }
    }
    // A zone applies to local times: dates have none, and UTC needs none.
    let of = of.unwrap_or(ElementType::DateTime);
    !(zone && of == ElementType::Date)
        && split(value, |byte| byte == b',').all(|text| is_time(text, of) && !(zone && is_utc(text)))
}

/// Removes a pair of quotes around the text, if it has one.
fn unquote(text: &str) -> &str {
    text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text)
}

/// Returns whether a valid time is in UTC: only then does it contain a `Z`.
fn is_utc(text: &str) -> bool {
    text.bytes().any(|byte| matches!(byte, b'Z' | b'z'))
}

/// Returns whether a text is a value of this type; both ends of a period are in UTC or neither is.
fn is_time(text: &str, of: ElementType) -> bool {
    match of {
        ElementType::DateTime => is_date_time(text),
        ElementType::Date => is_date(text),
        ElementType::Period => text.split_once('/').is_some_and(|(start, end)| {
            is_date_time(start) && (is_date_time(end) && is_utc(start) == is_utc(end) || is_duration(end))
        }),
    }
}

/// Returns whether the text is an existing date, such as `19970714`.
pub fn is_date(text: &str) -> bool {
    let Some(digits) = digits::<8>(text) else { return false };
    let [a, b, c, d, e, f, g, h] = digits.map(u16::from);
    let (year, month, day) = (a * 1000 + b * 100 + c * 10 + d, e * 10 + f, g * 10 + h);
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u16::from(leap),
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day)
}

/// Returns whether the text is a date-time such as `19970714T133000`, followed by a `Z` if it is in UTC. Second 60 is
/// always accepted as a leap second.
pub fn is_date_time(text: &str) -> bool {
    let Some((date, time)) = split_once(text, b'T').or_else(|| split_once(text, b't')) else { return false };
    let Some([a, b, c, d, e, f]) = digits::<6>(time.strip_suffix(['Z', 'z']).unwrap_or(time)) else { return false };
    is_date(date) && a * 10 + b <= 23 && c * 10 + d <= 59 && e * 10 + f <= 60
}

/// Parses exactly `N` digits.
fn digits<const N: usize>(text: &str) -> Option<[u8; N]> {
    let bytes: [u8; N] = text.as_bytes().try_into().ok()?;
    bytes.iter().all(u8::is_ascii_digit).then(|| bytes.map(|byte| byte - b'0'))
}

/// Returns whether the text is a duration such as `P15DT5H0M20S` or `P7W` (section 3.3.6), not negative, since a period
/// goes forward.
fn is_duration(text: &str) -> bool {
    let text = text.strip_prefix('+').unwrap_or(text);
    let Some(rest) = text.strip_prefix(['P', 'p']) else { return false };
    let (days, time) = rest.split_once(['T', 't']).map_or((rest, None), |(days, time)| (days, Some(time)));
    let weeks = time.is_none() && units(days, b"W") == Some(1);
    let days_ok = if days.is_empty() { time.is_some() } else { units(days, b"D") == Some(1) };
    weeks || days_ok && time.is_none_or(|time| units(time, b"HMS").is_some_and(|count| count > 0))
}

/// Returns the number of values with units; each unit occurs at most once, in order and without a gap.
fn units(mut text: &str, mut order: &[u8]) -> Option<usize> {
    let mut count = 0;
    while !text.is_empty() {
        let length = text.bytes().take_while(u8::is_ascii_digit).count();
        let unit = text.as_bytes().get(length)?.to_ascii_uppercase();
        let index = order.iter().position(|known| *known == unit)?;
        // Minutes cannot be skipped between hours and seconds.
        if length == 0 || (count > 0 && index > 0) {
            return None;
        }
        order = order.get(index + 1..)?;
        text = text.get(length + 1..)?;
        count += 1;
    }
    Some(count)
}
