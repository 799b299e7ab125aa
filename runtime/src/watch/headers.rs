//! Names of the headers of a notification.

/// Names of the headers of a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotificationHeaders {
    /// Id of the channel.
    pub id: &'static str,
    /// Token of the channel.
    pub token: &'static str,
    /// Expiration of the channel, an HTTP date (RFC 9110, section 5.6.7).
    pub expiration: &'static str,
    /// Id of the watched resource.
    pub resource_id: &'static str,
    /// URI of the watched resource.
    pub resource_uri: &'static str,
    /// Reason of the notification.
    pub state: &'static str,
    /// Sequence number of the notification.
    pub number: &'static str,
}

impl NotificationHeaders {
    /// Default names of the headers, such as `X-Channel-Id`.
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
