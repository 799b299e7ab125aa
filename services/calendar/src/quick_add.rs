//! Creation of events from a line of English text.
//!
//! The result of [`parse`] depends only on its arguments. The supported phrases are documented in `docs/calendar.md`,
//! which a test compares with the parser; everything else becomes the title.

mod clock;
mod dates;
mod durations;
mod lex;
mod locations;
mod names;
mod recurrence;
mod resolve;
mod title;

use wireform_recurrence::jiff::civil::{Date, DateTime};
use wireform_recurrence::jiff::tz::TimeZone;
use wireform_recurrence::jiff::{Timestamp, Zoned};

use self::clock::Times;
use self::dates::Days;
use self::durations::Length;
use self::lex::{Token, TokenCursor};
use self::recurrence::Repeat;

/// Maximum length of a text in characters.
pub const MAX_TEXT: usize = 1_024;

/// Event described by a text.
#[derive(Clone, Debug, PartialEq)]
pub struct EventDraft {
    /// Title: the unrecognized part of the text, or all of it if nothing is left.
    pub summary: String,
    /// Location.
    pub location: Option<String>,
    /// Start.
    pub start: EventTime,
    /// End, exclusive.
    pub end: EventTime,
    /// Recurrence rule, `RRULE:FREQ=…`.
    pub recurrence: Option<String>,
}

/// Start or end of an event.
#[derive(Clone, Debug, PartialEq)]
pub enum EventTime {
    /// Day, for an all-day event.
    Day(Date),
    /// A time.
    Time(Zoned),
}

/// Elements of a text, each at most once: repetitions belong to the title.
#[derive(Debug, Default)]
struct Elements {
    days: Option<Days>,
    times: Option<Times>,
    length: Option<Length>,
    repeat: Option<Repeat>,
    all_day: bool,
    tonight: bool,
}

/// Current time for relative dates.
#[derive(Debug)]
struct Now {
    now: DateTime,
    zone: TimeZone,
}

impl Now {
    fn today(&self) -> Date {
        self.now.date()
    }
}

/// Parses a text into an event, relative to the instant and the time zone in which it was written.
///
/// Every text results in an event. The first [`MAX_TEXT`] characters are read.
#[must_use]
pub fn parse(text: &str, now: Timestamp, zone: &TimeZone) -> EventDraft {
    let end = text.char_indices().nth(MAX_TEXT).map_or(text.len(), |(at, _)| at);
    let tokens = lex::tokens(text.get(..end).unwrap_or_default());
    let present = Now { now: zone.to_datetime(now), zone: zone.clone() };
    let mut used = vec![false; tokens.len()];
    let elements = find_elements(&tokens, &present, &mut used);
    let location = locations::find(&tokens, &mut used);
    let summary = title::extract(&tokens, &used);
    let (start, end, recurrence) = resolve::resolve(&elements, &present);
    EventDraft { summary, location, start, end, recurrence }
}

/// Finds the elements that describe times, and marks their tokens.
fn find_elements(tokens: &[Token<'_>], present: &Now, used: &mut [bool]) -> Elements {
    let mut elements = Elements::default();
    let mut at = 0;
    while at < tokens.len() {
        let cursor = TokenCursor::new(tokens, at);
        let found = if cursor.begins_phrase() { elements.parse(cursor, present) } else { None };
        let next = found.map_or(at + 1, |end| end.max(at + 1));
        if found.is_some() {
            used.iter_mut().take(next).skip(at).for_each(|used| *used = true);
        }
        at = next;
    }
    elements
}

impl Elements {
    /// Parses the element at a cursor. Returns its end.
    fn parse(&mut self, cursor: TokenCursor<'_>, present: &Now) -> Option<usize> {
        let today = present.today();
        if !self.all_day
            && let Some(end) = all_day(cursor)
        {
            self.all_day = true;
            return Some(end);
        }
        if self.days.is_none() && !self.tonight && cursor.is_word("tonight") {
            (self.tonight, self.days) = (true, Some(Days::One(today)));
            return Some(cursor.at + 1);
        }
        if let Some(repeat) = &mut self.repeat
            && let Some(end) = recurrence::bound(cursor, today, repeat)
        {
            return Some(end);
        }
        if self.repeat.is_none()
            && let Some((repeat, end)) = recurrence::repeat(cursor)
        {
            self.repeat = Some(repeat);
            return Some(end);
        }
        if self.days.is_none()
            && let Some(end) = self.parse_days(cursor, present)
        {
            return Some(end);
        }
        if self.times.is_none()
            && !self.all_day
            && let Some((times, end)) = clock::times(cursor)
        {
            self.times = Some(times);
            return Some(end);
        }
        if self.length.is_none()
            && let Some((length, end)) = durations::length(cursor)
        {
            self.length = Some(length);
            return Some(end);
        }
        None
    }

    /// Parses the days at a cursor, and the times if they belong together: `March 3 9am - March 4 5pm`, `in 3 hours`.
    /// Returns their end.
    fn parse_days(&mut self, cursor: TokenCursor<'_>, present: &Now) -> Option<usize> {
        if self.times.is_none() && !self.all_day {
            if let Some((times, end)) = clock::moments(cursor, present.today()) {
                (self.days, self.times) = (Some(times.0), Some(times.1));
                return Some(end);
            }
            if let Some((start, end)) = clock::time_from_now(cursor, present.now) {
                (self.days, self.times) = (Some(Days::One(start.date())), Some(Times::from(start.time())));
                return Some(end);
            }
        }
        let (days, end) = dates::days(cursor, present.today())?;
        self.days = Some(days);
        Some(end)
    }
}

/// Matches `all day` and similar phrases.
fn all_day(mut cursor: TokenCursor<'_>) -> Option<usize> {
    if cursor.eat(&["allday"]) {
        return cursor.end();
    }
    if !cursor.eat(&["all", "whole"]) {
        return None;
    }
    cursor.eat_symbol(&['-']);
    if cursor.eat(&["day"]) { cursor.end() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_draft_ends_after_its_start() {
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        let words = "every day Tuesday next week in 3 12 - 99 : 30 am pm / 31 on March until times for h hours at @ Room \" , \
            to from 9999 . th tonight midnight all é \u{0} 日本 half an hour Mon 00 24 o ' clock months 2026 02 29 between and through \u{202e} \u{1f600}";
        let words: Vec<&str> = words.split(' ').collect();
        let mut state = 1_u64;
        let mut next = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).unwrap() % below
        };
        for _ in 0..20_000 {
            let count = 1 + next(12);
            let mut text = String::new();
            for _ in 0..count {
                text.push_str(words[next(words.len())]);
                text.push_str(["", " ", "  "][next(3)]);
            }
            for second in [0, 1_772_366_400, 253_402_207_200, -377_705_023_201] {
                let draft = parse(&text, Timestamp::from_second(second).unwrap(), &zone);
                let in_order = match (&draft.start, &draft.end) {
                    (EventTime::Day(start), EventTime::Day(end)) => start <= end,
                    (EventTime::Time(start), EventTime::Time(end)) => start <= end,
                    _ => false,
                };
                assert!(in_order && (text.trim().is_empty() || !draft.summary.is_empty()), "{text:?}: {draft:?}");
                if let Some(rule) = &draft.recurrence {
                    wireform_recurrence::Recurrence::parse([rule]).unwrap();
                }
            }
        }
    }
}
