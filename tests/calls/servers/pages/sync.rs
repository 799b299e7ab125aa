//! Local copies of a calendar and of a mailbox, which generated clients keep up to date.

use std::convert::Infallible;

use calendar_client::requests::EventsList;
use calendar_server::types as calendar;
use http::StatusCode;
use mailbox_client::requests::{UsersHistoryList, UsersHistoryListChange};
use wireform_client::{SyncError, SyncMode, SyncReport, SyncStore};
use wireform_runtime::Decimal;
use wireform_server::tokens::TokenSealer;

use super::{Book, LIST, OLDEST, get, ids, numbered, token_of};
use crate::desk::{SCOPED, TOKEN};
use crate::valid::{self, Valid};
use crate::wire::{send, with};

/// Sync target that records the applied items and the mode of each run.
#[derive(Default)]
struct Copy<C> {
    cursor: Option<C>,
    things: Vec<String>,
    runs: Vec<SyncMode>,
    /// Items that the current run has applied.
    pending: Vec<String>,
}

impl<C: Clone> Copy<C> {
    fn start_run(&mut self, run: SyncMode) {
        self.pending = if run == SyncMode::Full { Vec::new() } else { self.things.clone() };
        self.runs.push(run);
    }

    fn commit_run(&mut self, cursor: C) {
        self.things = std::mem::take(&mut self.pending);
        self.cursor = Some(cursor);
    }
}

impl SyncStore<EventsList> for Copy<String> {
    type Error = Infallible;

    async fn cursor(&mut self) -> Result<Option<String>, Infallible> {
        Ok(self.cursor.clone())
    }

    async fn begin(&mut self, run: SyncMode) -> Result<(), Infallible> {
        self.start_run(run);
        Ok(())
    }

    async fn apply(&mut self, changes: Vec<calendar::Event>) -> Result<(), Infallible> {
        self.pending.extend(ids(&changes));
        Ok(())
    }

    async fn commit(&mut self, cursor: String) -> Result<(), Infallible> {
        self.commit_run(cursor);
        Ok(())
    }
}

#[tokio::test]
async fn a_calendar_is_kept_up_to_date() {
    let book = Book::of(7);
    let mut copy = Copy::default();
    let sync = async |copy: &mut Copy<String>| {
        let client = book.calendar();
        client.events().list_changes("primary").max_results(3).synchronize(copy).await.expect("it synchronises")
    };
    assert_eq!(sync(&mut copy).await, SyncReport { full: true, changes: 7, pages: 3 });
    assert_eq!(sync(&mut copy).await, SyncReport { full: false, changes: 0, pages: 1 });
    book.grow(5);
    assert_eq!(sync(&mut copy).await, SyncReport { full: false, changes: 5, pages: 2 });
    assert_eq!(copy.things, numbered("event", 1..=12));
    // An invalid sync token, one of another listing, and one sealed with earlier keys.
    let other = token_of(&book, &LIST.replace("primary", "other"), "nextSyncToken").await;
    let strange = Book { sealer: TokenSealer::new([9; 32]), ..book.clone() };
    let strange = token_of(&strange, LIST, "nextSyncToken").await;
    let page = token_of(&book, &format!("{LIST}?maxResults=1"), "nextPageToken").await;
    for forged in ["forged".to_owned(), other, strange, page, String::new()] {
        copy.runs.clear();
        copy.cursor = Some(forged.clone());
        assert_eq!(sync(&mut copy).await, SyncReport { full: true, changes: 12, pages: 4 }, "{forged}");
        assert_eq!(copy.runs, [SyncMode::Changes, SyncMode::Full], "{forged}");
        assert_eq!(copy.things, numbered("event", 1..=12));
    }
}

#[tokio::test]
async fn a_cursor_carries_what_was_listed() {
    let book = Book::of(3);
    let cursor = token_of(&book, &format!("{LIST}?singleEvents=true&eventTypes=default"), "nextSyncToken").await;
    book.grow(2);
    for filter in ["", "&singleEvents=true", "&maxResults=7", "&showDeleted=true", "&eventTypes=default"] {
        let got = get(&book, &format!("{LIST}?syncToken={cursor}{filter}"), TOKEN).await;
        assert_eq!((got.status, got.json()["items"].as_array().map(Vec::len)), (StatusCode::OK, Some(2)), "{filter}");
    }
    for (filter, name) in
        [("&singleEvents=false", "singleEvents"), ("&eventTypes=birthday", "eventTypes"), ("&timeZone=UTC", "timeZone")]
    {
        let got = get(&book, &format!("{LIST}?syncToken={cursor}{filter}"), TOKEN).await;
        let location = got.json()["error"]["errors"][0]["location"].clone();
        assert_eq!((got.status, location.as_str()), (StatusCode::BAD_REQUEST, Some(name)), "{filter}");
    }
    // A filtered list that cannot be resumed returns no sync token; a filter with the default value does not prevent
    // one.
    for (filter, gives) in
        [("q=tea", false), ("timeMin=2026-01-01T00:00:00Z", false), ("iCalUID=u", false), ("showDeleted=false", true)]
    {
        let got = get(&book, &format!("{LIST}?{filter}"), TOKEN).await;
        assert_eq!((got.status, got.json()["nextSyncToken"].is_string()), (StatusCode::OK, gives), "{filter}");
    }
    // Together with a sync token, the parameter is rejected.
    let got = get(&book, &format!("{LIST}?syncToken={cursor}&showDeleted=false"), TOKEN).await;
    assert_eq!(got.status, StatusCode::BAD_REQUEST, "{got:?}");
}

