//! What a service can ask of a store.

use std::collections::BTreeMap;
use std::future::Future;

use crate::{
    Calendar, CalendarNumber, Channel, ChannelNumber, Edit, Entry, EntryPage, EntryQuery, EventNumber, EventWrite,
    FoundCalendar, Grant, HistoryId, HistoryPage, HistoryQuery, Job, Label, LabelCounts, LabelInfo, LabelSettings,
    LeaseQuery, LeasedMessage, ListPage, ListQuery, Mailbox, Message, MessageId, MessageKey, MessageOutcome, Millis,
    NewCalendar, NewChannel, NewMessage, NewToken, Profile, Result, Role, Scripts, Share, Token, TokenHash, Upkeep,
    User, Window, WindowQuery,
};

/// Users and their tokens.
pub trait Accounts {
    /// Adds a user with a mailbox, and with a calendar of the same name; `Error::Present` where the address is taken.
    fn add_user(&self, address: &str, name: &str, now: Millis) -> impl Future<Output = Result<User>> + Send;
    /// The user with an address, whatever the case of its letters.
    fn user(&self, address: &str) -> impl Future<Output = Result<User>> + Send;
    /// All users in the order of their addresses.
    fn users(&self) -> impl Future<Output = Result<Vec<User>>> + Send;
    /// Removes a user with all that is theirs.
    fn remove_user(&self, user: Mailbox) -> impl Future<Output = Result<()>> + Send;

    /// Keeps a token.
    fn add_token(&self, token: NewToken) -> impl Future<Output = Result<Token>> + Send;
    /// What a token stands for, if it is known and has not ended.
    fn grant(&self, hash: TokenHash, now: Millis) -> impl Future<Output = Result<Option<Grant>>> + Send;
    /// The tokens of a user, or of all, the oldest first; also those that have ended.
    fn tokens(&self, user: Option<Mailbox>) -> impl Future<Output = Result<Vec<Token>>> + Send;
    /// Forgets a token: it is not accepted from then on.
    fn revoke_token(&self, number: i64) -> impl Future<Output = Result<()>> + Send;

    /// The key of 32 bytes that page tokens are sealed with: random, made when it is first asked for.
    fn sealing_key(&self) -> impl Future<Output = Result<[u8; 32]>> + Send;
}

/// Mailboxes, their labels, messages and history.
pub trait Mailboxes {
    /// How a mailbox stands.
    fn profile(&self, of: Mailbox) -> impl Future<Output = Result<Profile>> + Send;

    /// Stores a message.
    fn insert(&self, of: Mailbox, message: NewMessage, now: Millis) -> impl Future<Output = Result<Message>> + Send;
    /// Stores messages in one transaction, each with a record of its own: all of them or, after an error, none.
    fn insert_all(
        &self,
        of: Mailbox,
        messages: Vec<NewMessage>,
        now: Millis,
    ) -> impl Future<Output = Result<Vec<Message>>> + Send;
    /// Which of these hashes of a `Message-ID` the mailbox has messages for.
    fn known(&self, of: Mailbox, identifiers: Vec<i64>) -> impl Future<Output = Result<Vec<i64>>> + Send;

    /// A message without its text.
    fn message(&self, of: Mailbox, id: MessageId) -> impl Future<Output = Result<Message>> + Send;
    /// A message and what it was stored as.
    fn whole_message(&self, of: Mailbox, id: MessageId) -> impl Future<Output = Result<(Message, Vec<u8>)>> + Send;
    /// A part of what a message was stored as: up to `most` bytes from the byte `from` on, and fewer where the store keeps
    /// the next ones apart; none at the end.
    fn message_part(
        &self,
        of: Mailbox,
        id: MessageId,
        from: u64,
        most: usize,
    ) -> impl Future<Output = Result<Vec<u8>>> + Send;
    /// Messages, the newest first.
    fn messages(&self, of: Mailbox, query: ListQuery) -> impl Future<Output = Result<ListPage>> + Send;

