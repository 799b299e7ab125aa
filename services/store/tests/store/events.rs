//! Tests of calendar entries: writing, reading, listing and cleanup.

use std::time::Duration;

use wireform_store::{
    AnyStore, Calendar, Calendars as _, ENDLESS, Entry, EntryKind, EntryOrder, EntryQuery, EntryState, Error, EventRef,
    EventWrite, Events as _, HistoryId, Mailbox, Mailboxes as _, Maintenance as _, NewEntry, NewMessage, Span,
    WindowQuery,
};

use crate::place::on_each_database;
use crate::support::{NOW, mailbox, minute};

pub(crate) async fn calendar(store: &AnyStore, address: &str) -> Calendar {
    let of = mailbox(store, address).await;
    store.calendars(Some(of)).await.expect("calendars are listed").remove(0)
}

pub(crate) fn single(calendar: &Calendar, id: &str, first: i64, last: i64) -> NewEntry {
    NewEntry {
        calendar: calendar.number,
        id: id.to_owned(),
        replaces: None,
        event: EventRef::New(0),
        updated: NOW,
        state: EntryState::Present,
        removed: None,
        uid: format!("{id}@example.org"),
        kind: EntryKind::Single,
        span: Span { first, last },
        own: "{}".to_owned(),
    }
}

pub(crate) fn series(calendar: &Calendar, id: &str, first: i64, last: i64, slots: &[u8]) -> NewEntry {
    let kind = EntryKind::Series { rule: format!("rule of {id}"), length: 3_600, slots: slots.to_vec() };
    NewEntry { kind, ..single(calendar, id, first, last) }
}

pub(crate) async fn write(store: &AnyStore, entry: NewEntry) -> Entry {
    let (calendar, id) = (entry.calendar, entry.id.clone());
    let body = format!("body of {id}");
    let write = EventWrite { new_events: vec![body], entries: vec![entry], ..EventWrite::default() };
    store.write_events(write, NOW).await.expect("the entry is stored");
    read(store, calendar, &id).await
}

pub(crate) async fn read(store: &AnyStore, calendar: wireform_store::CalendarNumber, id: &str) -> Entry {
    let mut found = store.entries(calendar, vec![id.to_owned()]).await.expect("entries are read");
    found.remove(0).expect("the entry is there")
}

async fn ids(store: &AnyStore, calendar: &Calendar, walk: EntryOrder) -> Vec<String> {
    let mut query = EntryQuery { order: walk, after: None, epoch: None, search_mailbox: None, limit: 2 };
    let mut ids = Vec::new();
    loop {
        let page = store.list_entries(calendar.number, query.clone()).await.expect("a page");
        ids.extend(page.entries.iter().map(|entry| entry.id.clone()));
        let Some(last) = page.entries.last().filter(|_| page.has_more) else { return ids };
        let at = match query.order {
            EntryOrder::ByUpdate(_) => last.updated.0,
            EntryOrder::ByChange(..) => last.changed.0.cast_signed(),
            EntryOrder::ById | EntryOrder::WithUid(_) => 0,
        };
        query.after = Some((at, last.id.clone()));
    }
}

