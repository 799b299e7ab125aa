//! API references, in which operations can be tried out.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use http::{StatusCode, header};

use crate::assets;
use crate::html::{AllowedResources, Escaped, Section, page};
use crate::overview_contents::Overview;
use crate::settings::{Api, PageSettings};

/// Returns the routes of an API's reference and OpenAPI document.
pub(crate) fn router<S: Clone + Send + Sync + 'static>(api: Api, document: String) -> Router<S> {
    let document: Arc<str> = document.into();
    let headers = [
        (header::CONTENT_TYPE, "application/json; charset=UTF-8"),
        (header::CACHE_CONTROL, "no-cache"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    let read = move || {
        let document = document.to_string();
        async move { (headers, document).into_response() }
    };
    Router::new()
        .route(&format!("/docs/{}", api.name), get(move || async move { reference(&api) }))
        .route(&format!("/docs/{}/openapi.json", api.name), get(read))
}

/// Returns the page in which Swagger UI shows the OpenAPI document.
fn reference(api: &Api) -> Response {
    let (name, title) = (Escaped(api.name), Escaped(api.title));
    let head = [assets::SWAGGER_UI_STYLE, assets::REFERENCE_STYLE]
        .map(|path| format!("<link rel=\"stylesheet\" href=\"{path}\">\n"))
        .concat();
    let main = format!(
        "<p id=\"said\" role=\"status\"></p>\n\
         <noscript><h1>{title}</h1>\n<p>The reference is shown by scripts of this server. Without them there is \
         <a href=\"/docs/{name}/openapi.json\">the description itself</a>, in OpenAPI 3.1.</p></noscript>\n\
         <div id=\"reference\" data-api=\"{name}\" data-document=\"/docs/{name}/openapi.json\"></div>\n\
         <script src=\"{}\"></script>\n<script src=\"{}\"></script>\n<script src=\"{}\"></script>\n",
        assets::SWAGGER_UI_SCRIPT,
        assets::SAMPLES_SCRIPT,
        assets::DOCS_SCRIPT
    );
    page(StatusCode::OK, Some(Section::References), api.title, AllowedResources::Scripts, &head, &main)
}

/// Handles the page that lists the references.
pub(crate) async fn list<O: Overview>(State(settings): State<Arc<PageSettings<O>>>) -> Response {
    let main = format!("<h1>References</h1>\n{}", links(&settings.apis));
    page(
        StatusCode::OK,
        Some(Section::References),
        "References",
        AllowedResources::Style,
        &assets::common_style(),
        &main,
    )
}

/// Returns a list of links to the references.
pub(crate) fn links(apis: &[Api]) -> String {
    let mut html = String::from("<ul>\n");
    for api in apis {
        let (name, title) = (Escaped(api.name), Escaped(api.title));
        // Writing to a string does not fail.
        let _ = writeln!(
            html,
            "<li><a href=\"/docs/{name}\">{title}</a> (<a href=\"/docs/{name}/openapi.json\">OpenAPI</a>)</li>"
        );
    }
    html.push_str("</ul>\n");
    html
}
