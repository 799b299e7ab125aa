//! Pages of calendars: weeks, months, free and busy times, and single events.

mod busy;
mod channels;
mod choice;
mod details;
mod events;
mod hours;
mod lanes;
mod links;
mod month;
mod rule;
mod search;
mod series;
mod toolbar;
mod week;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::response::Response;
use axum::routing::get;
use http::StatusCode;

use self::choice::{Choice, View};
use crate::assets;
use crate::browse::{BrowsePages, Failure};
use crate::html::{AllowedResources, Section, page};
use crate::services::Services;
use crate::sheet::Sheet;

/// Returns the routes of the pages.
pub(crate) fn router<O: Services>() -> Router<Arc<BrowsePages<O>>> {
    Router::new()
        .route("/calendar", get(show::<O>))
        .route("/calendar/event", get(details::show::<O>))
        .route("/calendar/channels", get(channels::show::<O>))
}

/// `GET /calendar`.
async fn show<O: Services>(State(pages): State<Arc<BrowsePages<O>>>, request: Request) -> Response {
    match render(&pages, request).await {
        Ok(response) => response,
        Err(failure) => failure.into_page(Section::Calendar, "Calendar"),
    }
}

/// Renders the page of calendars in the requested view.
async fn render<O: Services>(pages: &BrowsePages<O>, request: Request) -> Result<Response, Failure> {
    let parameters = pages.admit(request)?;
    let _turn = pages.render_permit().await;
    let choice = Choice::read(pages, &parameters).await?;
    let mut main = toolbar::html(&choice);
    let mut sheet = match choice.view {
        _ if !choice.search.is_empty() => {
            search::write(&mut main, pages, &choice, &choice.search).await?;
            Sheet::default()
        }
        View::Week | View::Day => week::write(&mut main, &choice, &events::read(pages, &choice).await?),
        View::Month => month::write(&mut main, &choice, &events::read(pages, &choice).await?),
        View::Busy | View::BusyDay => busy::write(&mut main, &choice, &events::read_busy(pages, &choice).await?),
    };
    for place in 0..choice.calendars.len() {
        sheet.rule(&format!(".c{place}"), &[("color", &events::calendar_color(place))]);
    }
    let loads = AllowedResources::Browse { style: sheet.as_str(), frames: false };
    Ok(page(
        StatusCode::OK,
        Some(Section::Calendar),
        &choice.title(),
        loads,
        &assets::head(assets::CALENDAR_STYLE, assets::CALENDAR_SCRIPT),
        &main,
    ))
}
