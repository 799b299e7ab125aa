//! Static files of pages, included in the binary.

use axum::Router;
use axum::routing::get;
use http::header;

/// Path of a file of Swagger UI. It contains the version of Swagger UI below `vendor/`, so the content of a path never
/// changes.
macro_rules! swagger_ui {
    ($file:literal) => {
        concat!("/docs/assets/swagger-ui-5.35.0/", $file)
    };
}

/// Path of the script of Swagger UI.
pub(crate) const SWAGGER_UI_SCRIPT: &str = swagger_ui!("swagger-ui-bundle.js");
/// Path of the style sheet of Swagger UI.
pub(crate) const SWAGGER_UI_STYLE: &str = swagger_ui!("swagger-ui.css");
/// Path of the script of reference pages.
pub(crate) const DOCS_SCRIPT: &str = "/docs/assets/docs.js";
/// Path of the script that writes samples for reference pages.
pub(crate) const SAMPLES_SCRIPT: &str = "/docs/assets/samples.js";
/// Path of the style sheet of reference pages.
pub(crate) const REFERENCE_STYLE: &str = "/docs/assets/reference.css";
/// Path of the style sheet of all pages.
pub(crate) const PAGE_STYLE: &str = "/docs/assets/page.css";
/// Path of the common style sheet of pages of mail, calendars and scripts.
pub(crate) const COMMON_STYLE: &str = "/docs/assets/common.css";
/// Path of the common script of these pages.
pub(crate) const COMMON_SCRIPT: &str = "/docs/assets/common.js";
/// Path of the style sheet of pages of calendars.
pub(crate) const CALENDAR_STYLE: &str = "/docs/assets/calendar.css";
/// Path of the script of pages of calendars.
pub(crate) const CALENDAR_SCRIPT: &str = "/docs/assets/calendar.js";
/// Path of the style sheet of pages of mail.
pub(crate) const MAIL_STYLE: &str = "/docs/assets/mail.css";
/// Path of the script of pages of mail.
pub(crate) const MAIL_SCRIPT: &str = "/docs/assets/mail.js";
/// Path of the style sheet of pages of scripts.
pub(crate) const SCRIPTS_STYLE: &str = "/docs/assets/scripts.css";
/// Path of the script of pages of scripts.
pub(crate) const SCRIPTS_SCRIPT: &str = "/docs/assets/scripts.js";
/// Path of the icon of all pages.
pub(crate) const ICON: &str = "/docs/assets/icon.svg";

/// Cache control of files that never change.
const IMMUTABLE: &str = "public, max-age=31536000, immutable";
/// Cache control of files that may change with the next version of the server.
const NO_CACHE: &str = "no-cache";

/// Media type of scripts.
const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
/// Media type of style sheets.
const CSS: &str = "text/css; charset=utf-8";
/// Media type of licenses.
const TEXT: &str = "text/plain; charset=utf-8";

/// Returns the routes of the files.
pub(crate) fn router() -> Router {
    Router::new()
        .merge(file_route(
            SWAGGER_UI_SCRIPT,
            JAVASCRIPT,
            IMMUTABLE,
            include_bytes!("../vendor/swagger-ui/swagger-ui-bundle.js"),
        ))
        .merge(file_route(SWAGGER_UI_STYLE, CSS, IMMUTABLE, include_bytes!("../vendor/swagger-ui/swagger-ui.css")))
        .merge(file_route(
            swagger_ui!("swagger-ui-bundle.js.LICENSE.txt"),
            TEXT,
            IMMUTABLE,
            include_bytes!("../vendor/swagger-ui/swagger-ui-bundle.js.LICENSE.txt"),
        ))
        .merge(file_route(swagger_ui!("LICENSE"), TEXT, IMMUTABLE, include_bytes!("../vendor/swagger-ui/LICENSE")))
        .merge(file_route(swagger_ui!("NOTICE"), TEXT, IMMUTABLE, include_bytes!("../vendor/swagger-ui/NOTICE")))
        .merge(file_route(DOCS_SCRIPT, JAVASCRIPT, NO_CACHE, include_bytes!("../assets/docs.js")))
        .merge(file_route(SAMPLES_SCRIPT, JAVASCRIPT, NO_CACHE, include_bytes!("../assets/samples.js")))
        .merge(file_route(REFERENCE_STYLE, CSS, NO_CACHE, include_bytes!("../assets/reference.css")))
        .merge(file_route(PAGE_STYLE, CSS, NO_CACHE, include_bytes!("../assets/page.css")))
        .merge(file_route(COMMON_STYLE, CSS, NO_CACHE, include_bytes!("../assets/common.css")))
        .merge(file_route(COMMON_SCRIPT, JAVASCRIPT, NO_CACHE, include_bytes!("../assets/common.js")))
        .merge(file_route(CALENDAR_STYLE, CSS, NO_CACHE, include_bytes!("../assets/calendar.css")))
        .merge(file_route(CALENDAR_SCRIPT, JAVASCRIPT, NO_CACHE, include_bytes!("../assets/calendar.js")))
        .merge(file_route(MAIL_STYLE, CSS, NO_CACHE, include_bytes!("../assets/mail.css")))
        .merge(file_route(MAIL_SCRIPT, JAVASCRIPT, NO_CACHE, include_bytes!("../assets/mail.js")))
        .merge(file_route(SCRIPTS_STYLE, CSS, NO_CACHE, include_bytes!("../assets/scripts.css")))
        .merge(file_route(SCRIPTS_SCRIPT, JAVASCRIPT, NO_CACHE, include_bytes!("../assets/scripts.js")))
        .merge(file_route(ICON, "image/svg+xml", NO_CACHE, include_bytes!("../assets/icon.svg")))
}

/// Returns the head of a page of mail, calendars or scripts: the common files, and its own.
pub(crate) fn head(style: &str, script: &str) -> String {
    [common_head().as_str(), &style_link(style), &script_element(script)].concat()
}

/// Returns the head of a page without scripts: the common style sheet.
pub(crate) fn common_style() -> String {
    style_link(COMMON_STYLE)
}

/// Returns the head of a page with the common files only.
pub(crate) fn common_head() -> String {
    [common_style(), script_element(COMMON_SCRIPT)].concat()
}

/// Returns a link to a style sheet.
fn style_link(path: &str) -> String {
    format!("<link rel=\"stylesheet\" href=\"{path}\">\n")
}

/// Returns an element that runs a script once the page is parsed.
fn script_element(path: &str) -> String {
    format!("<script src=\"{path}\" defer></script>\n")
}

/// Returns the route of a file. `keep` is its cache control.
fn file_route(path: &'static str, content_type: &'static str, keep: &'static str, content: &'static [u8]) -> Router {
    let headers = [
        (header::CONTENT_TYPE, content_type),
        (header::CACHE_CONTROL, keep),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    Router::new().route(path, get(move || async move { (headers, content) }))
}
