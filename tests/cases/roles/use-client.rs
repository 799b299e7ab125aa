//! Client behavior that depends on the roles of parameters and on the error profile of the API.

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

/// Returns a fake that records the queries of its requests.
fn recording_fake() -> (Fake, Arc<Mutex<Vec<String>>>) {
    let queries = Arc::new(Mutex::new(Vec::new()));
    let recorded = Arc::clone(&queries);
    let fake = fake().on_call(move |request: &ItemsGet, call| {
        recorded.lock().unwrap().push(call.uri().query().unwrap_or_default().to_owned());
        Ok(FakeReply::new(Item::default().with_id(request.id.as_str())))
    });
    (fake, queries)
}

#[test]
fn roles_use_the_parameter_names_of_the_schema() {
    let (fake, queries) = recording_fake();
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
fn parameters_with_a_role_are_reserved() {
    let client: Client = builder(&recording_fake().0).build().unwrap();
    let cases = [("apikey", OptionErrorKind::Reserved), ("ticket", OptionErrorKind::Reserved)];
    let cases = cases.into_iter().chain([("output", OptionErrorKind::Reserved), ("how", OptionErrorKind::Reserved)]);
    // The usual name of a role has no meaning if the schema assigns the role to another parameter.
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
fn the_schema_declares_rate_limit_errors() {
    let limited = [(400, "slow_down"), (409, "busy")];
    let others = [(400, "missing"), (403, "busy"), (403, "slow_down"), (409, "taken")];
    let cases = limited.map(|case| (case, true)).into_iter().chain(others.map(|case| (case, false)));
    for ((status, reason), is_limited) in cases {
        let fake = fake().on(move |_: &ItemsGet| Err(Failure::status(status).reason(reason).message("not now")));
        let client: Client = builder(&fake).build().unwrap();
        let error = client.items().get("1").send_blocking().unwrap_err();
        assert_eq!((error.is_rate_limited(), error.is_retryable()), (is_limited, is_limited), "{status} {reason}");
        assert_eq!(error.attempts(), if is_limited { 4 } else { 1 }, "{status} {reason}");
        // The fake writes the reasons of the API, each with its domain.
        let area = if matches!(reason, "slow_down" | "busy") { "limits" } else { "store" };
        let fault = Fault::default().with_area(area).with_kind(reason).with_text("not now");
        assert_eq!(error.response().unwrap().body, Some(fault));
    }
}

#[test]
fn the_request_id_is_read_from_the_declared_header() {
    let failure = |name: &'static str| Failure::status(500).header(name.parse().unwrap(), "r1".parse().unwrap());
    for (name, found) in [("x-trace", Some("r1")), ("x-request-id", None)] {
        let fake = fake().on(move |_: &ItemsGet| Err(failure(name)));
        let client: Client = builder(&fake).retry(RetryPolicy::off()).build().unwrap();
        let error = client.items().get("1").send_blocking().unwrap_err();
        assert_eq!(error.response().unwrap().request_id.as_deref(), found, "{name}");
    }
}
