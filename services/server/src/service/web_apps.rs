//! `/macros/s/DEPLOYMENT/exec`: web apps of script projects.

use http::request::Parts;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use wireform_page::Guard;
use wireform_script::apis::Authority;
use wireform_script::web::{FramePolicy, Page, Visitor, WebRequest, WebResponse};
use wireform_server::Limits;
use wireform_server::axum::Router;
use wireform_server::axum::body::Body;
use wireform_server::axum::extract::{Path, Request, State};
use wireform_server::axum::response::Response;
use wireform_server::axum::routing::get;
use wireform_store::{Accounts as _, Error, TokenHash};

use super::ServerState;

/// Maximum number of bytes of the body of a `POST`.
const BODY_BYTES: usize = 2 << 20;
/// Time in seconds after which an overloaded web app can be opened again.
const RETRY_AFTER: HeaderValue = HeaderValue::from_static("5");
/// Content security policy: a page of a script runs in an origin of its own, without access to this server's.
const CONTENT_SECURITY_POLICY: &str = "sandbox allow-scripts allow-forms allow-popups";

/// Returns the routes of web apps.
pub fn router(shared: &ServerState) -> Router {
    Router::new()
        .route("/macros/s/{deployment}/exec", get(root).post(root))
        .route("/macros/s/{deployment}/exec/{*path}", get(below).post(below))
        .with_state(shared.clone())
}

/// Handles requests to a web app itself.
async fn root(State(shared): State<ServerState>, Path(deployment): Path<String>, request: Request) -> Response {
    open(&shared, &deployment, None, request).await
}

/// Handles requests to a path below a web app, which the script receives.
async fn below(
    State(shared): State<ServerState>,
    Path((deployment, path)): Path<(String, String)>,
    request: Request,
) -> Response {
    open(&shared, &deployment, Some(path), request).await
}

/// Runs the web app of a deployment for a request, and returns its page or an error page.
async fn open(shared: &ServerState, deployment: &str, path: Option<String>, request: Request) -> Response {
    let (mut parts, body) = request.into_parts();
    let visitor = match visitor(shared, &parts).await {
        Ok(VisitorAccess::Refused) => return error_page(StatusCode::UNAUTHORIZED, "the token is not accepted"),
        Ok(VisitorAccess::Known(visitor)) => Some(visitor),
        Ok(VisitorAccess::Unknown) => None,
        Err(error) => return unavailable(&error),
    };
    let post = if parts.method == http::Method::POST {
        let limits = Limits { body_bytes: BODY_BYTES, ..Limits::DEFAULT };
        let body = match shared.memory.read_body(&mut parts, body, &limits).await {
            Ok(body) => body,
            Err(error) => return refused_body(&error),
        };
        let kind = parts.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        Some((kind.unwrap_or_default().to_owned(), body.into()))
    } else {
        None
    };
    let request = WebRequest { query: parts.uri.query().unwrap_or_default().to_owned(), path, post };
    let (response, memory) = match shared.scripts.service.open_web_app(deployment, visitor, request).await {
        Ok(opened) => opened,
        Err(error) => return unavailable(&error),
    };
    let response = web_response(response);
    // A page that nobody reads holds memory of the user that the app runs as.
    match memory {
        Some(memory) => memory.hold(response),
        None => response,
    }
}

/// Returns the page of a web app, or an error page.
fn web_response(response: WebResponse) -> Response {
    match response {
        WebResponse::Page(page) => page_response(page),
        WebResponse::Failed(message) => error_page(StatusCode::INTERNAL_SERVER_ERROR, &message),
        WebResponse::NotFound => error_page(StatusCode::NOT_FOUND, "web app not found"),
        WebResponse::Unauthenticated => error_page(
            StatusCode::UNAUTHORIZED,
            "this web app requires a user: send a token, or open it in a browser on the server's machine",
        ),
        WebResponse::Busy => {
            let mut response =
                error_page(StatusCode::SERVICE_UNAVAILABLE, "too many concurrent requests to the web app; retry later");
            response.headers_mut().insert(header::RETRY_AFTER, RETRY_AFTER);
            response
        }
    }
}

