//! What clients send by the roles of parameters, and what they take errors for.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use roles_client::requests::{ItemsAdd, ItemsGet};
use roles_client::runtime::fake::{Failure, Fake, FakeReply};
use roles_client::runtime::wire::operation::Role;
use roles_client::runtime::wire::Request as _;
use roles_client::runtime::{Builder, Credentials, ErrorKind, OptionErrorKind, RetryPolicy, Selection};
use roles_client::types::{Fault, Item};
use roles_client::{Client, fake};

fn builder(fake: &Fake) -> Builder<Client> {
    fake.builder().retry(RetryPolicy::default().with_min_delay(Duration::ZERO).with_max_delay(Duration::ZERO))
}

/// A double that keeps the queries that it was asked with.
fn asked() -> (Fake, Arc<Mutex<Vec<String>>>) {
    let queries = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&queries);
    let fake = fake().on_call(move |request: &ItemsGet, call| {
        kept.lock().unwrap().push(call.uri().query().unwrap_or_default().to_owned());
        Ok(FakeReply::new(Item::default().with_id(request.id.as_str())))
    });
    (fake, queries)
}

#[test]
fn parameters_go_by_the_names_of_the_schema() {
    let (fake, queries) = asked();
    let client: Client = builder(&fake).credentials(Credentials::api_key("k 1")).quota_user("all").build().unwrap();
    let only = Selection::<Item>::parse("id").unwrap();
    let get = || client.items().get("1");
    get().fields(only).pretty_print().quota_user("one").send_blocking().unwrap();
    get().key(2).set_fields(true).send_blocking().unwrap();
    get().parameter("members", "title").parameter("tenant", "two").send_blocking().unwrap();
    assert_eq!(
        *queries.lock().unwrap(),
        [
            "only=id&indent=true&tenant=one&apikey=k%201",
            "key=2&fields=true&tenant=all&apikey=k%201",
            "only=title&tenant=two&apikey=k%201",
        ]
    );
}

#[test]
fn what_has_a_role_is_the_clients_own() {
    let client: Client = builder(&asked().0).build().unwrap();
    let cases = [("apikey", OptionErrorKind::Reserved), ("ticket", OptionErrorKind::Reserved)];
    let cases = cases.into_iter().chain([("output", OptionErrorKind::Reserved), ("how", OptionErrorKind::Reserved)]);
    // A name that has a role elsewhere has none here.
    for (name, kind) in cases.chain([("access_token", OptionErrorKind::Unknown), ("alt", OptionErrorKind::Unknown)]) {
        let call = client.items().get("1").parameter(name, "secret-value");
        let error = call.send_blocking().unwrap_err();
        let ErrorKind::Option(option) = error.kind() else { panic!("{error:?}") };
        assert_eq!((option.name.as_str(), option.kind), (name, kind));
    }
    assert!(ItemsGet::API.standard_parameters.iter().all(|parameter| parameter.role.is_some()));
    assert_eq!(ItemsAdd::API.parameter(Role::Callback), None);
}

#[test]
fn too_many_requests_are_what_the_schema_says() {
    let slow = [(400, "slow_down"), (409, "busy")];
    let others = [(400, "missing"), (403, "busy"), (403, "slow_down"), (409, "taken")];
    let cases = slow.map(|case| (case, true)).into_iter().chain(others.map(|case| (case, false)));
    for ((status, reason), is_slow) in cases {
        let fake = fake().on(move |_: &ItemsGet| Err(Failure::status(status).reason(reason).message("not now")));
        let client: Client = builder(&fake).build().unwrap();
        let error = client.items().get("1").send_blocking().unwrap_err();
        assert_eq!((error.is_rate_limited(), error.is_retryable()), (is_slow, is_slow), "{status} {reason}");
        assert_eq!(error.attempts(), if is_slow { 4 } else { 1 }, "{status} {reason}");
        // The double writes the words of the service.
        let fault = Fault::default().with_area("store").with_kind(reason).with_text("not now");
        assert_eq!(error.response().unwrap().body, Some(fault));
    }
}

#[test]
fn a_request_is_found_by_the_header_of_the_service() {
    let failure = |name: &'static str| Failure::status(500).header(name.parse().unwrap(), "r1".parse().unwrap());
    for (name, found) in [("x-trace", Some("r1")), ("x-request-id", None)] {
        let fake = fake().on(move |_: &ItemsGet| Err(failure(name)));
        let client: Client = builder(&fake).retry(RetryPolicy::off()).build().unwrap();
        let error = client.items().get("1").send_blocking().unwrap_err();
        assert_eq!(error.response().unwrap().request_id.as_deref(), found, "{name}");
    }
}
