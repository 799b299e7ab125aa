//! Channels for notifications about calendar changes, and their messages.

use std::collections::BTreeMap;
use std::fmt;

use crate::{CalendarNumber, HistoryId, Mailbox, Millis};

/// Key of a channel in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChannelNumber(pub i64);

/// Secret that every message of a channel repeats, so that the receiver can authenticate the sender. `Debug` omits it.
#[derive(Clone, PartialEq, Eq)]
pub struct ChannelToken(String);

impl ChannelToken {
    /// Creates a token from its text.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Returns the text of the token.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ChannelToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ChannelToken(…)")
    }
}

/// Channel to open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewChannel {
    /// Its owner.
    pub user: Mailbox,
    /// Identifier, unique among the user's channels.
    pub id: String,
    /// Watched calendar.
    pub calendar: CalendarNumber,
    /// Identifier of the watched resource.
    pub resource_id: String,
    /// URL of the watched resource.
    pub resource_uri: String,
    /// URL that messages are sent to.
    pub url: String,
    /// Token that every message repeats.
    pub token: Option<ChannelToken>,
    /// Filter of the announced changes, opaque to the store.
    pub filter: String,
    /// Expiration time.
    pub expires: Millis,
}

/// Channel and the state of its messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Channel {
    /// Key in the store.
    pub number: ChannelNumber,
    /// Settings that it was opened with.
    pub settings: NewChannel,
    /// Time of opening.
    pub opened: Millis,
    /// Number of the last message; the first one is 1.
    pub message: u64,
    /// True if that message is being sent.
    pub is_sending: bool,
    /// Number of attempts to send it.
    pub attempts: u32,
    /// Time of the next send: of the pending message, or of another one if there are changes.
    pub due: Option<Millis>,
    /// The last attempt.
    pub last_attempt: Option<Attempt>,
}

/// Attempt to send a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// Time at which it ended.
    pub at: Millis,
    /// Number of the message.
    pub message: u64,
    /// Outcome, such as the status of the response.
    pub outcome: String,
}

/// Query for messages to lease.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeaseQuery {
    /// Time at which messages must be due.
    pub now: Millis,
    /// System time. Leases use the system clock, because other clocks may be moved.
    pub system_time: Millis,
    /// System time at which the leases expire.
    pub until: Millis,
    /// Maximum number of messages to lease.
    pub limit: u32,
    /// Maximum number of leased messages per user, including those in `held`.
    pub max_per_user: u32,
    /// Number of messages of each user that the sender already holds.
    pub held: BTreeMap<Mailbox, u32>,
}

/// Key of a leased message of a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MessageKey {
    /// The channel.
    pub channel: ChannelNumber,
    /// The lease.
    pub lease: i64,
}

/// Leased message: [`Channel::message`] of its channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeasedMessage {
    /// Key by which it is settled.
    pub key: MessageKey,
    /// The channel.
    pub channel: Channel,
    /// Changes of the calendar that it announces: those after the first number, up to the second one.
    pub changes: (HistoryId, HistoryId),
}

/// Outcome of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MessageOutcome {
    /// Not sent again: it was delivered, or is given up.
    Done(String),
    /// Sent again at the given time.
    Retry(String, Millis),
    /// There was nothing to announce; its number is reused for the next message.
    Skipped,
}
