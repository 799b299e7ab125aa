//! Messages and their history.

use serde_derive::{Deserialize, Serialize};

use crate::{Epoch, HistoryId, Label, MessageId, Millis, ThreadId};

/// Message to store. The searchable text is extracted by the code that parses the message.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NewMessage {
    /// Raw message.
    pub raw: Vec<u8>,
    /// Date of acceptance, by which lists are ordered.
    pub date: MessageDate,
    /// Initial labels.
    pub labels: Vec<Label>,
    /// Beginning of the text.
    pub snippet: String,
    /// Data for assigning it to a conversation.
    pub threading: Threading,
    /// Searchable text.
    pub search: SearchableText,
    /// The message was deleted on arrival: only the history records it, and nothing else is stored.
    pub deleted: bool,
}

/// Message that replaces another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    /// Label that the replaced message must have.
    pub label: Label,
    /// New message.
    pub message: NewMessage,
    /// True if the new message keeps the identifier.
    pub keeps_id: bool,
}

/// Date of acceptance of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MessageDate {
    /// The time of storing.
    #[default]
    Received,
    /// The given time.
    At(Millis),
}

/// Data for assigning a message to a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Threading {
    /// Conversation named by the client; it must exist.
    pub thread: Option<ThreadId>,
    /// Hash of the message's own `Message-ID`, by which replies find it.
    pub message_id: Option<i64>,
    /// Hashes of the identifiers in `In-Reply-To` and `References`, the closest first: the first known one determines
    /// the conversation.
    pub references: Vec<i64>,
}

/// Text that searches match against, in a normal form that the service chooses.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SearchableText {
    /// Names and addresses of the sender.
    pub from: String,
    /// Names and addresses of the recipients, including copies.
    pub to: String,
    /// The subject.
    pub subject: String,
    /// Beginning of the body; the service chooses its length.
    pub text: String,
    /// True if the message has an attachment.
    pub attachment: bool,
}

/// Stored message without its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Identifier.
    pub id: MessageId,
    /// Conversation.
    pub thread: ThreadId,
    /// Labels, ordered by number.
    pub labels: Vec<Label>,
    /// Last history record that changed it.
    pub history: HistoryId,
    /// Date of acceptance.
    pub date: Millis,
    /// Size in bytes.
    pub size: u64,
    /// Beginning of the text.
    pub snippet: String,
}

/// Summary of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadSummary {
    /// Beginning of the text of its newest message.
    pub snippet: String,
    /// Last history record that changed one of its messages.
    pub history: HistoryId,
}

/// Summary of a mailbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Profile {
    /// Number of messages.
    pub messages: u64,
    /// Number of conversations.
    pub threads: u64,
    /// Current history number.
    pub history: HistoryId,
}

/// Query for messages. All conditions must hold.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ListQuery {
    /// Conversation of the messages; `None` for any.
    pub thread: Option<ThreadId>,
    /// Labels that messages must all have.
    pub labels: Vec<Label>,
    /// Labels that messages must not have.
    pub excluded_labels: Vec<Label>,
    /// Conditions on texts, dates and sizes.
    pub filters: Vec<TextFilter>,
    /// Cursor of the page; `None` for the newest message.
    pub from: Option<ListCursor>,
    /// Maximum number of messages.
    pub limit: u32,
}

/// Condition on a message. Texts are in the normal form of [`SearchableText`] and match as substrings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextFilter {
    /// In the names and addresses of the sender.
    From(String),
    /// In the names and addresses of the recipients.
    To(String),
    /// In its subject.
    Subject(String),
    /// In any of these, or in the beginning of the body.
    Anywhere(String),
    /// Hash of its `Message-ID`.
    Identifier(i64),
    /// Accepted at or after this time.
    Since(Millis),
    /// Accepted before this time.
    Before(Millis),
    /// Minimum size in bytes.
    Larger(u64),
    /// Maximum size in bytes.
    Smaller(u64),
    /// Has an attachment.
    Attachment,
    /// Negation of a condition.
    Not(Box<TextFilter>),
    /// Disjunction of conditions.
    Any(Vec<TextFilter>),
    /// Has the label.
    Label(Label),
    /// Has any label created by the user.
    OwnLabel,
}

/// Position in a list of messages, after this message, the newest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// Date of acceptance in milliseconds since 1970-01-01 UTC.
    pub date: i64,
    /// Number of its identifier.
    pub id: u64,
}

/// Cursor in a list of messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListCursor {
    /// Position in the list.
    pub at: Position,
    /// Epoch of the store in which the list began.
    pub epoch: Epoch,
}

/// Page of messages, the newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListPage {
    /// Identifiers of the messages and their conversations.
    pub messages: Vec<(MessageId, ThreadId)>,
    /// Cursor of the next page. A page may be short, or even empty, and still have a next one: the number of messages
    /// examined per page is bounded.
    pub next: Option<ListCursor>,
    /// Estimate of the total number of messages.
    pub estimate: u64,
}

/// Kind of change. The numbers are stored and never change their meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeKind {
    /// The message was added to the mailbox.
    Added = 1,
    /// The message was permanently deleted.
    Deleted = 2,
    /// Labels were added.
    LabelsAdded = 3,
    /// Labels were removed.
    LabelsRemoved = 4,
}

impl ChangeKind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Added, Self::Deleted, Self::LabelsAdded, Self::LabelsRemoved];
}

/// Change of one message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageChange {
    /// Kind of change.
    pub kind: ChangeKind,
    /// Changed message.
    pub message: MessageId,
    /// Conversation of the message.
    pub thread: ThreadId,
    /// Labels added or removed; empty for other kinds.
    pub labels: Vec<Label>,
    /// Labels after the change; for a deleted message, before it.
    pub labels_after: Vec<Label>,
}

/// History record: the changes of one operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryRecord {
    /// History number.
    pub id: HistoryId,
    /// Changes, one entry per message and kind.
    pub changes: Vec<MessageChange>,
}

/// Start of reading the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HistoryStart {
    /// After a number, which is a bound: it need not be that of a record, but no later record may have been deleted.
    After(HistoryId),
    /// After the previous page, whose last record may have been deleted if no later one was.
    Cursor(HistoryCursor),
}

/// Cursor in a history, after this record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistoryCursor {
    /// Number of the record.
    pub after: HistoryId,
    /// Epoch of the store in which the reading began.
    pub epoch: Epoch,
}

/// Query for history records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryQuery {
    /// Start of the reading.
    pub start: HistoryStart,
    /// Restricts the changes to messages that have the label, had it when they were deleted, or were added to or
    /// removed from it. The label need not exist any more.
    pub label: Option<Label>,
    /// Kinds of change to return; empty for all.
    pub kinds: Vec<ChangeKind>,
    /// Maximum number of records.
    pub limit: u32,
}

/// Page of the history, the oldest record first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryPage {
    /// Records, with the requested changes only.
    pub records: Vec<HistoryRecord>,
    /// Cursor of the next page, if there are more records.
    pub next: Option<HistoryCursor>,
    /// Current history number of the mailbox.
    pub current: HistoryId,
}

/// Edit of messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// Adds and removes labels.
    Labels(crate::LabelChange),
    /// Deletes the messages permanently.
    Delete,
}
