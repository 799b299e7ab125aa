//! Keeping a copy of a calendar up to date.

use std::convert::Infallible;

use calendar_client::fields;
use calendar_client::requests::EventsList;
use calendar_client::types::{Event, EventType};
use wireform_client::{SyncError, SyncEvent, SyncMode, SyncReport, SyncRunError, SyncStore};

use super::{in_turn, pages, parameters, texts};
use crate::calls::Kind;
use crate::clients::{Running, Setup, Way};
use crate::server::{error, json};

const FIRST: &str = r#"{"items":[{"id":"first"},{"id":"second"}],"nextPageToken":"2"}"#;
const LAST: &str = r#"{"items":[{"id":"third","status":"cancelled"}],"nextSyncToken":"next cursor+/="}"#;

async fn start(bodies: &[&str]) -> Running {
    Setup::new(Way::InProcess).start(pages(bodies.iter().copied())).await
}

fn ids(events: &[Event]) -> Vec<&str> {
    events.iter().filter_map(|event| event.id.as_deref()).collect()
}

#[tokio::test]
async fn changes_come_in_order_and_end_in_the_cursor() {
    let running = start(&[FIRST, LAST]).await;
    let mut changes = running.clients.calendar.events().list_changes("primary").since("a&b+c".to_owned());
    let mut seen = Vec::new();
    while let Some(event) = changes.next().await {
        seen.push(match event.expect("no error") {
            SyncEvent::Change(event) => event.id.expect("an id"),
            SyncEvent::Done(cursor) => format!("done: {cursor}"),
        });
    }
    assert_eq!(seen, ["first", "second", "third", "done: next cursor+/="]);
    let requests = running.log.take();
    assert_eq!(parameters(&requests, "syncToken"), texts([Some("a&b+c"), Some("a&b+c")]));
    assert_eq!(parameters(&requests, "pageToken"), texts([None, Some("2")]));
}

#[tokio::test]
async fn everything_is_listed_without_a_cursor() {
    let running = start(&[FIRST, LAST]).await;
    let call = running.clients.calendar.events().list_changes("primary").show_deleted().single_events(true);
    let (changes, cursor) = call.event_types([EventType::Default]).from_start().collect().await.expect("all of it");
    assert_eq!((ids(&changes), cursor.as_str()), (vec!["first", "second", "third"], "next cursor+/="));
    let requests = running.log.take();
    assert_eq!(parameters(&requests, "syncToken"), texts([None, None]));
    for name in ["showDeleted", "singleEvents"] {
        assert_eq!(parameters(&requests, name), texts([Some("true"), Some("true")]), "{name}");
    }
}

/// What the server says, and whether everything is to be read anew.
#[tokio::test]
async fn an_expired_cursor_differs_from_other_errors() {
    let table = [
        (410, Some("fullSyncRequired"), true),
        (410, None, true),
        (410, Some("updatedMinTooLongAgo"), false),
        (400, Some("fullSyncRequired"), false),
        (404, Some("notFound"), false),
        (500, None, false),
    ];
    for (status, reason, expired) in table {
        for bodies in [&[][..], &[FIRST]] {
            let responses = bodies.iter().map(|body| json(200, *body)).chain([error(status, reason, None)]);
            let running = Setup::new(Way::InProcess).start(in_turn(responses.collect::<Vec<_>>())).await;
            let changes = running.clients.calendar.events().list_changes("primary").since("old".into());
            let failed = changes.collect().await.expect_err("an error");
            assert_eq!(matches!(failed, SyncError::FullSyncRequired(_)), expired, "{status} {reason:?}");
            assert_eq!(failed.error().status(), Some(status));
        }
    }
}

/// Where there was no cursor, none has expired.
#[tokio::test]
async fn a_full_sync_never_requires_another_one() {
    let running = Setup::new(Way::InProcess).start(|_| error(410, Some("fullSyncRequired"), None)).await;
    let failed = running.clients.calendar.events().list_changes("primary").from_start().collect().await;
    assert!(matches!(failed, Err(SyncError::Call(_))), "{failed:?}");
}

