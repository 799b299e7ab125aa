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

mod calendar_mail;
mod caller;
mod drafts;
mod error;
pub mod import;
mod labels;
pub mod mail;
mod messages;
mod number;
pub mod query;
mod service;
mod threads;

pub use self::calendar_mail::{CalendarMailHandler, CalendarPart, HandleFuture};
pub use self::caller::principal;
pub use self::service::{MAX_TEXT_BYTES, MailboxService, RAW_FIELD, limits, memory_budget, router, upload_sessions};
