//! Administration of a store.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use crate::{Calendar, Epoch, HistoryId, Millis, NewToken, Profile, Project, Result, Snapshot, Token, User};

/// Minimum time that the history is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retention {
    /// For a duration.
    For(Duration),
    /// Forever.
    Forever,
}

impl Default for Retention {
    /// Returns eight days: a week, and a day for clients that sync once a week.
    fn default() -> Self {
        Self::For(Duration::from_secs(8 * 24 * 60 * 60))
    }
}

/// Summary of one cleanup round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CleanupSummary {
    /// Number of history records removed.
    pub records: u64,
    /// Number of cancelled calendar entries removed.
    pub entries: u64,
    /// Number of expired tokens removed.
    pub tokens: u64,
    /// Number of expired channels removed.
    pub channels: u64,
    /// Number of script executions removed.
    pub executions: u64,
    /// True if there is more to do: a round is bounded, so that writers never wait long.
    pub has_more: bool,
}

/// Mailbox in the overview.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailboxSummary {
    /// Its owner.
    pub user: User,
    /// Its profile.
    pub profile: Profile,
    /// Oldest history number that a reader may start after.
    pub oldest_start: HistoryId,
}

/// Contents of the store as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Overview {
    /// Mailboxes, ordered by address.
    pub mailboxes: Vec<MailboxSummary>,
    /// Calendars, ordered by identifier.
    pub calendars: Vec<Calendar>,
    /// Script projects, ordered by identifier.
    pub projects: Vec<Project>,
}

/// Administration of a store.
pub trait Maintenance {
    /// Returns an overview of the store.
    fn overview(&self) -> impl Future<Output = Result<Overview>> + Send;
    /// Returns the epoch of the store. It ends when the store is restored from a backup: cursors and sync positions
    /// issued before must be refused from then on. Every token that a service seals contains the epoch, which is
    /// compared in the transaction that uses the token, as for [`ListQuery::from`](crate::ListQuery::from) and
    /// [`HistoryQuery::start`](crate::HistoryQuery::start).
    fn epoch(&self) -> impl Future<Output = Result<Epoch>> + Send;
    /// Begins a new epoch, after a backup was restored in a manner that the store cannot detect.
    fn begin_epoch(&self) -> impl Future<Output = Result<Epoch>> + Send;
    /// Returns the retention of the history.
    fn retention(&self) -> impl Future<Output = Result<Retention>> + Send;
    /// Sets the retention of the history.
    fn set_retention(&self, retention: Retention) -> impl Future<Output = Result<()>> + Send;
    /// Returns the note stored under a name.
    fn note(&self, name: &str) -> impl Future<Output = Result<Option<String>>> + Send;
    /// Stores a note under a name if the current note equals `expected`; returns whether it did.
    fn set_note(&self, name: &str, expected: Option<&str>, value: &str) -> impl Future<Output = Result<bool>> + Send;
    /// Runs one bounded round of cleanup: deletes expired tokens and channels, old executions and metrics, and history
    /// older than the retention; continues interrupted removals of labels, users, calendars and projects.
    fn clean_up(&self, now: Millis) -> impl Future<Output = Result<CleanupSummary>> + Send;
    /// Checks that the database is writable by writing to it, for health checks.
    ///
    /// # Errors
    /// Returns the reason why it is not writable. A full disk is detected even while the small write of this check
    /// still fits.
    fn check(&self) -> impl Future<Output = Result<()>> + Send;
    /// Writes a consistent copy of the store to a file that does not exist yet, without blocking others.
    fn backup(&self, file: &std::path::Path) -> impl Future<Output = Result<()>> + Send;
    /// Reads the contents of the store into memory, for tests.
    ///
    /// # Errors
    /// Returns `Error::Refused` if they take more than `max_bytes`.
    fn take_snapshot(&self, max_bytes: usize) -> impl Future<Output = Result<Snapshot>> + Send;
    /// Replaces the contents of the store by those of a snapshot that was taken of it, in one transaction, and begins a
    /// new epoch. `token` is stored, even if the snapshot contains it. Executions that ran when the snapshot was taken
    /// count as those of a server that is gone.
    fn restore_snapshot(
        &self,
        snapshot: Arc<Snapshot>,
        token: Option<NewToken>,
    ) -> impl Future<Output = Result<Option<Token>>> + Send;
    /// Finishes accepted operations and closes the database. Later calls return `Unavailable::Closed`.
    fn close(&self) -> impl Future<Output = ()> + Send;
}
