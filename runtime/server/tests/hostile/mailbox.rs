//! API with the path of the corpus, in the shape of generated code.

use std::sync::{Arc, Mutex};

use wireform_server::axum::Router;
use wireform_server::wireform_runtime::naming::AliasedName;
use wireform_server::wireform_runtime::operation::{
    Api, AuthRequirement, Operation, Parameter, RoleValues, Scope, Segment,
};
use wireform_server::wireform_runtime::{__private::RequestEncoder, Request, Value};
use wireform_server::wireform_validation::{
    __private::{Checker, Location},
    Validates, ValidationContext, Violations, Warnings,
};
use wireform_server::{
    __private::{Contract, Handlers, Parameters, Route},
    Limits, Reply, Server,
};

use super::sample::{API as SAMPLE, Kind, Thing, Tokens};

static API: Api = Api {
    name: "mailbox",
    version: "v1",
    root_url: None,
    base_path: AliasedName::new("/mail/v1"),
    endpoints: &[],
    batch: None,
    unimplemented: &[],
    scopes: &[ALL],
    standard_parameters: &[],
    role_values: RoleValues::STANDARD,
    errors: SAMPLE.errors,
};

const ALL: &Scope = &Scope::new("all", "https://mail.example/");

const PATH: &[Segment] = &[Segment::Literal("users"), Segment::Variable("userId"), Segment::Literal("history")];

static LIST: Operation = Operation {
    name: "history.list",
    method: "GET",
    path: PATH,
    verb: None,
    parameters: &[
        Parameter::path("userId"),
        Parameter::query("startHistoryId"),
        Parameter::query("maxResults"),
        Parameter::query("historyTypes"),
        Parameter::query("labelId"),
        Parameter::query("pageToken"),
    ],
    scopes: AuthRequirement::AnyOf(&[ALL]),
    api_key: false,
    safe: true,
    idempotent: true,
    cost: 1,
};

/// The corpus sends bodies to the same path; without this operation, all of them would be rejected for having a body.
static ADD: Operation = Operation {
    name: "history.add",
    method: "POST",
    path: PATH,
    verb: None,
    parameters: &[Parameter::path("userId"), Parameter::query("startHistoryId")],
    scopes: AuthRequirement::AnyOf(&[ALL]),
    api_key: false,
    safe: false,
    idempotent: false,
    cost: 1,
};

#[derive(Clone, Debug)]
#[expect(dead_code, reason = "only decoding is tested")]
struct HistoryList {
    user: String,
    start: u64,
    max_results: Option<u32>,
    types: Vec<Kind>,
    label: Option<String>,
    token: Option<String>,
}

#[derive(Clone, Debug)]
#[expect(dead_code, reason = "only decoding is tested")]
struct HistoryAdd {
    user: String,
    start: Option<u64>,
    body: Option<Thing>,
}

/// Defines a request for a server; the tests do not encode it.
macro_rules! request {
    ($name:ident, $operation:ident, $index:literal) => {
        impl Request for $name {
            const API: &'static Api = &API;
            const OPERATION: &'static Operation = &$operation;
            type Response = Thing;
            type ErrorBody = Value;

            fn write(&self, _: &mut RequestEncoder) {}
        }

        impl Validates<$name> for Rules {
            const CONTEXT: ValidationContext<'static> = ValidationContext::request(&$operation, $index);

            fn check(&self, _: &$name, _: Location<'_>, _: &mut Checker<'_>) {}
        }
    };
}

struct Rules;

/// No rule depends on the stored value.
impl wireform_server::wireform_validation::CheckRequests for Rules {
    fn check_request(
        &self,
        _operation: &'static Operation,
        _request: &dyn std::any::Any,
        _stored: Option<&dyn std::any::Any>,
    ) -> Option<Result<Warnings, Violations>> {
        None
    }
}

request!(HistoryList, LIST, 0);
request!(HistoryAdd, ADD, 1);

static LIST_CONTRACT: Contract = Contract::new(&LIST);
static ADD_CONTRACT: Contract = Contract::new(&ADD).optional_body(&["application/json"]);

/// Service that records the users that it was called for.
#[derive(Clone, Default)]
pub struct Mailbox(Arc<Mutex<Vec<String>>>);

impl Mailbox {
    /// Takes the users that it was called for.
    pub fn called_for(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().expect("no panic"))
    }

    pub fn router(&self, limits: Limits) -> Router {
        Server::new(Mails(self.clone())).authenticator(Tokens).limits(limits).router()
    }

    fn respond(&self, user: String) -> Reply<Thing> {
        self.0.lock().expect("no panic").push(user.clone());
        Reply::new(Thing { id: Some(user), ..Thing::default() })
    }
}

struct Mails(Mailbox);

impl Handlers for Mails {
    const API: &'static Api = &API;
    const ROUTES: &'static [&'static [Route<Self>]] = &[&[
        Route::new(&LIST_CONTRACT, |mails, incoming| {
            let (request, context) = incoming.receive(&Rules, list)?;
            Ok(Box::pin(async move { context.respond::<HistoryList>(mails.0.respond(request.user)) }))
        }),
        Route::new(&ADD_CONTRACT, |mails, incoming| {
            let read = |p: &mut Parameters<'_, '_>, body| HistoryAdd { user: p.take(), start: p.take(), body };
            let (request, context) = incoming.receive_optional_body(&Rules, read)?;
            Ok(Box::pin(async move { context.respond::<HistoryAdd>(mails.0.respond(request.user)) }))
        }),
    ]];
}

fn list(parameters: &mut Parameters<'_, '_>) -> HistoryList {
    HistoryList {
        user: parameters.take(),
        start: parameters.take(),
        max_results: parameters.take(),
        types: parameters.take(),
        label: parameters.take(),
        token: parameters.take(),
    }
}
