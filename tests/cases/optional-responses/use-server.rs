//! A response without a body is `None` in the client and the server.

use optional_responses_client::Client;
use optional_responses_client::runtime::transport::ServiceTransport;
use optional_responses_server::requests::{NotesGet, NotesPut, NotesSearch};
use optional_responses_server::runtime::axum::{Router, body::Body, http};
use optional_responses_server::runtime::Reply;
use optional_responses_server::types::Note;
use optional_responses_server::{Context, Result, service};
use tower_service::Service as _;

struct Notes;

impl service::Notes for Notes {
    async fn get(&self, request: NotesGet, _: &Context) -> Result<Option<Note>> {
        let note = Note::default().with_text("x").with_secret("y").with_tag("\"7\"");
        Ok(Some(note).filter(|_| request.id == "1").into())
    }

    async fn search(&self, request: NotesSearch, _: &Context) -> Result<Option<Vec<String>>> {
        Ok((!request.words.is_empty()).then(|| vec![request.words]).into())
    }

    async fn put(&self, request: NotesPut, _: &Context) -> Result<Option<Note>> {
        match request.id.as_str() {
            "new" => Ok(Some(request.body).into()),
            "later" => Ok(None.into()),
            _ => Ok(Reply::new(None).with_status(http::StatusCode::NO_CONTENT)),
        }
    }
}

fn router() -> Router {
    optional_responses_server::router(Notes)
}

fn client() -> Client {
    Client::builder().base_url("http://localhost").transport(ServiceTransport::new(router())).build().unwrap()
}

#[tokio::test]
async fn a_response_body_is_optional() {
    let note = client().notes().get("1").send().await.unwrap().unwrap();
    assert_eq!((note.text.as_deref(), note.secret.as_deref()), (Some("x"), None));
    assert_eq!(client().notes().get("2").send().await.unwrap(), None);
    assert_eq!(client().notes().search("a").send().await.unwrap(), Some(vec!["a".to_owned()]));
    assert_eq!(client().notes().search("").send().await.unwrap(), None);
}

async fn send_raw(method: &str, path: &str, tag: Option<&str>) -> (u16, usize) {
    let mut request = http::Request::builder().method(method).uri(path).header("content-type", "application/json");
    if let Some(tag) = tag {
        request = request.header("if-none-match", tag);
    }
    let body = if method == "PUT" { Body::from("{}") } else { Body::empty() };
    let response = router().call(request.body(body).unwrap()).await.unwrap();
    let status = response.status().as_u16();
    (status, optional_responses_server::runtime::axum::body::to_bytes(response.into_body(), 1024).await.unwrap().len())
}

#[tokio::test]
async fn responses_without_a_body_have_their_own_status() {
    assert_eq!(send_raw("GET", "/notes/1", None).await, (200, r#"{"text":"x","tag":"\"7\""}"#.len()));
    assert_eq!(send_raw("GET", "/notes/1", Some("\"7\"")).await, (304, 0));
    assert_eq!(send_raw("GET", "/notes/2", None).await, (204, 0));
    assert_eq!(send_raw("GET", "/notes/2", Some("\"7\"")).await, (204, 0));
    assert_eq!(send_raw("GET", "/notes?words=", None).await, (202, 0));
    assert_eq!(send_raw("PUT", "/notes/new", None).await, (201, 2));
    assert_eq!(send_raw("PUT", "/notes/later", None).await, (202, 0));
    assert_eq!(send_raw("PUT", "/notes/old", None).await, (204, 0));
}
