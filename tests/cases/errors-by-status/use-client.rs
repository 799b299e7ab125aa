//! Errors as a client decodes them, answered by a double.

use errors_by_status_client::requests::{NotesGet, NotesGetError, NotesGetErrorHeaders};
use errors_by_status_client::runtime::fake::Failure as Failing;
use errors_by_status_client::runtime::wire::serde_json::json;
use errors_by_status_client::types::{Failure, Invalid, Missing, Trouble};
use errors_by_status_client::{Client, Error};

fn failed(failing: Failing) -> Error {
    let fake = errors_by_status_client::fake().on(move |_: &NotesGet| Err(failing.clone()));
    fake.client::<Client>().unwrap().notes().get("n").send_blocking().unwrap_err()
}

fn decoded(status: u16, body: errors_by_status_client::types::runtime::Value) -> Option<NotesGetError> {
    failed(Failing::status(status).body(body)).decode()
}

#[test]
fn a_fake_returns_declared_errors() {
    let error = NotesGetError::NotFound(Missing::default().with_id("n"));
    let headers = NotesGetErrorHeaders { retry_after: Some(3), x_limits: Vec::new() };
    let failed = failed(Failing::from_error(&error).headers(&headers));
    assert!(failed.is_not_found());
    assert_eq!(failed.decode(), Some(error));
    assert_eq!(failed.response().unwrap().read_headers::<NotesGetErrorHeaders>(), headers);
}

#[test]
fn the_status_says_which_body_it_is() {
    use NotesGetError::{ClientError, Default, NotFound, ServerError, UnprocessableContent};
    assert!(matches!(decoded(404, json!({ "id": "n", "new": 1 })), Some(NotFound(_))));
    assert!(matches!(decoded(422, json!({ "problems": [] })), Some(UnprocessableContent(_))));
    assert!(matches!(decoded(418, json!(["a"])), Some(ClientError(418, list)) if list == ["a"]));
    assert!(matches!(decoded(500, json!({ "seconds": 1 })), Some(ServerError(500, Trouble::Busy(_)))));
    assert!(matches!(decoded(600, json!({ "a": 1 })), Some(Default(600, _))));
    // What is of no entry of the status can be of the next one that describes it.
    assert!(matches!(decoded(404, json!(["a"])), Some(ClientError(404, _))));
    assert!(matches!(decoded(404, json!({ "a": 1 })), Some(Default(404, _))));
}

#[test]
fn a_body_of_another_status_is_what_it_is() {
    let found = decoded(404, json!({ "problems": [{ "text": "x" }] }));
    assert!(matches!(&found, Some(NotesGetError::UnprocessableContent(body)) if body.problems.len() == 1), "{found:?}");
}

#[test]
fn nothing_of_a_body_is_lost() {
    let failed = failed(Failing::status(404).body(json!({ "text": "x", "problems": [{ "text": "y" }] })));
    let response = failed.response().unwrap();
    assert_eq!(response.body, Some(Failure::default().with_text("x")));
    assert_eq!(response.body_as::<Invalid>().unwrap().problems.len(), 1);
    assert!(response.body_as::<Vec<String>>().is_err());
    assert_eq!(response.bytes(), response.raw.as_bytes());
}

#[test]
fn errors_of_other_operations_are_none_of_this_one() {
    use errors_by_status_client::requests::NotesDelete;
    let fake = errors_by_status_client::fake().on(|_: &NotesDelete| Err(Failing::status(404).body(json!({ "id": "n" }))));
    let failed = fake.client::<Client>().unwrap().notes().delete("n").send_blocking().unwrap_err();
    assert_eq!(failed.decode::<NotesGetError>(), None);
}
