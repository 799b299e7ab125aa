//! Read-modify-write.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::common::*;
use serde_json::{Value, json};
use wireform_client::{ErrorKind, RetryPolicy, UpdateError};

/// Server with one thing, which other clients change a number of times between a read and a write.
#[derive(Clone)]
struct Shelf {
    inner: Arc<Mutex<Inner>>,
}

struct Inner {
    thing: Value,
    version: u32,
    others: u32,
}

impl Shelf {
    fn new(others: u32) -> (Self, Server) {
        let thing = json!({ "id": "a", "name": "old", "note": "kept" });
        let shelf = Self { inner: Arc::new(Mutex::new(Inner { thing, version: 1, others })) };
        let server = shelf.clone();
        (shelf, Server::new(move |seen| server.respond(seen)))
    }

    fn respond(&self, seen: &Seen) -> Reply {
        let mut inner = self.inner.lock().unwrap();
        let Inner { thing, version, others } = &mut *inner;
        if seen.method == "GET" {
            let reply = tagged(&format!("\"{version}\""), thing.clone());
            if *others > 0 {
                *others -= 1;
                *version += 1;
                thing["note"] = format!("by another {version}").into();
            }
            return reply;
        }
        if seen.if_match.as_deref() != Some(&format!("\"{version}\"")) {
            return error(412, "conditionNotMet", None);
        }
        *version += 1;
        match seen.method.as_str() {
            "PUT" => *thing = seen.body.clone(),
            _ => seen.body.as_object().unwrap().iter().for_each(|(name, value)| thing[name] = value.clone()),
        }
        tagged(&format!("\"{version}\""), thing.clone())
    }

    fn thing(&self) -> Value {
        self.inner.lock().unwrap().thing.clone()
    }
}

fn read(server: &Server) -> GetCall {
    GetCall { call: server.client().call(get()) }
}

fn rename(thing: &mut Thing) {
    thing.name = Some("new".to_owned());
}

#[tokio::test]
async fn a_value_is_read_changed_and_written_under_its_version() {
    let (shelf, server) = Shelf::new(0);
    let written = read(&server).update_with(rename).send().await.unwrap();
    assert_eq!(written.name.as_deref(), Some("new"));
    assert_eq!(shelf.thing(), json!({ "id": "a", "name": "new", "note": "kept" }));
    let seen = server.seen();
    assert!(seen.len() == 2 && seen[0].is("GET", "/things/a") && seen[1].is("PUT", "/things/a"), "{seen:?}");
    assert_eq!((&seen[0].if_match, seen[1].if_match.as_deref()), (&None, Some("\"1\"")));
}

#[tokio::test]
async fn a_patch_holds_the_difference_only() {
    let (shelf, server) = Shelf::new(1);
    read(&server).patch_with(rename).send().await.unwrap();
    assert_eq!(shelf.thing(), json!({ "id": "a", "name": "new", "note": "by another 2" }));
    let patches: Vec<_> = server.seen().into_iter().filter(|seen| seen.method == "PATCH").collect();
    assert_eq!(patches[0].body, json!({ "name": "new" }));
    assert_eq!(patches.iter().map(|seen| seen.if_match.as_deref()).collect::<Vec<_>>(), [Some("\"1\""), Some("\"2\"")]);
}

#[tokio::test]
async fn concurrent_writes_are_not_lost() {
    let (shelf, server) = Shelf::new(2);
    let mut notes = Vec::new();
    let note = |thing: &mut Thing| {
        notes.push(thing.note.clone().unwrap());
        rename(thing);
    };
    read(&server).update_with(note).send().await.unwrap();
    assert_eq!(notes, ["kept", "by another 2", "by another 3"]);
    assert_eq!(shelf.thing(), json!({ "id": "a", "name": "new", "note": "by another 3" }));
    assert_eq!(server.methods(), ["GET", "PUT", "GET", "PUT", "GET", "PUT"]);
}

#[tokio::test]
async fn conflicts_are_limited() {
    for (bound, writes) in [(None, 5), (Some(2), 2), (Some(0), 1)] {
        let (shelf, server) = Shelf::new(u32::MAX);
        let mut update = read(&server).update_with(rename);
        if let Some(bound) = bound {
            update = update.max_attempts(bound);
        }
        let error = update.send().await.unwrap_err();
        assert!(error.is_precondition_failed() && error.operation() == "things.update", "{error}");
        assert_eq!(server.methods(), ["GET", "PUT"].repeat(writes));
        assert_eq!(shelf.thing()["name"], "old");
    }
}

#[tokio::test(start_paused = true)]
async fn a_write_that_fails_is_repeated_by_the_policy_and_counts_once() {
    let (shelf, _) = Shelf::new(1);
    let failures = AtomicUsize::new(2);
    let flaky = Server::new(move |seen| {
        let fails = seen.method == "PUT"
            && failures.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok();
        if fails { status(503) } else { shelf.respond(seen) }
    });
    let read = GetCall { call: flaky.client().call(get()) }.retry(RetryPolicy::default());
    read.update_with(rename).max_attempts(2).send().await.unwrap();
    assert_eq!(
        flaky.methods(),
        ["GET", "PUT", "PUT", "PUT", "GET", "PUT"],
        "the options of the read apply to the write"
    );
}

