//! Conversion between local times and instants.
//!
//! A local time in a gap moves forward by the length of the gap; one that occurs twice is the first (RFC 5545, section
//! 3.3.5).

use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, Offset, TimeZone};
use jiff::{Timestamp, civil};

use crate::civil::{DAY, day_of, to_datetime};

/// Clock that maps the local times of a series to instants. Without a zone an instant is the local time itself.
#[derive(Clone, Debug)]
pub(crate) enum Clock {
    Floating,
    Zoned(TimeZone),
}

/// Instant of a local time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ResolvedTime {
    /// Seconds since 1970-01-01T00:00:00Z.
    pub instant: i64,
    /// Local time shown at the instant, which differs from the requested one in a gap.
    pub local: i64,
}

/// Converts seconds since 1970; returns `None` outside the range of timestamps.
fn timestamp(instant: i64) -> Option<Timestamp> {
    Timestamp::from_second(instant).ok()
}

fn seconds(offset: Offset) -> i64 {
    i64::from(offset.seconds())
}

impl Clock {
    /// Returns the last local time of a series. It has an instant, whatever the offset.
    pub(crate) fn max_local(&self) -> i64 {
        let days = match self {
            Self::Floating => 0,
            // Instants end before the calendar does.
            Self::Zoned(_) => 2,
        };
        (day_of(civil::Date::MAX) + 1 - days) * DAY - 1
    }

    /// Returns the instant of a local time, if it is within the calendar.
    pub(crate) fn resolve(&self, local: i64) -> Option<ResolvedTime> {
        let zone = match self {
            Self::Floating => return Some(ResolvedTime { instant: local, local }),
            Self::Zoned(zone) => zone,
        };
        let (before, after) = offsets(zone, to_datetime(local));
        let resolved = ResolvedTime { instant: local - before, local: local - before + after };
        timestamp(resolved.instant).map(|_| resolved)
    }

    /// Returns the local time at an instant.
    pub(crate) fn local_time(&self, instant: i64) -> i64 {
        match (self, timestamp(instant)) {
            (Self::Zoned(zone), Some(timestamp)) => instant + seconds(zone.to_offset(timestamp)),
            _ => instant,
        }
    }

    /// Returns the total length of the gaps of the last 26 hours, by which local times may have moved forward.
    pub(crate) fn recent_gaps(&self, instant: i64) -> i64 {
        let (Self::Zoned(zone), Some(until)) = (self, timestamp(instant.saturating_add(1))) else { return 0 };
        let recent = zone.preceding(until).map(|transition| (transition.timestamp().as_second(), transition.offset()));
        let recent = recent.take_while(|(at, _)| *at > instant - 26 * 3_600);
        recent.map(|(at, offset)| (seconds(offset) + at - self.local_time(at - 1) - 1).max(0)).sum()
    }

    /// Returns the local times of an instant: the one that the clock shows, and one in a gap shortly before.
    pub(crate) fn local_times(&self, instant: i64) -> impl Iterator<Item = i64> {
        let (shown, gaps) = (self.local_time(instant), self.recent_gaps(instant));
        let locals = [Some(shown), Some(shown - gaps).filter(|_| gaps > 0)];
        let is = move |local: &i64| self.resolve(*local).is_some_and(|resolved| resolved.instant == instant);
        locals.into_iter().flatten().filter(is)
    }
}

/// Returns the offset that converts a local time to an instant, and the offset in force at that instant.
fn offsets(zone: &TimeZone, local: DateTime) -> (i64, i64) {
    match zone.to_ambiguous_timestamp(local).offset() {
        AmbiguousOffset::Unambiguous { offset } => (seconds(offset), seconds(offset)),
        AmbiguousOffset::Gap { before, after } => (seconds(before), seconds(after)),
        AmbiguousOffset::Fold { before, .. } => (seconds(before), seconds(before)),
    }
}

/// Resolver that caches the range of local times around the last one that have the same offset.
#[derive(Clone, Debug)]
pub(crate) struct Resolver<'c> {
    clock: &'c Clock,
    /// First and last local time with the offset.
    cached_range: (i64, i64),
    offset: i64,
}

impl<'c> Resolver<'c> {
    pub(crate) fn new(clock: &'c Clock) -> Self {
        let safe = match clock {
            Clock::Floating => (i64::MIN, i64::MAX),
            Clock::Zoned(_) => (i64::MAX, i64::MIN),
        };
        Self { clock, cached_range: safe, offset: 0 }
    }

