//! An error body with a single violation contains the messages of all violations.

use error_flat_client::runtime::ErrorDetail;
use error_flat_client::runtime::fake::Failure;
use error_flat_client::runtime::transport::ServiceTransport;
use error_flat_client::{Client, Error, fake};
use error_flat_server::requests::OrdersAdd;
use error_flat_server::types::runtime::json;
use error_flat_server::types::{Oops, Order};
use error_flat_server::{Context, Result, service};

struct Orders;

impl service::Orders for Orders {
    async fn add(&self, request: OrdersAdd, _: &Context) -> Result<Order> {
        Ok(request.body.into())
    }
}

const MESSAGES: &str = "copies: must be at least 1; count: is required; name: must have 2 to 10 characters, found 1";

fn assert_body(error: &Error) {
    let response = error.response().unwrap();
    let expected = Oops::default().with_text(MESSAGES).with_field("copies").with_rule("min");
    assert_eq!(response.body.as_ref(), Some(&expected));
    assert_eq!(json::from_str::<Oops>(&response.raw).unwrap(), expected);
    assert_eq!(response.message.as_deref(), Some(MESSAGES));
    assert_eq!(response.location.as_deref(), Some("copies"));
    assert_eq!((response.details.len(), response.details[0].rule.as_deref()), (1, Some("min")));
}

#[tokio::test]
async fn the_server_reports_all_messages() {
    let router = error_flat_server::router(Orders);
    let client: Client = Client::builder().base_url("http://localhost").transport(ServiceTransport::new(router)).build().unwrap();
    assert_body(&client.orders().add(Order::default().with_name("a")).copies(0).send().await.unwrap_err());
}

#[tokio::test]
async fn the_fake_reports_all_messages() {
    let fake = fake().on(|_: &OrdersAdd| {
        let violations = MESSAGES.split("; ").zip([("copies", "min"), ("count", "required"), ("name", "length")]);
        let violation = |(message, (location, rule)): (&str, (&str, &str))| {
            ErrorDetail::new().with_message(message).with_location(location).with_rule(rule)
        };
        Err(violations.map(violation).fold(Failure::status(400), Failure::violation))
    });
    let client: Client = fake.client().unwrap();
    assert_body(&client.orders().add(Order::default()).send().await.unwrap_err());
}
