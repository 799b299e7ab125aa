//! Loop that keeps a copy up to date, with stores that survive an abort at any step.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::common::*;
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

fn calendar(seen: &Seen) -> Reply {
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
