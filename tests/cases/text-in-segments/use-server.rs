//! Variables that share a path segment with text are encoded unambiguously, or refused.

use http_body_util::BodyExt as _;
use text_in_segments_client::Client;
use text_in_segments_client::runtime::transport::ServiceTransport;
use text_in_segments_server::requests::{Check, Compare, File, Hidden, Index, Json, Minified, Page, Rows};
use text_in_segments_server::runtime::axum::{Router, body::Body, http};
use text_in_segments_server::types::Echo;
use text_in_segments_server::{Context, Result, service};
use tower_service::Service as _;

struct Files;

fn reply<const N: usize>(by: &str, of: [&str; N]) -> Result<Echo> {
    Ok(Echo::default().with_by(by).with_of(of).into())
}

impl service::Ungrouped for Files {
    async fn file(&self, request: File, _: &Context) -> Result<Echo> {
        reply("file", [&request.name])
    }

    async fn json(&self, request: Json, _: &Context) -> Result<Echo> {
        reply("json", [&request.name])
    }

    async fn index(&self, _: Index, _: &Context) -> Result<Echo> {
        reply("index", [])
    }

    async fn minified(&self, request: Minified, _: &Context) -> Result<Echo> {
        reply("minified", [&request.name])
    }

    async fn check(&self, request: Check, _: &Context) -> Result<Echo> {
        reply("check", [&request.name])
    }

    async fn compare(&self, request: Compare, _: &Context) -> Result<Echo> {
        reply("compare", [&request.base, &request.head])
    }

    async fn page(&self, request: Page, _: &Context) -> Result<Echo> {
        reply("page", [&request.media_id, &request.page.to_string(), request.format.as_str()])
    }

    async fn rows(&self, request: Rows, _: &Context) -> Result<Echo> {
        let ids: Vec<String> = request.ids.iter().map(i32::to_string).collect();
        reply("rows", [&ids.join("+"), &request.version])
    }

    async fn hidden(&self, request: Hidden, _: &Context) -> Result<Echo> {
        reply("hidden", [&request.name])
    }
}

fn router() -> Router {
    text_in_segments_server::router(Files)
}

fn client() -> Client {
    Client::builder().base_url("http://localhost").transport(ServiceTransport::new(router())).build().unwrap()
}

fn describe(reply: &Echo) -> String {
    let of: Vec<&str> = reply.of.iter().map(String::as_str).collect();
    format!("{}: {}", reply.by.as_deref().unwrap_or_default(), of.join(" | "))
}

async fn send_raw(target: &str) -> String {
    let response = router().call(http::Request::get(target).body(Body::empty()).unwrap()).await.unwrap();
    let status = response.status();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    match status.as_u16() {
        200 => describe(&text_in_segments_server::types::runtime::json::from_slice(&body).unwrap()),
        other => other.to_string(),
    }
}

#[tokio::test]
async fn the_server_decodes_what_the_client_encodes() {
    let client = client();
    for name in ["a", "a.b", ".json", "a b/c", "ä", "a:check", "%2E", "a.json.json", "."] {
        assert_eq!(describe(&client.json(name).send().await.unwrap()), format!("json: {name}"));
        assert_eq!(describe(&client.minified(name).send().await.unwrap()), format!("minified: {name}"));
        assert_eq!(describe(&client.check(name).send().await.unwrap()), format!("check: {name}"));
    }
    for (base, head) in [("main", "next"), ("a...b", "c"), ("a.", "b"), ("..", "a."), ("a/b", "c,d")] {
        assert_eq!(describe(&client.compare(base, head).send().await.unwrap()), format!("compare: {base} | {head}"));
    }
    assert_eq!(describe(&client.page("t.t", 12, "jpg").send().await.unwrap()), "page: t.t | 12 | jpg");
    assert_eq!(describe(&client.rows([1, -2], "),v=3").send().await.unwrap()), "rows: 1+-2 | ),v=3");
    assert_eq!(describe(&client.hidden("a").send().await.unwrap()), "hidden: a");
}

#[tokio::test]
async fn an_ambiguous_value_is_not_sent() {
    let client = client();
    let head = client.compare("a", "b...c").send().await.unwrap_err().to_string();
    assert!(head.contains("`head` is ambiguous"), "{head}");
    let dot = client.compare("a", ".b").send().await.unwrap_err().to_string();
    assert!(dot.contains("`head` is ambiguous"), "{dot}");
    let format = client.page("a", 1, "t.x").send().await.unwrap_err().to_string();
    assert!(format.contains("`format` is ambiguous"), "{format}");
    for empty in [client.compare("", "a").send().await, client.json("").send().await, client.hidden(".").send().await] {
        let error = empty.unwrap_err().to_string();
        assert!(error.contains("must not be empty, `.` or `..`"), "{error}");
    }
    assert!(client.rows(Vec::<i32>::new(), "1").send().await.is_err());
}

#[tokio::test]
async fn the_most_specific_path_matches() {
    for (target, expected) in [
        ("/files/index.json", "index: "),
        ("/files/a.json", "json: a"),
        ("/files/a.min.json", "minified: a"),
        ("/files/.min.json", "json: .min"),
        ("/files/.json", "file: .json"),
        ("/files/a.jso", "file: a.jso"),
        ("/files/a%2Ejson", "json: a"),
        ("/files/a%2ejso%6E", "json: a"),
        ("/files/a%2Eb.json", "json: a.b"),
        ("/compare/a...b...c", "compare: a...b | c"),
        ("/compare/a....b", "compare: a. | b"),
        ("/compare/a%2E..b", "compare: a | b"),
        ("/compare/a...", "404"),
        ("/compare/...b", "404"),
        ("/compare/a..b", "404"),
        ("/galleries/x/3t.png/info", "page: x | 3 | png"),
        ("/galleries/x/xt.png/info", "400"),
        ("/galleries/x/3.png/info", "404"),
        ("/rows(1,2),v=a", "rows: 1+2 | a"),
        ("/rows%281,2%29%2Cv%3Da", "rows: 1+2 | a"),
        ("/hidden/.a", "hidden: a"),
        ("/hidden/%2Ea", "hidden: a"),
        ("/hidden/a", "404"),
        ("/hidden/..", "400"),
        ("/hidden/.%2E", "400"),
        ("/files/%FF.json", "400"),
    ] {
        assert_eq!(send_raw(target).await, expected, "{target}");
    }
}
