//! Router of the pages.

use std::sync::Arc;

use axum::Router;
use axum::routing::get;

use crate::browse::BrowsePages;
use crate::document::DocumentError;
use crate::overview_contents::Overview;
use crate::services::Services;
use crate::settings::PageSettings;
use crate::{assets, calendar, docs, document, mail, overview, scripts, session};

/// Creates the router of the pages. It requires the peer's address in requests, as `ConnectInfo<SocketAddr>`: without
/// it every client counts as another machine.
///
/// # Errors
/// Returns an error if the OpenAPI document of an API is not in the format of the generator.
pub fn router<O: Overview + Services>(page: PageSettings<O>) -> Result<Router, DocumentError> {
    let mut router = Router::new()
        .route("/docs", get(docs::list::<O>))
        .route("/docs/", get(docs::list::<O>))
        .route("/", get(overview::show::<O>))
        .merge(session::router(page.guard.clone(), page.token.clone()));
    for api in &page.apis {
        let document = document::for_this_server(api)?;
        router = router.merge(docs::router(*api, document));
    }
    let page = Arc::new(page);
    let pages = Arc::new(BrowsePages::new(page.clone()));
    let browsed = calendar::router().merge(mail::router()).merge(scripts::router()).with_state(pages);
    Ok(router.with_state(page).merge(browsed).merge(assets::router()))
}
