//! Iterator over the instances of a series.

use std::iter::FusedIterator;

use super::stream::Stream;
use super::{RecurrenceSet, SeriesDate};
use crate::limits::MAX_IDLE_PERIODS;
use crate::moment::Occurrence;

/// Reason why an iterator over instances has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// There are no more instances, or none before the end of the window.
    Finished,
    /// The search was given up after [`MAX_IDLE_PERIODS`](crate::limits::MAX_IDLE_PERIODS) without an instance.
    Exhausted,
    /// The calendar ends with the year 9999.
    Calendar,
}

/// Instances of a series, in order.
///
/// # Examples
///
/// ```
/// use jiff::civil::date;
/// use wireform_recurrence::{Ending, Recurrence, RecurrenceSet, Start};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let never = Recurrence::parse(["RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30"])?;
/// let set = RecurrenceSet::new(Start::date(date(2026, 1, 5)), never)?;
/// let mut occurrences = set.occurrences();
/// assert_eq!(occurrences.by_ref().count(), 1);
/// assert_eq!(occurrences.ending(), Some(Ending::Calendar));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Occurrences<'s> {
    set: &'s RecurrenceSet,
    dates: &'s [SeriesDate],
    streams: Vec<Stream<'s>>,
    end: i64,
    has_end: bool,
    ending: Option<Ending>,
    /// Number of excluded rule instances since the last one that was not.
    rejected: u32,
    /// Number of examined instances, each with the rules that could exclude it, and after the end also of the steps of
    /// all rules.
    steps: u64,
}

impl<'s> Occurrences<'s> {
    pub(super) fn new(set: &'s RecurrenceSet, from: i64, end: Option<i64>) -> Self {
        let dates = &set.dates[set.dates.partition_point(|date| date.instant < from)..];
        let streams = set.rules.iter().map(|rule| Stream::new(rule, set, from, end)).collect();
        let (end, has_end) = (end.unwrap_or(i64::MAX), end.is_some());
        Self { set, dates, streams, end, has_end, ending: None, rejected: 0, steps: 0 }
    }

    /// Adds the dates from another second on.
    pub(super) fn with_dates_from(mut self, from: i64) -> Self {
        self.dates = &self.set.dates[self.set.dates.partition_point(|date| date.instant < from)..];
        self
    }

    /// Returns the reason why the iterator has ended, once `next` has returned `None`.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// Returns the work done so far, in examined periods and instances.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps + self.streams.iter().map(Stream::steps).sum::<u64>()
    }

    /// Returns the next instance of the dates and the rules, excluded or not.
    #[inline]
    fn candidate(&self) -> Option<SeriesDate> {
        let mut first = self.dates.first().copied();
        for head in self.streams.iter().filter_map(Stream::head) {
            if first.is_none_or(|first| head.instant < first.instant) {
                first = Some(SeriesDate { instant: head.instant, local: head.local, length: None });
            }
        }
        first.filter(|first| first.instant < self.end)
    }

    /// Advances past an instant.
    #[inline]
    fn consume(&mut self, instant: i64, excluded: bool) {
        let dated = self.dates.first().is_some_and(|date| date.instant == instant);
        self.dates = &self.dates[usize::from(dated)..];
        self.steps += 1 + self.set.exrules.len() as u64;
        self.rejected = if excluded { self.rejected + u32::from(!dated) } else { 0 };
        for stream in &mut self.streams {
            if excluded {
                stream.reject();
            } else {
                stream.accept();
            }
            if stream.head().is_some_and(|head| head.instant == instant) {
                stream.advance();
            }
        }
    }

    /// Records why the iterator ends, and drops what is left to iterate.
    fn finish(&mut self) {
        let exhausted = self.rejected >= MAX_IDLE_PERIODS || self.streams.iter().any(Stream::is_exhausted);
        let unbounded = self.streams.iter().any(|stream| !stream.is_bounded());
        self.ending = Some(match () {
            () if exhausted => Ending::Exhausted,
            () if unbounded && !self.has_end => Ending::Calendar,
            () => Ending::Finished,
        });
        self.steps = self.steps();
        (self.dates, self.streams) = (&[], Vec::new());
    }
}

impl Iterator for Occurrences<'_> {
    type Item = Occurrence;

    fn next(&mut self) -> Option<Occurrence> {
        while let Some(SeriesDate { instant, local: shown, length }) = self.candidate() {
            let excluded = self.set.excludes(instant, shown);
            self.consume(instant, excluded);
            if !excluded {
                return Some(Occurrence { kind: self.set.start.kind, instant, local: shown, length });
            }
            if self.rejected >= MAX_IDLE_PERIODS {
                break;
            }
        }
        if self.ending.is_none() {
            self.finish();
        }
        None
    }
}

impl FusedIterator for Occurrences<'_> {}
