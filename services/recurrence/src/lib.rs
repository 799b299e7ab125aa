//! Recurrence of RFC 5545: rules and dates as text, and their instances in order.
//!
//! [`Recurrence`] holds parsed lines, [`RecurrenceSet`] is a series: a [`Start`] and the lines that repeat it.
//!
//! ```
//! use wireform_recurrence::jiff::civil::date;
//! use wireform_recurrence::jiff::tz::TimeZone;
//! use wireform_recurrence::{Recurrence, RecurrenceSet, Start};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let lines = ["RRULE:FREQ=WEEKLY;BYDAY=MO,FR;UNTIL=20301231T235959Z", "EXDATE;TZID=Europe/Paris:20260109T090000"];
//! let start = Start::zoned(date(2026, 1, 5).at(9, 0, 0, 0), TimeZone::get("Europe/Paris")?);
//! let set = RecurrenceSet::new(start, Recurrence::parse(lines)?)?;
//!
//! let first: Vec<String> = set.occurrences().take(3).map(|found| found.local().to_string()).collect();
//! assert_eq!(first, ["2026-01-05T09:00:00", "2026-01-12T09:00:00", "2026-01-16T09:00:00"]);
//!
//! // A window does not begin at the start: what was before it costs nothing.
//! assert_eq!(set.occurrences_between(date(2030, 6, 1), date(2030, 7, 1)).count(), 8);
//! assert!(set.contains(date(2030, 6, 3).at(9, 0, 0, 0)));
//! assert_eq!(set.last().map(|last| last.local().date()), Some(date(2030, 12, 30)));
//! # Ok(())
//! # }
//! ```
//!
//! # Instances
//!
//! RFC 5545 leaves some cases open, and calendars differ in them. Here:
//!
//! * The start is the first instance. It counts towards `COUNT` of every rule, also of one that does not match it, and
//!   only `EXDATE` and an `EXRULE` that matches it take it out. `RDATE` values before it are no instances. `COUNT` of an
//!   `EXRULE` counts what that rule itself matches.
//! * Rules are expanded on the clock of the start's zone, those of hours, minutes and seconds as well: an hourly rule has
//!   one instance in an hour that the clock shows twice. A local time that occurs twice is the first of the two, one in a
//!   gap moves forward by the length of the gap. Instances are in the order of their instants, each instant once; `COUNT`
//!   counts local times, so two that are one instant count twice.
//! * What a rule does not say is that of the start: the month and the day of the month of a `YEARLY` rule (the weekday
//!   next to `BYWEEKNO`), the day of the month of a `MONTHLY` rule, the weekday of a `WEEKLY` rule, and the parts of the
//!   time that are shorter than the frequency. `BYMONTHDAY` of a `YEARLY` rule means every month, unless `BYMONTH` says
//!   which.
//! * A day of `BYWEEKNO` belongs to the calendar year that it is in, also where its week is one of the year before or after.
//! * `BYSETPOS` counts all of a period, what is before the start included.
//! * `BYWEEKNO`, `BYYEARDAY` and `BYMONTHDAY` limit rules of frequencies for which RFC 5545 excludes them and RFC 2445 does
//!   not. Ordinals of `BYDAY` are refused there, because they mean nothing.
//! * `UNTIL` as a date is the whole of that day, on the clock of the start. A local `UNTIL` is read on that clock as well.
//! * A date of `EXDATE` takes out all instances that start on that day. A time of `EXDATE` in a series of whole days takes
//!   out its date. `BYHOUR`, `BYMINUTE` and `BYSECOND` mean nothing for whole days.
//! * Second 60 is second 59. `VALUE` may be left out where the values tell it.
//! * A period of `RDATE` has its own length, also where a rule has an instance at its start: see [`Occurrence::end`].
//! * The calendar ends with the year 9999.
//!
//! # Work
//!
//! A rule is expanded period by period, with sets of bits for the days and times of a period. Days that do not match are
//! passed over by the year, whatever the frequency. A window far from the start is reached by arithmetic. For that the end
//! of a rule with `COUNT` is computed once, when the series is created: periods are counted, not walked, and where all of
//! them have the same number of instances, which is so for `DAILY` and shorter rules without other parts, not even visited.
//!
//! A search ends after 10,000 successive periods, or instances that are taken out, without an instance: then the series has
//! ended, and [`Occurrences::ending`] says so. The search begins anew with each iterator, so a window behind such a desert
//! has its instances.
#![forbid(unsafe_code)]

mod civil;
mod clock;
mod dates;
mod error;
mod expand;
pub mod limits;
mod moment;
mod parse;
mod recurrence;
mod rule;
mod set;

pub use self::dates::{DateList, ListedDate, NominalDuration, PeriodEnd};
pub use self::error::{ParseError, ParseErrorKind, SetError};
pub use self::moment::{Moment, Occurrence, Start};
pub use self::recurrence::Recurrence;
pub use self::rule::{Bound, DateValue, Frequency, Rule, WeekdayNum};
pub use self::set::{Ending, Occurrences, RecurrenceSet};
pub use jiff;
