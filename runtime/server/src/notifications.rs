//! Notifications on watch channels: a service sends them, and a client with a webhook receives them.
//!
//! A service stores channels, the number of the last notification of each, and the notifications still to be sent; this
//! module creates the requests and interprets their outcome.
//!
//! ```
//! # use wireform_server::notifications::{Delivery, Notification, WatchRequest, send};
//! # async fn notify<W: WatchRequest>(channel: W::Channel, number: u64, state: W::State) {
//! # let names = wireform_server::wireform_runtime::Naming::Specification;
//! let Some(notification) = Notification::<W>::new(&channel, number, state) else { return };
//! // `post` is any HTTP client. It resolves names itself, and connects only to addresses that `is_public` allows.
//! # async fn post(_: wireform_server::axum::http::Request<wireform_server::axum::body::Body>) -> Result<u16, ()> { Ok(204) }
//! match send(&channel, &notification, names, post).await {
//!     Delivery::Delivered => println!("done"),
//!     Delivery::Retry => println!("retry later, with backoff"),
//!     Delivery::Failed => println!("drop the notification"),
//!     Delivery::Stop => println!("remove the channel"),
//! }
//! # }
//! ```

mod public_address;

#[cfg(test)]
mod tests;

pub use public_address::is_public;
pub use wireform_runtime::watch::{
    ChannelInfo, Notification, NotificationError, NotificationHeaders, NotificationReceiver, ResourceState,
    WatchRequest,
};

use std::fmt;

use axum::body::Body;
use axum::extract::{FromRef, FromRequestParts};
use axum::response::{IntoResponse, Response};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, StatusCode, Uri, header};
use wireform_runtime::Naming;

/// Outcome of delivering a notification: delivered, to be retried, rejected, or no more may be sent to the channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// The notification was delivered.
    Delivered,
    /// The delivery failed temporarily: the connection failed, or the receiver requests a retry.
    Retry,
    /// The receiver rejected the notification.
    Failed,
    /// The receiver is gone (410) or does not know the channel (404), or the channel cannot be notified at all: send no
    /// more notifications.
    Stop,
}

impl Delivery {
    /// Returns the outcome for the status of a response.
    #[must_use]
    pub const fn of(status: u16) -> Self {
        match status {
            200..=299 => Self::Delivered,
            404 | 410 => Self::Stop,
            408 | 429 | 500 | 502..=504 => Self::Retry,
            _ => Self::Failed,
        }
    }
}

/// Sends a notification: `post` sends the request and returns the status of the response.
pub async fn send<W: WatchRequest, E>(
    channel: &W::Channel,
    notification: &Notification<W>,
    names: Naming,
    post: impl AsyncFnOnce(Request<Body>) -> Result<u16, E>,
) -> Delivery {
    let Ok(request) = request(channel, notification, names) else { return Delivery::Stop };
    match post(request).await {
        Ok(status) => Delivery::of(status),
        Err(_) => Delivery::Retry,
    }
}

/// Error of sending a notification. It shows no values of the channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SendError {
    /// The channel has no valid URL: an `http` or `https` one without credentials.
    InvalidUrl,
    /// A value of the channel is not allowed in this header.
    InvalidHeader(&'static str),
}

impl fmt::Display for SendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InvalidUrl => {
                f.write_str("invalid URL of the channel: expected an `http` or `https` URL without credentials")
            }
            Self::InvalidHeader(name) => write!(f, "invalid value of the header `{name}`"),
        }
    }
}

impl std::error::Error for SendError {}

/// Creates the request that delivers a notification.
///
/// # Errors
/// Returns an error if the channel cannot be notified; a service can check that when the channel is opened.
pub fn request<W: WatchRequest>(
    channel: &W::Channel,
    notification: &Notification<W>,
    names: Naming,
) -> Result<Request<Body>, SendError> {
    let mut request = Request::new(Body::empty());
    *request.method_mut() = Method::POST;
    *request.uri_mut() =
        parse_url(W::channel_info(channel).address.unwrap_or_default()).ok_or(SendError::InvalidUrl)?;
    let headers = request.headers_mut();
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from_static("0"));
    let mut refused = None;
    notification.write_headers(names, |name, value| {
        match (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_str(value)) {
            (Ok(key), Ok(value)) => drop(headers.insert(key, value)),
            _ => refused = Some(name),
        }
    });
    match refused {
        None => Ok(request),
        Some(name) => Err(SendError::InvalidHeader(name)),
    }
}

/// Parses an absolute `http` or `https` URL with a host and without user information.
fn parse_url(text: &str) -> Option<Uri> {
    let uri: Uri = text.parse().ok()?;
    let authority = uri.authority()?;
    let is_web = matches!(uri.scheme_str(), Some("http" | "https"));
    (is_web && !authority.as_str().contains('@') && !authority.host().is_empty()).then_some(uri)
}

/// Parses a notification from the headers of a request.
///
/// # Errors
/// Returns an error if a header is missing or malformed, where a repeated header counts as missing; if the channel is
/// unknown; or if the token is missing or wrong.
pub fn receive<W: WatchRequest>(
    receiver: &NotificationReceiver<W>,
    headers: &HeaderMap,
) -> Result<Notification<W>, NotificationError> {
    receiver.receive(|name| {
        let mut values = headers.get_all(name).iter();
        let value = values.next()?;
        values.next().is_none().then(|| value.as_bytes())
    })
}

/// Extractor of a verified notification, for axum handlers whose state has a [`NotificationReceiver`]. Other requests
/// are refused before the handler is called.
///
/// ```
/// use wireform_server::axum::{Router, routing::post};
/// use wireform_server::notifications::{VerifiedNotification, NotificationReceiver, WatchRequest};
///
/// fn routes<W: WatchRequest>(receiver: NotificationReceiver<W>) -> Router {
///     let handler = |VerifiedNotification(notification): VerifiedNotification<W>| async move { println!("{notification:?}") };
///     Router::new().route("/notifications", post(handler)).with_state(receiver)
/// }
/// ```
#[derive(Debug)]
pub struct VerifiedNotification<W: WatchRequest>(pub Notification<W>);

impl<W: WatchRequest, S: Send + Sync> FromRequestParts<S> for VerifiedNotification<W>
where
    NotificationReceiver<W>: FromRef<S>,
{
    type Rejection = NotificationRejection;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, NotificationRejection> {
        receive(&NotificationReceiver::from_ref(state), &parts.headers).map(Self).map_err(NotificationRejection)
    }
}

/// Rejection of a request that is not a valid notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotificationRejection(pub NotificationError);

impl IntoResponse for NotificationRejection {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.0.status()).unwrap_or(StatusCode::BAD_REQUEST);
        (status, self.0.to_string()).into_response()
    }
}
