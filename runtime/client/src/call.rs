//! A call of an operation.

mod format;
mod performing;

use std::any::Any;
use std::fmt;

use http::HeaderMap;
use wireform_runtime::etag::ETag;
use wireform_runtime::fields::Selection;
use wireform_runtime::operation::Role;
use wireform_runtime::{Answer as _, AnswerHeaders, Request, RequestError, WireRequest};

use crate::client::Client;
use crate::error::{Error, ErrorKind, StatusError};
use crate::options::CallOptions;
use crate::send::{Beside, Outgoing, dispatch};
use crate::transport::TypedRequest;

pub use format::{FormatCall, SendingFormat};
pub use performing::{Performing, Sending};
pub(crate) use performing::{performing, typed};

/// A call of an operation: what is sent, and how.
pub struct Call<R: Request> {
    client: Client,
    request: R,
    options: CallOptions,
}

/// An answer that is no error.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reply<T> {
    /// The status.
    pub status: u16,
    /// The entity tag: the one in the value, otherwise the one in the header.
    pub etag: Option<ETag>,
    /// The value; nothing where it has not changed from what the condition of the call names.
    pub value: Option<T>,
    /// The headers.
    pub headers: HeaderMap,
}

impl<T> Reply<T> {
    /// The headers that the operation declares, as values of their types.
    #[must_use]
    pub fn read_headers<H: AnswerHeaders>(&self) -> H {
        read_headers(&self.headers)
    }
}

/// Reads the headers that a schema declares.
pub(crate) fn read_headers<H: AnswerHeaders>(headers: &HeaderMap) -> H {
    let lines = |name: &str| {
        let values = headers.get_all(name).iter();
        values.filter_map(|value| value.to_str().ok()).map(str::to_owned).collect()
    };
    H::read(&lines)
}

impl Client {
    /// Begins a call: nothing is sent yet. The request must be one of the client's API.
    #[must_use]
    pub fn call<R: Request>(&self, request: R) -> Call<R> {
        Call::new(self.clone(), request)
    }
}

impl<R: Request> Call<R> {
    pub(crate) fn new(client: Client, request: R) -> Self {
        Self { client, request, options: CallOptions::default() }
    }

    pub(crate) fn into_parts(self) -> (Client, R, CallOptions) {
        (self.client, self.request, self.options)
    }

    /// What is sent.
    #[must_use]
    pub fn request(&self) -> &R {
        &self.request
    }

    /// What is sent, to change it.
    pub fn request_mut(&mut self) -> &mut R {
        &mut self.request
    }

    /// The client.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// How it is sent.
    #[must_use]
    pub fn options(&self) -> &CallOptions {
        &self.options
    }

    /// How it is sent, to change it.
    pub fn options_mut(&mut self) -> &mut CallOptions {
        &mut self.options
    }

    /// Sets a parameter that every operation of the API takes, by its name in the schema.
    pub fn set_parameter(&mut self, name: &'static str, value: impl Into<String>) {
        self.options.set_parameter(R::API, name, value);
    }

    /// Sets the parameter of the API that has a role, which the schema calls `word`.
    fn set_role(&mut self, role: Role, word: &'static str, value: &str) {
        // Without such a parameter the call fails with that word when it is sent.
        let name = R::API.parameter(role).map_or(word, |parameter| parameter.name.name);
        self.options.set_parameter(R::API, name, value);
    }

    /// Sets the user on whose account the server counts the request.
    pub fn set_quota_user(&mut self, user: &str) {
        self.set_role(Role::QuotaUser, "quota_user", user);
    }

    /// Asks for an answer with line breaks and indentation.
    pub fn set_pretty_print(&mut self) {
        self.set_role(Role::PrettyPrint, "pretty_print", "true");
    }

    /// Asks for some members of the answer only.
    pub fn select(&mut self, fields: Selection<R::Response>) {
        self.options.fields = Some(fields.to_string());
    }

