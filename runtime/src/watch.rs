//! Watch channels: the notifications that a server sends, and their verification by a client.
//!
//! A notification is a POST with an empty body and all data in its headers. Generated code implements [`WatchRequest`]
//! for the request of each operation that opens a channel; a server writes a [`Notification`], and a client reads it
//! with a [`NotificationReceiver`].

mod headers;
mod receiver;
mod time;

#[cfg(test)]
mod tests;

pub use headers::NotificationHeaders;
pub use receiver::{NotificationError, NotificationReceiver};

use std::fmt;

use crate::Request;
use crate::naming::Naming;

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
pub trait WatchRequest: Request {
    /// Type of the channel, which is the body of the request and of its response.
    type Channel;

    /// Type of the reason of a notification.
    type State: crate::OpenEnum + fmt::Debug + Send + Sync;

    /// Names of the headers of a notification.
    const HEADERS: NotificationHeaders;

    /// Returns the properties of a channel for its notifications.
    fn channel_info(channel: &Self::Channel) -> ChannelInfo<'_>;
}

/// Properties of a channel for its notifications. They include a secret: the token.
#[derive(Clone, Copy, Default)]
pub struct ChannelInfo<'c> {
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
impl fmt::Debug for ChannelInfo<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChannelInfo")
            .field("address", &self.address)
            .field("id", &self.id)
            .field("expiration", &self.expiration)
            .field("resource_id", &self.resource_id)
            .field("resource_uri", &self.resource_uri)
            .finish_non_exhaustive()
    }
}

/// Notification on a channel that the request `W` has opened.
pub struct Notification<W: WatchRequest> {
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

impl<W: WatchRequest> Notification<W> {
    /// Creates a notification on a channel; `None` if the channel has no id.
    #[must_use]
    pub fn new(channel: &W::Channel, number: u64, state: W::State) -> Option<Self> {
        let info = W::channel_info(channel);
        Some(Self {
            channel_id: info.id?.to_owned(),
            number,
            state,
            expiration: info.expiration,
            resource_id: info.resource_id.map(str::to_owned),
            resource_uri: info.resource_uri.map(str::to_owned),
            token: info.token.map(str::to_owned),
        })
    }

    /// Writes the headers: calls `put` with the name and the value of each.
    pub fn write_headers(&self, names: Naming, mut put: impl FnMut(&'static str, &str)) {
        let headers = W::HEADERS;
        put(headers.id, &self.channel_id);
        put(headers.number, &self.number.to_string());
        crate::naming::with_naming(names, || put(headers.state, crate::OpenEnum::wire_str(&self.state)));
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
impl<W: WatchRequest> Clone for Notification<W> {
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
impl<W: WatchRequest> fmt::Debug for Notification<W> {
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
