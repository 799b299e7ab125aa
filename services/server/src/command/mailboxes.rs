//! Commands of mailboxes.

use serde_json::{Value, json};
use wireform_store::{Label, Store};

use crate::accounts;
use crate::cli::Mailboxes;
use crate::output;

/// Runs a command of mailboxes.
pub async fn run<S: Store>(store: &S, command: Mailboxes) -> anyhow::Result<()> {
    match command {
        Mailboxes::List(listing) => {
            let overview = store.overview().await?;
            let items: Vec<_> = overview
                .mailboxes
                .iter()
                .map(|mailbox| {
                    json!({
                        "address": mailbox.user.address,
                        "messages": mailbox.profile.messages,
                        "threads": mailbox.profile.threads,
                        "historyId": mailbox.profile.history.0.to_string(),
                        "oldestHistoryId": mailbox.oldest_start.0.to_string(),
                    })
                })
                .collect();
            output::write_list(listing.json, ["address", "messages", "threads", "historyId", "oldestHistoryId"], &items)
        }
        Mailboxes::Show { address, listing } => show(store, &address, listing.json).await,
    }
}

/// Prints a mailbox: its counts and its labels, as JSON or as text.
async fn show<S: Store>(store: &S, address: &str, json: bool) -> anyhow::Result<()> {
    let user = accounts::user(store, address).await?;
    let profile = store.profile(user.mailbox).await?;
    let mut labels: Vec<Value> = Vec::new();
    for info in store.labels(user.mailbox).await? {
        let counts = store.label_counts(user.mailbox, info.label).await?;
        labels.push(json!({
            "id": info.label.to_string(),
            "name": info.settings.name,
            "type": if matches!(info.label, Label::System(_)) { "system" } else { "user" },
            "messages": counts.messages,
            "messagesUnread": counts.messages_unread,
            "threads": counts.threads,
            "threadsUnread": counts.threads_unread,
        }));
    }
    if json {
        let whole = json!({
            "address": user.address,
            "name": user.name,
            "messages": profile.messages,
            "threads": profile.threads,
            "historyId": profile.history.0.to_string(),
            "labels": labels,
        });
        return output::write_line(&serde_json::to_string_pretty(&whole)?);
    }
    output::write_line(&format!(
        "{}: {} messages in {} threads, history {}\n",
        user.address, profile.messages, profile.threads, profile.history
    ))?;
    output::write_list(false, ["id", "name", "messages", "messagesUnread", "threads", "threadsUnread"], &labels)
}
