//! Response headers are sent by the service and decoded by the client, and request headers can be lists.

use response_headers_client::Client;
use response_headers_client::runtime::transport::ServiceTransport;
use response_headers_client::runtime::wire::{ResponseHeaders as _, Naming, Request as _};
use response_headers_server::requests::{NotesDelete, NotesDeleteHeaders, NotesGet, NotesGetHeaders};
use response_headers_server::runtime::axum::{Router, body::Body, http};
use response_headers_server::runtime::Reply;
use response_headers_server::types::runtime::DateTime;
use response_headers_server::types::{Level, Note};
use response_headers_server::{Context, Result, service};
use tower_service::Service as _;

struct Notes;

impl service::Notes for Notes {
    async fn get(&self, request: NotesGet, _: &Context) -> Result<Note> {
        let headers = NotesGetHeaders {
            x_rate_limit: Some(7),
            x_until: DateTime::parse("2026-01-31T12:00:00Z").ok(),
            x_tags: request.x_tags,
            x_level: request.x_levels.into_iter().next(),
        };
        Reply::new(Note::default().with_text("x")).with_headers(&headers)
    }

    async fn delete(&self, request: NotesDelete, _: &Context) -> Result<()> {
        Reply::new(()).with_headers(&NotesDeleteHeaders { location: Some(request.id) })
    }
}

fn router() -> Router {
    response_headers_server::router(Notes)
}

fn client() -> Client {
    Client::builder().base_url("http://localhost").transport(ServiceTransport::new(router())).build().unwrap()
}

async fn send_raw(headers: &[(&str, &str)]) -> http::Response<Body> {
    let mut request = http::Request::get("/notes/1");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    router().call(request.body(Body::empty()).unwrap()).await.unwrap()
}

#[tokio::test]
async fn response_headers_are_typed() {
    let call = client().notes().get("1", [Level::High, Level::Low]).x_tags(["a b", "c"]);
    let (note, headers) = call.send_with_headers().await.unwrap();
    assert_eq!(note.text.as_deref(), Some("x"));
    assert_eq!(headers.x_rate_limit, Some(7));
    assert_eq!(headers.x_until.unwrap().to_string(), "2026-01-31T12:00:00Z");
    assert_eq!(headers.x_tags, ["a b", "c"]);
    assert_eq!(headers.x_level, Some(Level::High));
    let ((), headers) = client().notes().delete("where it was").send_with_headers().await.unwrap();
    assert_eq!(headers.location.as_deref(), Some("where it was"));
    assert_eq!(NotesGetHeaders::NAMES, ["X-Rate-Limit", "X-Until", "X-Tags", "X-Level"]);
}

#[tokio::test]
async fn an_invalid_header_value_is_not_sent() {
    let request = http::Request::delete("/notes/a%0Ab").body(Body::empty()).unwrap();
    let response = router().call(request).await.unwrap();
    assert_eq!((response.status().as_u16(), response.headers().get("location")), (500, None));
}

#[test]
fn lists_in_headers_are_separated_by_commas() {
    let wire = |tags: &[&str]| {
        let request = NotesGet { x_tags: tags.iter().map(|tag| (*tag).to_owned()).collect(), ..NotesGet::new("1", [Level::Low]) };
        request.to_wire(Naming::Specification)
    };
    let headers = wire(&["a", "b c"]).unwrap().headers;
    assert_eq!(headers, [("X-Tags", "a,b c".to_owned()), ("X-Levels", "low".to_owned())]);
    assert_eq!(wire(&[]).unwrap().headers.len(), 1);
    for tags in [&["a,b"][..], &[""], &[" a"], &["a", "é"], &["a\r\nX: y"]] {
        assert!(wire(tags).is_err(), "{tags:?}");
    }
}

#[tokio::test]
async fn a_server_joins_repeated_headers() {
    let response = send_raw(&[("x-levels", "high"), ("x-tags", "a ,b,"), ("x-tags", "c")]).await;
    assert_eq!((response.status().as_u16(), response.headers()["x-tags"].to_str().unwrap()), (200, "a,b,c"));
    assert_eq!(send_raw(&[]).await.status(), 400, "a required header is missing");
    assert_eq!(send_raw(&[("x-levels", "low"), ("x-tags", "a,b,c,d")]).await.status(), 400, "the list is too long");
}
