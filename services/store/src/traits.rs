//! Traits of a store.

use std::collections::BTreeMap;
use std::future::Future;

use crate::{
    Calendar, CalendarAccess, CalendarNumber, ChangeSize, Channel, ChannelNumber, Edit, Entry, EntryHead, EntryPage,
    EntryQuery, EventNumber, EventWrite, Grant, HistoryId, HistoryPage, HistoryQuery, Job, Label, LabelCounts,
    LabelInfo, LabelSettings, LeaseQuery, LeasedMessage, ListPage, ListQuery, Mailbox, Maintenance, Message, MessageId,
    MessageKey, MessageOutcome, Millis, NewCalendar, NewChannel, NewMessage, NewToken, Profile, Replacement, Result,
    Role, Scripts, Share, ThreadId, ThreadSummary, Token, TokenHash, User, Window, WindowQuery,
};

/// Users and their tokens.
pub trait Accounts {
    /// Adds a user with a mailbox and a calendar of the same name; `Error::AlreadyExists` if the address is taken.
    fn add_user(&self, address: &str, name: &str, now: Millis) -> impl Future<Output = Result<User>> + Send;
    /// Returns the user with an address, compared without regard to case.
    fn user(&self, address: &str) -> impl Future<Output = Result<User>> + Send;
    /// Returns all users, ordered by address.
    fn users(&self) -> impl Future<Output = Result<Vec<User>>> + Send;
    /// Removes a user with all of their data.
    fn remove_user(&self, user: Mailbox) -> impl Future<Output = Result<()>> + Send;

    /// Stores a token.
    fn add_token(&self, token: NewToken) -> impl Future<Output = Result<Token>> + Send;
    /// Returns the grant of a token if the token is known and has not expired.
    fn find_grant(&self, hash: TokenHash, now: Millis) -> impl Future<Output = Result<Option<Grant>>> + Send;
    /// Returns the tokens of a user, or of all users, the oldest first, including expired ones.
    fn tokens(&self, user: Option<Mailbox>) -> impl Future<Output = Result<Vec<Token>>> + Send;
    /// Revokes a token, which is not accepted from then on.
    fn revoke_token(&self, number: i64) -> impl Future<Output = Result<()>> + Send;

    /// Returns the 32-byte key for sealing page tokens: random, generated on first use.
    fn sealing_key(&self) -> impl Future<Output = Result<[u8; 32]>> + Send;
}

/// Mailboxes, their labels, messages and history.
pub trait Mailboxes {
    /// Returns the profile of a mailbox.
    fn profile(&self, of: Mailbox) -> impl Future<Output = Result<Profile>> + Send;

    /// Stores a message.
    fn insert_message(
        &self,
        of: Mailbox,
        message: NewMessage,
        now: Millis,
    ) -> impl Future<Output = Result<Message>> + Send;
    /// Stores messages in one transaction, each with a history record of its own: all of them or, on error, none.
    fn insert_messages(
        &self,
        of: Mailbox,
        messages: Vec<NewMessage>,
        now: Millis,
    ) -> impl Future<Output = Result<Vec<Message>>> + Send;
    /// Returns those of the given `Message-ID` hashes that the mailbox has messages for.
    fn known_identifiers(&self, of: Mailbox, identifiers: Vec<i64>) -> impl Future<Output = Result<Vec<i64>>> + Send;

    /// Returns a message without its content.
    fn message(&self, of: Mailbox, id: MessageId) -> impl Future<Output = Result<Message>> + Send;
    /// Returns a message and its raw content.
    fn whole_message(&self, of: Mailbox, id: MessageId) -> impl Future<Output = Result<(Message, Vec<u8>)>> + Send;
    /// Returns a part of the raw content of a message: up to `max` bytes from the byte `from` on. The part may be
    /// shorter, where the content is stored in chunks; it is empty at the end.
    fn message_part(
        &self,
        of: Mailbox,
        id: MessageId,
        from: u64,
        max: usize,
    ) -> impl Future<Output = Result<Vec<u8>>> + Send;
    /// Lists messages, the newest first.
    fn messages(&self, of: Mailbox, query: ListQuery) -> impl Future<Output = Result<ListPage>> + Send;

    /// Returns the conversations with the given identifiers; `None` for one without messages.
    fn threads(
        &self,
        of: Mailbox,
        ids: Vec<ThreadId>,
    ) -> impl Future<Output = Result<Vec<Option<ThreadSummary>>>> + Send;
    /// Replaces a message in one transaction, with a history record for its deletion and one for the new message, which
    /// is in the same conversation unless it names another one. `Error::NotFound` if there is no message that has the
    /// label of the replacement.
    fn replace_message(
        &self,
        of: Mailbox,
        id: MessageId,
        replacement: Replacement,
        now: Millis,
    ) -> impl Future<Output = Result<Message>> + Send;

