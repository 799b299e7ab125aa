//! Checks that a server reports the same violations as direct validation. Every request of the tables, and every
//! mutated request, also goes through the router of its API.

use std::any::Any;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use axum::body::Body;
use calendar_server::requests::EventsGet;
use calendar_server::types::Event;
use http::StatusCode;
use mailbox_server::requests::UsersLabelsGet;
use mailbox_server::types::Label;
use serde_json::Value;
use tower_service::Service as _;
use wireform_runtime::operation::ErrorFields;
use wireform_runtime::{Naming, Paginated, Request, WireRequest};
use wireform_server::axum::{self, Router};
use wireform_server::{
    Admission, AuthError, AuthRequest, Authenticator, Context, Credential, Error, ListResult, Principal,
};
use wireform_validation::{CheckRequests, Validates, Violations};

include!("../tables/services.rs");

/// Service of all APIs that validates a request against the stored value, if any, and does nothing else.
#[derive(Clone, Copy)]
pub struct Desk;

/// Stored value that a request changes.
#[derive(Clone)]
enum Stored {
    Event(Box<Event>),
    Label(Label),
}

impl Stored {
    fn of(stored: &dyn Any) -> Self {
        match stored.downcast_ref::<Event>() {
            Some(event) => Self::Event(Box::new(event.clone())),
            None => Self::Label(stored.downcast_ref::<Label>().expect("events and labels are stored").clone()),
        }
    }

    /// Admits a request as a service with a stored value does. A request whose response is of another type names the
    /// operation that reads the stored value.
    fn admit<R: Request>(&self, request: &R, context: &Context) -> Result<Admission<R>, Error> {
        let stored: &dyn Any = match self {
            Self::Event(event) => event.as_ref(),
            Self::Label(label) => label,
        };
        match (stored.downcast_ref(), self) {
            (Some(stored), _) => context.admit(request, stored),
            (None, Self::Event(event)) => context.admit_as::<EventsGet, R>(request, event.as_ref()),
            (None, Self::Label(label)) => context.admit_as::<UsersLabelsGet, R>(request, label),
        }
    }
}

/// Data in the extensions of a request, outside the wire format.
#[derive(Clone)]
struct Extras {
    stored: Option<Stored>,
    /// Request that reached the service.
    reached: Arc<Mutex<Option<WireRequest>>>,
}

impl Desk {
    async fn list<R: Paginated>(&self, request: R, context: &Context) -> ListResult<R> {
        let tag = context.list_tag(&request, "as it was");
        Ok(tag.reply(self.ask(request, context).await?))
    }

    async fn ask<R: Request>(&self, request: R, context: &Context) -> wireform_server::Result<R::Response> {
        let extras = context.parts().extensions.get::<Extras>().expect("it was put there");
        if let Some(stored) = &extras.stored {
            // The request is validated, but no response is created.
            let _admission = stored.admit(&request, context)?;
        }
        let wire = request.to_wire(Naming::Specification).expect("a decoded request can be encoded");
        *extras.reached.lock().unwrap_or_else(PoisonError::into_inner) = Some(wire);
        Err(Error::not_implemented(R::OPERATION.name))
    }
}

/// Authenticator that admits every caller.
struct Anyone;

impl Authenticator for Anyone {
    async fn authenticate(&self, _: Credential<'_>, _: &AuthRequest<'_>) -> Result<Principal, AuthError> {
        Ok(Principal::new("anyone").with_all_scopes())
    }
}

fn router() -> Router {
    static ROUTER: OnceLock<Router> = OnceLock::new();
    let router = ROUTER.get_or_init(|| {
        let calendar = calendar_server::server(Calendar(Desk)).authenticator(Anyone).router();
        let mailbox = mailbox_server::server(Mailbox(Desk)).authenticator(Anyone).router();
        calendar.merge(mailbox).merge(script_server::server(Script(Desk)).authenticator(Anyone).router())
    });
    router.clone()
}

/// Response to a request, and the request as it reached the service.
struct TestResponse {
    status: StatusCode,
    body: Value,
    reached: Option<WireRequest>,
}

