//! Projects that a user can read.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;
use http::StatusCode;

use crate::assets;
use crate::browse::{BrowsePages, Failure, primary_time_zone, user_select};
use crate::html::{AllowedResources, Escaped, Section, page};
use crate::link::Link;
use crate::services::{Services, VisibleProject};

/// `GET /scripts`.
pub(super) async fn show<O: Services>(State(pages): State<Arc<BrowsePages<O>>>, request: Request) -> Response {
    match render(&pages, request).await {
        Ok(response) => response,
        Err(failure) => failure.into_page(Section::Scripts, "Scripts"),
    }
}

/// Renders the list of the projects that a user sees.
async fn render<O: Services>(pages: &BrowsePages<O>, request: Request) -> Result<Response, Failure> {
    let parameters = pages.admit(request)?;
    let _turn = pages.render_permit().await;
    let (people, person) = pages.people(parameters.get("user")).await?;
    let user = people.get(person).map_or("", |person| &person.address);
    let projects = pages.page.source.projects(user).await.map_err(Failure::Unavailable)?;
    let zone = primary_time_zone(pages, user).await?;
    let executions = Link::new("/scripts/executions").with("user", user);
    let mut html = format!(
        "<div class=\"bar\"><h1>Scripts</h1><nav class=\"steps\"><a href=\"{executions}\">Executions</a></nav></div>\n\
         <form class=\"choice\" action=\"/scripts\">{}<noscript><button>Show</button></noscript></form>\n",
        user_select(&people, person)
    );
    if projects.is_empty() {
        html.push_str(
            "<p class=\"nothing\">There are no projects yet: make one by <code>projects.create</code>.</p>\n",
        );
    } else {
        html.push_str("<ul class=\"projects\">\n");
        for VisibleProject { id, title, role, updated } in &projects {
            let link = Link::new("/scripts/project").with("user", user).with("id", id);
            let updated = updated.to_zoned(zone.clone());
            let _ = writeln!(
                html,
                "<li><a href=\"{link}\"><bdi>{}</bdi></a> <small>{}, changed {}</small><br><code>{}</code></li>",
                Escaped(title),
                Escaped(role),
                Escaped(updated.strftime("%-d %b %Y, %H:%M")),
                Escaped(id)
            );
        }
        html.push_str("</ul>\n");
    }
    let loads = AllowedResources::Browse { style: "", frames: false };
    Ok(page(
        StatusCode::OK,
        Some(Section::Scripts),
        "Scripts",
        loads,
        &assets::head(assets::SCRIPTS_STYLE, assets::SCRIPTS_SCRIPT),
        &html,
    ))
}
