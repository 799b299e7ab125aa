//! Tests of channels and their messages.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use wireform_store::{
    AnyStore, Calendar, Calendars as _, Channel, ChannelNumber, ChannelToken, Channels as _, EntryKind, EntryState,
    EventRef, EventWrite, Events as _, LeaseQuery, LeasedMessage, Mailbox, Maintenance as _, MessageOutcome, Millis,
    NewChannel, NewEntry, Span,
};

use crate::place::on_each_database;
use crate::support::{NOW, mailbox, minute};

/// Duration of the leases in these tests.
const LEASE: Duration = Duration::from_secs(30);

pub(crate) async fn calendar(store: &AnyStore, address: &str) -> Calendar {
    let of = mailbox(store, address).await;
    store.calendars(Some(of)).await.expect("calendars are listed").remove(0)
}

pub(crate) fn new(calendar: &Calendar, user: Mailbox, id: &str) -> NewChannel {
    NewChannel {
        user,
        id: id.to_owned(),
        calendar: calendar.number,
        resource_id: "resource".to_owned(),
        resource_uri: "https://example.org/events".to_owned(),
        url: "https://example.com/hook".to_owned(),
        token: Some(ChannelToken::new("s3cret")),
        filter: "{}".to_owned(),
        expires: minute(60 * 24),
    }
}

pub(crate) async fn open(store: &AnyStore, calendar: &Calendar, id: &str) {
    store.open_channel(new(calendar, calendar.owner, id), NOW).await.expect("the channel is opened");
}

async fn change(store: &AnyStore, calendar: &Calendar, id: &str, now: Millis) {
    let entry = NewEntry {
        calendar: calendar.number,
        id: id.to_owned(),
        replaces: None,
        event: EventRef::New(0),
        updated: now,
        state: EntryState::Present,
        removed: None,
        uid: id.to_owned(),
        kind: EntryKind::Single,
        span: Span { first: 1, last: 2 },
        own: "{}".to_owned(),
    };
    let write = EventWrite { new_events: vec!["{}".to_owned()], entries: vec![entry], ..EventWrite::default() };
    store.write_events(write, now).await.expect("the entry is stored");
}

pub(crate) fn due(now: Millis, machine: Millis) -> LeaseQuery {
    LeaseQuery {
        now,
        system_time: machine,
        until: machine.saturating_add(LEASE),
        limit: 10,
        max_per_user: 10,
        held: BTreeMap::new(),
    }
}

pub(crate) async fn lease(store: &AnyStore, now: Millis) -> Vec<LeasedMessage> {
    let waits = store.has_due_messages(now, now).await.expect("channels are read");
    let leased = store.lease_messages(due(now, now)).await.expect("messages are leased");
    assert_eq!(waits, !leased.is_empty(), "the first query shows whether a message is due");
    leased
}

async fn lease_one(store: &AnyStore, now: Millis) -> LeasedMessage {
    let mut leased = lease(store, now).await;
    assert_eq!(leased.len(), 1, "{leased:?}");
    leased.remove(0)
}

async fn settle(store: &AnyStore, message: &LeasedMessage, outcome: MessageOutcome, now: Millis) -> bool {
    store.settle_message(message.key, outcome, now).await.expect("the message is settled")
}

fn done() -> MessageOutcome {
    MessageOutcome::Done("204".to_owned())
}

async fn only(store: &AnyStore) -> Channel {
    let mut channels = store.channels(None).await.expect("channels are listed");
    assert_eq!(channels.len(), 1, "{channels:?}");
    channels.remove(0)
}

pub(crate) async fn ids(store: &AnyStore, of: Option<Mailbox>) -> Vec<String> {
    store.channels(of).await.expect("channels are listed").into_iter().map(|channel| channel.settings.id).collect()
}

/// Sends messages until none was due for some time; returns the channels and numbers that were sent.
async fn send_until_idle(sender: AnyStore) -> Vec<(ChannelNumber, u64)> {
    let (mut sent, mut idle) = (Vec::new(), 0);
    while idle < 50 {
        let leased = sender.lease_messages(LeaseQuery { limit: 2, ..due(NOW, NOW) }).await.expect("leased");
        idle = if leased.is_empty() { idle + 1 } else { 0 };
        for message in leased {
            sent.push((message.channel.number, message.channel.message));
            tokio::task::yield_now().await;
            assert!(settle(&sender, &message, done(), NOW).await);
        }
        tokio::task::yield_now().await;
    }
    sent
}

