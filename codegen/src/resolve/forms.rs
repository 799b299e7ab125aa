//! Checks of lexical formats, as the runtime parses them.

use crate::model::Lexical;

/// Returns whether a text has a lexical format.
#[must_use]
pub fn is_lexical(lexical: Lexical, text: &str) -> bool {
    match lexical {
        Lexical::Decimal => is_decimal(text),
        Lexical::IsoDuration => is_iso_duration(text),
        Lexical::Time => is_time(text),
        Lexical::HttpDate => is_http_date(text),
    }
}

/// Splits leading digits from a text.
fn leading_digits(text: &str) -> (&str, &str) {
    text.split_at(text.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len()))
}

/// Returns whether a text is a JSON number.
fn is_decimal(text: &str) -> bool {
    let (whole, mut rest) = leading_digits(text.strip_prefix('-').unwrap_or(text));
    if whole.is_empty() || whole.len() > 1 && whole.starts_with('0') {
        return false;
    }
    if let Some(fraction) = rest.strip_prefix('.') {
        let (digits, after) = leading_digits(fraction);
        if digits.is_empty() {
            return false;
        }
        rest = after;
    }
    let Some(exponent) = rest.strip_prefix(['e', 'E']) else { return rest.is_empty() };
    let (digits, after) = leading_digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent));
    !digits.is_empty() && after.is_empty()
}

/// Returns whether a text is an ISO 8601 duration with its units in order.
fn is_iso_duration(text: &str) -> bool {
    let Some(parts) = text.strip_prefix('-').unwrap_or(text).strip_prefix('P') else { return false };
    let (dates, times) = parts.split_once('T').map_or((parts, None), |(dates, times)| (dates, Some(times)));
    let is_empty = dates.is_empty() && times.is_none();
    !is_empty
        && are_parts(dates, DATE_UNITS, false)
        && times.is_none_or(|times| !times.is_empty() && are_parts(times, TIME_UNITS, true))
}

/// Units of dates with their largest numbers, with which the runtime computes.
const DATE_UNITS: &[(char, u64)] = &[('Y', 19_998), ('M', 239_976), ('W', 1_043_497), ('D', 7_304_484)];
/// Units of times.
const TIME_UNITS: &[(char, u64)] = &[('H', 175_307_616), ('M', 10_518_456_960), ('S', 631_107_417_600)];

fn are_parts(text: &str, units: &[(char, u64)], fractions: bool) -> bool {
    let (mut text, mut units) = (text, units);
    while !text.is_empty() {
        let (whole, mut rest) = leading_digits(text);
        let fraction = rest.strip_prefix(['.', ',']).filter(|_| fractions).map(leading_digits);
        if let Some((digits, after)) = fraction {
            if digits.is_empty() || digits.len() > 9 {
                return false;
            }
            rest = after;
        }
        let mut chars = rest.chars();
        let unit = chars.next();
        let Some(at) = units.iter().position(|(known, _)| Some(*known) == unit) else { return false };
        let (found, after) = units.split_at(at + 1);
        if !whole.parse::<u64>().is_ok_and(|number| found.last().is_some_and(|(_, most)| number <= *most)) {
            return false;
        }
        // A fraction is only allowed in the last unit.
        units = if fraction.is_some() { &[] } else { after };
        text = chars.as_str();
    }
    true
}

/// Returns whether a text is a time of day. A leap second is not accepted.
fn is_time(text: &str) -> bool {
    let two = |text: &str, most: u32| text.len() == 2 && digits_at(text, 0..2).is_some_and(|part| part <= most);
    let Some((clock, rest)) = text.split_at_checked(8) else { return false };
    let parts: Vec<&str> = clock.split(':').collect();
    let [hour, minute, second] = parts.as_slice() else { return false };
    let offset = match rest.strip_prefix('.').map(leading_digits) {
        Some((fraction, _)) if fraction.is_empty() || fraction.len() > 18 => return false,
        Some((_, offset)) => offset,
        None => rest,
    };
    let is_offset = match offset {
        "" | "Z" | "z" => true,
        offset => offset
            .strip_prefix(['+', '-'])
            .and_then(|offset| offset.split_once(':'))
            .is_some_and(|(hours, minutes)| two(hours, 23) && two(minutes, 59)),
    };
    two(hour, 23) && two(minute, 59) && two(second, 59) && is_offset
}

