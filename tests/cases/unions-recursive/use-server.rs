//! Lists and maps that contain themselves arrive, and are checked, as fields and as whole bodies.

use http_body_util::BodyExt as _;
use unions_recursive_server::requests::{NestedPut, NotesPut, TreesPut};
use unions_recursive_server::runtime::axum::{body::Body, http};
use unions_recursive_server::types::{Nested, Note, Tree};
use unions_recursive_server::{Context, Result, service};
use tower_service::Service as _;

struct Echo;

impl service::Notes for Echo {
    async fn put(&self, request: NotesPut, _: &Context) -> Result<Note> {
        Ok(request.body.into())
    }
}

impl service::Nested for Echo {
    async fn put(&self, request: NestedPut, _: &Context) -> Result<Nested> {
        Ok(request.body.into())
    }
}

impl service::Trees for Echo {
    async fn put(&self, request: TreesPut, _: &Context) -> Result<Tree> {
        Ok(request.body.into())
    }
}

async fn send(path: &str, body: impl Into<String>) -> (u16, String) {
    let request = http::Request::builder().method("PUT").uri(path).header("content-type", "application/json");
    let mut router = unions_recursive_server::router(Echo);
    let response = router.call(request.body(Body::from(body.into())).unwrap()).await.unwrap();
    let status = response.status().as_u16();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

#[tokio::test]
async fn values_arrive() {
    for (path, body) in [
        ("/nested", "[]"),
        ("/nested", "[[],[[],[[]]]]"),
        ("/tree", "{}"),
        ("/tree", r#"{"a":{},"b":{"a":{"":{}}}}"#),
        ("/note", r#"{"nested":[[]],"all":[[],[[]]],"tree":{"a":{}},"forest":[{},{"a":[{"b":[]}]}]}"#),
        ("/note", r#"{"maybe":null}"#),
        ("/note", r#"{"maybe":[null,[],[null]]}"#),
    ] {
        assert_eq!(send(path, body).await, (200, body.to_owned()), "{path}");
    }
}

#[tokio::test]
async fn other_values_are_violations_with_their_places() {
    for (path, body, at) in [
        ("/nested", "[[],[1]]", "[1][0]"),
        ("/nested", r#"{"a":[]}"#, "it must be list"),
        ("/tree", r#"{"a":{"b":[]}}"#, "a.b"),
        ("/note", r#"{"all":[]}"#, "all"),
        ("/note", r#"{"forest":[{"a":[{"b":1}]}]}"#, "forest[0].a[0].b"),
    ] {
        let (status, response) = send(path, body).await;
        assert_eq!(status, 400, "{path} {body}");
        assert!(response.contains(at), "{path} {body}: {response}");
    }
}

#[tokio::test]
async fn the_depth_is_limited() {
    for depth in [200, 100_000] {
        assert_eq!(send("/nested", "[".repeat(depth) + &"]".repeat(depth)).await.0, 400);
        assert_eq!(send("/tree", r#"{"a":"#.repeat(depth) + "{}" + &"}".repeat(depth)).await.0, 400);
        let (open, close) = (r#"[{"a":"#.repeat(depth), "}]".repeat(depth));
        assert_eq!(send("/note", format!(r#"{{"forest":{open}[]{close}}}"#)).await.0, 400);
    }
    let nested = "[".repeat(100) + &"]".repeat(100);
    assert_eq!(send("/nested", nested.clone()).await, (200, nested));
}
