//! Large store: a mailbox of a million messages and five million records, and a small one.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context as _;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use wireform_store::{
    Accounts as _, Clock, Edit, Label, LabelChange, Mailbox, Mailboxes as _, Maintenance as _, Message, MessageDate,
    Millis, NewMessage, Sqlite, SqliteOptions, SystemLabel, Threading,
};

use crate::server::Server;
use crate::{mail, paths};

/// Size of the store.
#[derive(Debug, clap::Args)]
pub struct Settings {
    /// Messages of the large mailbox.
    #[arg(long, default_value_t = 1_000_000)]
    messages: u64,
    /// Records of its history; the first of each message is its insertion.
    #[arg(long, default_value_t = 5_000_000)]
    records: u64,
}

/// Owner of the small mailbox.
const SMALL: &str = "small@example.org";
/// Number of messages and records of the small mailbox.
const SMALL_SIZE: (u64, u64) = (1_000, 5_000);
const BATCH: u64 = 500;

/// Creates the store.
pub async fn run(settings: &Settings) -> anyhow::Result<()> {
    let folder = paths::scratch("store")?;
    // The first start creates the user who gets the tokens of later starts.
    Server::start(&folder, &[])?.stop()?;
    let store = Sqlite::open(&folder, SqliteOptions::default())?;
    let now = Clock::system().now();
    let large = store.users().await?.first().context("the first start has made no user")?.mailbox;
    let small = store.add_user(SMALL, "Small", now).await?.mailbox;
    fill(&store, small, SMALL_SIZE).await?;
    fill(&store, large, (settings.messages, settings.records)).await?;
    let profile = store.profile(large).await?;
    println!("{}: {} messages, history {}", folder.display(), profile.messages, profile.history);
    store.close().await;
    Ok(())
}

/// Returns the store that an earlier run has created.
pub fn existing() -> anyhow::Result<PathBuf> {
    let folder = paths::existing_folder("store")?;
    anyhow::ensure!(folder.join("store.sqlite3").exists(), "there is no large store yet: run the part `build` first");
    Ok(folder)
}

/// Returns the mailboxes of that store: the large one and the small one.
pub async fn mailboxes(folder: &Path) -> anyhow::Result<(Sqlite, Mailbox, Mailbox)> {
    let store = Sqlite::open(folder, SqliteOptions::default())?;
    let users = store.users().await?;
    let large = users.iter().find(|user| user.address != SMALL).context("no large mailbox")?.mailbox;
    let small = users.iter().find(|user| user.address == SMALL).context("no small mailbox")?.mailbox;
    Ok((store, large, small))
}

async fn fill(store: &Sqlite, of: Mailbox, (messages, records): (u64, u64)) -> anyhow::Result<()> {
    let clock = Clock::system();
    let begun = Instant::now();
    let mut made = Vec::new();
    for first in (0..messages).step_by(usize::try_from(BATCH)?) {
        let now = clock.now();
        let batch = (first..messages.min(first + BATCH)).map(|number| small_message(number, now)).collect();
        made.extend(store.insert_messages(of, batch, now).await?.iter().map(|message: &Message| message.id));
    }
    println!("{messages} messages in {:.1} s", begun.elapsed().as_secs_f64());
    let begun = Instant::now();
    let rounds = records.saturating_sub(messages).div_ceil(messages.max(1));
    for round in 0..rounds {
        let edit = edit(round);
        let edits = made.iter().map(|id| store.edit_message(of, *id, edit.clone(), clock.now()));
        // Concurrent edits share a commit.
        stream::iter(edits).buffer_unordered(256).try_for_each(|_| async { Ok(()) }).await?;
    }
    println!("{} changes of labels in {:.1} s", rounds * messages, begun.elapsed().as_secs_f64());
    Ok(())
}

/// Returns the edit of a round, which changes every message: read, starred, unread, not starred.
fn edit(round: u64) -> Edit {
    let label = |label| vec![Label::System(label)];
    let (add, remove) = match round % 4 {
        0 => (vec![], label(SystemLabel::Unread)),
        1 => (label(SystemLabel::Starred), vec![]),
        2 => (label(SystemLabel::Unread), vec![]),
        _ => (vec![], label(SystemLabel::Starred)),
    };
    Edit::Labels(LabelChange { add, remove })
}

fn small_message(number: u64, now: Millis) -> NewMessage {
    let identifier = |number: u64| i64::try_from(number).ok();
    NewMessage {
        raw: mail::message(number, 600).into_bytes(),
        date: MessageDate::At(Millis(now.0 - 1_000 * (1_000_000 - i64::try_from(number).unwrap_or(0)))),
        labels: vec![Label::System(SystemLabel::Inbox), Label::System(SystemLabel::Unread)],
        snippet: mail::words(12),
        threading: Threading {
            message_id: identifier(number),
            references: (number % 4 == 3).then(|| identifier(number - 3)).flatten().into_iter().collect(),
            ..Threading::default()
        },
        ..NewMessage::default()
    }
}
