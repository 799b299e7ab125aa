//! Creation of events from a line of text.

use calendar_server::runtime::wireform_runtime::{Date, DateTime};
use calendar_server::types::{Event, EventDateTime};
use calendar_server::{Context, Error, Result, requests};
use wireform_store::Store;

use super::Notify;
use crate::CalendarService;
use crate::caller::{Access, Need, access};
use crate::error;
use crate::quick_add::{self, EventDraft, EventTime};
use crate::times;

impl<S: Store> CalendarService<S> {
    /// Creates an event from a text, interpreted in the zone of the calendar, and inserts it.
    #[expect(deprecated, reason = "clients still request notifications in this way")]
    pub(crate) async fn quick_add_event(&self, request: requests::EventsQuickAdd, context: &Context) -> Result<Event> {
        let access = access(&self.store, context, &request.calendar_id, Need::Write).await?;
        let event = self.draft_event(&access, &request.text)?;
        let notify = Notify::of(request.send_updates.as_ref(), request.send_notifications);
        self.insert_as(&access, event, None, notify).await
    }

    /// Creates an event from a text, without inserting it. A text that is empty or too long is an error.
    fn draft_event(&self, access: &Access, text: &str) -> std::result::Result<Event, Error> {
        if text.trim().is_empty() {
            return Err(error::invalid_parameter("text", "the text is empty"));
        }
        if text.chars().nth(quick_add::MAX_TEXT).is_some() {
            let message = format!("the text can have at most {} characters", quick_add::MAX_TEXT);
            return Err(error::invalid_parameter("text", message));
        }
        let zone = &access.calendar.time_zone;
        let now = times::timestamp(self.clock.now().0.div_euclid(1_000));
        let EventDraft { summary, location, start, end, recurrence } =
            quick_add::parse(text, now, &times::zone_by_name(zone));
        Ok(Event {
            summary: Some(summary),
            location,
            start: Some(to_api(&start, zone)),
            end: Some(to_api(&end, zone)),
            recurrence: recurrence.into_iter().collect(),
            ..Event::default()
        })
    }
}

fn to_api(when: &EventTime, zone: &str) -> EventDateTime {
    match when {
        EventTime::Day(date) => EventDateTime::default().with_date(Date::from_civil(*date)),
        EventTime::Time(time) => {
            let shown = DateTime::from_timestamp_at(time.timestamp(), time.offset());
            EventDateTime::default().with_date_time(shown).with_time_zone(zone)
        }
    }
}
