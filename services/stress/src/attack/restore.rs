//! Clients of timelines that a restore has undone.
//!
//! A backup of the store is written, writing continues, and the history IDs and page tokens that clients then get are
//! collected. The backup is restored, or copied into place manually, and writing continues from there. Each ID and
//! token of the lost timeline must get a 404 or 410: a 200 would make a client believe that it knows all changes. An ID
//! from before the backup may still be valid: then its response must be complete.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, ensure};
use fs_err as fs;
use mailbox_client::Client;
use mailbox_client::types::{Message, ModifyMessageRequest};
use rand::RngExt as _;
use rand::seq::IndexedRandom as _;
use wireform_store::{Maintenance as _, Sqlite, SqliteOptions};

use crate::server::Server;
use crate::{mail, paths};

/// Number of restores after which the backup is copied into place manually.
const MANUAL_RESTORES: usize = 4;
/// Number of IDs and tokens of earlier timelines that are replayed after each restore.
const REPLAYED: usize = 20;
/// Maximum number of them that are kept.
const MAX_KEPT: usize = 2_000;
/// Number of the last IDs of the timeline of which every seventh is checked for completeness.
const RECENT: usize = 30;

/// State of a client of a lost timeline.
#[derive(Debug, Clone)]
enum LostState {
    /// History ID.
    Id(u64),
    /// Start history ID of a read, and the token of its next page.
    HistoryPage(u64, String),
    /// Token of the next page of a list of messages.
    ListPage(String),
}

impl LostState {
    /// Returns the kind of the state, in the plural, for the report.
    fn name(&self) -> &'static str {
        match self {
            Self::Id(_) => "ids",
            Self::HistoryPage(..) => "tokens of the history",
            Self::ListPage(_) => "tokens of lists",
        }
    }

    /// Sends the state to the server and returns the status.
    async fn replay(&self, client: &Client) -> anyhow::Result<u16> {
        let users = client.users();
        let result = match self {
            Self::Id(id) => users.history().list("me", *id).send().await.map(drop),
            Self::HistoryPage(start, token) => {
                users.history().list("me", *start).max_results(1).page_token(&**token).send().await.map(drop)
            }
            Self::ListPage(token) => {
                users.messages().list("me").max_results(1).page_token(&**token).send().await.map(drop)
            }
        };
        match result {
            Ok(()) => Ok(200),
            Err(error) => error.status().with_context(|| format!("no response to {self:?}: {error}")),
        }
    }
}

