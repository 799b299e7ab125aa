//! Series: their rules and instances.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use calendar_server::types::Event;
use serde_derive::{Deserialize, Serialize};
use wireform_recurrence::jiff::civil::Date;
use wireform_recurrence::jiff::tz::TimeZone;
use wireform_recurrence::{Moment, Occurrence, ParseError, Recurrence, RecurrenceSet, SetError, Start};
use wireform_store::Span;

use crate::times;

mod expansion;
mod extent;
mod instance;
mod slots;
mod steps;

use self::extent::Extent;
pub(crate) use self::instance::Instance;
use self::instance::{InstanceStart, clamp_days};
pub(crate) use self::steps::Steps;

/// Maximum number of earlier rules that are stored.
const MAX_EARLIER_RULES: usize = 20;

/// Stored form of the rule of a series.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Rule {
    /// Start as a date, or as a date-time.
    start: String,
    /// Time zone in which the series is expanded.
    zone: String,
    lines: Vec<String>,
    /// Length in seconds; in days for an all-day series.
    length: i64,
    /// Earlier rules of the series, from which clients that have read their instances learn which are gone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    past: Vec<EarlierRule>,
    /// Time in milliseconds up to which earlier rules are not stored.
    #[serde(default)]
    forgotten: i64,
}

/// Earlier rule of a series.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct EarlierRule {
    /// Time in milliseconds until which it was in force.
    until: i64,
    start: String,
    zone: String,
    lines: Vec<String>,
    length: i64,
}

/// Reason why an event is not a series.
#[derive(Debug)]
pub(crate) enum SeriesError {
    /// A line cannot be parsed.
    Line(ParseError),
    /// The lines do not fit the start.
    Start(SetError),
    /// The start or end is invalid.
    Time,
    /// An attempt was over before the series was parsed.
    Interrupted,
}

impl From<ParseError> for SeriesError {
    fn from(error: ParseError) -> Self {
        Self::Line(error)
    }
}

impl From<SetError> for SeriesError {
    fn from(error: SetError) -> Self {
        Self::Start(error)
    }
}

/// Series that is ready for expansion.
#[derive(Clone, Debug)]
pub(crate) struct Series {
    set: RecurrenceSet,
    zone: TimeZone,
    /// Length in seconds; in days for an all-day series.
    length: i64,
    is_all_day: bool,
    /// True if it is a single event that was a series, or becomes one.
    pub(crate) is_single: bool,
    /// Whether it has no end, once that was computed.
    is_endless: OnceLock<bool>,
    /// Its time range and slots, once these were computed.
    extent: OnceLock<Extent>,
}

impl Rule {
    /// Returns the rule of an event with recurrence lines; days begin in the zone of `calendar`.
    pub(crate) fn from_event(event: &Event, calendar: &str) -> Result<Self, SeriesError> {
        let (Some(start), Some(end)) = (&event.start, &event.end) else { return Err(SeriesError::Time) };
        let zone = match start.date {
            Some(_) => calendar,
            None => start.time_zone.as_deref().unwrap_or(calendar),
        };
        let (text, length) = match (start.date, start.date_time, end.date) {
            (Some(first), _, Some(end)) => {
                let days = first.to_civil().until(end.to_civil()).map_err(|_| SeriesError::Time)?.get_days();
                (first.to_string(), i64::from(days))
            }
            (_, Some(shown), _) => {
                let zone = times::zone_by_name(zone);
                let (first, end) = (times::second_of(start, &zone), times::second_of(end, &zone));
                (shown.to_string(), end.zip(first).map(|(end, first)| end - first).ok_or(SeriesError::Time)?)
            }
            _ => return Err(SeriesError::Time),
        };
        let (zone, lines) = (zone.to_owned(), event.recurrence.clone());
        Ok(Self { start: text, zone, lines, length: length.max(0), past: Vec::new(), forgotten: 0 })
    }

    /// Parses a stored rule.
    pub(crate) fn parse(stored: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(stored)
    }

    /// Returns the rule with the previous one added to the earlier rules, if they differ.
    pub(crate) fn with_history(mut self, before: &Self, now: i64) -> Self {
        self.past.clone_from(&before.past);
        self.forgotten = before.forgotten;
        let Self { start, zone, lines, length, .. } = before.clone();
        if (&start, &zone, &lines, length) != (&self.start, &self.zone, &self.lines, self.length) {
            self.past.push(EarlierRule { until: now, start, zone, lines, length });
        }
        while self.past.len() > MAX_EARLIER_RULES {
            self.forgotten = self.past.remove(0).until;
        }
        self
    }

    /// Returns the earlier rules that were still in force at a time in milliseconds; `None` if they are not stored.
    pub(crate) fn rules_since(&self, time: i64) -> Option<Vec<Self>> {
        if time < self.forgotten {
            return None;
        }
        let past = self.past.iter().filter(|past| past.until >= time).cloned();
        let rule = |EarlierRule { start, zone, lines, length, .. }| Self {
            start,
            zone,
            lines,
            length,
            past: Vec::new(),
            forgotten: 0,
        };
        Some(past.map(rule).collect())
    }

