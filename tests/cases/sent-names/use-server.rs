//! Errors use the names with which the client sent parameters and fields.

use http_body_util::BodyExt as _;
use sent_names_client::Client;
use sent_names_client::runtime::{Naming, Tier, transport::ServiceTransport};
use sent_names_client::validation::Rules;
use sent_names_server::requests::{ItemsAdd, ItemsList};
use sent_names_server::runtime::ErrorLocation;
use sent_names_server::runtime::axum::{Router, body::Body, http};
use sent_names_server::service::Items;
use sent_names_server::types::Item;
use sent_names_server::types::runtime::{Value, json};
use sent_names_server::{Context, Error, Result};
use tower_service::Service as _;

struct Shop;

impl Items for Shop {
    async fn list(&self, _: ItemsList, _: &Context) -> Result<Vec<Item>> {
        Err(Error::bad_request("no such number").with_location(ErrorLocation::Parameter("maxItem".into())))
    }

    async fn add(&self, request: ItemsAdd, _: &Context) -> Result<Item> {
        Ok(request.body.into())
    }
}

fn router(names: Naming) -> Router {
    sent_names_server::server(Shop).naming(names).router()
}

async fn locations_of_errors(names: Naming, method: &str, path: &str, header: (&str, &str), body: &str) -> Vec<String> {
    let request = http::Request::builder().method(method).uri(path).header(header.0, header.1);
    let response = router(names).call(request.body(Body::from(body.to_owned())).unwrap()).await.unwrap();
    assert_eq!(response.status(), 400, "{path}");
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    let response: Value = json::from_slice(&bytes).unwrap();
    let errors = response["error"]["errors"].as_array().unwrap();
    let locations: Vec<String> = errors.iter().map(|error| error["location"].as_str().unwrap().to_owned()).collect();
    for (error, location) in errors.iter().zip(&locations) {
        let message = error["message"].as_str().unwrap();
        assert!(!message.starts_with(location.as_str()), "the message does not repeat the location: {message}");
    }
    locations
}

#[tokio::test]
async fn parameters_are_named_as_they_were_sent() {
    let none = ("x-other", "1");
    for (names, query, header, expected) in [
        (Naming::Specification, "maxItem=0", none, &["maxItem", "startAt"] as &[&str]),
        (Naming::Specification, "maxItems=0", none, &["maxItems", "startAt"]),
        (Naming::Specification, "most=0", none, &["most", "startAt"]),
        (Naming::Specification, "m%6Fst=x", none, &["most", "startAt"]),
        (Naming::Public, "maxItem=0", none, &["maxItem", "start"]),
        (Naming::Public, "most=0", none, &["most", "start"]),
        (Naming::Public, "start=a&most=1&most=2", none, &["most"]),
        (Naming::Public, "start=a&plain=0", none, &["plain"]),
        (Naming::Specification, "start=a&pretty=x", none, &["pretty"]),
        (Naming::Specification, "start=a", ("x-trace", "long"), &["X-Trace"]),
        (Naming::Specification, "start=a", ("x-public-trace", "long"), &["X-Public-Trace"]),
        // Errors of the service itself.
        (Naming::Specification, "start=a&most=1", none, &["most"]),
        (Naming::Specification, "start=a&maxItem=1", none, &["maxItem"]),
        (Naming::Specification, "start=a", none, &["maxItem"]),
        (Naming::Public, "start=a", none, &["maxItems"]),
    ] {
        let locations = locations_of_errors(names, "GET", &format!("/v1/shops/a/items?{query}"), header, "").await;
        assert_eq!(locations, expected, "{names:?} {query} {header:?}");
    }
    for (names, expected) in [(Naming::Specification, "shopId"), (Naming::Public, "shop")] {
        assert_eq!(locations_of_errors(names, "GET", "/public/shops/long/items?start=a", none, "").await, [expected]);
    }
}

#[tokio::test]
async fn fields_are_named_as_they_were_sent() {
    let json = ("content-type", "application/json");
    for (body, expected) in [
        (r#"{"title":"much too long"}"#, &["title"] as &[&str]),
        (r#"{"name":"much too long"}"#, &["name"]),
        (r#"{"label":1}"#, &["label"]),
        (
            r#"{"pieces":[{"name":"a"},{"label":"much too long","parts":[{"title":""}]}]}"#,
            &["pieces[1].label", "pieces[1].parts[0].title"],
        ),
        (r#"{"pieces":[{"name":1},{"title":"much too long"}]}"#, &["pieces[0].name", "pieces[1].title"]),
        (r#"{"title":"a","name":"b"}"#, &["name"]),
        (r#"{"name":"a","name":"b"}"#, &["name"]),
    ] {
        assert_eq!(locations_of_errors(Naming::Public, "POST", "/v1/items", json, body).await, expected, "{body}");
    }
}

#[tokio::test]
async fn client_violations_use_the_names_on_the_wire() {
    for (names, expected) in [
        (Naming::Specification, ["shopId", "maxItem", "X-Trace"]),
        (Naming::Public, ["shop", "maxItems", "X-Public-Trace"]),
    ] {
        let transport = ServiceTransport::new(router(names));
        let client: Client = Client::builder()
            .base_url("http://localhost")
            .naming(names)
            .validation(Rules, Tier::Deny)
            .transport(transport)
            .build()
            .unwrap();
        let error = client.items().list("long", "a").max_item(0).x_trace("long").send().await.unwrap_err();
        let paths: Vec<String> = error.violations().unwrap().iter().map(|one| one.path.to_string()).collect();
        assert_eq!(paths, expected);
    }
}
