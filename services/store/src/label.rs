//! System labels and labels of users.

use std::fmt;
use std::str::FromStr;

/// Label within its mailbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label {
    /// Label that every mailbox has.
    System(SystemLabel),
    /// Label created by the user, with its number.
    User(u32),
}

macro_rules! system_labels {
    ($($(#[$doc:meta])* $name:ident = $number:literal $text:literal,)*) => {
        /// Label that every mailbox has. The numbers are stored and never change their meaning.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum SystemLabel { $($(#[$doc])* $name = $number,)* }

        impl SystemLabel {
            /// All system labels.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// Returns the identifier, which is also the name.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

system_labels! {
    /// In the inbox.
    Inbox = 1 "INBOX",
    /// Not read yet.
    Unread = 2 "UNREAD",
    /// Starred.
    Starred = 3 "STARRED",
    /// Important.
    Important = 4 "IMPORTANT",
    /// Sent from this mailbox.
    Sent = 5 "SENT",
    /// Not sent yet.
    Draft = 6 "DRAFT",
    /// To be deleted.
    Trash = 7 "TRASH",
    /// Unwanted.
    Spam = 8 "SPAM",
    /// Part of a chat.
    Chat = 9 "CHAT",
    /// From personal contacts.
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
    /// Returns the label with a name, without regard to surrounding spaces and case.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let name = fold_case(name);
        Self::ALL.iter().find(|label| fold_case(label.as_str()) == name).copied()
    }
}

/// Folds the case of a name, including letters with several lowercase forms: `ſ` is an `s`.
fn fold_case(name: &str) -> String {
    name.trim().to_uppercase().to_lowercase()
}

/// First number that stands for a user's label in the store.
const FIRST_USER_LABEL: i64 = 1 << 10;

impl Label {
    /// Returns the number that stands for the label in the store.
    #[must_use]
    pub fn number(self) -> i64 {
        match self {
            Self::System(label) => label as i64,
            Self::User(number) => FIRST_USER_LABEL + i64::from(number),
        }
    }

    /// Returns the label that a number stands for in the store.
    #[must_use]
    pub fn from_number(number: i64) -> Option<Self> {
        if number >= FIRST_USER_LABEL {
            return u32::try_from(number - FIRST_USER_LABEL).ok().map(Self::User);
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

/// Error of parsing a label identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("is not a label identifier")]
pub struct ParseLabelError;

impl FromStr for Label {
    type Err = ParseLabelError;

    /// Parses exactly what [`Display`](fmt::Display) writes: `Label_07` is no label.
    fn from_str(text: &str) -> Result<Self, ParseLabelError> {
        if let Some(label) = SystemLabel::ALL.iter().find(|one| one.as_str() == text) {
            return Ok(Self::System(*label));
        }
        let digits = text.strip_prefix("Label_").ok_or(ParseLabelError)?;
        let canonical = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let number: u32 = digits.parse().map_err(|_| ParseLabelError)?;
        if canonical && number.to_string() == digits { Ok(Self::User(number)) } else { Err(ParseLabelError) }
    }
}

/// User-defined settings of a label. Texts are those of the API; the store does not interpret them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LabelSettings {
    /// Name, unique in the mailbox without regard to case.
    pub name: String,
    /// Visibility of its messages in the message list.
    pub message_list_visibility: Option<String>,
    /// Visibility in the label list.
    pub label_list_visibility: Option<String>,
    /// Text color and background color.
    pub color: Option<(String, String)>,
}

/// Stored label. A system label has settings as well: its name is its identifier, and they cannot be changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelInfo {
    /// The label.
    pub label: Label,
    /// Its settings.
    pub settings: LabelSettings,
}

/// Numbers of messages and conversations with a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LabelCounts {
    /// Messages.
    pub messages: u64,
    /// Unread messages.
    pub messages_unread: u64,
    /// Conversations with at least one message that has the label.
    pub threads: u64,
    /// Conversations with at least one unread message that has the label.
    pub threads_unread: u64,
}

/// Labels to add to and remove from messages. A label in both is removed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LabelChange {
    /// Labels to add.
    pub add: Vec<Label>,
    /// Labels to remove.
    pub remove: Vec<Label>,
}
