//! The way of a request to a server and of its answer back. Nothing here is generic: the code is there once,
//! however many operations there are.

mod answer;
mod attempt;
mod batch;
mod download;
mod message;
mod redirect;
mod resumable;
mod secrets;
mod shown;
mod spelling;
mod turns;

pub(crate) use answer::{Answered, retry_after};
pub(crate) use batch::{BATCH, Results, batch};
pub(crate) use download::{Download, download};
pub(crate) use resumable::{Resumable, resumable};

use std::sync::Arc;

use bytes::Bytes;
use http::HeaderName;
use tracing::{Instrument as _, Span};
use wireform_runtime::operation::{Api, Operation};
use wireform_runtime::{RequestError, WireRequest};

use crate::client::Client;
use crate::error::{Error, ErrorKind};
use crate::media::Sent;
use crate::observe::{Watch, span};
use crate::options::CallOptions;
use crate::transport::{BoxFuture, TypedRequest};
use answer::Answer;
use message::Message;
use turns::Turns;

/// Why there is no answer. An error this large would make every result large.
type Failed = Box<ErrorKind<Bytes>>;

/// A request without its type.
pub(crate) struct Outgoing {
    pub(crate) api: &'static Api,
    pub(crate) operation: &'static Operation,
    pub(crate) content_type: &'static str,
    /// The media types that are taken as an answer.
    pub(crate) accept: &'static str,
    pub(crate) wire: Result<WireRequest, RequestError>,
    pub(crate) typed: Option<TypedRequest>,
    pub(crate) options: CallOptions,
    /// The violations for which it is not sent.
    #[cfg(feature = "validation")]
    pub(crate) invalid: Option<Box<wireform_validation::Violations>>,
    /// Whether a success has no body worth reading.
    pub(crate) ignores_body: bool,
    /// What media need.
    pub(crate) beside: Beside,
}

/// What a request has beside what its operation says, for the sake of media.
#[derive(Default)]
pub(crate) struct Beside {
    /// Parameters of the query that are for the client itself to set.
    pub(crate) query: Vec<(&'static str, &'static str)>,
    /// Headers, in the place of those that the request would have.
    pub(crate) headers: Vec<(HeaderName, String)>,
    /// The body, in the place of the one that the request would have.
    pub(crate) media: Option<Arc<Sent>>,
    /// Whether the body of a success is left to be read.
    pub(crate) streams: bool,
    /// Whether sending it twice does no harm, whatever the operation is.
    pub(crate) repeatable: bool,
}

/// An exchange that was not begun, or is under way.
pub(crate) type Exchange<T> = BoxFuture<'static, Result<T, Error<Bytes>>>;

/// Sends a request, again where that is allowed. Nothing happens before the future is polled.
pub(crate) fn dispatch(client: Client, outgoing: Outgoing) -> Exchange<Answered> {
    let span = span(outgoing.operation);
    Box::pin(run(client, outgoing, span.clone()).instrument(span))
}

async fn run(client: Client, outgoing: Outgoing, span: Span) -> Result<Answered, Error<Bytes>> {
    match watched(client, outgoing, span).await {
        (Ok(answer), watch) => Ok(Answered::new(answer, watch)),
        (Err(failed), watch) => Err(watch.failed(*failed)),
    }
}

/// Sends a request, and returns the watch of the call, which knows how much was read whatever came of it.
async fn watched(client: Client, mut outgoing: Outgoing, span: Span) -> (Result<Answer, Failed>, Watch) {
    let mut watch = Watch::new(client.inner.metrics.clone(), outgoing.operation, span);
    #[cfg(feature = "validation")]
    if let Some(violations) = outgoing.invalid.take() {
        return (Err(ErrorKind::Invalid(violations).into()), watch);
    }
    let message = match Message::new(&client.inner, &mut outgoing) {
        Ok(message) => message,
        Err(failed) => return (Err(failed), watch),
    };
    watch.sent(message.length());
    let result = Turns::new(&client.inner, &outgoing, &message).take(&mut watch).await;
    (result, watch)
}
