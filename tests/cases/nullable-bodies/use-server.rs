//! Null arrives as a body, and is returned as one.

use http_body_util::BodyExt as _;
use nullable_bodies_server::requests::{ColorsSet, NotesFind, NotesPut, NumbersSet, SizesSet};
use nullable_bodies_server::runtime::axum::{body::Body, http};
use nullable_bodies_server::types::{Color, Note, Size};
use nullable_bodies_server::{Context, Result, service};
use tower_service::Service as _;

struct Echo;

impl service::Notes for Echo {
    async fn put(&self, request: NotesPut, _: &Context) -> Result<Option<Note>> {
        Ok(request.body.into())
    }

    async fn find(&self, _: NotesFind, _: &Context) -> Result<Option<Note>> {
        Ok(None.into())
    }
}

impl service::Numbers for Echo {
    async fn set(&self, request: NumbersSet, _: &Context) -> Result<Option<f64>> {
        Ok(request.body.into())
    }
}

impl service::Colors for Echo {
    async fn set(&self, request: ColorsSet, _: &Context) -> Result<Option<Color>> {
        Ok(request.body.unwrap_or(Some(Color::Red)).into())
    }
}

impl service::Sizes for Echo {
    async fn set(&self, request: SizesSet, _: &Context) -> Result<Option<Size>> {
        Ok(request.body.into())
    }
}

impl service::Mixed for Echo {}

async fn send(method: &str, path: &str, body: &'static str) -> (u16, String) {
    let request = http::Request::builder().method(method).uri(path).header("content-type", "application/json");
    let mut router = nullable_bodies_server::router(Echo);
    let response = router.call(request.body(Body::from(body)).unwrap()).await.unwrap();
    let status = response.status().as_u16();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

#[tokio::test]
async fn null_is_a_body() {
    for (path, bodies) in [
        ("/note", ["null", r#"{"text":"a"}"#]),
        ("/number", ["null", "1.5"]),
        ("/color", ["null", r#""blue""#]),
        ("/size", ["null", "5"]),
    ] {
        for body in bodies {
            assert_eq!(send("PUT", path, body).await, (200, body.to_owned()), "{path}");
        }
    }
    assert_eq!(send("GET", "/note", "").await, (200, "null".to_owned()));
    assert_eq!(send("PUT", "/color", "").await, (200, r#""red""#.to_owned()), "no body is not null");
}

#[tokio::test]
async fn other_bodies_are_checked() {
    for (path, body) in [("/note", ""), ("/note", r#"{"text":""}"#), ("/note", "{}"), ("/number", r#""a""#)] {
        assert_eq!(send("PUT", path, body).await.0, 400, "{path} {body}");
    }
}

#[tokio::test]
async fn what_a_client_cannot_set_is_removed() {
    assert_eq!(send("PUT", "/note", r#"{"text":"a","id":"b"}"#).await, (200, r#"{"text":"a"}"#.to_owned()));
}
