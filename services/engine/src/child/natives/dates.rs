//! Dates in time zones.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use rquickjs::{Ctx, Function, Object, Result};

/// Installs the functions on dates; they return nothing for a time or zone that does not exist.
pub(super) fn install<'js>(ctx: &Ctx<'js>, native: &Object<'js>) -> Result<()> {
    native.set(
        "formatDate",
        Function::new(ctx.clone(), |milliseconds: f64, zone: String, pattern: String| {
            Some(format(&zoned(milliseconds, &zone)?, &pattern))
        })?,
    )?;
    native.set(
        "zoneOffset",
        Function::new(ctx.clone(), |milliseconds: f64, zone: String| {
            Some(f64::from(zoned(milliseconds, &zone)?.offset().seconds()) / 60.0)
        })?,
    )
}

/// Converts milliseconds since 1970 to a time in a zone; returns `None` for an invalid date or an unknown zone.
fn zoned(milliseconds: f64, zone: &str) -> Option<Zoned> {
    // Limit of dates in JavaScript.
    const MAX: f64 = 8.64e15;
    if !milliseconds.is_finite() || milliseconds.abs() > MAX {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "in the range of dates")]
    let time = Timestamp::from_millisecond(milliseconds.floor() as i64).ok()?;
    Some(time.to_zoned(time_zone(zone)?))
}

/// Returns a time zone by its name, or by an offset such as `GMT+02:00`.
fn time_zone(name: &str) -> Option<TimeZone> {
    if matches!(name, "" | "GMT" | "UTC" | "Z" | "Etc/GMT" | "Etc/UTC") {
        return Some(TimeZone::UTC);
    }
    if let Some(offset) = name.strip_prefix("GMT").filter(|offset| offset.starts_with(['+', '-'])) {
        let (hours, minutes) = offset.split_once(':').unwrap_or_else(|| offset.split_at(offset.len().min(3)));
        let hours: i32 = hours.parse().ok()?;
        let minutes: i32 = if minutes.is_empty() { 0 } else { minutes.parse().ok()? };
        let sign = if offset.starts_with('-') { -1 } else { 1 };
        let seconds = hours.checked_mul(3600)?.checked_add(minutes.checked_mul(60)?.checked_mul(sign)?)?;
        return Some(TimeZone::fixed(jiff::tz::Offset::from_seconds(seconds).ok()?));
    }
    // Two common names that are not in the database.
    let name = match name {
        "PST" => "America/Los_Angeles",
        "CST" => "America/Chicago",
        other => other,
    };
    TimeZone::get(name).ok()
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
/// Names of the weekdays, from Monday as in ISO 8601.
const DAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// Formats a time by a pattern of repeated letters, such as `yyyy-MM-dd'T'HH:mm:ssXXX`.
fn format(time: &Zoned, pattern: &str) -> String {
    let mut text = String::new();
    let mut rest = pattern;
    while let Some(first) = rest.chars().next() {
        if first == '\'' {
            rest = copy_quoted(rest, &mut text);
            continue;
        }
        let length = if first.is_ascii_alphabetic() { rest.len() - rest.trim_start_matches(first).len() } else { 0 };
        if length == 0 {
            text.push(first);
        } else {
            text.push_str(&field(time, first, length));
        }
        rest = rest.get(length.max(first.len_utf8())..).unwrap_or_default();
    }
    text
}

/// Copies text between apostrophes, where a doubled one is an apostrophe, and returns the rest.
fn copy_quoted<'p>(rest: &'p str, text: &mut String) -> &'p str {
    let inner = rest.get(1..).unwrap_or_default();
    if let Some(tail) = inner.strip_prefix('\'') {
        text.push('\'');
        return tail;
    }
    let mut parts = inner;
    loop {
        let Some((part, tail)) = parts.split_once('\'') else {
            text.push_str(parts);
            return "";
        };
        text.push_str(part);
        let Some(more) = tail.strip_prefix('\'') else { return tail };
        text.push('\'');
        parts = more;
    }
}

