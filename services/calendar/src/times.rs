//! Times of events, in the form of the API and in seconds since 1970.

use calendar_server::runtime::wireform_runtime::{Date, DateTime};
use calendar_server::types::{Event, EventDateTime};
use wireform_recurrence::jiff::tz::TimeZone;
use wireform_recurrence::jiff::{Timestamp, civil};

/// Seconds of a day.
pub(crate) const DAY: i64 = 24 * 60 * 60;

/// Returns the zone with a name; UTC if there is none, because names were validated on input.
pub(crate) fn zone_by_name(name: &str) -> TimeZone {
    TimeZone::get(name).unwrap_or(TimeZone::UTC)
}

/// Returns the second of a time. A day begins at midnight in `zone`, and a time without offset is in its own zone, or
/// in `zone`. A time in a gap moves forward by its length; an ambiguous one is the first.
pub(crate) fn second_of(time: &EventDateTime, zone: &TimeZone) -> Option<i64> {
    if let Some(date) = time.date {
        return second_of_date(date.to_civil(), zone);
    }
    let shown = time.date_time?;
    if shown.has_offset() {
        // The last hours of the year 9999 have no instant.
        return Some(shown.to_timestamp().unwrap_or(Timestamp::MAX).as_second());
    }
    let own = time.time_zone.as_deref().map(self::zone_by_name);
    second_of_civil(shown.to_civil(), own.as_ref().unwrap_or(zone))
}

/// Returns the second at which a day begins.
pub(crate) fn second_of_date(date: civil::Date, zone: &TimeZone) -> Option<i64> {
    second_of_civil(date.to_datetime(civil::Time::midnight()), zone)
}

/// Returns the second since 1970-01-01 UTC of a local time; `None` if it is out of range.
fn second_of_civil(time: civil::DateTime, zone: &TimeZone) -> Option<i64> {
    zone.to_ambiguous_timestamp(time).compatible().ok().map(Timestamp::as_second)
}

/// Returns the instant of a second, limited to the supported range.
pub(crate) fn timestamp(second: i64) -> Timestamp {
    let second = second.clamp(Timestamp::MIN.as_second(), Timestamp::MAX.as_second());
    Timestamp::from_second(second).unwrap_or_default()
}

/// Returns the day of a second in a zone.
pub(crate) fn date_of(second: i64, zone: &TimeZone) -> civil::Date {
    zone.to_datetime(timestamp(second)).date()
}

/// Returns the local time of an instant in a zone.
pub(crate) fn local_time(instant: Timestamp, zone: &TimeZone) -> DateTime {
    let offset = zone.to_offset(instant);
    if offset.is_zero() { DateTime::from(instant) } else { DateTime::from_timestamp_at(instant, offset) }
}

/// Converts a time to the local time in `zone`, as in responses. Days are not changed.
pub(crate) fn to_zone(time: &EventDateTime, zone: &TimeZone) -> EventDateTime {
    let mut shown = time.clone();
    if let Some(date_time) = time.date_time {
        let instant = match date_time.to_timestamp() {
            Some(instant) => Some(instant),
            None if date_time.has_offset() => None,
            None => {
                let own = time.time_zone.as_deref().map(self::zone_by_name);
                let own = own.as_ref().unwrap_or(zone);
                own.to_ambiguous_timestamp(date_time.to_civil()).compatible().ok()
            }
        };
        shown.date_time = Some(instant.map_or(date_time, |instant| local_time(instant, zone)));
    }
    shown
}

/// Sets a missing zone of the end of a series to that of its start.
pub(crate) fn complete_end_zone(event: &mut Event) {
    let Event { start: Some(start), end: Some(end), recurrence, .. } = event else { return };
    if !recurrence.is_empty() && end.date_time.is_some() && end.time_zone.is_none() {
        end.time_zone.clone_from(&start.time_zone);
    }
}

/// Returns the time zones that the start, the end and the original start of an event have by default: that of the
/// calendar, and for the end that of the start.
pub(crate) fn default_zones(event: &Event, calendar: &str) -> [String; 3] {
    let start = event.start.as_ref().and_then(|start| start.time_zone.clone());
    [calendar.to_owned(), start.unwrap_or_else(|| calendar.to_owned()), calendar.to_owned()]
}

/// Returns whether a requested time is the stored one for every reader: the same day, or the same instant in the same
/// zone. A time without a zone has the default one.
pub(crate) fn is_same_time(one: &EventDateTime, other: &EventDateTime, default_zone: &str) -> bool {
    let zone = zone_by_name(default_zone);
    let own_zone = |time: &EventDateTime| time.time_zone.clone().unwrap_or_else(|| default_zone.to_owned());
    one.date == other.date
        && one.date_time.is_some() == other.date_time.is_some()
        && (one.time_zone == other.time_zone || (one.date.is_none() && own_zone(one) == own_zone(other)))
        && second_of(one, &zone) == second_of(other, &zone)
}

/// Converts a day to the form of the API.
pub(crate) fn to_api_day(date: civil::Date) -> EventDateTime {
    EventDateTime::default().with_date(Date::from_civil(date))
}

/// Converts an instant of a series to the form of the API, in the zone of the series.
pub(crate) fn to_api_time(second: i64, time_zone: Option<&str>) -> EventDateTime {
    let mut time = EventDateTime::default();
    let zone = time_zone.map_or(TimeZone::UTC, zone_by_name);
    time.date_time = Some(local_time(timestamp(second), &zone));
    time.time_zone = time_zone.map(str::to_owned);
    time
}

/// Converts a time of the store to the form of the API.
pub(crate) fn to_date_time(time: wireform_store::Millis) -> DateTime {
    DateTime::from(Timestamp::from_millisecond(time.0).unwrap_or_default())
}
