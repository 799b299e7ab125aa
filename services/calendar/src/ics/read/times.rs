//! Start, end and original start.

use calendar_server::runtime::wireform_runtime::{Date, DateTime};
use calendar_server::types::{Event, EventDateTime};
use wireform_recurrence::jiff::tz::{Offset, TimeZone};
use wireform_recurrence::jiff::{SignedDuration, Span, Timestamp};

use super::super::component::Component;
use super::super::content::Property;
use super::super::losses::Losses;
use super::super::time::{self, DateOrTime, Duration};
use super::super::zones::Zone;
use super::CalendarContext;
use crate::times::{self as seconds, local_time};

/// Reads the times of an event; `None` if it has no valid start, or an invalid original start.
pub(super) fn read(
    part: &Component,
    context: &CalendarContext<'_>,
    event: &mut Event,
    losses: &mut Losses,
) -> Option<()> {
    let Some(property) = part.property("DTSTART") else {
        losses.add(part.line, "VEVENT", "the event has no start and is skipped");
        return None;
    };
    let Some(start) = read_time(property, context, losses) else {
        losses.add(property.line, "DTSTART", "the start cannot be parsed; the event is skipped");
        return None;
    };
    let end = part.property("DTEND").and_then(|property| {
        let end = read_time(property, context, losses).filter(|end| end.date.is_some() == start.date.is_some());
        if end.is_none() {
            losses.add(property.line, "DTEND", "the end cannot be parsed, or its type differs from the start");
        }
        end
    });
    let end = end.or_else(|| end_of_duration(part, &start, losses)).or_else(|| default_end(&start))?;
    event.end = Some(ensure_order(part, &start, end, losses));
    event.start = Some(start);
    if let Some(property) = part.property("RECURRENCE-ID") {
        event.original_start_time = read_time(property, context, losses);
        if event.original_start_time.is_none() {
            losses.add(property.line, "RECURRENCE-ID", "the time cannot be parsed; the event is skipped");
            return None;
        }
        if property.parameter("RANGE").is_some() {
            losses.add(property.line, "RECURRENCE-ID", "later instances of the series are not changed");
        }
    }
    Some(())
}

/// Returns the end given by a duration.
fn end_of_duration(part: &Component, start: &EventDateTime, losses: &mut Losses) -> Option<EventDateTime> {
    let property = part.property("DURATION")?;
    let length = time::parse_duration(&property.value).filter(|length| length.total_seconds() >= 0);
    let end = length.and_then(|length| add_duration(start, length));
    if end.is_none() {
        losses.add(property.line, "DURATION", "invalid value, expected the duration of an event");
    }
    end
}

/// Adds a duration to a start. For a day, it is rounded up to whole days, at least one.
fn add_duration(start: &EventDateTime, length: Duration) -> Option<EventDateTime> {
    let mut end = start.clone();
    if let Some(date) = start.date {
        let days = (length.total_seconds() + 86_399).div_euclid(86_400).max(1);
        end.date = Some(Date::from_civil(date.to_civil().checked_add(Span::new().try_days(days).ok()?).ok()?));
        return Some(end);
    }
    let shown = start.date_time?;
    let zone = start.time_zone.as_deref().map_or(TimeZone::UTC, seconds::zone_by_name);
    // Days follow the calendar.
    let moved = zone.to_datetime(shown.to_timestamp()?).checked_add(Span::new().try_days(length.days).ok()?).ok()?;
    let instant = zone.to_ambiguous_timestamp(moved).compatible().ok()?;
    let instant = instant.checked_add(SignedDuration::from_secs(length.seconds)).ok()?;
    end.date_time = Some(local_time(instant, &zone));
    Some(end)
}

/// Returns the default end of an event: that of a day is the next day, that of a time is the time itself.
fn default_end(start: &EventDateTime) -> Option<EventDateTime> {
    add_duration(start, Duration { days: 0, seconds: 0 })
}

/// Returns the end, or the default end if it is before the start, or if an all-day event has no day.
fn ensure_order(part: &Component, start: &EventDateTime, end: EventDateTime, losses: &mut Losses) -> EventDateTime {
    let second = |time: &EventDateTime| seconds::second_of(time, &TimeZone::UTC);
    let is_empty_day = start.date.is_some() && second(&end) <= second(start);
    if second(&end) < second(start) {
        losses.add(part.line, "DTEND", "the event ends before it starts; its end is set to its start");
    } else if !is_empty_day {
        return end;
    }
    default_end(start).unwrap_or(end)
}

/// Reads a time in its zone.
pub(super) fn read_time(
    property: &Property,
    context: &CalendarContext<'_>,
    losses: &mut Losses,
) -> Option<EventDateTime> {
    let value = time::parse_value(&property.value)?;
    let local = match value {
        DateOrTime::Date(date) => return Some(EventDateTime::default().with_date(Date::from_civil(date))),
        DateOrTime::Utc(time) => return Some(date_time(TimeZone::UTC.to_timestamp(time).ok()?, &TimeZone::UTC, None)),
        DateOrTime::Local(local) => local,
    };
    let Some(id) = property.parameter("TZID") else {
        let zone = context.floating_zone();
        return Some(date_time(zone.to_ambiguous_timestamp(local).compatible().ok()?, &zone, Some(context.zone)));
    };
    match context.zones.get(id) {
        Zone::Named(name) => {
            let zone = seconds::zone_by_name(&name);
            Some(date_time(zone.to_ambiguous_timestamp(local).compatible().ok()?, &zone, Some(&name)))
        }
        other => {
            let offset = other.offset_at(local).and_then(|offset| Offset::from_seconds(offset).ok());
            let Some(offset) = offset else {
                let reason = format!("unknown time zone `{id}`; the time is read in `{}`", context.zone);
                losses.add(property.line, &property.name, reason);
                let zone = context.floating_zone();
                return Some(date_time(
                    zone.to_ambiguous_timestamp(local).compatible().ok()?,
                    &zone,
                    Some(context.zone),
                ));
            };
            Some(date_time(offset.to_timestamp(local).ok()?, &TimeZone::UTC, None))
        }
    }
}

/// Returns the API's form of an instant: local time in `zone` with its offset, and the name of the zone if it has one.
fn date_time(instant: Timestamp, zone: &TimeZone, name: Option<&str>) -> EventDateTime {
    let time = EventDateTime::default().with_date_time(local_time(instant, zone));
    match name {
        Some(name) => time.with_time_zone(name),
        None => time,
    }
}

/// Reads a time in UTC.
pub(super) fn read_utc(text: &str) -> Option<DateTime> {
    match time::parse_value(text)? {
        DateOrTime::Utc(time) => TimeZone::UTC.to_timestamp(time).ok().map(DateTime::from),
        _ => None,
    }
}
