//! Durations: `for 2 hours`, `45 min`, `1h30`.

use super::lex::TokenCursor;

/// Duration of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Length {
    pub(super) days: i32,
    pub(super) minutes: i32,
}

/// Units of hours.
const HOURS: [&str; 5] = ["h", "hr", "hrs", "hour", "hours"];
/// Units of minutes.
const MINUTES: [&str; 4] = ["min", "mins", "minute", "minutes"];

/// Matches `for` and a duration; without `for`, only hours and minutes in digits.
pub(super) fn length(mut cursor: TokenCursor<'_>) -> Option<(Length, usize)> {
    let is_stated = cursor.eat(&["for"]);
    let mut digits = cursor;
    if !is_stated && digits.eat_number(1..=3).is_none() {
        return None;
    }
    let (length, cursor) = amount(cursor).filter(|(length, _)| is_stated || length.days == 0)?;
    Some((length, cursor.end()?))
}

/// Matches a duration: `2 hours`, `1.5 h`, `half an hour`, `3 days`.
pub(super) fn amount(mut cursor: TokenCursor<'_>) -> Option<(Length, TokenCursor<'_>)> {
    let minutes = |minutes| Length { days: 0, minutes };
    if cursor.eat_all(&["half", "an", "hour"]) {
        return Some((minutes(30), cursor));
    }
    let is_counted = cursor.token().is_some_and(|token| !token.is_word(&["a", "an"]));
    let count = cursor.eat_count()?;
    let mut fraction = cursor;
    if is_counted && fraction.is_adjacent() && fraction.eat_symbol(&['.']) && fraction.is_adjacent() {
        let (tenths, _) = fraction.eat_number(1..=1)?;
        return fraction.eat(&HOURS).then_some((minutes(count * 60 + tenths * 6), fraction));
    }
    if cursor.eat(&HOURS) {
        let more = half_more(&mut cursor).or_else(|| minutes_more(&mut cursor)).unwrap_or(0);
        return Some((minutes(count * 60 + more), cursor)).filter(|(length, _)| length.minutes > 0);
    }
    if cursor.eat(&MINUTES) {
        return Some((minutes(count), cursor)).filter(|_| count > 0);
    }
    let days = match cursor.eat_word()? {
        "day" | "days" => count,
        "week" | "weeks" => count * 7,
        _ => return None,
    };
    Some((Length { days, minutes: 0 }, cursor)).filter(|_| days > 0)
}

/// Matches `and a half`.
fn half_more(cursor: &mut TokenCursor<'_>) -> Option<i32> {
    cursor.eat_all(&["and", "a", "half"]).then_some(30)
}

/// Matches the minutes after hours: `30`, `30m`, `and 30 minutes`.
fn minutes_more(cursor: &mut TokenCursor<'_>) -> Option<i32> {
    let mut ahead = *cursor;
    let is_glued = ahead.is_adjacent();
    ahead.eat(&["and"]);
    let (minutes, _) = ahead.eat_number(1..=2)?;
    let has_unit = ahead.eat(&MINUTES) || (ahead.is_adjacent() && ahead.eat(&["m"]));
    if minutes >= 60 || !(has_unit || is_glued) {
        return None;
    }
    *cursor = ahead;
    Some(minutes)
}