#[tokio::test]
async fn a_last_page_without_a_cursor_is_an_error() {
    let running = start(&[FIRST, r#"{"items":[]}"#]).await;
    let failed = running.clients.calendar.events().list_changes("primary").since("old".into()).collect().await;
    let failed = failed.map(drop).expect_err("there is no cursor");
    assert_eq!(crate::calls::kind(failed.error().kind()), Kind::Protocol, "{failed}");
}

/// A cursor on a page that is not the last one would lose the pages behind it.
#[tokio::test]
async fn a_cursor_before_the_last_page_does_not_count() {
    let early = r#"{"items":[{"id":"first"}],"nextPageToken":"2","nextSyncToken":"early"}"#;
    let running = start(&[early, LAST]).await;
    let done = running.clients.calendar.events().list_changes("primary").since("old".into()).collect().await;
    let (changes, cursor) = done.expect("all of it");
    assert_eq!((ids(&changes), cursor.as_str()), (vec!["first", "third"], "next cursor+/="));
}

/// A selection that leaves out the cursor would end every synchronisation with an error.
#[tokio::test]
async fn what_synchronising_needs_is_selected_too() {
    let running = start(&[FIRST, LAST]).await;
    let call = running.clients.calendar.events().list_changes("primary");
    let wanted = [fields::Events::ITEMS.select([fields::Event::ID, fields::Event::STATUS])];
    let (changes, _) = call.fields(wanted).since("old".into()).collect().await.expect("all of it");
    assert_eq!(changes.len(), 3);
    let asked = Some("items(id,status),nextPageToken,nextSyncToken");
    assert_eq!(parameters(&running.log.take(), "fields"), texts([asked, asked]));
}

/// Writes down what is done with it.
#[derive(Default)]
struct Diary {
    cursor: Option<String>,
    said: Vec<String>,
}

impl SyncStore<EventsList> for Diary {
    type Error = Infallible;

    async fn cursor(&mut self) -> Result<Option<String>, Infallible> {
        Ok(self.cursor.clone())
    }

    async fn begin(&mut self, run: SyncMode) -> Result<(), Infallible> {
        self.said.push(format!("begin {run:?}"));
        Ok(())
    }

    async fn apply(&mut self, changes: Vec<Event>) -> Result<(), Infallible> {
        self.said.push(ids(&changes).join(" "));
        Ok(())
    }

    async fn commit(&mut self, cursor: String) -> Result<(), Infallible> {
        self.said.push(format!("commit {cursor}"));
        self.cursor = Some(cursor);
        Ok(())
    }
}

#[tokio::test]
async fn a_copy_is_brought_up_to_date() {
    let responses = [json(200, FIRST), json(200, LAST), json(200, r#"{"nextSyncToken":"later"}"#)];
    let running = Setup::new(Way::InProcess).start(in_turn(responses)).await;
    let mut diary = Diary::default();
    let call = || running.clients.calendar.events().list_changes("primary");
    let report = call().synchronize(&mut diary).await.expect("a full run");
    assert_eq!((report.full, report.changes, report.pages), (true, 3, 2));
    let report = call().synchronize(&mut diary).await.expect("a run by changes");
    assert_eq!((report.full, report.changes, report.pages), (false, 0, 1));
    let said = ["begin Full", "first second", "third", "commit next cursor+/=", "begin Changes", "", "commit later"];
    assert_eq!(diary.said, said);
    assert_eq!(parameters(&running.log.take(), "syncToken"), texts([None, None, Some("next cursor+/=")]));
}

#[tokio::test]
async fn a_copy_with_an_expired_cursor_is_read_in_full() {
    let responses = [error(410, Some("fullSyncRequired"), None), json(200, FIRST), json(200, LAST)];
    let running = Setup::new(Way::InProcess).start(in_turn(responses)).await;
    let mut diary = Diary { cursor: Some("old".into()), ..Diary::default() };
    let report = running.clients.calendar.events().list_changes("primary").synchronize(&mut diary).await;
    assert!(matches!(report, Ok(SyncReport { full: true, .. })), "{report:?}");
    assert_eq!(diary.said, ["begin Changes", "begin Full", "first second", "third", "commit next cursor+/="]);
    assert_eq!(parameters(&running.log.take(), "syncToken"), texts([Some("old"), None, None]));
}

/// The next run starts where this one did.
#[tokio::test]
async fn a_run_that_comes_to_no_end_commits_nothing() {
    let responses = [json(200, FIRST), error(403, None, None)];
    let running = Setup::new(Way::InProcess).start(in_turn(responses)).await;
    let mut diary = Diary { cursor: Some("old".into()), ..Diary::default() };
    let failed = running.clients.calendar.events().list_changes("primary").synchronize(&mut diary).await;
    assert!(matches!(&failed, Err(SyncRunError::Call(error)) if error.is_forbidden()), "{failed:?}");
    assert_eq!(
        (diary.cursor.as_deref(), diary.said),
        (Some("old"), vec!["begin Changes".into(), "first second".into()])
    );
}
