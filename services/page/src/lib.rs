//! What a person sees of the services in a browser.
//!
//! | address | what it is |
//! |---|---|
//! | `/` | an overview of what is stored, for people on this machine unless it is made public |
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
//! Nothing here asks another origin for anything, and the browser is told so (`Content-Security-Policy`).

mod assets;
mod docs;
mod document;
pub mod guard;
mod html;
mod overview;
mod page;
mod session;

pub use self::document::DocumentError;
pub use self::guard::Guard;
pub use self::overview::{Calendar, Contents, Listing, Mailbox, Overview, OverviewError, Project};
pub use self::page::{Api, Page, router};
