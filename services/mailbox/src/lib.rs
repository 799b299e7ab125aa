//! The mail service: the generated server of the mailbox API on a store.
//!
//! | topic | what to read |
//! |---|---|
//! | the service and what it needs | [`MailboxService`], [`limits`] |
//! | who asks | [`principal`] |
//! | mail becomes something to store, and something to answer | [`mail`] |
//! | folders and files full of mail come into a mailbox | [`import`] |
//! | what people type into the search box | [`query`] |
//!
//! What the public API leaves open is decided here, and said at the function that does it.
#![forbid(unsafe_code)]

mod calendars;
mod caller;
mod fault;
pub mod import;
mod labels;
pub mod mail;
mod messages;
pub mod query;
mod service;

pub use self::calendars::{CalendarMail, CalendarPart, Taken};
pub use self::caller::principal;
pub use self::service::{MailboxService, RAW_MEMBER, TEXT_BYTES, limits};
