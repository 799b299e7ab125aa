//! Tests of channels and the users who own them.

use std::collections::BTreeMap;

use wireform_store::{
    Accounts as _, Calendars as _, Channels as _, Error, LeaseQuery, LeasedMessage, Mailbox, Maintenance as _,
    NewChannel, Role,
};

use crate::channels::{calendar, due, ids, lease, new, open};
use crate::place::on_each_database;
use crate::support::{NOW, mailbox, minute};

on_each_database! {
    async fn a_channel_is_of_its_user_and_of_one_name(store, place) {
        let (ada, ben) = (calendar(store, "ada@example.org").await, calendar(store, "ben@example.org").await);
        open(store, &ada, "c").await;
        open(store, &ben, "c").await;
        let taken = store.open_channel(new(&ada, ada.owner, "c"), NOW).await;
        assert!(matches!(taken, Err(Error::AlreadyExists { .. })), "{taken:?}");
        let hidden = store.open_channel(new(&ada, ben.owner, "d"), NOW).await;
        assert!(matches!(hidden, Err(Error::NotFound { .. })), "{hidden:?}");
        let unknown = [(ada.owner, "x", "resource"), (ada.owner, "c", "other"), (Mailbox(99), "c", "resource")];
        for (user, id, resource) in unknown {
            let unknown = store.stop_channel(user, id, resource, NOW).await;
            assert!(matches!(unknown, Err(Error::NotFound { .. })), "{unknown:?}");
        }
        store.stop_channel(ada.owner, "c", "resource", NOW).await.expect("it is stopped");
        assert!(matches!(store.stop_channel(ada.owner, "c", "resource", NOW).await, Err(Error::NotFound { .. })));
        assert_eq!((ids(store, Some(ada.owner)).await.len(), ids(store, Some(ben.owner)).await.len()), (0, 1));
        open(store, &ada, "c").await;
        let late = minute(60 * 24);
        store.open_channel(NewChannel { expires: minute(60 * 48), ..new(&ada, ada.owner, "c") }, late).await
            .expect("the previous one has expired");
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
}
