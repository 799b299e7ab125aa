//! Calendar service: the generated server of the calendar API on a store.
//!
//! | topic | see |
//! |---|---|
//! | service and its requirements | [`CalendarService`], [`limits`] |
//! | calling user and access to calendars | `caller` |
//! | calendar lists, metadata of calendars, settings | `calendars` |
//! | stored data of an event, and its representation for a reader | `content`, `view` |
//! | entity tags of events | `entity_tag` |
//! | series and their instances | `series`, and `wireform_recurrence` |
//! | writing events | `write` |
//! | invitations and replies by mail | `write::invitations`, [`MailPreparer`] |
//! | iCalendar files | [`ics`], [`IcsImporter`] |
//! | special days of contacts, from vCard | `birthdays`, `vcard` |
//! | events from a line of text | [`quick_add`] |
//! | reading, listing and synchronizing events | `read` |
//! | notification channels | `watch`, [`CallbackClient`], [`Backoff`] |
//!
//! Decisions that the specification leaves open are documented at the functions that implement them.
#![forbid(unsafe_code)]

mod birthdays;
mod calendars;
mod caller;
mod colors;
mod conferences;
mod content;
mod entity_tag;
mod error;
mod gadget;
pub mod ics;
mod invitations;
pub mod quick_add;
mod read;
mod series;
mod service;
mod special_days;
mod times;
mod vcard;
mod view;
mod watch;
mod write;

pub use self::birthdays::BirthdayReport;
pub use self::conferences::{ConferenceProvider, NewConference, Rooms};
pub use self::invitations::MailPreparer;
pub use self::service::{CalendarService, limits, router};
pub use self::special_days::{DayKind, SpecialDay};
pub use self::watch::{Backoff, CallbackClient, PostError, Resolver, SystemResolver, UrlError};
pub use self::write::{IcsImporter, IcsReport};
