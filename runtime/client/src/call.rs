//! Calls of operations.

mod format;
mod future;

use std::any::Any;
use std::fmt;

use wireform_runtime::fields::Selection;
use wireform_runtime::operation::Role;
use wireform_runtime::{Request, RequestError, ResponseHeaders, WireBody as _, WireRequest};

use crate::client::Client;
use crate::error::{Error, ErrorKind, StatusError};
use crate::options::CallOptions;
use crate::reply::RawReply;
use crate::send::{Extras, OutgoingRequest, dispatch};
use crate::transport::TypedRequest;

pub use format::{FormatCall, FormatFuture};
pub use future::{ReplyFuture, SendFuture};
pub(crate) use future::{decode_reply, reply_future};

/// Call of an operation: a request and its options.
pub struct Call<R: Request> {
    client: Client,
    request: R,
    options: CallOptions,
}

impl Client {
    /// Creates a call without sending it. The request must belong to the client's API.
    #[must_use]
    pub fn call<R: Request>(&self, request: R) -> Call<R> {
        Call::new(self.clone(), request)
    }
}

impl<R: Request> Call<R> {
    pub(crate) fn new(client: Client, request: R) -> Self {
        Self { client, request, options: CallOptions::default() }
    }

    /// Returns the client, the request and the options, for callers that send the request in another way.
    pub(crate) fn into_parts(self) -> (Client, R, CallOptions) {
        (self.client, self.request, self.options)
    }

    /// Returns the request with the parameters and the body of the call.
    #[must_use]
    pub fn request(&self) -> &R {
        &self.request
    }

    /// Returns a mutable reference to the request.
    pub fn request_mut(&mut self) -> &mut R {
        &mut self.request
    }

    /// Returns the client that sends the call.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Returns the options of the call, such as its timeout.
    #[must_use]
    pub fn options(&self) -> &CallOptions {
        &self.options
    }

    /// Returns a mutable reference to the options.
    pub fn options_mut(&mut self) -> &mut CallOptions {
        &mut self.options
    }

    /// Sets a standard parameter of the API by its name in the schema.
    pub fn set_parameter(&mut self, name: &'static str, value: impl Into<String>) {
        self.options.set_parameter(R::API, name, value);
    }

    /// Sets the standard parameter with a role; `word` is its usual name.
    fn set_parameter_by_role(&mut self, role: Role, word: &'static str, value: &str) {
        // Without such a parameter the call fails when it is sent, with an error that names `word`.
        let name = R::API.parameter(role).map_or(word, |parameter| parameter.name.name);
        self.options.set_parameter(R::API, name, value);
    }

    /// Sets the quota user.
    pub fn set_quota_user(&mut self, user: &str) {
        self.set_parameter_by_role(Role::QuotaUser, "quota_user", user);
    }

    /// Requests a response with line breaks and indentation.
    pub fn set_pretty_print(&mut self) {
        self.set_parameter_by_role(Role::PrettyPrint, "pretty_print", "true");
    }

    /// Selects the fields of the response.
    pub fn select(&mut self, fields: Selection<R::Response>) {
        self.options.fields = Some(fields.to_string());
    }

    /// Requests one of the operation's alternative responses, by its media types; `take` extracts it from the response.
    pub fn format<T>(mut self, accept: &'static str, take: fn(R::Response) -> Option<T>) -> FormatCall<R, T> {
        self.options.accept = Some(accept.to_owned());
        FormatCall { call: self, accept, extract: take }
    }

    /// Encodes the request and erases its type.
    pub(crate) fn into_outgoing(self) -> OutgoingRequest {
        let names = self.client.naming();
        erase_request(&self.client, self.request, self.options, None, &|request| request.to_wire(names))
    }

    /// Sends the request and returns the value of the response.
    pub fn send(self) -> SendFuture<R> {
        start(self.client, self.request, self.options, None).into_value_future()
    }

    /// Like [`send`](Self::send), with the stored value, so that rules about changes are checked too.
    pub(crate) fn send_with_stored(self, stored: &dyn Any) -> SendFuture<R> {
        start(self.client, self.request, self.options, Some(stored)).into_value_future()
    }

