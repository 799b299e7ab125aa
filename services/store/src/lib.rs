//! Store of the services: users and their tokens, mailboxes and their history, calendars and their events, script
//! projects and their executions.
//!
//! Services use the traits [`Accounts`], [`Mailboxes`], [`Calendars`], [`Events`], [`Channels`], [`Scripts`] and
//! [`Maintenance`], which describe the domain and no database. Each operation is implemented once, in `domain`, on top
//! of the few statements that a [`session`] runs; SQLite and PostgreSQL are two kinds of session, and one test suite
//! covers both.
//!
//! ```text
//! Mailboxes, Accounts, … ──▶ domain: one Operation a file ──▶ Session ──▶ sqlite (one writer, a pool of readers)
//!                                                                   └───▶ postgres (a pool of connections)
//! ```
//!
//! PostgreSQL support is the feature `postgres`, which is on by default.
//!
//! Guarantees of both databases:
//!
//! 1. An operation is one transaction; when it returns, its changes are on disk.
//! 2. Writes to a mailbox are serialized, and its history numbers grow in commit order: a reader that has read up to a
//!    number never misses a later change.
//! 3. Reads see one snapshot of the store.
//! 4. The store does not read the time: the caller passes it, so that tests can move it. Only epoch numbers use the
//!    system clock, because they must not go back with a clock that is moved.
//! 5. Tokens issued before the store was restored from a backup are refused afterwards: [`Maintenance::epoch`].
#![forbid(unsafe_code)]

mod account;
mod any;
mod backend;
mod calendar;
mod channel;
mod clock;
mod domain;
mod error;
mod event;
mod hex;
mod hmac;
mod ids;
mod label;
mod mailbox;
mod maintenance;
mod migrations;
mod operation;
#[cfg(feature = "postgres")]
mod postgres;
mod script;
mod search_scheduler;
pub mod session;
mod snapshot;
mod sqlite;
mod traits;

pub use self::account::{Grant, NewToken, Secret, Token, TokenHash, TokenKind, User};
pub use self::any::AnyStore;
pub use self::backend::Backend;
pub use self::calendar::{
    Calendar, CalendarAccess, CalendarLabel, CalendarNumber, CalendarReminder, CalendarSettings, NewCalendar, Role,
    Share, WorkingHours,
};
pub use self::channel::{
    Attempt, Channel, ChannelNumber, ChannelToken, LeaseQuery, LeasedMessage, MessageKey, MessageOutcome, NewChannel,
};
pub use self::clock::{Clock, Millis};
pub use self::error::{Error, Result, Unavailable};
pub use self::event::{
    ChangeSize, ENDLESS, Entry, EntryHead, EntryKind, EntryOrder, EntryPage, EntryQuery, EntryState, EventNumber,
    EventRef, EventWrite, Job, NewEntry, SeriesSummary, Span, Window, WindowQuery, week_slot,
};
pub use self::hex::hex;
pub use self::hmac::hmac_sha256;
pub use self::ids::{Epoch, HistoryId, Mailbox, MessageId, ThreadId};
pub use self::label::{Label, LabelChange, LabelCounts, LabelInfo, LabelSettings, SystemLabel};
pub use self::mailbox::{
    ChangeKind, Edit, HistoryCursor, HistoryPage, HistoryQuery, HistoryRecord, HistoryStart, ListCursor, ListPage,
    ListQuery, Message, MessageChange, MessageDate, NewMessage, Position, Profile, Replacement, SearchableText,
    TextFilter, ThreadSummary, Threading,
};
pub use self::maintenance::{CleanupSummary, MailboxSummary, Maintenance, Overview, Retention};
pub use self::operation::{Access, Operation};
#[cfg(feature = "postgres")]
pub use self::postgres::{Postgres, PostgresOptions};
pub use self::script::{
    Deployment, DeploymentOrder, DeploymentSettings, Execution, ExecutionChange, ExecutionCursor, ExecutionFilter,
    ExecutionNumber, ExecutionPage, ExecutionQuery, ExecutionScope, ExecutionState, FileKey, FileKind, FileNumber,
    HashedFile, IntervalMetrics, LeasedTrigger, LogEntry, LogNumber, LogQuery, LogScope, MetricsInterval, MetricsQuery,
    NewExecution, NewFile, NewLogEntry, NewProject, NewTrigger, Person, Project, ProjectAccess, ProjectNumber,
    ScriptContent, ScriptFile, ScriptListCursor, ScriptPage, ScriptRole, ScriptScope, ScriptShare, Scripts,
    ServerNumber, Trigger, TriggerLeaseQuery, TriggerNumber, Version,
};
pub use self::search_scheduler::SearchScheduler;
pub use self::snapshot::Snapshot;
pub use self::sqlite::{Sqlite, SqliteOptions, restore};
pub use self::traits::{Accounts, Calendars, Channels, Events, Mailboxes, Store};
