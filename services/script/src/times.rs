//! Conversions of times for the API.

use jiff::{SignedDuration, Timestamp};
use script_server::runtime::wireform_runtime::{DateTime, Duration};
use wireform_store::Millis;

/// Converts a point in time.
pub(crate) fn to_date_time(time: Millis) -> DateTime {
    DateTime::from(Timestamp::from_millisecond(time.0).unwrap_or_default())
}

/// Returns the duration between two points in time.
pub(crate) fn duration_between(start: Millis, end: Millis) -> Option<Duration> {
    Duration::try_from(SignedDuration::from_millis(end.0.saturating_sub(start.0).max(0))).ok()
}

/// Returns the last millisecond at or before a point in time with an offset.
pub(crate) fn millis_at_or_before(time: &DateTime) -> Option<Millis> {
    time.to_timestamp().map(|time| Millis(floor_millis(time)))
}

/// Returns the first millisecond at or after a point in time with an offset.
pub(crate) fn millis_at_or_after(time: &DateTime) -> Option<Millis> {
    let time = time.to_timestamp()?;
    let floor = floor_millis(time);
    let exact = Timestamp::from_millisecond(floor).is_ok_and(|whole| whole == time);
    Some(Millis(if exact { floor } else { floor.saturating_add(1) }))
}

/// Returns the milliseconds since 1970, rounded down.
fn floor_millis(time: Timestamp) -> i64 {
    let millis = time.as_nanosecond().div_euclid(1_000_000);
    i64::try_from(millis).unwrap_or(i64::MAX)
}
