//! A client sends numbers as they were written.

use numbers_client::types::runtime::Number;
use numbers_client::types::{Cost, Item, Range};
use numbers_client::{Client, fake, requests};

#[test]
fn requests_have_numbers_as_they_were_written() {
    let fake = fake().on(|request: &requests::ItemsFind| {
        Ok(Item::default().with_history(request.prices.clone()).with_serial(request.serial.clone()))
    });
    let client: Client = fake.client().unwrap();
    let prices = ["0.10", "1e2"].map(|text| Number::parse(text).unwrap());
    let item = client.items().find(5).prices(prices).send_blocking().unwrap();
    assert_eq!(item.history.iter().map(Number::as_str).collect::<Vec<_>>(), ["0.10", "1e2"]);
    assert_eq!(item.serial, Some(5.into()));
}

#[test]
fn numbers_are_compared_by_value() {
    let item = |text: &str| Item::default().with_price(Number::parse(text).unwrap());
    assert_eq!(item("5"), item("5.0"));
    assert_ne!(item("9007199254740992"), item("9007199254740993"));
    assert_eq!(item("5").rate_or_default(), 0.5);
    assert_eq!(Cost::from(Number::from(5)).as_amount().map(Number::as_str), Some("5"));
    assert!(Range::default().with_low(1).low.is_some_and(|low| low < 1.5));
}
