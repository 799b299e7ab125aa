//! Recurrence of RFC 5545: parsing of rules and dates, and their instances in order.
//!
//! [`Recurrence`] holds parsed lines; [`RecurrenceSet`] is a series: a [`Start`] and the lines that repeat it.
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
//! // A window is not reached from the start: instances before it cost nothing.
//! assert_eq!(set.occurrences_between(date(2030, 6, 1), date(2030, 7, 1)).count(), 8);
//! assert!(set.contains(date(2030, 6, 3).at(9, 0, 0, 0)));
//! assert_eq!(set.last().map(|last| last.local().date()), Some(date(2030, 12, 30)));
//! # Ok(())
//! # }
//! ```
//!
//! # Instances
//!
//! RFC 5545 leaves some cases open, and implementations differ in them. This crate:
//!
//! * The start is the first instance. It counts towards `COUNT` of every rule, even of one that does not match it, and
//!   only `EXDATE` and a matching `EXRULE` exclude it. `RDATE` values before it are not instances. `COUNT` of an
//!   `EXRULE` counts the matches of that rule.
//! * Rules, including those of hours, minutes and seconds, are expanded on the clock of the start's zone: an hourly
//!   rule has one instance in an hour that the clock shows twice. A local time that occurs twice is the first of the
//!   two; one in a gap moves forward by the length of the gap. Instances are ordered by instant, without duplicates;
//!   `COUNT` counts local times, so two with the same instant count twice.
//! * Absent rule parts are taken from the start: the month and the day of the month of a `YEARLY` rule (the weekday
//!   with `BYWEEKNO`), the day of the month of a `MONTHLY` rule, the weekday of a `WEEKLY` rule, and the parts of the
//!   time that are shorter than the frequency. `BYMONTHDAY` of a `YEARLY` rule applies to every month, unless `BYMONTH`
//!   selects some.
//! * A day of `BYWEEKNO` belongs to its calendar year, even if its week belongs to the previous or next one.
//! * `BYSETPOS` counts all instances of a period, including those before the start.
//! * `BYWEEKNO`, `BYYEARDAY` and `BYMONTHDAY` limit rules of frequencies for which RFC 5545 excludes them and RFC 2445
//!   does not. Ordinals of `BYDAY` are rejected there, because they have no meaning.
//! * `UNTIL` as a date includes the whole day, on the clock of the start. A local `UNTIL` is on that clock as well.
//! * A date in `EXDATE` excludes all instances that start on that day. A time in `EXDATE` of a series of whole days
//!   excludes its date. `BYHOUR`, `BYMINUTE` and `BYSECOND` are ignored for whole days.
//! * Second 60 is second 59. `VALUE` may be omitted if the values imply it.
//! * A period of `RDATE` has its own length, even if a rule has an instance at its start: see [`Occurrence::end`].
//! * The calendar ends with the year 9999.
//!
//! # Complexity
//!
//! A rule is expanded period by period, with bit sets for the days and times of a period. Days that do not match are
//! skipped by the year, whatever the frequency. A window far from the start is reached by arithmetic. To that end, the
//! end of a rule with `COUNT` is computed once, when the series is created: periods are counted instead of walked, and
//! if all have the same number of instances, as for `DAILY` and shorter rules without other parts, not even visited.
//!
//! Rules that never match, such as one of 30 February, are recognized when a series is created and cost nothing then. Any
//! other search ends after 10,000 successive periods, or excluded instances, without an instance: the series has then
//! ended, as [`Occurrences::ending`] reports. Each iterator has a search of its own, so a window after such a gap has
//! its instances.
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
