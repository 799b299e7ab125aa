//! Offsets described in a file.

use wireform_recurrence::jiff::Span;
use wireform_recurrence::jiff::civil::{DateTime, date};
use wireform_recurrence::jiff::tz::TimeZone;
use wireform_recurrence::{Recurrence, RecurrenceSet, Start};

use super::super::component::Component;
use super::super::time::{self, DateOrTime};

/// Maximum number of observances of a zone, one for each change of its rules.
const MAX_OBSERVANCES: usize = 200;
/// Maximum number of transitions of an observance that are examined within a year.
const MAX_TRANSITIONS: usize = 50;
/// Years in which offsets are compared.
const YEARS: [i16; 2] = [2025, 2026];

/// Offsets from UTC with their transitions.
#[derive(Clone, Debug)]
pub(crate) struct Observances(Vec<Observance>);

/// Part of the rules of a zone: a `STANDARD` or `DAYLIGHT` component (RFC 5545, section 3.6.5).
#[derive(Clone, Debug)]
struct Observance {
    begins: DateTime,
    /// Transitions.
    set: RecurrenceSet,
    /// Offset before a transition, in seconds.
    from: i32,
    /// Offset after a transition, in seconds.
    to: i32,
}

impl Observances {
    /// Reads the observances of a `VTIMEZONE`; `None` if none is valid.
    pub(super) fn parse(component: &Component) -> Option<Self> {
        let parts = component.components.iter().filter(|part| matches!(part.name.as_str(), "STANDARD" | "DAYLIGHT"));
        let observances: Vec<Observance> = parts.take(MAX_OBSERVANCES).filter_map(parse_observance).collect();
        (!observances.is_empty()).then_some(Self(observances))
    }

    /// Returns the offset in seconds at a local time: that of the latest observance.
    pub(super) fn offset_at(&self, local: DateTime) -> Option<i32> {
        let begun = self.0.iter().filter_map(|observance| Some((observance.last_transition(local)?, observance.to)));
        let first = || self.0.iter().min_by_key(|observance| observance.begins).map(|observance| observance.from);
        begun.max_by_key(|(begun, _)| *begun).map(|(_, to)| to).or_else(first)
    }

    /// Returns the first of the given IANA zones that has these offsets.
    pub(super) fn find<'a>(&self, mut names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
        let times = YEARS
            .into_iter()
            .flat_map(|year| (1..=12).flat_map(move |month| [1, 11, 21].map(|day| (year, month, day))));
        let times = times.map(|(year, month, day)| date(year, month, day).at(12, 0, 0, 0));
        let offsets: Vec<(DateTime, i32)> = times.filter_map(|local| Some((local, self.offset_at(local)?))).collect();
        names.find(|name| TimeZone::get(name).is_ok_and(|zone| offsets.iter().all(|known| has_offset(&zone, *known))))
    }
}

/// Returns whether a zone has an offset in seconds at a local time.
fn has_offset(zone: &TimeZone, (local, offset): (DateTime, i32)) -> bool {
    let instant = zone.to_ambiguous_timestamp(local).compatible();
    instant.is_ok_and(|instant| zone.to_offset(instant).seconds() == offset)
}

impl Observance {
    /// Returns the last transition at or before a local time.
    fn last_transition(&self, local: DateTime) -> Option<DateTime> {
        if local < self.begins {
            return None;
        }
        let early = local.saturating_sub(Span::new().years(1).days(8));
        let recent = self.set.occurrences_between(early, local.saturating_add(Span::new().seconds(1)));
        // Clocks change a few times a year; a rule with a transition each second is not followed to its end.
        let last = recent.take(MAX_TRANSITIONS).last().or_else(|| self.set.last()).map(|found| found.local());
        Some(last.filter(|last| *last <= local).unwrap_or(self.begins))
    }
}

/// Parses a `STANDARD` or `DAYLIGHT` component; `None` if its start or its offset is invalid. Invalid rules are
/// ignored.
fn parse_observance(part: &Component) -> Option<Observance> {
    let DateOrTime::Local(begins) = time::parse_value(part.value("DTSTART")?)? else { return None };
    let to = time::parse_offset(part.value("TZOFFSETTO")?)?;
    let from = part.value("TZOFFSETFROM").and_then(time::parse_offset).unwrap_or(to);
    let rules = part.properties.iter().filter(|property| matches!(property.name.as_str(), "RRULE" | "RDATE"));
    let lines: Vec<String> = rules.take(MAX_OBSERVANCES).map(|rule| format!("{}:{}", rule.name, rule.value)).collect();
    let set = Recurrence::parse(&lines).ok().and_then(|lines| RecurrenceSet::new(Start::floating(begins), lines).ok());
    let set =
        set.or_else(|| RecurrenceSet::new(Start::floating(begins), Recurrence::parse(&[] as &[&str]).ok()?).ok())?;
    Some(Observance { begins, set, from, to })
}
