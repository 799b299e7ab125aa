//! GET and validated POST of an event through the router of the generated server, without a connection, compared with a
//! router of axum that requires no token, enforces no limits and validates nothing.

use anyhow::{Result, ensure};
use axum::Router;
use axum::body::{Body, to_bytes};
use http::{Method, Request, header};
use tokio::runtime::{Builder, Runtime};
use tower_service::Service as _;
use wireform_fixtures::{EVENT, EVENT_PATH, EVENTS_PATH, SENT, by_hand, generated};

use crate::meter::measure;

pub fn get(repetitions: u32) -> Result<()> {
    exchange(repetitions, &generated::router(EVENT)?, || request(Method::GET, EVENT_PATH, Body::empty()))
}

pub fn get_by_hand(repetitions: u32) -> Result<()> {
    exchange(repetitions, &by_hand::router(EVENT)?, || request(Method::GET, EVENT_PATH, Body::empty()))
}

pub fn post(repetitions: u32) -> Result<()> {
    exchange(repetitions, &generated::router(EVENT)?, || request(Method::POST, EVENTS_PATH, Body::from(SENT)))
}

pub fn post_by_hand(repetitions: u32) -> Result<()> {
    exchange(repetitions, &by_hand::router(EVENT)?, || request(Method::POST, EVENTS_PATH, Body::from(SENT)))
}

/// Creates a single-threaded runtime.
pub fn runtime() -> Result<Runtime> {
    Ok(Builder::new_current_thread().enable_all().build()?)
}

fn request(method: Method, path: &str, body: Body) -> Result<Request<Body>> {
    let request = Request::builder().method(method).uri(path).header(header::HOST, "localhost");
    let request = request.header(header::AUTHORIZATION, format!("Bearer {}", generated::TOKEN));
    Ok(request.header(header::CONTENT_TYPE, "application/json").body(body)?)
}

fn exchange(repetitions: u32, router: &Router, request: impl Fn() -> Result<Request<Body>>) -> Result<()> {
    // Routes are prepared once, as in a server.
    let (runtime, router) = (runtime()?, router.clone().with_state(()));
    measure(repetitions, || {
        runtime.block_on(async {
            let Ok(response) = router.clone().call(request()?).await;
            ensure!(response.status().is_success(), "the status is {}", response.status());
            Ok(to_bytes(response.into_body(), usize::MAX).await?)
        })
    })
}
