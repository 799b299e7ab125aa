//! Conversions from and to the types of jiff, for arithmetic and time zones.

use jiff::tz::Offset;
use jiff::{Timestamp, civil};

use super::{DateTime, UtcOffset};
use crate::date::Date;

/// Seconds from 0000-03-01T00:00Z to 1970-01-01T00:00Z.
const EPOCH: i64 = 719_468 * 86_400;

impl DateTime {
    /// Returns the offset, or `None` if the value has none.
    #[must_use]
    pub fn offset(&self) -> Option<Offset> {
        Offset::from_seconds(i32::from(self.offset_minutes()?) * 60).ok()
    }

    /// Returns the instant. The fraction is truncated to nanoseconds. Second 60 becomes second 59, as in jiff, so that
    /// the instant stays within the day and agrees with [`to_civil`](Self::to_civil).
    ///
    /// Returns `None` without an offset, and for the last day of the year 9999, most of which is beyond jiff's range
    /// (up to 9999-12-30T22:00:00.999999999Z).
    #[must_use]
    pub fn to_timestamp(&self) -> Option<Timestamp> {
        if !self.has_offset() {
            return None;
        }
        let seconds = self.utc_minutes() * 60 + i64::from(self.second.min(59)) - EPOCH;
        Timestamp::new(seconds, i32::try_from(self.subsec_nanos()).ok()?).ok()
    }

    /// Returns the local date and time, without the offset. The fraction is truncated to nanoseconds, and second 60
    /// becomes second 59.
    #[must_use]
    pub fn to_civil(&self) -> civil::DateTime {
        // The parts are within jiff's ranges, so the fallbacks are never taken.
        let part = |value: u8| i8::try_from(value).unwrap_or(0);
        let nanos = i32::try_from(self.subsec_nanos()).unwrap_or(0);
        let time = civil::Time::new(part(self.hour), part(self.minute), part(self.second.min(59)), nanos);
        self.date.to_civil().to_datetime(time.unwrap_or_default())
    }

    /// Creates a value without an offset. The fraction gets 0, 3, 6 or 9 digits, the fewest that are exact. A time
    /// before the year 0000, which RFC 3339 cannot represent, becomes the first moment of that year.
    #[must_use]
    pub fn from_civil(civil: civil::DateTime) -> Self {
        Self::with_offset(civil, UtcOffset::Absent)
    }

    /// Creates a value from an instant at this offset, which is written in numbers. Seconds of the offset are
    /// truncated, and it is clamped to 23:59; the instant stays the same. Otherwise like
    /// [`from_civil`](Self::from_civil).
    #[must_use]
    pub fn from_timestamp_at(timestamp: Timestamp, offset: Offset) -> Self {
        let minutes = (offset.seconds() / 60).clamp(-(23 * 60 + 59), 23 * 60 + 59);
        let offset = Offset::from_seconds(minutes * 60).unwrap_or(Offset::UTC);
        let size = u16::try_from(minutes.unsigned_abs()).unwrap_or(0);
        let zone = if minutes < 0 { UtcOffset::West(size) } else { UtcOffset::East(size) };
        Self::with_offset(offset.to_datetime(timestamp), zone)
    }

    /// Creates a value with this local time and offset. Negative years, which the format lacks, become the minimum.
    fn with_offset(civil: civil::DateTime, zone: UtcOffset) -> Self {
        if civil.year() < 0 {
            return Self {
                fraction: 0,
                date: Date::MIN,
                zone,
                hour: 0,
                minute: 0,
                second: 0,
                fraction_digits: 0,
                lowercase_separator: false,
            };
        }
        let part = |value: i8| u8::try_from(value).unwrap_or(0);
        let (fraction, fraction_digits) = minimal_fraction(u32::try_from(civil.subsec_nanosecond()).unwrap_or(0));
        Self {
            fraction: u64::from(fraction),
            date: Date::from_civil(civil.date()),
            zone,
            hour: part(civil.hour()),
            minute: part(civil.minute()),
            second: part(civil.second()),
            fraction_digits,
            lowercase_separator: false,
        }
    }
}

/// Creates a value with the offset `Z`. The fraction gets 0, 3, 6 or 9 digits, the fewest that are exact. A time before
/// the year 0000, which RFC 3339 cannot represent, becomes the first moment of that year.
impl From<Timestamp> for DateTime {
    fn from(timestamp: Timestamp) -> Self {
        Self::with_offset(Offset::UTC.to_datetime(timestamp), UtcOffset::Utc)
    }
}

/// Returns nanoseconds as 0, 3, 6 or 9 digits, the fewest that are exact: the digits, and their number.
pub(crate) const fn minimal_fraction(nanos: u32) -> (u32, u8) {
    if nanos == 0 {
        (0, 0)
    } else if nanos.is_multiple_of(1_000_000) {
        (nanos / 1_000_000, 3)
    } else if nanos.is_multiple_of(1_000) {
        (nanos / 1_000, 6)
    } else {
        (nanos, 9)
    }
}
