//! Clients of fakes.

use std::sync::Mutex;
use std::time::Duration;

use crate::common::*;
use http::header::{HeaderName, HeaderValue};
use serde_json::json;
use wireform_client::fake::{Failure, Fake, FakeReply};
use wireform_client::wire::operation::{Api, ErrorFields, Operation, RoleValues};
use wireform_client::{
    __private::send_versioned, Client, Credentials, ErrorKind, Items, Request, RetryPolicy, Token, TransportErrorKind,
};

fn fake() -> Fake {
    Fake::new(&API)
}

fn client(fake: &Fake) -> Client {
    fake.client().unwrap()
}

fn named(request: &Get) -> Thing {
    Thing { name: Some(format!("it is {}", request.id)), ..thing(&request.id) }
}

#[tokio::test]
async fn handler_responds_to_an_operation() {
    let fake = fake().on(|request: &Get| Ok(named(request))).on(|_: &Delete| Ok(()));
    let client = client(&fake);
    let thing = client.call(get()).send().await.unwrap();
    assert_eq!(thing.name.as_deref(), Some("it is a"));
    client.call(Delete { id: "b".to_owned() }).send().await.unwrap();
    client.call(Get { id: "c".to_owned() }).send().await.unwrap();
    assert_eq!(fake.calls(), ["things.get", "things.delete", "things.get"]);
    assert_eq!(fake.requests::<Get>(), [get(), Get { id: "c".to_owned() }]);
    assert!(fake.requests::<List>().is_empty());
}

#[tokio::test]
async fn later_handler_replaces_an_earlier_one() {
    let fake = fake().on(|request: &Get| Ok(named(request)));
    let client = client(&fake);
    fake.clone().on(|_: &Get| Err(Failure::status(404)));
    assert!(client.call(get()).send().await.is_err_and(|error| error.is_not_found()));
}

#[tokio::test]
async fn handlers_can_have_state() {
    let left = Mutex::new(vec!["c", "b", "a"]);
    let fake = fake().on(move |_: &List| {
        let mut left = left.lock().unwrap();
        let items = vec![thing(left.pop().unwrap())];
        Ok(Things { items, next: left.last().map(|token| (*token).to_owned()), cursor: None })
    });
    let items = Items::new(client(&fake).call(List::default())).collect().await.unwrap();
    assert_eq!(ids(&items), ["a", "b", "c"]);
    let pages: Vec<_> = fake.requests::<List>().into_iter().map(|request| request.page).collect();
    assert_eq!(pages, [None, Some("b".to_owned()), Some("c".to_owned())]);
}

#[tokio::test]
async fn operation_without_a_handler_is_an_error() {
    let fake = fake().on(|_: &Delete| Ok(()));
    let error = client(&fake).call(get()).send().await.unwrap_err();
    let message = error.to_string();
    assert!(message.contains("things.get") && message.contains("fake.on("), "{message}");
    assert!(!error.is_retryable());

    let double = self::fake().on(|_: &Get| Err(Failure::no_handler("things.get")));
    let error = client(&double).call(get()).send().await.unwrap_err();
    assert!(error.to_string().contains("override") && !error.is_retryable(), "{error}");
}

#[tokio::test]
async fn an_error_has_the_shape_of_the_api() {
    let fake =
        fake().on(|_: &Get| Err(Failure::status(404).reason("notFound").message("there is none").location("id")));
    let error = client(&fake).call(get()).send().await.unwrap_err();
    let response = error.response().unwrap();
    assert_eq!((response.status, response.reason.as_deref()), (404, Some("notFound")));
    assert_eq!((response.message.as_deref(), response.location.as_deref()), (Some("there is none"), Some("id")));
    let body = response.body.as_ref().unwrap().error.as_ref().unwrap();
    assert_eq!(body.errors.len(), 1, "the type determines the position of a list");
    let expected = json!({ "error": {
        "message": "there is none",
        "errors": [{ "reason": "notFound", "location": "id" }],
    } });
    assert_eq!(serde_json::from_str::<serde_json::Value>(&response.raw).unwrap(), expected);
}

#[tokio::test]
async fn error_body_can_be_minimal_or_custom() {
    let cases: [(Failure, Option<&str>); 3] = [
        (Failure::status(500), None),
        (Failure::status(400).message("no"), Some("no")),
        (Failure::status(400).body(json!({ "error": { "message": "own" } })).message("not this"), Some("own")),
    ];
    for (failure, message) in cases {
        let fake = fake().on(move |_: &Get| Err(failure.clone()));
        let error = client(&fake).call(get()).send().await.unwrap_err();
        assert_eq!(error.response().unwrap().message.as_deref(), message);
    }
}

static WITHOUT_ERROR_FIELDS: Api = Api { errors: ErrorFields::NONE, name: "mute", ..COPY };
const COPY: Api = Api {
    name: "",
    version: "v1",
    root_url: None,
    base_path: wireform_client::wire::naming::AliasedName::new(""),
    endpoints: &[],
    batch: None,
    unimplemented: &[],
    scopes: &[],
    standard_parameters: &[],
    role_values: RoleValues::STANDARD,
    errors: ErrorFields::NONE,
};

#[derive(Clone, Debug)]
struct Ask;

impl Request for Ask {
    const API: &'static Api = &WITHOUT_ERROR_FIELDS;
    const OPERATION: &'static Operation = Get::OPERATION;
    type Response = ();
    type ErrorBody = ();

