//! Tests of executions of scripts, their lists and metrics.

use std::time::Duration;

use wireform_store::{
    Accounts as _, AnyStore, Error, Execution, ExecutionChange, ExecutionFilter, ExecutionNumber, ExecutionQuery,
    ExecutionScope, ExecutionState, IntervalMetrics, LogEntry, LogQuery, LogScope, Mailbox, Maintenance as _,
    MetricsInterval, MetricsQuery, Millis, NewExecution, NewLogEntry, Project, Scripts as _, ServerNumber,
};

use crate::place::on_each_database;
use crate::scripts::project;
use crate::support::{NOW, mailbox, minute};

const RUNNING: i64 = 1;
const DONE: ExecutionState = ExecutionState { status: 2, is_final: true };
const FAILED: ExecutionState = ExecutionState { status: 3, is_final: true };

fn new(of: &Project, user: Mailbox, function: &str) -> NewExecution {
    NewExecution {
        project: of.number,
        user,
        title: of.title.clone(),
        function: function.to_owned(),
        deployment: "d".to_owned(),
        kind: 7,
        access: 4,
        runtime: 1,
        state: ExecutionState { status: RUNNING, is_final: false },
        server: ServerNumber(5),
    }
}

pub(crate) async fn start(
    store: &AnyStore,
    of: &Project,
    user: Mailbox,
    function: &str,
    at: Millis,
) -> ExecutionNumber {
    store.start_execution(new(of, user, function), at).await.expect("it begins")
}

async fn end(store: &AnyStore, number: ExecutionNumber, to: ExecutionState, at: Millis) -> Option<Execution> {
    let finish = ExecutionChange { number, from: vec![RUNNING], to, failed: to == FAILED };
    store.change_execution(finish, at).await.expect("it ends")
}

/// Records an execution that has ended.
pub(crate) async fn run(store: &AnyStore, of: &Project, user: Mailbox, function: &str) {
    let number =
        store.start_execution(NewExecution { deployment: String::new(), ..new(of, user, function) }, NOW).await;
    end(store, number.expect("it begins"), DONE, NOW).await.expect("it was running");
}

/// Records a running execution that has written a log line.
pub(crate) async fn run_with_log(store: &AnyStore, of: &Project, user: Mailbox) {
    let number = start(store, of, user, "logs", NOW).await;
    let line = NewLogEntry { index: 0, at: NOW, severity: 1, text: "a".to_owned() };
    store.add_log(number, vec![line]).await.expect("it is added");
}

/// Returns all pages of a list.
async fn list(store: &AnyStore, scope: ExecutionScope, filter: ExecutionFilter, limit: u32) -> Vec<Execution> {
    let mut all = Vec::new();
    let mut after = None;
    loop {
        let query = ExecutionQuery { scope, filter: filter.clone(), after, limit };
        let page = store.executions(query).await.expect("they are listed");
        assert!(page.executions.len() <= limit as usize);
        all.extend(page.executions);
        after = page.next;
        if after.is_none() {
            return all;
        }
    }
}

fn functions(executions: &[Execution]) -> Vec<&str> {
    executions.iter().map(|one| one.function.as_str()).collect()
}

