//! What a person sees of the services in a browser.
//!
//! | address | what it is |
//! |---|---|
//! | `/` | an overview of what is stored, for people on this machine unless it is made public |
//! | `/mail` | messages of a mailbox, by label and by search |
//! | `/mail/message` | a message; `/mail/message/html` is a part of it in HTML, for a frame of that page |
//! | `/mail/history` | the history of a mailbox; `/mail/history/records` is what is new in it, for that page |
//! | `/calendar` | weeks and months of calendars, and when they are busy |
//! | `/calendar/event` | an event |
//! | `/calendar/channels` | channels on which changes are announced, with their messages |
//! | `/scripts` | script projects |
//! | `/scripts/project` | a project: files, versions, deployments, how often it ran; `/scripts/run` runs a function of it |
//! | `/scripts/executions` | executions; `/scripts/executions/rows` is the latest of them, for that page |
//! | `/docs` | the references that there are |
//! | `/docs/<api>` | the reference of an API, where its operations can be tried out |
//! | `/docs/<api>/openapi.json` | its description in OpenAPI 3.1, with this server as the one to ask |
//! | `/session` | the ready token, for programs and pages on this machine |
//!
//! # Who gets the ready token
//!
//! Every program that runs on this machine can read `/session`, and does everything with the token that it can do;
//! that is meant: the services are for the one who runs them. What [`guard`] keeps away are other machines, whoever
//! comes through a proxy, and pages of other origins in a browser on this machine. `Page { token: None, .. }` turns it
//! off: the references work as before, with a token that people fill in themselves.
//!
//! # Who sees mail and calendars
//!
//! The pages of mail, calendars and scripts show those of every user, with the rights of the user who is chosen. They are for the
//! same people as the ready token, and are off where there is none (`Page { browse: false, .. }`): not even an overview
//! that is public shows them to other machines. What they show comes from the services by [`Services`].
//!
//! Nothing here asks another origin for anything, and the browser is told so (`Content-Security-Policy`).

mod assets;
mod browse;
mod calendar;
mod contents;
mod docs;
mod document;
pub mod guard;
mod html;
mod link;
mod mail;
mod overview;
mod page;
mod parameters;
mod scripts;
mod services;
mod session;
mod settings;
mod sheet;

pub use self::contents::{Calendar, Contents, Listing, Mailbox, Overview, OverviewError, Project};
pub use self::document::DocumentError;
pub use self::guard::Guard;
pub use self::page::router;
pub use self::services::{
    Answer, CalendarLabel, Channel, LogLine, Person, ServiceError, Services, VisibleCalendar, VisibleProject,
    WorkingHours,
};
pub use self::settings::{Api, Page};
