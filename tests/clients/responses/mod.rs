//! What clients make of answers: for every operation and every kind of answer a value or an error of the right kind,
//! whatever brought it here.

mod json_suite;
mod redirects;
mod statuses;
mod streams;
mod successes;
mod wire;

use std::time::Duration;

use futures_util::future::join_all;

use crate::calls::{ALL, Entry, Failure, Kind, PLAIN, asked};
use crate::clients::{Setup, WAYS, Way};
use crate::server::json;
use successes::{Expected, ROWS, Row};

/// The most bytes of an answer that the clients of these tests read.
const LIMIT: usize = 1 << 16;

/// Long enough for what comes at once, short enough to wait for what never comes.
const SHORT: Duration = Duration::from_millis(250);

/// Long enough for everything.
const PATIENCE: Duration = Duration::from_secs(60);

/// Asserts what holds of every failure, whatever its kind: it names the operation in one short line, and holds no
/// secret.
pub fn assert_presentable(entry: &Entry, failure: &Failure) {
    let Failure { display, debug, .. } = failure;
    assert_eq!(failure.operation, entry.operation, "{failure:?}");
    assert!(display.starts_with(entry.operation), "{display}");
    assert!(display.len() < 1500 && !display.contains(char::is_control), "{display}");
    for text in [display, debug] {
        assert!(!text.contains(crate::clients::TOKEN), "{text}");
    }
}

/// Makes the calls of all operations for one kind of answer, all at the same time.
async fn ask(row: &'static Row, way: Way) -> Vec<Result<String, Failure>> {
    let setup = |timeout| Setup { timeout, max_body_bytes: LIMIT, ..Setup::new(way) };
    let start = |timeout| async move { setup(timeout).start(|request| (row.respond)(asked(request))).await };
    let (impatient, patient) = (start(SHORT).await, start(PATIENCE).await);
    let asked = ALL.iter().map(|entry| {
        let running = if row.timeout(way, entry) == SHORT { &impatient } else { &patient };
        (entry.minimal)(&running.clients, PLAIN)
    });
    join_all(asked).await
}

fn judge(row: &Row, way: Way, entry: &Entry, result: &Result<String, Failure>) -> Result<(), String> {
    if let Err(failure) = result {
        assert_presentable(entry, failure);
    }
    let expected = row.expected(way, entry);
    let met = match (expected, result) {
        (Expected::Value, Ok(_)) => true,
        (Expected::Same, Ok(text)) => same(entry, text),
        (Expected::Fails(kind), Err(failure)) => failure.kind == kind,
        _ => false,
    };
    if met {
        Ok(())
    } else {
        Err(format!("{} by {way:?}: {}: {expected:?} and not {result:?}", entry.name(), row.name))
    }
}

/// Whether a value is the sample of the operation.
fn same(entry: &Entry, text: &str) -> bool {
    let Some(sample) = entry.response else { return text.is_empty() };
    let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("what is encoded is JSON");
    read(text) == read(sample)
}

/// All kinds of answers for all operations.
async fn matrix(way: Way) {
    let mut wrong = Vec::new();
    for row in ROWS {
        let results = ask(row, way).await;
        assert_eq!(results.len(), ALL.len());
        wrong.extend(ALL.iter().zip(results).filter_map(|(entry, result)| judge(row, way, entry, &result).err()));
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[tokio::test]
async fn every_response_has_its_result_by_sockets() {
    matrix(Way::Sockets).await;
}

/// The clock stands still, so that whoever waits for nothing is told so at once.
#[tokio::test(start_paused = true)]
async fn every_response_has_its_result_in_process() {
    matrix(Way::InProcess).await;
}

/// An error of decoding says where in the answer it is, and by which operation.
#[tokio::test]
async fn what_is_wrong_in_one_member_is_named() {
    for way in WAYS {
        let running = Setup::new(way).start(|request| json(200, asked(request).wrong.unwrap_or_default())).await;
        for entry in ALL.iter().filter(|entry| entry.wrong.is_some()) {
            let failure = (entry.minimal)(&running.clients, PLAIN).await.expect_err("it is wrong");
            let wrong: serde_json::Value = serde_json::from_str(entry.wrong.unwrap_or_default()).expect("JSON");
            let member = wrong.as_object().and_then(|members| members.keys().next()).expect("a member");
            assert_eq!((failure.kind, failure.status), (Kind::Decode, Some(200)), "{failure:?}");
            assert!(failure.display.contains(&format!("{member}:")), "{}", failure.display);
        }
    }
}