on_each_database! {
    async fn an_execution_goes_from_one_status_to_the_next(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let one = project(store, ada).await;
        let scopes = [ExecutionScope::Project(one.number), ExecutionScope::User(ada)];
        let changes = async || {
            let mut changes = Vec::new();
            for scope in scopes {
                changes.push(store.execution_changes(scope).await.expect("it is read").1);
            }
            changes
        };
        assert_eq!(changes().await, [0, 0]);
        let number = start(store, &one, ada, "f", minute(1)).await;
        assert_eq!(changes().await, [1, 1]);
        let ended = end(store, number, DONE, minute(2)).await.expect("it was running");
        assert_eq!((ended.status, ended.ended, ended.function.as_str()), (2, Some(minute(2)), "f"));
        assert_eq!(end(store, number, FAILED, minute(3)).await, None, "it is over");
        assert_eq!(store.execution(number).await.expect("it is read"), Some(ended.clone()));
        assert_eq!(store.execution(ExecutionNumber(number.0 + 1)).await.expect("it is read"), None);
        assert_eq!(changes().await, [2, 2]);
        for scope in scopes {
            assert_eq!(list(store, scope, ExecutionFilter::default(), 5).await, std::slice::from_ref(&ended));
        }
    }

    async fn every_filter_works_in_pages_of_every_size(store, place) {
        let (ada, ben) = (mailbox(store, "ada@example.org").await, mailbox(store, "ben@example.org").await);
        let (one, two) = (project(store, ada).await, project(store, ben).await);
        for number in 0..40_u64 {
            let (of, user) = (if number % 3 == 0 { &two } else { &one }, if number % 4 == 0 { ben } else { ada });
            let begun = NewExecution {
                kind: i64::try_from(number % 2).expect("small"),
                deployment: String::new(),
                ..new(of, user, &format!("f{number}"))
            };
            // Several begin at the same time.
            let begun = store.start_execution(begun, minute(number / 2)).await.expect("it begins");
            if number % 5 != 0 {
                end(store, begun, if number % 7 == 0 { FAILED } else { DONE }, minute(number / 2 + 3)).await;
            }
        }
        let expected = |fits: &dyn Fn(u64) -> bool| -> Vec<String> {
            (0..40).rev().filter(|number| fits(*number)).map(|number| format!("f{number}")).collect()
        };
        let text = |text: &str| Some(text.to_owned());
        let any = ExecutionFilter::default();
        type Fits = Box<dyn Fn(u64) -> bool>;
        let filters: Vec<(ExecutionFilter, Fits)> = vec![
            (any.clone(), Box::new(|_| true)),
            (ExecutionFilter { function: text("f13"), ..any.clone() }, Box::new(|n| n == 13)),
            (ExecutionFilter { function: text("3"), ..any.clone() }, Box::new(|_| false)),
            (ExecutionFilter { title: text("On"), ..any.clone() }, Box::new(|_| true)),
            (ExecutionFilter { title: text("none"), ..any.clone() }, Box::new(|_| false)),
            (ExecutionFilter { statuses: vec![RUNNING], ..any.clone() }, Box::new(|n| n % 5 == 0)),
            (ExecutionFilter { statuses: vec![RUNNING, 3], ..any.clone() }, Box::new(|n| n % 5 == 0 || n % 7 == 0)),
            (ExecutionFilter { kinds: vec![1], ..any.clone() }, Box::new(|n| n % 2 == 1)),
            (ExecutionFilter { access: vec![3], ..any.clone() }, Box::new(|_| false)),
            (ExecutionFilter { from: Some(minute(10)), ..any.clone() }, Box::new(|n| n >= 20)),
            (ExecutionFilter { until: Some(minute(10)), ..any.clone() }, Box::new(|n| n < 16 && n % 5 != 0)),
            (
                ExecutionFilter { from: Some(minute(2)), until: Some(minute(10)), kinds: vec![0], ..any.clone() },
                Box::new(|n| (4..16).contains(&n) && n % 5 != 0 && n % 2 == 0),
            ),
        ];
        for (filter, fits) in &filters {
            for limit in [1, 3, 50] {
                let found = list(store, ExecutionScope::User(ada), filter.clone(), limit).await;
                assert_eq!(functions(&found), expected(&|n| n % 4 != 0 && fits(n)), "{filter:?} {limit}");
                let of_one = ExecutionFilter { project: Some(one.number), ..filter.clone() };
                let found = list(store, ExecutionScope::User(ada), of_one, limit).await;
                assert_eq!(functions(&found), expected(&|n| n % 4 != 0 && n % 3 != 0 && fits(n)), "{filter:?} {limit}");
                let found = list(store, ExecutionScope::Project(two.number), filter.clone(), limit).await;
                assert_eq!(functions(&found), expected(&|n| n % 3 == 0 && fits(n)), "{filter:?} {limit}");
            }
        }
    }

    async fn a_page_beyond_the_epoch_is_refused(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let one = project(store, ada).await;
        for name in ["a", "b"] {
            run(store, &one, ada, name).await;
        }
        let scope = ExecutionScope::User(ada);
        let query = ExecutionQuery { scope, filter: ExecutionFilter::default(), after: None, limit: 1 };
        let after = store.executions(query.clone()).await.expect("they are listed").next;
        assert!(after.is_some());
        store.begin_epoch().await.expect("an epoch begins");
        let stale = store.executions(ExecutionQuery { after, ..query }).await;
        assert!(matches!(stale, Err(Error::EpochEnded)), "{stale:?}");
    }

    async fn where_there_are_too_many_facets_everything_is_still_found(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let one = project(store, ada).await;
        for number in 0..700_u64 {
            start(store, &one, ada, &format!("f{number}"), minute(number)).await;
        }
        let filter = ExecutionFilter { function: Some("f3".to_owned()), ..ExecutionFilter::default() };
        assert_eq!(functions(&list(store, ExecutionScope::User(ada), filter, 50).await), ["f3"]);
        let filter = ExecutionFilter { project: Some(one.number), ..ExecutionFilter::default() };
        assert_eq!(list(store, ExecutionScope::User(ada), filter, 50).await.len(), 700);
    }

    async fn what_runs_on_a_server_that_is_gone_is_ended(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let one = project(store, ada).await;
        let there = NewExecution { server: ServerNumber(6), ..new(&one, ada, "there") };
        store.start_execution(there, NOW).await.expect("it begins");
        start(store, &one, ada, "gone", NOW).await;
        let unfinished = async |server| {
            let unfinished = store.unfinished_executions(ServerNumber(server)).await.expect("they are listed");
            unfinished.len()
        };
        assert_eq!([unfinished(5).await, unfinished(6).await, unfinished(7).await], [1, 1, 0]);
        store.renew_server_lease(ServerNumber(5), minute(1)).await.expect("it is there");
        store.renew_server_lease(ServerNumber(6), minute(9)).await.expect("it is there");
        assert_eq!(store.end_orphaned_executions(NOW, minute(2), FAILED).await.expect("repaired"), 0);
        assert_eq!(store.end_orphaned_executions(minute(1), minute(2), FAILED).await.expect("repaired"), 1);
        let all = list(store, ExecutionScope::User(ada), ExecutionFilter::default(), 5).await;
        let states: Vec<_> = all.iter().map(|one| (one.function.as_str(), one.status, one.ended)).collect();
        assert_eq!(states, [("gone", 3, Some(minute(2))), ("there", RUNNING, None)]);
        assert_eq!([unfinished(5).await, unfinished(6).await], [0, 1]);
    }

    async fn metrics_survive_the_forgetting_of_executions(store, place) {
        let (ada, ben) = (mailbox(store, "ada@example.org").await, mailbox(store, "ben@example.org").await);
        let one = project(store, ada).await;
        // NOW is a Tuesday.
        let day = |number: u64| Millis(MetricsInterval::Day.start(NOW).0).saturating_add(Duration::from_secs(number * 24 * 60 * 60));
        let week = MetricsInterval::Week.start(NOW);
        assert_eq!(week, day(0).saturating_sub(Duration::from_secs(24 * 60 * 60)));
        for (user, at, to) in [(ada, day(0), DONE), (ada, day(0), FAILED), (ben, day(0), DONE), (ada, day(1), DONE)] {
            let number = start(store, &one, user, "f", at).await;
            end(store, number, to, at).await.expect("it was running");
        }
        run(store, &one, ben, "elsewhere").await;
        store.clean_up(day(40)).await.expect("the cleanup succeeds");
        assert!(list(store, ExecutionScope::Project(one.number), ExecutionFilter::default(), 5).await.is_empty());
        let read = async |deployment: &str, grain| {
            let deployment = deployment.to_owned();
            let query = MetricsQuery { project: one.number, deployment, interval: grain, starts: week..=day(9) };
            store.metrics(query).await.expect("they are read")
        };
        let measure = |start, total, failed, users| IntervalMetrics { start, total, failed, users };
        assert_eq!(read("d", MetricsInterval::Day).await, [measure(day(1), 1, 0, 1), measure(day(0), 3, 1, 2)]);
        assert_eq!(read("", MetricsInterval::Day).await, [measure(day(1), 1, 0, 1), measure(day(0), 4, 1, 2)]);
        assert_eq!(read("d", MetricsInterval::Week).await, [measure(week, 4, 1, 2)]);
        store.clean_up(day(80)).await.expect("the cleanup succeeds");
        assert!(read("", MetricsInterval::Day).await.is_empty());
    }

    async fn executions_are_kept_for_30_days_or_as_long_as_a_note_says(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let one = project(store, ada).await;
        run(store, &one, ada, "f").await;
        let days = |days: u64| NOW.saturating_add(Duration::from_secs(days * 24 * 60 * 60));
        let kept = async |now| {
            store.clean_up(now).await.expect("the cleanup succeeds");
            list(store, ExecutionScope::Project(one.number), ExecutionFilter::default(), 5).await.len()
        };
        assert_eq!((kept(days(30)).await, kept(days(31)).await), (1, 0));
        run(store, &one, ada, "f").await;
        let long = (40_u64 * 24 * 60 * 60 * 1_000).to_string();
        assert!(store.set_note("script-retention", None, &long).await.expect("it is noted"));
        assert_eq!((kept(days(40)).await, kept(days(41)).await), (1, 0));
    }

    async fn executions_of_a_user_who_is_gone_stay_with_the_project(store, place) {
        let (ada, ben) = (mailbox(store, "ada@example.org").await, mailbox(store, "ben@example.org").await);
        let one = project(store, ada).await;
        run(store, &one, ben, "f").await;
        store.remove_user(ben).await.expect("the user is removed");
        let all = list(store, ExecutionScope::Project(one.number), ExecutionFilter::default(), 5).await;
        assert_eq!(functions(&all), ["f"]);
    }

    async fn executions_have_logs_until_they_are_forgotten(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let (one, other) = (project(store, ada).await, project(store, ada).await);
        let first = start(store, &one, ada, "first", NOW).await;
        let second = start(store, &one, ada, "second", minute(1)).await;
        let foreign = start(store, &other, ada, "foreign", minute(1)).await;
        let line = |place: i64, text: &str| NewLogEntry { index: place, at: NOW, severity: place + 1, text: text.to_owned() };
        store.add_log(first, vec![line(0, "a"), line(1, "b\0\nc")]).await.expect("they are added");
        store.add_log(second, vec![line(0, "x")]).await.expect("it is added");
        store.add_log(first, vec![line(1, "again"), line(2, "d")]).await.expect("they are added");
        store.add_log(foreign, vec![line(0, "f")]).await.expect("it is added");
        let read = async |scope, limit| {
            let query = LogQuery { project: one.number, scope, limit };
            store.log(query).await.expect("it is read")
        };
        let texts = |entries: &[LogEntry]| entries.iter().map(|one| one.text.clone()).collect::<Vec<_>>();
        let all = read(LogScope::Execution(first, None), 9).await;
        assert_eq!(texts(&all), ["a", "b\u{fffd}\nc", "d"], "a line is stored once");
        assert_eq!((all[1].execution, all[1].index, all[1].at, all[1].severity), (first, 1, NOW, 2));
        assert_eq!(texts(&read(LogScope::Execution(first, Some(0)), 1).await), ["b\u{fffd}\nc"]);
        assert!(read(LogScope::Execution(foreign, None), 9).await.is_empty(), "it is of another project");
        assert_eq!(texts(&read(LogScope::Latest, 2).await), ["x", "d"]);
        assert_eq!(texts(&read(LogScope::After(all[1].number), 9).await), ["x", "d"]);
        end(store, first, DONE, minute(2)).await.expect("it was running");
        store.clean_up(minute(9).saturating_add(Duration::from_secs(90 * 24 * 60 * 60))).await.expect("the cleanup succeeds");
        assert_eq!(texts(&read(LogScope::Latest, 9).await), ["x"], "running executions are not removed");
        store.add_log(first, vec![line(3, "late")]).await.expect("nothing is added");
        assert!(read(LogScope::Execution(first, None), 9).await.is_empty());
        store.remove_project(&one.id).await.expect("the project is removed");
        assert!(read(LogScope::Latest, 9).await.is_empty());
    }
}
