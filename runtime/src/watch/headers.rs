//! The names of the headers of a notification.

/// The names of the headers of a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WatchHeaders {
    /// The name of the channel.
    pub id: &'static str,
    /// The token of the channel.
    pub token: &'static str,
    /// When the channel closes, as a date of HTTP (RFC 9110, section 5.6.7).
    pub expiration: &'static str,
    /// The name of what is watched.
    pub resource_id: &'static str,
    /// The address of what is watched.
    pub resource_uri: &'static str,
    /// Why the notification is sent.
    pub state: &'static str,
    /// The number of the notification.
    pub number: &'static str,
}

impl WatchHeaders {
    /// The names where a schema says nothing else.
    pub const DEFAULT: Self = Self {
        id: "X-Channel-Id",
        token: "X-Channel-Token",
        expiration: "X-Channel-Expiration",
        resource_id: "X-Resource-Id",
        resource_uri: "X-Resource-Uri",
        state: "X-Resource-State",
        number: "X-Message-Number",
    };
}