on_each_database! {
    async fn messages_follow_one_another_and_each_stands_for_all_changes_before_it(store, place) {
        let ada = calendar(store, "ada@example.org").await;
        open(store, &ada, "c").await;
        let first = lease_one(store, NOW).await;
        assert_eq!((first.channel.message, first.channel.attempts, first.channel.is_sending), (1, 0, true));
        assert_eq!(first.channel.settings, new(&ada, ada.owner, "c"));
        assert!(!format!("{first:?}").contains("s3cret"));
        change(store, &ada, "a", minute(1)).await;
        change(store, &ada, "b", minute(2)).await;
        assert!(lease(store, NOW.saturating_add(LEASE / 2)).await.is_empty(), "one message of a channel at a time");
        assert!(settle(store, &first, done(), minute(3)).await);
        assert!(!settle(store, &first, done(), minute(3)).await, "it is settled once");
        let second = lease_one(store, minute(3)).await;
        assert_eq!((second.channel.message, second.channel.attempts), (2, 0));
        assert_eq!(second.changes.0, ada.history);
        assert_eq!(second.changes.1.0, ada.history.0 + 2, "both changes");
        assert!(settle(store, &second, done(), minute(4)).await);
        assert!(lease(store, minute(600)).await.is_empty(), "nothing has changed since");
        let channel = only(store).await;
        assert_eq!((channel.message, channel.is_sending, channel.attempts, channel.due), (2, false, 1, None));
        let last = channel.last_attempt.expect("an attempt");
        assert_eq!((last.at, last.message, last.outcome.as_str()), (minute(4), 2, "204"));
        change(store, &ada, "c", minute(5)).await;
        assert_eq!(lease_one(store, minute(5)).await.channel.message, 3);
    }

    /// A receiver treats a repeated number as the message that it knows: later changes get a new number.
    async fn a_message_that_is_tried_again_keeps_its_number_and_its_changes(store, place) {
        let ada = calendar(store, "ada@example.org").await;
        open(store, &ada, "c").await;
        let first = lease_one(store, NOW).await;
        let later = MessageOutcome::Retry("503".to_owned(), minute(10));
        assert!(settle(store, &first, later, minute(1)).await);
        change(store, &ada, "a", minute(2)).await;
        assert!(lease(store, minute(9)).await.is_empty(), "a change does not shorten a delay");
        let channel = only(store).await;
        assert_eq!((channel.attempts, channel.due, channel.is_sending), (1, Some(minute(10)), true));
        let again = lease_one(store, minute(10)).await;
        assert_eq!((again.channel.message, again.channel.attempts, again.changes), (1, 1, first.changes));
        assert!(settle(store, &again, done(), minute(10)).await);
        let second = lease_one(store, minute(10)).await;
        assert_eq!((second.channel.message, second.changes.1.0), (2, ada.history.0 + 1));
    }

    async fn what_a_sender_has_left_is_taken_over_when_its_lease_ends(store, place) {
        let ada = calendar(store, "ada@example.org").await;
        open(store, &ada, "c").await;
        let lost = lease_one(store, NOW).await;
        let early = due(minute(60), Millis(NOW.saturating_add(LEASE).0 - 1));
        assert!(store.lease_messages(early).await.expect("messages are leased").is_empty(), "leases use the clock of the machine");
        let taken = lease_one(store, NOW.saturating_add(LEASE)).await;
        assert_eq!((taken.channel.message, taken.channel.attempts), (1, 0));
        assert_ne!(taken.key, lost.key);
        assert!(!settle(store, &lost, MessageOutcome::Retry("503".to_owned(), minute(9)), minute(1)).await);
        assert!(settle(store, &taken, done(), minute(1)).await);
        assert_eq!(only(store).await.due, None);
    }

    async fn a_message_with_nothing_to_announce_leaves_its_number_to_the_next(store, place) {
        let ada = calendar(store, "ada@example.org").await;
        open(store, &ada, "c").await;
        settle(store, &lease_one(store, NOW).await, done(), NOW).await;
        change(store, &ada, "a", NOW).await;
        let skipped = lease_one(store, NOW).await;
        assert_eq!(skipped.channel.message, 2);
        change(store, &ada, "b", NOW).await;
        assert!(settle(store, &skipped, MessageOutcome::Skipped, NOW).await);
        let next = lease_one(store, NOW).await;
        assert_eq!((next.channel.message, next.changes.0), (2, skipped.changes.1));
    }

    /// Numbers that were sent before the restore are not sent again, and every client needs a full sync.
    async fn a_new_epoch_is_announced_with_numbers_above_all_before(store, place) {
        let ada = calendar(store, "ada@example.org").await;
        open(store, &ada, "c").await;
        settle(store, &lease_one(store, NOW).await, done(), NOW).await;
        store.begin_epoch().await.expect("an epoch begins");
        let message = lease_one(store, NOW).await;
        assert_eq!(message.channel.message, 1_000_002);
        assert!(settle(store, &message, done(), NOW).await);
        assert!(lease(store, minute(1)).await.is_empty());
    }

    /// Writers run while two senders have the same store open: no number is sent twice, numbers are consecutive, and
    /// the last change is announced.
    async fn several_senders_and_writers_lose_nothing_and_send_nothing_twice(store, place) {
        let mut calendars = Vec::new();
        for number in 0..3 {
            let calendar = calendar(store, &format!("user{number}@example.org")).await;
            for id in ["a", "b"] {
                open(store, &calendar, id).await;
            }
            calendars.push(calendar);
        }
        let mut tasks = Vec::new();
        for calendar in calendars.clone() {
            let store = store.clone();
            tasks.push(tokio::spawn(async move {
                for number in 0..20 {
                    change(&store, &calendar, &format!("e{number}"), NOW).await;
                }
                Vec::new()
            }));
        }
        let others = [place.store().await, place.store().await];
        for sender in others.iter().flat_map(|store| [store.clone(), store.clone()]) {
            tasks.push(tokio::spawn(send_until_idle(sender)));
        }
        let mut sent = Vec::new();
        for task in tasks {
            sent.extend(task.await.expect("no task fails"));
        }
        for message in lease(store, NOW).await {
            sent.push((message.channel.number, message.channel.message));
            assert!(settle(store, &message, done(), NOW).await);
        }
        let distinct: BTreeSet<_> = sent.iter().copied().collect();
        assert_eq!(distinct.len(), sent.len(), "a number was sent twice: {sent:?}");
        assert!(lease(store, NOW).await.is_empty());
        for channel in store.channels(None).await.expect("channels are listed") {
            let of = sent.iter().filter(|(number, _)| *number == channel.number).count();
            assert_eq!((of as u64, channel.due), (channel.message, None), "numbers from 1 on, without gaps");
            change(store, calendars.iter().find(|one| one.number == channel.settings.calendar).expect("it is there"),
                &format!("last{}", channel.number.0), NOW).await;
        }
        assert_eq!(lease(store, NOW).await.len(), 6);
        for other in others {
            other.close().await;
        }
    }
}
