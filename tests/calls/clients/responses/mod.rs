//! Responses: for every operation and every kind of response, the client returns a value or an error of the right kind,
//! over both transports.

mod json_suite;
mod redirects;
mod statuses;
mod streams;
mod successes;
mod wire;

use std::time::Duration;

use futures_util::future::join_all;

use crate::calls::{ALL, Entry, Failure, Kind, PLAIN, find_operation};
use crate::clients::{Setup, TRANSPORTS, TransportKind};
use crate::server::json;
use successes::{Expected, ROWS, Row};

/// Maximum body length of the clients in these tests.
const LIMIT: usize = 1 << 16;

/// Timeout for responses that never arrive.
const SHORT: Duration = Duration::from_millis(250);

/// Timeout for all other responses, long enough for a busy machine.
const LONG: Duration = Duration::from_secs(60);

/// Asserts what holds for every failure: it names the operation in one short line, and reveals no secret.
pub fn assert_presentable(entry: &Entry, failure: &Failure) {
    let Failure { display, debug, .. } = failure;
    assert_eq!(failure.operation, entry.operation, "{failure:?}");
    assert!(display.starts_with(entry.operation), "{display}");
    assert!(display.len() < 1500 && !display.contains(char::is_control), "{display}");
    for text in [display, debug] {
        assert!(!text.contains(crate::clients::TOKEN), "{text}");
    }
}

/// Calls all operations concurrently and responds with one kind of response.
async fn call_all(row: &'static Row, transport: TransportKind) -> Vec<Result<String, Failure>> {
    let setup = |timeout| Setup { timeout, max_body_bytes: LIMIT, ..Setup::new(transport) };
    let start = |timeout| async move { setup(timeout).start(|request| (row.respond)(find_operation(request))).await };
    let (short, long) = (start(SHORT).await, start(LONG).await);
    let calls = ALL.iter().map(|entry| {
        let harness = if row.timeout(transport, entry) == SHORT { &short } else { &long };
        (entry.minimal)(&harness.clients, PLAIN)
    });
    join_all(calls).await
}

fn check(row: &Row, transport: TransportKind, entry: &Entry, result: &Result<String, Failure>) -> Result<(), String> {
    if let Err(failure) = result {
        assert_presentable(entry, failure);
    }
    let expected = row.expected(transport, entry);
    let matches = match (expected, result) {
        (Expected::Value, Ok(_)) => true,
        (Expected::Same, Ok(text)) => same(entry, text),
        (Expected::Fails(kind), Err(failure)) => failure.kind == kind,
        _ => false,
    };
    if matches {
        Ok(())
    } else {
        Err(format!("{} by {transport:?}: {}: expected {expected:?}, found {result:?}", entry.name(), row.name))
    }
}

/// Returns whether a value equals the sample of the operation.
fn same(entry: &Entry, text: &str) -> bool {
    let Some(sample) = entry.response else { return text.is_empty() };
    let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("encoded JSON");
    read(text) == read(sample)
}

/// Calls all operations with all kinds of responses.
async fn matrix(transport: TransportKind) {
    let mut failures = Vec::new();
    for row in ROWS {
        let results = call_all(row, transport).await;
        assert_eq!(results.len(), ALL.len());
        failures
            .extend(ALL.iter().zip(results).filter_map(|(entry, result)| check(row, transport, entry, &result).err()));
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

#[tokio::test]
async fn every_response_has_its_result_by_sockets() {
    matrix(TransportKind::Sockets).await;
}

/// The clock is paused, so timeouts elapse at once.
#[tokio::test(start_paused = true)]
async fn every_response_has_its_result_in_process() {
    matrix(TransportKind::InProcess).await;
}

/// A decoding error names the operation and the path of the field.
#[tokio::test]
async fn a_decoding_error_names_the_field() {
    for transport in TRANSPORTS {
        let harness =
            Setup::new(transport).start(|request| json(200, find_operation(request).wrong.unwrap_or_default())).await;
        for entry in ALL.iter().filter(|entry| entry.wrong.is_some()) {
            let failure = (entry.minimal)(&harness.clients, PLAIN).await.expect_err("a decoding error");
            let wrong: serde_json::Value = serde_json::from_str(entry.wrong.unwrap_or_default()).expect("JSON");
            let member = wrong.as_object().and_then(|members| members.keys().next()).expect("a member");
            assert_eq!((failure.kind, failure.status), (Kind::Decode, Some(200)), "{failure:?}");
            assert!(failure.display.contains(&format!("{member}:")), "{}", failure.display);
        }
    }
}
