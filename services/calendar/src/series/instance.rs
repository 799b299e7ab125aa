//! Instances of series.

use calendar_server::types::EventDateTime;
use wireform_recurrence::jiff::civil::Date;
use wireform_store::Span;

use crate::times;

/// An instance of a series.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Instance {
    /// Start as a day, or as a second since 1970.
    pub(super) start: InstanceStart,
    /// Time from start to end, in seconds since 1970-01-01 UTC.
    pub(crate) span: Span,
    /// Length in the unit of the series.
    pub(super) length: i64,
}

/// Start of an instance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum InstanceStart {
    /// Day of an all-day event.
    Day(Date),
    /// Second since 1970-01-01 UTC.
    Second(i64),
}

impl Instance {
    /// Returns the suffix of the identifier: a day, or a time in UTC.
    pub(crate) fn suffix(&self) -> String {
        match self.start {
            InstanceStart::Day(date) => date.strftime("%Y%m%d").to_string(),
            InstanceStart::Second(second) => times::timestamp(second).strftime("%Y%m%dT%H%M%SZ").to_string(),
        }
    }

    /// Returns the time from start to end in seconds.
    pub(super) fn seconds(&self) -> i64 {
        self.span.last - self.span.first
    }

    /// Returns the start according to the rule of the series, which identifies the instance.
    pub(crate) fn original(&self, time_zone: Option<&str>) -> EventDateTime {
        match self.start {
            InstanceStart::Day(date) => times::to_api_day(date),
            InstanceStart::Second(second) => times::to_api_time(second, time_zone),
        }
    }

    /// Returns the end.
    pub(crate) fn end(&self, time_zone: Option<&str>) -> EventDateTime {
        match self.start {
            InstanceStart::Day(date) => times::to_api_day(
                date.saturating_add(wireform_recurrence::jiff::Span::new().days(clamp_days(self.length))),
            ),
            InstanceStart::Second(second) => times::to_api_time(second.saturating_add(self.length), time_zone),
        }
    }
}

/// Limits a number of days to that of ten thousand years.
pub(super) fn clamp_days(days: i64) -> i64 {
    days.clamp(0, 3_652_059)
}
