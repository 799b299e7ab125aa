//! Tests of sending notifications on channels.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use calendar_server::runtime::tokens::TokenSealer;
use serde_json::json;
use wireform_calendar::{Backoff, CalendarService, CallbackClient};
use wireform_store::{Access, Backend, Channels as _, Clock, Operation, Result, SearchScheduler, Sqlite};

use crate::desk::{hour, with};
use crate::hook::{change, notify, open};

fn sync_and(numbers: std::ops::RangeInclusive<u64>) -> Vec<(u64, String)> {
    let sync = (1, "sync".to_owned());
    std::iter::once(sync).chain(numbers.map(|number| (number, "exists".to_owned()))).collect()
}

#[tokio::test]
async fn changes_are_announced_after_the_first_message_in_the_order_of_numbers() {
    let (desk, hook) = open().await;
    hook.watch(&desk, "c", "").await;
    change(&desk, "begin").await;
    notify(&desk).await;
    assert_eq!(hook.of("c"), sync_and(2..=2), "a change before the first message has a separate notification");
    notify(&desk).await;
    change(&desk, "one00").await;
    desk.patch("/one00", json!({ "summary": "Two" })).await.ok();
    desk.patch("/one00", json!({ "summary": "Two" })).await.ok();
    desk.delete("/one00").await;
    notify(&desk).await;
    assert_eq!(hook.of("c"), sync_and(2..=3), "several changes share one notification");
    desk.ben().insert(hour(2, 9, "Elsewhere")).await;
    notify(&desk).await;
    assert_eq!(hook.numbers("c").len(), 3);
    // An invitation changes the calendar of the guest.
    let guests = json!({ "attendees": [{ "email": "ana@example.com" }] });
    desk.ben().insert(with(hour(2, 9, "Lunch"), guests)).await;
    notify(&desk).await;
    assert_eq!(hook.of("c"), sync_and(2..=4));
}

#[tokio::test]
async fn filters_of_the_watch_are_obeyed() {
    let (desk, hook) = open().await;
    hook.watch(&desk, "focus", "?eventTypes=focusTime&eventTypes=outOfOffice").await;
    hook.watch(&desk, "uid", "?iCalUID=lunch%40example.com").await;
    hook.watch(&desk, "all", "?q=nothing").await;
    notify(&desk).await;
    change(&desk, "plain").await;
    notify(&desk).await;
    assert_eq!([hook.numbers("focus"), hook.numbers("uid"), hook.numbers("all")], [vec![1], vec![1], vec![1, 2]]);
    let focus = json!({ "id": "focus", "eventType": "focusTime", "focusTimeProperties": {} });
    desk.insert(with(hour(3, 9, "Focus"), focus)).await;
    notify(&desk).await;
    desk.post("/import", with(hour(3, 9, "Lunch"), json!({ "iCalUID": "lunch@example.com" }))).await.ok();
    notify(&desk).await;
    desk.delete("/focus").await;
    notify(&desk).await;
    assert_eq!(hook.of("focus"), sync_and(2..=3), "numbers have no gaps");
    assert_eq!(hook.of("uid"), sync_and(2..=2));
    assert_eq!(hook.of("all"), sync_and(2..=5));
}

#[tokio::test]
async fn what_may_arrive_later_is_tried_again_and_nothing_overtakes_it() {
    let (desk, hook) = open().await;
    hook.watch(&desk, "c", "").await;
    hook.set_statuses(&[500, 502, 503, 504]);
    for attempt in 1..=4_u32 {
        notify(&desk).await;
        assert_eq!(hook.numbers("c"), vec![1; attempt as usize]);
        change(&desk, &format!("event{attempt}")).await;
        notify(&desk).await;
        assert_eq!(hook.numbers("c").len(), attempt as usize, "the delay is respected");
        desk.clock.advance(Duration::from_secs(1 << attempt));
    }
    notify(&desk).await;
    assert_eq!(hook.numbers("c"), [1, 1, 1, 1, 1, 2], "changes meanwhile share one notification afterwards");
}

#[tokio::test]
async fn what_is_refused_is_not_tried_again() {
    let (desk, hook) = open().await;
    hook.watch(&desk, "c", "").await;
    notify(&desk).await;
    for (number, status) in [(2, 301), (3, 302), (4, 307), (5, 400), (6, 403), (7, 404), (8, 410), (9, 429), (10, 203)]
    {
        hook.set_statuses(&[status]);
        change(&desk, &format!("event{number}")).await;
        notify(&desk).await;
        desk.clock.advance(Duration::from_secs(3_600));
        notify(&desk).await;
        assert_eq!(hook.numbers("c").last(), Some(&number), "{status}");
        assert_eq!(hook.numbers("c").len() as u64, number, "no redirect is followed, and nothing is sent twice");
        assert_eq!(
            desk.store.channels(None).await.unwrap()[0].last_attempt.as_ref().unwrap().outcome,
            status.to_string()
        );
    }
}

