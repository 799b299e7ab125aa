//! iCalendar (RFC 5545): events as files, and as parts of mail.
//!
//! | topic | what to read |
//! |---|---|
//! | content lines and components | `content`, `component` |
//! | a component becomes an event | `read` |
//! | an event becomes a component | `write` |
//! | names of time zones | `zones` |
//! | what cannot be kept | [`Losses`] |

pub(crate) mod component;
pub(crate) mod content;
mod losses;
pub(crate) mod read;
pub(crate) mod time;
pub(crate) mod write;
mod zones;

pub use self::losses::{Loss, Losses};

/// The most bytes of a file.
pub const MAX_FILE_BYTES: usize = 32 << 20;
/// The most events of a file.
pub const MAX_EVENTS: usize = 100_000;
/// The most bytes of a content line without its folds.
pub const MAX_LINE_BYTES: usize = 256 << 10;

/// Property that holds what iCalendar has no words for, as JSON.
pub(crate) const EXTRAS: &str = "X-WIREFORM-EVENT";
