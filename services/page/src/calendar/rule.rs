//! Description of recurrence rules in English.

use jiff::civil::Date;

/// Codes of the weekdays in rules, with their names.
const WEEKDAYS: [(&str, &str); 7] = [
    ("MO", "Monday"),
    ("TU", "Tuesday"),
    ("WE", "Wednesday"),
    ("TH", "Thursday"),
    ("FR", "Friday"),
    ("SA", "Saturday"),
    ("SU", "Sunday"),
];

/// Describes a line of a recurrence: `Every 2 weeks on Monday and Thursday, 10 times`. Returns `None` for lines with
/// unsupported parts.
pub(super) fn describe(line: &str) -> Option<String> {
    let rule = line.strip_prefix("RRULE:")?;
    let (mut unit, mut interval, mut days, mut end) = (None, 1_u32, None, String::new());
    for part in rule.split(';') {
        let (name, value) = part.split_once('=')?;
        match name {
            "FREQ" => unit = Some(frequency_unit(value)?),
            "INTERVAL" => interval = value.parse().ok()?,
            "BYDAY" if days.is_none() => days = Some(format_weekdays(value)?),
            "BYMONTHDAY" if days.is_none() => days = Some(format_month_days(value)?),
            "COUNT" => end = format_count(value.parse().ok()?),
            "UNTIL" => end = format!(", until {}", format_date(value)?),
            "WKST" => {}
            _ => return None,
        }
    }
    let unit = unit?;
    let every = match interval {
        0 => return None,
        1 => format!("Every {unit}"),
        many => format!("Every {many} {unit}s"),
    };
    let days = days.map(|days| format!(" on {days}")).unwrap_or_default();
    Some(format!("{every}{days}{end}"))
}

fn frequency_unit(frequency: &str) -> Option<&'static str> {
    Some(match frequency {
        "HOURLY" => "hour",
        "DAILY" => "day",
        "WEEKLY" => "week",
        "MONTHLY" => "month",
        "YEARLY" => "year",
        _ => return None,
    })
}

/// Returns the end of a rule after a number of instances, in words.
fn format_count(count: u64) -> String {
    if count == 1 { ", once".to_owned() } else { format!(", {count} times") }
}

/// Returns the weekdays of `BYDAY` in words; `None` if one has an unsupported position.
fn format_weekdays(list: &str) -> Option<String> {
    let one = |text: &str| {
        let (place, day) = text.split_at_checked(text.len().checked_sub(2)?)?;
        let (_, name) = WEEKDAYS.iter().find(|(short, _)| *short == day)?;
        Some(match place {
            "" => (*name).to_owned(),
            _ => format!("the {} {name}", ordinal(place.parse().ok()?)?),
        })
    };
    join_words(list.split(',').map(one).collect::<Option<_>>()?)
}

/// Returns the days of `BYMONTHDAY` in words; `None` if one is unsupported.
fn format_month_days(list: &str) -> Option<String> {
    let one = |text: &str| match text.parse::<i32>().ok()? {
        -1 => Some("the last day".to_owned()),
        day @ 1..=31 => Some(format!("day {day}")),
        _ => None,
    };
    join_words(list.split(',').map(one).collect::<Option<_>>()?)
}

/// Returns the word for a position in a month, which is negative from the end; `None` if there is none.
fn ordinal(place: i32) -> Option<&'static str> {
    Some(match place {
        1 => "first",
        2 => "second",
        3 => "third",
        4 => "fourth",
        5 => "fifth",
        -1 => "last",
        -2 => "last but one",
        _ => return None,
    })
}

/// Joins words by commas and `and`; `None` if there are none.
fn join_words(mut words: Vec<String>) -> Option<String> {
    let last = words.pop()?;
    Some(if words.is_empty() { last } else { format!("{} and {last}", words.join(", ")) })
}

/// Formats the date of `UNTIL`, which begins with `YYYYMMDD`.
fn format_date(text: &str) -> Option<String> {
    let number = |range: std::ops::Range<usize>| text.get(range)?.parse::<i16>().ok();
    let (month, day) = (i8::try_from(number(4..6)?).ok()?, i8::try_from(number(6..8)?).ok()?);
    let date = Date::new(number(0..4)?, month, day).ok()?;
    Some(date.strftime("%-d %B %Y").to_string())
}

#[cfg(test)]
mod tests {
    use super::describe;

    #[test]
    fn plain_rules_are_described() {
        for (rule, words) in [
            ("RRULE:FREQ=DAILY", Some("Every day")),
            ("RRULE:FREQ=WEEKLY;BYDAY=MO,TH", Some("Every week on Monday and Thursday")),
            ("RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=10;WKST=SU", Some("Every 2 weeks, 10 times")),
            ("RRULE:FREQ=MONTHLY;BYDAY=-1FR", Some("Every month on the last Friday")),
            ("RRULE:FREQ=MONTHLY;BYMONTHDAY=1,15,-1", Some("Every month on day 1, day 15 and the last day")),
            ("RRULE:FREQ=YEARLY;UNTIL=20300401T000000Z", Some("Every year, until 1 April 2030")),
            ("RRULE:FREQ=DAILY;COUNT=1", Some("Every day, once")),
            ("RRULE:FREQ=DAILY;BYHOUR=3", None),
            ("RRULE:FREQ=DAILY;UNTIL=éé", None),
            ("RRULE:FREQ=WEEKLY;BYDAY=é", None),
            ("RRULE:FREQ=WEEKLY;INTERVAL=0", None),
            ("RRULE:INTERVAL=2", None),
            ("EXDATE:20260302T090000Z", None),
            ("", None),
        ] {
            assert_eq!(describe(rule).as_deref(), words, "{rule}");
        }
    }
}
