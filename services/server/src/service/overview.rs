//! Pages for people that show the contents of the store.

use anyhow::Context as _;
use wireform_page::{Api, Calendar, Contents, Guard, Listing, Mailbox, Overview, OverviewError, PageSettings, Project};
use wireform_server::axum::Router;
use wireform_server::axum::extract::Request;
use wireform_server::axum::response::Response;
use wireform_store::{AnyStore, Clock, Maintenance as _};

use super::ServerState;
use crate::settings::ServeSettings;

/// Maximum number of items shown of each kind.
const MAX_SHOWN: usize = 200;

/// Data source of the pages: the store, and the APIs.
pub struct PageSource {
    pub(super) store: AnyStore,
    pub(super) clock: Clock,
    pub(super) apis: Router,
}

impl Overview for PageSource {
    async fn overview(&self) -> Result<Contents, OverviewError> {
        let stored = self.store.overview().await?;
        let owners = &stored.mailboxes;
        let owner = |of| owners.iter().find(|one| one.user.mailbox == of).map(|one| one.user.address.clone());
        let mailbox = |one: &wireform_store::MailboxSummary| Mailbox {
            address: one.user.address.clone(),
            messages: one.profile.messages,
            threads: one.profile.threads,
            history_id: one.profile.history.0,
        };
        let calendar = |one: &wireform_store::Calendar| Calendar {
            id: one.id.clone(),
            summary: one.summary.clone(),
            owner: owner(one.owner).unwrap_or_default(),
        };
        Ok(Contents {
            mailboxes: listing(&stored.mailboxes, mailbox),
            calendars: listing(&stored.calendars, calendar),
            projects: listing(&stored.projects, |one: &wireform_store::Project| Project {
                id: one.id.clone(),
                title: one.title.clone(),
                owner: owner(one.owner).unwrap_or_default(),
            }),
        })
    }
}

/// Returns the first [`MAX_SHOWN`] items, converted with `show`, and the number of all.
fn listing<T, U>(all: &[T], show: impl FnMut(&T) -> U) -> Listing<U> {
    let total = u64::try_from(all.len()).unwrap_or(u64::MAX);
    Listing { items: all.iter().take(MAX_SHOWN).map(show).collect(), total }
}

/// Returns the routes of the pages.
pub fn router(shared: &ServerState, settings: &ServeSettings, internal: Router) -> anyhow::Result<Router> {
    let apis = vec![
        Api { name: "mailbox", title: "Mailbox", openapi: mailbox_server::OPENAPI },
        Api { name: "calendar", title: "Calendar events", openapi: calendar_server::OPENAPI },
        Api { name: "script", title: "Script projects", openapi: script_server::OPENAPI },
    ];
    let page = PageSettings {
        source: PageSource { store: shared.store.clone(), clock: shared.clock.clone(), apis: internal },
        base: shared.base.clone(),
        overview_public: settings.overview_anywhere,
        browse: shared.token.is_some(),
        user: shared.token.as_ref().map(|token| token.user().to_owned()),
        apis,
        token: shared.token.as_ref().map(|token| token.reveal().to_owned()),
        guard: Guard::default(),
    };
    wireform_page::router(page).context("the pages cannot be created")
}

/// Returns the response to requests for unknown paths: a page for browsers, and an error for programs.
pub async fn not_found(request: Request) -> Response {
    let (request, _) = request.into_parts();
    match wireform_page::not_found(&request) {
        Some(page) => page,
        None => super::health::not_found(request.uri).await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_overview_lists_some_items_and_their_total() {
        for (there, shown) in [(3, 3), (200, 200), (201, 200)] {
            let listing = listing(&vec![0; there], |item| *item);
            assert_eq!((listing.items.len(), listing.total), (shown, there as u64));
        }
    }
}
