//! Oracle: the instances of a rule, found by testing every day and every second. It is slow, and independent of the
//! crate.

use wireform_recurrence::jiff::ToSpan as _;
use wireform_recurrence::jiff::civil::{Date, DateTime, date};

use crate::rules::Parts;

/// Returns the instances of a rule before `end`, including the start in any case.
pub fn instances(parts: &Parts, start: DateTime, end: DateTime) -> Vec<DateTime> {
    let mut found = matches(parts, start, end);
    if found.first() != Some(&start) {
        found.insert(0, start);
    }
    found.truncate(parts.count.unwrap_or(usize::MAX));
    found
}

/// Returns the matches of a rule at or after the start.
pub fn matches(parts: &Parts, start: DateTime, end: DateTime) -> Vec<DateTime> {
    let mut day = start.date();
    // The first period may begin before the start.
    match parts.frequency {
        'Y' => day = day.first_of_year(),
        'M' => day = day.first_of_month(),
        'W' => day = week(parts, day),
        _ => {}
    }
    let (mut found, mut period, mut key) = (Vec::new(), Vec::new(), None);
    let anchor = number(parts, start);
    // The last period ends later: positions count from its end.
    let last = match parts.frequency {
        'Y' => end.date().last_of_year(),
        'M' => end.date().last_of_month(),
        'W' => end.date() + 7.days(),
        _ => end.date(),
    };
    while day <= last {
        if matches_day(parts, start.date(), day) {
            for time in times(parts, start, day) {
                let current = number(parts, time);
                if (current - anchor) % parts.interval != 0 {
                    continue;
                }
                if key != Some(current) {
                    found.extend(positions(parts, &period));
                    (period, key) = (Vec::new(), Some(current));
                }
                period.push(time);
            }
        }
        day = day.tomorrow().unwrap();
    }
    found.extend(positions(parts, &period));
    found.retain(|time| (start..end).contains(time));
    found
}

fn positions(parts: &Parts, period: &[DateTime]) -> Vec<DateTime> {
    if parts.positions.is_empty() {
        return period.to_vec();
    }
    let count = i64::try_from(period.len()).unwrap();
    let is_chosen = |index: i64| parts.positions.contains(&(index + 1)) || parts.positions.contains(&(index - count));
    (0..count).zip(period).filter(|(index, _)| is_chosen(*index)).map(|(_, time)| *time).collect()
}

/// Returns the first day of a day's week.
fn week(parts: &Parts, mut day: Date) -> Date {
    while i64::from(day.weekday().to_monday_zero_offset()) != parts.week_start {
        day = day.yesterday().unwrap();
    }
    day
}

/// Returns the number of a period.
fn number(parts: &Parts, time: DateTime) -> i64 {
    let days = |day: Date| i64::from(date(1900, 1, 1).until(day).unwrap().get_days());
    let of_day = [time.hour(), time.minute(), time.second()].map(i64::from);
    let hours = days(time.date()) * 24 + of_day[0];
    match parts.frequency {
        'Y' => i64::from(time.year()),
        'M' => i64::from(time.year()) * 12 + i64::from(time.month()),
        'W' => days(week(parts, time.date())).div_euclid(7),
        'D' => days(time.date()),
        'h' => hours,
        'm' => hours * 60 + of_day[1],
        _ => (hours * 60 + of_day[1]) * 60 + of_day[2],
    }
}

fn times(parts: &Parts, start: DateTime, day: Date) -> Vec<DateTime> {
    let values = |values: &[i64], start: i8, all: &str, high: i64| -> Vec<i64> {
        (0..=high)
            .filter(|value| match values {
                [] => all.contains(parts.frequency) || *value == i64::from(start),
                values => values.contains(value),
            })
            .collect()
    };
    let hours = values(&parts.hours, start.hour(), "hms", 23);
    let minutes = values(&parts.minutes, start.minute(), "ms", 59);
    let seconds = values(&parts.seconds, start.second(), "s", 59);
    let mut times = Vec::new();
    for hour in &hours {
        for minute in &minutes {
            for second in &seconds {
                let part = |value: &i64| i8::try_from(*value).unwrap();
                times.push(day.at(part(hour), part(minute), part(second), 0));
            }
        }
    }
    times
}

fn matches_day(parts: &Parts, start: Date, day: Date) -> bool {
    let (month_day, year_day) = (i64::from(day.day()), i64::from(day.day_of_year()));
    let month_rest = month_day - i64::from(day.days_in_month()) - 1;
    let year_rest = year_day - i64::from(day.days_in_year()) - 1;
    let or = |values: &[i64], a: i64, b: i64| values.is_empty() || values.contains(&a) || values.contains(&b);
    let weekday = i64::from(day.weekday().to_monday_zero_offset());
    let stated = or(&parts.months, i64::from(day.month()), 0)
        && or(&parts.month_days, month_day, month_rest)
        && or(&parts.year_days, year_day, year_rest)
        && (parts.weeks.is_empty() || {
            let (number, rest) = week_number(parts, day);
            or(&parts.weeks, number, rest)
        })
        && (parts.weekdays.is_empty() || parts.weekdays.iter().any(|nth| is_nth(parts, *nth, day, weekday)));
    stated && matches_start(parts, start, day)
}

/// Returns whether a day agrees with the start in the parts that the rule leaves open.
fn matches_start(parts: &Parts, start: Date, day: Date) -> bool {
    let days = !parts.month_days.is_empty() || !parts.year_days.is_empty() || !parts.weekdays.is_empty();
    if days || (!parts.weeks.is_empty() && parts.frequency != 'Y') {
        return true;
    }
    match parts.frequency {
        'Y' if !parts.weeks.is_empty() => day.weekday() == start.weekday(),
        'Y' if parts.months.is_empty() => (day.month(), day.day()) == (start.month(), start.day()),
        'Y' | 'M' => day.day() == start.day(),
        'W' => day.weekday() == start.weekday(),
        _ => true,
    }
}

/// Returns the week number of a day from the beginning and from the end of the year that contains most days of the
/// week.
fn week_number(parts: &Parts, day: Date) -> (i64, i64) {
    let middle = week(parts, day) + 3.days();
    let number = (i64::from(middle.day_of_year()) - 1) / 7 + 1;
    let mut rest = -1;
    let mut later = middle + 7.days();
    while later.year() == middle.year() {
        (rest, later) = (rest - 1, later + 7.days());
    }
    (number, rest)
}

fn is_nth(parts: &Parts, (ordinal, expected): (i64, i64), day: Date, weekday: i64) -> bool {
    if weekday != expected {
        return false;
    }
    let within_month = parts.frequency == 'M' || !parts.months.is_empty();
    let (place, len) = if within_month {
        (i64::from(day.day()), i64::from(day.days_in_month()))
    } else {
        (i64::from(day.day_of_year()), i64::from(day.days_in_year()))
    };
    match ordinal {
        0 => true,
        1.. => (place - 1) / 7 + 1 == ordinal,
        _ => -((len - place) / 7 + 1) == ordinal,
    }
}
