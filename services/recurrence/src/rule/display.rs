//! Canonical text of rules and their values.

use std::fmt::{self, Display, Formatter};

use jiff::civil::{Date, DateTime, Weekday};

use super::{Bound, DateValue, Frequency, Rule, WEEKDAYS, WeekdayNum};
use crate::civil::weekday_index;

impl Display for Frequency {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let name = Self::NAMES.iter().find(|(_, frequency)| frequency == self);
        f.write_str(name.map_or("", |(name, _)| name))
    }
}

/// Returns the two letters of a weekday, such as `MO`.
fn code(weekday: Weekday) -> &'static str {
    WEEKDAYS[usize::from(weekday_index(weekday)) % 7].0
}

impl Display for WeekdayNum {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(ordinal) = self.ordinal {
            write!(f, "{ordinal}")?;
        }
        f.write_str(code(self.weekday))
    }
}

/// Wrapper that displays a date or time in the basic format of ISO 8601, without separators.
struct Basic<T>(T);

impl Display for Basic<Date> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}{:02}{:02}", self.0.year(), self.0.month(), self.0.day())
    }
}

impl Display for Basic<DateTime> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let time = self.0;
        write!(f, "{}T{:02}{:02}{:02}", Basic(time.date()), time.hour(), time.minute(), time.second())
    }
}

impl Display for DateValue {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Date(date) => Basic(*date).fmt(f),
            Self::Local(time) => Basic(*time).fmt(f),
            Self::Utc(time) => write!(f, "{}Z", Basic(*time)),
        }
    }
}

/// Writes a part of a rule, `;NAME=1,2`; nothing if there are no values.
fn list<T: Display>(f: &mut Formatter<'_>, name: &str, values: &[T]) -> fmt::Result {
    for (index, value) in values.iter().enumerate() {
        match index {
            0 => write!(f, ";{name}={value}")?,
            _ => write!(f, ",{value}")?,
        }
    }
    Ok(())
}

/// Writes the parts in the order of RFC 5545, omitting the defaults `INTERVAL=1` and `WKST=MO`.
impl Display for Rule {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "FREQ={}", self.frequency)?;
        match self.bound {
            Some(Bound::Count(count)) => write!(f, ";COUNT={count}")?,
            Some(Bound::Until(until)) => write!(f, ";UNTIL={until}")?,
            None => {}
        }
        if self.interval != 1 {
            write!(f, ";INTERVAL={}", self.interval)?;
        }
        list(f, "BYSECOND", &self.by_second)?;
        list(f, "BYMINUTE", &self.by_minute)?;
        list(f, "BYHOUR", &self.by_hour)?;
        list(f, "BYDAY", &self.by_day)?;
        list(f, "BYMONTHDAY", &self.by_month_day)?;
        list(f, "BYYEARDAY", &self.by_year_day)?;
        list(f, "BYWEEKNO", &self.by_week_no)?;
        list(f, "BYMONTH", &self.by_month)?;
        list(f, "BYSETPOS", &self.by_set_pos)?;
        if self.week_start != Weekday::Monday {
            write!(f, ";WKST={}", code(self.week_start))?;
        }
        Ok(())
    }
}
