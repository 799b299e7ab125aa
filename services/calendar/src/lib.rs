//! The calendar service: the generated server of the calendar API on a store.
//!
//! | topic | what to read |
//! |---|---|
//! | the service and what it needs | [`CalendarService`], [`limits`] |
//! | who asks, and which calendars they may use | `caller` |
//! | what is stored of an event, and what a reader sees of it | `content`, `view` |
//! | entity tags of events | `tag` |
//! | series and their instances | `series`, and `wireform_recurrence` |
//! | events are written | `write` |
//! | invitations and answers as mail | `write::invitations`, [`MailPreparer`] |
//! | files of iCalendar | [`ics`], [`IcsImporter`] |
//! | special days of contacts, from vCard | `birthdays`, `vcard` |
//! | a line of text becomes an event | [`quick_add`] |
//! | events are read, listed and synchronised | `read` |
//! | changes are announced on channels | `watch`, [`Callbacks`], [`Backoff`] |
//!
//! What the specification leaves open is decided here, and said at the function that does it.
#![forbid(unsafe_code)]

mod birthdays;
mod caller;
mod colors;
mod conferences;
mod content;
mod fault;
mod gadget;
pub mod ics;
mod invitations;
pub mod quick_add;
mod read;
mod series;
mod service;
mod special_days;
mod tag;
mod times;
mod vcard;
mod view;
mod watch;
mod write;

pub use self::birthdays::BirthdayReport;
pub use self::conferences::{ConferenceProvider, NewConference, Rooms};
pub use self::invitations::MailPreparer;
pub use self::service::{CalendarService, limits};
pub use self::special_days::{DayKind, SpecialDay};
pub use self::watch::{AddressError, Backoff, Callbacks, PostError, Resolver, SystemResolver};
pub use self::write::{IcsImporter, IcsReport};