fn send(method: &str, wire: WireRequest, stored: Option<Stored>) -> TestResponse {
    thread_local! {
        static RUNTIME: tokio::runtime::Runtime =
            tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    }
    let extras = Extras { stored, reached: Arc::default() };
    let mut request = http::Request::builder().method(method).uri(&wire.target).header("authorization", "Bearer any");
    for (name, value) in &wire.headers {
        request = request.header(*name, value);
    }
    let body = wire.body.map_or_else(Body::empty, Body::from);
    let request = request.extension(extras.clone()).body(body).expect("a request");
    let (status, body) = RUNTIME.with(|runtime| {
        runtime.block_on(async {
            let response = router().call(request).await.expect("a router always responds");
            let status = response.status();
            (status, axum::body::to_bytes(response.into_body(), usize::MAX).await.expect("a body"))
        })
    });
    let body = serde_json::from_slice(&body).unwrap_or_else(|error| panic!("{status} {error}: {body:?}"));
    let reached = extras.reached.lock().unwrap_or_else(PoisonError::into_inner).take();
    TestResponse { status, body, reached }
}

/// Asserts that an error response contains exactly the given violations.
fn assert_rejected(response: &TestResponse, violations: &Violations, what: &dyn std::fmt::Debug) {
    assert_eq!(response.status, StatusCode::BAD_REQUEST, "{what:?}\n{violations}\n{}", response.body);
    assert_eq!(sorted(reported_items(response)), sorted(expected_items(violations)), "{what:?}");
    assert_eq!(response.body["error"]["code"], 400);
    assert_eq!(response.reached, None, "{what:?}");
}

/// Returns the violations in an error response.
fn reported_items(response: &TestResponse) -> Vec<Value> {
    response.body["error"]["errors"].as_array().cloned().unwrap_or_default()
}

fn expected_items(violations: &Violations) -> Vec<Value> {
    // The three APIs share the error profile.
    let profile = calendar_types::requests::API.errors.profile;
    let body = violations.error_body(400, &ErrorFields { profile, ..ErrorFields::STANDARD });
    body["error"]["errors"].as_array().cloned().unwrap_or_default()
}

/// Sorts violations, since a value and a text report them in different orders: a text starts with missing fields.
fn sorted(mut items: Vec<Value>) -> Vec<Value> {
    items.sort_by_key(ToString::to_string);
    items
}

/// Sends a request through the router, and asserts that the server reports the same violations as the rules, or passes
/// the request to the service. A request without a wire form, such as one with an empty segment, is not sent.
pub fn assert_same_verdict<V, R>(rules: &V, request: &R, stored: Option<&dyn Any>)
where
    V: Validates<R> + CheckRequests,
    R: Request,
{
    let Ok(wire) = request.to_wire(Naming::Specification) else { return };
    let response = send(R::OPERATION.method, wire, stored.map(Stored::of));
    // A server validates the request before it reads the stored value. Before that, it drops output-only and
    // ineffective fields.
    let (mut looked_at, mut prepared) = (request.clone(), request.clone());
    let effective = rules.effective_conditions(request);
    looked_at.strip_ineffective(&effective);
    prepared.strip_output_only();
    prepared.strip_ineffective(&effective);
    let context = <V as Validates<R>>::CONTEXT;
    let first = rules.validate(&looked_at, context);
    match first.and_then(|_| rules.validate(&prepared, context.with_any_stored(stored))) {
        Err(violations) => assert_rejected(&response, &violations, request),
        Ok(_) => {
            assert_eq!(response.status, StatusCode::NOT_IMPLEMENTED, "{request:?}\n{}", response.body);
            let sent = prepared.to_wire(Naming::Specification).expect("it was sent before");
            assert_eq!(response.reached.map(without_sizes), Some(without_sizes(sent)), "{request:?}");
        }
    }
}

/// Sends a text as the body of a request, and asserts that the server reports the same violations as reading the text
/// does.
pub fn assert_same_verdict_of_text<R: Request>(request: &R, text: &str, verdict: Result<(), &Violations>) {
    let wire = request.to_wire(Naming::Specification).expect("it can be sent");
    let response = send(R::OPERATION.method, WireRequest { body: Some(text.into()), ..wire }, None);
    match verdict {
        Err(violations) => {
            assert_rejected(&response, violations, &text);
            assert_eq!(reported_items(&response), expected_items(violations), "{text}");
            assert_eq!(response.body["error"]["message"], violations.summary(), "{text}");
        }
        Ok(()) => {
            assert_eq!(response.status, StatusCode::NOT_IMPLEMENTED, "{text}\n{}", response.body);
            assert!(response.reached.is_some(), "{text}");
        }
    }
}

/// Removes page sizes, which a server lowers to its maximum.
fn without_sizes(mut wire: WireRequest) -> WireRequest {
    if let Some((path, query)) = wire.target.split_once('?') {
        let is_size = |pair: &&str| !pair.starts_with("maxResults=") && !pair.starts_with("pageSize=");
        let kept: Vec<&str> = query.split('&').filter(is_size).collect();
        wire.target = format!("{path}?{}", kept.join("&"));
    }
    wire
}
