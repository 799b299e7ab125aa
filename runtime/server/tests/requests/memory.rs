//! Responses of more than 16 KiB, which take shares of the memory budget.

use std::time::Duration;

use axum::Router;
use axum::body::Body;
use futures_util::FutureExt as _;
use http::{Response, header};
use http_body_util::BodyExt as _;
use tower_service::Service as _;
use wireform_server::{MemoryBudget, axum};

use crate::sample::*;

/// Length of the tags of the stored thing, which are most of each response.
const LENGTH: u64 = 40 << 10;

/// Returns a router with a budget of `kibibytes`, half of them for one caller, whose thing `new` has many tags.
async fn long_thing(kibibytes: u64, wait: Duration) -> (Router, MemoryBudget) {
    let sample = Sample::default();
    let tags = vec![r#""xxxxx""#; 40 << 7].join(",");
    let body = format!(r#"{{"name":"n","tags":[{tags}]}}"#);
    assert_eq!(ask(&sample, "POST", "/sample/v1/things?owner=me&copies=1", &body).await.status.as_u16(), 201);
    let budget = MemoryBudget::new(kibibytes << 10).with_wait(wait);
    (server(&sample).memory_budget(budget.clone()).router(), budget)
}

/// Sends a request for the thing, and returns the response unread.
async fn unread(router: &Router, target: &str, more: &[(&str, &str)]) -> Response<Body> {
    let more = more.iter().fold(request("GET", target, ""), |builder, (name, value)| builder.header(*name, *value));
    router.clone().call(more.body(Body::empty()).unwrap()).await.unwrap()
}

#[tokio::test]
async fn unread_responses_stay_within_the_budget() {
    const THING: &str = "/sample/v1/things/new";
    let forms: [(&str, &[(&str, &str)]); 4] = [
        (THING, &[]),
        (THING, &[("accept-encoding", "gzip")]),
        ("/sample/v1/things/new?prettyPrint=true", &[]),
        ("/sample/v1/things", &[]),
    ];
    for (target, more) in forms {
        let (router, budget) = long_thing(300, Duration::ZERO).await;
        let mut held = Vec::new();
        let refused = loop {
            let response = unread(&router, target, more).await;
            match response.status().as_u16() {
                200 => held.push(response),
                _ => break response,
            }
            assert!(held.len() < 4, "{target} {more:?}");
        };
        assert_eq!(refused.status().as_u16(), 503, "{target} {more:?}");
        assert!(refused.headers().contains_key(header::RETRY_AFTER));
        assert!(held.len() > 1 && budget.held() > held.len() as u64 * LENGTH, "{} {target} {more:?}", budget.held());
        // Small responses need none.
        assert_eq!(unread(&router, "/sample/v1/things/a", more).await.status().as_u16(), 200);
        let first = held.remove(0);
        assert!(first.into_body().collect().await.unwrap().to_bytes().len() > 50);
        assert_eq!(unread(&router, target, more).await.status().as_u16(), 200, "{target} {more:?}");
        drop(held);
        assert_eq!(budget.held(), 0, "{target} {more:?}");
        assert!(budget.peak() <= 150 << 10);
    }
}

#[tokio::test]
async fn responses_within_a_batch_take_shares() {
    let (router, budget) = long_thing(1000, Duration::ZERO).await;
    let part = "--b\r\nContent-Type: application/http\r\n\r\nGET /sample/v1/things/new HTTP/1.1\r\n\r\n\r\n";
    let body = format!("{}--b--", part.repeat(3));
    let batch = request("POST", "/batch/sample/v1", "").header("content-type", "multipart/mixed; boundary=b");
    let response = router.clone().call(batch.body(Body::from(body)).unwrap()).await.unwrap();
    let read = response.into_body().collect().await.unwrap().to_bytes();
    assert_eq!(String::from_utf8_lossy(&read).matches("HTTP/1.1 200").count(), 3);
    assert!(budget.peak() > LENGTH, "{}", budget.peak());
    assert_eq!(budget.held(), 0);
}

#[tokio::test]
async fn few_complete_texts_wait_for_memory() {
    let (router, _) = long_thing(700, Duration::from_secs(60)).await;
    let mut held = Vec::new();
    for _ in 0..8 {
        held.push(unread(&router, "/sample/v1/things/new", &[]).await);
    }
    // An eighth of the budget has room for two.
    let mut waiting = [0, 1].map(|_| Box::pin(unread(&router, "/sample/v1/things/new", &[])));
    for waiting in &mut waiting {
        assert!(waiting.as_mut().now_or_never().is_none());
    }
    let refused = unread(&router, "/sample/v1/things/new", &[]).now_or_never().expect("it does not wait");
    assert_eq!(refused.status().as_u16(), 503);
    held.truncate(6);
    for waiting in waiting {
        assert_eq!(waiting.await.status().as_u16(), 200);
    }
}

/// Errors contain texts of requests, so they take shares too.
#[tokio::test]
async fn unread_errors_stay_within_the_budget() {
    let budget = MemoryBudget::new(300 << 10).with_wait(Duration::ZERO);
    let router = server(&Sample::default()).memory_budget(budget.clone()).router();
    let mut held = Vec::new();
    let refused = loop {
        let response = unread(&router, "/sample/v1/things/long-conflict", &[]).await;
        match response.status().as_u16() {
            409 => held.push(response),
            _ => break response,
        }
        assert!(held.len() < 10);
    };
    assert_eq!(refused.status().as_u16(), 503);
    assert!(budget.held() > held.len() as u64 * LENGTH, "{}", budget.held());
    // Short errors need none.
    let response = unread(&router, "/sample/v1/things/conflict", &[]).await;
    assert_eq!(response.status().as_u16(), 409);
    assert!(held.remove(0).into_body().collect().await.unwrap().to_bytes().len() as u64 > LENGTH);
    drop((held, response));
    assert_eq!(budget.held(), 0);
}
