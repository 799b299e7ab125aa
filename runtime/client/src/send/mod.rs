//! The way of a request to a server and of its answer back. Nothing here is generic: the code is there once,
//! however many operations there are.

mod answer;
mod attempt;
mod message;
mod redirect;
mod secrets;
mod shown;
mod turns;

pub(crate) use answer::Answered;
pub(crate) use message::RESERVED;

use bytes::Bytes;
use tracing::{Instrument as _, Span};
use wireform_runtime::operation::{Api, Operation};
use wireform_runtime::{RequestError, WireRequest};

use crate::call::CallOptions;
use crate::client::Client;
use crate::error::{Error, ErrorKind};
use crate::observe::{Watch, span};
use crate::transport::{BoxFuture, TypedRequest};
use message::Message;
use turns::Turns;

/// Why there is no answer. An error this large would make every result large.
type Failed = Box<ErrorKind<Bytes>>;

/// A request without its type.
pub(crate) struct Outgoing {
    pub(crate) api: &'static Api,
    pub(crate) operation: &'static Operation,
    pub(crate) content_type: &'static str,
    pub(crate) wire: Result<WireRequest, RequestError>,
    pub(crate) typed: Option<TypedRequest>,
    pub(crate) options: CallOptions,
    /// The violations for which it is not sent.
    #[cfg(feature = "validation")]
    pub(crate) invalid: Option<Box<wireform_validation::Violations>>,
    /// Whether a success has no body worth reading.
    pub(crate) ignores_body: bool,
}

/// Sends a request, again where that is allowed. Nothing happens before the future is polled.
pub(crate) fn dispatch(client: Client, outgoing: Outgoing) -> BoxFuture<'static, Result<Answered, Error<Bytes>>> {
    let span = span(outgoing.operation);
    Box::pin(run(client, outgoing, span.clone()).instrument(span))
}

async fn run(client: Client, mut outgoing: Outgoing, span: Span) -> Result<Answered, Error<Bytes>> {
    let mut watch = Watch::new(client.inner.metrics.clone(), outgoing.operation, span);
    #[cfg(feature = "validation")]
    if let Some(violations) = outgoing.invalid.take() {
        return Err(watch.failed(ErrorKind::Invalid(violations)));
    }
    let message = match Message::new(&client.inner, &mut outgoing) {
        Ok(message) => message,
        Err(failed) => return Err(watch.failed(*failed)),
    };
    watch.sent(message.length());
    match Turns::new(&client.inner, &outgoing, &message).take(&mut watch).await {
        Ok(answer) => Ok(Answered::new(answer, watch)),
        Err(failed) => Err(watch.failed(*failed)),
    }
}