    /// Sends the request and returns the response without decoding its body, whatever its media type is, and also where
    /// the schema declares none. A declared redirection is a success.
    ///
    /// # Errors
    /// Returns the errors of [`send`](Self::send) except those of the body.
    pub async fn send_raw(self) -> Result<RawReply, Error<R::ErrorBody>> {
        let names = self.client.naming();
        let mut outgoing =
            erase_request(&self.client, self.request, self.options, None, &|request: &R| request.to_wire(names));
        outgoing.ignores_body = false;
        outgoing.accepts_redirects = true;
        outgoing.reads_redirects = true;
        reply_future::<R>(self.client, |client| dispatch(client, outgoing)).into_raw().await
    }

    /// Sends the request and returns the response. A request without an identifier gets a new one each time.
    pub fn perform(&self) -> ReplyFuture<R> {
        start(self.client.clone(), self.request.clone(), self.options.clone(), None)
    }

    /// Sends the request and blocks until the value of the response has arrived.
    ///
    /// # Errors
    /// Returns the same errors as [`send`](Self::send).
    #[cfg(all(feature = "blocking", not(target_arch = "wasm32")))]
    pub fn send_blocking(self) -> Result<R::Response, Error<R::ErrorBody>> {
        crate::blocking::block_on(self.send())
            .unwrap_or_else(|error| Err(Error::new(R::OPERATION, ErrorKind::Connection(error))))
    }
}

/// Awaiting a call sends it: `.await` is short for `.send().await`.
impl<R: Request> IntoFuture for Call<R> {
    type Output = Result<R::Response, Error<R::ErrorBody>>;
    type IntoFuture = SendFuture<R>;

    fn into_future(self) -> SendFuture<R> {
        self.send()
    }
}

impl<R: Request> Clone for Call<R> {
    fn clone(&self) -> Self {
        Self { client: self.client.clone(), request: self.request.clone(), options: self.options.clone() }
    }
}

impl<R: Request> fmt::Debug for Call<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("operation", &R::OPERATION.name)
            .field("request", &self.request)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

/// Starts the call. `stored` is the stored value, with which rules about changes are checked too.
fn start<R: Request>(client: Client, request: R, options: CallOptions, stored: Option<&dyn Any>) -> ReplyFuture<R> {
    let names = client.naming();
    let outgoing = erase_request(&client, request, options, stored, &|request| request.to_wire(names));
    reply_future(client, |client| dispatch(client, outgoing))
}

/// Erases the type of the request; `write` encodes it.
pub(crate) fn erase_request<R: Request>(
    client: &Client,
    mut request: R,
    options: CallOptions,
    stored: Option<&dyn Any>,
    write: &dyn Fn(&R) -> Result<WireRequest, RequestError>,
) -> OutgoingRequest {
    if !options.keep_output_only.unwrap_or(client.inner.keep_output_only) {
        request.strip_output_only();
    }
    request.fill(&mut || (client.inner.new_id)());
    #[cfg(feature = "validation")]
    let invalid = client
        .inner
        .validation
        .as_ref()
        .and_then(|validation| validation.check(R::OPERATION, (options.tier, client.naming()), &request, stored));
    #[cfg(not(feature = "validation"))]
    let _ = stored;
    let wire = write(&request);
    let typed = client.inner.transport.wants_typed().then(|| TypedRequest::new(request));
    OutgoingRequest {
        api: R::API,
        operation: R::OPERATION,
        content_type: R::CONTENT_TYPE,
        accept: R::ACCEPT,
        wire,
        typed,
        options,
        #[cfg(feature = "validation")]
        invalid,
        ignores_body: R::Response::ALLOWS_EMPTY,
        redirects: R::REDIRECTS,
        root_url: R::ROOT_URL.filter(|_| client.inner.is_public),
        accepts_redirects: R::Response::ALLOWS_EMPTY || R::NO_BODY_STATUS.is_some() || R::Response::HAS_TYPES_BY_STATUS,
        reads_redirects: R::Response::HAS_TYPES_BY_STATUS,
        extras: Extras::default(),
    }
}

/// Sends the request of a call and returns the value of the response and its declared headers.
///
/// # Errors
/// Returns the same errors as [`Call::send`].
pub async fn send_with_headers<R: Request, H: ResponseHeaders>(
    call: Call<R>,
) -> Result<(R::Response, H), Error<R::ErrorBody>> {
    let reply = start(call.client, call.request, call.options, None).await?;
    let headers = reply.read_headers();
    match reply.value {
        Some(value) => Ok((value, headers)),
        None => Err(Error::new(R::OPERATION, ErrorKind::Status(StatusError::from_status(reply.status)))),
    }
}
