//! Durable insert of one message, compared with a baseline.

use std::time::Instant;

use tokio::runtime::Handle;
use tokio::task::block_in_place;
use wireform_rounds::{Rounds, Side};
use wireform_store::{
    Accounts as _, Clock, Label, Mailboxes as _, Maintenance as _, NewMessage, SearchableText, Sqlite, SqliteOptions,
    SystemLabel, Threading,
};

use crate::baseline::Baseline;
use crate::{mail, paths};

/// Settings of the measurement.
#[derive(Debug, clap::Args)]
pub struct Settings {
    /// Number of rounds; each inserts 20 messages on each side.
    #[arg(long, default_value_t = 25)]
    rounds: usize,
}

/// Number of inserts per round, of each side.
const INSERTS_PER_ROUND: u32 = 20;

/// Returns a message as both sides store it.
pub fn sample(number: u64) -> NewMessage {
    NewMessage {
        raw: mail::message(number, 2_000).into_bytes(),
        labels: vec![Label::System(SystemLabel::Inbox), Label::System(SystemLabel::Unread)],
        snippet: mail::words(20),
        threading: Threading { message_id: i64::try_from(number).ok(), ..Threading::default() },
        search: SearchableText { subject: mail::words(5), text: mail::words(100), ..SearchableText::default() },
        ..NewMessage::default()
    }
}

/// Runs the measurement.
pub async fn run(settings: &Settings) -> anyhow::Result<()> {
    let folder = paths::scratch("insert-ours")?;
    let clock = Clock::system();
    let store = Sqlite::open(&folder, SqliteOptions::default())?;
    let mailbox = store.add_user("me@example.org", "Me", clock.now()).await?.mailbox;
    // The baseline writes into the same tables, created by the store.
    let other = paths::scratch("insert-by-hand")?;
    let made = Sqlite::open(&other, SqliteOptions::default())?;
    let theirs = made.add_user("me@example.org", "Me", clock.now()).await?.mailbox;
    made.close().await;
    let mut by_hand = Baseline::open(&other, theirs)?;

    let mut number = 0;
    let mut numbers = 0;
    let ours = || {
        let samples: Vec<_> = (0..INSERTS_PER_ROUND)
            .map(|_| {
                sample({
                    number += 1;
                    number
                })
            })
            .collect();
        let begun = Instant::now();
        for sample in samples {
            block_in_place(|| Handle::current().block_on(store.insert_message(mailbox, sample, clock.now())))?;
        }
        Ok(begun.elapsed().as_secs_f64() / f64::from(INSERTS_PER_ROUND))
    };
    let hand = || {
        let samples: Vec<_> = (0..INSERTS_PER_ROUND)
            .map(|_| {
                sample({
                    numbers += 1;
                    numbers
                })
            })
            .collect();
        let begun = Instant::now();
        for sample in &samples {
            by_hand.insert(sample, clock.now())?;
        }
        Ok(begun.elapsed().as_secs_f64() / f64::from(INSERTS_PER_ROUND))
    };
    let sides = vec![Side::new("the store", ours), Side::new("by hand, one transaction", hand)];
    Rounds::measure(settings.rounds, sides)?.print("one durable message");
    store.close().await;
    Ok(())
}
