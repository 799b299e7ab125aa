//! iCalendar (RFC 5545): events in files and in mail.
//!
//! | topic | see |
//! |---|---|
//! | content lines and components | `content`, `component` |
//! | parsing of events | `read` |
//! | writing of events | `write` |
//! | names of time zones | `zones` |
//! | data that cannot be kept | [`Losses`] |

pub(crate) mod component;
pub(crate) mod content;
mod losses;
pub(crate) mod read;
pub(crate) mod time;
pub(crate) mod write;
mod zones;

pub use self::losses::{Loss, Losses};

/// Maximum size of a file in bytes.
pub const MAX_FILE_BYTES: usize = 32 << 20;
/// Maximum number of events of a file.
pub const MAX_EVENTS: usize = 100_000;
/// Maximum length of an unfolded content line in bytes.
pub const MAX_LINE_BYTES: usize = 256 << 10;

/// Property for data that iCalendar cannot express, as JSON.
pub(crate) const EXTRA_DATA_PROPERTY: &str = "X-WIREFORM-EVENT";
