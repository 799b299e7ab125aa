//! Lists of dates: the values of `RDATE` and `EXDATE`.

use std::fmt::{self, Display, Formatter};

use jiff::tz::TimeZone;

use crate::rule::DateValue;

/// Duration of days, which follow the calendar, and of seconds, which are exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NominalDuration {
    /// The days.
    pub days: i64,
    /// The seconds beyond the days.
    pub seconds: i64,
}

/// End of a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PeriodEnd {
    /// A moment after the start.
    At(DateValue),
    /// A duration.
    After(NominalDuration),
}

/// Value of a list of dates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ListedDate {
    /// A date or a time.
    At(DateValue),
    /// A time with its own end, only in `RDATE`.
    Period(DateValue, PeriodEnd),
}

/// The dates of one `RDATE` or `EXDATE` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DateList {
    pub(crate) zone: Option<TimeZone>,
    pub(crate) dates: Vec<ListedDate>,
}

impl DateList {
    /// Returns the time zone of local times; `None` for that of the start.
    #[must_use]
    pub fn zone(&self) -> Option<&TimeZone> {
        self.zone.as_ref()
    }

    /// Returns the dates in order.
    #[must_use]
    pub fn dates(&self) -> &[ListedDate] {
        &self.dates
    }
}

impl Display for NominalDuration {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { days, seconds } = *self;
        if seconds == 0 && days % 7 == 0 {
            return write!(f, "P{}W", days / 7);
        }
        f.write_str("P")?;
        if days > 0 {
            write!(f, "{days}D")?;
        }
        if seconds > 0 {
            f.write_str("T")?;
        }
        let parts = [(seconds / 3_600, 'H'), (seconds / 60 % 60, 'M'), (seconds % 60, 'S')];
        // The grammar of RFC 5545 has no seconds after hours without minutes between them.
        let hours_and_seconds = parts[0].0 > 0 && parts[2].0 > 0;
        for (number, unit) in parts {
            if number > 0 || (unit == 'M' && hours_and_seconds) {
                write!(f, "{number}{unit}")?;
            }
        }
        Ok(())
    }
}

impl Display for ListedDate {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::At(value) => value.fmt(f),
            Self::Period(start, PeriodEnd::At(end)) => write!(f, "{start}/{end}"),
            Self::Period(start, PeriodEnd::After(duration)) => write!(f, "{start}/{duration}"),
        }
    }
}

/// Writes the parameters and the values, without the name of the property.
impl Display for DateList {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.dates.first() {
            Some(ListedDate::At(DateValue::Date(_))) => f.write_str(";VALUE=DATE")?,
            Some(ListedDate::Period(..)) => f.write_str(";VALUE=PERIOD")?,
            _ => {}
        }
        if let Some(name) = self.zone.as_ref().and_then(TimeZone::iana_name) {
            write!(f, ";TZID={name}")?;
        }
        for (index, date) in self.dates.iter().enumerate() {
            write!(f, "{}{date}", if index == 0 { ':' } else { ',' })?;
        }
        Ok(())
    }
}
