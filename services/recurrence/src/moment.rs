//! Moments, starts and instances.

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use crate::civil::{DAY, day_of, local_of, to_date, to_datetime};
use crate::clock::Clock;

/// Moment in a series: a date, a time on a clock, or an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Moment {
    /// A date.
    Date(Date),
    /// A time on a clock without a zone.
    Local(DateTime),
    /// An instant.
    Instant(Timestamp),
}

impl From<Date> for Moment {
    fn from(date: Date) -> Self {
        Self::Date(date)
    }
}

impl From<DateTime> for Moment {
    fn from(time: DateTime) -> Self {
        Self::Local(time)
    }
}

impl From<Timestamp> for Moment {
    fn from(timestamp: Timestamp) -> Self {
        Self::Instant(timestamp)
    }
}

/// Kind of the start, which all instances share: a whole day, a local time without a zone, or one in a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Date,
    Floating,
    Zoned,
}

/// Start of a series, its first instance. Fractions of seconds are truncated.
#[derive(Clone, Debug)]
pub struct Start {
    pub(crate) kind: Kind,
    pub(crate) clock: Clock,
    /// The local time that rules count from.
    pub(crate) local: i64,
    /// Instant, if it was given and not derived from the local time.
    pub(crate) given_instant: Option<i64>,
}

impl Start {
    /// Creates the start of a series of whole days.
    #[must_use]
    pub fn date(date: Date) -> Self {
        Self { kind: Kind::Date, clock: Clock::Floating, local: day_of(date) * DAY, given_instant: None }
    }

    /// Creates the start of a series of local times without a zone.
    #[must_use]
    pub fn floating(time: DateTime) -> Self {
        Self { kind: Kind::Floating, clock: Clock::Floating, local: local_of(time), given_instant: None }
    }

    /// Creates the start of a series at a local time of a zone, in which the rules are expanded.
    #[must_use]
    pub fn zoned(time: DateTime, zone: TimeZone) -> Self {
        Self { kind: Kind::Zoned, clock: Clock::Zoned(zone), local: local_of(time), given_instant: None }
    }

    /// Creates the start of a series at an instant. The rules are expanded from the local time in the zone.
    #[must_use]
    pub fn instant(timestamp: Timestamp, zone: TimeZone) -> Self {
        let instant = timestamp.as_second() - i64::from(timestamp.subsec_nanosecond() < 0);
        let clock = Clock::Zoned(zone);
        Self { kind: Kind::Zoned, local: clock.local_time(instant), clock, given_instant: Some(instant) }
    }

    /// Returns the moment of the start.
    #[must_use]
    pub fn moment(&self) -> Moment {
        let instant = self.given_instant.or_else(|| self.clock.resolve(self.local).map(|resolved| resolved.instant));
        self.kind.moment(instant.unwrap_or(self.local))
    }
}

impl Kind {
    /// Returns the moment of an instant, which is a local time for kinds without a zone.
    fn moment(self, instant: i64) -> Moment {
        match self {
            Self::Date => Moment::Date(to_date(instant.div_euclid(DAY))),
            Self::Floating => Moment::Local(to_datetime(instant)),
            Self::Zoned => Moment::Instant(Timestamp::from_second(instant).unwrap_or_default()),
        }
    }
}

/// Instance of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Occurrence {
    pub(crate) kind: Kind,
    pub(crate) instant: i64,
    pub(crate) local: i64,
    pub(crate) length: Option<i64>,
}

impl Occurrence {
    /// Returns the start: a date, a time without a zone or an instant, like the start of the series.
    #[must_use]
    pub fn start(&self) -> Moment {
        self.kind.moment(self.instant)
    }

    /// Returns the end, if the instance has its own, as a period of `RDATE` has.
    #[must_use]
    pub fn end(&self) -> Option<Moment> {
        self.length.map(|length| self.kind.moment(self.instant + length))
    }

    /// Returns the duration, if the instance has its own.
    #[must_use]
    pub fn duration(&self) -> Option<SignedDuration> {
        self.length.map(SignedDuration::from_secs)
    }

    /// Returns the start on the clock of the series, midnight for a date. A local time in a gap is returned as moved
    /// forward.
    #[must_use]
    pub fn local(&self) -> DateTime {
        to_datetime(self.local)
    }

    /// Returns the instant of the start, `None` for a date or a time without a zone.
    #[must_use]
    pub fn timestamp(&self) -> Option<Timestamp> {
        match self.start() {
            Moment::Instant(timestamp) => Some(timestamp),
            _ => None,
        }
    }
}
