//! Mail service: the generated server of the mailbox API on a store.
//!
//! | topic | see |
//! |---|---|
//! | service and its requirements | [`MailboxService`], [`limits`] |
//! | calling user | [`principal`] |
//! | parsing of mail, and mail as API resources | [`mail`] |
//! | import of folders and files of mail | [`import`] |
//! | search syntax | [`query`] |
//!
//! Decisions that the public API leaves open are documented at the functions that implement them.
#![forbid(unsafe_code)]

mod calendars;
mod caller;
mod error;
pub mod import;
mod labels;
pub mod mail;
mod messages;
pub mod query;
mod service;

pub use self::calendars::{CalendarMail, CalendarPart, Taken};
pub use self::caller::principal;
pub use self::service::{MailboxService, RAW_MEMBER, TEXT_BYTES, limits};
