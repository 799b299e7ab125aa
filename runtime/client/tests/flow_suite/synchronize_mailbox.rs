//! Loop that keeps a copy of a mailbox up to date, whose content is read by other requests than its history.

use std::collections::BTreeSet;

use crate::common::*;
use serde_json::json;
use wireform_client::{SyncMode, SyncReport, SyncRunError, SyncStore};

type Outcome<E> = Result<SyncReport, SyncRunError<E, Failed>>;

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

fn mailbox(seen: &Seen) -> Reply {
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