/// Visitor of a web app, by credentials.
enum VisitorAccess {
    Known(Visitor),
    Unknown,
    /// The token is invalid, or has no scope of scripts.
    Refused,
}

/// Identifies the visitor by a bearer token; without one, this server's own pages act for the ready user.
async fn visitor(shared: &ServerState, parts: &Parts) -> Result<VisitorAccess, Error> {
    if let Some(value) = parts.headers.get(header::AUTHORIZATION) {
        let token = value.to_str().ok().and_then(|value| value.split_once(' '));
        let Some((_, token)) = token.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer")) else {
            return Ok(VisitorAccess::Refused);
        };
        let grant = shared.store.find_grant(TokenHash::from_token(token.trim()), shared.clock.now()).await?;
        let scripts = |scope: &String| scope.rsplit('/').next().is_some_and(|name| name.starts_with("script."));
        let grant = grant.filter(|grant| grant.scopes.iter().any(scripts));
        return Ok(grant.map_or(VisitorAccess::Refused, |grant| {
            VisitorAccess::Known(Visitor { user: grant.user.clone(), authority: Authority::Token(grant) })
        }));
    }
    match &shared.token {
        Some(token) if is_own_page(parts) => {
            let user = shared.store.user(token.user()).await?;
            Ok(VisitorAccess::Known(Visitor { user, authority: Authority::Full }))
        }
        _ => Ok(VisitorAccess::Unknown),
    }
}

/// Returns whether a page of this server, or a person on this machine, opens the web app. A link or a form of another
/// origin, and thus of a web app itself, opens it for an unknown visitor.
fn is_own_page(parts: &Parts) -> bool {
    let guard = Guard::default();
    let is_direct = parts.headers.get("sec-fetch-site").is_some_and(|site| site == "none");
    guard.admit(parts).is_ok() || (is_direct && guard.admit_visit(parts).is_ok())
}

fn page_response(page: Page) -> Response {
    let mut headers = HeaderMap::new();
    if page.frames == FramePolicy::SameOrigin {
        headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("SAMEORIGIN"));
    }
    if let Some(name) = page.file_name {
        let safe = |c: char| if c.is_ascii_alphanumeric() || " .-_()".contains(c) { c } else { '_' };
        let name: String = name.chars().map(safe).collect();
        if let Ok(value) = HeaderValue::from_str(&format!("attachment; filename=\"{name}\"")) {
            headers.insert(header::CONTENT_DISPOSITION, value);
        }
    }
    respond(StatusCode::OK, headers, &page.media_type, page.content)
}

/// Returns a page with an error message.
fn error_page(status: StatusCode, message: &str) -> Response {
    let message = message.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let mut headers = HeaderMap::new();
    if status == StatusCode::UNAUTHORIZED {
        headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    let page = format!("<!DOCTYPE html><title>Web app</title><p>{message}</p>\n");
    respond(status, headers, "text/html", page)
}

/// Returns the error page for a body that was not read. The connection is closed.
fn refused_body(error: &wireform_server::Error) -> Response {
    let mut response = error_page(error.status(), error.message());
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    if error.status() == StatusCode::SERVICE_UNAVAILABLE {
        response.headers_mut().insert(header::RETRY_AFTER, RETRY_AFTER);
    }
    response
}

/// Returns the error page for a failure of the store, and logs its cause.
fn unavailable(error: &Error) -> Response {
    tracing::warn!(cause = %error, "a web app could not be opened");
    error_page(StatusCode::SERVICE_UNAVAILABLE, "the web app is not available at the moment")
}

/// Returns a response that is not cached and cannot access this server's origin.
fn respond(status: StatusCode, mut headers: HeaderMap, media_type: &str, content: String) -> Response {
    let mut response = Response::new(Body::from(content));
    *response.status_mut() = status;
    if let Ok(kind) = HeaderValue::from_str(&format!("{media_type}; charset=utf-8")) {
        headers.insert(header::CONTENT_TYPE, kind);
    }
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response.headers_mut().extend(headers);
    response
}
