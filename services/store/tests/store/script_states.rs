//! Tests of data of scripts: properties, caches, locks and triggers.

use std::collections::BTreeMap;

use futures_util::future::join_all;
use wireform_store::{
    Accounts as _, Error, Maintenance as _, NewTrigger, ScriptScope, Scripts as _, TriggerLeaseQuery,
};

use crate::place::on_each_database;
use crate::scripts::{count, project};
use crate::support::{NOW, mailbox, minute};

on_each_database! {
    async fn properties_are_kept_within_their_limit(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let one = project(store, ada).await;
        let shared = ScriptScope { project: one.number, user: None };
        let own = ScriptScope { user: Some(ada), ..shared };
        let values = |pairs: &[(&str, Option<&str>)]| -> BTreeMap<String, Option<String>> {
            pairs.iter().map(|(name, value)| ((*name).to_owned(), value.map(str::to_owned))).collect()
        };
        store.set_properties(shared, values(&[("a", Some("1")), ("b", Some("2"))]), false, 99).await.expect("set");
        store.set_properties(own, values(&[("a", Some("own"))]), false, 99).await.expect("set");
        store.set_properties(shared, values(&[("a", None), ("c", Some("3"))]), false, 99).await.expect("set");
        let read = async |scope| {
            let read = store.properties(scope).await.expect("they are read");
            read.into_iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>()
        };
        assert_eq!(read(shared).await, ["b=2", "c=3"]);
        assert_eq!(read(own).await, ["a=own"]);
        let large = store.set_properties(shared, values(&[("d", Some("4444"))]), false, 8).await;
        assert!(matches!(large, Err(Error::Refused(_))), "{large:?}");
        store.set_properties(shared, values(&[("d", Some("4444"))]), true, 8).await.expect("the others are gone");
        assert_eq!(read(shared).await, ["d=4444"]);
    }

    async fn what_is_cached_expires_and_is_forgotten(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let scope = ScriptScope { project: project(store, ada).await.number, user: Some(ada) };
        let put = vec![("a".to_owned(), Some("1".to_owned())), ("b".to_owned(), Some("2".to_owned()))];
        store.put_cached(scope, put, NOW, minute(1)).await.expect("it is put");
        store.put_cached(scope, vec![("b".to_owned(), None)], NOW, minute(9)).await.expect("it is removed");
        let names = || vec!["a".to_owned(), "b".to_owned()];
        assert_eq!(store.cached(scope, names(), NOW).await.expect("read"), [Some("1".to_owned()), None]);
        assert_eq!(store.cached(scope, names(), minute(1)).await.expect("read"), [None, None]);
        store.clean_up(minute(2)).await.expect("the cleanup succeeds");
        assert_eq!(count(store, "script_cache").await, 0);
    }

    async fn what_is_cached_is_bounded(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let scope = ScriptScope { project: project(store, ada).await.number, user: None };
        let put = async |values, expires| store.put_cached(scope, values, NOW, minute(expires)).await;
        let one = |name: usize, value: usize| vec![("n".repeat(name), Some("v".repeat(value)))];
        put(one(250, 100 << 10), 1).await.expect("it is short enough");
        for long in [one(251, 1), one(1, (100 << 10) + 1)] {
            assert!(matches!(put(long, 1).await, Err(Error::Refused(_))));
        }
        let many = |from: usize, count: usize| (from..from + count).map(|at| (format!("k{at}"), Some(String::new()))).collect();
        assert!(matches!(put(many(0, 101), 1).await, Err(Error::Refused(_))));
        for at in 0..10 {
            put(many(at * 100, 99 + usize::from(at > 0)), 1).await.expect("there is room");
        }
        let more = put(many(5_000, 1), 1).await;
        assert!(matches!(&more, Err(Error::Refused(message)) if message.contains("1000")), "{more:?}");
        assert_eq!(count(store, "script_cache").await, 1_000);
        put(many(0, 1), 1).await.expect("it is cached already");
        store.put_cached(scope, many(5_000, 1), minute(1), minute(2)).await.expect("the others have expired");
        for names in [vec![String::new(); 101], vec!["n".repeat(251)]] {
            assert!(matches!(store.cached(scope, names, NOW).await, Err(Error::Refused(_))));
        }
    }

    async fn nothing_is_kept_for_a_user_who_is_gone(store, place) {
        let (ada, ben) = (mailbox(store, "ada@example.org").await, mailbox(store, "ben@example.org").await);
        let scope = ScriptScope { project: project(store, ben).await.number, user: Some(ada) };
        store.remove_user(ada).await.expect("the user is removed");
        let values = BTreeMap::from([("a".to_owned(), Some("1".to_owned()))]);
        let set = store.set_properties(scope, values, false, 99).await;
        let put = store.put_cached(scope, vec![("a".to_owned(), Some("1".to_owned()))], NOW, minute(1)).await;
        let locked = store.lock_script(scope, 1, NOW, minute(1)).await.map(drop);
        for refused in [set, put, locked] {
            assert!(matches!(&refused, Err(Error::NotFound { what: "user", .. })), "{refused:?}");
        }
    }

    async fn a_lock_has_one_holder_until_it_is_given_back_or_ends(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let scope = ScriptScope { project: project(store, ada).await.number, user: None };
        let lock = async |holder, at| store.lock_script(scope, holder, minute(at), minute(at + 5)).await.expect("tried");
        assert!(lock(1, 0).await);
        assert!(lock(1, 1).await, "its holder has the lock already");
        assert!(!lock(2, 3).await);
        store.unlock_script(scope, 2).await.expect("it belongs to another user");
        assert!(!lock(2, 4).await);
        assert!(lock(2, 6).await, "it has ended");
        store.unlock_script(scope, 2).await.expect("the lock is released");
        assert!(lock(3, 7).await);
    }

    async fn of_several_servers_one_leases_a_trigger_that_is_due(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let one = project(store, ada).await;
        let new = |due| NewTrigger { project: one.number, user: ada, function: "f".to_owned(), spec: "{}".to_owned(), due };
        let due = store.add_trigger(new(Some(minute(1))), 2, NOW).await.expect("it is added");
        store.add_trigger(new(None), 2, NOW).await.expect("it is added");
        let many = store.add_trigger(new(None), 2, NOW).await;
        assert!(matches!(many, Err(Error::Refused(_))), "{many:?}");
        let long = store.add_trigger(NewTrigger { function: "f".repeat(201), ..new(None) }, 9, NOW).await;
        assert!(matches!(long, Err(Error::Refused(_))), "{long:?}");
        let lease = |now, machine| TriggerLeaseQuery { now, system_time: machine, until: minute(20), limit: 9 };
        assert!(store.lease_triggers(lease(NOW, NOW)).await.expect("leased").is_empty(), "nothing is due yet");
        let leased = join_all((0..5).map(|_| store.lease_triggers(lease(minute(1), NOW)))).await;
        let leased: Vec<_> = leased.into_iter().flat_map(|leased| leased.expect("leased")).collect();
        assert_eq!(leased.iter().map(|one| one.trigger.id.as_str()).collect::<Vec<_>>(), [due.id.as_str()]);
        let taken = store.lease_triggers(lease(minute(1), minute(20))).await.expect("the lease has ended");
        assert!(!store.settle_trigger(&leased[0], Some(minute(9))).await.expect("settled"), "another one has it");
        assert!(store.settle_trigger(&taken[0], Some(minute(9))).await.expect("settled"));
        assert_eq!(store.triggers(one.number).await.expect("listed")[0].settings.due, Some(minute(9)));
        assert!(store.remove_trigger(one.number, ada, &due.id).await.expect("removed"));
        assert!(!store.remove_trigger(one.number, ada, &due.id).await.expect("removed"));
    }
}
