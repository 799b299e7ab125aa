//! Instances of a series in a time range.

use wireform_recurrence::jiff::SignedDuration;
use wireform_recurrence::jiff::civil::Date;
use wireform_recurrence::jiff::tz::TimeZone;
use wireform_recurrence::{Moment, Occurrences};

use super::{Instance, Series, Steps};
use crate::times;

impl Series {
    /// Returns the instances that start in a range of seconds, in order.
    pub(crate) fn instances<'s>(&'s self, from: i64, to: i64, steps: &'s Steps) -> impl Iterator<Item = Instance> + 's {
        let occurrences = match self.end_moment(to) {
            Some(end) => self.set.occurrences_between(self.moment(from, -1), end),
            None => self.set.occurrences_from(self.moment(from, -1)),
        };
        self.expand(occurrences, steps)
            .skip_while(move |instance| instance.span.first < from)
            .take_while(move |instance| instance.span.first < to)
    }

    /// Returns a second as a moment of the series; whole days start the given number of days later, since midnights of
    /// dates are compared by their instances.
    fn moment(&self, second: i64, days: i64) -> Moment {
        if self.is_all_day {
            return Moment::Date(times::date_of(second.saturating_add(days * times::DAY), &self.zone));
        }
        Moment::Instant(times::timestamp(second))
    }

    /// Returns the end of a range as a moment; `None` if nothing can start after it.
    fn end_moment(&self, second: i64) -> Option<Moment> {
        let last = times::timestamp(i64::MAX).as_second() - 7 * times::DAY;
        (second < last).then(|| self.moment(second, 1))
    }

    /// Converts the occurrences of an iterator, as long as there are steps left.
    fn expand<'s>(&'s self, mut all: Occurrences<'s>, steps: &'s Steps) -> impl Iterator<Item = Instance> + 's {
        steps.take_series();
        let (mut counted, mut has_yielded) = (0, false);
        std::iter::from_fn(move || {
            if steps.stops(has_yielded) {
                return None;
            }
            let next = all.next();
            steps.take(all.steps() - counted);
            (counted, has_yielded) = (all.steps(), true);
            next.map(|occurrence| self.instance(&occurrence))
        })
    }

    /// Returns the instances that overlap a range of seconds, including those that start before it.
    pub(crate) fn instances_in<'s>(
        &'s self,
        from: i64,
        to: i64,
        steps: &'s Steps,
    ) -> impl Iterator<Item = Instance> + 's {
        let days = if self.is_all_day { self.length.saturating_add(1).saturating_mul(times::DAY) } else { self.length };
        let length = SignedDuration::from_secs(days.saturating_add(1));
        let occurrences = self.set.occurrences_overlapping(self.moment(from, -1), self.end_moment(to), length);
        self.expand(occurrences, steps)
            .filter(move |instance| instance.span.last > from)
            .take_while(move |instance| instance.span.first < to)
    }

    /// Returns the instance that starts at a second.
    pub(crate) fn instance_at(&self, second: i64, steps: &Steps) -> Option<Instance> {
        self.instances(second, second.saturating_add(1), steps).next()
    }

    /// Returns the instance for the suffix of an identifier: a day, or a time in UTC.
    pub(crate) fn instance_by_suffix(&self, suffix: &str, steps: &Steps) -> Option<Instance> {
        let second = match suffix.len() {
            8 => times::second_of_date(Date::strptime("%Y%m%d", suffix).ok()?, &self.zone)?,
            16 if suffix.ends_with('Z') => {
                let time = wireform_recurrence::jiff::civil::DateTime::strptime("%Y%m%dT%H%M%SZ", suffix).ok()?;
                TimeZone::UTC.to_timestamp(time).ok()?.as_second()
            }
            _ => return None,
        };
        self.instance_at(second, steps).filter(|instance| instance.suffix() == suffix)
    }
}
