//! Labels: those that every mailbox has, and those that its user makes.

use std::fmt;
use std::str::FromStr;

/// A label within its mailbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label {
    /// One that every mailbox has.
    System(SystemLabel),
    /// One that the user has made: its number.
    User(u32),
}

macro_rules! system_labels {
    ($($(#[$doc:meta])* $name:ident = $number:literal $text:literal,)*) => {
        /// A label that every mailbox has. The numbers are stored: they never change their meaning.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum SystemLabel { $($(#[$doc])* $name = $number,)* }

        impl SystemLabel {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The identifier, which is the name as well.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

system_labels! {
    /// It lies in the inbox.
    Inbox = 1 "INBOX",
    /// It has not been read.
    Unread = 2 "UNREAD",
    /// It is marked with a star.
    Starred = 3 "STARRED",
    /// It is held to be important.
    Important = 4 "IMPORTANT",
    /// It was sent from this mailbox.
    Sent = 5 "SENT",
    /// It has not been sent yet.
    Draft = 6 "DRAFT",
    /// It is to be deleted.
    Trash = 7 "TRASH",
    /// It is unwanted.
    Spam = 8 "SPAM",
    /// It belongs to a chat.
    Chat = 9 "CHAT",
    /// From people one knows.
    Personal = 10 "CATEGORY_PERSONAL",
    /// From social networks.
    Social = 11 "CATEGORY_SOCIAL",
    /// Offers and advertisements.
    Promotions = 12 "CATEGORY_PROMOTIONS",
    /// Confirmations, bills, notices.
    Updates = 13 "CATEGORY_UPDATES",
    /// From mailing lists.
    Forums = 14 "CATEGORY_FORUMS",
}

impl SystemLabel {
    /// Returns the label whose name a text is read as: spaces around it and the case of its letters make no other name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        let name = folded(name);
        Self::ALL.iter().find(|label| folded(label.as_str()) == name).copied()
    }
}

/// Folds the case of a name, also where a letter has several small ones: `ſ` is an `s`.
fn folded(name: &str) -> String {
    name.trim().to_uppercase().to_lowercase()
}

/// The first number that a label of a user is stored under.
const FIRST: i64 = 1 << 10;

impl Label {
    /// The number that the label is stored under.
    #[must_use]
    pub fn number(self) -> i64 {
        match self {
            Self::System(label) => label as i64,
            Self::User(number) => FIRST + i64::from(number),
        }
    }

    /// The label that is stored under a number.
    #[must_use]
    pub fn from_number(number: i64) -> Option<Self> {
        if number >= FIRST {
            return u32::try_from(number - FIRST).ok().map(Self::User);
        }
        SystemLabel::ALL.iter().find(|one| **one as i64 == number).map(|one| Self::System(*one))
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::System(label) => f.write_str(label.as_str()),
            Self::User(number) => write!(f, "Label_{number}"),
        }
    }
}

/// That a text is not the identifier of a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("is not the identifier of a label")]
pub struct NotALabel;

impl FromStr for Label {
    type Err = NotALabel;

    /// Reads what [`Display`](fmt::Display) writes, and nothing else: `Label_07` is no label.
    fn from_str(text: &str) -> Result<Self, NotALabel> {
        if let Some(label) = SystemLabel::ALL.iter().find(|one| one.as_str() == text) {
            return Ok(Self::System(*label));
        }
        let digits = text.strip_prefix("Label_").ok_or(NotALabel)?;
        let canonical = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let number: u32 = digits.parse().map_err(|_| NotALabel)?;
        if canonical && number.to_string() == digits { Ok(Self::User(number)) } else { Err(NotALabel) }
    }
}

/// What a user decides about a label. Texts are those of the wire; the store does not interpret them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LabelSettings {
    /// The name, unique in the mailbox whatever the case of its letters.
    pub name: String,
    /// Whether its messages are shown in the list of messages.
    pub message_list_visibility: Option<String>,
    /// Whether it is shown in the list of labels.
    pub label_list_visibility: Option<String>,
    /// The colour of its text and that behind it.
    pub color: Option<(String, String)>,
}

/// A label as it is stored. A system label has settings as well: its name is its identifier, and no user changes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelInfo {
    /// Which label.
    pub label: Label,
    /// What is decided about it.
    pub settings: LabelSettings,
}

/// How many messages and conversations have a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LabelCounts {
    /// Messages.
    pub messages: u64,
    /// Messages that are unread.
    pub messages_unread: u64,
    /// Conversations with at least one message that has the label.
    pub threads: u64,
    /// Conversations with at least one unread message that has the label.
    pub threads_unread: u64,
}

/// Which labels messages are given and which they lose. A label in both is lost.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LabelChange {
    /// Labels that are given.
    pub add: Vec<Label>,
    /// Labels that are taken.
    pub remove: Vec<Label>,
}
