//! Notifications on watch channels, as the webhook of a client receives them.
//!
//! A channel is opened by a call such as `events().watch(…)`, with an unpredictable token. The server then sends POST
//! requests to the channel's URL; [`receive`] parses their headers and accepts only notifications of a known channel
//! with its token. With axum, the extractor `VerifiedNotification` of the crate `wireform-server` does so before a
//! handler is called.
//!
//! ```
//! # use wireform_client::notifications::{NotificationReceiver, WatchRequest, receive};
//! # fn handle<W: WatchRequest>(channel: W::Channel, headers: http::HeaderMap) -> u16 {
//! let receiver = NotificationReceiver::<W>::new().with_channel(&channel);
//! match receive(&receiver, &headers) {
//!     Ok(notification) => {
//!         println!("{:?}, number {}", notification.state, notification.number);
//!         204
//!     }
//!     Err(error) => error.status(),
//! }
//! # }
//! ```

pub use wireform_runtime::watch::{
    ChannelInfo, Notification, NotificationError, NotificationHeaders, NotificationReceiver, ResourceState,
    WatchRequest,
};

use http::HeaderMap;

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
