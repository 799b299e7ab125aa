//! Conditional reads and writes.

use crate::common::*;
use serde_json::json;
use wireform_client::{Call, Conditional, ErrorKind, IfChanged, Request, Versioned};

fn call<R: Request>(server: &Server, request: R) -> Call<R> {
    server.client().call(request)
}

#[tokio::test]
async fn the_version_is_in_the_header_or_in_the_value() {
    let server = Server::new(|_| tagged("\"7\"", json!({ "id": "a" })));
    let read = GetCall { call: call(&server, get()) }.send_versioned().await.unwrap();
    assert_eq!((read.value(), read.etag().as_str()), (&thing("a"), "\"7\""));
    assert_eq!(read.into_value(), thing("a"));

    let server = Server::new(|_| ok(json!({ "id": "a", "etag": "\"8\"" })));
    let read = GetCall { call: call(&server, get()) }.send_versioned().await.unwrap();
    assert_eq!(read.into_parts().1.as_str(), "\"8\"");
}

#[tokio::test]
async fn response_without_a_tag_is_an_error() {
    let server = Server::new(|_| ok(json!({ "id": "a" })));
    let error = GetCall { call: call(&server, get()) }.send_versioned().await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Protocol(text) if text.contains("ETag")), "{error}");
    let etag = "\"7\"".parse().unwrap();
    let error = GetCall { call: call(&server, get()) }.if_none_match(&etag).send().await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Protocol(_)), "{error}");
}

#[tokio::test]
async fn unchanged_value_is_not_modified() {
    let server = Server::new(|seen| match seen.if_none_match.as_deref() {
        Some("\"7\"") => status(304),
        _ => tagged("\"7\"", json!({ "id": "a" })),
    });
    let read = |etag: &str| GetCall { call: call(&server, get()) }.if_none_match(&etag.parse().unwrap()).send();
    let response = read("\"7\"").await.unwrap();
    assert_eq!(response, Conditional::NotModified);
    assert!(response.is_not_modified() && response.modified().is_none());

    let response = read("\"6\"").await.unwrap();
    assert!(!response.is_not_modified());
    assert_eq!(response.modified().unwrap().etag().as_str(), "\"7\"");
    assert_eq!(server.seen()[1].if_none_match.as_deref(), Some("\"6\""));
}

#[tokio::test]
async fn unexpected_304_is_an_error() {
    let server = Server::new(|_| status(304));
    assert!(GetCall { call: call(&server, get()) }.send_versioned().await.is_err());
}

#[tokio::test]
async fn a_write_names_the_version_it_is_for() {
    let server = Server::new(|seen| match seen.if_match.as_deref() {
        None | Some("\"7\"") => tagged("\"8\"", seen.body.clone()),
        _ => error(412, "conditionNotMet", None),
    });
    let write = || UpdateCall { call: call(&server, Update { id: "a".to_owned(), ..Update::default() }) };
    assert!(write().if_match(&"\"7\"".parse().unwrap()).send().await.is_ok());
    let old = Versioned::new(thing("a"), "\"6\"".parse().unwrap());
    let error = write().if_unchanged(&old).send().await.unwrap_err();
    assert!(error.is_precondition_failed());
    write().send().await.unwrap();
    let sent: Vec<_> = server.seen().into_iter().map(|seen| seen.if_match).collect();
    assert_eq!(sent, [Some("\"7\"".to_owned()), Some("\"6\"".to_owned()), None]);
}

#[tokio::test]
async fn a_tag_goes_back_as_it_came() {
    let server = Server::new(|_| tagged("W/\"ü,*\"", json!({ "id": "a" })));
    let read = GetCall { call: call(&server, get()) }.send_versioned().await.unwrap();
    IfChanged::new(call(&server, get()), read.etag()).send().await.unwrap();
    assert_eq!(server.seen()[1].if_none_match.as_deref(), Some("W/\"ü,*\""));
}

#[cfg(feature = "blocking")]
#[test]
fn a_thread_can_wait_for_a_conditional_read() {
    let server = Server::new(|_| status(304));
    let response = IfChanged::new(call(&server, get()), &"\"7\"".parse().unwrap()).send_blocking().unwrap();
    assert!(response.is_not_modified());
}
