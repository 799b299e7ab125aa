//! Series: a start with its rules and dates.

mod build;
mod occurrences;
mod series;
mod stream;

#[cfg(test)]
mod tests;

use jiff::SignedDuration;

pub use self::occurrences::{Ending, Occurrences};
use self::series::Series;
use self::stream::Stream;
use crate::civil::{DAY, day_of, local_of};
use crate::moment::{Kind, Moment, Occurrence, Start};
use crate::recurrence::Recurrence;

/// Date of a series: the start, or one of `RDATE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct SeriesDate {
    instant: i64,
    local: i64,
    length: Option<i64>,
}

/// Recurring series: a start, and the rules and dates that repeat it.
///
/// The [crate documentation](crate) defines the instances of a series.
#[derive(Clone, Debug)]
pub struct RecurrenceSet {
    start: Start,
    recurrence: Recurrence,
    /// Instant of the start.
    first: i64,
    /// Start and dates in order, without duplicate instants.
    dates: Vec<SeriesDate>,
    rules: Vec<Series>,
    exrules: Vec<Series>,
    /// Excluded instants.
    exdates: Vec<i64>,
    /// Excluded days, in days since 1970-01-01.
    exdays: Vec<i64>,
}

impl RecurrenceSet {
    /// Returns the start, on which rules are based.
    #[must_use]
    pub fn start(&self) -> &Start {
        &self.start
    }

    /// Returns the rules and dates.
    #[must_use]
    pub fn recurrence(&self) -> &Recurrence {
        &self.recurrence
    }

    /// Returns the instances in order.
    #[must_use]
    pub fn occurrences(&self) -> Occurrences<'_> {
        Occurrences::new(self, i64::MIN, None)
    }

    /// Returns the instances that start at or after a moment, without visiting earlier ones.
    ///
    /// A [`Moment`] is interpreted on the clock of the series: a local time in the zone of the start, a date as its
    /// midnight. For a series without a zone, an instant is the local time in UTC.
    #[must_use]
    pub fn occurrences_from(&self, from: impl Into<Moment>) -> Occurrences<'_> {
        Occurrences::new(self, self.second_of(from.into()), None)
    }

    /// Returns the instances that start at or after `start` and before `end`, without visiting others.
    #[must_use]
    pub fn occurrences_between(&self, start: impl Into<Moment>, end: impl Into<Moment>) -> Occurrences<'_> {
        Occurrences::new(self, self.second_of(start.into()), Some(self.second_of(end.into())))
    }

    /// Returns the instances that can overlap a range, those before `end` if there is one: from `length` before `start` on, if that is the
    /// length of instances, and all dates that may overlap it if they have a longer one of their own.
    #[must_use]
    pub fn occurrences_overlapping(
        &self,
        start: impl Into<Moment>,
        end: Option<Moment>,
        length: SignedDuration,
    ) -> Occurrences<'_> {
        let from = self.second_of(start.into()).saturating_sub(length.as_secs());
        let longest = self.max_duration().map_or(0, |length| length.as_secs());
        let occurrences = Occurrences::new(self, from, end.map(|end| self.second_of(end)));
        if longest == 0 { occurrences } else { occurrences.with_dates_from(from.saturating_sub(longest)) }
    }

    /// Returns whether an instance starts at exactly this moment, without visiting instances.
    #[must_use]
    pub fn contains(&self, moment: impl Into<Moment>) -> bool {
        let moment = moment.into();
        let instant = self.second_of(moment);
        let fraction = match moment {
            Moment::Date(_) => 0,
            Moment::Local(time) => time.subsec_nanosecond(),
            Moment::Instant(timestamp) => timestamp.subsec_nanosecond(),
        };
        let whole = fraction == 0 && (self.start.kind != Kind::Date || instant.rem_euclid(DAY) == 0);
        whole && self.has(instant) && !self.excludes(instant, self.start.clock.local_time(instant))
    }

    /// Returns whether a date or a rule yields this instant, excluded or not.
    fn has(&self, instant: i64) -> bool {
        let dated = self.dates.binary_search_by_key(&instant, |date| date.instant).is_ok();
        dated || (instant > self.first && self.rules.iter().any(|rule| rule.contains(instant, &self.start.clock)))
    }

    /// Returns whether `EXDATE` or `EXRULE` excludes an instant, at which the clock shows the local time `shown`.
    fn excludes(&self, instant: i64, shown: i64) -> bool {
        self.exdates.binary_search(&instant).is_ok()
            || self.exdays.binary_search(&shown.div_euclid(DAY)).is_ok()
            || self.exrules.iter().any(|rule| rule.contains(instant, &self.start.clock))
    }

    /// Returns the first instance: the start, unless it is excluded.
    #[must_use]
    pub fn first(&self) -> Option<Occurrence> {
        self.occurrences().next()
    }

    /// Returns whether the series has no end: it has a rule without `COUNT` and `UNTIL` that matches anything after the
    /// start.
    #[must_use]
    pub fn is_endless(&self) -> bool {
        self.rules.iter().any(|rule| !rule.is_bounded() && Stream::has_any(rule, self))
    }

    /// Returns the last instance, `None` if the series is endless or has no instance. Uses a binary search.
    #[must_use]
    pub fn last(&self) -> Option<Occurrence> {
        if self.is_endless() {
            return None;
        }
        let mut last = self.first()?;
        let ends = self.rules.iter().filter_map(|rule| rule.end(&self.start.clock));
        let mut high = ends.chain(self.dates.last().map(|date| date.instant)).max()?;
        let mut low = last.instant;
        while low < high {
            let middle = low + (high - low + 1) / 2;
            match Occurrences::new(self, middle, None).next() {
                Some(found) => (last, low) = (found, found.instant.max(middle)),
                None => high = middle - 1,
            }
        }
        Some(last)
    }

    /// Returns the maximum duration of the instances that have their own, by which a window must be widened.
    #[must_use]
    pub fn max_duration(&self) -> Option<SignedDuration> {
        self.dates.iter().filter_map(|date| date.length).max().map(SignedDuration::from_secs)
    }

    /// Returns the first whole second at or after a moment.
    fn second_of(&self, moment: Moment) -> i64 {
        let local = |local: i64| match self.start.clock.resolve(local) {
            Some(resolved) => resolved.instant,
            None if local < 0 => i64::MIN / 2,
            None => i64::MAX / 2,
        };
        match moment {
            Moment::Date(date) => local(day_of(date) * DAY),
            Moment::Local(time) => local(local_of(time) + i64::from(time.subsec_nanosecond() > 0)),
            Moment::Instant(timestamp) => timestamp.as_second() + i64::from(timestamp.subsec_nanosecond() > 0),
        }
    }
}
