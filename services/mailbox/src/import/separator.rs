//! Separator lines of mbox files.

use wireform_store::Millis;

use crate::mail;

/// Maximum number of bytes of a line that are examined, more than a sender's address has.
const MAX_LINE_BYTES: usize = 4 << 10;

/// Returns whether a line is a separator: `From`, a sender and a time. Without a time it is the beginning of a
/// sentence.
pub(super) fn is_separator(line: &[u8]) -> bool {
    let time = |four: &[u8]| matches!(four, [a, b':', c, d] if [a, c, d].iter().all(|digit| digit.is_ascii_digit()));
    line.starts_with(b"From ") && line.windows(4).any(time)
}

/// Returns the time of arrival in a separator line, if there is one: `Sun Mar  1 12:00:00 2026` in UTC (RFC 4155), with
/// a zone before or after the year, as some programs write it, or in the order of the header `Date`.
pub(super) fn arrival_time(line: &[u8]) -> Option<Millis> {
    let line = String::from_utf8_lossy(line.get(..MAX_LINE_BYTES).unwrap_or(line));
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    // The last clock time, because the sender may have any name.
    let at = words.iter().rposition(|word| is_clock(word))?;
    let (before, rest) = words.split_at(at);
    let (clock, after) = rest.split_first()?;
    let at = before.iter().rposition(|word| is_month(word))?;
    let (earlier, rest) = before.split_at(at);
    let (month, later) = rest.split_first()?;
    let day = later.first().into_iter().chain(earlier.last()).find(|word| is_number(word, 1..=2))?;
    let year = after.iter().chain(later).find(|word| is_number(word, 4..=4))?;
    let zone = after.iter().find(|word| is_zone(word)).unwrap_or(&"+0000");
    let seconds = if clock.matches(':').count() == 1 { ":00" } else { "" };
    mail::date(&format!("{day} {month} {year} {clock}{seconds} {zone}"))
}

/// Returns whether a word consists of digits, in the given number.
fn is_number(word: &str, digits: std::ops::RangeInclusive<usize>) -> bool {
    digits.contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns whether a word is a time of day, with or without seconds.
fn is_clock(word: &str) -> bool {
    let count = word.split(':').count();
    (2..=3).contains(&count) && word.split(':').all(|part| is_number(part, 1..=2))
}

fn is_month(word: &str) -> bool {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    MONTHS.iter().any(|month| month.eq_ignore_ascii_case(word))
}

/// Returns whether a word is a zone such as `+0100` or `EST`; unknown letters stand for UTC.
fn is_zone(word: &str) -> bool {
    match word.strip_prefix(['+', '-']) {
        Some(digits) => is_number(digits, 4..=4),
        None => (1..=4).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_uppercase()),
    }
}
