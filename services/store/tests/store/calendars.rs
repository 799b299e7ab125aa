//! Tests of calendars: settings, shares and removal.

use wireform_store::{
    Accounts as _, Calendar, CalendarSettings, Calendars as _, ENDLESS, EntryOrder, EntryQuery, Error, EventWrite,
    Events as _, NewCalendar, Role,
};

use crate::events::{calendar, read, series, single, write};
use crate::place::on_each_database;
use crate::support::{NOW, mailbox, minute};

on_each_database! {
    /// Point 104: the events of a calendar are removed with it, and the calendars of a user with the user.
    async fn point_104_a_calendar_is_removed_with_its_entries(store, place) {
        let ada = calendar(store, "ada@example.org").await;
        let ben = mailbox(store, "ben@example.org").await;
        let team = NewCalendar {
            id: Some("team".to_owned()),
            owner: ada.owner,
            summary: "The team's".to_owned(),
            time_zone: "Europe/Berlin".to_owned(),
            settings: CalendarSettings::default(),
        };
        let team = store.add_calendar(team, NOW).await.expect("the calendar is new");
        store.share_calendar(team.number, ben, Some(Role::Writer)).await.expect("it is shared");
        let mut both = EventWrite { new_events: vec!["shared".to_owned()], ..EventWrite::default() };
        both.entries = vec![single(&team, "lunch", 1, 2), single(&ada, "lunch", 1, 2)];
        store.write_events(both, NOW).await.expect("the entries are stored");
        let alone = write(store, series(&team, "alone", 1, ENDLESS, &[])).await;
        store.remove_calendar("team").await.expect("the calendar is removed");
        assert!(store.event_entries(alone.event).await.expect("copies are read").is_empty());
        assert_eq!(store.event_entries(read(store, ada.number, "lunch").await.event).await.expect("copies are read").len(), 1);
        assert!(matches!(store.list_entries(team.number, EntryQuery {
            order: EntryOrder::ById, after: None, epoch: None, search_mailbox: None, limit: 2,
        }).await, Err(Error::NotFound { .. })));
        store.remove_user(ada.owner).await.expect("the user is removed");
        assert_eq!(store.entries(ada.number, vec!["lunch".to_owned()]).await.expect("entries are read"), [None]);
        assert_eq!(store.calendars(None).await.expect("calendars are listed").len(), 1);
    }

    /// Point 74: calendars are shared with users, each with a role.
    async fn point_74_a_calendar_is_found_with_the_role_of_who_asks(store, place) {
        let ada = calendar(store, "Ada@example.org").await;
        let ben = mailbox(store, "ben@example.org").await;
        let of = async |id: &str, user| {
            let mut found = store.find_calendars(vec![id.to_owned()], user).await.expect("calendars are found");
            found.remove(0).map(|(calendar, role)| (calendar.number, role))
        };
        assert_eq!(of("ada@EXAMPLE.org", ada.owner).await, Some((ada.number, Some(Role::Owner))));
        assert_eq!(of("Ada@example.org", ben).await, Some((ada.number, None)));
        for role in [Some(Role::Reader), Some(Role::FreeBusyReader), None] {
            store.share_calendar(ada.number, ben, role).await.expect("it is shared");
            assert_eq!(of("Ada@example.org", ben).await, Some((ada.number, role)));
        }
        store.share_calendar(ada.number, ben, Some(Role::Owner)).await.expect("it is shared");
        let shares = store.calendar_shares(ada.number).await.expect("shares are listed");
        assert_eq!(shares.iter().map(|share| (share.user, share.role)).collect::<Vec<_>>(), [(ben, Role::Owner)]);
        assert!(matches!(store.share_calendar(ada.number, ada.owner, None).await, Err(Error::Refused(_))));
        assert_eq!(of("nobody@example.org", ben).await, None);
    }

    async fn a_user_sees_their_calendars_and_those_that_are_shared(store, place) {
        let (ada, ben) = (calendar(store, "ada@example.org").await, calendar(store, "ben@example.org").await);
        let visible = async |user| {
            store.visible_calendars(user).await.expect("calendars are listed")
        };
        assert_eq!(visible(ben.owner).await, [(ben.clone(), Role::Owner)]);
        store.share_calendar(ada.number, ben.owner, Some(Role::Reader)).await.expect("it is shared");
        assert_eq!(visible(ben.owner).await, [(ben.clone(), Role::Owner), (ada.clone(), Role::Reader)]);
        assert_eq!(visible(ada.owner).await, [(ada.clone(), Role::Owner)]);
        store.share_calendar(ada.number, ben.owner, None).await.expect("it is not shared any more");
        assert_eq!(visible(ben.owner).await, [(ben, Role::Owner)]);
    }

    async fn point_103_settings_of_a_calendar_are_kept(store, place) {
        let ada = calendar(store, "ada@example.org").await;
        let change = |calendar: &mut Calendar| {
            calendar.summary = "Work".to_owned();
            calendar.time_zone = "Europe/London".to_owned();
            calendar.settings.description = "What Ada does".to_owned();
        };
        let set = store.update_calendar(ada.number, change, minute(1)).await.expect("it is set");
        assert_eq!(set.time_zone, "Europe/London");
        assert_eq!((set.summary.as_str(), set.settings.description.as_str()), ("Work", "What Ada does"));
        assert_eq!((set.history.0, set.modified), (ada.history.0 + 1, minute(1)));
        assert_eq!(store.calendars(None).await.expect("calendars are listed"), [set]);
    }
}
