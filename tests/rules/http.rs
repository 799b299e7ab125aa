//! What is said of a request is what a server answers to it: every request of the tables, and every one that is
//! mutated, goes through the router of its API as well.

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

include!(concat!(env!("OUT_DIR"), "/services.rs"));

/// Where the services of all APIs ask: it holds a request against what is stored, if something is, and is done.
#[derive(Clone, Copy)]
pub struct Desk;

/// What can be stored where a request goes.
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

    /// What a service does that has it. A request that answers something else names the read that answers this.
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

/// What goes beside a request, around the wire.
#[derive(Clone)]
struct Beside {
    stored: Option<Stored>,
    /// The request as the service was told it.
    reached: Arc<Mutex<Option<WireRequest>>>,
}

impl Desk {
    async fn list<R: Paginated>(&self, request: R, context: &Context) -> ListResult<R> {
        let tag = context.list_tag(&request, "as it was");
        Ok(tag.reply(self.ask(request, context).await?))
    }

    async fn ask<R: Request>(&self, request: R, context: &Context) -> wireform_server::Result<R::Response> {
        let beside = context.parts().extensions.get::<Beside>().expect("it was put there");
        if let Some(stored) = &beside.stored {
            // Nothing is answered.
            let _admission = stored.admit(&request, context)?;
        }
        let wire = request.to_wire(Naming::Specification).expect("what was read can be written");
        *beside.reached.lock().unwrap_or_else(PoisonError::into_inner) = Some(wire);
        Err(Error::not_implemented(R::OPERATION.name))
    }
}

/// Lets everybody in.
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

/// What became of a request: the status, the body, and what the service was told, if it was asked.
struct Answered {
    status: StatusCode,
    body: Value,
    reached: Option<WireRequest>,
}

fn ask(method: &str, wire: WireRequest, stored: Option<Stored>) -> Answered {
    thread_local! {
        static RUNTIME: tokio::runtime::Runtime =
            tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    }
    let beside = Beside { stored, reached: Arc::default() };
    let mut request = http::Request::builder().method(method).uri(&wire.target).header("authorization", "Bearer any");
    for (name, value) in &wire.headers {
        request = request.header(*name, value);
    }
    let body = wire.body.map_or_else(Body::empty, Body::from);
    let request = request.extension(beside.clone()).body(body).expect("a request");
    let (status, body) = RUNTIME.with(|runtime| {
        runtime.block_on(async {
            let answer = router().call(request).await.expect("a router always answers");
            let status = answer.status();
            (status, axum::body::to_bytes(answer.into_body(), usize::MAX).await.expect("a body"))
        })
    });
    let body = serde_json::from_slice(&body).unwrap_or_else(|error| panic!("{status} {error}: {body:?}"));
    let reached = beside.reached.lock().unwrap_or_else(PoisonError::into_inner).take();
    Answered { status, body, reached }
}

/// Holds that a refusal says what the violations say, all of them.
fn refused(answered: &Answered, violations: &Violations, what: &dyn std::fmt::Debug) {
    assert_eq!(answered.status, StatusCode::BAD_REQUEST, "{what:?}\n{violations}\n{}", answered.body);
    assert_eq!(sorted(told(answered)), sorted(items(violations)), "{what:?}");
    assert_eq!(answered.body["error"]["code"], 400);
    assert_eq!(answered.reached, None, "{what:?}");
}

/// The mistakes that an answer tells of.
fn told(answered: &Answered) -> Vec<Value> {
    answered.body["error"]["errors"].as_array().cloned().unwrap_or_default()
}

fn items(violations: &Violations) -> Vec<Value> {
    // The three APIs share the words of their errors.
    let profile = calendar_types::requests::API.errors.profile;
    let body = violations.error_body(400, &ErrorFields { profile, ..ErrorFields::STANDARD });
    body["error"]["errors"].as_array().cloned().unwrap_or_default()
}

/// A value has an order of its own, and a text another: what is missing stands at its beginning.
fn sorted(mut items: Vec<Value>) -> Vec<Value> {
    items.sort_by_key(ToString::to_string);
    items
}

/// Sends a request over the wire: what the rules say of it is what the server answers, and what they allow is what the
/// service is told. A request that no wire can hold, such as one with an empty segment, is not sent.
pub fn judged_alike<V, R>(rules: &V, request: &R, stored: Option<&dyn Any>)
where
    V: Validates<R> + CheckRequests,
    R: Request,
{
    let Ok(wire) = request.to_wire(Naming::Specification) else { return };
    let answered = ask(R::OPERATION.method, wire, stored.map(Stored::of));
    // A server looks at what it was sent before it asks what is stored. Before that it drops what only it writes, and
    // what has no effect.
    let (mut looked_at, mut prepared) = (request.clone(), request.clone());
    let effective = rules.effective_conditions(request);
    looked_at.strip_ineffective(&effective);
    prepared.strip_output_only();
    prepared.strip_ineffective(&effective);
    let context = <V as Validates<R>>::CONTEXT;
    let first = rules.validate(&looked_at, context);
    match first.and_then(|_| rules.validate(&prepared, context.with_any_stored(stored))) {
        Err(violations) => refused(&answered, &violations, request),
        Ok(_) => {
            assert_eq!(answered.status, StatusCode::NOT_IMPLEMENTED, "{request:?}\n{}", answered.body);
            let sent = prepared.to_wire(Naming::Specification).expect("it was sent before");
            assert_eq!(answered.reached.map(without_sizes), Some(without_sizes(sent)), "{request:?}");
        }
    }
}

/// Sends a text as the body of a request: what reading it says is what the server answers.
pub fn text_judged_alike<R: Request>(request: &R, text: &str, verdict: Result<(), &Violations>) {
    let wire = request.to_wire(Naming::Specification).expect("it can be sent");
    let answered = ask(R::OPERATION.method, WireRequest { body: Some(text.into()), ..wire }, None);
    match verdict {
        Err(violations) => {
            refused(&answered, violations, &text);
            assert_eq!(told(&answered), items(violations), "{text}");
            assert_eq!(answered.body["error"]["message"], violations.summary(), "{text}");
        }
        Ok(()) => {
            assert_eq!(answered.status, StatusCode::NOT_IMPLEMENTED, "{text}\n{}", answered.body);
            assert!(answered.reached.is_some(), "{text}");
        }
    }
}

/// Without the sizes of pages, which a server lowers to what it gives at the most.
fn without_sizes(mut wire: WireRequest) -> WireRequest {
    if let Some((path, query)) = wire.target.split_once('?') {
        let is_size = |pair: &&str| !pair.starts_with("maxResults=") && !pair.starts_with("pageSize=");
        let kept: Vec<&str> = query.split('&').filter(is_size).collect();
        wire.target = format!("{path}?{}", kept.join("&"));
    }
    wire
}