#[tokio::test]
async fn a_list_is_a_304_until_something_changes() {
    let book = Book::of(3);
    let get_with = async |target: &str, known: &str| {
        let list = valid::of("calendar", "events.list");
        let target: &'static str = Box::leak(target.to_owned().into_boxed_str());
        let headers = [("authorization", format!("Bearer {TOKEN}")), ("if-none-match", known.to_owned())];
        let headers: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        send(&book.router(), with(Valid { target, ..list }, &headers)).await
    };
    let first = get_with(&format!("{LIST}?maxResults=2"), "\"none\"").await;
    let tag = first.header("etag").expect("a tag").to_owned();
    assert_eq!((first.status, first.json()["etag"].as_str()), (StatusCode::OK, Some(tag.as_str())));
    let page = first.json()["nextPageToken"].as_str().expect("a second page").to_owned();
    for target in [format!("{LIST}?maxResults=2"), format!("{LIST}?maxResults=2&pageToken={page}"), LIST.to_owned()] {
        let got = get_with(&target, &tag).await;
        assert_eq!((got.status, got.header("etag"), got.body.len()), (StatusCode::NOT_MODIFIED, Some(tag.as_str()), 0));
    }
    book.grow(1);
    let got = get_with(&format!("{LIST}?maxResults=2"), &tag).await;
    assert_eq!(got.status, StatusCode::OK);
    assert_ne!(got.header("etag"), Some(tag.as_str()));
}

#[tokio::test]
async fn an_old_cursor_is_what_the_contract_says() {
    let book = Book::of(3);
    let got = get(&book, &format!("{LIST}?syncToken=forged"), TOKEN).await;
    assert_eq!(got.status, StatusCode::GONE, "{got:?}");
    let item = &got.json()["error"]["errors"][0];
    assert_eq!((item["reason"].as_str(), item["location"].as_str()), (Some("fullSyncRequired"), Some("syncToken")));
    let failed = book.calendar().events().list_changes("primary").since("forged".into()).collect().await;
    assert!(matches!(failed, Err(SyncError::FullSyncRequired(_))), "{failed:?}");
    // A sync token that is sealed for one caller is not valid for another.
    let cursor = token_of(&book, LIST, "nextSyncToken").await;
    let got = get(&book, &format!("{LIST}?syncToken={cursor}"), &format!("{SCOPED}calendar.readonly")).await;
    assert_eq!(got.status, StatusCode::GONE, "{got:?}");
}

impl SyncStore<UsersHistoryList> for Copy<Decimal<u64>> {
    type Error = Infallible;

    async fn cursor(&mut self) -> Result<Option<Decimal<u64>>, Infallible> {
        Ok(self.cursor)
    }

    async fn begin(&mut self, run: SyncMode) -> Result<(), Infallible> {
        self.start_run(run);
        Ok(())
    }

    async fn apply(&mut self, changes: Vec<UsersHistoryListChange>) -> Result<(), Infallible> {
        for change in changes {
            let UsersHistoryListChange::MessagesAdded(added) = change else { panic!("only additions are reported") };
            self.pending.push(added.message.and_then(|message| message.id).expect("a message"));
        }
        Ok(())
    }

    async fn commit(&mut self, cursor: Decimal<u64>) -> Result<(), Infallible> {
        self.commit_run(cursor);
        Ok(())
    }

    async fn read_all(&mut self) -> Result<Option<Decimal<u64>>, Infallible> {
        // A real implementation would send further requests here.
        self.pending.push("all".to_owned());
        Ok(Some(Decimal(OLDEST)))
    }
}

#[tokio::test]
async fn a_mailbox_is_kept_up_to_date() {
    let book = Book::of(OLDEST + 5);
    let client = book.mailbox();
    let mut copy = Copy { cursor: Some(Decimal(OLDEST)), ..Copy::default() };
    let sync = async |copy: &mut Copy<Decimal<u64>>| {
        client.users().history().list_changes("me").max_results(2).synchronize(copy).await
    };
    let report = sync(&mut copy).await.expect("it synchronises");
    assert_eq!(report, SyncReport { full: false, changes: 5, pages: 3 });
    assert_eq!((copy.things.clone(), copy.cursor), (numbered("message", 11..=15), Some(Decimal(15))));
    copy.cursor = Some(Decimal(OLDEST - 1));
    let report = sync(&mut copy).await.expect("a full sync succeeds");
    assert!(report.full, "{report:?}");
    assert_eq!(copy.things[0], "all", "{:?}", copy.things);
    assert_eq!(copy.things[1..], numbered("message", 11..=15));
    let failed = client.users().history().list_changes("me").since(Decimal(1)).collect().await.map(drop);
    let Err(SyncError::FullSyncRequired(error)) = failed else { panic!("{failed:?}") };
    assert_eq!(error.status(), Some(404));
}

/// A start that cannot be parsed is reported whatever the service does with the rest of the request.
#[tokio::test]
async fn a_cursor_that_cannot_be_parsed_requires_a_full_sync() {
    let book = Book::of(3);
    let history = "/mail/v1/users/me/history?startHistoryId=";
    for (target, status, message) in [
        // This service compares the start before it opens tokens.
        (format!("{history}x"), 404, "the start is too old"),
        (format!("{LIST}?syncToken=%FF"), 410, "`%FF` is not a valid `syncToken`; do a full sync"),
        (format!("{LIST}?syncToken=x"), 410, "`x` is not a valid sync token; do a full sync"),
    ] {
        let got = get(&book, &target, TOKEN).await;
        let found = (got.status.as_u16(), got.json()["error"]["message"].clone());
        assert_eq!(found, (status, message.into()), "{target}");
    }
}
