//! Verification of notifications.

use std::collections::HashMap;
use std::fmt;
use std::hint::black_box;
use std::marker::PhantomData;
use std::sync::{Arc, PoisonError, RwLock};

use super::{Notification, WatchRequest, time};
use crate::OpenEnum as _;

/// Maximum length of a header in bytes.
const MAX_LENGTH: usize = 8192;

/// Receiver of the notifications of channels that the request `W` has opened. It accepts a notification only if its
/// channel is known and has the same token; a channel without a token accepts any. Anyone can send a request to the URL
/// of a channel: give each channel a token that cannot be guessed.
///
/// Clones share their channels. The URL must use https, since tokens are transmitted in clear text.
pub struct NotificationReceiver<W> {
    /// Tokens by channel id.
    channels: Arc<RwLock<HashMap<String, Option<String>>>>,
    of: PhantomData<fn() -> W>,
}

impl<W: WatchRequest> NotificationReceiver<W> {
    /// Creates a receiver without channels, which accepts no notification.
    #[must_use]
    pub fn new() -> Self {
        Self { channels: Arc::default(), of: PhantomData }
    }

    /// Adds a channel, as it was requested or as it was opened. One without an id is ignored.
    #[must_use]
    pub fn with_channel(self, channel: &W::Channel) -> Self {
        self.add(channel);
        self
    }

    /// Adds a channel, and replaces one with the same id. Returns whether the channel has an id.
    pub fn add(&self, channel: &W::Channel) -> bool {
        let info = W::channel_info(channel);
        let Some(id) = info.id else { return false };
        let mut channels = self.channels.write().unwrap_or_else(PoisonError::into_inner);
        channels.insert(id.to_owned(), info.token.map(str::to_owned));
        true
    }

    /// Removes a channel that was stopped or has expired.
    pub fn remove(&self, id: &str) {
        self.channels.write().unwrap_or_else(PoisonError::into_inner).remove(id);
    }

    /// Reads and verifies a notification: `header` returns the value of a header.
    ///
    /// # Errors
    /// Returns an error if a header is missing or malformed, the channel is unknown, or the token is not that of the
    /// channel.
    pub fn receive<'h>(&self, header: impl Fn(&str) -> Option<&'h [u8]>) -> Result<Notification<W>, NotificationError> {
        let names = W::HEADERS;
        let text = |name: &'static str| match header(name) {
            None => Ok(None),
            Some(value) if value.len() > MAX_LENGTH => Err(NotificationError::Malformed(name)),
            Some(value) => std::str::from_utf8(value).map(Some).map_err(|_| NotificationError::Malformed(name)),
        };
        let required = |name: &'static str| text(name)?.ok_or(NotificationError::Missing(name));
        let id = required(names.id)?;
        self.verify(id, header(names.token))?;
        let number = required(names.number)?.parse().map_err(|_| NotificationError::Malformed(names.number))?;
        let expiration = text(names.expiration)?
            .map(|text| time::parse(text).ok_or(NotificationError::Malformed(names.expiration)))
            .transpose()?;
        Ok(Notification {
            channel_id: id.to_owned(),
            number,
            state: W::State::from_text(required(names.state)?),
            expiration,
            resource_id: text(names.resource_id)?.map(str::to_owned),
            resource_uri: text(names.resource_uri)?.map(str::to_owned),
            token: None,
        })
    }

    /// Compares a token with that of the channel in constant time.
    fn verify(&self, id: &str, token: Option<&[u8]>) -> Result<(), NotificationError> {
        let channels = self.channels.read().unwrap_or_else(PoisonError::into_inner);
        let Some(known) = channels.get(id) else { return Err(NotificationError::UnknownChannel) };
        match known {
            None => Ok(()),
            Some(known) if token.is_some_and(|token| constant_time_eq(known.as_bytes(), token)) => Ok(()),
            Some(_) => Err(NotificationError::WrongToken),
        }
    }
}

/// Compares two texts in constant time. Their lengths are not secret.
fn constant_time_eq(one: &[u8], other: &[u8]) -> bool {
    let differ = one.iter().zip(other).fold(0, |differ, (one, other)| black_box(differ | (one ^ other)));
    one.len() == other.len() && black_box(differ) == 0
}

impl<W: WatchRequest> Default for NotificationReceiver<W> {
    fn default() -> Self {
        Self::new()
    }
}

impl<W> Clone for NotificationReceiver<W> {
    fn clone(&self) -> Self {
        Self { channels: Arc::clone(&self.channels), of: PhantomData }
    }
}

/// Omits the tokens.
impl<W> fmt::Debug for NotificationReceiver<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let channels = self.channels.read().unwrap_or_else(PoisonError::into_inner);
        f.debug_struct("NotificationReceiver").field("channels", &channels.len()).finish()
    }
}

/// Error of receiving a notification. It repeats nothing of the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotificationError {
    /// A header is missing.
    Missing(&'static str),
    /// A header is malformed.
    Malformed(&'static str),
    /// The channel is unknown.
    UnknownChannel,
    /// The token is missing, or not that of the channel.
    WrongToken,
}

impl NotificationError {
    /// Returns the status of the response: 400 for a missing or malformed header, 403 for a wrong token (the
    /// notification is dropped), 404 for an unknown channel (a server may stop sending).
    #[must_use]
    pub const fn status(self) -> u16 {
        match self {
            Self::Missing(_) | Self::Malformed(_) => 400,
            Self::WrongToken => 403,
            Self::UnknownChannel => 404,
        }
    }
}

impl fmt::Display for NotificationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(name) => write!(f, "missing header `{name}` of the notification"),
            Self::Malformed(name) => write!(f, "malformed header `{name}` of the notification"),
            Self::UnknownChannel => f.write_str("unknown channel of the notification"),
            Self::WrongToken => f.write_str("the token of the notification differs from that of its channel"),
        }
    }
}

impl std::error::Error for NotificationError {}
