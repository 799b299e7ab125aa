//! Watched resource of a channel, and filter of announced changes.

use std::collections::BTreeSet;

use calendar_server::runtime::wireform_runtime::{Naming, Request as _};
use calendar_server::{Error, requests};
use serde_derive::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use wireform_store::{Entry, EntryOrder, EntryQuery, Error as StoreError, LeasedMessage, Store, hex};

use crate::CalendarService;
use crate::content::parse_shared;
use crate::error;

/// Number of entries read at once.
const BATCH_SIZE: u32 = 200;
/// Maximum number of such reads. If there are more changes, the notification is sent in any case.
const MAX_BATCHES: usize = 20;

/// Filter of announced changes, by properties of events that never change. Other list parameters may match an event
/// before or after a change, and are ignored.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct ChangeFilter {
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    types: BTreeSet<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uid: Option<String>,
}

impl ChangeFilter {
    pub(super) fn from_request(request: &requests::EventsWatch) -> Self {
        let types = request.event_types.iter().map(ToString::to_string).collect();
        Self { types, uid: request.ical_uid.clone() }
    }

    /// Serializes the filter for the store.
    pub(super) fn serialize(&self) -> Result<String, Error> {
        serde_json::to_string(self).map_err(Error::internal)
    }

    /// Returns whether every change is announced.
    fn is_empty(&self) -> bool {
        self.types.is_empty() && self.uid.is_none()
    }

    /// Returns whether changes of an entry are announced; true if it cannot be parsed.
    fn admits(&self, entry: &Entry) -> bool {
        let of_type = || match parse_shared(&entry.shared) {
            Ok(event) => self.types.contains(&event.event_type_or_default().to_string()),
            Err(_) => true,
        };
        self.uid.as_ref().is_none_or(|uid| *uid == entry.uid) && (self.types.is_empty() || of_type())
    }
}

impl<S: Store> CalendarService<S> {
    /// Returns whether a message has a change to announce.
    pub(super) async fn has_change_to_announce(&self, message: &LeasedMessage) -> Result<bool, StoreError> {
        // A filter that cannot be parsed announces too much rather than nothing.
        let filter: ChangeFilter = serde_json::from_str(&message.channel.settings.filter).unwrap_or_default();
        if filter.is_empty() {
            return Ok(true);
        }
        let mut after = None;
        let (first, last) = message.changes;
        for _ in 0..MAX_BATCHES {
            let walk = EntryOrder::ByChange(first, last);
            let query = EntryQuery { order: walk, after, epoch: None, search_mailbox: None, limit: BATCH_SIZE };
            let page = match self.store.list_entries(message.channel.settings.calendar, query).await {
                Ok(page) => page,
                // The changes are no longer recorded.
                Err(StoreError::Expired(_)) => return Ok(true),
                Err(error) => return Err(error),
            };
            if page.entries.iter().any(|entry| filter.admits(entry)) {
                return Ok(true);
            }
            after = page.entries.last().map(|entry| (entry.changed.0.cast_signed(), entry.id.clone()));
            if !page.has_more {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Returns the path and query of the watched list, with all parameters that determine its events.
pub(super) fn resource_target(calendar: &str, request: &requests::EventsWatch) -> Result<String, Error> {
    let mut list = requests::EventsList::new(calendar);
    list.ical_uid.clone_from(&request.ical_uid);
    list.q.clone_from(&request.q);
    list.event_types.clone_from(&request.event_types);
    list.event_types.sort_by_key(ToString::to_string);
    list.event_types.dedup();
    list.time_min = request.time_min;
    list.time_max = request.time_max;
    list.updated_min = request.updated_min;
    list.private_extended_property.clone_from(&request.private_extended_property);
    list.shared_extended_property.clone_from(&request.shared_extended_property);
    list.show_deleted = request.show_deleted;
    list.show_hidden_invitations = request.show_hidden_invitations;
    list.single_events = request.single_events;
    list.order_by.clone_from(&request.order_by);
    let wire = list.to_wire(Naming::Public);
    wire.map(|wire| wire.target).map_err(|_| error::invalid_parameter("calendarId", "invalid calendar ID"))
}

/// Returns the identifier of the watched resource.
pub(super) fn resource_id(target: &str) -> String {
    hex(Sha256::digest(target.as_bytes()).get(..16).unwrap_or_default())
}
