//! Entries of calendars. An event is stored once, and has an entry on each calendar that it is on.

mod slots;

use std::sync::Arc;

pub use self::slots::week_slot;
pub(crate) use self::slots::{LENGTH_CLASSES, SERIES_CLASS, SLOTS, length_class, slots_between};
use crate::{Calendar, CalendarNumber, Epoch, HistoryId, Mailbox, Millis, NewMessage};

/// Key of the data that the copies of an event share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventNumber(pub i64);

/// End of a series without end.
pub const ENDLESS: i64 = i64::MAX;

/// State of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EntryState {
    /// Visible.
    Present = 0,
    /// Cancelled. A cancelled exception is kept as long as its series.
    Cancelled = 1,
    /// Removed from their calendar by a guest.
    Hidden = 2,
    /// Exception that no longer matches an instance of its series.
    Orphaned = 3,
}

impl EntryState {
    const ALL: [Self; 4] = [Self::Present, Self::Cancelled, Self::Hidden, Self::Orphaned];

    pub(crate) fn from_stored(number: i64) -> Option<Self> {
        Self::ALL.into_iter().find(|state| *state as i64 == number)
    }
}

/// Time from the first start to the last end of an entry, in seconds since 1970-01-01 UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Span {
    /// The first start.
    pub first: i64,
    /// The last end; [`ENDLESS`] for a series without end.
    pub last: i64,
}

/// Kind of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntryKind {
    /// Event that does not recur.
    Single,
    /// Recurring event.
    Series {
        /// Recurrence rule, opaque to the store.
        rule: String,
        /// Length of the longest instance, in seconds.
        length: i64,
        /// Weeks of a year in which it can have instances, by [`week_slot`]; empty for any. Not loaded with the entry.
        slots: Vec<u8>,
    },
    /// Instance of a series that differs from it.
    Exception {
        /// Identifier of the series on the same calendar.
        series: String,
        /// Start computed from the series, in seconds since 1970-01-01 UTC.
        original: i64,
    },
}

/// Entry of an event on a calendar without its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryHead {
    /// Identifier on that calendar.
    pub id: String,
    /// Its state.
    pub state: EntryState,
    /// Original start of an exception, in seconds.
    pub original: Option<i64>,
    /// Time range.
    pub span: Span,
}

/// Stored entry of a calendar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The calendar.
    pub calendar: CalendarNumber,
    /// Identifier on that calendar.
    pub id: String,
    /// The event.
    pub event: EventNumber,
    /// History number of the change that last wrote it.
    pub changed: HistoryId,
    /// Time of the last change of the event's main data.
    pub updated: Millis,
    /// Its state.
    pub state: EntryState,
    /// Time of removal, if the entry is to be deleted eventually.
    pub removed: Option<Millis>,
    /// Identifier shared by the copies on all calendars (iCalendar UID).
    pub uid: String,
    /// Its kind.
    pub kind: EntryKind,
    /// Time range.
    pub span: Span,
    /// Data of this copy, serialized by the service.
    pub own: String,
    /// Data shared by all copies, serialized by the service.
    pub shared: Arc<str>,
}

/// Stored size of an event, and of what a change of it may read, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ChangeSize {
    /// Size of the event and of its copies' data.
    pub event: u64,
    /// Size of the exceptions of a series on its calendar.
    pub exceptions: u64,
}

/// Reference to the shared data of an event, in a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventRef {
    /// Stored event.
    Stored(EventNumber),
    /// Index into [`EventWrite::new_events`].
    New(usize),
}

/// Entry to store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEntry {
    /// The calendar.
    pub calendar: CalendarNumber,
    /// Identifier on that calendar.
    pub id: String,
    /// History number of the entry to replace; `None` if there must not be one.
    pub replaces: Option<HistoryId>,
    /// The event.
    pub event: EventRef,
    /// Time of the last change of the event's main data.
    pub updated: Millis,
    /// Its state.
    pub state: EntryState,
    /// Time of removal, if the entry is to be deleted eventually.
    pub removed: Option<Millis>,
    /// Identifier shared by the copies on all calendars (iCalendar UID).
    pub uid: String,
    /// Its kind.
    pub kind: EntryKind,
    /// Time range.
    pub span: Span,
    /// Data of this copy.
    pub own: String,
}

