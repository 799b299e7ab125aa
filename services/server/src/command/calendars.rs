//! Calendars.

use serde_json::json;
use wireform_store::{NewCalendar, Store};

use crate::cli::Calendars;
use crate::output;

/// Adds, lists, removes.
pub async fn run<S: Store>(store: &S, command: Calendars) -> anyhow::Result<()> {
    match command {
        Calendars::Add { summary, user, id, time_zone } => {
            let owner = super::user(store, &user).await?.mailbox;
            let calendar = store.add_calendar(NewCalendar { id, owner, summary, time_zone }).await?;
            output::line(&calendar.id)
        }
        Calendars::List { user, listing } => {
            let of = match user {
                Some(address) => Some(super::user(store, &address).await?.mailbox),
                None => None,
            };
            let address = super::addresses(store).await?;
            let items: Vec<_> = store
                .calendars(of)
                .await?
                .into_iter()
                .map(|calendar| {
                    json!({
                        "id": calendar.id,
                        "owner": address(calendar.owner),
                        "summary": calendar.summary,
                        "timeZone": calendar.time_zone,
                    })
                })
                .collect();
            output::list(listing.json, ["id", "owner", "summary", "timeZone"], &items)
        }
        Calendars::Remove { id } => {
            store.remove_calendar(&id).await?;
            output::line(&format!("the calendar {id} is removed"))
        }
    }
}
