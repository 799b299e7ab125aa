//! Loop that keeps a copy up to date, with stores that survive an abort at any step.
#![allow(clippy::unwrap_used, clippy::panic)]

mod flow_common;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use flow_common::*;
use serde_json::json;
use wireform_client::{SyncMode, SyncReport, SyncRunError, SyncStore};

/// Persistent copy: every step is saved immediately, and the program may end between any two.
#[derive(Debug, Default)]
struct Disk {
    /// Things by identifier, with the number of the last full run that applied them.
    things: BTreeMap<String, u32>,
    cursor: Option<String>,
    full_runs: u32,
    running: Option<SyncMode>,
    steps: Vec<String>,
    /// Step that fails.
    fails_at: Option<&'static str>,
}

impl Disk {
    fn with(cursor: &str, things: &[&str]) -> Self {
        let things = things.iter().map(|id| ((*id).to_owned(), 0)).collect();
        Self { things, cursor: Some(cursor.to_owned()), ..Self::default() }
    }

    fn step(&mut self, step: String) -> Result<(), String> {
        let fails = self.fails_at.is_some_and(|at| step.starts_with(at));
        self.steps.push(step);
        if fails { Err("the disk is full".to_owned()) } else { Ok(()) }
    }

    fn ids(&self) -> Vec<&str> {
        self.things.keys().map(String::as_str).collect()
    }
}

impl SyncStore<List> for Disk {
    type Error = String;

    async fn cursor(&mut self) -> Result<Option<String>, String> {
        self.step("cursor".to_owned())?;
        Ok(self.cursor.clone())
    }

    async fn begin(&mut self, run: SyncMode) -> Result<(), String> {
        self.step(format!("begin {run:?}"))?;
        self.full_runs += u32::from(run == SyncMode::Full);
        self.running = Some(run);
        Ok(())
    }

    async fn apply(&mut self, changes: Vec<Thing>) -> Result<(), String> {
        self.step(format!("apply {}", changes.len()))?;
        for thing in changes {
            let id = thing.id.unwrap();
            if thing.gone == Some(true) {
                self.things.remove(&id);
            } else {
                self.things.insert(id, self.full_runs);
            }
        }
        Ok(())
    }

    async fn commit(&mut self, cursor: String) -> Result<(), String> {
        self.step(format!("commit {cursor}"))?;
        if self.running.take() == Some(SyncMode::Full) {
            self.things.retain(|_, seen| *seen == self.full_runs);
        }
        self.cursor = Some(cursor);
        Ok(())
    }
}

fn calendar(seen: &Seen) -> Said {
    ok(match (seen.query("syncToken"), seen.query("pageToken")) {
        (Some("s1"), None) => json!({ "items": [{ "id": "b" }], "nextPageToken": "p" }),
        (Some("s1"), Some("p")) => json!({ "items": [{ "id": "a", "gone": true }], "nextSyncToken": "s2" }),
        (None, None) => json!({ "items": [{ "id": "x" }], "nextPageToken": "q" }),
        (None, Some("q")) => json!({ "items": [{ "id": "y" }, { "id": "z" }], "nextSyncToken": "s9" }),
        (Some("old"), _) => return error(410, "fullSyncRequired", None),
        _ => return error(400, "invalid", None),
    })
}

type Outcome<E> = Result<SyncReport, SyncRunError<E, Failed>>;

async fn run(server: &Server, disk: &mut Disk) -> Outcome<String> {
    ListChangesCall { call: server.client().call(List::default()) }.synchronize(disk).await
}

#[tokio::test]
async fn changes_since_the_cursor_are_applied_and_then_committed() {
    let (server, mut disk) = (Server::new(calendar), Disk::with("s1", &["a"]));
    let report = run(&server, &mut disk).await.unwrap();
    assert_eq!(report, SyncReport { full: false, changes: 2, pages: 2 });
    assert_eq!(disk.steps, ["cursor", "begin Changes", "apply 1", "apply 1", "commit s2"]);
    assert_eq!((disk.ids(), disk.cursor.as_deref()), (vec!["b"], Some("s2")));
}

#[tokio::test]
async fn without_a_cursor_everything_is_read() {
    let (server, mut disk) = (Server::new(calendar), Disk::default());
    let report = run(&server, &mut disk).await.unwrap();
    assert_eq!(report, SyncReport { full: true, changes: 3, pages: 2 });
    assert_eq!(disk.steps, ["cursor", "begin Full", "apply 1", "apply 2", "commit s9"]);
    assert_eq!((disk.ids(), disk.cursor.as_deref()), (vec!["x", "y", "z"], Some("s9")));
}