    /// Edits a message and returns its new state (its last state if it is deleted). Nothing is recorded if nothing
    /// changes.
    fn edit_message(
        &self,
        of: Mailbox,
        id: MessageId,
        edit: Edit,
        now: Millis,
    ) -> impl Future<Output = Result<Message>> + Send;
    /// Edits messages in one transaction and one history record, or in several if they add and remove thousands of labels.
    /// On an error that is due to the edit itself nothing is changed. Messages that do not exist are skipped.
    fn edit_messages(
        &self,
        of: Mailbox,
        ids: Vec<MessageId>,
        edit: Edit,
        now: Millis,
    ) -> impl Future<Output = Result<()>> + Send;

    /// Returns all labels: system labels first, then the user's labels in order of creation.
    fn labels(&self, of: Mailbox) -> impl Future<Output = Result<Vec<LabelInfo>>> + Send;
    /// Returns a label without its counts.
    fn label(&self, of: Mailbox, label: Label) -> impl Future<Output = Result<LabelInfo>> + Send;
    /// Returns the numbers of messages and conversations with a label. Every write keeps the counts up to date.
    fn label_counts(&self, of: Mailbox, label: Label) -> impl Future<Output = Result<LabelCounts>> + Send;
    /// Creates a label; `Error::AlreadyExists` if the name is that of another label or of a system label.
    fn add_label(&self, of: Mailbox, settings: LabelSettings) -> impl Future<Output = Result<LabelInfo>> + Send;
    /// Updates the settings of a user's label: `change` is called with the current label, inside the transaction.
    /// Returns the changed label and the other value that `change` returned, or the error of `change`.
    fn update_label<T, E, F>(
        &self,
        of: Mailbox,
        label: Label,
        change: F,
    ) -> impl Future<Output = Result<std::result::Result<(LabelInfo, T), E>>> + Send
    where
        T: Send + 'static,
        E: Send + 'static,
        F: FnOnce(LabelInfo) -> std::result::Result<(LabelSettings, T), E> + Send + 'static;
    /// Deletes a user's label and removes it from all messages, with history records. The label disappears from the
    /// list at once; it is removed from messages in steps, so that a large mailbox blocks no other request.
    fn remove_label(&self, of: Mailbox, label: Label, now: Millis) -> impl Future<Output = Result<()>> + Send;

    /// Lists the changes of a mailbox; `Error::Expired` if the start was never issued or was deleted, `Error::NotFound`
    /// if the label never existed.
    fn history(&self, of: Mailbox, query: HistoryQuery) -> impl Future<Output = Result<HistoryPage>> + Send;
    /// Returns the number that precedes the last `count` records, of all records or of those up to a number: a start
    /// for [`history`](Self::history).
    fn history_start(
        &self,
        of: Mailbox,
        until: Option<HistoryId>,
        count: u32,
    ) -> impl Future<Output = Result<HistoryId>> + Send;
}

/// Calendars, their settings and shares.
pub trait Calendars {
    /// Adds a calendar; `Error::AlreadyExists` if the identifier is taken.
    fn add_calendar(&self, calendar: NewCalendar, now: Millis) -> impl Future<Output = Result<Calendar>> + Send;
    /// Returns the calendars of a user, or of all users, ordered by identifier.
    fn calendars(&self, owner: Option<Mailbox>) -> impl Future<Output = Result<Vec<Calendar>>> + Send;
    /// Finds calendars by identifier, with the role of a user on each. A user's own calendar is found by their address
    /// without regard to case.
    fn find_calendars(
        &self,
        ids: Vec<String>,
        user: Mailbox,
    ) -> impl Future<Output = Result<Vec<CalendarAccess>>> + Send;
    /// Lists the calendars that a user can see, with their role: their own calendars ordered by identifier, then those
    /// shared with them in order of creation.
    fn visible_calendars(&self, user: Mailbox) -> impl Future<Output = Result<Vec<(Calendar, Role)>>> + Send;
    /// Changes the title, time zone and settings of a calendar. Its entries are not changed: the service updates those
    /// that depend on the time zone.
    fn update_calendar<F>(
        &self,
        calendar: CalendarNumber,
        change: F,
        now: Millis,
    ) -> impl Future<Output = Result<Calendar>> + Send
    where
        F: FnOnce(&mut Calendar) + Send + 'static;
    /// Removes a calendar with its entries; refuses the one that has its owner's address.
    fn remove_calendar(&self, id: &str) -> impl Future<Output = Result<()>> + Send;
    /// Shares a calendar with a user; with `None`, stops sharing it.
    fn share_calendar(
        &self,
        calendar: CalendarNumber,
        user: Mailbox,
        role: Option<Role>,
    ) -> impl Future<Output = Result<()>> + Send;
    /// Returns the users that a calendar is shared with.
    fn calendar_shares(&self, calendar: CalendarNumber) -> impl Future<Output = Result<Vec<Share>>> + Send;
}

