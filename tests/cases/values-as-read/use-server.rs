//! A server returns what it received: null of any type, numbers, and absence.

use http_body_util::BodyExt as _;
use tower_service::Service as _;
use values_as_read_server::requests::{CallsCreate, CallsPatch, TokensCreate};
use values_as_read_server::runtime::axum::{body::Body, http};
use values_as_read_server::types::runtime::{Merge as _, json};
use values_as_read_server::types::{Call, Tokens};
use values_as_read_server::{Context, Result, service};

struct Echo;

impl service::Calls for Echo {
    async fn create(&self, request: CallsCreate, _: &Context) -> Result<Call> {
        Ok(request.body.into())
    }

    async fn patch(&self, request: CallsPatch, _: &Context) -> Result<Call> {
        let mut call: Call = json::from_str(r#"{"params":1,"extra":2,"nothing":null}"#).unwrap();
        call.apply(request.body);
        Ok(call.into())
    }
}

impl service::Tokens for Echo {
    async fn create(&self, request: TokensCreate, _: &Context) -> Result<Tokens> {
        Ok(request.body.into())
    }
}

async fn send(method: &str, path: &str, body: &'static str) -> (u16, String) {
    let request = http::Request::builder().method(method).uri(path).header("content-type", "application/json");
    let mut router = values_as_read_server::router(Echo);
    let response = router.call(request.body(Body::from(body)).unwrap()).await.unwrap();
    let status = response.status().as_u16();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

#[tokio::test]
async fn values_are_returned_as_they_were_sent() {
    for body in [
        r#"{"params":null}"#,
        r#"{"params":null,"extra":null,"nothing":null,"each":[null,5]}"#,
        r#"{"params":{"a":null},"price":1.5,"prices":[0.5,-3.25,1e+300]}"#,
    ] {
        assert_eq!(send("POST", "/calls", body).await, (200, body.to_owned()));
    }
}

#[tokio::test]
async fn absence_is_no_null_and_null_is_no_other_constant() {
    for (body, field) in [("{}", "params"), (r#"{"extra":null}"#, "params"), (r#"{"params":1,"nothing":0}"#, "nothing")] {
        let (status, text) = send("POST", "/calls", body).await;
        assert!(status == 400 && text.contains(field), "{body}: {text}");
    }
}

#[tokio::test]
async fn patches_set_fields_of_any_type_to_null() {
    let (status, text) = send("PATCH", "/calls", r#"{"params":null,"extra":[]}"#).await;
    assert_eq!((status, text.as_str()), (200, r#"{"params":null,"extra":[],"nothing":null}"#));
}

#[tokio::test]
async fn required_keys_of_a_map_are_checked() {
    let tokens = r#"{"token":"a","other":"b"}"#;
    assert_eq!(send("POST", "/tokens", tokens).await, (200, tokens.to_owned()));
    let (status, text) = send("POST", "/tokens", r#"{"other":"b"}"#).await;
    assert!(status == 400 && text.contains("token"), "{text}");
    assert_eq!(send("POST", "/tokens", r#"{"token":"a","other":1}"#).await.0, 400);
}