/// Statuses of the responses, and their errors.
#[derive(Default)]
struct Totals {
    replayed: usize,
    statuses: BTreeMap<(&'static str, u16), u64>,
    incomplete: u64,
}

/// Messages of the surviving timeline with their history IDs, oldest first.
type Timeline = Vec<(u64, String)>;

/// Loses timelines, replays their clients, and returns the violations.
pub async fn run(times: usize) -> anyhow::Result<Vec<String>> {
    let begun = Instant::now();
    let folder = paths::scratch("attack-restore")?.join("data");
    let (mut totals, mut older, mut timeline) = (Totals::default(), Vec::new(), Timeline::new());
    let mut server = Server::start(&folder, &[])?;
    write(&server.client()?, &mut timeline, 3).await?;
    for round in 0..times {
        let (copy, kept) = (copy(&folder).await?, timeline.clone());
        let lost = write_lost(&server.client()?, &timeline).await?;
        server.kill()?;
        restore_backup(&copy, &folder, round % MANUAL_RESTORES == MANUAL_RESTORES - 1)?;
        server = Server::start(&folder, &[])?;
        timeline = kept;
        let client = server.client()?;
        let writes = rand::rng().random_range(0..8);
        write(&client, &mut timeline, writes).await?;
        let some: Vec<LostState> = older.sample(&mut rand::rng(), REPLAYED).cloned().collect();
        for one in lost.iter().chain(&some) {
            let status = one.replay(&client).await?;
            totals.replayed += 1;
            *totals.statuses.entry((one.name(), status)).or_default() += 1;
        }
        totals.incomplete += count_incomplete(&client, &timeline).await?;
        older.extend(lost);
        let surplus = older.len().saturating_sub(MAX_KEPT);
        older.drain(..surplus);
    }
    server.stop()?;
    Ok(totals.report(times, begun))
}

impl Totals {
    /// Prints the totals, and returns a message for each violation.
    fn report(&self, times: usize, begun: Instant) -> Vec<String> {
        let text = |((name, status), count): (&(&str, u16), &u64)| format!("{name} {status}: {count}");
        let statuses: Vec<String> = self.statuses.iter().map(text).collect();
        println!(
            "restore    {times} lost timelines, every {MANUAL_RESTORES}th restored by hand, {} ids and tokens replayed in {:.0} s: {}; \
             incomplete responses to older ids: {}",
            self.replayed,
            begun.elapsed().as_secs_f64(),
            statuses.join(", "),
            self.incomplete
        );
        let wrong = self.statuses.iter().filter(|((_, status), _)| !matches!(status, 404 | 410));
        let mut violations: Vec<String> =
            wrong.map(|((name, status), count)| format!("restore: {count} {name} returned {status}")).collect();
        if self.incomplete > 0 {
            violations.push(format!("restore: {} responses to older ids miss changes", self.incomplete));
        }
        violations
    }
}

/// Writes a backup of the store while the server runs.
async fn copy(folder: &Path) -> anyhow::Result<PathBuf> {
    let file = folder.with_file_name("copy.backup");
    if file.exists() {
        fs::remove_file(&file)?;
    }
    let store = Sqlite::open(folder, SqliteOptions::default())?;
    let copied = store.backup(&file).await;
    store.close().await;
    copied?;
    Ok(file)
}

/// Restores the backup.
fn restore_backup(copy: &Path, folder: &Path, by_hand: bool) -> anyhow::Result<()> {
    if !by_hand {
        return Ok(wireform_store::restore(copy, folder, true)?);
    }
    for log in ["store.sqlite3-wal", "store.sqlite3-shm"] {
        let log = folder.join(log);
        if log.exists() {
            fs::remove_file(log)?;
        }
    }
    fs::copy(copy, folder.join("store.sqlite3"))?;
    Ok(())
}

/// Inserts messages.
async fn write(client: &Client, timeline: &mut Timeline, count: usize) -> anyhow::Result<()> {
    for _ in 0..count {
        let raw = mail::message(rand::rng().random_range(0..1_000_000), 500).into_bytes();
        let new = Message::default().with_raw(raw).with_label_ids(["INBOX"]);
        let made = client.users().messages().insert("me", new).send().await?;
        timeline.push((made.history_id.context("no historyId")?.0, made.id.context("no id")?));
    }
    Ok(())
}

/// Continues with writes that will be lost, and returns the state that clients get in the meantime.
async fn write_lost(client: &Client, timeline: &Timeline) -> anyhow::Result<Vec<LostState>> {
    let users = client.users();
    let before = users.get_profile("me").send().await?.history_id.context("no historyId")?.0;
    let mut lost_timeline = timeline.clone();
    let writes = rand::rng().random_range(3..8);
    write(client, &mut lost_timeline, writes).await?;
    let mut lost: Vec<LostState> =
        lost_timeline.iter().skip(timeline.len()).map(|(id, _)| LostState::Id(*id)).collect();
    for (_, message) in lost_timeline.iter().skip(timeline.len()) {
        let star = ModifyMessageRequest::default().with_add_label_ids(["STARRED"]);
        let changed = users.messages().modify("me", &**message, star).send().await?;
        lost.push(LostState::Id(changed.history_id.context("no historyId")?.0));
    }
    let mut token: Option<String> = None;
    loop {
        let mut call = users.history().list("me", before).max_results(1);
        if let Some(token) = token.take() {
            call = call.page_token(token);
        }
        let Some(next) = call.send().await?.next_page_token else { break };
        lost.push(LostState::HistoryPage(before, next.clone()));
        token = Some(next);
    }
    let page = users.messages().list("me").max_results(1).send().await?;
    lost.extend(page.next_page_token.map(LostState::ListPage));
    ensure!(lost.len() > writes * 3, "too little was collected");
    Ok(lost)
}

/// Reads the history after some of the last IDs of the timeline, and returns the number of responses that lack a
/// message.
async fn count_incomplete(client: &Client, timeline: &Timeline) -> anyhow::Result<u64> {
    let recent = timeline.len().saturating_sub(RECENT);
    let mut missed = 0;
    for (at, (id, _)) in timeline.iter().enumerate().skip(recent).step_by(7) {
        let page = match client.users().history().list("me", *id).max_results(500).send().await {
            Ok(page) => page,
            Err(error) if matches!(error.status(), Some(404 | 410)) => continue,
            Err(error) => return Err(error.into()),
        };
        let added = page.history.into_iter().flat_map(|record| record.messages_added);
        let added: Vec<String> = added.filter_map(|added| added.message?.id).collect();
        let later = timeline.iter().skip(at + 1).map(|(_, message)| message);
        missed += u64::from(!later.eq(&added));
    }
    Ok(missed)
}
