//! Error bodies whose fields are resources keep their structure on the wire and are decoded by the client.

use error_resources_client::runtime::ErrorDetail;
use error_resources_client::runtime::fake::Failure;
use error_resources_client::runtime::transport::ServiceTransport;
use error_resources_client::{Client, Error, fake};
use error_resources_server::requests::OrdersAdd;
use error_resources_server::types::runtime::{Value, json};
use error_resources_server::types::{Info, Order, Place, Problem, ProblemInfo};
use error_resources_server::{Context, Result, service};

struct Orders;

impl service::Orders for Orders {
    async fn add(&self, request: OrdersAdd, _: &Context) -> Result<Order> {
        match request.body.name.as_deref() {
            Some("gone") => Err(error_resources_server::Error::not_found("there is no such order")),
            _ => Ok(request.body.into()),
        }
    }
}

fn client() -> Client {
    let router = error_resources_server::router(Orders);
    Client::builder().base_url("http://localhost").transport(ServiceTransport::new(router)).build().unwrap()
}

/// Asserts the decoded body, and that the raw body has no other fields.
fn assert_body(error: &Error, expected: Problem) {
    let response = error.response().unwrap();
    assert_eq!(response.body, Some(expected));
    let whole: Value = json::from_str(&json::to_string(response.body.as_ref().unwrap()).unwrap()).unwrap();
    assert_eq!(json::from_str::<Value>(&response.raw).unwrap(), whole, "the raw body has no other fields");
}

const MESSAGES: &str = "count: is required; name: must have 2 to 10 characters, found 1";

fn expected() -> Problem {
    let location = Place::default().with_field("count").with_rule("required");
    let info = Info::default().with_reason("required").with_place(location);
    let error = ProblemInfo::default().with_message(MESSAGES).with_status("INVALID_ARGUMENT").with_info(info);
    Problem::default().with_error(error)
}

#[tokio::test]
async fn all_messages_and_the_first_location_are_reported() {
    let error = client().orders().add(Order::default().with_name("a")).send().await.unwrap_err();
    assert_body(&error, expected());
    let response = error.response().unwrap();
    assert_eq!((response.reason.as_deref(), response.location.as_deref()), (Some("required"), Some("count")));
    assert_eq!(response.details.len(), 1);
    assert_eq!(response.details[0].rule.as_deref(), Some("required"));
    let error = client().orders().add(Order::default().with_name("gone").with_count(1)).send().await.unwrap_err();
    let info = Info::default().with_reason("notFound");
    let gone = ProblemInfo::default().with_message("there is no such order").with_status("NOT_FOUND").with_info(info);
    assert_body(&error, Problem::default().with_error(gone));
}

#[tokio::test]
async fn a_fake_responds_like_the_server() {
    let fake = fake().on(|_: &OrdersAdd| {
        let (count, name) = MESSAGES.split_once("; ").unwrap();
        let name = ErrorDetail::new().with_message(name).with_location("name").with_rule("length");
        let count = ErrorDetail::new().with_message(count).with_location("count").with_rule("required");
        Err(Failure::status(400).reason("required").violation(count).violation(name))
    });
    let client: Client = fake.client().unwrap();
    let error = client.orders().add(Order::default()).send().await.unwrap_err();
    assert_body(&error, expected());
    assert_eq!(error.response().unwrap().message.as_deref(), Some(MESSAGES));
}
