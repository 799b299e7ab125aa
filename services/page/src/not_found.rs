//! Page for unknown paths.

use axum::response::Response;
use http::request::Parts;
use http::{Method, StatusCode, header};

use crate::assets;
use crate::html::{AllowedResources, Escaped, Section, page};

/// Returns a page with a way back for an unknown path, if a browser requests a page; programs get an error instead.
#[must_use]
pub fn not_found(request: &Parts) -> Option<Response> {
    let accept = request.headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    if ![Method::GET, Method::HEAD].contains(&request.method) || !accept.contains("text/html") {
        return None;
    }
    let main = format!(
        "{}<h1>Page not found</h1>\n<p role=\"alert\">There is no page <bdi><code>{}</code></bdi>.</p>\n",
        Section::Overview.way_back(),
        Escaped(request.uri.path())
    );
    Some(page(StatusCode::NOT_FOUND, None, "Page not found", AllowedResources::Style, &assets::common_style(), &main))
}