    /// Asks for one of the alternatives that the operation answers, of these media types; `take` takes it from the answer.
    pub fn format<T>(mut self, accept: &'static str, take: fn(R::Response) -> Option<T>) -> FormatCall<R, T> {
        self.options.accept = Some(accept.to_owned());
        FormatCall { call: self, accept, take }
    }

    /// The request without its type.
    pub(crate) fn into_outgoing(self) -> Outgoing {
        let names = self.client.names();
        outgoing(&self.client, self.request, self.options, None, &|request| request.to_wire(names))
    }

    /// Sends the request, and gives the value of the answer.
    pub fn send(self) -> Sending<R> {
        begin(self.client, self.request, self.options, None).value()
    }

    /// The same, where it is known what is stored: rules about changes are checked too.
    pub(crate) fn send_over(self, stored: &dyn Any) -> Sending<R> {
        begin(self.client, self.request, self.options, Some(stored)).value()
    }

    /// Sends the request, and gives the answer. A request that lacks an identifier gets a new one each time.
    pub fn perform(&self) -> Performing<R> {
        begin(self.client.clone(), self.request.clone(), self.options.clone(), None)
    }

    /// Sends the request, and waits for the value of the answer.
    ///
    /// # Errors
    /// Those of [`send`](Self::send).
    #[cfg(all(feature = "blocking", not(target_arch = "wasm32")))]
    pub fn send_blocking(self) -> Result<R::Response, Error<R::ErrorBody>> {
        crate::blocking::block_on(self.send())
            .unwrap_or_else(|error| Err(Error::new(R::OPERATION, ErrorKind::Connection(error))))
    }
}

/// A call that is awaited is sent: `.await` does what `.send().await` does.
impl<R: Request> IntoFuture for Call<R> {
    type Output = Result<R::Response, Error<R::ErrorBody>>;
    type IntoFuture = Sending<R>;

    fn into_future(self) -> Sending<R> {
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

fn begin<R: Request>(client: Client, request: R, options: CallOptions, stored: Option<&dyn Any>) -> Performing<R> {
    let names = client.names();
    let outgoing = outgoing(&client, request, options, stored, &|request| request.to_wire(names));
    performing(client, |client| dispatch(client, outgoing))
}

/// The request without its type; `write` writes it.
pub(crate) fn outgoing<R: Request>(
    client: &Client,
    mut request: R,
    options: CallOptions,
    stored: Option<&dyn Any>,
    write: &dyn Fn(&R) -> Result<WireRequest, RequestError>,
) -> Outgoing {
    if !options.keep_output_only.unwrap_or(client.inner.keep_output_only) {
        request.prepare();
    }
    request.fill(&mut || (client.inner.new_id)());
    #[cfg(feature = "validation")]
    let invalid = client
        .inner
        .validation
        .as_ref()
        .and_then(|validation| validation.check(R::OPERATION, (options.tier, client.names()), &request, stored));
    #[cfg(not(feature = "validation"))]
    let _ = stored;
    let wire = write(&request);
    let typed = client.inner.transport.wants_typed().then(|| TypedRequest::new(request));
    Outgoing {
        api: R::API,
        operation: R::OPERATION,
        content_type: R::CONTENT_TYPE,
        accept: R::ACCEPT,
        wire,
        typed,
        options,
        #[cfg(feature = "validation")]
        invalid,
        ignores_body: R::Response::EMPTY,
        beside: Beside::default(),
    }
}

/// Sends the request of a call, and gives the value of the answer and the headers beside it.
///
/// # Errors
/// Those of [`Call::send`].
pub async fn send_with_headers<R: Request, H: AnswerHeaders>(
    call: Call<R>,
) -> Result<(R::Response, H), Error<R::ErrorBody>> {
    let reply = begin(call.client, call.request, call.options, None).await?;
    let headers = reply.read_headers();
    match reply.value {
        Some(value) => Ok((value, headers)),
        None => Err(Error::new(R::OPERATION, ErrorKind::Status(StatusError::bare(reply.status)))),
    }
}
