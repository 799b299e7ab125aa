//! Futures of calls, and the decoding of responses.

use std::fmt;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use wireform_runtime::etag::ETag;
use wireform_runtime::json::DecodeError;
use wireform_runtime::{Answer, Request, xml};

use super::Reply;
use crate::client::Client;
use crate::error::{Error, ErrorKind, StatusError};
use crate::send::{Exchange, UndecodedResponse};

/// Creates the future of a call whose exchange `dispatch` starts.
pub(crate) fn performing<R: Request>(
    client: Client,
    dispatch: impl FnOnce(Client) -> Exchange<UndecodedResponse>,
) -> Performing<R> {
    #[cfg(feature = "validation")]
    let validation = client.inner.validation.as_ref().filter(|validation| validation.wants_answers()).cloned();
    Performing {
        exchange: dispatch(client),
        #[cfg(feature = "validation")]
        validation: validation.filter(|_| !R::Response::RAW),
        request: PhantomData,
    }
}

/// Future of a call that resolves to its response. The request is sent when it is first polled, and aborted when it is
/// dropped.
#[must_use = "nothing is sent before this is awaited"]
pub struct Performing<R: Request> {
    exchange: Exchange<UndecodedResponse>,
    /// Observer of responses that do not match the schema.
    #[cfg(feature = "validation")]
    validation: Option<crate::validation::Validation>,
    request: PhantomData<fn() -> R>,
}

impl<R: Request> Future for Performing<R> {
    type Output = Result<Reply<R::Response>, Error<R::ErrorBody>>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let answered = ready!(crate::background::poll_in_runtime(R::OPERATION, &mut self.exchange, context));
        #[cfg(feature = "validation")]
        if let (Some(validation), Ok(answered)) = (&self.validation, &answered)
            && let Some(body) = answered.body()
            && !is_absent::<R>(body)
            && !R::XML.is_some_and(|root| root.is_xml(answered.content_type()))
        {
            validation.observe(R::OPERATION, body);
        }
        Poll::Ready(typed::<R>(answered))
    }
}

/// Decodes a response.
pub(crate) fn typed<R: Request>(
    answered: Result<UndecodedResponse, Error<Bytes>>,
) -> Result<Reply<R::Response>, Error<R::ErrorBody>> {
    answered.and_then(decoded::<R>).map_err(|error| error.map_body(|body| Answer::decode(&body).ok()))
}

/// Returns whether the operation's response is an absent body.
fn is_absent<R: Request>(body: &[u8]) -> bool {
    R::BODILESS.is_some() && body.is_empty()
}

fn decode<R: Request>(body: &[u8], content_type: Option<&str>) -> Result<R::Response, DecodeError> {
    match R::XML {
        Some(root) if root.is_xml(content_type) => {
            R::Response::decode(&root.to_json(body, xml::ANSWER)?).map_err(DecodeError::without_place)
        }
        _ => R::Response::decode_as(body, content_type),
    }
}

fn decoded<R: Request>(answered: UndecodedResponse) -> Result<Reply<R::Response>, Error<Bytes>> {
    let value = match answered.body() {
        // `None` is `null` in JSON.
        Some(body) if is_absent::<R>(body) => R::Response::decode(b"null").ok(),
        Some(body) => match decode::<R>(body, answered.content_type()) {
            Ok(value) => Some(value),
            Err(error) => return Err(answered.undecodable(error)),
        },
        None => None,
    };
    let member = value.as_ref().and_then(R::etag).and_then(|tag| ETag::lenient(tag).ok());
    let (status, etag, headers) = answered.finish(member);
    Ok(Reply { status, etag, value, headers })
}

/// Future of a call that resolves to its value. The request is sent when it is first polled, and aborted when it is
/// dropped.
#[must_use = "nothing is sent before this is awaited"]
pub struct Sending<R: Request>(Performing<R>);

impl<R: Request> Future for Sending<R> {
    type Output = Result<R::Response, Error<R::ErrorBody>>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let reply = ready!(Pin::new(&mut self.0).poll(context))?;
        // Callers that set a condition use `perform`.
        let unchanged = || Error::new(R::OPERATION, ErrorKind::Status(StatusError::bare(reply.status)));
        Poll::Ready(reply.value.ok_or_else(unchanged))
    }
}

impl<R: Request> Performing<R> {
    /// Returns the future of the value alone.
    pub(crate) fn value(self) -> Sending<R> {
        Sending(self)
    }
}

impl<R: Request> fmt::Debug for Performing<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Performing").field(&R::OPERATION.name).finish()
    }
}

impl<R: Request> fmt::Debug for Sending<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Sending").field(&R::OPERATION.name).finish()
    }
}