/// Atomic change of entries.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventWrite {
    /// Entries that the change is based on: it fails if one of them was modified since.
    pub expected: Vec<(CalendarNumber, String, HistoryId)>,
    /// Series whose exceptions the change is based on, each with the latest history number of an exception that was read,
    /// or 0: it fails if an exception of one of them was added or modified since.
    pub read_exceptions: Vec<(CalendarNumber, String, HistoryId)>,
    /// UIDs that must be new to a calendar: the change fails if an event of the calendar, other than an exception, has
    /// one. The calendar must be among those of the entries.
    pub new_uids: Vec<(CalendarNumber, String)>,
    /// Shared data of new events.
    pub new_events: Vec<String>,
    /// Shared data of stored events.
    pub events: Vec<(EventNumber, String)>,
    /// Entries to write.
    pub entries: Vec<NewEntry>,
    /// Jobs to schedule: calendar, entry and time.
    pub jobs: Vec<(CalendarNumber, String, Millis)>,
    /// Messages about the change, each with its mailbox; a mailbox that no longer exists gets none.
    pub mails: Vec<(Mailbox, NewMessage)>,
}

/// Scheduled job for an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// Key of the job.
    pub number: i64,
    /// The calendar.
    pub calendar: CalendarNumber,
    /// Identifier of the entry.
    pub id: String,
}

/// Order in which entries are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntryOrder {
    /// By identifier.
    ById,
    /// Entries updated at or after a time, ordered by update.
    ByUpdate(Millis),
    /// By change: entries after the first change, up to the second one.
    ByChange(HistoryId, HistoryId),
    /// Entries with a UID.
    WithUid(String),
}

/// Query for entries of a calendar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryQuery {
    /// Order and selection.
    pub order: EntryOrder,
    /// Entry to start after: its update time or change, where that is the order, and its identifier.
    pub after: Option<(i64, String)>,
    /// Epoch in which the list began.
    pub epoch: Option<Epoch>,
    /// Mailbox whose long search this is a step of: such steps take turns with other searches.
    pub search_mailbox: Option<Mailbox>,
    /// Maximum number of entries.
    pub limit: u32,
}

/// Page of entries and the calendar, from one snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryPage {
    /// The calendar.
    pub calendar: Calendar,
    /// The entries.
    pub entries: Vec<Entry>,
    /// True if there are more entries.
    pub has_more: bool,
}

/// Query for a time range, in seconds since 1970-01-01 UTC: entries that start in it, and those that started before and
/// continue into it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WindowQuery {
    /// The first second.
    pub from: i64,
    /// End of the range, exclusive.
    pub to: i64,
    /// True to include entries that started before the range.
    pub overlapping: bool,
    /// Epoch in which the list began.
    pub epoch: Option<Epoch>,
    /// Mailbox whose long search this is a step of: such steps take turns with other searches.
    pub search_mailbox: Option<Mailbox>,
    /// Maximum number of single events and exceptions to read of each length class.
    pub limit: u32,
}

/// Series without its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeriesSummary {
    /// Identifier.
    pub id: String,
    /// State.
    pub state: EntryState,
    /// Time from its first start to its last end.
    pub span: Span,
    /// Recurrence rule; `None` if it was not read, because those of other series have too much memory already.
    pub rule: Option<String>,
}

/// Entries and series that can take place in a time range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// The calendar.
    pub calendar: Calendar,
    /// End of the covered range, exclusive: less than requested if there are too many entries.
    pub to: i64,
    /// Single events and exceptions, ordered by start.
    pub entries: Vec<Entry>,
    /// Further ones, in any order, whose content was not read because there would have been too much in memory.
    pub heads: Vec<EntryHead>,
    /// Series that may have instances.
    pub series: Vec<SeriesSummary>,
    /// Original starts for which a series has an exception, in any state.
    pub originals: Vec<(String, i64)>,
    /// The earliest start of an entry of the calendar.
    pub first_start: Option<i64>,
}