#[tokio::test]
async fn attempts_come_to_an_end_and_the_next_change_has_some_of_its_own() {
    let (desk, hook) = open().await;
    let backoff = Backoff { attempts: 3, ..Backoff::default() };
    let desk = desk.with_service(|service| service.with_backoff(backoff));
    hook.watch(&desk, "c", "").await;
    hook.set_statuses(&[503; 3]);
    for _ in 0..6 {
        notify(&desk).await;
        desk.clock.advance(Duration::from_secs(3_600));
    }
    assert_eq!(hook.numbers("c"), [1, 1, 1]);
    change(&desk, "later").await;
    notify(&desk).await;
    assert_eq!(hook.numbers("c"), [1, 1, 1, 2]);
}

/// A killed sender leaves a leased message. When its lease expires, another sender sends the same message.
#[tokio::test]
async fn a_sender_that_is_killed_loses_nothing() {
    let (desk, hook) = open().await;
    hook.watch(&desk, "c", "").await;
    notify(&desk).await;
    let mut expected = vec![1];
    let machine = Clock::system();
    for round in 0..3_u64 {
        change(&desk, &format!("event{round}")).await;
        hook.gate.forget_permits(tokio::sync::Semaphore::MAX_PERMITS);
        let service = desk.service.clone().with_lease_clock(machine.clone());
        let killed = tokio::spawn(async move { service.send_notifications().await });
        while hook.numbers("c").len() == expected.len() {
            tokio::task::yield_now().await;
        }
        killed.abort();
        assert!(killed.await.unwrap_err().is_cancelled());
        hook.gate.add_permits(tokio::sync::Semaphore::MAX_PERMITS);
        change(&desk, &format!("other{round}")).await;
        let next = desk.with_service(|service| service.with_lease_clock(machine.clone()));
        assert_eq!(next.service.send_notifications().await.unwrap(), 0, "the lease is valid");
        machine.advance(Duration::from_secs(60));
        notify(&next).await;
        let last = *expected.last().unwrap();
        expected.extend([last + 1, last + 1, last + 2]);
        assert_eq!(hook.numbers("c"), expected);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn senders_side_by_side_send_each_message_once() {
    let (desk, hook) = open().await;
    for id in ["a", "b", "c"] {
        hook.watch(&desk, id, "").await;
    }
    let (stop, stopped) = tokio::sync::watch::channel(false);
    let senders: Vec<_> = (0..3)
        .map(|_| {
            let (service, mut stopped) = (desk.service.clone(), stopped.clone());
            tokio::spawn(async move {
                service.keep_sending_notifications(async move { drop(stopped.wait_for(|stop| *stop).await) }).await;
            })
        })
        .collect();
    for number in 0..10 {
        change(&desk, &format!("event{number}")).await;
        notify(&desk).await;
    }
    stop.send(true).unwrap();
    for sender in senders {
        sender.await.unwrap();
    }
    notify(&desk).await;
    for id in ["a", "b", "c"] {
        let numbers = hook.numbers(id);
        let expected: Vec<u64> = (1..=numbers.len() as u64).collect();
        assert_eq!(numbers, expected, "{id}");
    }
    assert!(
        desk.store.channels(None).await.unwrap().iter().all(|channel| channel.due.is_none() && !channel.is_sending)
    );
}

/// Store that counts writes.
#[derive(Clone)]
struct CountingStore(Sqlite, Arc<AtomicUsize>);

impl Backend for CountingStore {
    async fn perform<O: Operation>(&self, operation: O) -> Result<O::Output> {
        self.1.fetch_add(usize::from(O::ACCESS == Access::Write), Ordering::Relaxed);
        self.0.perform(operation).await
    }

    fn search_scheduler(&self) -> &SearchScheduler {
        self.0.search_scheduler()
    }
}

#[tokio::test]
async fn a_sender_writes_where_there_is_something_to_send() {
    let (desk, hook) = open().await;
    let store = CountingStore(desk.store.clone(), Arc::default());
    let service = CalendarService::new(store.clone(), TokenSealer::new([7; 32]), desk.clock.clone());
    let service = service.with_callback_client(CallbackClient::default().with_loopback(true));
    let writes = || store.1.load(Ordering::Relaxed);
    hook.watch(&desk, "c", "").await;
    assert_eq!((service.send_notifications().await.unwrap(), writes()), (1, 2), "a lease and its outcome");
    for _ in 0..3 {
        assert_eq!((service.send_notifications().await.unwrap(), writes()), (0, 2), "nothing is due");
    }
    change(&desk, "begin").await;
    assert_eq!((service.send_notifications().await.unwrap(), writes()), (1, 4));
}