#[tokio::test]
async fn after_an_expired_cursor_everything_is_read_and_the_rest_is_gone() {
    let (server, mut disk) = (Server::new(calendar), Disk::with("old", &["a", "x"]));
    let report = run(&server, &mut disk).await.unwrap();
    assert!(report.full);
    assert_eq!(disk.steps, ["cursor", "begin Changes", "begin Full", "apply 1", "apply 2", "commit s9"]);
    assert_eq!(disk.ids(), ["x", "y", "z"]);
}

#[tokio::test]
async fn at_most_one_full_sync() {
    let server = Server::new(|_| error(410, "fullSyncRequired", None));
    let mut disk = Disk::with("old", &["a"]);
    let error = run(&server, &mut disk).await.unwrap_err();
    assert!(matches!(error, SyncRunError::Call(_)), "{error:?}");
    assert_eq!((server.seen().len(), disk.ids(), disk.cursor.as_deref()), (2, vec!["a"], Some("old")));
}

#[tokio::test]
async fn next_run_repeats_an_aborted_one() {
    // Network or disk fail, at any step.
    for (cursor, fails_at) in
        [("s1", "begin"), ("s1", "apply"), ("s1", "commit"), ("old", "begin F"), ("old", "apply"), ("old", "commit")]
    {
        let mut disk = Disk { fails_at: Some(fails_at), ..Disk::with(cursor, &["a"]) };
        let error = run(&Server::new(calendar), &mut disk).await.unwrap_err();
        assert!(matches!(&error, SyncRunError::Store(why) if why == "the disk is full"), "{error:?}");
        assert_eq!(error.to_string(), "the store failed: the disk is full");
        assert_eq!(disk.cursor.as_deref(), Some(cursor), "{fails_at}");
        disk.fails_at = None;
        run(&Server::new(calendar), &mut disk).await.unwrap();
        let expected = if cursor == "s1" { vec!["b"] } else { vec!["x", "y", "z"] };
        assert_eq!(disk.ids(), expected, "{cursor} {fails_at}");
    }
}

#[tokio::test]
async fn changes_after_a_full_run_that_broke_off_delete_nothing() {
    let down = Arc::new(AtomicBool::new(true));
    let server = Server::new({
        let down = down.clone();
        move |seen| {
            let is_down = down.load(Ordering::Relaxed);
            match (seen.query("syncToken"), seen.query("pageToken")) {
                // The server rejects a valid sync token, and the full read is aborted.
                (Some(_), _) if is_down => error(410, "fullSyncRequired", None),
                (None, Some(_)) if is_down => status(503),
                _ => calendar(seen),
            }
        }
    });
    let mut disk = Disk::with("s1", &["a", "kept"]);
    let broken = run(&server, &mut disk).await.unwrap_err();
    assert!(matches!(&broken, SyncRunError::Call(error) if error.status() == Some(503)), "{broken:?}");
    assert_eq!((disk.ids(), disk.cursor.as_deref()), (vec!["a", "kept", "x"], Some("s1")));
    down.store(false, Ordering::Relaxed);
    run(&server, &mut disk).await.unwrap();
    assert_eq!(disk.ids(), ["b", "kept", "x"]);
}

/// Mailbox whose content is read by other requests than the history.
#[derive(Debug, Default)]
struct Mailbox {
    messages: BTreeSet<String>,
    cursor: Option<i32>,
    steps: Vec<String>,
    /// Content of a full read.
    listing: Option<(i32, Vec<&'static str>)>,
}

impl SyncStore<Changed> for Mailbox {
    type Error = String;

    async fn cursor(&mut self) -> Result<Option<i32>, String> {
        Ok(self.cursor)
    }

    async fn begin(&mut self, run: SyncMode) -> Result<(), String> {
        self.steps.push(format!("begin {run:?}"));
        Ok(())
    }

    async fn apply(&mut self, changes: Vec<Change>) -> Result<(), String> {
        self.steps.push(format!("apply {}", changes.len()));
        for change in changes {
            match change {
                Change::Added(id) => self.messages.insert(id),
                Change::Removed(id) => self.messages.remove(&id),
            };
        }
        Ok(())
    }

