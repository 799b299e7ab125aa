//! Calendar and mail APIs of this server for scripts.

pub(crate) mod calendar;
mod compose;
pub(crate) mod mail;
#[cfg(test)]
mod tests;

use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;
use wireform_store::{Clock, Millis, User};

pub(crate) use self::mail::Threads;
pub use crate::authority::Authority;
use crate::boxed_future::BoxedFuture;
use crate::run_memory::RunMemory;

/// Status and body of a response.
pub type Response = (u16, Value);

/// Client of the calendar and mail APIs of this server.
pub trait ApiClient: Debug + Send + Sync {
    /// Sends a request as a user, with an authority. What a token does not allow gets the 403 of the API.
    ///
    /// # Errors
    /// Returns an error with a message for the author of the script if there is no response.
    fn send<'a>(
        &'a self,
        user: &'a User,
        authority: &'a Authority,
        method: &'static str,
        target: String,
        body: Option<Value>,
    ) -> BoxedFuture<'a, Result<Response, String>>;
}

/// Maximum number of bytes of the responses to one call of a script.
const RESPONSE_BUDGET: usize = 32 << 20;

/// Client of the APIs for one user during one call of a script.
pub(crate) struct UserClient<'a> {
    apis: &'a dyn ApiClient,
    /// Remaining bytes of responses, shared by the clients of all users.
    remaining_budget: Arc<AtomicUsize>,
    pub(crate) user: &'a User,
    pub(crate) authority: &'a Authority,
    /// Current time.
    pub(crate) now: Millis,
    /// Threads that the run has already read.
    pub(crate) threads: Arc<Threads>,
    /// Memory of the run, which holds the responses until the script has the result of its call.
    pub(crate) memory: RunMemory,
}

impl<'a> UserClient<'a> {
    pub(crate) fn new(apis: &'a dyn ApiClient, user: &'a User, authority: &'a Authority) -> Self {
        let (left, threads) = (Arc::new(AtomicUsize::new(RESPONSE_BUDGET)), Arc::default());
        let memory = RunMemory::default();
        Self { apis, remaining_budget: left, user, authority, now: Clock::system().now(), threads, memory }
    }

    /// Returns a client that acts with the full authority of a user.
    pub(crate) fn as_user<'b>(&'b self, user: &'b User) -> UserClient<'b> {
        let (left, threads) = (Arc::clone(&self.remaining_budget), Arc::default());
        UserClient {
            apis: self.apis,
            remaining_budget: left,
            user,
            authority: &Authority::Full,
            now: self.now,
            threads,
            memory: self.memory.clone(),
        }
    }

    /// Reads a resource. An error of the API becomes an exception with its message.
    pub(crate) async fn get(&self, target: String) -> Result<Value, String> {
        self.send("GET", target, None).await
    }

    /// Reads a resource; returns `None` if it does not exist.
    pub(crate) async fn find(&self, target: String) -> Result<Option<Value>, String> {
        match self.request("GET", target, None).await? {
            (404, _) => Ok(None),
            response => parse_response(response).map(Some),
        }
    }

    /// Sends a request. An error of the API becomes an exception with its message.
    pub(crate) async fn send(
        &self,
        method: &'static str,
        target: String,
        body: Option<Value>,
    ) -> Result<Value, String> {
        parse_response(self.request(method, target, body).await?)
    }

    /// Sends a request and subtracts the response from the budget.
    async fn request(&self, method: &'static str, target: String, body: Option<Value>) -> Result<Response, String> {
        let response = self.apis.send(self.user, self.authority, method, target, body).await?;
        let bytes = size(&response.1);
        let rest = |left: usize| left.checked_sub(bytes);
        if self.remaining_budget.fetch_update(Ordering::Relaxed, Ordering::Relaxed, rest).is_err() {
            return Err("the result is too large; request less".to_owned());
        }
        match self.memory.reserve_response(memory(&response.1)).await {
            true => Ok(response),
            false => Err("there is no memory for the result; request less, or try again later".to_owned()),
        }
    }

    /// Reads the items of all pages of a list, up to a number of pages.
    pub(crate) async fn list(&self, target: &str, member: &str, pages: usize) -> Result<Vec<Value>, String> {
        let mut items = Vec::new();
        let keep = |page: Vec<Value>| {
            items.extend(page);
            true
        };
        self.pages(target, member, pages, keep).await?;
        Ok(items)
    }

    /// Reads a list page by page, as long as `more` returns true.
    pub(crate) async fn pages(
        &self,
        target: &str,
        member: &str,
        pages: usize,
        mut more: impl FnMut(Vec<Value>) -> bool,
    ) -> Result<(), String> {
        let mut token: Option<String> = None;
        for _ in 0..pages {
            let page = match &token {
                None => target.to_owned(),
                Some(token) => format!("{target}&pageToken={}", encode(token)),
            };
            let mut page = self.get(page).await?;
            let found = match page.get_mut(member).map(Value::take) {
                Some(Value::Array(found)) => found,
                _ => Vec::new(),
            };
            token = text_field(&page, "nextPageToken").map(str::to_owned);
            if !more(found) || token.is_none() {
                return Ok(());
            }
        }
        Err("there are too many results; request fewer".to_owned())
    }
}

/// Returns the approximate number of bytes of a value as JSON. The depth of parsed values is bounded.
fn size(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len() + 2,
        Value::Array(items) => items.iter().map(|item| size(item) + 1).sum::<usize>() + 2,
        Value::Object(members) => members.iter().map(|(name, value)| name.len() + size(value) + 4).sum::<usize>() + 2,
        Value::Null | Value::Bool(_) | Value::Number(_) => 5,
    }
}

/// Returns the approximate number of bytes of a value in memory.
fn memory(value: &Value) -> u64 {
    let content = match value {
        Value::String(text) => text.len() as u64,
        Value::Array(items) => items.iter().map(memory).sum(),
        Value::Object(members) => members.iter().map(|(name, value)| 64 + name.len() as u64 + memory(value)).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    };
    size_of::<Value>() as u64 + content
}

/// Returns the body of a successful response; otherwise the message of the error.
fn parse_response((status, body): Response) -> Result<Value, String> {
    if (200..300).contains(&status) {
        return Ok(body);
    }
    let message = body.pointer("/error/message").and_then(Value::as_str);
    Err(message.map_or_else(|| format!("the API responded with status {status}"), str::to_owned))
}

/// Returns a string field.
pub(crate) fn text_field<'v>(value: &'v Value, member: &str) -> Option<&'v str> {
    value.get(member).and_then(Value::as_str)
}

/// Everything except unreserved characters (RFC 3986, section 2.3). A dot is encoded as well, so that `..` stays an
/// ordinary segment.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'~');

/// Percent-encodes a segment of a path or a value of a query.
pub(crate) fn encode(text: &str) -> String {
    utf8_percent_encode(text, ENCODED).to_string()
}
