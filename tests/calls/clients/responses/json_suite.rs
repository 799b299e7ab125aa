//! The JSON Test Suite as responses: for every operation, invalid JSON is a decoding error, and valid JSON is a value
//! or such an error. Nothing panics.

use std::sync::{Arc, Mutex};

use wireform_test_data::requires;
use wireform_tests::shared;

use super::assert_presentable;
use crate::calls::{ALL, Entry, Kind, PLAIN};
use crate::clients::{Setup, TransportKind};
use crate::server::{RecordedRequest, json};

fn files() -> Vec<(String, Vec<u8>)> {
    let dir = shared("corpora/json-test-suite/test_parsing");
    let entries = fs_err::read_dir(dir).expect("the test suite").map(|entry| entry.expect("an entry").path());
    let read = |path: std::path::PathBuf| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        (name, fs_err::read(&path).expect("a file"))
    };
    entries.map(read).collect()
}

async fn run(transport: TransportKind, entries: &[&'static Entry]) {
    let files = files();
    let current = Arc::new(Mutex::new(Vec::new()));
    let shared = Arc::clone(&current);
    let respond = move |_: &RecordedRequest| json(200, shared.lock().expect("the mutex is not poisoned").clone());
    let harness = Setup::new(transport).start(respond).await;
    for (name, bytes) in &files {
        current.lock().expect("the mutex is not poisoned").clone_from(bytes);
        for entry in entries {
            let result = (entry.minimal)(&harness.clients, PLAIN).await;
            let is_json = name.starts_with("y_") || name.starts_with("i_");
            match result {
                Ok(_) => assert!(is_json || entry.response.is_none(), "{} accepts {name}", entry.name()),
                Err(failure) => {
                    assert_eq!(failure.kind, Kind::Decode, "{}: {name}: {failure:?}", entry.name());
                    assert_presentable(entry, &failure);
                }
            }
        }
    }
    println!("{} files for {} operations", files.len(), entries.len());
}

#[requires("corpora/json-test-suite")]
#[tokio::test]
async fn every_operation_in_process() {
    run(TransportKind::InProcess, &ALL.iter().collect::<Vec<_>>()).await;
}

#[requires("corpora/json-test-suite")]
#[tokio::test]
async fn some_operations_by_sockets() {
    let some = ["events.get", "events.delete", "users.history.list", "scripts.run"];
    let some: Vec<&Entry> = ALL.iter().filter(|entry| some.contains(&entry.operation)).collect();
    run(TransportKind::Sockets, &some).await;
}
