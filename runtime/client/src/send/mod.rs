//! Exchange of requests and responses. Nothing here is generic, so the code is compiled once, however many operations
//! there are.

mod attempt;
mod batch;
mod credentials;
mod download;
mod message;
mod parameters;
mod redirect;
mod response;
mod resumable;
mod retry_loop;
mod secrets;

pub(crate) use batch::{BATCH, Results, batch};
pub(crate) use download::{Download, download};
pub(crate) use response::{UndecodedResponse, retry_after};
pub(crate) use resumable::{ResumableUpload, upload_resumable};

use std::sync::Arc;

use bytes::Bytes;
use http::HeaderName;
use tracing::{Instrument as _, Span};
use wireform_runtime::operation::{Api, Operation};
use wireform_runtime::{RequestError, WireRequest};

use crate::client::Client;
use crate::error::{Error, ErrorKind};
use crate::media::MediaBody;
use crate::observe::{CallObservation, span};
use crate::options::CallOptions;
use crate::transport::{BoxFuture, TypedRequest};
use message::EncodedRequest;
use response::SuccessResponse;
use retry_loop::RetryLoop;

/// Cause of a failure, boxed so that results stay small.
type SendError = Box<ErrorKind<Bytes>>;

/// Encoded request without its type.
pub(crate) struct OutgoingRequest {
    pub(crate) api: &'static Api,
    pub(crate) operation: &'static Operation,
    pub(crate) content_type: &'static str,
    /// Media types that are accepted.
    pub(crate) accept: &'static str,
    pub(crate) wire: Result<WireRequest, RequestError>,
    pub(crate) typed: Option<TypedRequest>,
    pub(crate) options: CallOptions,
    /// Violations because of which it is not sent.
    #[cfg(feature = "validation")]
    pub(crate) invalid: Option<Box<wireform_validation::Violations>>,
    /// True if the body of a success is ignored.
    pub(crate) ignores_body: bool,
    /// URL of the server, if it is not that of the client.
    pub(crate) root_url: Option<&'static str>,
    /// Statuses of redirections that are not followed.
    pub(crate) redirects: &'static [u16],
    /// True if such a redirection is a success.
    pub(crate) accepts_redirects: bool,
    /// True if the body of such a redirection is read.
    pub(crate) reads_redirects: bool,
    /// Extensions for media.
    pub(crate) extras: Extras,
}

impl OutgoingRequest {
    /// Returns the statuses of redirections that are successes.
    fn accepted_redirects(&self) -> &'static [u16] {
        if self.accepts_redirects { self.redirects } else { &[] }
    }
}

/// Additions to a request for the sake of media.
#[derive(Default)]
pub(crate) struct Extras {
    /// Query parameters that the client itself sets.
    pub(crate) query: Vec<(&'static str, &'static str)>,
    /// Headers that replace those of the request.
    pub(crate) headers: Vec<(HeaderName, String)>,
    /// Body that replaces that of the request.
    pub(crate) media: Option<Arc<MediaBody>>,
    /// True if the body of a success is left to be read as a stream.
    pub(crate) streams: bool,
    /// True if a retry is harmless, whatever the operation is.
    pub(crate) repeatable: bool,
}

/// Future of an exchange.
pub(crate) type Exchange<T> = BoxFuture<'static, Result<T, Error<Bytes>>>;

/// Sends a request, with retries where they are allowed. Nothing happens before the future is polled.
pub(crate) fn dispatch(client: Client, mut outgoing: OutgoingRequest) -> Exchange<UndecodedResponse> {
    let span = span(outgoing.operation);
    let call_span = span.clone();
    // A block, because a function would store its large arguments twice.
    let exchange = async move {
        match send_observed(&client, &mut outgoing, call_span).await {
            (Ok(response), watch) => Ok(UndecodedResponse::new(response, watch)),
            (Err(failed), watch) => Err(watch.fail(*failed)),
        }
    };
    Box::pin(exchange.instrument(span))
}

/// Sends a request. Returns the observation of the call as well, which counts the bytes that were read.
async fn send_observed(
    client: &Client,
    outgoing: &mut OutgoingRequest,
    span: Span,
) -> (Result<SuccessResponse, SendError>, CallObservation) {
    let mut watch = CallObservation::new(client.inner.metrics.clone(), outgoing.operation, span);
    #[cfg(feature = "validation")]
    if let Some(violations) = outgoing.invalid.take() {
        return (Err(ErrorKind::Invalid(violations).into()), watch);
    }
    let message = match EncodedRequest::new(&client.inner, outgoing) {
        Ok(message) => message,
        Err(failed) => return (Err(failed), watch),
    };
    watch.record_sent(message.length());
    let result = RetryLoop::new(&client.inner, outgoing, &message).run(&mut watch).await;
    (result, watch)
}
