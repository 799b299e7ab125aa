//! Dates of a seed relative to the day on which it is written: `<today>`, `<today+3>`, `<monday-7>`.

use jiff::Span;
use jiff::civil::Date;

/// Maximum number of days from today.
const MAX_DAYS: i64 = 3_660;

/// Replaces relative dates by dates such as `2026-03-04`. `<monday>` is the Monday of the week of `today`. Anything else
/// in angle brackets is kept.
pub fn resolve_dates(text: &str, today: Date) -> String {
    let monday = today.saturating_sub(Span::new().days(today.weekday().to_monday_zero_offset()));
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at);
        result.push_str(before);
        let date = tag.find('>').and_then(|end| Some((end, relative_date(tag.get(1..end)?, today, monday)?)));
        let (kept, length) = match date {
            Some((end, date)) => (date.to_string(), end + 1),
            None => ("<".to_owned(), 1),
        };
        result.push_str(&kept);
        rest = tag.get(length..).unwrap_or_default();
    }
    result + rest
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

    use super::resolve_dates;

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
