//! Every operation of the three APIs with calls by the generated clients; the list is made from the schemas.

use std::future::Future;

use futures_util::future::BoxFuture;
use wireform_client::wire::operation::{Operation, Segment};
use wireform_client::wire::{FromWire, WireBody, json};
use wireform_client::{Error, ErrorKind};

use crate::clients::Clients;
use crate::server::Recorded;

/// An operation.
pub struct Entry {
    /// The API.
    pub api: &'static str,
    /// Its name in the schema.
    pub operation: &'static str,
    /// Sends all that it takes. Texts in the path are the elements of the slice.
    pub full: Send,
    /// Sends what it must have.
    pub minimal: Send,
    /// The query of `full` as the server is to read it.
    pub full_query: &'static [(&'static str, &'static str)],
    /// The query of `minimal` as the server is to read it.
    pub minimal_query: &'static [(&'static str, &'static str)],
    /// The body of `full` before what only the server writes is left out.
    pub full_body: Option<&'static str>,
    /// The body of `full` without that.
    pub written: Option<&'static str>,
    /// How many texts stand in the path.
    pub texts_in_path: usize,
    /// The status of its success.
    pub status: u16,
    /// A success with every member; none where it has no body.
    pub response: Option<&'static str>,
    /// The same, and in every resource a member that the schema does not know.
    pub unknown: Option<&'static str>,
    /// A success that is wrong in one member.
    pub wrong: Option<&'static str>,
    /// The errors of the contract: the status and the reason.
    pub errors: &'static [(u16, Option<&'static str>)],
}

/// Makes a call and tells what came of it: the answer as JSON, or what went wrong.
pub type Send = fn(&Clients, &[&str]) -> BoxFuture<'static, Result<String, Failure>>;

/// Every operation, in the order of the schemas.
#[allow(deprecated)] // what is deprecated is sent as well
pub const ALL: &[Entry] = include!("../tables/calls.rs");

/// What stands in paths where a test says nothing else: ordinary names.
pub const PLAIN: &[&str] = &["primary", "abc123", "third"];

impl Entry {
    /// What the generated crates know of it.
    pub fn facts(&self) -> &'static Operation {
        let operations = operations(self.api);
        operations.iter().find(|one| one.name == self.operation).expect("the list is that of the generated crates")
    }

    /// The path below which its API answers.
    pub fn base_path(&self) -> &'static str {
        match self.api {
            "calendar" => calendar_client::requests::API.base_path.name,
            "mailbox" => mailbox_client::requests::API.base_path.name,
            _ => script_client::requests::API.base_path.name,
        }
    }

    fn is_asked_by(&self, request: &Recorded) -> bool {
        let facts = self.facts();
        let below = request.path().strip_prefix(self.base_path()).and_then(|path| path.strip_prefix('/'));
        let (Some(below), true) = (below, request.method.as_str() == facts.method) else { return false };
        let below = match facts.verb {
            None => Some(below),
            Some(verb) => below.strip_suffix(verb).and_then(|path| path.strip_suffix(':')),
        };
        let segments: Vec<&str> = below.map(|path| path.split('/').collect()).unwrap_or_default();
        let fits =
            |(segment, expected): (&&str, &Segment)| !matches!(expected, Segment::Literal(text) if text != segment);
        segments.len() == facts.path.len() && segments.iter().zip(facts.path).all(fits)
    }

    /// Its name among those of all APIs.
    pub fn name(&self) -> String {
        format!("{} {}", self.api, self.operation)
    }
}

/// The operations that the generated crate of an API lists.
pub fn operations(api: &str) -> &'static [&'static Operation] {
    match api {
        "calendar" => calendar_client::requests::OPERATIONS,
        "mailbox" => mailbox_client::requests::OPERATIONS,
        "script" => script_client::requests::OPERATIONS,
        other => panic!("{other} is no API"),
    }
}

