//! What the schema says of events and the generated code does not do yet, in one place, so that it can be switched over.

use calendar_server::runtime::tokens::TokenSealer;
use wireform_store::Calendar;

/// Says which parameters may differ between the request that a token was given for and the one that shows it.
pub(crate) fn sealer(sealer: &TokenSealer) -> TokenSealer {
    sealer.clone().with_free_parameters(&["maxResults", "timeZone", "maxAttendee"])
}

/// Returns what differs after each change of a list of a calendar.
pub(crate) fn list_changes(calendar: &Calendar, horizon: i64) -> String {
    format!("{}-{horizon}", calendar.history)
}
