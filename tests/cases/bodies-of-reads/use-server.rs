//! GET and DELETE requests can have a body.

use bodies_of_reads_client::Client;
use bodies_of_reads_client::runtime::transport::ServiceTransport;
use bodies_of_reads_server::requests::{NotesDelete, NotesFind};
use bodies_of_reads_server::runtime::axum::{Router, body::Body, http};
use bodies_of_reads_server::types::{Found, Query};
use bodies_of_reads_server::{Context, Result, service};
use http_body_util::BodyExt as _;
use tower_service::Service as _;

struct Notes;

impl service::Notes for Notes {
    async fn find(&self, request: NotesFind, _: &Context) -> Result<Found> {
        Ok(Found::default().with_echo(request.body.words.join("+")).into())
    }

    async fn delete(&self, request: NotesDelete, _: &Context) -> Result<Found> {
        Ok(Found::default().with_echo(request.body.map_or("all".to_owned(), |query| query.words.join("+"))).into())
    }
}

fn router() -> Router {
    bodies_of_reads_server::router(Notes)
}

async fn send_raw(method: &str, body: &'static str) -> (u16, String) {
    let request = http::Request::builder().method(method).uri("/notes").header("content-type", "application/json");
    let response = router().call(request.body(Body::from(body)).unwrap()).await.unwrap();
    let status = response.status().as_u16();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

#[tokio::test]
async fn bodies_of_get_and_delete_are_sent_and_decoded() {
    let client: Client = Client::builder().base_url("http://localhost").transport(ServiceTransport::new(router())).build().unwrap();
    let query = Query::default().with_words(["a", "b"]);
    assert_eq!(client.notes().find(query.clone()).send().await.unwrap().echo.as_deref(), Some("a+b"));
    assert_eq!(client.notes().delete().body(query).send().await.unwrap().echo.as_deref(), Some("a+b"));
    assert_eq!(client.notes().delete().send().await.unwrap().echo.as_deref(), Some("all"));
}

#[tokio::test]
async fn bodies_of_get_and_delete_are_validated() {
    assert_eq!(send_raw("GET", r#"{"words":["a"]}"#).await, (200, r#"{"echo":"a"}"#.to_owned()));
    let (status, body_text) = send_raw("GET", "").await;
    assert!(status == 400 && body_text.contains("required"), "{body_text}");
    for (method, body) in [("GET", r#"{"words":1}"#), ("DELETE", r#"{"words":["a","b","c","d"]}"#)] {
        let (status, body_text) = send_raw(method, body).await;
        assert!(status == 400 && body_text.contains("words"), "{body_text}");
    }
}
