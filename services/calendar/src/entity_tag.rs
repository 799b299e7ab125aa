//! Entity tags of events: the version of the event on its calendar, and a digest of the parts of its representation
//! that differ between readers or do not belong to the event.
//!
//! A reader with a different role or reminders, or a calendar with other labels, has a different representation, and so
//! a different tag. A write refers to the version: it succeeds with any tag of the version.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use calendar_server::Context;
use calendar_server::runtime::wireform_runtime::etag::ETagCondition;
use serde_json::json;
use sha2::{Digest as _, Sha256};

use crate::view::{CalendarItem, View};

/// Length of the digest in bytes.
const DIGEST_LENGTH: usize = 9;

impl View<'_> {
    /// Returns the entity tag of an event. Request parameters are not part of it: they belong to the URL that the tag
    /// is for.
    pub(crate) fn entity_tag(&self, found: &CalendarItem) -> String {
        let (calendar, user) = (&self.access.calendar, &self.access.user);
        let details = self.sees_details(found).then(|| {
            let reminders = found.own.reminders.get(&user.mailbox.0);
            let is_creator = found.shared.source.is_some() && self.is_creator(&found.shared);
            (reminders, self.label_color(found.own.label.as_deref()), is_creator)
        });
        let reader = json!([calendar.number.0, calendar.id, calendar.time_zone, self.base, details]);
        let digest = Sha256::digest(reader.to_string());
        format!(
            "\"{}-{}\"",
            found.entry.changed,
            URL_SAFE_NO_PAD.encode(digest.get(..DIGEST_LENGTH).unwrap_or(&digest))
        )
    }
}

/// Returns the tag in `If-Match` of a request that refers to the stored version of an event.
pub(crate) fn matching_tag(context: &Context, found: &CalendarItem) -> Option<String> {
    let Some(ETagCondition::Tags(tags)) = context.if_match() else { return None };
    let version = found.entry.changed.to_string();
    // A weak tag never matches for a write.
    let mut tags = tags.iter().filter(|tag| !tag.is_weak());
    let named = tags.find(|tag| tag.opaque().split('-').next() == Some(&version));
    named.map(|tag| tag.as_str().to_owned())
}
