//! Days in digits.

use wireform_recurrence::jiff::civil::Date;

use super::in_year;
use crate::quick_add::lex::TokenCursor;

/// Matches `2026-03-05`, `3/5`, `3/5/2027` and `5.3.2027`.
pub(super) fn numeric(mut cursor: TokenCursor<'_>, from: Date) -> Option<(Date, TokenCursor<'_>)> {
    let mut iso = cursor;
    if let Some(date) = iso_date(&mut iso) {
        return Some((date, iso));
    }
    let (first, _) = cursor.eat_number(1..=2)?;
    if !cursor.is_adjacent() {
        return None;
    }
    if cursor.eat_symbol(&['.']) {
        let (month, _) = cursor.eat_number(1..=2).filter(|_| cursor.is_adjacent())?;
        let (year, _) =
            if cursor.eat_symbol(&['.']) && cursor.is_adjacent() { cursor.eat_number(4..=4)? } else { return None };
        return Some((day_of(year, month, first)?, cursor));
    }
    if !cursor.eat_symbol(&['/']) || !cursor.is_adjacent() {
        return None;
    }
    let (day, _) = cursor.eat_number(1..=2)?;
    let mut ahead = cursor;
    if ahead.is_adjacent() && ahead.eat_symbol(&['/']) {
        let (year, digits) = ahead.eat_number(2..=4).filter(|(_, digits)| digits.len() != 3)?;
        let year = if digits.len() == 2 { 2_000 + year } else { year };
        return Some((day_of(year, first, day)?, ahead));
    }
    let (month, day) = (i8::try_from(first).ok()?, i8::try_from(day).ok()?);
    Some((in_year(None, month, day, from)?, cursor))
}

/// Matches `2026-03-05`.
fn iso_date(cursor: &mut TokenCursor<'_>) -> Option<Date> {
    let mut ahead = *cursor;
    let (year, _) = ahead.eat_number(4..=4)?;
    let mut part = || {
        let glued = ahead.is_adjacent() && ahead.eat_symbol(&['-']) && ahead.is_adjacent();
        if glued { ahead.eat_number(2..=2) } else { None }
    };
    let ((month, _), (day, _)) = (part()?, part()?);
    let date = day_of(year, month, day)?;
    *cursor = ahead;
    Some(date)
}

fn day_of(year: i32, month: i32, day: i32) -> Option<Date> {
    Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}
