//! What takes more than one request, or more than a request and its answer, by the generated clients.

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

use crate::server::{Recorded, json, with};

/// Answers one after the other. A request too many is told so by a status that nothing else uses.
fn in_turn(responses: impl IntoIterator<Item = Response>) -> impl Fn(&Recorded) -> Response + Send + Sync + 'static {
    let responses: Mutex<VecDeque<Response>> = Mutex::new(responses.into_iter().collect());
    move |_| {
        let next = responses.lock().expect("nobody panics meanwhile").pop_front();
        next.unwrap_or_else(|| with(418, &[], "there is no further answer"))
    }
}

/// Successes one after the other.
fn pages<'a>(bodies: impl IntoIterator<Item = &'a str>) -> impl Fn(&Recorded) -> Response + Send + Sync + 'static {
    in_turn(bodies.into_iter().map(|body| json(200, body.to_owned())).collect::<Vec<_>>())
}

/// A parameter of each request.
fn parameters(requests: &[Recorded], name: &str) -> Vec<Option<String>> {
    requests.iter().map(|request| request.parameter(name)).collect()
}

/// Texts, to be compared with [`parameters`].
fn texts<const N: usize>(texts: [Option<&str>; N]) -> Vec<Option<String>> {
    texts.into_iter().map(|text| text.map(str::to_owned)).collect()
}
