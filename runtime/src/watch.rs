//! Watch channels: the notifications that a server sends, and their verification by a client.
//!
//! A notification is a POST with an empty body and all data in its headers. Generated code implements [`Watches`] for
//! the request of each operation that opens a channel; a server writes a [`Notification`], and a client reads it with a
//! [`Receiver`].

mod headers;
mod receiver;
mod time;

#[cfg(test)]
mod tests;

pub use headers::WatchHeaders;
pub use receiver::{NotificationError, Receiver};

use std::fmt;

use crate::Request;
use crate::names::Names;

crate::open_enum! {
    ResourceState "ResourceState" {
        0 Sync "sync",
        1 Exists "exists",
        2 NotExists "not_exists",
    }
}

/// Reason of a notification, if the schema defines no enum for it.
#[non_exhaustive]
pub enum ResourceState {
    /// The channel has been opened.
    Sync,
    /// The resource has changed.
    Exists,
    /// The resource has been deleted.
    NotExists,
    /// Value that this version does not know.
    Unknown(crate::UnknownValue<Self>),
}

/// Request that opens a channel.
pub trait Watches: Request {
    /// Type of the channel, which is the body of the request and of its response.
    type Channel;

    /// Type of the reason of a notification.
    type State: crate::OpenEnum + fmt::Debug + Send + Sync;

    /// Names of the headers of a notification.
    const HEADERS: WatchHeaders;

    /// Returns the properties of a channel for its notifications.
    fn channel(channel: &Self::Channel) -> ChannelFacts<'_>;
}

/// Properties of a channel for its notifications. They include a secret: the token.
#[derive(Clone, Copy, Default)]
pub struct ChannelFacts<'c> {
    /// URL to which notifications are sent.
    pub address: Option<&'c str>,
    /// Id of the channel.
    pub id: Option<&'c str>,
    /// Secret that every notification repeats, by which the client authenticates the server.
    pub token: Option<&'c str>,
    /// Expiration of the channel, in milliseconds since the start of 1970.
    pub expiration: Option<i64>,
    /// Id of the watched resource.
    pub resource_id: Option<&'c str>,
    /// URI of the watched resource.
    pub resource_uri: Option<&'c str>,
}

/// Omits the token.
impl fmt::Debug for ChannelFacts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChannelFacts")
            .field("address", &self.address)
            .field("id", &self.id)
            .field("expiration", &self.expiration)
            .field("resource_id", &self.resource_id)
            .field("resource_uri", &self.resource_uri)
            .finish_non_exhaustive()
    }
}

/// Notification on a channel that the request `W` has opened.
pub struct Notification<W: Watches> {
    /// Id of the channel.
    pub channel_id: String,
    /// Sequence number of the notification on its channel: 1 for the first one.
    pub number: u64,
    /// Reason of the notification.
    pub state: W::State,
    /// Expiration of the channel, in milliseconds since the start of 1970; the header has whole seconds.
    pub expiration: Option<i64>,
    /// Id of the watched resource.
    pub resource_id: Option<String>,
    /// URI of the watched resource.
    pub resource_uri: Option<String>,
    token: Option<String>,
}

impl<W: Watches> Notification<W> {
    /// Creates a notification on a channel; `None` if the channel has no id.
    #[must_use]
    pub fn new(channel: &W::Channel, number: u64, state: W::State) -> Option<Self> {
        let facts = W::channel(channel);
        Some(Self {
            channel_id: facts.id?.to_owned(),
            number,
            state,
            expiration: facts.expiration,
            resource_id: facts.resource_id.map(str::to_owned),
            resource_uri: facts.resource_uri.map(str::to_owned),
            token: facts.token.map(str::to_owned),
        })
    }

    /// Writes the headers: calls `put` with the name and the value of each.
    pub fn write(&self, names: Names, mut put: impl FnMut(&'static str, &str)) {
        let headers = W::HEADERS;
        put(headers.id, &self.channel_id);
        put(headers.number, &self.number.to_string());
        crate::names::spelled(names, || put(headers.state, crate::OpenEnum::spelled(&self.state)));
        if let Some(expiration) = self.expiration.and_then(time::format) {
            put(headers.expiration, &expiration);
        }
        let others = [
            (headers.token, &self.token),
            (headers.resource_id, &self.resource_id),
            (headers.resource_uri, &self.resource_uri),
        ];
        for (name, value) in others {
            if let Some(value) = value {
                put(name, value);
            }
        }
    }
}

// Implemented by hand because a derive would require the same of `W`.
impl<W: Watches> Clone for Notification<W> {
    fn clone(&self) -> Self {
        Self {
            channel_id: self.channel_id.clone(),
            number: self.number,
            state: self.state.clone(),
            expiration: self.expiration,
            resource_id: self.resource_id.clone(),
            resource_uri: self.resource_uri.clone(),
            token: self.token.clone(),
        }
    }
}

/// Omits the token.
impl<W: Watches> fmt::Debug for Notification<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Notification")
            .field("channel_id", &self.channel_id)
            .field("number", &self.number)
            .field("state", &self.state)
            .field("expiration", &self.expiration)
            .field("resource_id", &self.resource_id)
            .field("resource_uri", &self.resource_uri)
            .finish_non_exhaustive()
    }
}