/// Returns whether a text is a date in the preferred format of HTTP: `Sun, 06 Nov 1994 08:49:37 GMT`.
fn is_http_date(text: &str) -> bool {
    const DAYS: &str = "Mon Tue Wed Thu Fri Sat Sun";
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let words: Vec<&str> = text.split(' ').collect();
    let [weekday, day, month, year, time, "GMT"] = words.as_slice() else { return false };
    let month = (1..).zip(MONTHS).find(|(_, name)| name == month).map_or(0, |(month, _)| month);
    weekday.len() == 4
        && weekday
            .strip_suffix(',')
            .is_some_and(|name| DAYS.split(' ').position(|day| day == name) == weekday_of(year, month, day))
        && is_date(&format!("{year}-{month:02}-{day}"))
        && time.len() == 8
        && is_time(time)
}

/// Returns the day of the week, from 0 for Monday, by Zeller's congruence.
fn weekday_of(year: &str, month: usize, day: &str) -> Option<usize> {
    let (year, day) =
        (year.parse::<usize>().ok().filter(|year| *year <= 9999)?, day.parse::<usize>().ok().filter(|day| *day <= 31)?);
    // January and February count as months of the previous year; adding 400 years adds whole weeks.
    let (year, month) = if month < 3 { (year + 399, month + 12) } else { (year + 400, month) };
    Some((day + 13 * (month + 1) / 5 + year + year / 4 + year / 400 + 5 - year / 100 % 7 + 7) % 7)
}

fn digits_at(text: &str, at: std::ops::Range<usize>) -> Option<u32> {
    let part = text.get(at)?;
    part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse().ok())?
}

/// Returns whether a text is base64 in one of its alphabets.
#[must_use]
pub fn is_base64(text: &str) -> bool {
    let body = text.trim_end_matches('=');
    body.len() % 4 != 1 && body.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_+/".contains(&byte))
}

/// Returns whether a text is a valid date: `2026-02-28`.
#[must_use]
pub fn is_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    let parts = (digits_at(text, 0..4), digits_at(text, 5..7), digits_at(text, 8..10));
    let (Some(year), Some(month), Some(day), 10) = (parts.0, parts.1, parts.2, text.len()) else { return false };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let last = match month {
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        1..=12 => 31,
        _ => return false,
    };
    bytes[4] == b'-' && bytes[7] == b'-' && (1..=last).contains(&day)
}

/// Returns whether a text is a valid date-time: `2026-02-28T09:30:00Z`.
#[must_use]
pub fn is_date_time(text: &str) -> bool {
    let Some((date, time)) = text.split_once('T') else { return false };
    let offset_at = time.find(['Z', '+', '-']).unwrap_or(time.len());
    let (clock, offset) = time.split_at(offset_at);
    let (clock, fraction) = clock.split_once('.').map_or((clock, "0"), |(clock, fraction)| (clock, fraction));
    let bounded = |at, limit| digits_at(clock, at).is_some_and(|value| value <= limit);
    let clock_fits = clock.len() == 8 && bounded(0..2, 23) && bounded(3..5, 59) && bounded(6..8, 60);
    let separated = clock.get(2..3) == Some(":") && clock.get(5..6) == Some(":");
    let fraction_fits = (1..=18).contains(&fraction.len()) && fraction.bytes().all(|byte| byte.is_ascii_digit());
    let offset_fits = match offset {
        "" | "Z" => true,
        offset => {
            offset.len() == 6
                && offset.get(3..4) == Some(":")
                && digits_at(offset, 1..3).is_some_and(|hour| hour <= 23)
                && digits_at(offset, 4..6).is_some_and(|minute| minute <= 59)
        }
    };
    let is_leap = clock.ends_with(":60");
    let fits = is_date(date) && clock_fits && separated && fraction_fits && offset_fits;
    fits && (!is_leap || utc_minute(clock, offset) == Some(23 * 60 + 59))
}

