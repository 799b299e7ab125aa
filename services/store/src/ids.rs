//! Identifiers in a mailbox.

use std::fmt;
use std::str::FromStr;

use serde_derive::{Deserialize, Serialize};

/// Mailbox of the user with the same number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mailbox(pub i64);

/// History number of a mailbox. Later changes have greater numbers, with random gaps between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct HistoryId(pub u64);

impl fmt::Display for HistoryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Epoch of the store: the time from one restore to the next. Tokens issued in one epoch are invalid in another, see
/// [`Maintenance::epoch`](crate::Maintenance::epoch).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Epoch(u64);

impl Epoch {
    pub(crate) fn from_stored(number: i64) -> Self {
        Self(number.cast_unsigned())
    }

    /// Returns the number as the database stores it.
    pub(crate) fn stored(self) -> i64 {
        self.0.cast_signed()
    }
}

/// Error of parsing the identifier of a message or thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected 16 lowercase hexadecimal digits, the first below 8")]
pub struct ParseIdError;

macro_rules! hexadecimal {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u64);

        impl $name {
            /// Creates an identifier from a number below 2^63.
            #[must_use]
            pub fn new(number: u64) -> Option<Self> {
                i64::try_from(number).is_ok().then_some(Self(number))
            }

            /// Returns the number.
            #[must_use]
            pub fn number(self) -> u64 {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{:016x}", self.0)
            }
        }

        impl FromStr for $name {
            type Err = ParseIdError;

            /// Parses exactly what [`Display`](fmt::Display) writes: an identifier has one form.
            fn from_str(text: &str) -> Result<Self, ParseIdError> {
                let digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
                if text.len() != 16 || !text.bytes().all(digit) {
                    return Err(ParseIdError);
                }
                u64::from_str_radix(text, 16).ok().and_then(Self::new).ok_or(ParseIdError)
            }
        }
    )*};
}

hexadecimal! {
    /// Identifier of a message within its mailbox.
    MessageId;
    /// Identifier of a conversation within its mailbox: that of its first message.
    ThreadId;
}

impl From<MessageId> for ThreadId {
    fn from(first: MessageId) -> Self {
        Self(first.0)
    }
}
