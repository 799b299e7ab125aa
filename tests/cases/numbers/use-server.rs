//! A server returns numbers as it received them, and compares them exactly.

use http_body_util::BodyExt as _;
use numbers_server::requests::{ItemsFind, ItemsInsert, ItemsMark, ItemsPatch, ItemsSend, ItemsTotal};
use numbers_server::runtime::axum::{body::Body, http};
use numbers_server::types::runtime::{Merge as _, Number, json};
use numbers_server::types::{Item, Marks, Range};
use numbers_server::{Context, Result, service};
use tower_service::Service as _;

struct Echo;

impl service::Items for Echo {
    async fn insert(&self, request: ItemsInsert, _: &Context) -> Result<Item> {
        Ok(request.body.into())
    }

    async fn patch(&self, request: ItemsPatch, _: &Context) -> Result<Item> {
        let mut item: Item = json::from_str(r#"{"price":0.10,"limit":5.0}"#).unwrap();
        item.apply(request.body);
        Ok(item.with_serial(request.serial).into())
    }

    async fn find(&self, request: ItemsFind, _: &Context) -> Result<Item> {
        let item = Item::default().with_history(request.prices);
        let item = request.above.into_iter().fold(item, Item::with_price);
        let item = request.x_weight.into_iter().fold(item, Item::with_rate);
        Ok(item.with_serial(request.serial).into())
    }

    async fn send(&self, request: ItemsSend, _: &Context) -> Result<Range> {
        Ok(request.body.into())
    }

    async fn mark(&self, request: ItemsMark, _: &Context) -> Result<Marks> {
        Ok(request.body.into())
    }

    async fn total(&self, request: ItemsTotal, _: &Context) -> Result<Number> {
        Ok(request.body.into())
    }
}

async fn call(request: http::request::Builder, body: &str) -> (u16, String) {
    let request = request.body(Body::from(body.to_owned())).unwrap();
    let response = numbers_server::router(Echo).call(request).await.unwrap();
    let status = response.status().as_u16();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

async fn send(method: &str, path: &str, body: &str) -> (u16, String) {
    call(http::Request::builder().method(method).uri(path).header("content-type", "application/json"), body).await
}

#[tokio::test]
async fn numbers_are_returned_as_they_were_sent() {
    for body in [
        r#"{"price":5}"#,
        r#"{"price":5.0,"rate":-0.0,"unit":1.00,"limit":1e400,"serial":9007199254740993}"#,
        r#"{"price":0.10,"rate":1E+2,"limit":null,"serial":123456789012345678901234567890.5}"#,
        r#"{"price":1e1,"history":[5.50,6,7e0],"sizes":{"a":1.0,"b":-0},"grid":[[1.10,2]],"gaps":[null,3.0]}"#,
        r#"{"price":99999999999999999999.99,"cost":1.50,"more":12.50,"other":1e-7}"#,
        r#"{"price":1,"cost":18446744073709551616}"#,
        r#"{"price":1,"cost":"1.50"}"#,
        r#"{"price":1,"cost":[1.50,1e3,7]}"#,
    ] {
        assert_eq!(send("POST", "/items", body).await, (200, body.to_owned()));
    }
    for number in ["5", "5.0", "-0", "0.10", "1e400", "18446744073709551616", "1e999999999"] {
        assert_eq!(send("PUT", "/total", number).await, (200, number.to_owned()));
    }
}

#[tokio::test]
async fn other_values_are_no_numbers() {
    for (body, field) in [
        (r#"{"price":"5"}"#, "price"),
        (r#"{"price":null}"#, "price"),
        (r#"{"price":1,"sizes":{"a":true}}"#, "sizes.a"),
        (r#"{"price":1,"grid":[[1,"2"]]}"#, "grid[0][1]"),
        (r#"{"price":1,"more":[]}"#, "more"),
    ] {
        let (status, text) = send("POST", "/items", body).await;
        assert!(status == 400 && text.contains(field), "{body}: {text}");
    }
    // Valid numbers next to a value of another type are no violations.
    let (_, text) = send("POST", "/items", r#"{"price":"5","limit":1e400,"cost":1e400,"serial":0.10}"#).await;
    assert!(text.contains("price") && !text.contains("limit") && !text.contains("cost"), "{text}");
}

#[tokio::test]
async fn constraints_are_exact() {
    for (body, violation) in [
        (r#"{"price":-0.01}"#, "price: must be at least 0"),
        (r#"{"price":100000000000000000000.5}"#, "price: must be less than 100000000000000000000"),
        (r#"{"price":1e999999999}"#, "price: must be less than 100000000000000000000"),
        (r#"{"price":0.015}"#, "price: must be a multiple of 0.01"),
        (r#"{"price":99999999999999999999.995}"#, "price: must be a multiple of 0.01"),
        (r#"{"price":1,"rate":-150.0}"#, "rate: must be greater than -150"),
        (r#"{"price":1,"unit":1.0000000000000000001}"#, "unit: must be 1"),
        (r#"{"price":1,"history":[0,-1e-400]}"#, "history[1]: must be at least 0"),
        (r#"{"price":1,"history":[5,6,5.0]}"#, "history[2]: must be unique, but equals element 0"),
        (r#"{"price":1,"history":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,1.7e1]}"#, "history[17]: must be unique, but equals element 16"),
        (r#"{"price":1,"sizes":{"a":1.6e300}}"#, "sizes.a: must be at most 1.5e300"),
        (r#"{"price":1,"history":[7.50]}"#, "no price was 7.5"),
        (r#"{"price":1,"discount":1.5}"#, "a discount does not exceed the price"),
        (r#"{"price":1,"range":{"low":2,"high":1.9}}"#, "a range is not empty"),
    ] {
        let (status, text) = send("POST", "/items", body).await;
        assert!(status == 400 && text.contains(violation), "{body}: {text}");
    }
    for body in [
        r#"{"price":0,"unit":1e0}"#,
        r#"{"price":-0.00}"#,
        r#"{"price":99999999999999999999.49}"#,
        r#"{"price":1,"rate":-149.99999999999999999999}"#,
        r#"{"price":1,"history":[0.1,0.1000000000000000055]}"#,
        r#"{"price":1,"discount":1.00}"#,
    ] {
        assert_eq!(send("POST", "/items", body).await, (200, body.to_owned()));
    }
}

#[tokio::test]
async fn patches_keep_numbers() {
    let (status, text) = send("PATCH", "/items/1.50", r#"{"rate":2.0,"sizes":{"a":3.10}}"#).await;
    assert_eq!((status, text.as_str()), (200, r#"{"price":0.10,"rate":2.0,"limit":5.0,"serial":1.50,"sizes":{"a":3.10}}"#));
}

#[tokio::test]
async fn parameters_are_numbers() {
    let find = |path: &'static str| {
        let request = http::Request::builder().method("GET").uri(path).header("X-Weight", "2.50");
        async move { call(request, "").await }
    };
    let expected = r#"{"price":0.50,"rate":2.50,"serial":-1.0,"history":[1.0,2]}"#;
    assert_eq!(find("/items/-1.0?above=0.50&prices=1.0&prices=2&factor=1.50").await, (200, expected.to_owned()));
    for (path, parameter) in [
        ("/items/1?above=0.0", "above"),
        ("/items/1?above=1000.0000000000000000001", "above"),
        ("/items/1?above=x", "above"),
        ("/items/1?prices=01", "prices"),
        ("/items/1?factor=1.6", "factor"),
    ] {
        let (status, text) = find(path).await;
        assert!(status == 400 && text.contains(parameter), "{path}: {text}");
    }
}

#[tokio::test]
async fn forms_hold_numbers() {
    let form = http::Request::builder().method("POST").uri("/forms");
    let form = form.header("content-type", "application/x-www-form-urlencoded");
    let expected = r#"{"low":0.10,"high":1e400}"#;
    assert_eq!(call(form, "low=0.10&high=1e400").await, (200, expected.to_owned()));
}

#[tokio::test]
async fn documents_hold_numbers() {
    let marks = "<Marks><best>1e400</best><all>1.50</all><all>-0</all></Marks>";
    let request = http::Request::builder().method("POST").uri("/marks").header("content-type", "application/xml");
    let (status, text) = call(request.header("accept", "application/xml"), marks).await;
    assert!(status == 200 && text.ends_with(marks), "{text}");
}
