//! Channels on which changes of calendars are announced, and the messages on them.

use std::collections::BTreeMap;
use std::fmt;

use crate::{CalendarNumber, HistoryId, Mailbox, Millis};

/// Number of a channel, which names it in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChannelNumber(pub i64);

/// Secret that every message of a channel repeats, by which the receiver knows the sender. `Debug` leaves it out.
#[derive(Clone, PartialEq, Eq)]
pub struct ChannelToken(String);

impl ChannelToken {
    /// The token of that text.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Returns the text.
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

/// A channel that is to be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewChannel {
    /// Whose it is.
    pub user: Mailbox,
    /// Its identifier among those of the user.
    pub id: String,
    /// The calendar that is watched.
    pub calendar: CalendarNumber,
    /// Identifier of what is watched.
    pub resource_id: String,
    /// Address of what is watched.
    pub resource_uri: String,
    /// Where messages are sent.
    pub address: String,
    /// What every message repeats.
    pub token: Option<ChannelToken>,
    /// Which changes are announced. The store does not look into it.
    pub filter: String,
    /// When it closes.
    pub expires: Millis,
}

/// A channel, and how its messages stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Channel {
    /// Its number.
    pub number: ChannelNumber,
    /// What it was opened with.
    pub settings: NewChannel,
    /// When it was opened.
    pub opened: Millis,
    /// Number of the last message, 1 for the first one.
    pub message: u64,
    /// Whether that message is on its way.
    pub sending: bool,
    /// How often it was tried.
    pub attempts: u32,
    /// When something is sent next: the message that is on its way, or another one where there are changes.
    pub due: Option<Millis>,
    /// The last attempt.
    pub last: Option<Attempt>,
}

/// An attempt to send a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// When it ended.
    pub at: Millis,
    /// Number of the message.
    pub message: u64,
    /// What came of it, such as the status of the response.
    pub outcome: String,
}

/// Which messages are leased, and for how long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeaseQuery {
    /// Messages that are due at this time.
    pub now: Millis,
    /// The time by the clock of the machine: leases go by that, because other clocks are moved.
    pub machine: Millis,
    /// When the leases end, by the clock of the machine.
    pub until: Millis,
    /// The most that are leased.
    pub limit: u32,
    /// The most that are leased of one user, those of `held` included.
    pub share: u32,
    /// How many of each user the sender holds already.
    pub held: BTreeMap<Mailbox, u32>,
}

/// A message of a channel, in the hands of one sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MessageKey {
    /// The channel.
    pub channel: ChannelNumber,
    /// The lease.
    pub lease: i64,
}

/// A message that is leased: [`Channel::message`] of its channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeasedMessage {
    /// What it is settled by.
    pub key: MessageKey,
    /// The channel.
    pub channel: Channel,
    /// The changes of the calendar that it announces: those after the first one, up to the second one.
    pub changes: (HistoryId, HistoryId),
}

/// What came of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MessageOutcome {
    /// It is not sent again: it has arrived, or it will not.
    Done(String),
    /// It is sent again at a time.
    Retry(String, Millis),
    /// There was nothing to announce, and its number is that of the next one.
    Skipped,
}
