//! What whoever runs a store asks of it.

use std::future::Future;
use std::time::Duration;

use crate::{Calendar, Epoch, HistoryId, Millis, Profile, Project, Result, User};

/// How long the history is kept, at the least.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retention {
    /// So long.
    For(Duration),
    /// For ever.
    Forever,
}

impl Default for Retention {
    /// A week, and a day for clients that come by once a week.
    fn default() -> Self {
        Self::For(Duration::from_secs(8 * 24 * 60 * 60))
    }
}

/// What a round of forgetting has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Forgotten {
    /// How many records of the history were removed.
    pub records: u64,
    /// How many entries of calendars that were cancelled were removed.
    pub entries: u64,
    /// How many tokens that had ended were removed.
    pub tokens: u64,
    /// How many channels that had expired were removed.
    pub channels: u64,
    /// How many executions of scripts were removed.
    pub executions: u64,
    /// Whether there is more to do: a round is bounded, so that writers never wait long.
    pub more: bool,
}

/// A mailbox in the overview.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailboxSummary {
    /// Whose it is.
    pub user: User,
    /// How it stands.
    pub profile: Profile,
    /// The oldest number that a reader may begin after.
    pub oldest: HistoryId,
}

/// What the store holds, as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Overview {
    /// The mailboxes in the order of their addresses.
    pub mailboxes: Vec<MailboxSummary>,
    /// The calendars in the order of their identifiers.
    pub calendars: Vec<Calendar>,
    /// The script projects in the order of their identifiers.
    pub projects: Vec<Project>,
}

/// What whoever runs the store asks of it.
pub trait Upkeep {
    /// What the store holds.
    fn overview(&self) -> impl Future<Output = Result<Overview>> + Send;
    /// The epoch of the store. It ends when the store is restored from a copy: what was answered before, such as where
    /// a listing goes on or from where on changes are wanted, must be refused from then on. Whatever a service seals
    /// into a token holds the epoch, and is compared in the transaction that reads what the token is shown for, as
    /// [`ListQuery::from`](crate::ListQuery::from) and [`HistoryQuery::start`](crate::HistoryQuery::start) are.
    fn epoch(&self) -> impl Future<Output = Result<Epoch>> + Send;
    /// Begins a new epoch, for whoever has put a copy in place in a way that the store cannot notice.
    fn begin_epoch(&self) -> impl Future<Output = Result<Epoch>> + Send;
    /// How long the history is kept.
    fn retention(&self) -> impl Future<Output = Result<Retention>> + Send;
    /// Sets how long the history is kept.
    fn set_retention(&self, retention: Retention) -> impl Future<Output = Result<()>> + Send;
    /// What somebody has noted in the store under a name.
    fn note(&self, name: &str) -> impl Future<Output = Result<Option<String>>> + Send;
    /// Notes something under a name, if what is noted there is what it is believed to be; answers whether it was.
    fn set_note(&self, name: &str, believed: Option<&str>, value: &str) -> impl Future<Output = Result<bool>> + Send;
    /// Forgets what is older than the retention, one bounded round of it; goes on with labels whose removal was
    /// interrupted.
    fn forget(&self, now: Millis) -> impl Future<Output = Result<Forgotten>> + Send;
    /// Checks that the database can be written, by writing: what a health check asks.
    ///
    /// # Errors
    /// Why it cannot. A full disk is noticed also while the little that is written here still fits.
    fn check(&self) -> impl Future<Output = Result<()>> + Send;
    /// Writes a copy of the store, as it is at one moment, to a file that does not exist yet, while others go on.
    fn backup(&self, file: &std::path::Path) -> impl Future<Output = Result<()>> + Send;
    /// Finishes what was accepted, and closes the database. Later calls answer `Trouble::Closed`.
    fn close(&self) -> impl Future<Output = ()> + Send;
}