#[tokio::test]
async fn other_errors_are_returned_immediately() {
    for method in ["GET", "PUT"] {
        let (shelf, _) = Shelf::new(0);
        let server = Server::new(move |seen| if seen.method == method { status(409) } else { shelf.respond(seen) });
        let error = read(&server).update_with(rename).send().await.unwrap_err();
        assert!(error.is_conflict());
        assert_eq!(server.methods().last().map(String::as_str), Some(method));
        assert!(server.seen().len() <= 2);
    }
    // A read has no condition.
    let server = Server::new(|_| status(412));
    assert!(read(&server).update_with(rename).send().await.is_err());
    assert_eq!(server.seen().len(), 1);
}

#[tokio::test]
async fn unchanged_value_is_not_written() {
    let (_, server) = Shelf::new(0);
    let update = read(&server).update_with(|thing| thing.name = Some("old".to_owned()));
    assert_eq!(update.send().await.unwrap().note.as_deref(), Some("kept"));
    read(&server).patch_with(|_| ()).send().await.unwrap();
    assert_eq!(server.methods(), ["GET", "GET"]);
}

#[tokio::test]
async fn without_a_version_nothing_is_written() {
    let server = Server::new(|_| ok(json!({ "id": "a" })));
    let error = read(&server).update_with(rename).send().await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Protocol(text) if text.contains("ETag")), "{error}");
    assert_eq!(server.methods(), ["GET"]);
}

#[tokio::test]
async fn partial_value_is_not_written() {
    let (_, server) = Shelf::new(0);
    let selected = || {
        let mut read = read(&server);
        read.call.options_mut().fields = Some("name".to_owned());
        read
    };
    let error = selected().update_with(rename).send().await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Protocol(text) if text.contains("selected")), "{error}");
    assert!(selected().patch_with(rename).send().await.is_err());
    assert!(server.seen().is_empty(), "no request is sent");
}

#[tokio::test]
async fn conditions_of_the_read_are_removed() {
    let (_, server) = Shelf::new(0);
    let mut read = read(&server);
    read.call.options_mut().if_none_match = Some("\"1\"".to_owned());
    read.call.options_mut().if_match = Some("\"0\"".to_owned());
    read.update_with(rename).send().await.unwrap();
    let seen = server.seen();
    assert_eq!((&seen[0].if_none_match, &seen[0].if_match, &seen[1].if_none_match), (&None, &None, &None));
}

#[tokio::test]
async fn parameters_of_the_write_can_be_set() {
    let (_, server) = Shelf::new(1);
    read(&server).update_with(rename).adjust_request(|update| update.notify = Some(true)).send().await.unwrap();
    let sent: Vec<_> = server.seen().iter().map(|seen| seen.query("notify").map(str::to_owned)).collect();
    assert_eq!(sent, [None, Some("true".to_owned()), None, Some("true".to_owned())]);
}

#[derive(Debug, PartialEq)]
struct Locked;

impl fmt::Display for Locked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it is locked")
    }
}

#[tokio::test]
async fn change_can_abort() {
    let (shelf, server) = Shelf::new(1);
    let unless_touched = |thing: &mut Thing| {
        if thing.note.as_deref() != Some("kept") {
            return Err(Locked);
        }
        rename(thing);
        Ok(())
    };
    let error = read(&server).update_with(unless_touched).send().await.unwrap_err();
    assert!(matches!(error, UpdateError::Aborted(Locked)), "{error:?}");
    assert_eq!(error.to_string(), "the change was rejected: it is locked");
    assert_eq!(
        (server.methods(), &shelf.thing()["name"]),
        (["GET", "PUT", "GET"].map(String::from).to_vec(), &json!("old"))
    );

    let server = Server::new(|_| status(404));
    let error = read(&server).update_with(unless_touched).send().await.unwrap_err();
    assert!(matches!(&error, UpdateError::Call(error) if error.is_not_found()), "{error:?}");
}

#[tokio::test]
async fn updates_can_be_spawned() {
    let (shelf, server) = Shelf::new(1);
    let update = read(&server).timeout(Duration::from_secs(5)).patch_with(rename).adjust_request(|_| ());
    tokio::spawn(update.send()).await.unwrap().unwrap();
    assert_eq!(shelf.thing()["name"], "new");
}

#[cfg(feature = "blocking")]
#[test]
fn a_thread_can_wait_for_an_update() {
    let (shelf, server) = Shelf::new(1);
    read(&server).update_with(rename).send_blocking().unwrap();
    assert_eq!(shelf.thing()["name"], "new");
    let refused = read(&server).update_with(|_| Err(Locked)).send_blocking();
    assert!(matches!(refused, Err(UpdateError::Aborted(Locked))));
}
