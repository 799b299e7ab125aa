//! Store under attack: created once, copied for each attack.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context as _;
use fs_err as fs;
use wireform_store::{
    Accounts as _, Clock, Label, Mailbox, Mailboxes as _, Maintenance as _, NewMessage, NewToken, SearchableText,
    Secret, Sqlite, SqliteOptions, SystemLabel, TokenKind, User,
};

use super::searches::SEARCHERS;
use crate::{mail, paths};

/// Number of honest clients, each with a mailbox of its own.
pub const HONEST: usize = 20;
/// Number of messages of each of them.
const HONEST_MESSAGES: u64 = 200;
/// Number of messages of each that are inserted after the store is copied, so that their history can be read: a store
/// that was copied into place expires earlier history IDs.
const RECENT: u64 = 150;

/// Mail address of the user who attacks.
const ATTACKER: &str = "attacker@example.org";
/// Mail address of a second attacker, who reads a large mail slowly.
const ACCOMPLICE: &str = "accomplice@example.org";
/// Mail address of the honest user of large mail.
const LARGE: &str = "large@example.org";
/// Number of bytes of a large mail of each of the two attackers, which is there from the start.
const LARGE_BYTES: usize = 10_000_000;

/// Number of messages inserted at once.
const BATCH: u64 = 500;

/// Key of the note with the parameters of the store.
const NOTE: &str = "attack";

/// Copy of the store, with its tokens.
pub struct Store {
    pub folder: PathBuf,
    pub honest: Vec<Account>,
    pub large_mail: String,
    pub attacker: String,
    pub searchers: Vec<String>,
    /// Tokens of the two users who read large mail slowly, each with the identifier of its mail.
    pub slow_readers: Vec<(String, String)>,
}

/// Token of an honest client, and the history ID at which its reading of the history starts.
pub struct Account {
    pub token: String,
    pub start: u64,
}

impl Store {
    /// Returns a fresh copy of the store.
    pub async fn copy(messages: u64) -> anyhow::Result<Self> {
        let existing_or_new = existing_or_new(messages).await?;
        let folder = paths::scratch("attack")?;
        fs::copy(existing_or_new.join("store.sqlite3"), folder.join("store.sqlite3"))?;
        let store = Sqlite::open(&folder, SqliteOptions::default())?;
        let copy = Self::enter(&store, folder).await;
        store.close().await;
        copy
    }

    /// Creates a token for each user.
    async fn enter(store: &Sqlite, folder: PathBuf) -> anyhow::Result<Self> {
        let (mut honest, mut searchers) = (Vec::new(), Vec::new());
        for number in 0..HONEST {
            let user = store.user(&honest_address(number)).await?;
            let recent = (0..RECENT).map(message).collect();
            let recent = store.insert_messages(user.mailbox, recent, Clock::system().now()).await?;
            let start = recent.first().context("nothing was inserted")?.history.0;
            honest.push(Account { token: token(store, &user).await?, start });
        }
        for number in 0..SEARCHERS {
            searchers.push(token(store, &store.user(&searcher_address(number)).await?).await?);
        }
        let attacker = store.user(ATTACKER).await?;
        let mut slow_readers = Vec::new();
        for address in [ATTACKER, ACCOMPLICE] {
            let message = store.note(address).await?.context("the store has no large mail")?;
            slow_readers.push((token(store, &store.user(address).await?).await?, message));
        }
        Ok(Self {
            folder,
            honest,
            searchers,
            large_mail: token(store, &store.user(LARGE).await?).await?,
            attacker: token(store, &attacker).await?,
            slow_readers,
        })
    }
}

fn honest_address(number: usize) -> String {
    format!("honest-{number}@example.org")
}

fn searcher_address(number: usize) -> String {
    format!("searcher-{number}@example.org")
}

/// Adds a token with the full mail scope, and returns its secret.
async fn token(store: &Sqlite, user: &User) -> anyhow::Result<String> {
    let secret = Secret::random();
    let scopes = vec!["https://mail.google.com/".to_owned()];
    let (now, note) = (Clock::system().now(), "attack".to_owned());
    store
        .add_token(NewToken {
            user: user.mailbox,
            hash: secret.hash(),
            kind: TokenKind::User,
            scopes,
            expires: None,
            note,
            now,
        })
        .await?;
    Ok(secret.reveal().to_owned())
}

/// Returns the folder of the store, which is created if it does not exist or has other parameters.
async fn existing_or_new(messages: u64) -> anyhow::Result<PathBuf> {
    let folder = paths::existing_folder("attack-store")?;
    let wanted = format!("2/{messages}");
    if folder.join("store.sqlite3").exists() {
        let store = Sqlite::open(&folder, SqliteOptions::default())?;
        let found = store.note(NOTE).await?;
        store.close().await;
        if found.as_ref() == Some(&wanted) {
            return Ok(folder);
        }
    }
    create(&paths::scratch("attack-store")?, messages, &wanted).await?;
    Ok(folder)
}

/// Creates a store with all users and their mail. `note` records its parameters.
async fn create(folder: &Path, messages: u64, note: &str) -> anyhow::Result<()> {
    let begun = Instant::now();
    let store = Sqlite::open(folder, SqliteOptions::default())?;
    let now = Clock::system().now();
    // The first user gets the server's ready token.
    store.add_user("me@localhost", "", now).await?;
    store.add_user(LARGE, "", now).await?;
    let attacker = store.add_user(ATTACKER, "", now).await?.mailbox;
    let accomplice = store.add_user(ACCOMPLICE, "", now).await?.mailbox;
    for (address, mailbox) in [(ATTACKER, attacker), (ACCOMPLICE, accomplice)] {
        let large = NewMessage { raw: mail::message(0, LARGE_BYTES).into_bytes(), ..NewMessage::default() };
        let large = store.insert_message(mailbox, large, now).await?.id;
        store.set_note(address, None, &large.to_string()).await?;
    }
    fill(&store, attacker, messages).await?;
    for number in 0..HONEST {
        let mailbox = store.add_user(&honest_address(number), "", now).await?.mailbox;
        fill(&store, mailbox, HONEST_MESSAGES).await?;
    }
    for number in 0..SEARCHERS {
        let mailbox = store.add_user(&searcher_address(number), "", now).await?.mailbox;
        fill(&store, mailbox, messages / 10).await?;
    }
    store.set_note(NOTE, None, note).await?;
    store.close().await;
    println!("the attacked store was created in {:.1} s", begun.elapsed().as_secs_f64());
    Ok(())
}

/// Inserts messages into a mailbox.
async fn fill(store: &Sqlite, mailbox: Mailbox, messages: u64) -> anyhow::Result<()> {
    for first in (0..messages).step_by(usize::try_from(BATCH)?) {
        let batch = (first..messages.min(first + BATCH)).map(message).collect();
        store.insert_messages(mailbox, batch, Clock::system().now()).await?;
    }
    Ok(())
}

/// Returns a message whose text takes a search about as long as that of an ordinary mail.
fn message(number: u64) -> NewMessage {
    NewMessage {
        raw: mail::message(number, 700).into_bytes(),
        labels: vec![Label::System(SystemLabel::Inbox), Label::System(SystemLabel::Unread)],
        snippet: mail::words(12),
        search: SearchableText { subject: mail::words(5), text: mail::words(500), ..SearchableText::default() },
        ..NewMessage::default()
    }
}