    fn write(&self, parts: &mut wireform_client::wire::__private::RequestEncoder) {
        parts.parameter("x");
    }
}

#[tokio::test]
async fn api_without_error_fields_has_only_the_status() {
    let fake = Fake::new(&WITHOUT_ERROR_FIELDS)
        .on(|_: &Ask| Err(Failure::status(429).reason("lost").retry_after(Duration::from_secs(7))));
    let error = client(&fake).call(Ask).send().await.unwrap_err();
    let response = error.response().unwrap();
    assert_eq!((response.status, &response.reason, response.retry_after), (429, &None, Some(Duration::from_secs(7))));
}

#[tokio::test]
async fn a_connection_may_fail() {
    for (failure, kind) in [
        (Failure::connection(), TransportErrorKind::Connect),
        (Failure::broken(), TransportErrorKind::Broken),
        (Failure::timeout(), TransportErrorKind::Timeout),
        (Failure::status(1), TransportErrorKind::Refused),
    ] {
        let fake = fake().on(move |_: &Get| Err(failure.clone()));
        let error = client(&fake).call(get()).send().await.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Connection(error) if error.kind() == kind), "{error:?}");
        assert_eq!(error.is_timeout(), kind == TransportErrorKind::Timeout);
        assert_eq!(fake.calls().len(), 1, "calls are not retried by default");
    }
}

#[tokio::test(start_paused = true)]
async fn retry_policy_applies() {
    let failures = Mutex::new(2);
    let fake = fake().on(move |request: &Get| {
        let mut failures = failures.lock().unwrap();
        if *failures > 0 {
            *failures -= 1;
            return Err(Failure::status(503));
        }
        Ok(named(request))
    });
    let client: Client = fake.builder().retry(RetryPolicy::default()).build().unwrap();
    client.call(get()).send().await.unwrap();
    assert_eq!(fake.calls(), ["things.get"; 3]);
}

#[tokio::test]
async fn versions_and_conditions_work() {
    let tagged = |request: &Get| Ok(Thing { etag: Some("\"7\"".to_owned()), ..thing(&request.id) });
    let fake = fake().on(tagged);
    let client = client(&fake);
    let read = send_versioned(&client.call(get())).await.unwrap();
    assert_eq!(read.etag().as_str(), "\"7\"");
    let response = GetCall { call: client.call(get()) }.if_none_match(read.etag()).send().await.unwrap();
    assert!(response.is_not_modified());
    let response = GetCall { call: client.call(get()) }.if_none_match(&"\"6\"".parse().unwrap()).send().await.unwrap();
    assert_eq!(response.modified().unwrap().into_value().id.as_deref(), Some("a"));

    // A value without a field for its entity tag.
    fake.clone().on_call(|request: &Get, call| {
        assert_eq!(call.operation().name, "things.get");
        let header = (HeaderName::from_static("x-served"), HeaderValue::from_static("yes"));
        Ok(FakeReply::new(thing(&request.id)).etag("\"8\"".parse().unwrap()).header(header.0, header.1))
    });
    let reply = client.call(get()).perform().await.unwrap();
    assert_eq!((reply.etag.unwrap().as_str(), reply.headers["x-served"].to_str().unwrap()), ("\"8\"", "yes"));
}

#[tokio::test]
async fn a_fake_can_play_a_whole_update() {
    let others = Mutex::new(1);
    let fake = fake().on(|request: &Get| Ok(Thing { etag: Some("\"7\"".to_owned()), ..thing(&request.id) })).on_call(
        move |request: &Update, call| {
            let mut others = others.lock().unwrap();
            let current = if *others > 0 { "\"6\"" } else { "\"7\"" };
            *others = 0;
            assert!(call.if_match().is_some() && call.if_none_match().is_none());
            assert_eq!(call.headers()["if-match"], "\"7\"");
            if !call.may_write(&current.parse().unwrap()) {
                return Err(Failure::status(412).reason("conditionNotMet"));
            }
            Ok(request.thing.clone().into())
        },
    );
    let update = GetCall { call: client(&fake).call(get()) }.update_with(|thing| thing.name = Some("new".to_owned()));
    assert_eq!(update.send().await.unwrap().name.as_deref(), Some("new"));
    assert_eq!(fake.calls(), ["things.get", "things.update", "things.get", "things.update"]);
}

#[tokio::test]
async fn a_client_keeps_the_rest_of_its_set_up() {
    let fake = fake().on(|request: &Get| Ok(named(request)));
    let credentials = Credentials::from(Token::new("secret").unwrap());
    let client = fake.configure(Client::builder(&API).credentials(credentials)).build().unwrap();
    client.call(get()).send().await.unwrap();
    assert!(client.base_url().ends_with(".invalid"));
    assert!(format!("{fake:?}").contains("things.get"));
}

#[tokio::test]
async fn a_function_may_use_the_fake() {
    let fake = fake();
    let own = fake.clone();
    let fake = fake.on(move |request: &Get| {
        assert_eq!(own.calls().len(), 1);
        let _ = own.clone().on(|_: &Delete| Ok(()));
        Ok(named(request))
    });
    let client = client(&fake);
    client.call(get()).send().await.unwrap();
    client.call(Delete { id: "a".to_owned() }).send().await.unwrap();
}
