//! What is asked for piece by piece: pages, changes, and what is announced.

use super::{Literal, OperationId, Type};

/// How an answer comes in pages. Parameters are indices of the operation's, fields of the answer's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pages {
    /// The parameter that says how many items a page holds.
    pub size: Option<usize>,
    /// How a further page is asked for.
    pub next: NextPage,
    /// The field that says whether there is a further page.
    pub more: Option<usize>,
    /// The field that holds the items; none where the answer is a list of them.
    pub items: Option<usize>,
}

/// How a further page is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextPage {
    /// By a parameter that takes what a field of the answer gives.
    Token {
        /// The parameter.
        parameter: usize,
        /// The field.
        field: usize,
    },
    /// By a parameter that takes what a field of the last item gives.
    After {
        /// The parameter.
        parameter: usize,
        /// The field of the item.
        field: usize,
    },
    /// By a parameter that is the number of the page.
    Number {
        /// The parameter.
        parameter: usize,
        /// The number of the first page.
        first: i32,
    },
    /// By a parameter that says how many items come before the page.
    Offset {
        /// The parameter.
        parameter: usize,
    },
    /// By the URL in a field of the answer.
    Url {
        /// The field.
        field: usize,
    },
    /// By the URL in the header `Link`.
    Link,
}

impl Pages {
    /// Returns the parameter that asks for a further page.
    #[must_use]
    pub fn parameter(&self) -> Option<usize> {
        match self.next {
            NextPage::Token { parameter, .. }
            | NextPage::After { parameter, .. }
            | NextPage::Number { parameter, .. }
            | NextPage::Offset { parameter } => Some(parameter),
            NextPage::Url { .. } | NextPage::Link => None,
        }
    }
}

/// How changes since an earlier answer are asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Sync {
    /// The parameter that takes the cursor.
    pub resume: usize,
    /// The field of the answer that gives the next cursor.
    pub cursor: usize,
    /// How an answer says that the cursor is not valid any more.
    pub expired: Expired,
    /// What cannot stand beside the cursor.
    pub forbids: Vec<Forbidden>,
    /// The operation that a full synchronisation starts from.
    pub full: Option<OperationId>,
    /// The fields of an item that hold the changes, preferred first.
    pub changes: Vec<ChangeField>,
    /// The field of an item that holds the changes where none of those does.
    pub otherwise: Option<ChangeField>,
}

/// A field of an item that holds changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeField {
    /// The field, by index.
    pub field: usize,
    /// The variant that a change of it becomes: `MessagesAdded`.
    pub variant: String,
}

/// How an expired cursor is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expired {
    /// The status.
    pub status: u16,
    /// The reason in the body.
    pub reason: Option<String>,
    /// The parameter that the error names.
    pub location: Option<String>,
}

/// A parameter, by index, that cannot stand beside a cursor.
#[derive(Clone, Debug, PartialEq)]
pub struct Forbidden {
    /// The parameter.
    pub parameter: usize,
    /// The value that cannot; any when there is none.
    pub value: Option<Literal>,
}

/// A conditional request (RFC 9110, section 13).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Conditional {
    /// A read that answers 304.
    IfNoneMatch,
    /// A write that answers 412.
    IfMatch,
}

/// A channel of announcements. Fields are indices of the body's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watch {
    /// The operations whose answers are watched.
    pub of: Vec<OperationId>,
    /// Where to announce.
    pub address: usize,
    /// The name of the channel.
    pub id: Option<usize>,
    /// What is repeated in every announcement.
    pub token: Option<usize>,
    /// Until when, in milliseconds since the epoch.
    pub expiration: Option<usize>,
    /// The name of what is watched.
    pub resource_id: Option<usize>,
    /// The address of what is watched.
    pub resource_uri: Option<usize>,
    /// The header that says why a notification is sent.
    pub state: Option<String>,
    /// The enum of its values.
    pub states: Option<Type>,
    /// The header that holds the number of a notification.
    pub number: Option<String>,
    /// The operation that closes a channel.
    pub stop: Option<OperationId>,
    /// The headers of a notification and what they hold.
    pub headers: Vec<(String, String)>,
}
