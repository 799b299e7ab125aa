//! A server rejects bodies with too few or too many elements, and a client does not send them.

use http_body_util::BodyExt as _;
use list_bodies_server::requests::{WordsAdd, WordsGroup, WordsImport, WordsList, WordsSet};
use list_bodies_server::runtime::axum::{body::Body, http};
use list_bodies_server::types::Word;
use list_bodies_server::{Context, Result, service};
use tower_service::Service as _;

struct Words;

impl service::Words for Words {
    async fn set(&self, _: WordsSet, _: &Context) -> Result<()> {
        Ok(().into())
    }

    async fn add(&self, _: WordsAdd, _: &Context) -> Result<()> {
        Ok(().into())
    }

    async fn group(&self, _: WordsGroup, _: &Context) -> Result<()> {
        Ok(().into())
    }

    async fn import(&self, _: WordsImport, _: &Context) -> Result<()> {
        Ok(().into())
    }

    async fn list(&self, _: WordsList, _: &Context) -> Result<Vec<Word>> {
        Ok(Vec::new().into())
    }
}

async fn send(method: &str, path: &str, body: &'static str) -> (u16, String) {
    let mut request = http::Request::builder().method(method).uri(path);
    if !body.is_empty() {
        request = request.header("content-type", "application/json");
    }
    let response = list_bodies_server::router(Words).call(request.body(Body::from(body)).unwrap()).await.unwrap();
    let status = response.status().as_u16();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

#[tokio::test]
async fn bodies_within_their_bounds_are_accepted() {
    for (method, path, body) in [
        ("PUT", "/words", r#"[{"text":"a"}]"#),
        ("POST", "/words", r#"["a","b"]"#),
        ("POST", "/words", ""),
        ("PUT", "/groups", r#"{"a":["b","c"]}"#),
        ("POST", "/imports", r#"["a"]"#),
    ] {
        let (status, text) = send(method, path, body).await;
        assert_eq!(status, 204, "{method} {path} {body}: {text}");
    }
}

#[tokio::test]
async fn other_bodies_are_violations_with_their_place() {
    for (method, path, body, violation) in [
        ("PUT", "/words", "[]", "the body must have 1 to 3 elements, found 0"),
        ("PUT", "/words", r#"[{"text":"a"},{"text":"b"},{"text":"c"},{"text":"d"}]"#, "1 to 3 elements, found 4"),
        ("POST", "/words", "[]", "the body must have at least 1 element, found 0"),
        ("POST", "/words", r#"["a","b","a"]"#, "[2]: must be unique, but equals element 0"),
        ("PUT", "/groups", "{}", "the body must have at least 1 element, found 0"),
        ("PUT", "/groups", r#"{"a":["b"]}"#, "a: must have at least 2 elements, found 1"),
        ("POST", "/imports", "[]", "the body must have at least 1 element, found 0"),
    ] {
        let (status, text) = send(method, path, body).await;
        assert!(status == 400 && text.contains(violation), "{method} {path} {body}: {text}");
    }
}

#[tokio::test]
async fn responses_are_not_rejected() {
    assert_eq!(send("GET", "/words", "").await, (200, "[]".to_owned()));
}
