//! Declared redirections arrive with their headers, and are not followed.

use redirects_client::Client;
use redirects_client::requests::{NotesCreateHeaders, NotesFileHeaders, NotesGetHeaders};
use redirects_client::runtime::Call;
use redirects_client::runtime::transport::ServiceTransport;
use redirects_server::requests::{NotesCreate, NotesFile, NotesGet};
use redirects_server::runtime::axum::Router;
use redirects_server::runtime::axum::http::header::{LOCATION, SET_COOKIE};
use redirects_server::runtime::axum::http::{HeaderValue, StatusCode};
use redirects_server::runtime::Reply;
use redirects_server::types::runtime::RawBody;
use redirects_server::types::Note;
use redirects_server::{Context, Result, service};

struct Notes;

impl service::Notes for Notes {
    async fn get(&self, request: NotesGet, _: &Context) -> Result<Option<Note>> {
        let moved = NotesGetHeaders { location: Some("/notes/here".to_owned()) };
        match request.id.as_str() {
            "here" => Ok(Reply::new(Some(Note::default().with_text("x")))),
            "moved" => Reply::new(None).with_headers(&moved),
            _ => {
                let cookie = HeaderValue::from_static("a=1");
                let reply = Reply::new(None).with_status(StatusCode::TEMPORARY_REDIRECT);
                reply.with_header(SET_COOKIE, cookie).with_headers(&moved)
            }
        }
    }

    async fn create(&self, _: NotesCreate, _: &Context) -> Result<()> {
        Reply::new(()).with_headers(&NotesCreateHeaders { location: Some("/notes/here".to_owned()) })
    }

    async fn file(&self, _: NotesFile, _: &Context) -> Result<RawBody<Vec<u8>>> {
        let moved = NotesFileHeaders { location: Some("/files/1".to_owned()) };
        Reply::new(RawBody::from(Vec::new())).with_status(StatusCode::FOUND).with_headers(&moved)
    }
}

fn router() -> Router {
    redirects_server::router(Notes)
}

fn client() -> Client {
    Client::builder().base_url("http://localhost").transport(ServiceTransport::new(router())).build().unwrap()
}

#[tokio::test]
async fn redirections_are_successes_without_a_body() {
    let notes = client().notes();
    assert_eq!(notes.get("here").await.unwrap().unwrap().text.as_deref(), Some("x"));
    let (note, headers) = notes.get("moved").send_with_headers().await.unwrap();
    assert_eq!((note, headers.location.as_deref()), (None, Some("/notes/here")));
    let ((), headers) = notes.create(Note::default()).send_with_headers().await.unwrap();
    assert_eq!(headers.location.as_deref(), Some("/notes/here"));
}

#[tokio::test]
async fn the_status_of_a_redirection_and_all_its_headers_can_be_read() {
    let reply = Call::from(client().notes().get("for now")).perform().await.unwrap();
    assert_eq!((reply.status, reply.value), (307, Some(None)));
    assert_eq!(reply.headers["set-cookie"], "a=1");
    let raw = client().notes().get("moved").send_raw().await.unwrap();
    assert_eq!((raw.status, raw.headers["location"].to_str().unwrap()), (302, "/notes/here"));
}

#[tokio::test]
async fn a_redirection_is_an_error_where_a_body_is_never_absent() {
    let error = client().notes().file("1").send().await.unwrap_err();
    assert_eq!(error.status(), Some(302));
    let raw = client().notes().file("1").send_raw().await.unwrap();
    assert_eq!((raw.status, raw.headers["location"].to_str().unwrap()), (302, "/files/1"));
}

#[tokio::test]
async fn any_body_can_be_read_without_decoding() {
    let raw = client().notes().get("here").send_raw().await.unwrap();
    assert_eq!((raw.status, &*raw.body), (200, br#"{"text":"x"}"#.as_slice()));
}

#[tokio::test]
async fn the_body_of_a_redirection_that_is_not_decoded_does_not_count_towards_the_limit() {
    let moved = || async { (StatusCode::FOUND, [(LOCATION, "/notes/here")], "x".repeat(100_000)) };
    let router = Router::new().fallback(moved);
    let builder = Client::builder().base_url("http://localhost").transport(ServiceTransport::new(router));
    let notes = builder.max_body_bytes(1_000).build().unwrap().notes();
    let (note, headers) = notes.get("moved").send_with_headers().await.unwrap();
    assert_eq!((note, headers.location.as_deref()), (None, Some("/notes/here")));
    assert!(notes.get("moved").send_raw().await.is_err(), "its body is read");
}
