//! Messages and their history, as a service sees them.

use serde_derive::{Deserialize, Serialize};

use crate::{Epoch, HistoryId, Label, MessageId, Millis, ThreadId};

/// A message that is to be stored. What of its text can be searched was taken out by whoever has parsed it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NewMessage {
    /// The message as it came.
    pub raw: Vec<u8>,
    /// When it was accepted, which is what lists are ordered by.
    pub date: MessageDate,
    /// The labels that it has from the start.
    pub labels: Vec<Label>,
    /// The beginning of its text.
    pub snippet: String,
    /// How it finds its conversation.
    pub threading: Threading,
    /// What searches look at.
    pub search: Searchable,
    /// It came and was deleted at once: nothing of it is stored, and only the history tells of it.
    pub deleted: bool,
}

/// When a message was accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MessageDate {
    /// When it is stored.
    #[default]
    Received,
    /// At that time.
    At(Millis),
}

/// How a message finds its conversation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Threading {
    /// The conversation that the client names; it must exist.
    pub thread: Option<ThreadId>,
    /// A hash of the message's own `Message-ID`, by which answers will find it.
    pub own: Option<i64>,
    /// Hashes of the identifiers in `In-Reply-To` and `References`, the closest first: the first one that is known
    /// names the conversation.
    pub references: Vec<i64>,
}

/// What searches look at, in the form in which words are looked for; which one that is decides the service.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Searchable {
    /// The addresses and names of who wrote it.
    pub from: String,
    /// The addresses and names of whom it was sent to, copies included.
    pub to: String,
    /// The subject.
    pub subject: String,
    /// The beginning of its text, so long as the service finds reasonable.
    pub text: String,
    /// Whether something is attached to it.
    pub attachment: bool,
}

/// A message without its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Its name.
    pub id: MessageId,
    /// Its conversation.
    pub thread: ThreadId,
    /// Its labels, in the order of their numbers.
    pub labels: Vec<Label>,
    /// The last record of the history that changed it.
    pub history: HistoryId,
    /// When it was accepted.
    pub date: Millis,
    /// How many bytes it has.
    pub size: u64,
    /// The beginning of its text.
    pub snippet: String,
}

/// How a mailbox stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Profile {
    /// How many messages it has.
    pub messages: u64,
    /// How many conversations.
    pub threads: u64,
    /// Where its history stands.
    pub history: HistoryId,
}

/// Which messages are asked for. All conditions hold at once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ListQuery {
    /// Labels that they have, all of them.
    pub labels: Vec<Label>,
    /// Labels that they do not have.
    pub without: Vec<Label>,
    /// What their texts, dates and sizes are like.
    pub filters: Vec<TextFilter>,
    /// Where the page begins; `None`: with the newest message.
    pub from: Option<ListCursor>,
    /// How many at the most.
    pub limit: u32,
}

/// A condition on a message. Texts are in the form of [`Searchable`], and are found anywhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextFilter {
    /// In the names and addresses of who wrote it.
    From(String),
    /// In the names and addresses of whom it was sent to.
    To(String),
    /// In its subject.
    Subject(String),
    /// In any of these, or in the beginning of its text.
    Anywhere(String),
    /// The hash of its `Message-ID`.
    Identifier(i64),
    /// Accepted then or later.
    Since(Millis),
    /// Accepted before.
    Before(Millis),
    /// At least so many bytes.
    Larger(u64),
    /// At most so many bytes.
    Smaller(u64),
    /// Something is attached to it.
    Attachment,
    /// The opposite of another condition.
    Not(Box<TextFilter>),
    /// Any of some conditions.
    Any(Vec<TextFilter>),
    /// It has the label.
    Label(Label),
    /// It has a label that the user has made, whichever.
    OwnLabel,
}

/// A place in a list of messages: after this message, the newest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// When it was accepted, in milliseconds since the start of 1970.
    pub date: i64,
    /// The number of its name.
    pub id: u64,
}

/// Where a list goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListCursor {
    /// The place.
    pub at: Position,
    /// The epoch of the store in which the list was begun.
    pub epoch: Epoch,
}

/// A page of messages, the newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListPage {
    /// Their names and conversations.
    pub messages: Vec<(MessageId, ThreadId)>,
    /// Where the next page begins. A page may be short, or even empty, and still have a next one: how many messages
    /// are looked at for a page is bounded.
    pub next: Option<ListCursor>,
    /// About how many there are in all.
    pub estimate: u64,
}

/// A kind of change. The numbers are stored: they never change their meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// It came into the mailbox.
    Added = 1,
    /// It was deleted for good.
    Deleted = 2,
    /// It was given labels.
    LabelsAdded = 3,
    /// It lost labels.
    LabelsRemoved = 4,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Added, Self::Deleted, Self::LabelsAdded, Self::LabelsRemoved];
}

/// What happened to one message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// What.
    pub kind: Kind,
    /// To which message.
    pub message: MessageId,
    /// Its conversation.
    pub thread: ThreadId,
    /// The labels that it was given or lost; none for the other kinds.
    pub labels: Vec<Label>,
    /// The labels that it had afterwards; before, where it was deleted.
    pub has: Vec<Label>,
}

/// What one operation has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Its number.
    pub id: HistoryId,
    /// What happened, one entry a message and kind.
    pub changes: Vec<Change>,
}

/// Where a reading of the history begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// After a number that somebody got from an earlier answer: it must be one that was issued and is not forgotten.
    Given(HistoryId),
    /// After the page before, whose last record may have been forgotten, if nothing after it was.
    Continued(HistoryCursor),
}

/// A place in a history: after this record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistoryCursor {
    /// The number of the record.
    pub after: HistoryId,
    /// The epoch of the store in which the reading was begun.
    pub epoch: Epoch,
}

/// Which records of the history are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryQuery {
    /// After which.
    pub start: Start,
    /// Only changes of messages that have the label, had it when they were deleted, or were given or lost it. The label
    /// need not be there any more.
    pub label: Option<Label>,
    /// Only these kinds of change; none: all of them.
    pub kinds: Vec<Kind>,
    /// How many records at the most.
    pub limit: u32,
}

/// A page of the history, the oldest record first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryPage {
    /// The records; of each, what was asked for.
    pub records: Vec<Record>,
    /// Where the next page begins, if there are more records.
    pub next: Option<HistoryCursor>,
    /// Where the history of the mailbox stands.
    pub current: HistoryId,
}

/// What is done to messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// Labels are given and taken.
    Labels(crate::LabelChange),
    /// They are deleted for good.
    Delete,
}
