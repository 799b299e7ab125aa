//! Tests of channels and their messages.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use wireform_store::{
    Accounts as _, AnyStore, Calendar, Calendars as _, Channel, ChannelToken, Channels as _, EntryKind, EntryState,
    Error, EventRef, EventWrite, Events as _, LeaseQuery, LeasedMessage, Mailbox, Maintenance as _, MessageOutcome,
    Millis, NewChannel, NewEntry, Role, Span,
};

use crate::place::on_each_database;
use crate::support::{NOW, mailbox, minute};

/// Duration of the leases in these tests.
const LEASE: Duration = Duration::from_secs(30);

async fn calendar(store: &AnyStore, address: &str) -> Calendar {
    let of = mailbox(store, address).await;
    store.calendars(Some(of)).await.expect("calendars are listed").remove(0)
}

fn new(calendar: &Calendar, user: Mailbox, id: &str) -> NewChannel {
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

async fn open(store: &AnyStore, calendar: &Calendar, id: &str) {
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

fn due(now: Millis, machine: Millis) -> LeaseQuery {
    LeaseQuery {
        now,
        system_time: machine,
        until: machine.saturating_add(LEASE),
        limit: 10,
        max_per_user: 10,
        held: BTreeMap::new(),
    }
}

async fn lease(store: &AnyStore, now: Millis) -> Vec<LeasedMessage> {
    let waits = store.has_due_messages(now, now).await.expect("channels are read");
    let leased = store.lease_messages(due(now, now)).await.expect("messages are leased");
    assert_eq!(waits, !leased.is_empty(), "who asks first learns whether there is something");
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

async fn ids(store: &AnyStore, of: Option<Mailbox>) -> Vec<String> {
    store.channels(of).await.expect("channels are listed").into_iter().map(|channel| channel.settings.id).collect()
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
        assert!(lease(store, minute(9)).await.is_empty(), "a change makes no pause shorter");
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
        assert!(store.lease_messages(early).await.expect("messages are leased").is_empty(), "leases go by the machine");
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

    async fn a_channel_is_of_its_user_and_of_one_name(store, place) {
        let (ada, ben) = (calendar(store, "ada@example.org").await, calendar(store, "ben@example.org").await);
        open(store, &ada, "c").await;
        open(store, &ben, "c").await;
        let taken = store.open_channel(new(&ada, ada.owner, "c"), NOW).await;
        assert!(matches!(taken, Err(Error::AlreadyExists { .. })), "{taken:?}");
        let hidden = store.open_channel(new(&ada, ben.owner, "d"), NOW).await;
        assert!(matches!(hidden, Err(Error::NotFound { .. })), "{hidden:?}");
        for (user, id, resource) in [(ada.owner, "x", "resource"), (ada.owner, "c", "other"), (Mailbox(99), "c", "resource")] {
            let unknown = store.stop_channel(user, id, resource, NOW).await;
            assert!(matches!(unknown, Err(Error::NotFound { .. })), "{unknown:?}");
        }
        store.stop_channel(ada.owner, "c", "resource", NOW).await.expect("it is stopped");
        assert!(matches!(store.stop_channel(ada.owner, "c", "resource", NOW).await, Err(Error::NotFound { .. })));
        assert_eq!((ids(store, Some(ada.owner)).await.len(), ids(store, Some(ben.owner)).await.len()), (0, 1));
        open(store, &ada, "c").await;
        let late = minute(60 * 24);
        store.open_channel(NewChannel { expires: minute(60 * 48), ..new(&ada, ada.owner, "c") }, late).await
            .expect("the one before has expired");
        assert!(matches!(store.stop_channel(ben.owner, "c", "resource", late).await, Err(Error::NotFound { .. })));
    }

    async fn a_user_has_a_hundred_channels_at_the_most(store, place) {
        let ada = calendar(store, "ada@example.org").await;
        for number in 0..100 {
            open(store, &ada, &format!("c{number}")).await;
        }
        let beyond = store.open_channel(new(&ada, ada.owner, "beyond"), NOW).await;
        assert!(matches!(beyond, Err(Error::Refused(_))), "{beyond:?}");
        store.stop_channel(ada.owner, "c7", "resource", NOW).await.expect("it is stopped");
        open(store, &ada, "beyond").await;
    }

    async fn channels_end_with_the_right_to_see_what_they_watch(store, place) {
        let ada = calendar(store, "ada@example.org").await;
        let (ben, cy) = (mailbox(store, "ben@example.org").await, mailbox(store, "cy@example.org").await);
        for user in [ben, cy] {
            store.share_calendar(ada.number, user, Some(Role::FreeBusyReader)).await.expect("it is shared");
            store.open_channel(new(&ada, user, "shared"), NOW).await.expect("the channel is opened");
        }
        open(store, &ada, "own").await;
        store.share_calendar(ada.number, ben, None).await.expect("it is not shared any more");
        assert_eq!(ids(store, None).await, ["shared", "own"]);
        store.remove_user(cy).await.expect("the user is removed");
        assert_eq!(ids(store, None).await, ["own"]);
        let other = wireform_store::NewCalendar {
            id: Some("other".to_owned()),
            owner: ada.owner,
            summary: String::new(),
            time_zone: "UTC".to_owned(),
            settings: wireform_store::CalendarSettings::default(),
        };
        let other = store.add_calendar(other, NOW).await.expect("a calendar");
        open(store, &other, "other").await;
        store.remove_calendar("other").await.expect("it is removed");
        assert_eq!(ids(store, None).await, ["own"]);
        assert!(lease(store, minute(60 * 24)).await.is_empty(), "it has expired");
        assert_eq!(store.clean_up(minute(60 * 24)).await.expect("a round").channels, 1);
        assert!(ids(store, None).await.is_empty());
    }

    async fn nobody_takes_the_turns_of_others(store, place) {
        let (ada, ben) = (calendar(store, "ada@example.org").await, calendar(store, "ben@example.org").await);
        for number in 0..5 {
            open(store, &ada, &format!("c{number}")).await;
        }
        open(store, &ben, "c").await;
        let held = BTreeMap::from([(ada.owner, 1)]);
        let query = LeaseQuery { max_per_user: 3, held, ..due(NOW, NOW) };
        let of = |leased: Vec<LeasedMessage>| -> Vec<Mailbox> {
            leased.iter().map(|message| message.channel.settings.user).collect()
        };
        let leased = store.lease_messages(query).await.expect("messages are leased");
        assert_eq!(of(leased), [ada.owner, ada.owner, ben.owner]);
        let query = LeaseQuery { limit: 2, ..due(NOW, NOW) };
        assert_eq!(of(store.lease_messages(query).await.expect("messages are leased")), [ada.owner; 2]);
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
            tasks.push(tokio::spawn(async move {
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
            }));
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
