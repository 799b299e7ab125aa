//! Tests of finding calendar entries by time.

use wireform_store::{
    AnyStore, Calendar, ENDLESS, EntryKind, EventRef, EventWrite, Events as _, NewEntry, Window, WindowQuery, week_slot,
};

use crate::events::{calendar, read, series, single, write};
use crate::place::on_each_database;
use crate::support::NOW;

const DAY: i64 = 24 * 60 * 60;

async fn window(store: &AnyStore, calendar: &Calendar, from: i64, to: i64) -> Window {
    let query = WindowQuery { from, to, overlapping: true, epoch: None, search_mailbox: None, limit: 100 };
    store.read_window(calendar.number, query).await.expect("a window")
}

fn found(window: &Window) -> Vec<&str> {
    window.entries.iter().map(|entry| entry.id.as_str()).collect()
}

on_each_database! {
    /// Point 42: an event is in a window if it ends after the start of the window and starts before its end.
    async fn point_42_a_window_has_what_overlaps_it(store, place) {
        let ada = calendar(store, "ada@example.org").await;
        let at = 20_000 * DAY;
        for (id, first, last) in [
            ("before", at - DAY, at),
            ("into", at - 60, at + 1),
            ("days", at - 10 * DAY, at + DAY),
            ("years", at - 900 * DAY, at + 900 * DAY),
            ("within", at + 60, at + 120),
            ("after", at + 7 * DAY, at + 8 * DAY),
        ] {
            write(store, single(&ada, id, first, last)).await;
        }
        let week = window(store, &ada, at, at + 7 * DAY).await;
        assert_eq!(found(&week), ["years", "days", "into", "within"]);
        assert_eq!((week.to, week.first_start), (at + 7 * DAY, Some(at - 900 * DAY)));
        let query = WindowQuery { from: at, to: i64::MAX, overlapping: false, epoch: None, search_mailbox: None, limit: 1 };
        let starting = store.read_window(ada.number, query).await.expect("a window");
        assert_eq!((found(&starting), starting.to), (vec!["within"], at + 7 * DAY));
        let query = WindowQuery { from: i64::MIN, limit: 2, ..query };
        let some = store.read_window(ada.number, query).await.expect("a window");
        assert_eq!((found(&some), some.to), (vec!["years", "days", "before", "into"], at + 60));
    }

    async fn a_window_passes_over_series_of_other_weeks(store, place) {
        let ada = calendar(store, "ada@example.org").await;
        let at = 20_000 * DAY;
        let slot = week_slot(at);
        write(store, series(&ada, "any", 0, ENDLESS, &[])).await;
        write(store, series(&ada, "here", 0, ENDLESS, &[slot])).await;
        write(store, series(&ada, "elsewhere", 0, ENDLESS, &[(slot + 20) % 53])).await;
        write(store, series(&ada, "ended", 0, at - 1, &[])).await;
        write(store, series(&ada, "later", at + 30 * DAY, ENDLESS, &[])).await;
        let names = |window: &Window| window.series.iter().map(|series| series.id.clone()).collect::<Vec<_>>();
        assert_eq!(names(&window(store, &ada, at, at + DAY).await), ["any", "here"]);
        assert_eq!(names(&window(store, &ada, i64::MIN, i64::MAX).await).len(), 5);
        // Another rule has other slots, and the previous ones are removed.
        let stored = read(store, ada.number, "here").await;
        let mut moved = series(&ada, "here", 0, ENDLESS, &[(slot + 20) % 53]);
        moved.kind = EntryKind::Series { rule: "another".to_owned(), length: 60, slots: vec![(slot + 20) % 53] };
        let moved = NewEntry { replaces: Some(stored.changed), event: EventRef::Stored(stored.event), ..moved };
        store.write_events(EventWrite { entries: vec![moved], ..EventWrite::default() }, NOW).await.expect("stored");
        assert_eq!(names(&window(store, &ada, at, at + DAY).await), ["any"]);
    }

    async fn rules_beyond_the_memory_of_a_window_are_not_read(store, place) {
        let ada = calendar(store, "ada@example.org").await;
        for number in 0..8 {
            let id = format!("series{number}");
            // Found in two weeks.
            let mut entry = series(&ada, &id, 0, ENDLESS, &[week_slot(0), week_slot(7 * DAY)]);
            entry.kind = match entry.kind {
                EntryKind::Series { slots, .. } => EntryKind::Series { rule: "x".repeat(200 << 10), length: 60 + number, slots },
                other => other,
            };
            write(store, entry).await;
        }
        let window = window(store, &ada, 0, 10 * DAY).await;
        let rules = window.series.iter().filter(|series| series.rule.is_some()).count();
        assert_eq!((window.series.len(), rules), (8, 3), "half a mebibyte, and the rest of the last one");
    }
}