    /// Does something to a message and answers how it is then (as it was, where it is deleted). Nothing is recorded
    /// where nothing changes.
    fn edit(&self, of: Mailbox, id: MessageId, edit: Edit, now: Millis)
    -> impl Future<Output = Result<Message>> + Send;
    /// Does something to messages in one transaction and one record of the history. Those that are not there are
    /// passed over.
    fn edit_all(
        &self,
        of: Mailbox,
        ids: Vec<MessageId>,
        edit: Edit,
        now: Millis,
    ) -> impl Future<Output = Result<()>> + Send;

    /// All labels: those of the system, then those of the user in the order in which they were made.
    fn labels(&self, of: Mailbox) -> impl Future<Output = Result<Vec<LabelInfo>>> + Send;
    /// A label, without what would have to be counted.
    fn label(&self, of: Mailbox, label: Label) -> impl Future<Output = Result<LabelInfo>> + Send;
    /// How many messages and conversations have a label. The counts are kept up to date by every write.
    fn label_counts(&self, of: Mailbox, label: Label) -> impl Future<Output = Result<LabelCounts>> + Send;
    /// Makes a label; `Error::Present` where the name is taken by another, or by one of the system.
    fn add_label(&self, of: Mailbox, settings: LabelSettings) -> impl Future<Output = Result<LabelInfo>> + Send;
    /// Changes what is decided about a label of the user: `change` is called with the label as it is, in the transaction.
    /// Returns the changed label and what else `change` returned, or the caller's own error.
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
    /// Deletes a label of the user and takes it from all messages, which the history tells. It disappears at once from
    /// the labels; from messages in steps, so that nobody waits for a large mailbox.
    fn remove_label(&self, of: Mailbox, label: Label, now: Millis) -> impl Future<Output = Result<()>> + Send;

    /// What has changed in a mailbox; `Error::Expired` where the start was never issued or is forgotten, and
    /// `Error::Absent` where there never was such a label.
    fn history(&self, of: Mailbox, query: HistoryQuery) -> impl Future<Output = Result<HistoryPage>> + Send;
    /// Returns the number after which the last `count` records come, of all or of those up to a number: a start for
    /// [`history`](Self::history).
    fn history_start(
        &self,
        of: Mailbox,
        until: Option<HistoryId>,
        count: u32,
    ) -> impl Future<Output = Result<HistoryId>> + Send;
}

/// Calendars, their settings, and whom they are shared with.
pub trait Calendars {
    /// Adds a calendar; `Error::Present` where the identifier is taken.
    fn add_calendar(&self, calendar: NewCalendar, now: Millis) -> impl Future<Output = Result<Calendar>> + Send;
    /// The calendars of a user, or of all, in the order of their identifiers.
    fn calendars(&self, owner: Option<Mailbox>) -> impl Future<Output = Result<Vec<Calendar>>> + Send;
    /// Finds calendars by their identifiers, and what a user may do with each. The calendar of a user is found by their
    /// address in any case of its letters.
    fn find_calendars(
        &self,
        ids: Vec<String>,
        user: Mailbox,
    ) -> impl Future<Output = Result<Vec<FoundCalendar>>> + Send;
    /// Lists the calendars that a user sees, with what they may do: their own in the order of their identifiers, then
    /// those that are shared with them in the order in which they were made.
    fn visible_calendars(&self, user: Mailbox) -> impl Future<Output = Result<Vec<(Calendar, Role)>>> + Send;
    /// Changes title, time zone and settings of a calendar. Its entries stay as they are: what depends on the zone is for the
    /// service to change.
    fn set_calendar<F>(
        &self,
        calendar: CalendarNumber,
        change: F,
        now: Millis,
    ) -> impl Future<Output = Result<Calendar>> + Send
    where
        F: FnOnce(&mut Calendar) + Send + 'static;
    /// Removes a calendar with its entries; the one that has its owner's address is refused.
    fn remove_calendar(&self, id: &str) -> impl Future<Output = Result<()>> + Send;
    /// Shares a calendar with a user, or not any more.
    fn share_calendar(
        &self,
        calendar: CalendarNumber,
        user: Mailbox,
        role: Option<Role>,
    ) -> impl Future<Output = Result<()>> + Send;
    /// The users that a calendar is shared with.
    fn calendar_shares(&self, calendar: CalendarNumber) -> impl Future<Output = Result<Vec<Share>>> + Send;
}

