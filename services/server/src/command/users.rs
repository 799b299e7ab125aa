//! Commands of users.

use serde_json::json;
use wireform_store::{Calendar, Clock, Store};

use crate::accounts;
use crate::cli::Users;
use crate::output;
use crate::settings::value::format_instant;

/// Runs a command of users.
pub async fn run<S: Store>(store: &S, clock: &Clock, command: Users) -> anyhow::Result<()> {
    match command {
        Users::Add { address, name, time_zone } => {
            let address = accounts::check(&address)?;
            let user = store.add_user(address, &name, clock.now()).await?;
            let calendar = super::calendars::find(store, &user.address).await?;
            let change = move |calendar: &mut Calendar| calendar.time_zone = time_zone;
            store.update_calendar(calendar.number, change, clock.now()).await?;
            output::write_line(&format!("added {} with a mailbox and a calendar", user.address))
        }
        Users::List(listing) => {
            let users = store.users().await?;
            let items: Vec<_> = users
                .iter()
                .map(|user| json!({"address": user.address, "name": user.name, "since": format_instant(user.created)}))
                .collect();
            output::write_list(listing.json, ["address", "name", "since"], &items)
        }
        Users::Profile { address, hidden, photo } => {
            let user = accounts::user(store, &address).await?;
            store.set_profile(user.mailbox, hidden, photo).await?;
            output::write_line(&format!("the profile of {} is changed", user.address))
        }
        Users::Remove { address } => {
            let user = accounts::user(store, &address).await?;
            store.remove_user(user.mailbox).await?;
            output::write_line(&format!("removed {} with all their data", user.address))
        }
    }
}
