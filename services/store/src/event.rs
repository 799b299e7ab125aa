//! Entries of calendars. An event is stored once, and has an entry on each calendar that it is on.

mod slots;

pub use self::slots::slot_of;
pub(crate) use self::slots::{CLASS_OF_SERIES, CLASSES, SLOTS, class_of, slots_between};
use crate::{Calendar, CalendarNumber, Epoch, HistoryId, Mailbox, Millis, NewMessage};

/// Number of what the copies of an event share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventNumber(pub i64);

/// End of a series that has none.
pub const ENDLESS: i64 = i64::MAX;

/// State of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EntryState {
    /// It is presented.
    Present = 0,
    /// It is cancelled. An exception that is cancelled is kept as long as its series.
    Cancelled = 1,
    /// A guest has removed it from their calendar.
    Hidden = 2,
    /// An exception that its series has no instance for any more.
    Dropped = 3,
}

impl EntryState {
    const ALL: [Self; 4] = [Self::Present, Self::Cancelled, Self::Hidden, Self::Dropped];

    pub(crate) fn from_stored(number: i64) -> Option<Self> {
        Self::ALL.into_iter().find(|state| *state as i64 == number)
    }
}

/// Time from the first start to the last end of an entry, in seconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Span {
    /// The first start.
    pub first: i64,
    /// The last end, [`ENDLESS`] for a series without end.
    pub last: i64,
}

/// Kind of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntryKind {
    /// An event that does not recur.
    Single,
    /// A series.
    Series {
        /// What its instances are computed from. The store does not look into it.
        rule: String,
        /// Length of its longest instance, in seconds.
        length: i64,
        /// Weeks of a year in which it can have instances, by [`slot_of`]; empty for any. Not read back.
        slots: Vec<u8>,
    },
    /// An instance of a series that differs from it.
    Exception {
        /// Identifier of the series on the same calendar.
        series: String,
        /// The start that the series gives it, in seconds since 1970.
        original: i64,
    },
}

/// An entry of a calendar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The calendar.
    pub calendar: CalendarNumber,
    /// Its identifier on that calendar.
    pub id: String,
    /// The event.
    pub event: EventNumber,
    /// The change of the calendar that wrote it last.
    pub changed: HistoryId,
    /// When the main data of the event changed last.
    pub updated: Millis,
    /// Its state.
    pub state: EntryState,
    /// When it was removed, where it is to be forgotten one day.
    pub removed: Option<Millis>,
    /// Its identifier on all calendars.
    pub uid: String,
    /// Its kind.
    pub kind: EntryKind,
    /// When it takes place.
    pub span: Span,
    /// What belongs to this copy, as the service writes it.
    pub own: String,
    /// What all copies share, as the service writes it.
    pub shared: String,
}

/// What all copies of an event share, in a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventRef {
    /// An event that is stored.
    Stored(EventNumber),
    /// One of [`EventWrite::new_events`], by its index.
    New(usize),
}

/// An entry as it is to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEntry {
    /// The calendar.
    pub calendar: CalendarNumber,
    /// Its identifier on that calendar.
    pub id: String,
    /// The change that wrote the entry which is replaced; `None` where there must be none.
    pub replaces: Option<HistoryId>,
    /// The event.
    pub event: EventRef,
    /// When the main data of the event changed last.
    pub updated: Millis,
    /// Its state.
    pub state: EntryState,
    /// When it was removed, where it is to be forgotten one day.
    pub removed: Option<Millis>,
    /// Its identifier on all calendars.
    pub uid: String,
    /// Its kind.
    pub kind: EntryKind,
    /// When it takes place.
    pub span: Span,
    /// What belongs to this copy.
    pub own: String,
}

/// A change of entries, which is made as a whole or not at all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventWrite {
    /// Entries that were read for this change: it is not made where one of them was written since.
    pub expected: Vec<(CalendarNumber, String, HistoryId)>,
    /// Identifiers on all calendars that are new to a calendar: the change is not made where an event of it has one,
    /// exceptions apart. The calendar has to be among those of the entries.
    pub new_uids: Vec<(CalendarNumber, String)>,
    /// What copies share of new events.
    pub new_events: Vec<String>,
    /// What copies share of events that are stored.
    pub events: Vec<(EventNumber, String)>,
    /// The entries.
    pub entries: Vec<NewEntry>,
    /// Entries for which there is work to do, and when.
    pub jobs: Vec<(CalendarNumber, String, Millis)>,
    /// Messages that tell of the change, each for a mailbox; one that is not there any more gets none.
    pub mails: Vec<(Mailbox, NewMessage)>,
}

/// Work that is to be done for an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// Its number.
    pub number: i64,
    /// The calendar.
    pub calendar: CalendarNumber,
    /// The identifier of the entry.
    pub id: String,
}

/// Order in which entries are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntryWalk {
    /// By identifier.
    ById,
    /// Those that were updated at a time or later, by that time.
    ByUpdate(Millis),
    /// By change: those after the first change, up to the second one.
    ByChange(HistoryId, HistoryId),
    /// Those with an identifier on all calendars.
    WithUid(String),
}

/// Which entries of a calendar are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryQuery {
    /// The order.
    pub walk: EntryWalk,
    /// Begins after this entry: its time of update or change where entries are read in that order, and its identifier.
    pub after: Option<(i64, String)>,
    /// The epoch that the list began in.
    pub epoch: Option<Epoch>,
    /// Whose long search this is a further step of: such steps take turns with those of others.
    pub search: Option<Mailbox>,
    /// The most that are read.
    pub limit: u32,
}

/// Some entries of a calendar, and the calendar in the same state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryPage {
    /// The calendar.
    pub calendar: Calendar,
    /// The entries.
    pub entries: Vec<Entry>,
    /// Whether there are more.
    pub more: bool,
}

/// A range of time, in seconds since 1970: what starts in it, and what starts before it and goes on in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WindowQuery {
    /// The first second.
    pub from: i64,
    /// The first second that is not part of it.
    pub to: i64,
    /// Whether what starts before it is wanted as well.
    pub overlapping: bool,
    /// The epoch that the list began in.
    pub epoch: Option<Epoch>,
    /// Whose long search this is a further step of: such steps take turns with those of others.
    pub search: Option<Mailbox>,
    /// The most single events and exceptions that are read of each length.
    pub limit: u32,
}

/// A series without its body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeriesLine {
    /// Its identifier.
    pub id: String,
    /// Its state.
    pub state: EntryState,
    /// From its first start to its last end.
    pub span: Span,
    /// What its instances are computed from.
    pub rule: String,
}

/// What can take place in a range of time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// The calendar.
    pub calendar: Calendar,
    /// The first second that is not covered: less than what was asked for where there are too many entries.
    pub to: i64,
    /// Single events and exceptions, by their start.
    pub entries: Vec<Entry>,
    /// Series that may have instances.
    pub series: Vec<SeriesLine>,
    /// Starts for which a series has an exception, presented or not.
    pub originals: Vec<(String, i64)>,
    /// The first start of an entry of the calendar.
    pub first_start: Option<i64>,
}
