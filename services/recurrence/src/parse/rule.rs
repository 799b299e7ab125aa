//! Value of `RRULE` and `EXRULE`.

use jiff::civil::Weekday;

use super::content::{Fragment, LineError};
use super::value::parse_date_value;
use crate::civil::weekday_index;
use crate::error::ParseErrorKind;
use crate::limits::{MAX_COUNT, MAX_INTERVAL, MAX_LIST};
use crate::rule::{Bound, Frequency, Rule, WEEKDAYS, WeekdayNum};

/// Parts of a rule, in the order of RFC 5545.
const PARTS: [&str; 14] = [
    "FREQ",
    "UNTIL",
    "COUNT",
    "INTERVAL",
    "BYSECOND",
    "BYMINUTE",
    "BYHOUR",
    "BYDAY",
    "BYMONTHDAY",
    "BYYEARDAY",
    "BYWEEKNO",
    "BYMONTH",
    "BYSETPOS",
    "WKST",
];

/// Parses the parts of a rule.
pub(super) fn parse_rule(value: Fragment<'_>) -> Result<Rule, LineError> {
    let mut found: [Option<Fragment<'_>>; PARTS.len()] = [None; PARTS.len()];
    for part in value.split(';') {
        let (name, text) = part.split_once('=').ok_or_else(|| invalid_part(part))?;
        let slot = part_index(name)?;
        if found[slot].replace(text).is_some() {
            let message = format!("`{}` occurs twice, expected each rule part once", PARTS[slot]);
            return Err(name.error(ParseErrorKind::DuplicatePart, message));
        }
    }
    let Some(frequency) = found[0] else {
        let fault = value.error(ParseErrorKind::MissingFrequency, "the rule has no `FREQ`".to_owned());
        return Err(fault.with_help("write `FREQ=DAILY` or another frequency first"));
    };
    let mut rule = Rule::new(self::parse_frequency(frequency)?);
    let parts = PARTS.iter().zip(found).skip(1);
    for (name, text) in parts.filter_map(|(name, text)| Some((name, text?))) {
        assign(&mut rule, name, text)?;
    }
    check_conflicts(&rule, &found, value)?;
    Ok(rule)
}

fn invalid_part(part: Fragment<'_>) -> LineError {
    let shown = part.excerpt();
    let message = if shown.is_empty() {
        "a rule part is empty, expected `NAME=value`".to_owned()
    } else {
        format!("invalid rule part `{shown}`, expected `NAME=value`")
    };
    part.error(ParseErrorKind::Syntax, message)
}

fn part_index(name: Fragment<'_>) -> Result<usize, LineError> {
    if let Some(slot) = PARTS.iter().position(|part| name.eq_ignore_case(part)) {
        return Ok(slot);
    }
    let shown = name.excerpt();
    if name.eq_ignore_case("RSCALE") || name.eq_ignore_case("SKIP") {
        let message = format!("`{shown}` is not supported, expected a rule of the Gregorian calendar (RFC 5545)");
        return Err(name.error(ParseErrorKind::UnsupportedPart, message).with_help("remove `RSCALE` and `SKIP`"));
    }
    let fault = name.error(ParseErrorKind::UnknownPart, format!("unknown rule part `{shown}`"));
    Err(if name.eq_ignore_case("BYWEEKDAY") {
        fault.with_help("did you mean `BYDAY`?")
    } else {
        fault.with_help(format!("the parts are `{}`", PARTS.join("`, `")))
    })
}

fn parse_frequency(text: Fragment<'_>) -> Result<Frequency, LineError> {
    let found = Frequency::NAMES.iter().find(|(name, _)| text.eq_ignore_case(name));
    let expected = "`SECONDLY`, `MINUTELY`, `HOURLY`, `DAILY`, `WEEKLY`, `MONTHLY` or `YEARLY`";
    found.map(|(_, frequency)| *frequency).ok_or_else(|| text.invalid_value("FREQ", expected))
}

/// Parses the value of the rule part `name`, one of [`PARTS`] other than `FREQ`, and sets it.
fn assign(rule: &mut Rule, name: &str, text: Fragment<'_>) -> Result<(), LineError> {
    match name {
        "UNTIL" => rule.bound = Some(Bound::Until(parse_date_value(text, name)?)),
        "COUNT" => rule.bound = Some(Bound::Count(parse_number(text, name, 1, MAX_COUNT)?)),
        "INTERVAL" => rule.interval = parse_number(text, name, 1, MAX_INTERVAL)?,
        // Second 60 is a leap second.
        "BYSECOND" => rule.by_second = parse_unsigned_list(text, name, 0, 60)?,
        "BYMINUTE" => rule.by_minute = parse_unsigned_list(text, name, 0, 59)?,
        "BYHOUR" => rule.by_hour = parse_unsigned_list(text, name, 0, 23)?,
        "BYDAY" => rule.by_day = parse_weekdays(text)?,
        "BYMONTHDAY" => rule.by_month_day = parse_signed_list(text, name, 31)?,
        "BYYEARDAY" => rule.by_year_day = parse_signed_list(text, name, 366)?,
        "BYWEEKNO" => rule.by_week_no = parse_signed_list(text, name, 53)?,
        "BYMONTH" => rule.by_month = parse_unsigned_list(text, name, 1, 12)?,
        "BYSETPOS" => rule.by_set_pos = parse_signed_list(text, name, 366)?,
        _ => {
            rule.week_start = parse_weekday(text).ok_or_else(|| text.invalid_value("WKST", "a weekday such as `MO`"))?
        }
    }
    Ok(())
}

fn parse_digits(text: &str) -> Option<u32> {
    let all = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    all.then(|| text.bytes().fold(0_u32, |sum, digit| sum.saturating_mul(10).saturating_add(u32::from(digit - b'0'))))
}

fn out_of_range(text: Fragment<'_>, name: &str, expected: &str) -> LineError {
    let message = format!("`{name}` value `{}` is out of range, expected {expected}", text.excerpt());
    text.error(ParseErrorKind::OutOfRange, message)
}

fn parse_number(text: Fragment<'_>, name: &str, min: u32, max: u32) -> Result<u32, LineError> {
    let expected = format!("a number from {min} to {max}");
    let number = parse_digits(text.text).ok_or_else(|| text.invalid_value(name, &expected))?;
    if (min..=max).contains(&number) { Ok(number) } else { Err(out_of_range(text, name, &expected)) }
}

fn parse_unsigned_list(text: Fragment<'_>, name: &str, min: u32, max: u32) -> Result<Vec<u8>, LineError> {
    let one =
        |text: Fragment<'_>| parse_number(text, name, min, max).map(|number| u8::try_from(number).unwrap_or(u8::MAX));
    parse_list(text, name, one, |number| *number)
}

fn parse_signed_list(text: Fragment<'_>, name: &str, max: i16) -> Result<Vec<i16>, LineError> {
    let expected = format!("a number from 1 to {max} or from -{max} to -1");
    parse_list(
        text,
        name,
        |text| {
            let (negative, rest) = match text.text.as_bytes().first() {
                Some(b'-') => (true, &text.text[1..]),
                Some(b'+') => (false, &text.text[1..]),
                _ => (false, text.text),
            };
            let number = parse_digits(rest).ok_or_else(|| text.invalid_value(name, &expected))?;
            let number = i16::try_from(number).ok().filter(|number| (1..=max).contains(number));
            let number = number.ok_or_else(|| out_of_range(text, name, &expected))?;
            Ok(if negative { -number } else { number })
        },
        |number| *number,
    )
}

fn parse_weekday(text: Fragment<'_>) -> Option<Weekday> {
    WEEKDAYS.iter().find(|(name, _)| text.eq_ignore_case(name)).map(|(_, weekday)| *weekday)
}

fn parse_weekdays(text: Fragment<'_>) -> Result<Vec<WeekdayNum>, LineError> {
    parse_list(text, "BYDAY", parse_weekday_num, |one| (weekday_index(one.weekday), one.ordinal))
}

fn parse_weekday_num(text: Fragment<'_>) -> Result<WeekdayNum, LineError> {
    let invalid = || text.invalid_value("BYDAY", "a weekday such as `MO` or `-1FR`");
    let split = text.text.len().checked_sub(2).filter(|split| text.text.is_char_boundary(*split));
    let (ordinal, name) = text.text.split_at(split.ok_or_else(invalid)?);
    let weekday = parse_weekday(Fragment { text: name, offset: text.offset }).ok_or_else(invalid)?;
    if ordinal.is_empty() {
        return Ok(WeekdayNum { ordinal: None, weekday });
    }
    let unsigned = ordinal.strip_prefix(['+', '-']).unwrap_or(ordinal);
    let number =
        i8::try_from(parse_digits(unsigned).ok_or_else(invalid)?).ok().filter(|number| (1..=53).contains(number));
    let number = number.ok_or_else(|| out_of_range(text, "BYDAY", "an ordinal from 1 to 53 or from -53 to -1"))?;
    Ok(WeekdayNum { ordinal: Some(if ordinal.starts_with('-') { -number } else { number }), weekday })
}

/// Parses a list, sorts it and removes duplicates.
fn parse_list<T, K: Ord>(
    text: Fragment<'_>,
    name: &str,
    parse: impl Fn(Fragment<'_>) -> Result<T, LineError>,
    key: impl Fn(&T) -> K,
) -> Result<Vec<T>, LineError> {
    let mut values = Vec::new();
    for one in text.split(',') {
        if values.len() == MAX_LIST {
            let message = format!("`{name}` has too many values, expected at most {MAX_LIST}");
            return Err(one.error(ParseErrorKind::TooMany, message));
        }
        values.push(parse(one)?);
    }
    values.sort_by_key(&key);
    values.dedup_by_key(|value| key(value));
    Ok(values)
}

/// Refuses parts that exclude each other.
fn check_conflicts(
    rule: &Rule,
    found: &[Option<Fragment<'_>>; PARTS.len()],
    value: Fragment<'_>,
) -> Result<(), LineError> {
    let part = |name: &str| PARTS.iter().position(|part| *part == name).and_then(|slot| found[slot]);
    let conflict = |name: &str, message: &str| {
        Err(part(name).unwrap_or(value).error(ParseErrorKind::Conflict, message.to_owned()))
    };
    if part("COUNT").is_some() && part("UNTIL").is_some() {
        return conflict("COUNT", "`COUNT` and `UNTIL` exclude each other, expected one of them");
    }
    let ordinal = rule.by_day.iter().any(|one| one.ordinal.is_some());
    if ordinal && rule.frequency < Frequency::Monthly {
        return conflict("BYDAY", "`BYDAY` has an ordinal, expected a rule of `MONTHLY` or `YEARLY`");
    }
    if ordinal && rule.frequency == Frequency::Yearly && !rule.by_week_no.is_empty() {
        return conflict("BYDAY", "`BYDAY` has an ordinal, which excludes `BYWEEKNO`");
    }
    let others = PARTS.iter().zip(found).filter(|(name, text)| name.starts_with("BY") && text.is_some()).count();
    if part("BYSETPOS").is_some() && others == 1 {
        return conflict("BYSETPOS", "`BYSETPOS` requires another rule part that begins with `BY`");
    }
    Ok(())
}
