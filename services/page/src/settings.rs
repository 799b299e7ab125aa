//! Settings of the pages.

use std::fmt;

use crate::guard::Guard;

/// API with a reference.
#[derive(Clone, Copy, Debug)]
pub struct Api {
    /// Name in URLs: lower-case letters, digits and hyphens.
    pub name: &'static str,
    /// Title for people.
    pub title: &'static str,
    /// OpenAPI document, as the generator wrote it.
    pub openapi: &'static str,
}

/// Settings of the pages.
pub struct PageSettings<O> {
    /// Data source of the overview, mail, calendars and scripts.
    pub source: O,
    /// Base URL of the server, such as `http://127.0.0.1:8117`.
    pub base: String,
    /// True if all clients that can reach the server see the overview, and not only people on this machine.
    pub overview_public: bool,
    /// True if people on this machine can see the mail, calendars and scripts of all users.
    pub browse: bool,
    /// User of pages whose URL names none; otherwise the first user.
    pub user: Option<String>,
    /// APIs, in the order of their listing.
    pub apis: Vec<Api>,
    /// Ready token that `/session` returns to this machine, if any.
    pub token: Option<String>,
    /// Guard that recognizes people on this machine.
    pub guard: Guard,
}

impl<O> fmt::Debug for PageSettings<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Page")
            .field("base", &self.base)
            .field("overview_public", &self.overview_public)
            .field("browse", &self.browse)
            .field("user", &self.user)
            .field("apis", &self.apis.iter().map(|api| api.name).collect::<Vec<_>>())
            .field("token", &self.token.as_ref().map(|_| "…"))
            .field("guard", &self.guard)
            .finish_non_exhaustive()
    }
}