/// Events on calendars. An event is stored once and has an entry on each calendar that it is on. The content of an
/// event and the times of its instances are up to the service.
pub trait Events {
    /// Changes entries in one transaction, as one change of each calendar. `Error::Outdated` if data that the change is
    /// based on was modified since it was read, or if an entry or a UID that must be new exists. Returns the history
    /// number of the change for each calendar.
    fn write_events(
        &self,
        write: EventWrite,
        now: Millis,
    ) -> impl Future<Output = Result<BTreeMap<CalendarNumber, HistoryId>>> + Send;
    /// Returns entries of a calendar by identifier, in any state.
    fn entries(
        &self,
        calendar: CalendarNumber,
        ids: Vec<String>,
    ) -> impl Future<Output = Result<Vec<Option<Entry>>>> + Send;
    /// Like [`entries`](Self::entries), with their size and that of their exceptions; `None` if the entries have more than
    /// `max` bytes.
    fn entries_within(
        &self,
        calendar: CalendarNumber,
        ids: Vec<String>,
        max: u64,
    ) -> impl Future<Output = Result<(ChangeSize, Option<Vec<Option<Entry>>>)>> + Send;
    /// Like [`entries`](Self::entries), but only the first of them, at least one, whose content takes half a mebibyte.
    fn some_entries(
        &self,
        calendar: CalendarNumber,
        ids: Vec<String>,
    ) -> impl Future<Output = Result<Vec<Option<Entry>>>> + Send;
    /// Returns the entries of an event on all calendars.
    fn event_entries(&self, event: EventNumber) -> impl Future<Output = Result<Vec<Entry>>> + Send;
    /// Returns the exceptions of a series whose original start is in a range of seconds, ordered by original start.
    fn exceptions(
        &self,
        calendar: CalendarNumber,
        series: &str,
        range: (i64, i64),
        limit: u32,
    ) -> impl Future<Output = Result<Vec<Entry>>> + Send;
    /// Returns the exceptions of a series without their content, ordered by original start.
    fn exception_heads(
        &self,
        calendar: CalendarNumber,
        series: &str,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<EntryHead>>> + Send;
    /// Returns jobs that are due, the earliest first.
    fn due_jobs(&self, now: Millis, limit: u32) -> impl Future<Output = Result<Vec<Job>>> + Send;
    /// Removes a job, or reschedules it.
    fn end_job(&self, number: i64, again: Option<Millis>) -> impl Future<Output = Result<()>> + Send;
    /// Lists entries in an order, one page at a time, with at most half a mebibyte of content after the first. `Error::Expired` if the requested changes were deleted.
    fn list_entries(
        &self,
        calendar: CalendarNumber,
        query: EntryQuery,
    ) -> impl Future<Output = Result<EntryPage>> + Send;
    /// Returns the entries and series that can take place in a time range.
    fn read_window(&self, calendar: CalendarNumber, query: WindowQuery) -> impl Future<Output = Result<Window>> + Send;
    /// Runs work that takes long, such as the expansion of series, on a thread of its own when it is the turn of the user, or
    /// of the operator, among searches. It runs to its end even if the caller does not wait for it.
    fn run_in_turn<T, F>(&self, user: Option<Mailbox>, work: F) -> impl Future<Output = Result<T>> + Send
    where
        T: Send + 'static,
        F: FnOnce() -> T + Send + 'static;
}

/// Channels for notifications about calendar changes, and the messages that are sent on them.
///
/// A change of a calendar marks its channels in its own transaction. A message covers all changes up to it; while one
/// is being sent, further changes are collected for the next one. Messages of a channel are sent one at a time, in the
/// order of their numbers.
pub trait Channels {
    /// Opens a channel, whose first message is due at once; it announces the changes from then on. `Error::NotFound` if
    /// the user cannot see the calendar, `Error::AlreadyExists` if they already have a channel with the identifier,
    /// `Error::Refused` if they have too many channels.
    fn open_channel(&self, channel: NewChannel, now: Millis) -> impl Future<Output = Result<ChannelNumber>> + Send;
    /// Stops a channel of a user; nothing is sent on it from then on.
    fn stop_channel(
        &self,
        user: Mailbox,
        id: &str,
        resource_id: &str,
        now: Millis,
    ) -> impl Future<Output = Result<()>> + Send;
    /// Returns the channels of a user, or of all users, with the last attempt on each, including expired ones.
    fn channels(&self, user: Option<Mailbox>) -> impl Future<Output = Result<Vec<Channel>>> + Send;
    /// Returns whether a message is due that no sender holds a lease of, by the clocks of [`LeaseQuery`]. Writes
    /// nothing,
    /// so that it can be polled.
    fn has_due_messages(&self, now: Millis, machine: Millis) -> impl Future<Output = Result<bool>> + Send;
    /// Leases messages that are due, the earliest first: no other sender gets them until the lease expires.
    fn lease_messages(&self, query: LeaseQuery) -> impl Future<Output = Result<Vec<LeasedMessage>>> + Send;
    /// Records the outcome of a message. Returns whether the lease was still held; if not, nothing is changed.
    fn settle_message(
        &self,
        message: MessageKey,
        outcome: MessageOutcome,
        now: Millis,
    ) -> impl Future<Output = Result<bool>> + Send;
}

/// A complete store: all traits that the services use.
pub trait Store:
    Accounts + Mailboxes + Calendars + Events + Channels + Scripts + Maintenance + Clone + Send + Sync + 'static
{
}

impl<T: Accounts + Mailboxes + Calendars + Events + Channels + Scripts + Maintenance + Clone + Send + Sync + 'static>
    Store for T
{
}
