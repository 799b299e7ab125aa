//! Recurrence rules (RFC 5545, section 3.3.10).

use super::{split, split_once, times};

/// Frequency of a rule, ordered by the length of the interval.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Frequency {
    Secondly,
    Minutely,
    Hourly,
    Daily,
    Weekly,
    Monthly,
    Yearly,
}

/// Parts of a rule, each a bit of a set.
const FREQ: u16 = 1;
const UNTIL: u16 = 1 << 1;
const COUNT: u16 = 1 << 2;
const INTERVAL: u16 = 1 << 3;
const BYSECOND: u16 = 1 << 4;
const BYMINUTE: u16 = 1 << 5;
const BYHOUR: u16 = 1 << 6;
const BYDAY: u16 = 1 << 7;
const BYMONTHDAY: u16 = 1 << 8;
const BYYEARDAY: u16 = 1 << 9;
const BYWEEKNO: u16 = 1 << 10;
const BYMONTH: u16 = 1 << 11;
const BYSETPOS: u16 = 1 << 12;
const WKST: u16 = 1 << 13;

/// Names of the parts, each with its bit.
static PARTS: [(&str, u16); 14] = [
    ("FREQ", FREQ),
    ("UNTIL", UNTIL),
    ("COUNT", COUNT),
    ("INTERVAL", INTERVAL),
    ("BYSECOND", BYSECOND),
    ("BYMINUTE", BYMINUTE),
    ("BYHOUR", BYHOUR),
    ("BYDAY", BYDAY),
    ("BYMONTHDAY", BYMONTHDAY),
    ("BYYEARDAY", BYYEARDAY),
    ("BYWEEKNO", BYWEEKNO),
    ("BYMONTH", BYMONTH),
    ("BYSETPOS", BYSETPOS),
    ("WKST", WKST),
];

/// Parts that select days or times.
const BY: u16 = BYSECOND | BYMINUTE | BYHOUR | BYDAY | BYMONTHDAY | BYYEARDAY | BYWEEKNO | BYMONTH;

/// Returns whether the text is a rule: each part at most once, in any order, and no parts that exclude each other.
pub fn is_rule(text: &str) -> bool {
    let (mut seen, mut frequency, mut numbered) = (0_u16, None, false);
    for part in split(text, |byte| byte == b';') {
        let Some((name, value)) = split_once(part, b'=') else { return false };
        let Some((_, bit)) = PARTS.iter().find(|(known, _)| name.eq_ignore_ascii_case(known)) else { return false };
        if seen & bit != 0 || !is_value(*bit, value) {
            return false;
        }
        seen |= bit;
        match *bit {
            FREQ => frequency = read_frequency(value),
            BYDAY => numbered = value.bytes().any(|byte| byte.is_ascii_digit()),
            _ => {}
        }
    }
    frequency.is_some_and(|frequency| fits(frequency, seen, numbered))
}

/// Returns whether the parts are compatible with each other and with the frequency; `numbered` is true if a day of the
/// week has a number.
fn fits(frequency: Frequency, seen: u16, numbered: bool) -> bool {
    use Frequency::{Daily, Monthly, Weekly, Yearly};
    let has = |part: u16| seen & part != 0;
    let excluded = (has(UNTIL) && has(COUNT))
        || (has(BYSETPOS) && !has(BY))
        || (has(BYWEEKNO) && frequency != Yearly)
        || (has(BYYEARDAY) && matches!(frequency, Daily | Weekly | Monthly))
        || (has(BYMONTHDAY) && frequency == Weekly)
        || (numbered && (frequency < Monthly || has(BYWEEKNO)));
    !excluded
}

/// Parses the frequency, in any case.
fn read_frequency(text: &str) -> Option<Frequency> {
    use Frequency::{Daily, Hourly, Minutely, Monthly, Secondly, Weekly, Yearly};
    let known = [
        ("SECONDLY", Secondly),
        ("MINUTELY", Minutely),
        ("HOURLY", Hourly),
        ("DAILY", Daily),
        ("WEEKLY", Weekly),
        ("MONTHLY", Monthly),
        ("YEARLY", Yearly),
    ];
    known.iter().find(|(name, _)| text.eq_ignore_ascii_case(name)).map(|(_, frequency)| *frequency)
}

/// Returns whether a value is valid for the part with this bit.
fn is_value(part: u16, value: &str) -> bool {
    let all = |is: &dyn Fn(&str) -> bool| split(value, |byte| byte == b',').all(is);
    match part {
        FREQ => read_frequency(value).is_some(),
        UNTIL => times::is_date(value) || times::is_date_time(value),
        COUNT | INTERVAL => is_positive(value),
        BYSECOND => all(&|text| is_number(text, 0, 60)),
        BYMINUTE => all(&|text| is_number(text, 0, 59)),
        BYHOUR => all(&|text| is_number(text, 0, 23)),
        BYDAY => all(&is_weekday_number),
        BYMONTHDAY => all(&|text| is_signed(text, 31)),
        BYYEARDAY | BYSETPOS => all(&|text| is_signed(text, 366)),
        BYWEEKNO => all(&|text| is_signed(text, 53)),
        BYMONTH => all(&|text| is_number(text, 1, 12)),
        _ => is_weekday(value),
    }
}

/// Returns whether the text is a positive number. The RFC does not limit its digits; ten are enough for any useful
/// number.
fn is_positive(text: &str) -> bool {
    text.len() <= 10 && text.bytes().all(|byte| byte.is_ascii_digit()) && text.bytes().any(|byte| byte != b'0')
}

/// Returns whether the text is a number of one to three digits in a range.
fn is_number(text: &str, min: u16, max: u16) -> bool {
    let digits = (1..=3).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    digits && text.parse::<u16>().is_ok_and(|number| (min..=max).contains(&number))
}

/// Returns whether the text is a number from 1, with an optional sign.
fn is_signed(text: &str, max: u16) -> bool {
    is_number(text.strip_prefix(['+', '-']).unwrap_or(text), 1, max)
}

/// Returns whether a text is a day of the week of two letters, in any case.
fn is_weekday(text: &str) -> bool {
    ["SU", "MO", "TU", "WE", "TH", "FR", "SA"].iter().any(|day| text.eq_ignore_ascii_case(day))
}

/// Returns whether the text is a day of the week with an optional number within the month or the year: `MO`, `-1FR`.
fn is_weekday_number(text: &str) -> bool {
    let Some(split) = text.len().checked_sub(2) else { return false };
    match (text.get(..split), text.get(split..)) {
        (Some(number), Some(day)) => is_weekday(day) && (number.is_empty() || is_signed(number, 53)),
        _ => false,
    }
}
