//! Pagination, synchronization and watch channels.

use super::{Literal, OperationId, Type};

/// Path of a field within a response, through resources: an index into the fields of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldPath {
    indices: [usize; Self::MAX],
    length: usize,
}

impl FieldPath {
    /// Maximum number of fields in a path.
    pub const MAX: usize = 4;

    /// Creates the path of these fields; `None` if there are none, or too many.
    #[must_use]
    pub fn new(fields: &[usize]) -> Option<Self> {
        let mut indices = [0; Self::MAX];
        indices.get_mut(..fields.len()).filter(|it| !it.is_empty())?.copy_from_slice(fields);
        Some(Self { indices, length: fields.len() })
    }

    /// Returns the fields, the outermost first.
    #[must_use]
    pub fn fields(&self) -> &[usize] {
        &self.indices[..self.length]
    }

    /// Returns the field, if it is one of the response itself.
    #[must_use]
    pub fn of_response(self) -> Option<usize> {
        (self.length == 1).then_some(self.indices[0])
    }
}

/// Pagination of a response. Parameters are indices into those of the operation, or into the fields of the request body;
/// fields are paths within the response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pages {
    /// True if the parameters are fields of the request body.
    pub in_body: bool,
    /// Parameter of the page size.
    pub size: Option<usize>,
    /// How the next page is requested.
    pub next: NextPage,
    /// Boolean field that is true if there is another page.
    pub more: Option<FieldPath>,
    /// Boolean field that is true in the last page.
    pub last: Option<FieldPath>,
    /// Field with the number of pages.
    pub total_pages: Option<FieldPath>,
    /// Field with the number of items in all pages.
    pub total: Option<FieldPath>,
    /// Field with the number of the page.
    pub current: Option<FieldPath>,
    /// Field that holds the items; `None` if the response is a list itself.
    pub items: Option<FieldPath>,
}

/// How the next page is requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextPage {
    /// With a page token: a parameter takes the value of a response field.
    Token {
        /// Parameter of the page token.
        parameter: usize,
        /// Response field of the next page token.
        field: FieldPath,
    },
    /// With a cursor: a parameter takes the value of a field of the last item.
    After {
        /// Parameter of the cursor.
        parameter: usize,
        /// Field of the item.
        field: usize,
    },
    /// With a page number.
    Number {
        /// Parameter of the page number.
        parameter: usize,
        /// Number of the first page.
        first: i32,
    },
    /// With an offset: the number of items before the page.
    Offset {
        /// Parameter of the offset.
        parameter: usize,
        /// Offset of the first item.
        first: i32,
    },
    /// With the URL in a field of the response.
    Url {
        /// Field of the URL.
        field: FieldPath,
    },
    /// With the URL in the `Link` header.
    Link,
}

impl Pages {
    /// Returns the parameter of the operation that selects the page.
    #[must_use]
    pub fn parameter(&self) -> Option<usize> {
        self.request_value().filter(|_| !self.in_body)
    }

    /// Returns the fields of the response that state where the list ends, or which page it is, besides the items and
    /// the next page token.
    pub fn position_fields(&self) -> impl Iterator<Item = FieldPath> {
        [self.more, self.last, self.total_pages, self.total, self.current].into_iter().flatten()
    }

    /// Returns the parameter, or the field of the body, that selects the page.
    #[must_use]
    pub fn request_value(&self) -> Option<usize> {
        match self.next {
            NextPage::Token { parameter, .. }
            | NextPage::After { parameter, .. }
            | NextPage::Number { parameter, .. }
            | NextPage::Offset { parameter, .. } => Some(parameter),
            NextPage::Url { .. } | NextPage::Link => None,
        }
    }
}

/// Incremental synchronization: requests for the changes since an earlier response.
#[derive(Clone, Debug, PartialEq)]
pub struct IncrementalSync {
    /// Parameter of the sync token.
    pub resume: usize,
    /// Response field of the next sync token.
    pub cursor: usize,
    /// Response that reports an expired sync token.
    pub expired: ExpiredToken,
    /// Parameters that cannot be combined with the sync token.
    pub forbidden: Vec<ForbiddenParameter>,
    /// Operation from which a full synchronization starts.
    pub full: Option<OperationId>,
    /// Fields of an item that hold changes, preferred first.
    pub changes: Vec<ChangeField>,
    /// Field of an item that holds the change if none of those is set.
    pub fallback: Option<ChangeField>,
}

/// Field of an item that holds changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeField {
    /// Index of the field.
    pub field: usize,
    /// Variant for a change in this field: `MessagesAdded`.
    pub variant: String,
}

/// Response that reports an expired sync token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpiredToken {
    /// Status.
    pub status: u16,
    /// Reason in the body.
    pub reason: Option<String>,
    /// Parameter that the error names as its location.
    pub location: Option<String>,
}

/// Parameter that cannot be combined with a sync token.
#[derive(Clone, Debug, PartialEq)]
pub struct ForbiddenParameter {
    /// Index of the parameter.
    pub parameter: usize,
    /// Forbidden value; `None` if any value is.
    pub value: Option<Literal>,
}

/// Conditional request (RFC 9110, section 13).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Conditional {
    /// Read that can return 304.
    IfNoneMatch,
    /// Write that can return 412.
    IfMatch,
}

/// Watch channel for notifications. Fields are indices into those of the body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watch {
    /// Operations whose responses are watched.
    pub operations: Vec<OperationId>,
    /// Field of the callback URL.
    pub address: usize,
    /// Field of the channel identifier.
    pub id: Option<usize>,
    /// Field of the token that every notification repeats.
    pub token: Option<usize>,
    /// Field of the expiration, in milliseconds since the epoch.
    pub expiration: Option<usize>,
    /// Field of the identifier of the watched resource.
    pub resource_id: Option<usize>,
    /// Field of the URI of the watched resource.
    pub resource_uri: Option<usize>,
    /// Header with the state, which is the reason for a notification.
    pub state: Option<String>,
    /// Enum of the values of that header.
    pub states: Option<Type>,
    /// Header of the number of a notification.
    pub number: Option<String>,
    /// Operation that closes a channel.
    pub stop: Option<OperationId>,
    /// Headers of a notification with descriptions of their values.
    pub headers: Vec<(String, String)>,
}
