//! What is stored of an event: what all copies share, and what belongs to one.

use std::collections::BTreeMap;

use calendar_server::Error;
use calendar_server::runtime::wireform_runtime::json;
use calendar_server::types::{Event, EventStatus, ExtendedProperties, Reminders};
use serde_derive::{Deserialize, Serialize};
use wireform_store::Mailbox;

use crate::fault;

/// What belongs to a copy of an event, on one calendar.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Own {
    /// Whether the calendar is that of the organizer.
    pub(crate) organizer: bool,
    /// The address of the calendar, in lower case: the attendee of this address is the calendar itself.
    pub(crate) address: String,
    /// The zone of the calendar, in which days begin.
    pub(crate) zone: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) transparency: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) visibility: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) color: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) label: Option<String>,
    /// Private extended properties.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) private: BTreeMap<String, String>,
    /// Reminders of each user who has set some.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) reminders: BTreeMap<i64, String>,
}

impl Own {
    /// Reads what the store has kept.
    pub(crate) fn read(stored: &str) -> Result<Self, Error> {
        serde_json::from_str(stored).map_err(fault::corrupt)
    }

    /// Returns what the store keeps.
    pub(crate) fn written(&self) -> Result<String, Error> {
        serde_json::to_string(self).map_err(Error::internal)
    }

    /// Returns whether the details are for those alone who may write to the calendar.
    pub(crate) fn is_private(&self) -> bool {
        matches!(self.visibility.as_deref(), Some("private" | "confidential"))
    }

    /// Returns the reminders of a user.
    pub(crate) fn reminders_of(&self, user: Mailbox) -> Result<Option<Reminders>, Error> {
        self.reminders.get(&user.0).map(|text| json::from_str(text).map_err(fault::corrupt)).transpose()
    }

    /// Sets the reminders of a user.
    pub(crate) fn set_reminders(&mut self, user: Mailbox, reminders: Option<&Reminders>) -> Result<(), Error> {
        match reminders {
            Some(reminders) => {
                self.reminders.insert(user.0, json::to_string(reminders).map_err(Error::internal)?);
            }
            None => {
                self.reminders.remove(&user.0);
            }
        }
        Ok(())
    }

    /// Adds what belongs to the copy to an event that has what all copies share.
    #[expect(deprecated, reason = "clients still send colours")]
    pub(crate) fn add_to(&self, event: &mut Event, user: Mailbox) -> Result<(), Error> {
        event.transparency = self.transparency.as_deref().map(Into::into);
        event.visibility = self.visibility.as_deref().map(Into::into);
        event.color_id.clone_from(&self.color);
        event.event_label_id.clone_from(&self.label);
        if !self.private.is_empty() {
            event.extended_properties.get_or_insert_default().private.clone_from(&self.private);
        }
        let default = || Reminders::default().with_use_default(true);
        event.reminders = Some(self.reminders_of(user)?.unwrap_or_else(default));
        Ok(())
    }

    /// Takes what belongs to the copy from an event, which is left with what all copies share.
    #[expect(deprecated, reason = "clients still send colours")]
    pub(crate) fn take_from(&mut self, event: &mut Event) {
        self.transparency = event.transparency.take().map(|value| value.to_string());
        self.visibility = event.visibility.take().map(|value| value.to_string());
        self.color = event.color_id.take();
        self.label = event.event_label_id.take().filter(|label| !label.is_empty());
        let properties = event.extended_properties.take().unwrap_or_default();
        self.private = properties.private;
        if !properties.shared.is_empty() {
            event.extended_properties = Some(ExtendedProperties::default().with_shared(properties.shared));
        }
    }
}

/// Reads what all copies of an event share.
pub(crate) fn read_shared(stored: &str) -> Result<Event, Error> {
    json::from_str(stored).map_err(fault::corrupt)
}

/// Returns what the store keeps of what all copies share.
pub(crate) fn written_shared(shared: &Event) -> Result<String, Error> {
    json::to_string(shared).map_err(Error::internal)
}

/// Removes what is computed when an event is read, and what belongs to one copy.
#[expect(deprecated, reason = "gadgets are not stored")]
pub(crate) fn strip_computed(event: &mut Event) {
    event.kind = None;
    event.etag = None;
    event.id = None;
    event.html_link = None;
    event.updated = None;
    event.recurring_event_id = None;
    event.attendees_omitted = None;
    event.reminders = None;
    event.gadget = None;
    for person in [&mut event.creator, &mut event.organizer].into_iter().flatten() {
        person.is_self = None;
    }
    for attendee in &mut event.attendees {
        attendee.is_self = None;
        attendee.organizer = None;
        attendee.async_operation = None;
    }
}

/// Returns whether an event is cancelled.
pub(crate) fn is_cancelled(event: &Event) -> bool {
    event.status == Some(EventStatus::Cancelled)
}

/// Returns the form of an address by which it is compared.
pub(crate) fn key(address: &str) -> String {
    address.trim().to_lowercase()
}
