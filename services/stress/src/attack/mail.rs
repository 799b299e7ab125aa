//! Six clients of one user that insert and read mails of 6 to 33 MB without pause.

use std::sync::Arc;
use std::time::Duration;

use mailbox_client::Client;
use mailbox_client::types::{Message, MessageFormat};
use rand::RngExt as _;
use tokio::task::JoinSet;

use super::scene::AttackContext;
use crate::{mail, server};

/// Number of concurrent clients.
const CLIENTS: usize = 6;
/// Number of bytes of a mail, chosen at random.
const BYTES: std::ops::RangeInclusive<usize> = 6_000_000..=33_000_000;

/// Pause after a failed call.
const PAUSE: Duration = Duration::from_millis(50);

/// Runs the attack until it is over.
pub async fn run(scene: &Arc<AttackContext>) -> anyhow::Result<()> {
    let text = Arc::new(mail::message(0, *BYTES.end()).into_bytes());
    let mut tasks = JoinSet::new();
    for _ in 0..CLIENTS {
        let client = server::client(&scene.orders.base(), &scene.orders.token, Duration::from_secs(120))?;
        let (scene, text) = (Arc::clone(scene), Arc::clone(&text));
        tasks.spawn(async move {
            while !scene.is_over() {
                if round(&scene, &client, &text).await.is_err() {
                    tokio::time::sleep(PAUSE).await;
                }
            }
        });
    }
    tasks.join_all().await;
    Ok(())
}

/// Inserts a mail, reads it in each format, and deletes it so that the disk does not fill up.
async fn round(scene: &AttackContext, client: &Client, text: &[u8]) -> Result<(), mailbox_client::Error> {
    let bytes = rand::rng().random_range(BYTES).min(text.len());
    let new = Message::default().with_raw(text.get(..bytes).unwrap_or_default().to_vec());
    let messages = client.users().messages();
    let made = messages.insert("me", new).send().await;
    scene.count_call(&made);
    let id = made?.id.unwrap_or_default();
    let mut read = Ok(());
    for format in [MessageFormat::Raw, MessageFormat::Full, MessageFormat::Raw] {
        let message = messages.get("me", &*id).format(format).send().await;
        scene.count_call(&message);
        read = read.and(message.map(drop));
    }
    let deleted = messages.delete("me", &*id).send().await;
    scene.count_call(&deleted);
    read
}
