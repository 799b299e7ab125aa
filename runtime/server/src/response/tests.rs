//! Responses, from the reply of a handler to the sent bytes.

use std::io::Read as _;

use http::{HeaderValue, header};
use http_body_util::BodyExt as _;
use wireform_runtime::operation::{AuthRequirement, Operation, Scope};
use wireform_runtime::{Naming, Value};

use super::*;
use crate::contract::Contract;
use crate::sample::*;

/// Status, headers and body.
struct Sent {
    status: u16,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Sent {
    fn header(&self, name: &str) -> Option<&str> {
        assert!(self.headers.get_all(name).iter().count() < 2, "{name} is repeated");
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    fn unzipped(&self) -> String {
        let mut text = String::new();
        flate2::read::GzDecoder::new(self.body.as_slice()).read_to_string(&mut text).unwrap();
        text
    }
}

fn sent(outcome: Outcome) -> Sent {
    let (parts, body) = outcome.unwrap().into_parts();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let body = runtime.block_on(body.collect()).unwrap().to_bytes().to_vec();
    Sent { status: parts.status.as_u16(), headers: parts.headers, body }
}

/// Returns things whose text is longer than a thousand bytes.
fn long() -> Thing {
    Thing { any: Some(Value::from("x".repeat(2000))), ..thing("a", Some("\"v1\"")) }
}

#[test]
fn json_response_has_default_headers() {
    let response = sent(context(&GET, &[]).respond::<Get>(thing("a", Some("\"v1\"")).into()));
    assert_eq!((response.status, response.text()), (200, r#"{"id":"a","etag":"\"v1\""}"#));
    assert_eq!(response.header("content-type"), Some("application/json; charset=UTF-8"));
    assert_eq!(response.header("etag"), Some("\"v1\""));
    assert_eq!(response.header("cache-control"), Some("private, max-age=0, must-revalidate"));
    assert_eq!(response.header("vary"), Some("Accept-Encoding"));
    assert_eq!(response.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(response.header("content-encoding"), None);
}

#[test]
fn a_response_to_credentials_varies_with_them() {
    const READ: &Scope = &Scope::new("read", "https://things.example/read");
    let operation = Box::leak(Box::new(Operation { scopes: AuthRequirement::AnyOf(&[READ]), ..*GET.operation }));
    let contract = Box::leak(Box::new(Contract { operation, ..GET }));
    let response = sent(context(contract, &[]).respond::<Get>(thing("a", None).into()));
    assert_eq!(response.header("vary"), Some("Authorization, Accept-Encoding"));
}

#[test]
fn input_only_fields_are_omitted() {
    for contract in [&GET, &LOOK] {
        let response = sent(context(contract, &[]).respond::<Get>(thing("a", None).into()));
        assert!(!response.text().contains("s3cret"));
    }
}

#[test]
fn the_status_is_that_of_the_reply_or_of_the_operation() {
    assert_eq!(sent(context(&REPLACE, &[]).respond::<Replace>(thing("a", None).into())).status, 201);
    let reply = Reply::new(thing("a", None)).with_status(StatusCode::ACCEPTED);
    assert_eq!(sent(context(&REPLACE, &[]).respond::<Replace>(reply)).status, 202);
}

#[test]
fn responses_without_a_body() {
    let response = sent(context(&DELETE, &[("accept-encoding", "gzip, identity;q=0")]).respond::<Delete>(().into()));
    assert_eq!((response.status, response.body.len()), (204, 0));
    for name in ["content-type", "content-length", "content-encoding", "etag"] {
        assert_eq!(response.header(name), None, "{name}");
    }
    assert_eq!(response.header("cache-control"), Some("no-store"));
    let reply = Reply::new(thing("a", None)).with_status(StatusCode::NO_CONTENT);
    let response = sent(context(&GET, &[]).respond::<Get>(reply));
    assert_eq!((response.status, response.body.len(), response.header("content-type")), (204, 0, None));
}

#[test]
fn current_version_is_not_modified() {
    let current = [r#""v1""#, r#"W/"v1""#, r#""v0", "v1""#, "*"];
    for condition in current {
        let reply = Reply::new(long()).with_header(header::CONTENT_TYPE, HeaderValue::from_static("x/y"));
        let context = context(&GET, &[("if-none-match", condition), ("accept-encoding", "gzip")]);
        let response = sent(context.respond::<Get>(reply));
        assert_eq!((response.status, response.body.len()), (304, 0), "{condition}");
        assert_eq!(response.header("etag"), Some("\"v1\""));
        assert_eq!(response.header("vary"), Some("Accept-Encoding"));
        assert_eq!(response.header("cache-control"), Some("private, max-age=0, must-revalidate"));
        assert_eq!((response.header("content-type"), response.header("content-encoding")), (None, None));
    }
    for condition in [r#""v2""#, ""] {
        let response = sent(context(&GET, &[("if-none-match", condition)]).respond::<Get>(long().into()));
        assert_eq!(response.status, 200, "{condition}");
    }
    // Neither a write nor an operation without conditions gets a 304.
    let response = sent(context(&UPDATE, &[("if-none-match", r#""v1""#)]).respond::<Update>(long().into()));
    assert_eq!((response.status, response.header("etag")), (200, Some("\"v1\"")));
    assert_eq!(response.header("cache-control"), Some("no-store"), "responses to writes are not cached");
    let reply = Reply::new(Things::default()).with_etag(ETag::strong("v1").unwrap());
    let response = sent(context(&LIST, &[("if-none-match", r#""v1""#)]).respond::<List>(reply));
    assert_eq!((response.status, response.header("etag")), (200, Some("\"v1\"")));
}

#[test]
fn entity_tag_of_field_reply_or_hash() {
    let reply = |etag| Reply::new(thing("a", etag)).with_etag(ETag::strong("reply").unwrap());
    let tag = |reply| sent(context(&GET, &[]).respond::<Get>(reply)).header("etag").map(str::to_owned);
    assert_eq!(tag(reply(Some("bare"))).as_deref(), Some("\"bare\""));
    assert_eq!(tag(reply(None)).as_deref(), Some("\"reply\""));
    assert_eq!(tag(reply(Some("no tag"))).as_deref(), Some("\"reply\""));
    let made = tag(thing("a", None).into()).unwrap();
    assert_eq!(made.len(), 34);
    assert_eq!(tag(thing("a", None).into()), Some(made.clone()), "the same value has the same tag");
    assert_ne!(tag(thing("b", None).into()), Some(made));
    // No tag is computed for an operation without conditions.
    assert_eq!(sent(context(&LIST, &[]).respond::<List>(Things::default().into())).header("etag"), None);
}

#[test]
fn a_version_has_one_tag() {
    let value = || Thing { any: Some(Value::from("x".repeat(2000))), ..thing("a", None) };
    let plain = sent(context(&LOOK, &[]).respond::<Look>(value().into()));
    let mut other = context(&LOOK, &[("accept-encoding", "gzip, identity;q=0")]);
    other.response_options.select("id", Look::RESPONSE_SHAPE).unwrap();
    other.response_options.pretty = true;
    let other = sent(other.respond::<Look>(value().into()));
    assert_eq!(other.unzipped(), "{\n  \"id\": \"a\"\n}\n");
    assert_eq!(plain.header("etag"), other.header("etag"));
    let tag = plain.header("etag").unwrap();
    let again = sent(context(&LOOK, &[("if-none-match", tag)]).respond::<Look>(value().into()));
    assert_eq!((again.status, again.header("etag"), again.body.len()), (304, Some(tag), 0));
    // It is also the tag by which a write is admitted.
    assert!(context(&REPLACE, &[("if-match", tag)]).admit(&Replace { id: "a".into() }, &value()).is_ok());
}

#[test]
fn fields_are_selected() {
    let mut selecting = context(&LIST, &[]);
    selecting.response_options.select("items(id,any/x),nextPageToken", List::RESPONSE_SHAPE).unwrap();
    assert!(selecting.selects("items/id") && selecting.selects("items") && !selecting.selects("items/kind"));
    let any = Some(serde_json::json!({ "x": 1, "y": 2 }));
    let things =
        Things { items: vec![Thing { any, ..thing("a", None) }], cursor: Some("c".into()), ..Things::default() };
    let response = sent(selecting.respond::<List>(things.into()));
    assert_eq!(response.text(), r#"{"items":[{"id":"a","any":{"x":1}}]}"#);
    let mut wanted = crate::context::ResponseOptions::default();
    assert!(wanted.select("nothing", List::RESPONSE_SHAPE).unwrap_err().to_string().contains("has no field `nothing`"));
    assert!(wanted.select(" ", List::RESPONSE_SHAPE).is_ok() && wanted.fields.is_none());
    assert!(wanted.select("anything", Delete::RESPONSE_SHAPE).is_ok() && wanted.fields.is_none());
    assert!(context(&LIST, &[]).selects("items/kind"));
}

#[test]
fn long_responses_are_compressed() {
    let response = sent(context(&GET, &[("accept-encoding", "gzip")]).respond::<Get>(long().into()));
    assert_eq!(response.header("content-encoding"), Some("gzip"));
    assert_eq!(response.header("content-type"), Some("application/json; charset=UTF-8"));
    assert!(response.body.len() < 200);
    let plain = sent(context(&GET, &[("accept-encoding", "gzip;q=0")]).respond::<Get>(long().into()));
    assert_eq!(plain.header("content-encoding"), None);
    assert_eq!(response.unzipped(), plain.text());
    let short = context(&GET, &[("accept-encoding", "gzip")]).respond::<Get>(thing("a", None).into());
    assert_eq!(sent(short).header("content-encoding"), None);
    let mut never = context(&GET, &[("accept-encoding", "gzip, identity;q=0")]);
    std::sync::Arc::get_mut(&mut never.settings).unwrap().compress_from = None;
    let never = sent(never.respond::<Get>(long().into()));
    assert_eq!((never.header("content-encoding"), never.header("vary")), (None, None));
}

#[test]
fn reply_headers_replace_defaults() {
    let reply = Reply::new(long())
        .with_header(header::CACHE_CONTROL, HeaderValue::from_static("max-age=5"))
        .with_header(header::CONTENT_TYPE, HeaderValue::from_static("application/x+json"))
        .with_header(header::CONTENT_LENGTH, HeaderValue::from_static("1"))
        .with_header(header::CONTENT_ENCODING, HeaderValue::from_static("none"))
        .with_header(header::LOCATION, HeaderValue::from_static("/a"));
    let response = sent(context(&GET, &[("accept-encoding", "gzip")]).respond::<Get>(reply));
    assert_eq!(response.header("cache-control"), Some("max-age=5"));
    assert_eq!(response.header("content-type"), Some("application/x+json"));
    assert_eq!(response.header("location"), Some("/a"));
    assert_eq!(response.header("content-length"), None);
    assert_eq!(response.header("content-encoding"), Some("none"));
    assert!(response.text().starts_with("{\"id\""));
    // The `Vary` of the library is kept, whatever else the response depends on.
    let reply = Reply::new(long()).with_header(header::VARY, HeaderValue::from_static("Origin"));
    let response = sent(context(&GET, &[]).respond::<Get>(reply));
    assert!(response.headers.get_all(header::VARY).iter().eq(["Origin", "Accept-Encoding"]));
}

#[test]
fn responses_use_the_naming_of_the_server() {
    let value = || Thing { kind: Some("plain".into()), ..thing("a", Some("v")) };
    let mut public = context(&GET, &[]);
    public.settings = settings(Naming::Public);
    assert_eq!(sent(public.respond::<Get>(value().into())).text(), r#"{"id":"a","etag":"v","kind":"simple"}"#);
    let mut public = context(&GET, &[]);
    public.settings = settings(Naming::Public);
    public.response_options.select("kind", Get::RESPONSE_SHAPE).unwrap();
    assert_eq!(sent(public.respond::<Get>(value().into())).text(), r#"{"kind":"simple"}"#);
    assert!(sent(context(&GET, &[]).respond::<Get>(value().into())).text().contains("plain"));
}

#[test]
fn unencodable_value_is_a_500() {
    let (thing, cause) = unwritable();
    for fields in ["id", ""] {
        let mut context = context(&GET, &[]);
        context.response_options.select(fields, Get::RESPONSE_SHAPE).unwrap();
        let error = context.respond::<Get>(thing.clone().into()).unwrap_err();
        assert_eq!(error.status(), 500);
        assert!(!error.message().contains("unwritable"));
        assert_eq!(std::error::Error::source(&error).unwrap().to_string(), cause.to_string());
    }
}
