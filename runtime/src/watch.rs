//! Watch channels: the notifications that a server sends on them, and how a client verifies that they are its own.
//!
//! A notification is a POST with an empty body, whose headers say it all. Generated code implements [`Watches`] for the
//! request of each operation that opens a channel; a server writes a [`Notification`], and a client reads it back with a
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

/// Why a notification is sent, where the schema has no words of its own for it.
#[non_exhaustive]
pub enum ResourceState {
    /// The channel has been opened.
    Sync,
    /// Something has changed.
    Exists,
    /// Something has gone.
    NotExists,
    /// A value that this version does not know.
    Unknown(crate::UnknownValue<Self>),
}

/// A request that opens a channel.
pub trait Watches: Request {
    /// The channel, which is the body of the request and of its answer.
    type Channel;

    /// Why a notification is sent.
    type State: crate::OpenEnum + fmt::Debug + Send + Sync;

    /// The names of the headers of a notification.
    const HEADERS: WatchHeaders;

    /// Returns what a channel says of its notifications.
    fn channel(channel: &Self::Channel) -> ChannelFacts<'_>;
}

/// What a channel says of its notifications. It holds a secret: the token.
#[derive(Clone, Copy, Default)]
pub struct ChannelFacts<'c> {
    /// Where notifications are sent.
    pub address: Option<&'c str>,
    /// The name of the channel.
    pub id: Option<&'c str>,
    /// What every notification repeats, by which the client knows that the server sent it.
    pub token: Option<&'c str>,
    /// When the channel closes, in milliseconds since the start of 1970.
    pub expiration: Option<i64>,
    /// The name of what is watched.
    pub resource_id: Option<&'c str>,
    /// The address of what is watched.
    pub resource_uri: Option<&'c str>,
}

/// Leaves the token out.
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

/// A notification on a channel that the request `W` has opened.
pub struct Notification<W: Watches> {
    /// The name of the channel.
    pub channel_id: String,
    /// The number of the notification on its channel, which grows: 1 in the first one.
    pub number: u64,
    /// Why it is sent.
    pub state: W::State,
    /// When the channel closes, in milliseconds since the start of 1970; a header has whole seconds.
    pub expiration: Option<i64>,
    /// The name of what is watched.
    pub resource_id: Option<String>,
    /// The address of what is watched.
    pub resource_uri: Option<String>,
    token: Option<String>,
}

impl<W: Watches> Notification<W> {
    /// Creates a notification on a channel; none where the channel has no name.
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

    /// Writes the headers: `put` is called with the name and the value of each.
    pub fn write(&self, names: Names, mut put: impl FnMut(&'static str, &str)) {
        let headers = W::HEADERS;
        put(headers.id, &self.channel_id);
        put(headers.number, &self.number.to_string());
        crate::names::spelled(names, || put(headers.state, crate::OpenEnum::spelled(&self.state)));
        if let Some(expiration) = self.expiration.and_then(time::written) {
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

// Written by hand because a derive would ask the same of `W`.
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

/// Leaves the token out.
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
