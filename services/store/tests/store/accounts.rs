//! Tests of users, tokens, calendars, and the key for page tokens.

use std::time::Duration;

use wireform_store::{
    Accounts as _, AnyStore, CalendarSettings, Calendars as _, Error, Mailboxes as _, Maintenance as _, NewCalendar,
    NewToken, Secret, Token, TokenKind, User,
};

use crate::place::on_each_database;
use crate::support::{INBOX, NOW, insert, labels, mailbox, minute, named};

async fn token(store: &AnyStore, user: &User, secret: &Secret, expires: Option<u64>) -> Token {
    let scopes = vec!["mail.readonly".to_owned(), "calendar".to_owned()];
    let token = NewToken {
        user: user.mailbox,
        hash: secret.hash(),
        kind: TokenKind::User,
        scopes,
        expires: expires.map(minute),
        note: "a test's".to_owned(),
        now: NOW,
    };
    store.add_token(token).await.expect("the token is new")
}

on_each_database! {
    async fn users_are_found_by_their_address_in_any_case(store, place) {
        let added = store.add_user("Ada@Example.org", "Ada", NOW).await.expect("the user is new");
        assert_eq!(store.user("ada@example.ORG").await.expect("the user is there"), added);
        assert_eq!((added.address.as_str(), added.name.as_str(), added.created), ("Ada@Example.org", "Ada", NOW));
        let again = store.add_user("ADA@example.org", "", NOW).await;
        assert!(matches!(again, Err(Error::AlreadyExists { what: "user", .. })), "{again:?}");
        let absent = store.user("grace@example.org").await;
        assert!(matches!(&absent, Err(Error::NotFound { what: "user", name }) if name == "grace@example.org"), "{absent:?}");
    }

    async fn users_are_listed_in_the_order_of_their_addresses(store, place) {
        for address in ["b@example.org", "A@example.org", "é@example.org", "_@example.org", "a.b@example.org"] {
            mailbox(store, address).await;
        }
        let addresses: Vec<String> =
            store.users().await.expect("users are listed").into_iter().map(|user| user.address).collect();
        assert_eq!(addresses, ["_@example.org", "a.b@example.org", "A@example.org", "b@example.org", "é@example.org"]);
    }

    async fn names_that_no_index_takes_are_refused(store, place) {
        let long = format!("{}@example.org", "a".repeat(400));
        for address in ["", &long] {
            let refused = store.add_user(address, "", NOW).await;
            assert!(matches!(refused, Err(Error::Refused(_))), "{refused:?}");
        }
    }

    async fn a_text_with_a_null_character_is_kept_without_it(store, place) {
        let added = store.add_user("nul\0@example.org", "N\0l", NOW).await.expect("the user is new");
        assert_eq!(added.name, "N\u{fffd}l");
        assert_eq!(store.user("nul\0@example.org").await.expect("the user is there"), added);
    }

    async fn a_user_is_removed_with_all_that_is_theirs(store, place) {
        let ada = store.add_user("ada@example.org", "Ada", NOW).await.expect("the user is new");
        let grace = store.add_user("grace@example.org", "Grace", NOW).await.expect("the user is new");
        let secret = Secret::random();
        token(store, &ada, &secret, None).await;
        let label = store.add_label(ada.mailbox, named("Work")).await.expect("the label is new").label;
        let message = insert(store, ada.mailbox, "hello", &[INBOX, label]).await;
        let kept = insert(store, grace.mailbox, "hello", &[INBOX]).await;

        store.remove_user(ada.mailbox).await.expect("the user is removed");

        assert!(matches!(store.user("ada@example.org").await, Err(Error::NotFound { .. })));
        assert!(matches!(store.remove_user(ada.mailbox).await, Err(Error::NotFound { what: "user", .. })));
        assert_eq!(store.find_grant(secret.hash(), NOW).await.expect("the tokens are requested"), None);
        assert!(matches!(store.profile(ada.mailbox).await, Err(Error::NotFound { .. })));
        assert!(matches!(store.message(ada.mailbox, message.id).await, Err(Error::NotFound { .. })));
        assert!(store.calendars(Some(ada.mailbox)).await.expect("calendars are listed").is_empty());
        assert_eq!(store.message(grace.mailbox, kept.id).await.expect("the calendar of the other user is kept"), kept);
        let again = store.add_user("ada@example.org", "Ada", NOW).await.expect("the address can be used again");
        assert_ne!(again.mailbox, ada.mailbox);
        assert_eq!(store.profile(again.mailbox).await.expect("a new mailbox").messages, 0);
        assert_eq!(store.overview().await.expect("an overview").mailboxes.len(), 2);
    }

    async fn a_token_grants_its_scopes_until_it_ends(store, place) {
        let ada = store.add_user("ada@example.org", "Ada", NOW).await.expect("the user is new");
        let secret = Secret::random();
        let kept = token(store, &ada, &secret, Some(10)).await;
        let grant = store.find_grant(secret.hash(), minute(9)).await.expect("a response").expect("it is valid");
        assert_eq!(grant.user, ada);
        assert_eq!(grant.scopes, ["mail.readonly", "calendar"]);
        assert_eq!(store.find_grant(secret.hash(), minute(10)).await.expect("the tokens are requested"), None);
        assert_eq!(store.find_grant(Secret::random().hash(), NOW).await.expect("the tokens are requested"), None);
        for of in [None, Some(ada.mailbox)] {
            let listed = store.tokens(of).await.expect("tokens are listed");
            assert_eq!((listed.len(), listed.first()), (1, Some(&kept)));
        }
    }

    async fn a_revoked_token_is_not_accepted(store, place) {
        let ada = store.add_user("ada@example.org", "Ada", NOW).await.expect("the user is new");
        let (secret, other) = (Secret::random(), Secret::random());
        let kept = token(store, &ada, &secret, None).await;
        token(store, &ada, &other, None).await;
        store.revoke_token(kept.number).await.expect("the token is there");
        assert_eq!(store.find_grant(secret.hash(), NOW).await.expect("the tokens are requested"), None);
        assert!(store.find_grant(other.hash(), NOW).await.expect("the tokens are requested").is_some());
        let again = store.revoke_token(kept.number).await;
        assert!(matches!(again, Err(Error::NotFound { what: "token", .. })), "{again:?}");
    }

    async fn tokens_that_have_ended_are_forgotten(store, place) {
        let ada = store.add_user("ada@example.org", "Ada", NOW).await.expect("the user is new");
        for minutes in [5, 10, 15] {
            token(store, &ada, &Secret::random(), Some(minutes)).await;
        }
        token(store, &ada, &Secret::random(), None).await;
        let forgotten = store.clean_up(minute(10)).await.expect("the cleanup succeeds");
        assert_eq!((forgotten.tokens, forgotten.has_more), (2, false));
        assert_eq!(store.tokens(None).await.expect("tokens are listed").len(), 2);
    }

    async fn a_token_identifies_its_user(store, place) {
        let ada = store.add_user("ada@example.org", "Ada", NOW).await.expect("the user is new");
        for kind in TokenKind::ALL {
            let secret = Secret::random();
            let (user, hash, now) = (ada.mailbox, secret.hash(), NOW);
            let token = NewToken { user, hash, kind, scopes: Vec::new(), expires: None, note: String::new(), now };
            let stored = store.add_token(token).await.expect("the token is new");
            let grant = store.find_grant(hash, NOW).await.expect("the tokens are requested").expect("it is valid");
            assert_eq!((stored.kind, grant.kind), (kind, kind));
        }
        let listed = store.tokens(Some(ada.mailbox)).await.expect("tokens are listed");
        assert_eq!(listed.iter().map(|token| token.kind).collect::<Vec<_>>(), TokenKind::ALL);
    }

    async fn a_token_of_nobody_is_refused(store, place) {
        let nobody = wireform_store::Mailbox(77);
        let token = NewToken {
            user: nobody,
            hash: Secret::random().hash(),
            kind: TokenKind::User,
            scopes: Vec::new(),
            expires: None,
            note: String::new(),
            now: NOW,
        };
        let refused = store.add_token(token).await;
        assert!(matches!(refused, Err(Error::NotFound { what: "user", .. })), "{refused:?}");
    }

    async fn the_key_for_page_tokens_stays_the_same(store, place) {
        let other = place.store().await;
        let (first, second) = tokio::join!(store.sealing_key(), other.sealing_key());
        let first = first.expect("a key");
        assert_eq!(first, second.expect("a key"));
        assert_ne!(first, [0; 32]);
        other.close().await;
        assert_eq!(place.store().await.sealing_key().await.expect("a key"), first);
    }

    async fn calendars_come_with_users_and_separately(store, place) {
        let ada = store.add_user("ada@example.org", "Ada", NOW).await.expect("the user is new");
        let own = store.calendars(Some(ada.mailbox)).await.expect("calendars are listed");
        assert_eq!((own.len(), own[0].id.as_str()), (1, "ada@example.org"));
        let team = NewCalendar {
            id: Some("Team".to_owned()),
            owner: ada.mailbox,
            summary: "The team's".to_owned(),
            time_zone: "Europe/Berlin".to_owned(),
            settings: CalendarSettings::default(),
        };
        let added = store.add_calendar(team.clone(), NOW).await.expect("the calendar is new");
        assert_eq!(added.time_zone, "Europe/Berlin");
        let made = store.add_calendar(NewCalendar { id: None, ..team.clone() }, NOW).await.expect("an identifier is generated");
        assert_eq!(made.id.len(), 32);
        let again = store.add_calendar(team.clone(), NOW).await;
        assert!(matches!(again, Err(Error::AlreadyExists { what: "calendar", .. })), "{again:?}");
        let nobodys = NewCalendar { owner: wireform_store::Mailbox(77), id: None, ..team };
        assert!(matches!(store.add_calendar(nobodys, NOW).await, Err(Error::NotFound { what: "user", .. })));
        assert_eq!(store.calendars(None).await.expect("calendars are listed").len(), 3);

        store.remove_calendar("Team").await.expect("the calendar is removed");
        assert!(matches!(store.remove_calendar("Team").await, Err(Error::NotFound { what: "calendar", .. })));
        assert!(matches!(store.remove_calendar("ada@example.org").await, Err(Error::Refused(_))));
    }

    async fn a_closed_store_says_so(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let message = insert(store, ada, "hello", &[INBOX]).await;
        store.edit_message(ada, message.id, labels(&[], &[INBOX]), minute(1)).await.expect("the message is there");
        store.close().await;
        let closed = store.profile(ada).await;
        assert!(matches!(closed, Err(Error::Unavailable(wireform_store::Unavailable::Closed))), "{closed:?}");
        store.close().await;
        let again = place.store().await;
        assert!(again.message(ada, message.id).await.expect("the response is kept").labels.is_empty());
        again.close().await;
    }

    async fn the_retention_is_kept(store, place) {
        use wireform_store::Retention;
        assert_eq!(store.retention().await.expect("a retention"), Retention::default());
        for retention in [Retention::Forever, Retention::For(Duration::from_secs(90))] {
            store.set_retention(retention).await.expect("it is set");
            assert_eq!(store.retention().await.expect("a retention"), retention);
        }
        store.check().await.expect("the store can be written");
    }
}