/// Returns the minute of the day in UTC, or at the place of a time without an offset.
fn utc_minute(clock: &str, offset: &str) -> Option<u32> {
    let minute = |text: &str, at: usize| Some(digits_at(text, at..at + 2)? * 60 + digits_at(text, at + 3..at + 5)?);
    let (local, day) = (minute(clock, 0)?, 24 * 60);
    Some(match offset.as_bytes().first() {
        Some(b'+') => (local + day - minute(offset, 1)?) % day,
        Some(b'-') => (local + minute(offset, 1)?) % day,
        _ => local,
    })
}

/// Returns whether a text is a duration: `1.5s`.
#[must_use]
pub fn is_duration(text: &str) -> bool {
    const MAX_SECONDS: u64 = 315_576_000_000;
    let Some(number) = text.strip_suffix('s') else { return false };
    let number = number.strip_prefix('-').unwrap_or(number);
    let (whole, fraction) = number.split_once('.').map_or((number, "0"), |(whole, fraction)| (whole, fraction));
    let digits = |text: &str, most: usize| {
        !text.is_empty() && text.len() <= most && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_whole = digits(whole, 12) && (whole == "0" || !whole.starts_with('0'));
    is_whole && whole.parse::<u64>().is_ok_and(|seconds| seconds <= MAX_SECONDS) && digits(fraction, 9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_those_of_the_runtime() {
        for (lexical, right, wrong) in [
            (Lexical::Decimal, &["0", "-0.10", "1e5", "1.5E-10"][..], &["", "01", ".5", "1.", "1e", "+1", "NaN"][..]),
            (
                Lexical::IsoDuration,
                &["P1Y2M10DT2H30M", "P2W", "PT0.5S", "-P1D", "P0D", "P19998Y", "PT631107417600S", "P0000000001D"],
                &[
                    "",
                    "P",
                    "PT",
                    "P1",
                    "P1H",
                    "PT1D",
                    "P1D2Y",
                    "1D",
                    "P1.5D",
                    "PT1.5H3M",
                    "P1DT",
                    "PT1.S",
                    "P19999Y",
                    "P7304485D",
                    "PT99999999999999999999S",
                ],
            ),
            (
                Lexical::Time,
                &["09:30:00", "09:30:00.5Z", "23:59:59-00:00", "00:00:00z"],
                &[
                    "",
                    "9:30:00",
                    "24:00:00",
                    "09:30",
                    "09:30:00.",
                    "09:30:00+1:00",
                    "+9:30:00",
                    "09:30:00+05:+3",
                    "09:30:00 ",
                ],
            ),
            (
                Lexical::HttpDate,
                &[
                    "Sun, 06 Nov 1994 08:49:37 GMT",
                    "Thu, 29 Feb 2024 00:00:00 GMT",
                    "Sat, 01 Jan 2000 00:00:00 GMT",
                    "Thu, 01 Jan 1970 00:00:00 GMT",
                ],
                &[
                    "",
                    "Mon, 06 Nov 1994 08:49:37 GMT",
                    "Sun, 6 Nov 1994 08:49:37 GMT",
                    "Sun, 06 Nov 1994 08:49:37 UTC",
                    "Wed, 30 Feb 2024 00:00:00 GMT",
                ],
            ),
        ] {
            right.iter().for_each(|text| assert!(is_lexical(lexical, text), "{text}"));
            wrong.iter().for_each(|text| assert!(!is_lexical(lexical, text), "{text}"));
        }
        ["0s", "-0.5s", "315576000000.9s"].iter().for_each(|text| assert!(is_duration(text), "{text}"));
        ["", "s", "1", "01s", "315576000001s", "+1s", "1.s"]
            .iter()
            .for_each(|text| assert!(!is_duration(text), "{text}"));
    }
}