    /// Same as [`Clock::resolve`], with the cache.
    #[inline]
    pub(crate) fn resolve(&mut self, local: i64) -> Option<ResolvedTime> {
        if self.cached_range.0 <= local && local <= self.cached_range.1 {
            return Some(ResolvedTime { instant: local - self.offset, local });
        }
        let resolved = self.clock.resolve(local)?;
        self.cache_range(resolved);
        Some(resolved)
    }

    /// Caches the range between the transitions around an instant.
    #[cold]
    fn cache_range(&mut self, resolved: ResolvedTime) {
        let (Clock::Zoned(zone), Some(after)) = (self.clock, timestamp(resolved.instant.saturating_add(1))) else {
            return;
        };
        let Some(at) = timestamp(resolved.instant) else { return };
        let offset = resolved.local - resolved.instant;
        // In the first hours after a transition local times may belong to the offset before it.
        let start = zone.preceding(after).next().map(|transition| transition.timestamp().as_second());
        let start = start.map_or(i64::MIN, |start| start + offset.max(self.clock.local_time(start - 1) - (start - 1)));
        let end = zone.following(at).next();
        let end = end.map(|end| end.timestamp().as_second() + offset.min(seconds(end.offset())) - 1);
        (self.cached_range, self.offset) = ((start, end.unwrap_or_else(|| self.clock.max_local())), offset);
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::civil::local_of;

    fn zoned(name: &str) -> Clock {
        Clock::Zoned(TimeZone::get(name).unwrap())
    }

    fn resolve(clock: &Clock, time: DateTime) -> (String, String) {
        let resolved = clock.resolve(local_of(time)).unwrap();
        (timestamp(resolved.instant).unwrap().to_string(), to_datetime(resolved.local).to_string())
    }

    #[test]
    fn times_in_gaps_move_forward_and_repeated_times_are_the_first() {
        let berlin = zoned("Europe/Berlin");
        let gap = resolve(&berlin, date(2026, 3, 29).at(2, 30, 0, 0));
        assert_eq!(gap, ("2026-03-29T01:30:00Z".into(), "2026-03-29T03:30:00".into()));
        let fold = resolve(&berlin, date(2026, 10, 25).at(2, 30, 0, 0));
        assert_eq!(fold, ("2026-10-25T00:30:00Z".into(), "2026-10-25T02:30:00".into()));
        // Samoa had no December 30 in 2011.
        let apia = resolve(&zoned("Pacific/Apia"), date(2011, 12, 30).at(9, 0, 0, 0));
        assert_eq!(apia, ("2011-12-30T19:00:00Z".into(), "2011-12-31T09:00:00".into()));
    }

    #[test]
    fn instants_convert_to_local_times() {
        let berlin = zoned("Europe/Berlin");
        let locals = |text: &str| {
            let instant = text.parse::<Timestamp>().unwrap().as_second();
            berlin.local_times(instant).map(|local| to_datetime(local).to_string()).collect::<Vec<_>>()
        };
        assert_eq!(locals("2026-03-29T01:30:00Z"), ["2026-03-29T03:30:00", "2026-03-29T02:30:00"]);
        assert_eq!(locals("2026-03-29T02:30:00Z"), ["2026-03-29T04:30:00"]);
        assert_eq!(locals("2026-10-25T00:30:00Z"), ["2026-10-25T02:30:00"]);
        // The second time a clock shows it.
        assert_eq!(locals("2026-10-25T01:30:00Z"), [""; 0]);
    }

    #[test]
    fn cached_resolution_agrees_with_the_clock() {
        for name in
            ["Europe/Dublin", "America/St_Johns", "Australia/Lord_Howe", "Pacific/Apia", "Africa/Casablanca", "UTC"]
        {
            let clock = zoned(name);
            let mut resolver = Resolver::new(&clock);
            let start = local_of(date(2009, 12, 30).at(0, 13, 0, 0));
            for local in
                (start..start + 4 * 366 * DAY).step_by(1_800).chain((start..start + 999 * DAY).rev().step_by(86_399))
            {
                assert_eq!(resolver.resolve(local), clock.resolve(local), "{name} {}", to_datetime(local));
            }
        }
    }

    #[test]
    fn every_local_time_can_be_resolved() {
        for name in ["Pacific/Apia", "America/Adak", "UTC"] {
            let clock = zoned(name);
            assert!(clock.resolve(clock.max_local()).is_some(), "{name}");
        }
        assert_eq!(to_datetime(Clock::Floating.max_local()), date(9999, 12, 31).at(23, 59, 59, 0));
    }
}
