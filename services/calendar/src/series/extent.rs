//! Time range of a series, and the weeks in which it can have instances.

use wireform_recurrence::{Moment, Occurrence};
use wireform_store::{ENDLESS, EntryKind, Span};

use super::{Rule, Series, SeriesError, Steps, slots};
use crate::times;

/// Time from the first start to the last end of a series, and the weeks in which it can have instances.
#[derive(Clone, Debug)]
pub(super) struct Extent {
    span: Span,
    pub(super) slots: Vec<u8>,
}

impl Rule {
    /// Returns the stored form of its series: its kind, and the time from its first start to its last end.
    pub(crate) fn kind_and_span(&self, series: &Series, steps: &Steps) -> Result<(EntryKind, Span), SeriesError> {
        let Extent { span, slots } = series.extent(self, steps)?;
        Ok((EntryKind::Series { rule: self.serialize()?, length: series.max_length(), slots }, span))
    }
}

impl Series {
    /// Returns the time range and the slots of the series of a rule.
    pub(super) fn extent(&self, rule: &Rule, steps: &Steps) -> Result<Extent, SeriesError> {
        if let Some(extent) = self.extent.get() {
            return Ok(extent.clone());
        }
        let mut all = self.set.occurrences();
        let first = all.next();
        steps.take(all.steps());
        if steps.is_attempt_over() {
            return Err(SeriesError::Interrupted);
        }
        let span = self.span(first);
        let slots = slots::slots_of_rule(rule, span.first, steps)?;
        if steps.is_attempt_over() {
            return Err(SeriesError::Interrupted);
        }
        Ok(self.extent.get_or_init(|| Extent { span, slots }).clone())
    }

    /// Returns the time from the first start to the last end. `first` is the first instance.
    fn span(&self, first: Option<Occurrence>) -> Span {
        let first = first.map(|first| self.instance(&first).span.first);
        let start = || match self.set.start().moment() {
            Moment::Date(date) => times::second_of_date(date, &self.zone).unwrap_or_default(),
            Moment::Instant(instant) => instant.as_second(),
            Moment::Local(_) => 0,
        };
        let first = first.unwrap_or_else(start);
        let last = match self.set.last() {
            _ if self.is_endless() => ENDLESS,
            // Instances with their own length may end after the last one.
            Some(last) => {
                self.instance(&last).span.last.saturating_add(self.max_length() - self.instance(&last).seconds())
            }
            None => first,
        };
        Span { first, last }
    }
}