/// Events on calendars. An event is stored once and has an entry on each calendar that it is on; what is in an event, and
/// when its instances are, is for the service to say.
pub trait Events {
    /// Changes entries, in one transaction, as one change of each calendar. `Error::Outdated` where something that the
    /// change is based on was written since it was read. Returns the change of each calendar.
    fn write_events(
        &self,
        write: EventWrite,
        now: Millis,
    ) -> impl Future<Output = Result<BTreeMap<CalendarNumber, HistoryId>>> + Send;
    /// Entries of a calendar by their identifiers, whatever their state.
    fn entries(
        &self,
        calendar: CalendarNumber,
        ids: Vec<String>,
    ) -> impl Future<Output = Result<Vec<Option<Entry>>>> + Send;
    /// The entries of an event on all calendars.
    fn copies(&self, event: EventNumber) -> impl Future<Output = Result<Vec<Entry>>> + Send;
    /// The exceptions of a series whose original start is in a range of seconds, in its order.
    fn exceptions(
        &self,
        calendar: CalendarNumber,
        series: &str,
        range: (i64, i64),
        limit: u32,
    ) -> impl Future<Output = Result<Vec<Entry>>> + Send;
    /// Work that is due, the earliest first.
    fn due_jobs(&self, now: Millis, limit: u32) -> impl Future<Output = Result<Vec<Job>>> + Send;
    /// Ends work, or puts it off to another time.
    fn end_job(&self, number: i64, again: Option<Millis>) -> impl Future<Output = Result<()>> + Send;
    /// Entries in an order, a page at a time. `Error::Expired` where changes are wanted that are forgotten.
    fn walk(&self, calendar: CalendarNumber, query: EntryQuery) -> impl Future<Output = Result<EntryPage>> + Send;
    /// What can take place in a range of time.
    fn window(&self, calendar: CalendarNumber, query: WindowQuery) -> impl Future<Output = Result<Window>> + Send;
}

/// Channels on which changes of calendars are announced, and the messages that are to be sent on them.
///
/// A change of a calendar marks its channels in its own transaction. A message stands for all changes up to it; while one
/// is on its way, further changes are gathered for the next one. Messages of a channel are sent one after the other, in
/// the order of their numbers.
pub trait Channels {
    /// Opens a channel, whose first message is due; it announces the changes from then on. `Error::Absent` where the user
    /// cannot see the calendar, `Error::Present` where they have such a channel, `Error::Refused` where they have too many.
    fn open_channel(&self, channel: NewChannel, now: Millis) -> impl Future<Output = Result<ChannelNumber>> + Send;
    /// Stops a channel of a user, on which nothing is sent from then on.
    fn stop_channel(
        &self,
        user: Mailbox,
        id: &str,
        resource_id: &str,
        now: Millis,
    ) -> impl Future<Output = Result<()>> + Send;
    /// The channels of a user, or of all, with what was sent on them last; also those that have expired.
    fn channels(&self, user: Option<Mailbox>) -> impl Future<Output = Result<Vec<Channel>>> + Send;
    /// Tells whether a message is due that nobody has a lease of, by the clocks of [`LeaseQuery`]. Nothing is written, so
    /// that it can be asked often.
    fn has_due_messages(&self, now: Millis, machine: Millis) -> impl Future<Output = Result<bool>> + Send;
    /// Leases messages that are due, the earliest first: nobody else gets them until the lease has ended.
    fn lease_messages(&self, query: LeaseQuery) -> impl Future<Output = Result<Vec<LeasedMessage>>> + Send;
    /// Says what came of a message; answers whether the lease still held, without which nothing is changed.
    fn settle_message(
        &self,
        message: MessageKey,
        outcome: MessageOutcome,
        now: Millis,
    ) -> impl Future<Output = Result<bool>> + Send;
}

/// A store: everything that the services can ask for.
pub trait Store:
    Accounts + Mailboxes + Calendars + Events + Channels + Scripts + Upkeep + Clone + Send + Sync + 'static
{
}

impl<T: Accounts + Mailboxes + Calendars + Events + Channels + Scripts + Upkeep + Clone + Send + Sync + 'static> Store
    for T
{
}
