//! Futures of calls, and the decoding of responses.

use std::fmt;
use std::future::poll_fn;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use wireform_runtime::etag::ETag;
use wireform_runtime::json::DecodeError;
use wireform_runtime::{Request, WireBody, xml};

use crate::client::Client;
use crate::error::{Error, ErrorKind, StatusError};
use crate::reply::{RawReply, Reply};
use crate::send::{Exchange, UndecodedResponse};

/// Creates the future of a call whose exchange `dispatch` starts.
pub(crate) fn reply_future<R: Request>(
    client: Client,
    dispatch: impl FnOnce(Client) -> Exchange<UndecodedResponse>,
) -> ReplyFuture<R> {
    #[cfg(feature = "validation")]
    let validation = client.inner.validation.as_ref().filter(|validation| validation.observes_responses()).cloned();
    ReplyFuture {
        exchange: dispatch(client),
        #[cfg(feature = "validation")]
        validation: validation.filter(|_| !R::Response::IS_RAW),
        request: PhantomData,
    }
}

/// Future of a call that resolves to its response. The request is sent when it is first polled, and aborted when it is
/// dropped.
#[must_use = "nothing is sent before this is awaited"]
pub struct ReplyFuture<R: Request> {
    exchange: Exchange<UndecodedResponse>,
    /// Observer of responses that do not match the schema.
    #[cfg(feature = "validation")]
    validation: Option<crate::validation::Validation>,
    request: PhantomData<fn() -> R>,
}

impl<R: Request> Future for ReplyFuture<R> {
    type Output = Result<Reply<R::Response>, Error<R::ErrorBody>>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.poll_response(context).map(decode_reply::<R>)
    }
}

impl<R: Request> ReplyFuture<R> {
    /// Polls the exchange, and passes the response to the observer.
    fn poll_response(&mut self, context: &mut Context<'_>) -> Poll<Result<UndecodedResponse, Error<Bytes>>> {
        let response = ready!(crate::background::poll_in_runtime(R::OPERATION, &mut self.exchange, context));
        #[cfg(feature = "validation")]
        if let (Some(validation), Ok(response)) = (&self.validation, &response)
            && let Some(body) = response.body()
            && !is_absent_body::<R>(response.status(), body)
            && !R::RESPONSE_XML.is_some_and(|root| root.is_xml(response.content_type()))
        {
            validation.check_response(R::OPERATION, body);
        }
        Poll::Ready(response)
    }

    /// Returns the response without decoding it.
    pub(crate) async fn into_raw(mut self) -> Result<RawReply, Error<R::ErrorBody>> {
        // The body may be anything.
        #[cfg(feature = "validation")]
        {
            self.validation = None;
        }
        let response = poll_fn(|context| self.poll_response(context)).await;
        response.map(UndecodedResponse::into_raw).map_err(decode_error::<R>)
    }

    /// Returns the future of the value alone.
    pub(crate) fn into_value_future(self) -> SendFuture<R> {
        SendFuture(self)
    }
}

/// Decodes a response.
pub(crate) fn decode_reply<R: Request>(
    response: Result<UndecodedResponse, Error<Bytes>>,
) -> Result<Reply<R::Response>, Error<R::ErrorBody>> {
    response.and_then(decode_success::<R>).map_err(decode_error::<R>)
}

/// Decodes the body of an error.
fn decode_error<R: Request>(error: Error<Bytes>) -> Error<R::ErrorBody> {
    error.map_body(|body| WireBody::decode(&body).ok())
}

/// Returns whether the operation's response is an absent body. That of a redirection is a text for people.
fn is_absent_body<R: Request>(status: u16, body: &[u8]) -> bool {
    R::NO_BODY_STATUS.is_some() && (body.is_empty() || R::REDIRECTS.contains(&status))
}

/// Decodes the body of a successful response, from XML if its content type says so.
fn decode_value<R: Request>(status: u16, body: &[u8], content_type: Option<&str>) -> Result<R::Response, DecodeError> {
    match R::RESPONSE_XML {
        Some(root) if root.is_xml(content_type) => {
            R::Response::decode(&root.to_json(body, xml::RESPONSE_LIMITS)?).map_err(DecodeError::without_position)
        }
        _ => R::Response::decode_with_status(status, body, content_type),
    }
}

/// Decodes a successful response. The value is `None` if there is no body to decode.
fn decode_success<R: Request>(response: UndecodedResponse) -> Result<Reply<R::Response>, Error<Bytes>> {
    let value = match response.body() {
        // `None` is `null` in JSON.
        Some(body) if is_absent_body::<R>(response.status(), body) => R::Response::decode(b"null").ok(),
        Some(body) => match decode_value::<R>(response.status(), body, response.content_type()) {
            Ok(value) => Some(value),
            Err(error) => return Err(response.into_decode_error(error)),
        },
        None => None,
    };
    let member = value.as_ref().and_then(R::etag).and_then(|tag| ETag::parse_lenient(tag).ok());
    let (status, etag, headers) = response.into_parts(member);
    Ok(Reply { status, etag, value, headers })
}

/// Decodes the value of a response. Each value is moved as rarely as possible, since it is large.
fn decode_value_of<R: Request>(response: UndecodedResponse) -> Result<R::Response, Error<R::ErrorBody>> {
    let decoded = match response.body() {
        // `None` is `null` in JSON.
        Some(body) if is_absent_body::<R>(response.status(), body) => match R::Response::decode(b"null") {
            Ok(value) => Ok(value),
            Err(_) => return Err(no_value::<R>(response)),
        },
        Some(body) => decode_value::<R>(response.status(), body, response.content_type()),
        None => return Err(no_value::<R>(response)),
    };
    match decoded {
        Ok(value) => {
            response.succeed();
            Ok(value)
        }
        Err(error) => Err(decode_error::<R>(response.into_decode_error(error))),
    }
}

/// Returns the error of a response without a value. Callers that set a condition use `perform`.
#[cold]
fn no_value<R: Request>(response: UndecodedResponse) -> Error<R::ErrorBody> {
    let status = response.succeed();
    Error::new(R::OPERATION, ErrorKind::Status(StatusError::from_status(status)))
}

/// Future of a call that resolves to its value. The request is sent when it is first polled, and aborted when it is
/// dropped.
#[must_use = "nothing is sent before this is awaited"]
pub struct SendFuture<R: Request>(ReplyFuture<R>);

impl<R: Request> Future for SendFuture<R> {
    type Output = Result<R::Response, Error<R::ErrorBody>>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match ready!(self.0.poll_response(context)) {
            Ok(response) => Poll::Ready(decode_value_of::<R>(response)),
            Err(error) => Poll::Ready(Err(decode_error::<R>(error))),
        }
    }
}

impl<R: Request> fmt::Debug for ReplyFuture<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ReplyFuture").field(&R::OPERATION.name).finish()
    }
}

impl<R: Request> fmt::Debug for SendFuture<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SendFuture").field(&R::OPERATION.name).finish()
    }
}
