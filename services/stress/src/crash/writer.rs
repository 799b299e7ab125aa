//! Client that writes until the server dies.

use mailbox_client::Client;
use mailbox_client::types::{Message, ModifyMessageRequest};
use rand::RngExt as _;

use super::known::{KnownState, Pending, State};
use crate::mail;

/// Maximum number of messages of a writer.
const MAX_KEPT: usize = 40;

/// Writes until a call fails because the server has died. A refusal is a bug of the server.
pub async fn write(client: Client, mut known: KnownState) -> anyhow::Result<KnownState> {
    loop {
        let one = rand::rng().random_range(0..known.messages.len().max(1));
        let chosen = known.messages.keys().nth(one).cloned();
        let dice = rand::rng().random_range(0..10);
        let done = match (chosen, dice) {
            (Some(id), 0..3) => star(&client, &mut known, &id).await,
            (Some(id), 3..) if dice < 5 || known.messages.len() > MAX_KEPT => delete(&client, &mut known, &id).await,
            _ => insert(&client, &mut known).await,
        };
        match done {
            Ok(()) => {}
            Err(error) if error.status().is_some() => return Err(error.into()),
            Err(_) => return Ok(known),
        }
    }
}

/// Result of a write; an error without a status means that the server has died.
type Done = Result<(), mailbox_client::Error>;

/// Inserts a message, and records it as known once the server has acknowledged it.
async fn insert(client: &Client, known: &mut KnownState) -> Done {
    let raw = mail::message(rand::rng().random_range(0..1_000_000), 1_500);
    let message = Message::default().with_raw(raw.into_bytes()).with_label_ids(["INBOX", "UNREAD"]);
    known.inserting += 1;
    let made = client.users().messages().insert("me", message).send().await?;
    known.inserting -= 1;
    known.messages.insert(made.id.unwrap_or_default(), State::default());
    known.acknowledged.extend(made.history_id.map(|number| number.0));
    Ok(())
}

/// Toggles the star of a message; the change is pending until the server has acknowledged it.
async fn star(client: &Client, known: &mut KnownState, id: &str) -> Done {
    let Some(state) = known.messages.get_mut(id) else { return Ok(()) };
    let starred = !state.starred;
    let change = match starred {
        true => ModifyMessageRequest::default().with_add_label_ids(["STARRED"]),
        false => ModifyMessageRequest::default().with_remove_label_ids(["STARRED"]),
    };
    state.pending = Some(Pending::Star(starred));
    let changed = client.users().messages().modify("me", id, change).send().await?;
    *state = State { starred, pending: None };
    known.acknowledged.extend(changed.history_id.map(|number| number.0));
    Ok(())
}

/// Deletes a message; the change is pending until the server has acknowledged it.
async fn delete(client: &Client, known: &mut KnownState, id: &str) -> Done {
    if let Some(state) = known.messages.get_mut(id) {
        state.pending = Some(Pending::Delete);
    }
    client.users().messages().delete("me", id).send().await?;
    known.messages.remove(id);
    Ok(())
}
