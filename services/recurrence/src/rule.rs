//! Recurrence rules.

mod display;

use jiff::civil::{Date, DateTime, Weekday};

/// Frequency of a rule, the shortest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Frequency {
    /// `SECONDLY`.
    Secondly,
    /// `MINUTELY`.
    Minutely,
    /// `HOURLY`.
    Hourly,
    /// `DAILY`.
    Daily,
    /// `WEEKLY`.
    Weekly,
    /// `MONTHLY`.
    Monthly,
    /// `YEARLY`.
    Yearly,
}

impl Frequency {
    /// All frequencies with their names, the shortest first.
    pub(crate) const NAMES: [(&'static str, Self); 7] = [
        ("SECONDLY", Self::Secondly),
        ("MINUTELY", Self::Minutely),
        ("HOURLY", Self::Hourly),
        ("DAILY", Self::Daily),
        ("WEEKLY", Self::Weekly),
        ("MONTHLY", Self::Monthly),
        ("YEARLY", Self::Yearly),
    ];

    /// Returns whether the frequency is shorter than a day.
    #[must_use]
    pub fn is_sub_daily(self) -> bool {
        self < Self::Daily
    }
}

/// Names of the weekdays, Monday first.
pub(crate) const WEEKDAYS: [(&str, Weekday); 7] = [
    ("MO", Weekday::Monday),
    ("TU", Weekday::Tuesday),
    ("WE", Weekday::Wednesday),
    ("TH", Weekday::Thursday),
    ("FR", Weekday::Friday),
    ("SA", Weekday::Saturday),
    ("SU", Weekday::Sunday),
];

/// Value of `BYDAY`: a weekday, or the nth weekday of a month or year.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WeekdayNum {
    /// Ordinal, counted from the end if negative; `None` for every such weekday.
    pub ordinal: Option<i8>,
    /// The weekday.
    pub weekday: Weekday,
}

/// Date, local time or UTC time, as in `UNTIL`, `RDATE` and `EXDATE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DateValue {
    /// A date, `20260105`.
    Date(Date),
    /// A time on a local clock, `20260105T090000`.
    Local(DateTime),
    /// A time in UTC, `20260105T090000Z`.
    Utc(DateTime),
}

/// End of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// `COUNT`: number of instances, including the start.
    Count(u32),
    /// `UNTIL`: last moment at which an instance may start.
    Until(DateValue),
}

/// Recurrence rule (RFC 5545, section 3.3.10).
///
/// Lists are sorted and have no duplicates. The text of a rule is canonical: rules with the same parts have the same
/// text, which is parsed to the same rule.
///
/// ```
/// # fn main() -> Result<(), wireform_recurrence::ParseError> {
/// let rule: wireform_recurrence::Rule = "interval=1;byday=fr,mo,mo;freq=weekly".parse()?;
/// assert_eq!(rule.to_string(), "FREQ=WEEKLY;BYDAY=MO,FR");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rule {
    pub(crate) frequency: Frequency,
    pub(crate) interval: u32,
    pub(crate) bound: Option<Bound>,
    pub(crate) by_second: Vec<u8>,
    pub(crate) by_minute: Vec<u8>,
    pub(crate) by_hour: Vec<u8>,
    pub(crate) by_day: Vec<WeekdayNum>,
    pub(crate) by_month_day: Vec<i16>,
    pub(crate) by_year_day: Vec<i16>,
    pub(crate) by_week_no: Vec<i16>,
    pub(crate) by_month: Vec<u8>,
    pub(crate) by_set_pos: Vec<i16>,
    pub(crate) week_start: Weekday,
}

impl Rule {
    /// Creates a rule with a frequency and no other parts.
    #[must_use]
    pub fn new(frequency: Frequency) -> Self {
        Self {
            frequency,
            interval: 1,
            bound: None,
            by_second: Vec::new(),
            by_minute: Vec::new(),
            by_hour: Vec::new(),
            by_day: Vec::new(),
            by_month_day: Vec::new(),
            by_year_day: Vec::new(),
            by_week_no: Vec::new(),
            by_month: Vec::new(),
            by_set_pos: Vec::new(),
            week_start: Weekday::Monday,
        }
    }

    /// Returns `FREQ`.
    #[must_use]
    pub fn frequency(&self) -> Frequency {
        self.frequency
    }

    /// Returns `INTERVAL`, at least 1.
    #[must_use]
    pub fn interval(&self) -> u32 {
        self.interval
    }

    /// Returns `COUNT` or `UNTIL`, or `None` for a rule without end.
    #[must_use]
    pub fn bound(&self) -> Option<Bound> {
        self.bound
    }

    /// Returns `BYDAY`.
    #[must_use]
    pub fn by_day(&self) -> &[WeekdayNum] {
        &self.by_day
    }

    /// Returns `BYMONTH`; January is 1.
    #[must_use]
    pub fn by_month(&self) -> &[u8] {
        &self.by_month
    }

    /// Returns `WKST`, the first day of a week.
    #[must_use]
    pub fn week_start(&self) -> Weekday {
        self.week_start
    }
}
