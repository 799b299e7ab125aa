//! Base URLs of the API, by constant and by name.

use std::sync::{Arc, Mutex};

use endpoints_client::requests::{EndpointsGet, FilesGet, FilesList};
use endpoints_client::runtime::fake::{Failure, FakeCall, FakeReply};
use endpoints_client::runtime::{BuildError, Credentials};
use endpoints_client::types::Item;
use endpoints_client::{Client, endpoints, fake};

#[test]
fn a_client_uses_the_configured_endpoint() {
    let transport = fake;
    let at = |client: Client| client.runtime().base_url().to_owned();
    let root = Client::builder().transport(transport()).build().unwrap();
    assert_eq!(at(root), "https://www.example.com");
    let region = Client::builder().base_url(endpoints::US_CENTRAL1).transport(transport()).build().unwrap();
    assert_eq!(at(region), "https://us-central1.rep.example.com");
    let named = Client::builder().endpoint("us-central1-nearest").transport(transport()).build().unwrap();
    assert_eq!(at(named), endpoints::US_CENTRAL1_NEAREST);
    let mtls = Client::builder().endpoint("mtls").transport(transport()).build().unwrap();
    assert_eq!(at(mtls), endpoints::MTLS);
}

#[test]
fn an_unknown_endpoint_is_reported_with_the_known_ones() {
    let error = Client::builder().endpoint("us-central2").transport(fake()).build().unwrap_err();
    assert!(matches!(&error, BuildError::UnknownEndpoint { name, .. } if name == "us-central2"), "{error:?}");
    let expected = "`endpoints` has no endpoint `us-central2`: expected `mtls`, `us-central1`, `us-central1-nearest`, `type`";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn the_api_description_has_endpoints_and_batch_limits() {
    let api = &endpoints_client::requests::API;
    let region = api.endpoints.iter().find(|endpoint| endpoint.location == Some("us-central1")).unwrap();
    assert_eq!((region.name, region.mtls), ("us-central1-nearest", false));
    let batch = api.batch.unwrap();
    assert_eq!((batch.path.name, batch.path.aliases, batch.max_requests), ("/batch/shop/v1", &["/batch"][..], 50));
}

#[test]
fn calls_can_be_batched() {
    let fake = fake().on(|request: &EndpointsGet| match request.id.as_str() {
        "none" => Err(Failure::status(404)),
        id => Ok(Item::default().with_id(id)),
    });
    let client: Client = fake.client().unwrap();
    let mut batch = client.batch();
    let (first, second) = (batch.add(client.endpoints().get("a")), batch.add(client.endpoints().get("none")));
    let mut responses = batch.send_blocking();
    assert!(responses.take(second).unwrap_err().is_not_found());
    assert_eq!(responses.take(first).unwrap().id.as_deref(), Some("a"));
}

/// URLs of requests, and whether they have credentials.
type Sent = Arc<Mutex<Vec<(String, bool)>>>;

/// Returns a function that records the URL and the credentials of a request.
fn record(sent: &Sent) -> impl Fn(&FakeCall<'_>) + Send + Sync + 'static + use<> {
    let sent = Arc::clone(sent);
    move |call| sent.lock().unwrap().push((call.uri().to_string(), call.headers().contains_key("authorization")))
}

#[test]
fn an_operation_is_sent_to_its_own_server_without_credentials_that_are_not_permitted_there() {
    let sent = Sent::default();
    let [item, file, files] = [record(&sent), record(&sent), record(&sent)];
    let fake = fake()
        .on_call(move |_: &EndpointsGet, call| {
            item(call);
            Ok(FakeReply::new(Item::default()))
        })
        .on_call(move |_: &FilesGet, call| {
            file(call);
            Ok(FakeReply::new(Item::default()))
        })
        .on_call(move |_: &FilesList, call| {
            files(call);
            Ok(FakeReply::new(Vec::new()))
        });
    let builder = || Client::builder().transport(fake.clone()).credentials(Credentials::token("secret"));
    let client = builder().build().unwrap();
    client.files().list().send_blocking().unwrap();
    let refused = client.files().get("a").send_blocking().unwrap_err().to_string();
    assert!(refused.contains("`https://files.example.com`") && refused.contains("credentials_at"), "{refused}");
    client.endpoints().get("a").send_blocking().unwrap();
    let permitted = builder().credentials_at("https://files.example.com").build().unwrap();
    permitted.files().get("a").send_blocking().unwrap();
    let region = builder().endpoint("us-central1").build().unwrap();
    region.files().list().send_blocking().unwrap();
    // All operations of a test server are sent there.
    let local = builder().base_url("http://localhost:8080").build().unwrap();
    local.files().get("a").send_blocking().unwrap();
    let expected = [
        ("https://files.example.com/shop/v1/files", false),
        ("https://www.example.com/shop/v1/items/a", false),
        ("https://files.example.com/shop/v1/files/a", true),
        ("https://files.example.com/shop/v1/files", false),
        ("http://localhost:8080/shop/v1/files/a", true),
    ];
    assert_eq!(*sent.lock().unwrap(), expected.map(|(url, has_credentials)| (url.to_owned(), has_credentials)));
    assert!(builder().credentials_at("http://files.example.com").build().is_err());
}
