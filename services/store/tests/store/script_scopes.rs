//! Tests of the isolation of script data by user and by project.

use std::collections::BTreeMap;

use wireform_store::{NewTrigger, ScriptScope, Scripts as _};

use crate::place::on_each_database;
use crate::scripts::project;
use crate::support::{NOW, mailbox, minute};

on_each_database! {
    async fn what_is_kept_under_one_name_differs_for_each_script_and_user(store, place) {
        let (ada, ben) = (mailbox(store, "ada@example.org").await, mailbox(store, "ben@example.org").await);
        let projects = [project(store, ada).await.number, project(store, ada).await.number];
        let scopes: Vec<_> = projects
            .iter()
            .flat_map(|project| [None, Some(ada), Some(ben)].map(|user| ScriptScope { project: *project, user }))
            .collect();
        for (number, scope) in scopes.iter().enumerate() {
            let value = || ("name".to_owned(), Some(number.to_string()));
            store.set_properties(*scope, BTreeMap::from([value()]), true, 99).await.expect("set");
            store.put_cached(*scope, vec![value()], NOW, minute(1)).await.expect("put");
            let holder = i64::try_from(number).expect("small") + 1;
            assert!(store.lock_script(*scope, holder, NOW, minute(1)).await.expect("tried"), "the lock is free");
        }
        for (number, scope) in scopes.iter().enumerate() {
            let expected = number.to_string();
            let properties = store.properties(*scope).await.expect("read");
            assert_eq!(properties, BTreeMap::from([("name".to_owned(), expected.clone())]));
            let cached = store.cached(*scope, vec!["name".to_owned()], NOW).await.expect("read");
            assert_eq!(cached, [Some(expected)]);
        }
        store.set_properties(scopes[1], BTreeMap::new(), true, 99).await.expect("all data of Ada is removed");
        store.put_cached(scopes[1], vec![("name".to_owned(), None)], NOW, minute(1)).await.expect("removed");
        for (number, scope) in scopes.iter().enumerate() {
            assert_eq!(store.properties(*scope).await.expect("read").len(), usize::from(number != 1));
            let cached = store.cached(*scope, vec!["name".to_owned()], NOW).await.expect("read");
            assert_eq!(cached[0].is_some(), number != 1);
        }
    }

    async fn triggers_are_removed_by_their_user_in_their_project(store, place) {
        let (ada, ben) = (mailbox(store, "ada@example.org").await, mailbox(store, "ben@example.org").await);
        let (one, other) = (project(store, ada).await.number, project(store, ada).await.number);
        let new = NewTrigger { project: one, user: ada, function: "f".to_owned(), spec: "{}".to_owned(), due: None };
        let trigger = store.add_trigger(new, 9, NOW).await.expect("it is added");
        for (project, user) in [(one, ben), (other, ada)] {
            assert!(!store.remove_trigger(project, user, &trigger.id).await.expect("it belongs to another user"));
        }
        assert!(store.triggers(other).await.expect("listed").is_empty());
        assert!(store.remove_trigger(one, ada, &trigger.id).await.expect("removed"));
    }
}
