//! Honest client that sends and reads large mails. It may have to wait but must not be refused.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use mailbox_client::Client;
use mailbox_client::types::{Message, MessageFormat};

use super::Attack;
use super::honest::cause;
use crate::{mail, server};

/// Number of bytes of a mail.
const BYTES: usize = 5_000_000;
/// Number of bytes of every other mail during attacks that only announce bodies.
const MORE_BYTES: usize = 15_000_000;
/// Timeout of a call.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Pause between two rounds.
const PAUSE: Duration = Duration::from_millis(200);

/// Observations of an honest client whose calls may take longer.
#[derive(Debug, Default)]
pub struct SlowCallStats {
    pub calls: u64,
    pub failures: BTreeMap<String, u64>,
    pub longest: Duration,
}

impl SlowCallStats {
    /// Records a call by its name, its start and its failure.
    pub fn add(&mut self, name: &str, begun: Instant, failure: Option<String>) {
        self.calls += 1;
        self.longest = self.longest.max(begun.elapsed());
        if let Some(failure) = failure {
            *self.failures.entry(format!("large {name}: {failure}")).or_default() += 1;
        }
    }
}

/// Makes calls for some time, with mails of 5 MB; during an attack that only announces bodies, every other one has
/// 15 MB.
pub async fn work(attack: Attack, base: &str, token: &str, time: Duration) -> anyhow::Result<SlowCallStats> {
    let client = server::client(base, token, TIMEOUT)?;
    let sizes: &[usize] = if attack == Attack::Lengths { &[BYTES, MORE_BYTES] } else { &[BYTES] };
    let texts: Vec<Vec<u8>> = sizes.iter().map(|bytes| mail::message(0, *bytes).into_bytes()).collect();
    let mut figures = SlowCallStats::default();
    let until = Instant::now() + time;
    for text in texts.iter().cycle() {
        if Instant::now() >= until {
            break;
        }
        round(&client, text, &mut figures).await;
        tokio::time::sleep(PAUSE).await;
    }
    Ok(figures)
}

/// Inserts a mail, reads it, and deletes it.
async fn round(client: &Client, text: &[u8], figures: &mut SlowCallStats) {
    let messages = client.users().messages();
    let begun = Instant::now();
    let made = messages.insert("me", Message::default().with_raw(text.to_vec())).send().await;
    figures.add("insert", begun, made.as_ref().err().map(cause));
    let Some(id) = made.ok().and_then(|message| message.id) else { return };
    let begun = Instant::now();
    let read = messages.get("me", &*id).format(MessageFormat::Raw).send().await;
    figures.add("get", begun, read.as_ref().err().map(cause));
    if read.is_ok_and(|message| message.raw.is_none_or(|raw| raw.len() < text.len())) {
        *figures.failures.entry("large get: not the whole mail".to_owned()).or_default() += 1;
    }
    let begun = Instant::now();
    let deleted = messages.delete("me", &*id).send().await;
    figures.add("delete", begun, deleted.as_ref().err().map(cause));
}
