//! Tests of the generated clients that take several requests, or more than one request and its response.

mod awaited;
mod blocking;
mod cancellation;
mod conditional;
mod credentials;
mod fakes;
mod fields;
mod fill;
mod output_only;
mod paging;
mod retries;
mod scopes;
mod standard;
mod sync;
mod sync_mailbox;
mod update;
mod validated;

use std::collections::VecDeque;
use std::sync::Mutex;

use axum::response::Response;

use crate::server::{RecordedRequest, json, with};

/// Returns a handler that returns the responses in order, and then a 418, which no test expects otherwise.
fn in_turn(
    responses: impl IntoIterator<Item = Response>,
) -> impl Fn(&RecordedRequest) -> Response + Send + Sync + 'static {
    let responses: Mutex<VecDeque<Response>> = Mutex::new(responses.into_iter().collect());
    move |_| {
        let next = responses.lock().expect("the mutex is not poisoned").pop_front();
        next.unwrap_or_else(|| with(418, &[], "no further response"))
    }
}

/// Returns a handler that returns successful responses in order.
fn pages<'a>(
    bodies: impl IntoIterator<Item = &'a str>,
) -> impl Fn(&RecordedRequest) -> Response + Send + Sync + 'static {
    in_turn(bodies.into_iter().map(|body| json(200, body.to_owned())).collect::<Vec<_>>())
}

/// Returns a query parameter of each request.
fn parameters(requests: &[RecordedRequest], name: &str) -> Vec<Option<String>> {
    requests.iter().map(|request| request.parameter(name)).collect()
}

/// Converts expected values for comparison with [`parameters`].
fn texts<const N: usize>(texts: [Option<&str>; N]) -> Vec<Option<String>> {
    texts.into_iter().map(|text| text.map(str::to_owned)).collect()
}
