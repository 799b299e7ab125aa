//! Calls of every operation of the three APIs by the generated clients. The list is generated from the schemas.

use std::future::Future;

use futures_util::future::BoxFuture;
use wireform_client::wire::operation::{Operation, Segment};
use wireform_client::wire::{FromWire, WireBody, json};
use wireform_client::{Error, ErrorKind};

use crate::clients::Clients;
use crate::server::RecordedRequest;

/// An operation with its calls, sample responses and declared errors.
pub struct Entry {
    /// The API: `calendar`, `mailbox` or `script`.
    pub api: &'static str,
    /// Name of the operation in the schema.
    pub operation: &'static str,
    /// Sends the request with every parameter and field. The slice contains the values of the string variables in the
    /// path.
    pub full: Send,
    /// Sends the request with required parameters and fields only.
    pub minimal: Send,
    /// Query of `full`, as the server must decode it.
    pub full_query: &'static [(&'static str, &'static str)],
    /// Query of `minimal`, as the server must decode it.
    pub minimal_query: &'static [(&'static str, &'static str)],
    /// Body of `full`, including output-only fields.
    pub full_body: Option<&'static str>,
    /// Body of `full` without output-only fields.
    pub written: Option<&'static str>,
    /// Number of string variables in the path.
    pub texts_in_path: usize,
    /// Success status of the operation.
    pub status: u16,
    /// Successful response with every field; `None` if the response has no body.
    pub response: Option<&'static str>,
    /// The same response with an unknown field in every resource.
    pub unknown: Option<&'static str>,
    /// Successful response with one field of the wrong type.
    pub wrong: Option<&'static str>,
    /// Declared errors: status and reason.
    pub errors: &'static [(u16, Option<&'static str>)],
}

/// Sends a call and returns the response as JSON, or the failure.
pub type Send = fn(&Clients, &[&str]) -> BoxFuture<'static, Result<String, Failure>>;

/// Every operation, in the order of the schemas.
#[allow(deprecated)] // deprecated operations are tested as well
pub const ALL: &[Entry] = include!("../../tables/calls.rs");

/// Values for path variables in tests that need no special ones.
pub const PLAIN: &[&str] = &["primary", "abc123", "third"];

impl Entry {
    /// Returns the description of the operation in the generated crate.
    pub fn facts(&self) -> &'static Operation {
        let operations = operations(self.api);
        operations.iter().find(|one| one.name == self.operation).expect("the generated crate has the operation")
    }

    /// Returns the base path of the operation's API.
    pub fn base_path(&self) -> &'static str {
        match self.api {
            "calendar" => calendar_client::requests::API.base_path.name,
            "mailbox" => mailbox_client::requests::API.base_path.name,
            _ => script_client::requests::API.base_path.name,
        }
    }

    fn matches(&self, request: &RecordedRequest) -> bool {
        let facts = self.facts();
        let relative = request.path().strip_prefix(self.base_path()).and_then(|path| path.strip_prefix('/'));
        let (Some(relative), true) = (relative, request.method.as_str() == facts.method) else { return false };
        let relative = match facts.verb {
            None => Some(relative),
            Some(verb) => relative.strip_suffix(verb).and_then(|path| path.strip_suffix(':')),
        };
        let segments: Vec<&str> = relative.map(|path| path.split('/').collect()).unwrap_or_default();
        let fits =
            |(segment, expected): (&&str, &Segment)| !matches!(expected, Segment::Literal(text) if text != segment);
        segments.len() == facts.path.len() && segments.iter().zip(facts.path).all(fits)
    }

    /// Returns the name of the operation, qualified by its API.
    pub fn name(&self) -> String {
        format!("{} {}", self.api, self.operation)
    }
}

/// Returns the operations that the generated crate of an API lists.
pub fn operations(api: &str) -> &'static [&'static Operation] {
    match api {
        "calendar" => calendar_client::requests::OPERATIONS,
        "mailbox" => mailbox_client::requests::OPERATIONS,
        "script" => script_client::requests::OPERATIONS,
        other => panic!("{other} is no API"),
    }
}

/// Returns the operation that a request matches.
pub fn find_operation(request: &RecordedRequest) -> &'static Entry {
    ALL.iter().find(|entry| entry.matches(request)).unwrap_or_else(|| panic!("no operation matches: {request:?}"))
}

/// An error without the API-specific type of its body.
#[derive(Clone, Debug)]
pub struct Failure {
    pub operation: &'static str,
    pub kind: Kind,
    pub status: Option<u16>,
    pub message: Option<String>,
    pub reason: Option<String>,
    pub location: Option<String>,
    /// Whether the body was decoded as the declared error type.
    pub decoded: bool,
    pub raw: String,
    pub redirect: Option<String>,
    pub attempts: u32,
    /// Names of the `is_…` predicates of the error that return `true`.
    pub predicates: Vec<&'static str>,
    pub display: String,
    pub debug: String,
}

/// The variants of [`ErrorKind`] without their data.
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

/// Awaits a call and erases the types of its response and error.
fn finish<T: WireBody, B: std::fmt::Debug + 'static>(
    call: impl Future<Output = Result<T, Error<B>>> + std::marker::Send + 'static,
) -> BoxFuture<'static, Result<String, Failure>> {
    Box::pin(async move {
        match call.await {
            Ok(value) => Ok(String::from_utf8(value.encode().expect("a decoded value can be encoded")).expect("UTF-8")),
            Err(error) => Err(failure(&error)),
        }
    })
}

/// Converts an error.
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
        predicates: predicates(error),
        display: error.to_string(),
        debug: format!("{error:?}"),
    }
}

fn predicates<B>(error: &Error<B>) -> Vec<&'static str> {
    let predicates = [
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
    predicates.into_iter().filter(|(_, holds)| *holds).map(|(name, _)| name).collect()
}

/// Returns the kind of an error.
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

/// Decodes the sample body of a request.
fn sample<T: for<'de> FromWire<'de>>(text: &str) -> T {
    json::from_str(text).expect("a valid sample")
}
