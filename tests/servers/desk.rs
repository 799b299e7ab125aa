//! Services of the three APIs that do as a test says. What the desk is asked is written down as it would go onto the
//! wire again, so that tests compare what was sent with what a service is told.

use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::BoxFuture;
use http::StatusCode;
use wireform_client::Client;
use wireform_runtime::operation::{Api, Operation};
use wireform_runtime::{Naming, Paginated, Request, WireBody, WireRequest};
use wireform_server::{
    AuthError, AuthRequest, Authenticator, Context, Credential, Error, ListResult, Principal, Reply, axum::Router,
};

include!("../tables/services.rs");

/// An operation of the three APIs.
#[derive(Debug)]
pub struct Served {
    /// The API.
    pub api: &'static str,
    /// Its name in the schema.
    pub operation: &'static str,
    /// The status of its success.
    pub status: u16,
    /// A success with every member; none where it has no body.
    pub response: Option<&'static str>,
    /// The errors of the contract: the status and the reason.
    pub errors: &'static [(u16, Option<&'static str>)],
}

/// Every operation, in the order of the schemas.
pub const SERVED: &[Served] = include!("../tables/served.rs");

impl Served {
    /// An operation by its name.
    pub fn of(api: &str, operation: &str) -> &'static Self {
        let is = |one: &&Self| one.api == api && one.operation == operation;
        SERVED.iter().find(is).unwrap_or_else(|| panic!("{api} has no {operation}"))
    }

    /// What the generated crates know of it.
    pub fn facts(&self) -> &'static Operation {
        let operations = match self.api {
            "calendar" => calendar_server::requests::OPERATIONS,
            "mailbox" => mailbox_server::requests::OPERATIONS,
            _ => script_server::requests::OPERATIONS,
        };
        operations.iter().find(|one| one.name == self.operation).expect("the list is that of the generated crates")
    }
}

/// What a service was asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// The operation.
    pub operation: &'static str,
    /// The request as it would go onto the wire again.
    pub wire: WireRequest,
    /// Who asked.
    pub subject: String,
}

/// What a service does.
pub enum Step {
    /// It answers that JSON.
    Response(String),
    /// It answers what the sample of the operation is.
    Sample,
    /// It fails.
    Fail(Error),
    /// It asks another server the same, by a client, and answers what that answers.
    Forward(Arc<dyn Fn(&'static Api) -> Client + Send + Sync>),
    /// It panics with that message.
    Panic(&'static str),
    /// It does something first.
    Then(BoxFuture<'static, Step>),
}

type Doing = Arc<dyn Fn(&Asked, &Context) -> Step + Send + Sync>;

/// Where services ask what to answer.
#[derive(Clone)]
pub struct Desk {
    asked: Arc<Mutex<Vec<Asked>>>,
    doing: Doing,
}

impl Desk {
    /// A desk that says what that function says.
    pub fn new(doing: impl Fn(&Asked, &Context) -> Step + Send + Sync + 'static) -> Self {
        Self { asked: Arc::default(), doing: Arc::new(doing) }
    }

    /// A desk that answers samples.
    pub fn samples() -> Self {
        Self::new(|_, _| Step::Sample)
    }

    /// What was asked since the last time.
    pub fn take(&self) -> Vec<Asked> {
        std::mem::take(&mut self.asked.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Answers a request of a list, with the entity tag that the answer has.
    pub async fn list<R: Paginated>(&self, request: R, context: &Context) -> ListResult<R> {
        let reply = self.ask(request.clone(), context).await?;
        let tag = match R::etag(reply.value()).and_then(|tag| tag.parse().ok()) {
            Some(tag) => context.known_list_tag(&request, tag),
            None => context.list_tag(&request, "as it was"),
        };
        Ok(tag.reply(reply))
    }

    /// Answers a request of any operation.
    pub async fn ask<R: Request>(&self, request: R, context: &Context) -> wireform_server::Result<R::Response> {
        let asked = Asked {
            operation: R::OPERATION.name,
            wire: request.to_wire(Naming::Specification).expect("what was decoded can be sent"),
            subject: context.principal().subject().to_owned(),
        };
        let mut step = (self.doing)(&asked, context);
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(asked);
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
                    return response.map(Reply::new).map_err(|error| passed_on(&error));
                }
                Step::Panic(message) => panic!("{message}"),
                Step::Then(first) => first.await,
            };
        }
    }

    /// The three servers at one address, for whoever shows one of the tokens.
    pub fn router(&self) -> Router {
        let calendar = calendar_server::server(Calendar(self.clone())).authenticator(Tokens).router();
        let mailbox = mailbox_server::server(Mailbox(self.clone())).authenticator(Tokens).router();
        let script = script_server::server(Script(self.clone())).authenticator(Tokens).router();
        calendar.merge(mailbox).merge(script)
    }
}

/// An error of a client as the error of a server.
fn passed_on<B: std::fmt::Debug>(error: &wireform_client::Error<B>) -> Error {
    let Some(response) = error.response() else { return Error::internal(error.to_string()) };
    assert!(response.body.is_some(), "the body of an error is what the schema says: {}", response.raw);
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

/// The token of somebody who may do everything.
pub const TOKEN: &str = "a-token-that-nobody-may-read";

/// Who shows a token: [`TOKEN`], or one that names the scopes it has.
#[derive(Clone, Copy, Debug)]
pub struct Tokens;

/// The start of tokens that name their scopes, with bars between them.
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
