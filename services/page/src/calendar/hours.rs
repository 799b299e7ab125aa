//! Working hours: as text, and the time outside of them.

use jiff::civil::Date;

use crate::services::WorkingHours;

/// Names of the weekdays, Monday first.
const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
/// Minutes of a day.
const DAY_MINUTES: i64 = 24 * 60;

/// Formats working hours, grouping consecutive days with the same ones: `Mon–Fri 09:00–17:00`.
pub(super) fn format_hours(hours: &[WorkingHours]) -> String {
    let of = |day: usize| {
        let on = hours.iter().filter(|hours| usize::from(hours.day) == day + 1);
        let times: Vec<String> =
            on.map(|hours| format!("{}–{}", format_minute(hours.from), format_minute(hours.until))).collect();
        times.join(", ")
    };
    let mut parts: Vec<(usize, usize, String)> = Vec::new();
    for day in 0..DAYS.len() {
        let times = of(day);
        match parts.last_mut() {
            Some((_, last, same)) if *same == times && *last + 1 == day => *last = day,
            _ => parts.push((day, day, times)),
        }
    }
    let name = |day: usize| DAYS.get(day).copied().unwrap_or_default();
    let shown = parts.into_iter().filter(|(.., times)| !times.is_empty()).map(|(first, last, times)| {
        if first == last {
            format!("{} {times}", name(first))
        } else {
            format!("{}–{} {times}", name(first), name(last))
        }
    });
    shown.collect::<Vec<_>>().join("; ")
}

/// Formats a minute of the day, such as `09:00`.
fn format_minute(minute: u16) -> String {
    format!("{:02}:{:02}", minute / 60, minute % 60)
}

/// Returns the minute ranges of a day outside of working hours; empty if there are no working hours at all.
pub(super) fn outside_hours(hours: &[WorkingHours], day: Date) -> Vec<(i64, i64)> {
    if hours.is_empty() {
        return Vec::new();
    }
    let weekday = day.weekday().to_monday_one_offset();
    let mut on: Vec<&WorkingHours> = hours.iter().filter(|hours| i64::from(hours.day) == i64::from(weekday)).collect();
    on.sort_by_key(|hours| hours.from);
    let (mut ranges, mut at) = (Vec::new(), 0);
    for hours in on {
        ranges.push((at, i64::from(hours.from)));
        at = at.max(i64::from(hours.until));
    }
    ranges.push((at, DAY_MINUTES));
    ranges.retain(|(from, until)| from < until);
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hours(day: u8, from: u16, until: u16) -> WorkingHours {
        WorkingHours { day, from: from * 60, until: until * 60 }
    }

    #[test]
    fn consecutive_days_are_grouped() {
        let mut week: Vec<WorkingHours> = (1..=5).map(|day| hours(day, 9, 17)).collect();
        assert_eq!(format_hours(&week), "Mon–Fri 09:00–17:00");
        week[2] = hours(3, 8, 12);
        week.push(hours(3, 13, 24));
        assert_eq!(format_hours(&week), "Mon–Tue 09:00–17:00; Wed 08:00–12:00, 13:00–24:00; Thu–Fri 09:00–17:00");
        assert_eq!(format_hours(&[]), "");
    }

    #[test]
    fn outside_hours_are_the_rest_of_the_day() {
        let week = [hours(1, 13, 17), hours(1, 8, 12)];
        let monday = jiff::civil::date(2026, 3, 2);
        assert_eq!(outside_hours(&week, monday), [(0, 480), (720, 780), (1_020, 1_440)]);
        assert_eq!(outside_hours(&week, monday.tomorrow().unwrap_or_default()), [(0, 1_440)]);
        assert_eq!(outside_hours(&[], monday), []);
    }
}