/// The operation that a request is for.
pub fn asked(request: &Recorded) -> &'static Entry {
    ALL.iter().find(|entry| entry.is_asked_by(request)).unwrap_or_else(|| panic!("no operation is there: {request:?}"))
}

/// What went wrong, without the type of the API's errors.
#[derive(Clone, Debug)]
pub struct Failure {
    pub operation: &'static str,
    pub kind: Kind,
    pub status: Option<u16>,
    pub message: Option<String>,
    pub reason: Option<String>,
    pub location: Option<String>,
    /// Whether the body is what the schema says of errors.
    pub decoded: bool,
    pub raw: String,
    pub redirect: Option<String>,
    pub attempts: u32,
    /// Which of the questions that an error answers it answers with yes.
    pub yes: Vec<&'static str>,
    pub display: String,
    pub debug: String,
}

/// The kinds of errors, without what they hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    Connection,
    Timeout,
    Status,
    Decode,
    Request,
    Option,
    Credentials,
    BodyTooLong,
    Protocol,
    Other,
}

/// Waits for a call, and forgets the types of its answer and its error.
fn finish<T: WireBody, B: std::fmt::Debug + 'static>(
    call: impl Future<Output = Result<T, Error<B>>> + std::marker::Send + 'static,
) -> BoxFuture<'static, Result<String, Failure>> {
    Box::pin(async move {
        match call.await {
            Ok(value) => Ok(String::from_utf8(value.encode().expect("what was decoded can be encoded")).expect("text")),
            Err(error) => Err(failure(&error)),
        }
    })
}

/// What an error tells of itself.
pub fn failure<B: std::fmt::Debug>(error: &Error<B>) -> Failure {
    let response = error.response();
    let owned = |text: Option<&String>| text.cloned();
    Failure {
        operation: error.operation(),
        kind: kind(error.kind()),
        status: error.status(),
        message: owned(response.and_then(|response| response.message.as_ref())),
        reason: owned(response.and_then(|response| response.reason.as_ref())),
        location: owned(response.and_then(|response| response.location.as_ref())),
        decoded: response.is_some_and(|response| response.body.is_some()),
        raw: response.map(|response| response.raw.clone()).unwrap_or_default(),
        redirect: owned(response.and_then(|response| response.redirect.as_ref())),
        attempts: error.attempts(),
        yes: yes(error),
        display: error.to_string(),
        debug: format!("{error:?}"),
    }
}

fn yes<B>(error: &Error<B>) -> Vec<&'static str> {
    let questions = [
        ("unauthorized", error.is_unauthorized()),
        ("forbidden", error.is_forbidden()),
        ("not found", error.is_not_found()),
        ("conflict", error.is_conflict()),
        ("gone", error.is_gone()),
        ("precondition failed", error.is_precondition_failed()),
        ("rate limited", error.is_rate_limited()),
        ("timeout", error.is_timeout()),
        ("connect", error.is_connect()),
        ("decode", error.is_decode()),
        ("retryable", error.is_retryable()),
    ];
    questions.into_iter().filter(|(_, yes)| *yes).map(|(question, _)| question).collect()
}

/// The kind of an error.
pub fn kind<B>(kind: &ErrorKind<B>) -> Kind {
    match kind {
        ErrorKind::Connection(_) => Kind::Connection,
        ErrorKind::Timeout { .. } => Kind::Timeout,
        ErrorKind::Status(_) => Kind::Status,
        ErrorKind::Decode { .. } => Kind::Decode,
        ErrorKind::Request(_) => Kind::Request,
        ErrorKind::Option(_) => Kind::Option,
        ErrorKind::Credentials(_) => Kind::Credentials,
        ErrorKind::BodyTooLong { .. } => Kind::BodyTooLong,
        ErrorKind::Protocol(_) => Kind::Protocol,
        _ => Kind::Other,
    }
}

/// A body of a request.
fn sample<T: for<'de> FromWire<'de>>(text: &str) -> T {
    json::from_str(text).expect("a sample is of its type")
}
