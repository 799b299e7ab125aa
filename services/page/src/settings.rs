//! What the pages show, and to whom.

use std::fmt;

use crate::guard::Guard;

/// An API that has a reference.
#[derive(Clone, Copy, Debug)]
pub struct Api {
    /// What its addresses are made of: lower-case letters, digits and hyphens.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// Its description in OpenAPI, as the generator wrote it.
    pub openapi: &'static str,
}

/// What the pages show, and to whom.
pub struct Page<O> {
    /// Where the overview, mail and calendars are read from.
    pub source: O,
    /// Whether everybody who can reach the server sees the overview, and not only people on this machine.
    pub overview_public: bool,
    /// Whether people on this machine look at the mail and the calendars of all users.
    pub browse: bool,
    /// The user whom pages show where their address names nobody; otherwise the first of all.
    pub user: Option<String>,
    /// The APIs, in the order in which they are listed.
    pub apis: Vec<Api>,
    /// The ready token that `/session` hands out to this machine; with `None` it hands out nothing.
    pub token: Option<String>,
    /// What tells people on this machine from others.
    pub guard: Guard,
}

impl<O> fmt::Debug for Page<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Page")
            .field("overview_public", &self.overview_public)
            .field("browse", &self.browse)
            .field("user", &self.user)
            .field("apis", &self.apis.iter().map(|api| api.name).collect::<Vec<_>>())
            .field("token", &self.token.as_ref().map(|_| "…"))
            .field("guard", &self.guard)
            .finish_non_exhaustive()
    }
}
