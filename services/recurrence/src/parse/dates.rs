//! Values of `RDATE` and `EXDATE`.

use jiff::tz::TimeZone;

use super::content::{Fragment, LineError};
use super::value::{parse_date_value, parse_duration};
use crate::dates::{DateList, ListedDate, PeriodEnd};
use crate::error::ParseErrorKind;
use crate::limits::MAX_DATES;
use crate::rule::DateValue;

/// Parameters of a line.
#[derive(Default)]
pub(super) struct Parameters {
    pub zone: Option<TimeZone>,
    pub value: Option<ValueType>,
}

/// Type of the values of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueType {
    Date,
    DateTime,
    Period,
}

impl ValueType {
    /// Parses the parameter `VALUE`.
    pub fn parse(value: Fragment<'_>, periods: bool) -> Result<Self, LineError> {
        let names = [("DATE", Self::Date), ("DATE-TIME", Self::DateTime), ("PERIOD", Self::Period)];
        let known = names.iter().filter(|(_, kind)| periods || *kind != Self::Period);
        let found = known.clone().find(|(name, _)| value.eq_ignore_case(name)).map(|(_, kind)| *kind);
        found.ok_or_else(|| {
            let expected = if periods { "`DATE`, `DATE-TIME` or `PERIOD`" } else { "`DATE` or `DATE-TIME`" };
            let message = format!("invalid `VALUE` `{}`, expected {expected}", value.excerpt());
            value.error(ParseErrorKind::InvalidParameter, message)
        })
    }

    /// Returns the type of a parsed value.
    fn of(date: &ListedDate) -> Self {
        match date {
            ListedDate::At(DateValue::Date(_)) => Self::Date,
            ListedDate::At(_) => Self::DateTime,
            ListedDate::Period(..) => Self::Period,
        }
    }

    /// Returns the expected form of a value, with an example, for messages.
    fn describe(self) -> &'static str {
        match self {
            Self::Date => "a date such as `20260105`",
            Self::DateTime => "a date-time such as `20260105T090000Z`",
            Self::Period => "a period such as `20260105T090000Z/PT1H`",
        }
    }
}

/// Parses a list. Without `VALUE`, the first value determines the type of all.
pub(super) fn parse_dates(value: Fragment<'_>, parameters: Parameters, name: &str) -> Result<DateList, LineError> {
    let mut expected = parameters.value;
    let mut dates = Vec::new();
    for one in value.split(',') {
        if dates.len() == MAX_DATES {
            let message = format!("`{name}` has too many dates, expected at most {MAX_DATES}");
            return Err(one.error(ParseErrorKind::TooMany, message));
        }
        let date = parse_listed_date(one, name)?;
        let expected = *expected.get_or_insert(ValueType::of(&date));
        if ValueType::of(&date) != expected || (expected == ValueType::Period && name == "EXDATE") {
            let shown = if name == "EXDATE" && expected == ValueType::Period { ValueType::DateTime } else { expected };
            let fault = one.invalid_value(name, shown.describe());
            return Err(fault.with_help("all values of a line have the type of its parameter `VALUE`"));
        }
        dates.push(date);
    }
    // A zone has no effect on dates and times in UTC.
    let zone = parameters.zone.filter(|_| dates.iter().any(is_local));
    Ok(DateList { zone, dates })
}

fn is_local(date: &ListedDate) -> bool {
    let local = |value: &DateValue| matches!(value, DateValue::Local(_));
    match date {
        ListedDate::At(value) => local(value),
        ListedDate::Period(start, PeriodEnd::At(end)) => local(start) || local(end),
        ListedDate::Period(start, PeriodEnd::After(_)) => local(start),
    }
}

fn parse_listed_date(piece: Fragment<'_>, name: &str) -> Result<ListedDate, LineError> {
    let Some((start, end)) = piece.split_once('/') else { return parse_date_value(piece, name).map(ListedDate::At) };
    let time = |piece: Fragment<'_>| match parse_date_value(piece, name)? {
        DateValue::Date(_) => Err(piece.invalid_value(name, ValueType::DateTime.describe())),
        value => Ok(value),
    };
    let start = time(start)?;
    if end.text.starts_with(['P', 'p', '+', '-']) {
        return Ok(ListedDate::Period(start, PeriodEnd::After(parse_duration(end, name)?)));
    }
    let after = time(end)?;
    let ordered = match (start, after) {
        (DateValue::Local(start), DateValue::Local(end)) | (DateValue::Utc(start), DateValue::Utc(end)) => start < end,
        _ => return Err(end.invalid_value(name, "an end like the start, both in UTC or both local")),
    };
    if !ordered {
        return Err(end.invalid_value(name, "an end after the start"));
    }
    Ok(ListedDate::Period(start, PeriodEnd::At(after)))
}
