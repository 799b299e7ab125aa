//! Stub services of the three APIs that respond as a test specifies. They record each received request in its wire
//! form, so that tests can compare it with the request that was sent.

use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::BoxFuture;
use http::StatusCode;
use wireform_client::Client;
use wireform_runtime::operation::{Api, Operation};
use wireform_runtime::{Naming, Paginated, Request, WireBody, WireRequest};
use wireform_server::{
    AuthError, AuthRequest, Authenticator, Context, Credential, Error, ListResult, Principal, Reply, axum::Router,
};

include!("../../tables/services.rs");

/// Operation of the three APIs.
#[derive(Debug)]
pub struct Served {
    /// Name of the API.
    pub api: &'static str,
    /// Name of the operation in the schema.
    pub operation: &'static str,
    /// Status of a successful response.
    pub status: u16,
    /// Successful response with every field, or `None` if it has no body.
    pub response: Option<&'static str>,
    /// Errors of the contract: status and reason.
    pub errors: &'static [(u16, Option<&'static str>)],
}

/// All operations in the order of the schemas.
pub const SERVED: &[Served] = include!("../../tables/served.rs");

impl Served {
    /// Returns an operation by its name.
    pub fn of(api: &str, operation: &str) -> &'static Self {
        let is = |one: &&Self| one.api == api && one.operation == operation;
        SERVED.iter().find(is).unwrap_or_else(|| panic!("{api} has no {operation}"))
    }

    /// Returns the metadata of the operation in the generated crates.
    pub fn facts(&self) -> &'static Operation {
        let operations = match self.api {
            "calendar" => calendar_server::requests::OPERATIONS,
            "mailbox" => mailbox_server::requests::OPERATIONS,
            _ => script_server::requests::OPERATIONS,
        };
        operations.iter().find(|one| one.name == self.operation).expect("the list is that of the generated crates")
    }
}

/// Request that a service received.
#[derive(Clone, Debug, PartialEq)]
pub struct ReceivedRequest {
    /// Name of the operation.
    pub operation: &'static str,
    /// Wire form of the decoded request.
    pub wire: WireRequest,
    /// Subject of the caller.
    pub subject: String,
}

/// Action of a stub service.
pub enum Step {
    /// Returns this JSON.
    Response(String),
    /// Returns the sample response of the operation.
    Sample,
    /// Fails with this error.
    Fail(Error),
    /// Forwards the request to another server with a client, and returns its response.
    Forward(Arc<dyn Fn(&'static Api) -> Client + Send + Sync>),
    /// Panics with this message.
    Panic(&'static str),
    /// Awaits a future, and continues with its step.
    Then(BoxFuture<'static, Step>),
}

type Handler = Arc<dyn Fn(&ReceivedRequest, &Context) -> Step + Send + Sync>;

/// Stub service of the three APIs, with a handler that a test provides.
#[derive(Clone)]
pub struct Desk {
    received: Arc<Mutex<Vec<ReceivedRequest>>>,
    handler: Handler,
}

impl Desk {
    /// Creates a service with a handler.
    pub fn new(handler: impl Fn(&ReceivedRequest, &Context) -> Step + Send + Sync + 'static) -> Self {
        Self { received: Arc::default(), handler: Arc::new(handler) }
    }

    /// Creates a service that returns the sample responses.
    pub fn samples() -> Self {
        Self::new(|_, _| Step::Sample)
    }

    /// Takes the requests received since the last call.
    pub fn take(&self) -> Vec<ReceivedRequest> {
        std::mem::take(&mut self.received.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Handles the request of a list, with the entity tag of its response.
    pub async fn list<R: Paginated>(&self, request: R, context: &Context) -> ListResult<R> {
        let reply = self.ask(request.clone(), context).await?;
        let tag = match R::etag(reply.value()).and_then(|tag| tag.parse().ok()) {
            Some(tag) => context.known_list_tag(&request, tag),
            None => context.list_tag(&request, "as it was"),
        };
        Ok(tag.reply(reply))
    }

    /// Handles the request of any operation.
    pub async fn ask<R: Request>(&self, request: R, context: &Context) -> wireform_server::Result<R::Response> {
        let received = ReceivedRequest {
            operation: R::OPERATION.name,
            wire: request.to_wire(Naming::Specification).expect("a decoded request can be encoded"),
            subject: context.principal().subject().to_owned(),
        };
        let mut step = (self.handler)(&received, context);
        self.received.lock().unwrap_or_else(PoisonError::into_inner).push(received);
        loop {
            step = match step {
                Step::Response(text) => return Ok(decoded::<R>(&text)),
                Step::Sample => {
                    let sample = Served::of(R::API.name, R::OPERATION.name).response;
                    return Ok(decoded::<R>(sample.unwrap_or_default()));
                }
                Step::Fail(error) => return Err(error),
                Step::Forward(client) => {
                    let response = client(R::API).call(request).send().await;
                    return response.map(Reply::new).map_err(|error| to_server_error(&error));
                }
                Step::Panic(message) => panic!("{message}"),
                Step::Then(first) => first.await,
            };
        }
    }

    /// Returns a router of the three servers, which authenticates callers with `Tokens`.
    pub fn router(&self) -> Router {
        let calendar = calendar_server::server(Calendar(self.clone())).authenticator(Tokens).router();
        let mailbox = mailbox_server::server(Mailbox(self.clone())).authenticator(Tokens).router();
        let script = script_server::server(Script(self.clone())).authenticator(Tokens).router();
        calendar.merge(mailbox).merge(script)
    }
}

/// Converts an error of a client into an error of a server.
fn to_server_error<B: std::fmt::Debug>(error: &wireform_client::Error<B>) -> Error {
    let Some(response) = error.response() else { return Error::internal(error.to_string()) };
    assert!(response.body.is_some(), "the body of the error does not match the schema: {}", response.raw);
    let status = error.status().and_then(|status| StatusCode::from_u16(status).ok()).expect("an error has a status");
    let passed = Error::new(status, response.message.clone().unwrap_or_default());
    match &response.reason {
        Some(reason) => passed.with_reason(reason.clone()),
        None => passed,
    }
}

fn decoded<R: Request>(text: &str) -> Reply<R::Response> {
    R::Response::decode(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}")).into()
}

/// Token with all scopes.
pub const TOKEN: &str = "a-token-that-nobody-may-read";

/// Authenticator of [`TOKEN`] and of tokens that contain their scopes.
#[derive(Clone, Copy, Debug)]
pub struct Tokens;

/// Prefix of tokens that contain their scopes, separated by bars.
pub const SCOPED: &str = "scopes=";

impl Authenticator for Tokens {
    async fn authenticate(
        &self,
        credential: Credential<'_>,
        _request: &AuthRequest<'_>,
    ) -> Result<Principal, AuthError> {
        match credential {
            Credential::Bearer(TOKEN) => Ok(Principal::new("somebody").with_all_scopes()),
            Credential::Bearer(token) => {
                let scopes = token.strip_prefix(SCOPED).ok_or(AuthError::Invalid)?;
                Ok(Principal::new("somebody else").with_scopes(scopes.split('|').map(str::to_owned)))
            }
            Credential::ApiKey("a-key") => Ok(Principal::new("a project")),
            _ => Err(AuthError::Invalid),
        }
    }
}
