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

pub(crate) const BUNDLE: &str = swagger_ui!("swagger-ui-bundle.js");
pub(crate) const BUNDLE_STYLE: &str = swagger_ui!("swagger-ui.css");
pub(crate) const SCRIPT: &str = "/docs/assets/docs.js";
pub(crate) const STYLE: &str = "/docs/assets/page.css";
pub(crate) const COMMON_STYLE: &str = "/docs/assets/common.css";
pub(crate) const COMMON_SCRIPT: &str = "/docs/assets/common.js";
pub(crate) const CALENDAR_STYLE: &str = "/docs/assets/calendar.css";
pub(crate) const CALENDAR_SCRIPT: &str = "/docs/assets/calendar.js";
pub(crate) const MAIL_STYLE: &str = "/docs/assets/mail.css";
pub(crate) const MAIL_SCRIPT: &str = "/docs/assets/mail.js";
pub(crate) const SCRIPTS_STYLE: &str = "/docs/assets/scripts.css";
pub(crate) const SCRIPTS_SCRIPT: &str = "/docs/assets/scripts.js";
pub(crate) const ICON: &str = "/docs/assets/icon.svg";

/// Cache control of files that never change.
const IMMUTABLE: &str = "public, max-age=31536000, immutable";
/// Cache control of files that may change with the next version of the server.
const NO_CACHE: &str = "no-cache";

const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const TEXT: &str = "text/plain; charset=utf-8";

/// Returns the routes of the files.
pub(crate) fn router() -> Router {
    Router::new()
        .merge(file(BUNDLE, JAVASCRIPT, IMMUTABLE, include_bytes!("../vendor/swagger-ui/swagger-ui-bundle.js")))
        .merge(file(BUNDLE_STYLE, CSS, IMMUTABLE, include_bytes!("../vendor/swagger-ui/swagger-ui.css")))
        .merge(file(
            swagger_ui!("swagger-ui-bundle.js.LICENSE.txt"),
            TEXT,
            IMMUTABLE,
            include_bytes!("../vendor/swagger-ui/swagger-ui-bundle.js.LICENSE.txt"),
        ))
        .merge(file(swagger_ui!("LICENSE"), TEXT, IMMUTABLE, include_bytes!("../vendor/swagger-ui/LICENSE")))
        .merge(file(swagger_ui!("NOTICE"), TEXT, IMMUTABLE, include_bytes!("../vendor/swagger-ui/NOTICE")))
        .merge(file(SCRIPT, JAVASCRIPT, NO_CACHE, include_bytes!("../assets/docs.js")))
        .merge(file(STYLE, CSS, NO_CACHE, include_bytes!("../assets/page.css")))
        .merge(file(COMMON_STYLE, CSS, NO_CACHE, include_bytes!("../assets/common.css")))
        .merge(file(COMMON_SCRIPT, JAVASCRIPT, NO_CACHE, include_bytes!("../assets/common.js")))
        .merge(file(CALENDAR_STYLE, CSS, NO_CACHE, include_bytes!("../assets/calendar.css")))
        .merge(file(CALENDAR_SCRIPT, JAVASCRIPT, NO_CACHE, include_bytes!("../assets/calendar.js")))
        .merge(file(MAIL_STYLE, CSS, NO_CACHE, include_bytes!("../assets/mail.css")))
        .merge(file(MAIL_SCRIPT, JAVASCRIPT, NO_CACHE, include_bytes!("../assets/mail.js")))
        .merge(file(SCRIPTS_STYLE, CSS, NO_CACHE, include_bytes!("../assets/scripts.css")))
        .merge(file(SCRIPTS_SCRIPT, JAVASCRIPT, NO_CACHE, include_bytes!("../assets/scripts.js")))
        .merge(file(ICON, "image/svg+xml", NO_CACHE, include_bytes!("../assets/icon.svg")))
}

/// Returns the head of a page of mail, calendars or scripts: the common files, and its own.
pub(crate) fn head(style: &str, script: &str) -> String {
    let sheets = [COMMON_STYLE, style].map(|sheet| format!("<link rel=\"stylesheet\" href=\"{sheet}\">\n"));
    let scripts = [COMMON_SCRIPT, script].map(|script| format!("<script src=\"{script}\" defer></script>\n"));
    [sheets.concat(), scripts.concat()].concat()
}

fn file(path: &'static str, content_type: &'static str, keep: &'static str, content: &'static [u8]) -> Router {
    let headers = [
        (header::CONTENT_TYPE, content_type),
        (header::CACHE_CONTROL, keep),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    Router::new().route(path, get(move || async move { (headers, content) }))
}
