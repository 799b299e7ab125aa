//! Tests of logs of executions with concurrent writers.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::future::join_all;
use wireform_store::{
    AnyStore, ExecutionNumber, LogEntry, LogNumber, LogQuery, LogScope, NewLogEntry, Project, Scripts as _,
};

use crate::executions::start;
use crate::place::on_each_database;
use crate::scripts::project;
use crate::support::{NOW, mailbox};

const WRITERS: usize = 4;
/// Number of batches that each writer stores; `LINES` is the number of lines of a batch.
const BATCHES: i64 = 15;
const LINES: i64 = 150;

async fn write(store: &AnyStore, execution: ExecutionNumber, writing: &AtomicUsize) {
    for batch in 0..BATCHES {
        let line = |place| NewLogEntry { index: place, at: NOW, severity: 1, text: String::new() };
        let lines = (batch * LINES..(batch + 1) * LINES).map(line).collect();
        store.add_log(execution, lines).await.expect("they are added");
    }
    writing.fetch_sub(1, Ordering::SeqCst);
}

/// Reads new lines until the writers have ended.
async fn follow(store: &AnyStore, of: &Project, writing: &AtomicUsize) -> Vec<LogEntry> {
    let mut all: Vec<LogEntry> = Vec::new();
    loop {
        let is_last = writing.load(Ordering::SeqCst) == 0;
        let after = all.last().map_or(LogNumber(0), |last| last.number);
        let query = LogQuery { project: of.number, scope: LogScope::After(after), limit: 100_000 };
        all.extend(store.log(query).await.expect("it is read"));
        if is_last {
            return all;
        }
    }
}

on_each_database! {
    async fn a_reader_that_follows_a_log_misses_no_line(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let one = project(store, ada).await;
        let mut executions = Vec::new();
        for number in 0..WRITERS {
            executions.push(start(store, &one, ada, &number.to_string(), NOW).await);
        }
        let writing = AtomicUsize::new(WRITERS);
        let writers = join_all(executions.iter().map(|execution| write(store, *execution, &writing)));
        let (all, _) = tokio::join!(follow(store, &one, &writing), writers);
        let mut places: BTreeMap<ExecutionNumber, Vec<i64>> = BTreeMap::new();
        for entry in all {
            places.entry(entry.execution).or_default().push(entry.index);
        }
        let every: Vec<i64> = (0..BATCHES * LINES).collect();
        assert_eq!(places.keys().copied().collect::<Vec<_>>(), executions);
        for (execution, places) in places {
            assert!(places == every, "{execution:?}: {} lines of {}", places.len(), every.len());
        }
    }
}
