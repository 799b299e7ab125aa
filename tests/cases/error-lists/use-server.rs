//! The server reports every violation in the field names of the API, the client decodes all of them, and a fake
//! responds in the same way.

use error_lists_client::runtime::ErrorDetail;
use error_lists_client::runtime::fake::Failure;
use error_lists_client::runtime::transport::ServiceTransport;
use error_lists_client::{Client, Error, fake};
use error_lists_server::requests::OrdersAdd;
use error_lists_server::runtime::{ErrorLocation, axum::http::StatusCode};
use error_lists_server::types::runtime::{Value, json};
use error_lists_server::types::{Fault, Item, Order};
use error_lists_server::{Context, Result, service};

struct Orders;

impl service::Orders for Orders {
    async fn add(&self, request: OrdersAdd, _: &Context) -> Result<Order> {
        let gone = error_lists_server::Error::not_found("there is no such order");
        match request.body.name.as_deref() {
            Some("gone") => Err(gone),
            Some("nowhere") => Err(gone.with_location(ErrorLocation::Parameter("copies".into()))),
            Some("sold") => Err(error_lists_server::Error::conflict("an item is sold out").with_reason("outOfStock")),
            Some("busy") => Err(error_lists_server::Error::new(StatusCode::IM_A_TEAPOT, "no coffee")),
            _ => Ok(request.body.into()),
        }
    }
}

fn client() -> Client {
    let router = error_lists_server::router(Orders);
    Client::builder().base_url("http://localhost").transport(ServiceTransport::new(router)).build().unwrap()
}

async fn send_invalid(client: &Client, order: Order) -> Error {
    client.orders().add(order).copies(0).send().await.unwrap_err()
}

/// Returns the body of an error, after a check that the declared error type preserves all of it.
fn body(error: &Error) -> Value {
    let response = error.response().unwrap();
    let typed: &Fault = response.body.as_ref().unwrap();
    let body: Value = json::from_str(&response.raw).unwrap();
    assert_eq!(json::from_str::<Value>(&json::to_string(typed).unwrap()).unwrap(), body, "the error type has every field");
    body
}

fn describe(details: &[ErrorDetail]) -> Vec<String> {
    let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
    let line = |it: &ErrorDetail| {
        format!("{} {} {} | {}", text(&it.location), text(&it.location_type), text(&it.rule), text(&it.message))
    };
    details.iter().map(line).collect()
}

fn invalid_order() -> Order {
    Order::default().with_items([Item::default().with_count(0), Item::default()])
}

const VIOLATIONS: [&str; 4] = [
    "copies parameter min | must be at least 1",
    "items[0].count - min | must be at least 1",
    "items[1].count - required | is required",
    "name - order.named | an order with items has a name",
];

#[tokio::test]
async fn every_violation_goes_from_the_server_to_the_client() {
    let error = send_invalid(&client(), invalid_order()).await;
    let response = error.response().unwrap();
    assert_eq!(response.status, 400);
    let mut details = describe(&response.details);
    details.sort();
    assert_eq!(details, VIOLATIONS);
    assert!(response.message.as_ref().unwrap().ends_with("(and 3 other violations)"), "{:?}", response.message);
    let fault = &body(&error)["fault"];
    assert_eq!((&fault["kind"], &fault["http"]), (&"shop#fault".into(), &400.into()));
    assert_eq!(fault["class"], Value::Null, "the API does not define the class `invalid`");
    let violations = fault["violations"].as_array().unwrap();
    assert_eq!(violations.len(), 4);
    let copies = violations.iter().find(|one| one["where"]["field"] == "copies").unwrap();
    let expected = r#"{"rule":"min","text":"must be at least 1","where":{"field":"copies","part":"parameter"}}"#;
    assert_eq!(*copies, json::from_str::<Value>(expected).unwrap());
}

#[tokio::test]
async fn an_error_without_violations_has_no_list() {
    for (name, expected) in [
        ("gone", r#"{"http":404,"title":"there is no such order","class":"notFound","kind":"shop#fault"}"#),
        ("sold", r#"{"http":409,"title":"an item is sold out","class":"outOfStock","kind":"shop#fault"}"#),
        ("busy", r#"{"http":418,"title":"no coffee","kind":"shop#fault"}"#),
        (
            "nowhere",
            r#"{"http":404,"title":"there is no such order","class":"notFound","kind":"shop#fault",
                "violations":[{"text":"there is no such order","rule":"","where":{"field":"copies","part":"parameter"}}]}"#,
        ),
    ] {
        let error = client().orders().add(Order::default().with_name(name)).send().await.unwrap_err();
        assert_eq!(body(&error)["fault"], json::from_str::<Value>(expected).unwrap());
    }
}

#[tokio::test]
async fn a_fake_responds_like_the_server() {
    let real = send_invalid(&client(), invalid_order()).await;
    let details = real.response().unwrap().details.clone();
    let message = real.response().unwrap().message.clone().unwrap();
    let fake = fake().on(move |_: &OrdersAdd| {
        let failure = Failure::status(400).message(message.clone());
        Err(details.iter().cloned().fold(failure, Failure::violation))
    });
    let error = send_invalid(&fake.client().unwrap(), invalid_order()).await;
    assert_eq!(body(&error), body(&real));
    assert_eq!(error.response().unwrap().details, real.response().unwrap().details);
}