    /// Parses the rule into a series.
    pub(crate) fn series(&self, steps: &Steps) -> Result<Series, SeriesError> {
        steps.take_rule(&self.lines);
        if steps.is_attempt_over() {
            return Err(SeriesError::Interrupted);
        }
        self.series_of(&self.lines)
    }

    /// Returns whether it is the rule of a single event that was a series, or becomes one.
    pub(crate) fn is_single(&self) -> bool {
        self.lines.is_empty()
    }

    /// Returns the stored form.
    pub(crate) fn serialize(&self) -> Result<String, SeriesError> {
        serde_json::to_string(self).map_err(|_| SeriesError::Time)
    }

    /// Returns the rule without the earlier ones.
    pub(crate) fn without_history(&self) -> Self {
        Self { past: Vec::new(), forgotten: 0, ..self.clone() }
    }

    /// Parses other recurrence lines into a series, with the start, zone and length of the rule.
    fn series_of(&self, lines: &[String]) -> Result<Series, SeriesError> {
        let zone = times::zone_by_name(&self.zone);
        let (start, is_dated) = match self.start.parse::<Date>() {
            Ok(date) if !self.start.contains(['T', 't']) => (Start::date(date), true),
            _ => {
                let shown: calendar_server::runtime::wireform_runtime::DateTime =
                    self.start.parse().map_err(|_| SeriesError::Time)?;
                let start = match shown.to_timestamp() {
                    Some(instant) => Start::instant(instant, zone.clone()),
                    None => Start::zoned(shown.to_civil(), zone.clone()),
                };
                (start, false)
            }
        };
        let set = RecurrenceSet::new(start, Recurrence::parse(lines)?)?;
        Ok(Series {
            set,
            zone,
            length: self.length,
            is_all_day: is_dated,
            is_single: self.lines.is_empty(),
            is_endless: OnceLock::new(),
            extent: OnceLock::new(),
        })
    }
}

impl Series {
    /// Converts an occurrence; one without a duration has the length of the series.
    fn instance(&self, occurrence: &Occurrence) -> Instance {
        let (at, first) = match occurrence.start() {
            Moment::Date(date) => {
                (InstanceStart::Day(date), times::second_of_date(date, &self.zone).unwrap_or_default())
            }
            Moment::Instant(instant) => (InstanceStart::Second(instant.as_second()), instant.as_second()),
            Moment::Local(time) => {
                let second = TimeZone::UTC.to_timestamp(time).map_or(0, |instant| instant.as_second());
                (InstanceStart::Second(second), second)
            }
        };
        let length = occurrence.duration().map_or(self.length, |length| length.as_secs());
        let last = match at {
            InstanceStart::Day(date) => {
                let end = date.saturating_add(wireform_recurrence::jiff::Span::new().days(clamp_days(length)));
                times::second_of_date(end, &self.zone).unwrap_or(first)
            }
            InstanceStart::Second(second) => second.saturating_add(length),
        };
        Instance { start: at, span: Span { first, last }, length }
    }

    /// Returns the length of the longest instance in seconds.
    pub(crate) fn max_length(&self) -> i64 {
        if self.is_all_day {
            // A day with a clock change may be longer.
            return self.length.saturating_mul(times::DAY).saturating_add(times::DAY);
        }
        self.length.max(self.set.max_duration().map_or(0, |length| length.as_secs()))
    }

    /// Returns whether the first instances of the all-day series are one a year, on the day of its start; 29 February
    /// stands for the last day of the month.
    pub(crate) fn is_yearly(&self, count: usize) -> bool {
        let Moment::Date(start) = self.set.start().moment() else { return false };
        self.set.occurrences().take(count).zip(0..).all(|(occurrence, years)| {
            // The addition limits the day to the length of the month.
            let day = start.checked_add(wireform_recurrence::jiff::Span::new().years(years)).ok();
            day.map(Moment::Date) == Some(occurrence.start())
        })
    }

    /// Returns whether the series has no end.
    pub(crate) fn is_endless(&self) -> bool {
        *self.is_endless.get_or_init(|| self.set.is_endless())
    }
}

/// Splits the identifier of an instance into that of its series and the suffix of the instance.
pub(crate) fn split_id(id: &str) -> Option<(&str, &str)> {
    id.rsplit_once('_').filter(|(series, suffix)| !series.is_empty() && matches!(suffix.len(), 8 | 16))
}

/// Returns the slots of some seconds, as the store defines them.
fn slot_set(seconds: impl Iterator<Item = i64>) -> BTreeSet<u8> {
    seconds.map(wireform_store::week_slot).collect()
}
