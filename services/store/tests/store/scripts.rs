//! Tests of script projects: content, versions, deployments, and removal.

use std::collections::BTreeMap;

use futures_util::future::join_all;
use wireform_store::session::Session;
use wireform_store::{
    Access, Accounts as _, AnyStore, Backend as _, DeploymentOrder, DeploymentSettings, Error, FileKind, HashedFile,
    Mailbox, Maintenance, Millis, NewFile, NewProject, NewTrigger, Operation, Project, ProjectNumber, ScriptListCursor,
    ScriptRole, ScriptScope, Scripts as _,
};

use crate::place::on_each_database;
use crate::support::{NOW, mailbox, minute};

struct Count(&'static str);

impl Operation for Count {
    type Output = i64;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> wireform_store::Result<i64> {
        session.rows(&format!("SELECT count(*) FROM {}", self.0), &[]).await?[0].int(0)
    }
}

pub(crate) async fn count(store: &AnyStore, table: &'static str) -> i64 {
    store.perform(Count(table)).await.expect("rows are counted")
}

pub(crate) fn file(name: &str, source: &str) -> NewFile {
    NewFile { name: name.to_owned(), kind: FileKind::Script, source: source.to_owned(), functions: None }
}

fn file_named(number: usize) -> NewFile {
    file(&format!("f{number}"), "")
}

fn manifest(source: &str) -> NewFile {
    NewFile { kind: FileKind::Manifest, ..file("manifest", source) }
}

pub(crate) async fn project(store: &AnyStore, owner: Mailbox) -> Project {
    let files = vec![manifest("{}"), file("a", "1"), file("b", "2")];
    let new = NewProject { owner, title: "One".to_owned(), parent: None, files };
    store.add_project(new, NOW).await.expect("the project is added")
}

async fn sources(store: &AnyStore, of: &Project, version: Option<i64>) -> Vec<(String, String, Millis)> {
    let files = store.content(of.number, version).await.expect("content is read").expect("there is such a version");
    files.into_iter().map(|file| (file.name, file.source, file.updated)).collect()
}

fn now(name: &str, source: &str, updated: Millis) -> (String, String, Millis) {
    (name.to_owned(), source.to_owned(), updated)
}

on_each_database! {
    async fn a_project_is_found_by_its_identifier_with_what_a_user_may_do(store, place) {
        let (ada, ben) = (mailbox(store, "ada@example.org").await, mailbox(store, "ben@example.org").await);
        let one = project(store, ada).await;
        let role = async |user| store.find_project(&one.id, user).await.expect("it is looked up").expect("it is there").1;
        assert_eq!((role(ada).await, role(ben).await), (Some(ScriptRole::Owner), None));
        store.share_project(one.number, ben, Some(ScriptRole::Read), minute(1)).await.expect("it is shared");
        assert_eq!(role(ben).await, Some(ScriptRole::Read));
        let own = project(store, ben).await;
        let visible = store.visible_projects(ben).await.expect("they are listed");
        let visible: Vec<_> = visible.into_iter().map(|(project, role)| (project.id, role)).collect();
        assert_eq!(visible, [(own.id, ScriptRole::Owner), (one.id.clone(), ScriptRole::Read)]);
        let shared = store.find_project(&one.id, ada).await.expect("it is looked up").expect("it is there").0;
        assert_eq!((shared.updated, shared.change_number), (minute(1), one.change_number + 1));
        store.share_project(one.number, ben, None, minute(2)).await.expect("it is not shared any more");
        assert_eq!(role(ben).await, None);
        assert!(store.find_project("1none", ada).await.expect("it is looked up").is_none());
        let refused = store.share_project(one.number, ada, Some(ScriptRole::Read), NOW).await;
        assert!(matches!(refused, Err(Error::Refused(_))), "{refused:?}");
    }

    async fn files_that_do_not_change_stay_as_they_are(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let one = project(store, ada).await;
        let files = vec![file("b", "2"), manifest("{}"), file("a", "other"), file("c", "3")];
        let returned = store.replace_content(one.number, files, ada, minute(5)).await.expect("content is replaced");
        let expected =
            [now("b", "2", NOW), now("manifest", "{}", NOW), now("a", "other", minute(5)), now("c", "3", minute(5))];
        assert_eq!(sources(store, &one, None).await, expected);
        let stored = store.content(one.number, None).await.expect("content is read").expect("it is there");
        assert_eq!(returned, stored);
        let created: Vec<_> = stored.iter().map(|file| file.created).collect();
        assert_eq!(created, [NOW, NOW, NOW, minute(5)]);
        assert_eq!(count(store, "script_files").await, 4, "unreferenced files are removed");
    }

    async fn functions_are_known_of_files_that_are_stored_as_they_are(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let one = project(store, ada).await;
        let defining = |name: &str, source: &str| NewFile { functions: Some(format!("[{name}]")), ..file(name, source) };
        let page = |source: &str| NewFile { kind: FileKind::Page, ..defining("page", source) };
        let files = vec![manifest("{}"), defining("a", "own"), file("b", "2"), defining("c", ""), page("1"), defining("d", "1")];
        store.replace_content(one.number, files, ada, NOW).await.expect("content is replaced");
        let known = async |files: Vec<NewFile>| {
            let keys = files.into_iter().map(|file| HashedFile::from(file).key()).collect();
            store.known_functions(one.number, keys).await.expect("they are looked up")
        };
        let queries = vec![
            file("d", "1"),
            file("a", "2"),
            file("a", "own"),
            file("b", "2"),
            file("c", ""),
            file("none", "1"),
            file("page", "1"),
            page("1"),
            file("d", "1"),
        ];
        let some = |text: &str| Some(text.to_owned());
        let expected = [some("[d]"), None, some("[a]"), None, some("[c]"), None, None, some("[page]"), some("[d]")];
        assert_eq!(known(queries).await, expected);
        assert_eq!(known(Vec::new()).await, []);
        store.replace_content(one.number, vec![manifest("{}")], ada, NOW).await.expect("content is replaced");
        assert_eq!(known(vec![file("a", "own")]).await, [None], "earlier content is ignored");
        let nobody = store.known_functions(ProjectNumber(i64::MAX), Vec::new()).await;
        assert!(matches!(nobody, Err(Error::NotFound { .. })), "{nobody:?}");
    }

    async fn of_several_who_replace_content_at_once_one_stays_whole(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let one = project(store, ada).await;
        let files = |number: usize| {
            let own = (0..=number).map(move |file| NewFile { source: number.to_string(), ..file_named(file) });
            std::iter::once(manifest("{}")).chain(own).collect::<Vec<_>>()
        };
        let replace = |number| store.replace_content(one.number, files(number), ada, minute(1));
        for done in join_all((0..8).map(replace)).await {
            done.expect("content is replaced");
        }
        let stored = sources(store, &one, None).await;
        let last: usize = stored[1].1.parse().expect("a number");
        let expected: Vec<_> = files(last).into_iter().map(|file| (file.name, file.source)).collect();
        assert_eq!(stored.into_iter().map(|(name, source, _)| (name, source)).collect::<Vec<_>>(), expected);
        assert_eq!(count(store, "script_files").await as usize, expected.len(), "the files of the others are removed");
    }

    async fn versions_keep_what_was_there_and_share_what_did_not_change(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let one = project(store, ada).await;
        let version = async |at| store.add_version(one.number, String::new(), 2_000, at).await.expect("it is made").number;
        assert_eq!(version(NOW).await, 1);
        let files = |text: &str| vec![manifest("{}"), file("a", text), file("b", "2")];
        for number in 2..6 {
            let text = number.to_string();
            store.replace_content(one.number, files(&text), ada, minute(1)).await.expect("content is replaced");
            assert_eq!(version(minute(2)).await, number);
        }
        store.replace_content(one.number, files("last"), ada, minute(3)).await.expect("content is replaced");
        store.replace_content(one.number, vec![manifest("{}")], ada, minute(4)).await.expect("content is replaced");
        assert_eq!(sources(store, &one, None).await.len(), 1);
        let old = [now("manifest", "{}", NOW), now("a", "1", NOW), now("b", "2", NOW)];
        assert_eq!(sources(store, &one, Some(1)).await, old);
        assert_eq!(sources(store, &one, Some(5)).await[1].1, "5");
        assert_eq!(count(store, "script_files").await, 2 + 5, "the manifest, b, and five texts of a");
        assert!(store.content(one.number, Some(6)).await.expect("content is read").is_none());
    }

    async fn numbers_of_versions_have_no_gaps_when_many_are_made_at_once(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let one = project(store, ada).await;
        let make = || store.add_version(one.number, "x".to_owned(), 15, NOW);
        let made = join_all((0..20).map(|_| make())).await;
        let mut numbers: Vec<_> = made.iter().flatten().map(|version| version.number).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (1..=15).collect::<Vec<_>>());
        assert!(made.iter().filter_map(|made| made.as_ref().err()).all(|error| matches!(error, Error::Refused(_))));
        let page = store.versions(one.number, None, 10).await.expect("versions are listed");
        assert!(page.has_more);
        assert_eq!(page.items.iter().map(|version| version.number).collect::<Vec<_>>(), (6..=15).rev().collect::<Vec<_>>());
        let next = ScriptListCursor { epoch: one.epoch, after: 6 };
        let page = store.versions(one.number, Some(next), 10).await.expect("versions are listed");
        assert_eq!((page.items.len(), page.has_more), (5, false));
        Maintenance::begin_epoch(store).await.expect("an epoch begins");
        let stale = store.versions(one.number, Some(next), 10).await;
        assert!(matches!(stale, Err(Error::EpochEnded)), "{stale:?}");
    }

    async fn a_deployment_has_a_project_while_it_exists_or_an_execution_of_it_is_stored(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let (one, two) = (project(store, ada).await, project(store, ada).await);
        crate::executions::run(store, &one, ada, "f").await;
        crate::executions::start(store, &two, ada, "f", NOW).await;
        let deployed = store.add_deployment(one.number, DeploymentSettings::default(), ada, NOW).await.expect("deployed");
        let project_of = async |id: &str| store.project_of_deployment(id).await.expect("it is read");
        assert_eq!(project_of(&deployed.id).await, Some(one.number));
        assert_eq!(project_of("d").await, Some(two.number), "it was deleted");
        assert_eq!((project_of("none").await, project_of("\0").await), (None, None));
        store.remove_deployment(one.number, &deployed.id).await.expect("it is removed");
        assert_eq!(project_of(&deployed.id).await, None);
        store.remove_project(&two.id).await.expect("it is removed");
        assert_eq!(project_of("d").await, None);
    }

    async fn deployments_have_the_manifest_of_their_version_and_the_head_stays(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let one = project(store, ada).await;
        store.add_version(one.number, String::new(), 9, NOW).await.expect("it is made");
        store.replace_content(one.number, vec![manifest("new")], ada, minute(1)).await.expect("content is replaced");
        let settings = |version| DeploymentSettings {
            version,
            description: "d".to_owned(),
            scopes: Some(vec!["a".to_owned(), "b".to_owned()]),
        };
        let first = store.add_deployment(one.number, settings(Some(1)), ada, minute(2)).await.expect("it is deployed");
        let second = store.add_deployment(one.number, settings(None), ada, minute(3)).await.expect("it is deployed");
        assert_eq!((first.manifest.as_str(), second.manifest.as_str()), ("{}", "new"));
        let absent = store.add_deployment(one.number, settings(Some(2)), ada, NOW).await;
        assert!(matches!(absent, Err(Error::NotFound { what: "version", .. })), "{absent:?}");
        let list = async |order| store.deployments(one.number, order, None, 5).await.expect("they are listed").items;
        let all = list(DeploymentOrder::ByPosition(None)).await;
        assert_eq!(all.iter().map(|one| one.is_head).collect::<Vec<_>>(), [true, false, false]);
        assert_eq!(all[1..], [second.clone(), first.clone()]);
        let changed = store.replace_deployment(one.number, &first.id, settings(None), ada, minute(4)).await.expect("changed");
        assert_eq!(list(DeploymentOrder::ByTime(None)).await, [changed, second.clone()]);
        assert_eq!(list(DeploymentOrder::ByPosition(Some(second.position))).await.len(), 1);
        for head in [
            store.remove_deployment(one.number, &all[0].id).await,
            store.replace_deployment(one.number, &all[0].id, settings(None), ada, NOW).await.map(|_| ()),
        ] {
            assert!(matches!(head, Err(Error::Refused(_))), "{head:?}");
        }
        store.remove_deployment(one.number, &first.id).await.expect("it is removed");
        let again = store.remove_deployment(one.number, &first.id).await;
        assert!(matches!(again, Err(Error::NotFound { .. })), "{again:?}");
        let ((found, role), deployment) = store.find_deployment(&second.id, ada).await.expect("found").expect("there");
        assert_eq!((found.number, role, deployment), (one.number, Some(ScriptRole::Owner), second));
    }

    async fn nothing_remains_of_a_project_or_a_user(store, place) {
        let (ada, ben) = (mailbox(store, "ada@example.org").await, mailbox(store, "ben@example.org").await);
        let (one, other) = (project(store, ada).await, project(store, ben).await);
        for of in [&one, &other] {
            store.add_version(of.number, String::new(), 9, NOW).await.expect("it is made");
            store.add_deployment(of.number, DeploymentSettings::default(), ada, NOW).await.expect("it is deployed");
            let scope = ScriptScope { project: of.number, user: Some(ada) };
            let values = BTreeMap::from([("a".to_owned(), Some("1".to_owned()))]);
            store.set_properties(scope, values, false, 99).await.expect("set");
            store.put_cached(scope, vec![("a".to_owned(), Some("1".to_owned()))], NOW, minute(1)).await.expect("put");
            store.lock_script(scope, 1, NOW, NOW).await.expect("locked");
            crate::executions::run(store, of, ada, "f").await;
            crate::executions::run_with_log(store, of, ada).await;
            let new = NewTrigger { project: of.number, user: ada, function: String::new(), spec: String::new(), due: None };
            store.add_trigger(new, 9, NOW).await.expect("it is added");
        }
        store.share_project(other.number, ada, Some(ScriptRole::Write), NOW).await.expect("it is shared");
        store.remove_user(ada).await.expect("the user is removed");
        for (table, rows) in [
            ("script_projects", 1), ("script_shares", 0), ("script_triggers", 0), ("script_properties", 0),
            ("script_cache", 0), ("script_locks", 0), ("script_files", 3), ("script_versions", 1), ("script_deployments", 2),
            ("script_processes", 2), ("script_logs", 1), ("script_metrics", 2),
        ] {
            assert_eq!(count(store, table).await, rows, "{table}");
        }
        store.remove_project(&other.id).await.expect("the project is removed");
        for table in [
            "script_projects", "script_files", "script_versions", "script_deployments", "script_processes", "script_logs",
            "script_metrics", "script_metric_users", "script_locks",
        ] {
            assert_eq!(count(store, table).await, 0, "{table}");
        }
        assert!(matches!(store.remove_project(&other.id).await, Err(Error::NotFound { .. })));
    }
}