on_each_database! {
    async fn an_entry_comes_back_as_it_was_written(store, place) {
        let ada = calendar(store, "ada@example.org").await;
        let stored = write(store, single(&ada, "lunch", 100, 200)).await;
        assert_eq!((&*stored.shared, stored.own.as_str()), ("body of lunch", "{}"));
        assert_eq!(stored.changed, HistoryId(ada.history.0 + 1));
        assert_eq!((stored.span, stored.kind.clone()), (Span { first: 100, last: 200 }, EntryKind::Single));
        let again = write(store, series(&ada, "weekly", 100, ENDLESS, &[])).await;
        assert!(matches!(&again.kind, EntryKind::Series { rule, length: 3_600, .. } if rule == "rule of weekly"));
        let kind = EntryKind::Exception { series: "weekly".to_owned(), original: 700 };
        let moved = write(store, NewEntry { kind: kind.clone(), ..single(&ada, "weekly_700", 800, 900) }).await;
        assert_eq!(moved.kind, kind);
        assert_eq!(store.exceptions(ada.number, "weekly", (0, 701), 10).await.expect("exceptions"), [moved]);
        assert!(store.exceptions(ada.number, "weekly", (0, 700), 10).await.expect("exceptions").is_empty());
        let none = store.entries(ada.number, vec!["nothing".to_owned()]).await.expect("entries are read");
        assert_eq!(none, [None]);
    }

    /// Point 60: mail about a change is stored with it, or not at all.
    async fn point_60_mails_are_stored_with_their_change(store, place) {
        let ada = calendar(store, "ada@example.org").await;
        let raw = |length: usize| NewMessage { raw: vec![b'x'; length], ..NewMessage::default() };
        let change = |replaces, mails| EventWrite {
            new_events: vec!["body".to_owned()],
            entries: vec![NewEntry { replaces, ..single(&ada, "notified", 100, 200) }],
            mails,
            ..EventWrite::default()
        };
        let count = async || store.profile(ada.owner).await.expect("a profile").messages;
        let outdated = store.write_events(change(Some(HistoryId(1)), vec![(ada.owner, raw(10))]), NOW).await;
        assert!(matches!(outdated, Err(Error::Outdated)) && count().await == 0, "{outdated:?}");
        let large = vec![(ada.owner, raw(10)), (ada.owner, raw(300 << 10))];
        let refused = store.write_events(change(None, large), NOW).await;
        assert!(matches!(refused, Err(Error::Refused(_))) && count().await == 0, "{refused:?}");
        // The second mailbox no longer exists.
        let mails = vec![(ada.owner, raw(10)), (Mailbox(999_999), raw(11)), (ada.owner, raw(12))];
        store.write_events(change(None, mails), NOW).await.expect("the change is stored");
        assert_eq!(count().await, 2);
    }

    /// Point 9: the comparison and the write are one transaction.
    async fn point_9_an_entry_that_was_written_since_is_not_replaced(store, place) {
        let ada = calendar(store, "ada@example.org").await;
        let first = write(store, single(&ada, "lunch", 100, 200)).await;
        let change = |replaces| EventWrite {
            entries: vec![NewEntry {
                replaces,
                event: EventRef::Stored(first.event),
                ..single(&ada, "lunch", 300, 400)
            }],
            ..EventWrite::default()
        };
        store.write_events(change(Some(first.changed)), NOW).await.expect("no write in the meantime");
        for replaces in [Some(first.changed), None] {
            let refused = store.write_events(change(replaces), NOW).await;
            assert!(matches!(refused, Err(Error::Outdated)), "{refused:?}");
        }
        let expecting = EventWrite {
            expected: vec![(ada.number, "lunch".to_owned(), first.changed)],
            new_events: vec![String::new()],
            entries: vec![single(&ada, "other", 1, 2)],
            ..EventWrite::default()
        };
        let refused = store.write_events(expecting, NOW).await;
        assert!(matches!(refused, Err(Error::Outdated)), "{refused:?}");
        assert_eq!(read(store, ada.number, "lunch").await.span.first, 300);
        assert_eq!(store.entries(ada.number, vec!["other".to_owned()]).await.expect("entries are read"), [None]);
    }

    async fn a_change_based_on_exceptions_fails_after_another_one(store, place) {
        let ada = calendar(store, "ada@example.org").await;
        let exception = |id: &str| NewEntry {
            kind: EntryKind::Exception { series: "weekly".to_owned(), original: 100 },
            ..single(&ada, id, 100, 200)
        };
        let first = write(store, exception("first")).await;
        let change = |last| EventWrite {
            read_exceptions: vec![(ada.number, "weekly".to_owned(), last)],
            new_events: vec![String::new()],
            entries: vec![single(&ada, "other", 1, 2)],
            ..EventWrite::default()
        };
        write(store, single(&ada, "lunch", 100, 200)).await;
        let second = write(store, exception("second")).await;
        for last in [HistoryId(0), first.changed] {
            let refused = store.write_events(change(last), NOW).await;
            assert!(matches!(refused, Err(Error::Outdated)), "{refused:?}");
        }
        store.write_events(change(second.changed), NOW).await.expect("no exception in the meantime");
    }

    /// Point 61: the shared data of copies is stored once.
    async fn point_61_copies_share_one_event(store, place) {
        let (ada, ben) = (calendar(store, "ada@example.org").await, calendar(store, "ben@example.org").await);
        let both = EventWrite {
            new_events: vec!["shared".to_owned()],
            entries: vec![single(&ben, "lunch", 1, 2), single(&ada, "lunch", 1, 2)],
            ..EventWrite::default()
        };
        let changes = store.write_events(both, NOW).await.expect("the entries are stored");
        assert_eq!(changes.len(), 2);
        let event = read(store, ada.number, "lunch").await.event;
        let write = EventWrite { events: vec![(event, "changed".to_owned())], ..EventWrite::default() };
        store.write_events(write, NOW).await.expect("the event is stored");
        let copies = store.event_entries(event).await.expect("copies are read");
        assert_eq!(copies.iter().map(|copy| (copy.calendar, &*copy.shared)).collect::<Vec<_>>(), [
            (ada.number, "changed"),
            (ben.number, "changed"),
        ]);
    }

    async fn entries_are_walked_in_every_order(store, place) {
        let ada = calendar(store, "ada@example.org").await;
        for (at, id) in ["c", "a", "e", "b", "d"].into_iter().enumerate() {
            let updated = minute(5 - at as u64);
            let uid = if at % 2 == 0 { "even" } else { "odd" }.to_owned();
            write(store, NewEntry { updated, uid, ..single(&ada, id, 1, 2) }).await;
        }
        assert_eq!(ids(store, &ada, EntryOrder::ById).await, ["a", "b", "c", "d", "e"]);
        assert_eq!(ids(store, &ada, EntryOrder::WithUid("even".to_owned())).await, ["c", "d", "e"]);
        assert_eq!(ids(store, &ada, EntryOrder::ByUpdate(minute(3))).await, ["e", "a", "c"]);
        let (start, end) = (ada.history.0, ada.history.0 + 5);
        assert_eq!(
            ids(store, &ada, EntryOrder::ByChange(HistoryId(start), HistoryId(end))).await,
            ["c", "a", "e", "b", "d"]
        );
        assert_eq!(ids(store, &ada, EntryOrder::ByChange(HistoryId(start + 1), HistoryId(end - 1))).await, ["a", "e", "b"]);
        for start in [start - 1, end + 1] {
            let walk = EntryOrder::ByChange(HistoryId(start), HistoryId(end));
            let query = EntryQuery { order: walk, after: None, epoch: None, search_mailbox: None, limit: 2 };
            let refused = store.list_entries(ada.number, query).await;
            assert!(matches!(refused, Err(Error::Expired(_))), "{refused:?}");
        }
    }

    /// Points 18 and 46: cancelled entries are listed until they are deleted; after that a full sync is required.
    async fn point_18_tombstones_are_forgotten_after_the_retention(store, place) {
        let ada = calendar(store, "ada@example.org").await;
        let (kept, gone) = (write(store, single(&ada, "kept", 1, 2)).await, write(store, single(&ada, "gone", 1, 2)).await);
        let cancelled = NewEntry {
            replaces: Some(gone.changed),
            event: EventRef::Stored(gone.event),
            state: EntryState::Cancelled,
            removed: Some(NOW),
            ..single(&ada, "gone", 1, 2)
        };
        let write = EventWrite { entries: vec![cancelled], ..EventWrite::default() };
        store.write_events(write, NOW).await.expect("the entry is cancelled");
        let now = store.calendars(None).await.expect("calendars are listed").remove(0).history;
        let days = |days: u64| NOW.saturating_add(Duration::from_secs(days * 24 * 60 * 60));
        assert_eq!(store.clean_up(days(7)).await.expect("a round").entries, 0);
        assert_eq!(store.clean_up(days(9)).await.expect("a round").entries, 1);
        assert_eq!(ids(store, &ada, EntryOrder::ById).await, ["kept"]);
        assert!(store.event_entries(gone.event).await.expect("copies are read").is_empty());
        let after = store.calendars(None).await.expect("calendars are listed").remove(0);
        assert_eq!((after.oldest_change, after.pruned_until), (now, NOW));
        let walk = EntryOrder::ByChange(kept.changed, now);
        let query = EntryQuery { order: walk, after: None, epoch: None, search_mailbox: None, limit: 2 };
        assert!(matches!(store.list_entries(ada.number, query).await, Err(Error::Expired(_))));
    }

    /// A restore invalidates all change numbers that clients hold.
    async fn point_44_a_new_epoch_ends_what_readers_hold(store, place) {
        let ada = calendar(store, "ada@example.org").await;
        let lunch = write(store, single(&ada, "lunch", 1, 2)).await;
        let before = store.epoch().await.expect("an epoch");
        store.begin_epoch().await.expect("a new epoch");
        let walk = EntryOrder::ByChange(lunch.changed, lunch.changed);
        let mut query = EntryQuery { order: walk, after: None, epoch: None, search_mailbox: None, limit: 2 };
        assert!(matches!(store.list_entries(ada.number, query.clone()).await, Err(Error::Expired(_))));
        query.epoch = Some(before);
        assert!(matches!(store.list_entries(ada.number, query).await, Err(Error::EpochEnded)));
        let query = WindowQuery { from: 0, to: 9, overlapping: true, epoch: Some(before), search_mailbox: None, limit: 2 };
        assert!(matches!(store.read_window(ada.number, query).await, Err(Error::EpochEnded)));
        assert_eq!(read(store, ada.number, "lunch").await.shared.as_ref(), "body of lunch");
    }

    /// Point 93: a job is stored with the change that requires it, and stays until it has ended.
    async fn point_93_jobs_are_due_until_they_are_ended(store, place) {
        let ada = calendar(store, "ada@example.org").await;
        let mut write = EventWrite { new_events: vec![String::new()], ..EventWrite::default() };
        write.entries = vec![single(&ada, "lunch", 1, 2)];
        write.jobs = vec![(ada.number, "lunch".to_owned(), minute(1)), (ada.number, "other".to_owned(), minute(2))];
        store.write_events(write.clone(), NOW).await.expect("the entry is stored");
        assert!(matches!(store.write_events(write, NOW).await, Err(Error::Outdated)), "the entry is there");
        let due = async |at| store.due_jobs(at, 10).await.expect("jobs are read");
        assert!(due(NOW).await.is_empty());
        let both = due(minute(2)).await;
        assert_eq!(both.iter().map(|job| job.id.as_str()).collect::<Vec<_>>(), ["lunch", "other"]);
        store.end_job(both[0].number, Some(minute(9))).await.expect("it is delayed");
        store.end_job(both[1].number, None).await.expect("it is ended");
        assert!(due(minute(8)).await.is_empty());
        assert_eq!(due(minute(9)).await, both[..1]);
    }
}
