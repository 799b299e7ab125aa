//! Errors go from the service to whoever called with the bodies and headers of their statuses.

use errors_by_status_client::runtime::RetryPolicy;
use errors_by_status_client::runtime::transport::ServiceTransport;
use errors_by_status_client::{Client, Error as ClientError};
use errors_by_status_server::requests::{NotesDelete, NotesGet, NotesGetError, NotesGetErrorHeaders};
use errors_by_status_server::runtime::axum::http::StatusCode;
use errors_by_status_server::types::{Busy, Failure, Invalid, Missing, Note, Problem};
use errors_by_status_server::{Context, Error, Result, service};

struct Notes;

/// The error of which the identifier of a note is the name.
fn error(name: &str) -> NotesGetError {
    match name {
        "missing" => NotesGetError::NotFound(Missing::default().with_id("n")),
        "invalid" => NotesGetError::UnprocessableContent(Invalid::default().with_problems([Problem::default()])),
        "many" => NotesGetError::TooManyRequests(Failure::default().with_text("slower")),
        "taken" => NotesGetError::ClientError(409, vec!["taken".to_owned()]),
        "down" => NotesGetError::ServiceUnavailable("down".into()),
        "busy" => NotesGetError::ServerError(502, Busy::default().with_seconds(7).into()),
        _ => NotesGetError::Default(600, [("left".to_owned(), 3)].into()),
    }
}

impl service::Notes for Notes {
    async fn get(&self, request: NotesGet, _: &Context) -> Result<Note> {
        match request.id.as_str() {
            "plain" => Err(Error::new(StatusCode::NOT_FOUND, "as the API says errors")),
            "no status" => Err(Error::from_error(&NotesGetError::Default(200, Default::default()))),
            name => {
                let headers = NotesGetErrorHeaders { retry_after: Some(9), x_limits: vec![1, 2] };
                Err(Error::from_error(&error(name)).with_headers(&headers))
            }
        }
    }

    async fn delete(&self, _: NotesDelete, _: &Context) -> Result<()> {
        Err(Error::not_found("there is none"))
    }
}

async fn failed(name: &str) -> ClientError {
    let transport = ServiceTransport::new(errors_by_status_server::router(Notes));
    let client: Client = Client::builder().base_url("http://localhost").transport(transport).build().unwrap();
    client.notes().get(name).retry(RetryPolicy::off()).send().await.unwrap_err()
}

#[tokio::test]
async fn an_error_has_the_body_of_its_status() {
    for (name, status, media_type) in [
        ("missing", 404, "application/json"),
        ("invalid", 422, "application/problem+json"),
        ("many", 429, "application/json"),
        ("taken", 409, "application/json"),
        ("down", 503, "text/plain"),
        ("busy", 502, "application/json"),
    ] {
        let failed = failed(name).await;
        let response = failed.response().unwrap();
        assert_eq!((response.status, response.content_type()), (status, Some(media_type)), "{name}");
        let found = failed.decode::<NotesGetError>();
        match (found, error(name)) {
            // A text says its media type once it has come.
            (Some(NotesGetError::ServiceUnavailable(found)), NotesGetError::ServiceUnavailable(sent)) => {
                assert_eq!(found.content(), sent.content());
            }
            (found, sent) => assert_eq!(found, Some(sent), "{name}"),
        }
        let headers: NotesGetErrorHeaders = response.read_headers();
        assert_eq!((headers.retry_after, headers.x_limits), (Some(9), vec![1, 2]), "{name}");
    }
}

#[tokio::test]
async fn an_error_of_the_api_is_one_of_its_own() {
    let failed = failed("plain").await;
    assert_eq!(failed.status(), Some(404));
    assert_eq!(failed.response().unwrap().message.as_deref(), Some("as the API says errors"));
    // It is no `Missing`, which has an identifier, and the class of the status has a list.
    assert_eq!(failed.decode::<NotesGetError>(), None);
    let body = failed.response().unwrap().body.as_ref().unwrap();
    assert_eq!(body.text.as_deref(), Some("as the API says errors"));
}

#[tokio::test]
async fn what_is_no_status_of_an_error_is_not_sent() {
    assert_eq!(failed("no status").await.status(), Some(500));
}