    async fn commit(&mut self, cursor: i32) -> Result<(), String> {
        self.steps.push(format!("commit {cursor}"));
        self.cursor = Some(cursor);
        Ok(())
    }

    async fn read_all(&mut self) -> Result<Option<i32>, String> {
        self.steps.push("read all".to_owned());
        let Some((cursor, messages)) = &self.listing else { return Ok(None) };
        self.messages = messages.iter().map(|id| (*id).to_owned()).collect();
        Ok(Some(*cursor))
    }
}

fn mailbox(seen: &Seen) -> Said {
    match seen.query("start") {
        Some("50") => ok(json!({ "history": [{ "added": ["new"], "removed": ["m1"] }], "historyId": 51 })),
        _ => error(404, "notFound", Some("start")),
    }
}

async fn deliver(server: &Server, store: &mut impl SyncStore<Changed, Error = String>) -> Outcome<String> {
    let call = server.client().call(Changed { user: "me".to_owned(), ..Changed::default() });
    HistoryCall { call }.synchronize(store).await
}

#[tokio::test]
async fn read_all_is_followed_by_the_changes() {
    let server = Server::new(mailbox);
    let listing = Some((50, vec!["m1", "m2"]));
    for cursor in [None, Some(3)] {
        let mut store = Mailbox { cursor, listing: listing.clone(), ..Mailbox::default() };
        let report = deliver(&server, &mut store).await.unwrap();
        assert_eq!(report, SyncReport { full: true, changes: 2, pages: 1 });
        let steps = ["begin Full", "read all", "commit 50", "begin Changes", "apply 2", "commit 51"];
        assert_eq!(store.steps[store.steps.len() - 6..], steps);
        assert_eq!((store.messages, store.cursor), (["m2", "new"].map(String::from).into(), Some(51)));
    }
}

#[tokio::test]
async fn token_that_expires_immediately_is_an_error() {
    let mut store = Mailbox { listing: Some((4, vec![])), ..Mailbox::default() };
    let error = deliver(&Server::new(mailbox), &mut store).await.unwrap_err();
    assert!(matches!(&error, SyncRunError::FullSyncRequired(Some(_))), "{error:?}");
    assert_eq!(store.steps.iter().filter(|step| *step == "read all").count(), 1);
}

#[tokio::test]
async fn store_without_read_all_gets_an_error() {
    let (server, mut store) = (Server::new(mailbox), Mailbox::default());
    let error = deliver(&server, &mut store).await.unwrap_err();
    assert!(matches!(&error, SyncRunError::FullSyncRequired(None)), "{error:?}");
    store.cursor = Some(3);
    let error = deliver(&server, &mut store).await.unwrap_err();
    assert!(matches!(&error, SyncRunError::FullSyncRequired(Some(error)) if error.is_not_found()), "{error:?}");
    assert_eq!(store.cursor, Some(3));
}

#[tokio::test]
async fn unknown_user_does_not_cause_a_full_sync() {
    let server = Server::new(|_| error(404, "notFound", Some("user")));
    let mut store = Mailbox { cursor: Some(50), listing: Some((50, vec![])), ..Mailbox::default() };
    let error = deliver(&server, &mut store).await.unwrap_err();
    assert!(matches!(&error, SyncRunError::Call(error) if error.is_not_found()), "{error:?}");
    assert_eq!(store.steps, ["begin Changes"]);
}

/// Store that uses the default of `read_all`.
struct Small(Option<i32>);

impl SyncStore<Changed> for Small {
    type Error = String;

    async fn cursor(&mut self) -> Result<Option<i32>, String> {
        Ok(self.0)
    }

    async fn begin(&mut self, _: SyncMode) -> Result<(), String> {
        Ok(())
    }

    async fn apply(&mut self, _: Vec<Change>) -> Result<(), String> {
        Ok(())
    }

    async fn commit(&mut self, cursor: i32) -> Result<(), String> {
        self.0 = Some(cursor);
        Ok(())
    }
}

#[tokio::test]
async fn by_default_a_store_cannot_read_everything() {
    let mut store = Small(None);
    assert!(matches!(deliver(&Server::new(mailbox), &mut store).await, Err(SyncRunError::FullSyncRequired(None))));
    store.0 = Some(50);
    // Runs can be spawned.
    let report =
        tokio::spawn(async move { deliver(&Server::new(mailbox), &mut store).await.map(|report| (report, store.0)) });
    assert_eq!(report.await.unwrap().unwrap().1, Some(51));
}
