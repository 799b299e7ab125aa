//! Web pages of the services, for people.
//!
//! | path | content |
//! |---|---|
//! | `/` | overview of the store, for people on this machine unless it is made public |
//! | `/mail` | messages or conversations of a mailbox, by label and by search; `/mail/rows` is the list for that page |
//! | `/mail/message` | a message; `/mail/message/html` is an HTML part of it, for a frame of that page |
//! | `/mail/message/eml` | a message as a file; `/mail/attachment` is an attachment |
//! | `/mail/history` | history of a mailbox; `/mail/history/records` are its new records, for that page |
//! | `/calendar` | weeks and months of calendars, and their free and busy times |
//! | `/calendar/event` | an event |
//! | `/calendar/channels` | notification channels with their messages |
//! | `/scripts` | script projects |
//! | `/scripts/project` | a project: files, versions, deployments, metrics; `/scripts/run` runs a function of it |
//! | `/scripts/executions` | executions; `/scripts/executions/rows` are the latest of them, for that page |
//! | `/scripts/execution` | an execution with its log |
//! | `/docs` | list of the API references |
//! | `/docs/<api>` | reference of an API, in which its operations can be tried out |
//! | `/docs/<api>/openapi.json` | its OpenAPI 3.1 document, with this server as the only one |
//! | `/session` | ready token, for programs and pages on this machine |
//!
//! # Access to the ready token
//!
//! Every program on this machine can read `/session` and use the token without restrictions. That is intended: the
//! services are for the person who runs them. [`guard`] keeps away other machines, requests through a proxy, and pages
//! of other origins in a browser on this machine. `Page { token: None, .. }` disables it: the references then work with
//! a token that people enter themselves.
//!
//! # Access to mail and calendars
//!
//! The pages of mail, calendars and scripts show those of every user, with the permissions of the selected user. They
//! have the same audience as the ready token and are disabled without one (`Page { browse: false, .. }`): even a public
//! overview does not show them to other machines. Their data comes from the services through [`Services`].
//!
//! No page sends requests to another origin, and the browser enforces that (`Content-Security-Policy`).

mod access;
mod assets;
mod browse;
mod calendar;
mod docs;
mod document;
pub mod guard;
mod html;
mod link;
mod mail;
mod not_found;
mod overview;
mod overview_contents;
mod page;
mod parameters;
mod rich_text;
mod scripts;
mod services;
mod session;
mod settings;
mod sheet;

pub use self::document::DocumentError;
pub use self::guard::Guard;
pub use self::not_found::not_found;
pub use self::overview_contents::{Calendar, Contents, Listing, Mailbox, Overview, OverviewError, Project};
pub use self::page::router;
pub use self::services::{
    ApiResponse, CalendarLabel, Cancellation, Channel, ExecutionDetails, ExecutionList, ExecutionSummary, LogLine,
    Person, RunningExecution, ServiceError, Services, VisibleCalendar, VisibleProject, WorkingHours,
};
pub use self::settings::{Api, PageSettings};
