//! Building a series from its start and the parsed lines.

use std::cmp::Reverse;

use super::series::Series;
use super::{RecurrenceSet, SeriesDate};
use crate::civil::{DAY, day_of, local_of};
use crate::clock::Clock;
use crate::dates::{DateList, ListedDate, PeriodEnd};
use crate::error::SetError;
use crate::moment::{Kind, Start};
use crate::recurrence::Recurrence;
use crate::rule::DateValue;

impl RecurrenceSet {
    /// Creates a series. Computes the end of rules with `COUNT`.
    ///
    /// # Errors
    /// Returns an error if a rule or a date needs a start of another kind, or if the start is before the year 0 or at
    /// the very end of the calendar.
    pub fn new(start: Start, recurrence: Recurrence) -> Result<Self, SetError> {
        let in_range = (day_of(jiff::civil::date(0, 1, 1)) * DAY..=start.clock.max_local()).contains(&start.local);
        let resolved = start.clock.resolve(start.local).filter(|_| in_range).ok_or(SetError::StartOutOfRange)?;
        let rules = recurrence.rules.iter().chain(&recurrence.exrules);
        if start.kind == Kind::Date && rules.clone().any(|rule| rule.frequency.is_sub_daily()) {
            return Err(SetError::SubDailyDate);
        }
        let first = start.given_instant.unwrap_or(resolved.instant);
        let mut dates = vec![SeriesDate { instant: first, local: start.clock.local_time(first), length: None }];
        for list in &recurrence.rdates {
            for date in list.dates() {
                dates.extend(resolve_listed_date(date, list, &start)?);
            }
        }
        // Of several instances with the same start, the longest with its own length is kept.
        dates.sort_by_key(|date| (date.instant, Reverse(date.length)));
        dates.dedup_by_key(|date| date.instant);
        dates.retain(|date| date.instant >= first);
        let (exdates, exdays) = exclusions(&recurrence.exdates, &start);
        let series = |rules: &[crate::Rule], adds| rules.iter().map(|rule| Series::new(rule, &start, adds)).collect();
        let (rules, exrules) = (series(&recurrence.rules, true), series(&recurrence.exrules, false));
        Ok(Self { first, dates, rules, exrules, exdates, exdays, start, recurrence })
    }
}

/// Converts a listed date to a date of the series; `None` at the very end of the calendar.
fn resolve_listed_date(date: &ListedDate, list: &DateList, start: &Start) -> Result<Option<SeriesDate>, SetError> {
    let at = match date {
        ListedDate::At(value) | ListedDate::Period(value, _) => *value,
    };
    match (start.kind, date) {
        (Kind::Date, ListedDate::At(DateValue::Date(date))) => {
            let instant = day_of(*date) * DAY;
            return Ok(Some(SeriesDate { instant, local: instant, length: None }));
        }
        (Kind::Date, _) => return Err(SetError::TimedDate),
        (_, ListedDate::At(DateValue::Date(_))) => return Err(SetError::UntimedDate),
        _ => {}
    }
    let Some(instant) = instant(at, 0, list, start) else { return Ok(None) };
    let length = match date {
        ListedDate::At(_) => None,
        ListedDate::Period(_, PeriodEnd::At(end)) => self::instant(*end, 0, list, start).map(|end| end - instant),
        ListedDate::Period(_, PeriodEnd::After(duration)) => {
            let end = self::instant(at, duration.days, list, start);
            end.map(|end| end - instant + duration.seconds)
        }
    };
    // A start in a gap may move beyond its end.
    let length = length.map(|length| length.max(0));
    Ok(Some(SeriesDate { instant, local: start.clock.local_time(instant), length }))
}

/// Returns the instant of a value moved by `days` on its clock. A date is its midnight.
fn instant(value: DateValue, days: i64, list: &DateList, start: &Start) -> Option<i64> {
    let local = match value {
        DateValue::Date(date) => day_of(date) * DAY,
        DateValue::Local(time) | DateValue::Utc(time) => local_of(time),
    } + days * DAY;
    let own = list.zone().map(|zone| Clock::Zoned(zone.clone()));
    match (value, start.kind, own) {
        // A series without a zone interprets every clock as its own.
        (_, Kind::Date | Kind::Floating, _) => Some(local).filter(|local| *local <= Clock::Floating.max_local()),
        (DateValue::Utc(_), ..) => Some(local).filter(|local| *local <= start.clock.max_local()),
        (_, Kind::Zoned, Some(clock)) => Some(clock.resolve(local)?.instant),
        (_, Kind::Zoned, None) => Some(start.clock.resolve(local)?.instant),
    }
}

/// Returns the excluded instants and days, sorted.
fn exclusions(lists: &[DateList], start: &Start) -> (Vec<i64>, Vec<i64>) {
    let (mut instants, mut days) = (Vec::new(), Vec::new());
    for list in lists {
        for date in list.dates() {
            let ListedDate::At(value) = *date else { continue };
            match (value, start.kind) {
                (DateValue::Date(date), _) => days.push(day_of(date)),
                (DateValue::Local(time) | DateValue::Utc(time), Kind::Date) => days.push(day_of(time.date())),
                _ => instants.extend(instant(value, 0, list, start)),
            }
        }
    }
    instants.sort_unstable();
    days.sort_unstable();
    (instants, days)
}
