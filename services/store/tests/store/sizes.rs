//! Tests of reads that end by the size of what they have read.

use std::sync::Arc;

use wireform_store::{
    AnyStore, Calendar, ChangeSize, EntryKind, EntryOrder, EntryQuery, EventWrite, Events as _, FileKind, HistoryQuery,
    Label, Mailboxes as _, NewEntry, NewFile, NewMessage, ScriptContent, Scripts as _, WindowQuery,
};

use crate::events::{calendar, single};
use crate::place::on_each_database;
use crate::scripts::project;
use crate::support::{NOW, current, labels, mail, mailbox, named, query};

/// Size of the content of an event: what is read at once has room for two of them, and the beginning of a third.
const SIZE: usize = 200 << 10;

async fn write_entry(store: &AnyStore, entry: NewEntry) {
    let write = EventWrite { new_events: vec!["x".repeat(SIZE)], entries: vec![entry], ..EventWrite::default() };
    store.write_events(write, NOW).await.expect("the entry is stored");
}

/// Writes ten entries that start in the same second.
async fn ten(store: &AnyStore, calendar: &Calendar) {
    for number in 0..10 {
        write_entry(store, single(calendar, &format!("event{number}"), 100, 200)).await;
    }
}

on_each_database! {
    async fn lists_and_entries_end_by_size(store, place) {
        let ada = calendar(store, "ada@example.org").await;
        ten(store, &ada).await;
        let query =
            EntryQuery { order: EntryOrder::ById, after: None, epoch: None, search_mailbox: None, limit: 250 };
        let page = store.list_entries(ada.number, query.clone()).await.expect("a page");
        assert_eq!((page.entries.len(), page.has_more), (3, true));
        assert!(page.entries.iter().all(|entry| entry.shared.len() == SIZE));
        let query = EntryQuery { after: Some((0, "event7".to_owned())), ..query };
        let page = store.list_entries(ada.number, query).await.expect("a page");
        assert_eq!((page.entries.len(), page.has_more), (2, false));
        let ids: Vec<String> = ["event9", "missing", "event1", "event2", "missing", "event3"].map(str::to_owned).into();
        let some = store.some_entries(ada.number, ids.clone()).await.expect("entries");
        let found: Vec<Option<&str>> = some.iter().map(|entry| entry.as_ref().map(|entry| entry.id.as_str())).collect();
        assert_eq!(found, [Some("event9"), None, Some("event1"), Some("event2"), None]);
        let all = store.entries(ada.number, ids).await.expect("entries");
        assert_eq!(all.len(), 6);
    }

    async fn a_window_reads_the_content_of_some_entries(store, place) {
        let ada = calendar(store, "ada@example.org").await;
        ten(store, &ada).await;
        let query = WindowQuery { from: 0, to: 1_000, overlapping: true, epoch: None, search_mailbox: None, limit: 100 };
        let window = store.read_window(ada.number, query).await.expect("a window");
        assert_eq!((window.to, window.entries.len(), window.heads.len()), (1_000, 3, 7));
        assert!(window.heads.iter().all(|head| (head.span.first, head.original) == (100, None)));
        let heads = window.heads.iter().map(|head| head.id.clone());
        let mut all: Vec<String> = window.entries.iter().map(|entry| entry.id.clone()).chain(heads).collect();
        all.sort();
        assert_eq!(all, (0..10).map(|number| format!("event{number}")).collect::<Vec<_>>());
    }

    async fn heads_of_exceptions_are_read_without_their_content(store, place) {
        let ada = calendar(store, "ada@example.org").await;
        for original in [900, 700, 800] {
            let kind = EntryKind::Exception { series: "weekly".to_owned(), original };
            write_entry(store, NewEntry { kind, ..single(&ada, &format!("weekly_{original}"), 1_000, 1_100) }).await;
        }
        let heads = store.exception_heads(ada.number, "weekly", 2).await.expect("heads");
        let heads: Vec<_> = heads.iter().map(|head| (head.id.as_str(), head.original, head.span.first)).collect();
        assert_eq!(heads, [("weekly_700", Some(700), 1_000), ("weekly_800", Some(800), 1_000)]);
    }

    async fn entries_are_read_up_to_a_size_and_otherwise_measured(store, place) {
        let (ada, ben) = (calendar(store, "ada@example.org").await, calendar(store, "ben@example.org").await);
        let own = |calendar, id: &str, own: &str| NewEntry { own: own.to_owned(), ..single(calendar, id, 100, 200) };
        let series = own(&ada, "weekly", "ä");
        let copy = NewEntry { event: series.event, ..own(&ben, "weekly", "own") };
        let entries = vec![series, copy];
        let write = EventWrite { new_events: vec!["ö".repeat(SIZE)], entries, ..EventWrite::default() };
        store.write_events(write, NOW).await.expect("the event is stored");
        for original in [700, 800] {
            let kind = EntryKind::Exception { series: "weekly".to_owned(), original };
            write_entry(store, NewEntry { kind, ..own(&ada, &format!("weekly_{original}"), "12345") }).await;
        }
        let size = ChangeSize { event: 2 * SIZE as u64 + 2 + 3, exceptions: 2 * (SIZE as u64 + 5) };
        let ids = vec!["weekly".to_owned(), "missing".to_owned()];
        let within = async |max| store.entries_within(ada.number, ids.clone(), max).await.expect("a size");
        assert_eq!(within(size.event - 1).await, (size, None));
        let (measured, found) = within(size.event).await;
        let found = found.expect("entries");
        assert_eq!((measured, found.len(), found[1].is_none()), (size, 2, true));
        // Copies have the same data, which are read once.
        let copies = store.event_entries(found[0].as_ref().expect("an entry").event).await.expect("copies");
        assert_eq!((copies.len(), &*copies[0].shared), (2, &*"ö".repeat(SIZE)));
        assert!(Arc::ptr_eq(&copies[0].shared, &copies[1].shared));
    }

    async fn the_size_of_large_content_is_returned_in_its_place(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let of = project(store, ada).await;
        let file = |name: &str, source: String| {
            NewFile { name: name.to_owned(), kind: FileKind::Script, source, functions: Some("[]".to_owned()) }
        };
        let files = vec![file("a", "ä".repeat(500)), file("b", "x".repeat(1_000))];
        store.replace_content(of.number, files, ada, NOW).await.expect("content is replaced");
        let within = async |max| store.content_within((of.number, None), max).await.expect("content").expect("it is there");
        assert_eq!(within(2_003).await, ScriptContent::Size(2_004));
        assert!(matches!(within(2_004).await, ScriptContent::Files(files) if files.len() == 2));
        assert_eq!(store.content_within((of.number, Some(7)), 0).await.expect("no error"), None);
    }

    async fn a_page_of_the_history_ends_with_many_labels(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let batch: Vec<NewMessage> = (0..1_000).map(|_| mail("", &[], NOW)).collect();
        let stored = store.insert_messages(ada, batch, NOW).await.expect("stored");
        let ids: Vec<_> = stored.iter().map(|message| message.id).collect();
        let mut many: Vec<Label> = Vec::new();
        for number in 0..50 {
            many.push(store.add_label(ada, named(&format!("label {number}"))).await.expect("a label").label);
        }
        let start = current(store, ada).await;
        for round in 0..4 {
            let edit = if round % 2 == 0 { labels(&many, &[]) } else { labels(&[], &many) };
            store.edit_messages(ada, ids.clone(), edit, NOW).await.expect("edited");
        }
        // A change counts thirteen times, for fifty new labels and fifty after it, or seven times, for fifty that are gone. Each
        // edit has thirteen records, of up to 4,000 labels.
        let page = store.history(ada, HistoryQuery { limit: 500, ..query(start) }).await.expect("a page");
        assert_eq!((page.records.len(), page.next.is_some()), (26, true));
    }
}
