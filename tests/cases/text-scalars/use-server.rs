//! Numbers and booleans are plain text.

use text_scalars_client::Client;
use text_scalars_client::runtime::transport::ServiceTransport;
use text_scalars_server::requests::{CounterGet, CounterSet, ItemsGet, ShareSet};
use text_scalars_server::runtime::Reply;
use text_scalars_server::runtime::axum::Router;
use text_scalars_server::runtime::axum::body::{Body, to_bytes};
use text_scalars_server::runtime::axum::http::Request;
use text_scalars_server::runtime::axum::response::Response;
use text_scalars_server::types::Item;
use text_scalars_server::{Context, Result, service};

struct Values;

impl service::Counter for Values {
    async fn get(&self, _: CounterGet, _: &Context) -> Result<i64> {
        Ok(Reply::new(-5))
    }

    async fn set(&self, request: CounterSet, _: &Context) -> Result<bool> {
        Ok(Reply::new(request.body == 7))
    }
}

impl service::Share for Values {
    async fn set(&self, request: ShareSet, _: &Context) -> Result<f64> {
        Ok(Reply::new(request.body))
    }
}

impl service::Items for Values {
    async fn get(&self, _: ItemsGet, _: &Context) -> Result<Item> {
        Ok(Reply::new(Item::default().with_name("a")))
    }
}

fn router() -> Router {
    text_scalars_server::router(Values)
}

async fn send(method: &str, path: &str, content_type: &str, body: &'static str) -> Response {
    use tower_service::Service as _;
    let request = Request::builder().method(method).uri(path).header("content-type", content_type);
    router().call(request.body(Body::from(body)).unwrap()).await.unwrap()
}

#[tokio::test]
async fn values_travel() {
    let client =
        Client::builder().base_url("http://localhost").transport(ServiceTransport::new(router())).build().unwrap();
    assert_eq!(client.counter().get().await.unwrap(), -5);
    assert!(client.counter().set(7).await.unwrap());
    assert!((client.share().set(0.25).await.unwrap() - 0.25).abs() < f64::EPSILON);
    assert_eq!(client.items().get().await.unwrap().name.as_deref(), Some("a"));
}

#[tokio::test]
async fn the_text_is_plain() {
    let response = send("PUT", "/counter", "text/plain; charset=utf-8", "7").await;
    assert_eq!(
        (response.status().as_u16(), &response.headers()["content-type"]),
        (200, &"text/plain".parse().unwrap())
    );
    assert_eq!(to_bytes(response.into_body(), 100).await.unwrap(), "true");
    assert_eq!(send("PUT", "/counter", "text/plain", "seven").await.status(), 400);
    assert_eq!(send("PUT", "/counter", "application/json", "7").await.status(), 415);
    let response = send("GET", "/item", "text/plain", "").await;
    assert_eq!(response.headers()["content-type"], "application/vnd.item+json");
}
