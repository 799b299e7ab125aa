//! Stored data of an event: data shared by all copies, and data of one copy.

use std::collections::BTreeMap;

use calendar_server::Error;
use calendar_server::runtime::wireform_runtime::json;
use calendar_server::types::{Event, EventStatus, EventType, ExtendedProperties, Reminders};
use serde_derive::{Deserialize, Serialize};
use wireform_store::Mailbox;

use crate::error;

/// Data of the copy of an event on one calendar.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct CopyData {
    /// True if the calendar is that of the organizer.
    pub(crate) organizer: bool,
    /// Address of the calendar, in lower case: the attendee with this address is the calendar itself.
    pub(crate) address: String,
    /// Time zone of the calendar, in which days begin.
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
    /// Reminders by user.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) reminders: BTreeMap<i64, String>,
}

impl CopyData {
    /// Parses the stored form.
    pub(crate) fn parse(stored: &str) -> Result<Self, Error> {
        serde_json::from_str(stored).map_err(error::corrupt)
    }

    /// Serializes the data for the store.
    pub(crate) fn serialize(&self) -> Result<String, Error> {
        serde_json::to_string(self).map_err(Error::internal)
    }

    /// Returns whether only writers of the calendar may see the details.
    pub(crate) fn is_private(&self) -> bool {
        matches!(self.visibility.as_deref(), Some("private" | "confidential"))
    }

    /// Returns how restrictive the visibility is: `public` is the least restrictive one, and `confidential` means the
    /// same as `private`.
    fn restriction(&self) -> u8 {
        match self.visibility.as_deref() {
            Some("public") => 0,
            _ if self.is_private() => 2,
            _ => 1,
        }
    }

    /// Returns whether the visibility of an instance is more restrictive than that of its series, and so applies to it.
    pub(crate) fn restricts(&self, series: &Self) -> bool {
        self.restriction() > series.restriction()
    }

    /// Replaces the visibility of an instance by that of its series if it is absent or less restrictive.
    pub(crate) fn limit_visibility(&mut self, series: &Self) {
        if self.visibility.is_none() || series.restricts(self) {
            self.visibility.clone_from(&series.visibility);
        }
    }

    /// Returns the stored form of a copy with the visibility of this one.
    pub(crate) fn share_visibility(&self, stored: &str) -> Result<String, Error> {
        Self { visibility: self.visibility.clone(), ..Self::parse(stored)? }.serialize()
    }

    /// Returns the reminders of a user; `None` if the default ones apply.
    pub(crate) fn reminders_of(&self, user: Mailbox) -> Result<Option<Reminders>, Error> {
        let stored = self.reminders.get(&user.0).map(|text| json::from_str(text).map_err(error::corrupt));
        Ok(stored.transpose()?.and_then(normalize_reminders))
    }

    /// Sets the reminders of a user.
    pub(crate) fn set_reminders(&mut self, user: Mailbox, reminders: Option<Reminders>) -> Result<(), Error> {
        let reminders = reminders.and_then(normalize_reminders);
        if reminders == self.reminders_of(user)? {
            return Ok(());
        }
        match reminders {
            Some(reminders) => {
                self.reminders.insert(user.0, json::to_string(&reminders).map_err(Error::internal)?);
            }
            None => {
                self.reminders.remove(&user.0);
            }
        }
        Ok(())
    }

    /// Adds the data of the copy to an event with the shared data.
    #[expect(deprecated, reason = "clients still send colors")]
    pub(crate) fn apply_to(&self, event: &mut Event, user: Mailbox) -> Result<(), Error> {
        event.transparency = self.transparency.as_deref().map(Into::into);
        event.visibility = self.visibility.as_deref().map(Into::into);
        event.color_id.clone_from(&self.color);
        event.event_label_id.clone_from(&self.label);
        if !self.private.is_empty() {
            event.extended_properties.get_or_insert_default().private.clone_from(&self.private);
        }
        event.reminders = Some(self.reminders_of(user)?.unwrap_or_else(default_reminders));
        Ok(())
    }

    /// Moves the data of the copy out of an event, leaving the shared data.
    #[expect(deprecated, reason = "clients still send colors")]
    pub(crate) fn extract_from(&mut self, event: &mut Event) {
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

fn default_reminders() -> Reminders {
    Reminders::default().with_use_default(true)
}

/// Returns reminders in one form: whether the default ones apply is explicit, and `None` means that only they do.
fn normalize_reminders(mut reminders: Reminders) -> Option<Reminders> {
    reminders.use_default.get_or_insert(false);
    Some(reminders).filter(|reminders| *reminders != default_reminders())
}

/// Parses the stored form of the shared data.
pub(crate) fn parse_shared(stored: &str) -> Result<Event, Error> {
    json::from_str(stored).map_err(error::corrupt)
}

/// Serializes the shared data for the store.
pub(crate) fn serialize_shared(shared: &Event) -> Result<String, Error> {
    json::to_string(shared).map_err(Error::internal)
}

/// Removes computed fields and data of one copy.
#[expect(deprecated, reason = "clients still send gadgets")]
pub(crate) fn strip_computed(event: &mut Event) {
    event.kind = None;
    event.etag = None;
    event.id = None;
    event.html_link = None;
    event.updated = None;
    event.recurring_event_id = None;
    event.attendees_omitted = None;
    event.reminders = None;
    if *event.event_type_or_default() == EventType::Birthday {
        event.gadget = None;
    }
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

/// Returns the form of an address for comparisons.
pub(crate) fn address_key(address: &str) -> String {
    address.trim().to_lowercase()
}