/// Formats the field of a run of `length` equal pattern letters; numbers are padded with zeros to that length.
fn field(time: &Zoned, letter: char, length: usize) -> String {
    // A pattern of a million letters must not produce a million zeros.
    let width = length.min(20);
    let number = |value: i64| format!("{value:0width$}");
    let hour = i64::from(time.hour());
    match letter {
        'G' => if time.year() > 0 { "AD" } else { "BC" }.to_owned(),
        'y' | 'Y' if length == 2 => format!("{:02}", time.year().rem_euclid(100)),
        'y' => number(time.year().into()),
        'Y' => number(week(time.date()).0),
        'M' | 'L' => name_at(&MONTHS, time.month(), length).unwrap_or_else(|| number(time.month().into())),
        'd' => number(time.day().into()),
        'D' => number(time.day_of_year().into()),
        'E' => name_at(&DAYS, time.weekday().to_monday_one_offset(), length.max(3)).unwrap_or_default(),
        'u' => number(time.weekday().to_monday_one_offset().into()),
        'w' => number(week(time.date()).1),
        'W' => number(week_of(time.day().into(), time.date())),
        'F' => number(((time.day() - 1) / 7 + 1).into()),
        'a' => if hour < 12 { "AM" } else { "PM" }.to_owned(),
        'H' => number(hour),
        'k' => number(if hour == 0 { 24 } else { hour }),
        'K' => number(hour % 12),
        'h' => number(if hour % 12 == 0 { 12 } else { hour % 12 }),
        'm' => number(time.minute().into()),
        's' => number(time.second().into()),
        'S' => number(time.millisecond().into()),
        'z' if length >= 4 => time.time_zone().iana_name().unwrap_or("UTC").to_owned(),
        'z' => time.strftime("%Z").to_string(),
        'Z' => offset(time, ""),
        'X' if time.offset().is_zero() => "Z".to_owned(),
        'X' if length == 1 => offset(time, "").chars().take(3).collect(),
        'X' => offset(time, if length == 2 { "" } else { ":" }),
        other => other.to_string().repeat(width),
    }
}

/// Returns the year and the number of a week: weeks begin on Sunday, and the first week of a year contains its first
/// day.
fn week(date: Date) -> (i64, i64) {
    let left = 6 - i64::from(date.weekday().to_sunday_zero_offset());
    let last = date.checked_add(jiff::Span::new().days(left)).unwrap_or(date);
    if last.year() != date.year() {
        return (last.year().into(), 1);
    }
    (date.year().into(), week_of(date.day_of_year().into(), date))
}

/// Returns the number of the week of a day, given by its number in the year or the month.
fn week_of(day: i64, date: Date) -> i64 {
    (day + 5 - i64::from(date.weekday().to_sunday_zero_offset())) / 7 + 1
}

/// Returns a name by its number from 1, truncated to three letters if the pattern has three.
fn name_at(names: &[&str], number: i8, length: usize) -> Option<String> {
    let name = names.get(usize::try_from(number).ok()?.checked_sub(1)?)?;
    match length {
        0..=2 => None,
        3 => Some(name.chars().take(3).collect()),
        _ => Some((*name).to_owned()),
    }
}

/// Formats the offset from UTC as sign, hours, separator and minutes, such as `+01:00`.
fn offset(time: &Zoned, separator: &str) -> String {
    let seconds = time.offset().seconds();
    let (sign, minutes) = (if seconds < 0 { '-' } else { '+' }, seconds.abs() / 60);
    format!("{sign}{:02}{separator}{:02}", minutes / 60, minutes % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_formatted() {
        let time = zoned(1_767_225_905_042.0, "Europe/Paris").unwrap();
        for (pattern, expected) in [
            ("yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "2026-01-01T01:05:05.042+01:00"),
            ("EEE, d MMM yy h:mm a z", "Thu, 1 Jan 26 1:05 AM CET"),
            ("EEEE MMMM D u w Z X XX", "Thursday January 1 4 1 +0100 +01 +0100"),
            ("'o''clock' '' K k", "o'clock ' 1 1"),
            ("", ""),
            ("é'open", "éopen"),
        ] {
            assert_eq!(format(&time, pattern), expected, "{pattern}");
        }
        // 2026-01-03 is a Saturday, 2027-01-01 a Friday.
        for (day, expected) in [
            ("2026-01-01", "2026 1 1"),
            ("2026-01-03", "2026 1 1"),
            ("2026-01-04", "2026 2 2"),
            ("2026-03-31", "2026 14 5"),
            ("2026-12-26", "2026 52 4"),
            ("2026-12-27", "2027 1 5"),
            ("2027-01-02", "2027 1 1"),
        ] {
            let time = day.parse::<Date>().unwrap().to_zoned(TimeZone::UTC).unwrap();
            assert_eq!(format(&time, "YYYY w W"), expected, "{day}");
        }
        assert_eq!(format(&zoned(0.0, "PST").unwrap(), "HH XXX"), "16 -08:00");
        assert_eq!(format(&zoned(0.0, "GMT-03:30").unwrap(), "HH:mm XXX"), "20:30 -03:30");
        assert_eq!(format(&zoned(0.0, "GMT+2").unwrap(), "HH XXX"), "02 +02:00");
        assert_eq!(format(&zoned(0.0, "").unwrap(), "XXX"), "Z");
        for (time, zone) in
            [(f64::NAN, "UTC"), (9e15, "UTC"), (0.0, "Nowhere/At_All"), (0.0, "GMT+é"), (0.0, "GMT+99999999")]
        {
            assert!(zoned(time, zone).is_none(), "{time} {zone}");
        }
    }
}
