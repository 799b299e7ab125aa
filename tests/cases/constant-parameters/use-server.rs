//! Parameters with a constant value are sent automatically and checked by the server.

use constant_parameters_client::Client;
use constant_parameters_client::runtime::transport::ServiceTransport;
use constant_parameters_client::runtime::wire::{Naming, Request as _};
use constant_parameters_server::requests::{NotesCount, NotesInsert, NotesList};
use constant_parameters_server::runtime::axum::{Router, body::Body, http};
use constant_parameters_server::types::Note;
use constant_parameters_server::{Context, Result, service};
use http_body_util::BodyExt as _;
use tower_service::Service as _;

struct Notes;

impl service::Notes for Notes {
    async fn list(&self, request: NotesList, _: &Context) -> Result<Note> {
        Ok(Note::default().with_text(request.q.unwrap_or_default()).into())
    }

    async fn insert(&self, request: NotesInsert, _: &Context) -> Result<Note> {
        Ok(request.body.into())
    }

    async fn count(&self, _: NotesCount, _: &Context) -> Result<Note> {
        Ok(Note::default().into())
    }
}

fn router() -> Router {
    constant_parameters_server::router(Notes)
}

async fn send_raw(request: http::request::Builder, body: &'static str) -> (u16, String) {
    let response = router().call(request.body(Body::from(body)).unwrap()).await.unwrap();
    let status = response.status().as_u16();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

#[tokio::test]
async fn a_client_sends_constants_automatically() {
    let client: Client = Client::builder().base_url("http://localhost").transport(ServiceTransport::new(router())).build().unwrap();
    let call = client.notes().list().q("a");
    let wire = call.request().to_wire(Naming::Specification).unwrap();
    assert_eq!(wire.target, "/notes?q=a&form=short&level=3&ratio=1");
    assert_eq!(call.request().to_wire(Naming::Public).unwrap().target, "/notes?q=a&form=SHORT&depth=3&ratio=1");
    assert_eq!(
        wire.headers,
        [("X-Notes-Version", "2026-01-01".to_owned()), ("cookie", "seen=yes".to_owned())]
    );
    assert_eq!(call.send().await.unwrap().text.as_deref(), Some("a"));
    let note = Note::default().with_text("b");
    assert_eq!(client.notes().insert(note.clone()).send().await.unwrap(), note);
    assert_eq!(NotesCount::default().to_wire(Naming::Specification).unwrap().target, "/notes:count?exact=true&strict=true");
    client.notes().count().send().await.unwrap();
}

#[tokio::test]
async fn a_server_refuses_other_values() {
    let get = |target: &str| http::Request::get(target.to_owned());
    let (status, _) = send_raw(get("/notes"), "").await;
    assert_eq!(status, 200, "optional constants may be absent");
    let (status, _) = send_raw(get("/notes?depth=3&form=short").header("cookie", "a=b; seen=yes"), "").await;
    assert_eq!(status, 200);
    for target in ["/notes?form=SHORT", "/notes?ratio=1", "/notes?ratio=1.0", "/notes?ratio=1e0"] {
        assert_eq!(send_raw(get(target), "").await.0, 200, "{target}");
    }
    assert_eq!(send_raw(http::Request::post("/notes:count?exact=1&strict=TRUE"), "").await.0, 200);
    for (request, message) in [
        (get("/notes?form=Short"), "form: must be \"short\""),
        (get("/notes?ratio=1.5"), "ratio: must be \"1\""),
        (get("/notes?ratio=one"), "ratio: must be \"1\""),
        (get("/notes?form=long"), "form: must be \"short\""),
        (get("/notes?level=4"), "level: must be \"3\""),
        (get("/notes?level=3&level=3"), "level: must not be repeated"),
        (http::Request::post("/notes:count?exact=true&strict=0"), "strict: must be \"true\""),
        (get("/notes").header("x-notes-version", "2025-01-01"), "X-Notes-Version: must be \"2026-01-01\""),
        (get("/notes").header("cookie", "seen=no"), "seen: must be \"yes\""),
        (http::Request::post("/notes:count"), "exact: is required"),
        (http::Request::post("/notes:count?exact=false"), "exact: must be \"true\""),
    ] {
        let (status, body) = send_raw(request, "").await;
        assert_eq!(status, 400, "{message}: {body}");
        assert!(body.replace("\\\"", "\"").contains(message), "{message}: {body}");
    }
    let (status, body) = send_raw(http::Request::post("/notes").header("content-type", "application/json"), "{}").await;
    assert!(status == 400 && body.contains("X-Notes-Version"), "{body}");
}
