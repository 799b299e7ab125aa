//! Decoding of errors by status, with a fake.

use errors_by_status_client::requests::{NotesGet, NotesGetError, NotesGetErrorHeaders};
use errors_by_status_client::runtime::fake::Failure as FakeFailure;
use errors_by_status_client::runtime::wire::serde_json::json;
use errors_by_status_client::types::{Failure, Invalid, Missing, Outage};
use errors_by_status_client::{Client, Error};

fn failed(failure: FakeFailure) -> Error {
    let fake = errors_by_status_client::fake().on(move |_: &NotesGet| Err(failure.clone()));
    fake.client::<Client>().unwrap().notes().get("n").send_blocking().unwrap_err()
}

fn decoded(status: u16, body: errors_by_status_client::types::runtime::Value) -> Option<NotesGetError> {
    failed(FakeFailure::status(status).body(body)).decode()
}

#[test]
fn a_fake_returns_declared_errors() {
    let error = NotesGetError::NotFound(Missing::default().with_id("n"));
    let headers = NotesGetErrorHeaders { retry_after: Some(3), x_limits: Vec::new() };
    let failed = failed(FakeFailure::from_error(&error).headers(&headers));
    assert!(failed.is_not_found());
    assert_eq!(failed.decode(), Some(error));
    assert_eq!(failed.response().unwrap().read_headers::<NotesGetErrorHeaders>(), headers);
}

#[test]
fn the_status_selects_the_error_body() {
    use NotesGetError::{ClientError, Default, NotFound, ServerError, UnprocessableContent};
    assert!(matches!(decoded(404, json!({ "id": "n", "new": 1 })), Some(NotFound(_))));
    assert!(matches!(decoded(422, json!({ "problems": [] })), Some(UnprocessableContent(_))));
    assert!(matches!(decoded(418, json!(["a"])), Some(ClientError(418, list)) if list == ["a"]));
    assert!(matches!(decoded(500, json!({ "seconds": 1 })), Some(ServerError(500, Outage::Busy(_)))));
    assert!(matches!(decoded(600, json!({ "a": 1 })), Some(Default(600, _))));
    // A body that does not match the entry for its status is decoded by the next entry that covers the status.
    assert!(matches!(decoded(404, json!(["a"])), Some(ClientError(404, _))));
    assert!(matches!(decoded(404, json!({ "a": 1 })), Some(Default(404, _))));
}

#[test]
fn a_body_of_another_status_is_decoded() {
    let found = decoded(404, json!({ "problems": [{ "text": "x" }] }));
    assert!(matches!(&found, Some(NotesGetError::UnprocessableContent(body)) if body.problems.len() == 1), "{found:?}");
}

#[test]
fn the_raw_body_is_preserved() {
    let failed = failed(FakeFailure::status(404).body(json!({ "text": "x", "problems": [{ "text": "y" }] })));
    let response = failed.response().unwrap();
    assert_eq!(response.body, Some(Failure::default().with_text("x")));
    assert_eq!(response.body_as::<Invalid>().unwrap().problems.len(), 1);
    assert!(response.body_as::<Vec<String>>().is_err());
    assert_eq!(response.bytes(), response.raw.as_bytes());
}

#[test]
fn errors_of_other_operations_are_not_decoded() {
    use errors_by_status_client::requests::NotesDelete;
    let fake = errors_by_status_client::fake().on(|_: &NotesDelete| Err(FakeFailure::status(404).body(json!({ "id": "n" }))));
    let failed = fake.client::<Client>().unwrap().notes().delete("n").send_blocking().unwrap_err();
    assert_eq!(failed.decode::<NotesGetError>(), None);
}
