//! Tests of UIDs that must be new to a calendar.

use wireform_store::{
    Accounts as _, AnyStore, Calendar, Calendars as _, EntryKind, EntryOrder, EntryQuery, EntryState, Error, EventRef,
    EventWrite, Events as _, NewEntry, Span,
};

use crate::place::on_each_database;
use crate::support::NOW;

const UID: &str = "lunch@example.org";

async fn calendar(store: &AnyStore) -> Calendar {
    let ada = store.add_user("ada@example.org", "Ada", NOW).await.expect("the user is new").mailbox;
    store.calendars(Some(ada)).await.expect("calendars are listed").remove(0)
}

fn entry(calendar: &Calendar, id: &str, kind: EntryKind) -> NewEntry {
    NewEntry {
        calendar: calendar.number,
        id: id.to_owned(),
        replaces: None,
        event: EventRef::New(0),
        updated: NOW,
        state: EntryState::Present,
        removed: None,
        uid: UID.to_owned(),
        kind,
        span: Span { first: 1, last: 2 },
        own: "{}".to_owned(),
    }
}

fn change(entry: NewEntry, is_new: bool) -> EventWrite {
    let new_uids = if is_new { vec![(entry.calendar, UID.to_owned())] } else { Vec::new() };
    EventWrite { new_uids, new_events: vec!["{}".to_owned()], entries: vec![entry], ..EventWrite::default() }
}

on_each_database! {
    async fn of_those_who_write_at_once_one_finds_an_identifier_new(store, place) {
        let ada = calendar(store).await;
        let mut tasks = Vec::new();
        for number in 0..8 {
            let (store, ada) = (store.clone(), ada.clone());
            tasks.push(tokio::spawn(async move {
                let new = entry(&ada, &format!("event{number}"), EntryKind::Single);
                store.write_events(change(new, true), NOW).await
            }));
        }
        let mut stored = 0;
        for task in tasks {
            match task.await.expect("the task ends") {
                Ok(_) => stored += 1,
                Err(Error::Outdated) => {}
                Err(error) => panic!("{error}"),
            }
        }
        assert_eq!(stored, 1);
        let walk = EntryOrder::WithUid(UID.to_owned());
        let query = EntryQuery { order: walk, after: None, epoch: None, search_mailbox: None, limit: 10 };
        assert_eq!(store.list_entries(ada.number, query).await.expect("entries").entries.len(), 1);
    }

    async fn exceptions_and_those_who_do_not_ask_are_let_by(store, place) {
        let ada = calendar(store).await;
        let exception = EntryKind::Exception { series: "weekly".to_owned(), original: 700 };
        for (id, kind, is_new) in
            [("aaaaa", exception, false), ("bbbbb", EntryKind::Single, true), ("ccccc", EntryKind::Single, false)]
        {
            store.write_events(change(entry(&ada, id, kind), is_new), NOW).await.expect("the entry is stored");
        }
        let refused = store.write_events(change(entry(&ada, "ddddd", EntryKind::Single), true), NOW).await;
        assert!(matches!(refused, Err(Error::Outdated)), "{refused:?}");
    }
}
