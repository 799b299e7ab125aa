//! Dates of a seed relative to the day on which it is written: `<today>`, `<today+3>`, `<monday-7>`.

use std::path::Path;

use jiff::Span;
use jiff::civil::Date;
use serde_saphyr::Location;

/// Maximum number of days from today.
const MAX_DAYS: i64 = 3_660;

/// Text of a seed file whose relative dates are replaced by dates such as `2026-03-04`.
#[derive(Debug)]
pub struct SeedText<'f> {
    file: &'f Path,
    text: String,
    replaced: Vec<ReplacedDate>,
}

/// Date in the text, by its line and columns in characters.
#[derive(Debug)]
struct ReplacedDate {
    line: u64,
    column: u64,
    /// Length of the date.
    length: u64,
    /// Length of the relative date in the file.
    written: u64,
}

impl<'f> SeedText<'f> {
    /// Replaces the relative dates of a text. `<monday>` is the Monday of the week of `today`. Anything else in angle
    /// brackets is kept.
    pub fn resolve(file: &'f Path, text: &str, today: Date) -> Self {
        let monday = today.saturating_sub(Span::new().days(today.weekday().to_monday_zero_offset()));
        let mut seed = Self { file, text: String::with_capacity(text.len()), replaced: Vec::new() };
        let (mut line, mut column) = (1, 1);
        let mut rest = text;
        while let Some(at) = rest.find('<') {
            let (before, tag) = rest.split_at(at);
            seed.text.push_str(before);
            line += length(before.matches('\n').count());
            column = match before.rsplit_once('\n') {
                Some((_, after)) => 1 + length(after.chars().count()),
                None => column + length(before.chars().count()),
            };
            let date = tag.find('>').and_then(|end| Some((end, relative_date(tag.get(1..end)?, today, monday)?)));
            let (kept, written) = match date {
                Some((end, date)) => (date.to_string(), end + 1),
                None => ("<".to_owned(), 1),
            };
            if date.is_some() {
                let date = ReplacedDate { line, column, length: length(kept.len()), written: length(written) };
                seed.replaced.push(date);
            }
            column += length(kept.len());
            seed.text.push_str(&kept);
            rest = tag.get(written..).unwrap_or_default();
        }
        seed.text.push_str(rest);
        seed
    }

    /// Returns the text with dates.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the path with a place of the text as it is in the file. The place of a default value, or of the whole file,
    /// has no line.
    pub fn place(&self, at: Location) -> String {
        let (file, line) = (self.file.display(), at.line());
        if line == 0 {
            return file.to_string();
        }
        let mut column = at.column();
        for date in self.replaced.iter().filter(|date| date.line == line && date.column < at.column()) {
            // A place within a date is its beginning.
            let passed = date.length.min(at.column() - date.column);
            column = column - passed + if passed == date.length { date.written } else { 0 };
        }
        format!("{file}:{line}:{column}")
    }
}

fn length(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

/// Returns the date of `today`, `monday`, or a number of days from them.
fn relative_date(text: &str, today: Date, monday: Date) -> Option<Date> {
    let (start, days) = match text.strip_prefix("today") {
        Some(days) => (today, days),
        None => (monday, text.strip_prefix("monday")?),
    };
    if !days.is_empty() && !days.starts_with(['+', '-']) {
        return None;
    }
    let days = if days.is_empty() { 0 } else { days.parse::<i64>().ok().filter(|days| days.abs() <= MAX_DAYS)? };
    start.checked_add(Span::new().days(days)).ok()
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn resolve_dates(text: &str, today: Date) -> String {
        SeedText::resolve(Path::new("seed.yaml"), text, today).text().to_owned()
    }

    #[test]
    fn dates_are_relative_to_today_and_to_monday() {
        let today = date(2026, 3, 4);
        for (text, expected) in [
            ("date: <today>T08:30:00Z", "date: 2026-03-04T08:30:00Z"),
            ("{ date: <today+30> } <today-4>", "{ date: 2026-04-03 } 2026-02-28"),
            ("<monday>, <monday-7> and <monday+6>", "2026-03-02, 2026-02-23 and 2026-03-08"),
            (
                "a < b, <b>today</b>, <todays>, <today+>, <today 1>",
                "a < b, <b>today</b>, <todays>, <today+>, <today 1>",
            ),
            ("<today+99999999999> <<today> <", "<today+99999999999> <2026-03-04 <"),
        ] {
            assert_eq!(resolve_dates(text, today), expected, "{text}");
        }
        assert_eq!(resolve_dates("<monday>", date(2026, 3, 2)), "2026-03-02");
        assert_eq!(resolve_dates("<monday>", date(2026, 3, 8)), "2026-03-02");
    }
}
