//! Reminders.

use calendar_server::types::{Event, Reminder, ReminderMethod, Reminders};
use wireform_recurrence::jiff::tz::TimeZone;

use super::super::component::Component;
use super::super::losses::Losses;
use super::super::time;
use crate::times;

/// Maximum number of reminders of an event, and maximum number of minutes before its start.
const REMINDER_LIMITS: (usize, i64) = (5, 40_320);

/// Reads reminders. If there is an alarm, also one that is not kept or has the action `NONE`, the reminders of the
/// calendar do not apply.
pub(super) fn read(part: &Component, event: &mut Event, losses: &mut Losses) {
    let mut reminders: Option<Vec<Reminder>> = None;
    for alarm in &part.components {
        if alarm.name != "VALARM" {
            losses.add(alarm.line, &alarm.name, "components within events are not kept");
            continue;
        }
        let kept = reminders.get_or_insert_default();
        let method = match alarm.value("ACTION").map(str::to_ascii_uppercase).as_deref() {
            Some("EMAIL") => ReminderMethod::Email,
            Some("DISPLAY" | "AUDIO") => ReminderMethod::Popup,
            Some("NONE") => continue,
            _ => {
                losses.add(alarm.line, "VALARM", "this action is not kept");
                continue;
            }
        };
        match minutes_before_start(alarm, event).filter(|minutes| (0..=REMINDER_LIMITS.1).contains(minutes)) {
            Some(_) if kept.len() >= REMINDER_LIMITS.0 => {
                losses.add(alarm.line, "VALARM", "an event can have at most five reminders")
            }
            Some(minutes) => {
                let minutes = i32::try_from(minutes).unwrap_or_default();
                kept.push(Reminder::default().with_method(method).with_minutes(minutes));
            }
            None => losses.add(alarm.line, "VALARM", "a reminder must be at most four weeks before the start"),
        }
    }
    if let Some(overrides) = reminders {
        event.reminders = Some(Reminders::default().with_use_default(false).with_overrides(overrides));
    }
}

/// Returns the number of minutes from an alarm to the start of an event.
fn minutes_before_start(alarm: &Component, event: &Event) -> Option<i64> {
    let trigger = alarm.property("TRIGGER")?;
    let second = |time: &Option<_>| time.as_ref().and_then(|time| times::second_of(time, &TimeZone::UTC));
    let start = second(&event.start)?;
    let before = match time::parse_duration(&trigger.value) {
        Some(duration) if trigger.parameter("RELATED").is_some_and(|of| of.eq_ignore_ascii_case("END")) => {
            start - second(&event.end)? - duration.total_seconds()
        }
        Some(duration) => -duration.total_seconds(),
        None => {
            let at = super::times::read_utc(&trigger.value)?.to_timestamp()?;
            start - at.as_second()
        }
    };
    Some(before.div_euclid(60))
}
