//! Channels for notifications about calendar changes.
//!
//! A channel is a row of the store, which every change of its calendar marks. [`CalendarService::send_notifications`]
//! leases due messages, sends them and records the outcome; a sender that is killed leaves only its leases, which
//! expire.

mod backoff;
mod callbacks;
mod deliver;
mod filter;
mod resolve;
mod sender;
mod url;

use std::sync::Arc;
use std::time::Duration;

use calendar_server::types::{Channel, ChannelType};
use calendar_server::{Context, Error, Reply, Result, requests};
use tokio::sync::Notify;
use wireform_store::{ChannelToken, Clock, Error as StoreError, Millis, NewChannel, Store};

pub use self::backoff::Backoff;
pub use self::callbacks::{CallbackClient, PostError};
use self::filter::ChangeFilter;
pub use self::resolve::{Resolver, SystemResolver};
pub use self::url::UrlError;
use crate::CalendarService;
use crate::caller::{Need, access, user};
use crate::error::{self, INVALID};

/// Default lifetime of a channel.
const DEFAULT_TTL: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// Maximum lifetime of a channel.
const MAX_TTL: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// Maximum length of a channel identifier in characters.
const MAX_ID: usize = 64;
/// Maximum length of a token in characters.
const MAX_TOKEN: usize = 256;

/// Configuration of sending notifications.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notifier {
    callbacks: CallbackClient,
    backoff: Backoff,
    /// Clock of leases: the system clock, even if the clock of the service is moved.
    lease_clock: Clock,
    /// Wakes the sender of this process after a write.
    write_notify: Arc<Notify>,
}

impl Notifier {
    /// Wakes the sender after a write, because a message may be due.
    pub(crate) fn wake(&self) {
        self.write_notify.notify_one();
    }
}

impl<S: Store> CalendarService<S> {
    /// Sets the client that sends notifications.
    #[must_use]
    pub fn with_callback_client(mut self, callbacks: CallbackClient) -> Self {
        self.notifier.callbacks = callbacks;
        self
    }

    /// Sets the pauses between attempts to send a notification.
    #[must_use]
    pub fn with_backoff(mut self, backoff: Backoff) -> Self {
        self.notifier.backoff = backoff;
        self
    }

    /// Sets the clock of leases, for tests.
    #[must_use]
    pub fn with_lease_clock(mut self, clock: Clock) -> Self {
        self.notifier.lease_clock = clock;
        self
    }

    pub(crate) async fn watch_events(&self, request: requests::EventsWatch, context: &Context) -> Result<Channel> {
        let access = access(&self.store, context, &request.calendar_id, Need::Read).await?;
        let now = self.clock.now();
        let (id, address) = validate_channel(&request.body)?;
        let expires = expiry(&request.body, now)?;
        self.notifier.callbacks.check_url(&address).await.map_err(|error| url_error(&error))?;
        let target = filter::resource_target(&access.calendar.id, &request)?;
        let (resource_id, resource_uri) = (filter::resource_id(&target), format!("{}{target}", self.base));
        let token = request.body.token.clone().filter(|token| !token.is_empty());
        let channel = NewChannel {
            user: access.user.mailbox,
            id: id.clone(),
            calendar: access.calendar.number,
            resource_id: resource_id.clone(),
            resource_uri: resource_uri.clone(),
            url: address,
            token: token.clone().map(ChannelToken::new),
            filter: ChangeFilter::from_request(&request).serialize()?,
            expires,
        };
        self.store.open_channel(channel, now).await.map_err(|error| open_error(error, &id))?;
        self.notifier.wake();
        let mut opened = Channel::default().with_kind("api#channel").with_id(id);
        opened.token = token;
        opened.expiration = Some(calendar_server::runtime::wireform_runtime::Decimal(expires.0));
        opened.resource_id = Some(resource_id);
        opened.resource_uri = Some(resource_uri);
        Ok(Reply::new(opened))
    }

    pub(crate) async fn stop_channel(&self, request: requests::ChannelsStop, context: &Context) -> Result<()> {
        let user = user(&self.store, context).await?;
        let id = request.body.id.unwrap_or_default();
        let resource = request.body.resource_id.unwrap_or_default();
        match self.store.stop_channel(user.mailbox, &id, &resource, self.clock.now()).await {
            Ok(()) => Ok(Reply::new(())),
            Err(StoreError::NotFound { .. }) => {
                let message = format!("channel `{id}` with the resource `{resource}` not found");
                Err(Error::not_found(message).with_reason("notFound"))
            }
            Err(error) => Err(error::from_store(error)),
        }
    }
}

/// Validates a channel beyond its schema. Returns its identifier and its URL.
fn validate_channel(channel: &Channel) -> std::result::Result<(String, String), Error> {
    let id = channel.id.clone().unwrap_or_default();
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_+/=".contains(&byte);
    if id.is_empty() || id.len() > MAX_ID || !id.bytes().all(is_plain) {
        let message = format!("the identifier must have 1 to {MAX_ID} letters, digits, `-`, `_`, `+`, `/` or `=`");
        return Err(error::invalid("id", message));
    }
    let token = channel.token.as_deref().unwrap_or_default();
    // The token is a header value, whose ends receivers trim.
    let is_text = token.bytes().all(|byte| (b' '..=b'~').contains(&byte)) && token.trim() == token;
    if token.len() > MAX_TOKEN || !is_text {
        let message = format!("the token must have at most {MAX_TOKEN} ASCII characters, without spaces around them");
        return Err(error::invalid("token", message));
    }
    if channel.r#type != Some(ChannelType::WebHook) {
        return Err(error::invalid("type", "the type must be `web_hook`"));
    }
    Ok((id, channel.address.clone().unwrap_or_default()))
}

/// Returns the expiration time of a channel: the requested time or lifetime, whichever is earlier, limited to the
/// maximum.
fn expiry(channel: &Channel, now: Millis) -> std::result::Result<Millis, Error> {
    let max = now.saturating_add(MAX_TTL);
    let mut requested = Vec::new();
    if let Some(expiration) = channel.expiration {
        if expiration.0 <= now.0 {
            return Err(error::invalid("expiration", "the expiration must lie in the future"));
        }
        requested.push(Millis(expiration.0));
    }
    if let Some(ttl) = channel.params.get("ttl") {
        let seconds = ttl.parse::<u64>().ok().filter(|seconds| *seconds > 0);
        let seconds = seconds.ok_or_else(|| error::invalid("params.ttl", "`ttl` must be a number of seconds"))?;
        requested.push(now.saturating_add(Duration::from_secs(seconds)));
    }
    Ok(requested.into_iter().min().unwrap_or_else(|| now.saturating_add(DEFAULT_TTL)).min(max))
}

/// Converts the error of a URL that notifications cannot be sent to.
fn url_error(error: &UrlError) -> Error {
    let reason = if *error == UrlError::NotHttps { "push.webhookUrlNotHttps" } else { INVALID };
    error::invalid("address", error.to_string()).with_reason(reason)
}

/// Converts the error of storing a channel with the given identifier.
fn open_error(error: StoreError, id: &str) -> Error {
    match error {
        StoreError::AlreadyExists { .. } => {
            error::invalid("id", format!("channel `{id}` already exists")).with_reason("channelIdNotUnique")
        }
        StoreError::Refused(message) => Error::forbidden(message).with_reason("quotaExceeded"),
        other => error::from_store(other),
    }
}
