//! `/token`, `/revoke` and `/o/oauth2/auth`: OAuth 2.0 for tests, without passwords and consent, if the program was started with
//! `--oauth`. Unmodified clients get tokens with a credentials file whose URLs lead here.

mod codes;
mod grants;
mod revoke;

use http::request::Parts;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde_json::json;
use wireform_page::Guard;
use wireform_page::guard::Refusal;
use wireform_server::axum::Router;
use wireform_server::axum::body::{Body, to_bytes};
use wireform_server::axum::extract::{Request, State};
use wireform_server::axum::response::{IntoResponse as _, Response};
use wireform_server::axum::routing::{get, post};
use wireform_store::{Accounts as _, Error, NewToken, Secret, TokenHash, User};

use self::codes::{Codes, is_loopback};
use self::grants::{Grant, GrantError, Parameters, VALIDITY};
use super::ServerState;
use super::health::{error_response, json_response};
use crate::scopes;

/// Maximum number of bytes of a request body.
const BODY_BYTES: usize = 16 << 10;
/// Beginning of the note of tokens in their list.
const TOKEN_NOTE: &str = "OAuth ";
/// Headers that the public clients add to requests for tokens. They are ignored; the guard would take them for those of
/// a proxy.
const CLIENT_HEADERS: [&str; 3] = ["x-goog-api-client", "x-goog-user-project", "x-goog-quota-user"];

/// State of the routes.
#[derive(Clone)]
struct OAuthState {
    shared: ServerState,
    codes: Codes,
}

/// Returns the routes, which explain the flag if it is missing.
pub fn router(shared: &ServerState, enabled: bool) -> Router {
    if !enabled {
        let router = Router::new().route("/token", post(disabled)).route("/revoke", post(disabled));
        return router.route("/o/oauth2/auth", get(disabled));
    }
    Router::new()
        .route("/token", post(token))
        .route("/revoke", post(revoke::revoke))
        .route("/o/oauth2/auth", get(authorize))
        .with_state(OAuthState { shared: shared.clone(), codes: Codes::default() })
}

async fn disabled() -> Response {
    let message = "this server does not issue tokens; help: start it with --oauth";
    error_response(StatusCode::NOT_FOUND, "NOT_FOUND", message)
}

/// Handles `GET /o/oauth2/auth`: redirects to the client with a code for the user in `login_hint`, or for the user of
/// the ready token.
async fn authorize(State(state): State<OAuthState>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    if let Err(refusal) = Guard::default().admit_visit(&parts) {
        return refusal.into_response();
    }
    let parameters = Parameters::parse(parts.uri.query().unwrap_or_default().as_bytes());
    let redirect = match parameters.get("redirect_uri").and_then(|uri| uri.parse::<http::Uri>().ok()) {
        Some(uri) if is_loopback(&uri) => uri,
        // A page of another machine could get a code in this way.
        _ => return invalid("`redirect_uri` must be a URL of this machine, such as http://localhost:8080/"),
    };
    let issued = match authorization(&state.shared, &parameters).await {
        Ok(grant) => state.codes.issue(grant, &parameters),
        Err(error) => Err(error),
    };
    let pairs: Vec<(&str, String)> = match issued {
        Ok(code) => vec![("code", code), ("scope", parameters.get("scope").unwrap_or_default().to_owned())],
        Err(GrantError::Unavailable(error)) => return unavailable(&error),
        Err(error) => vec![("error", error.code().to_owned()), ("error_description", error.to_string())],
    };
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(pairs).extend_pairs(parameters.get("state").map(|state| ("state", state)));
    let separator = if redirect.query().is_some() { '&' } else { '?' };
    match HeaderValue::from_str(&format!("{redirect}{separator}{}", query.finish())) {
        Ok(location) => (StatusCode::FOUND, [(header::LOCATION, location)]).into_response(),
        Err(_) => invalid("`redirect_uri` is not a URL"),
    }
}

/// Returns the grant of an authorization request.
async fn authorization(shared: &ServerState, parameters: &Parameters) -> Result<Grant, GrantError> {
    if parameters.get("response_type") != Some("code") {
        return Err(GrantError::UnsupportedResponse);
    }
    let scopes = grants::scopes(parameters.get("scope"))?;
    let ready = shared.token.as_ref().map(|token| token.user().to_owned());
    let address = match parameters.get("login_hint").map(str::to_owned).or(ready) {
        Some(address) => address,
        None => {
            let users = shared.store.users().await.map_err(GrantError::Unavailable)?;
            users.into_iter().next().map(|user| user.address).ok_or(GrantError::NoUser)?
        }
    };
    Grant::of_user(&shared.store, "login_hint", &address, scopes).await
}

/// Handles `POST /token`: returns an access token.
async fn token(State(state): State<OAuthState>, request: Request) -> Response {
    let (parts, body) = match admit(request) {
        Ok(admitted) => admitted,
        Err(refusal) => return refusal.into_response(),
    };
    let parameters = match read(&parts.headers, body).await {
        Ok(parameters) => parameters,
        Err(response) => return response,
    };
    match exchange(&state, &parameters).await {
        Ok(response) => response,
        Err(GrantError::Unavailable(error)) => unavailable(&error),
        Err(error) => {
            let body = json!({ "error": error.code(), "error_description": error.to_string() });
            json_response(StatusCode::BAD_REQUEST, &body)
        }
    }
}

/// Admits a request of a program on this machine.
fn admit(request: Request) -> Result<(Parts, Body), Refusal> {
    let (mut parts, body) = request.into_parts();
    for name in CLIENT_HEADERS {
        parts.headers.remove(name);
    }
    Guard::default().admit_visit(&parts)?;
    Ok((parts, body))
}

/// Reads the parameters in a form.
async fn read(headers: &HeaderMap, body: Body) -> Result<Parameters, Response> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if !kind.to_ascii_lowercase().starts_with("application/x-www-form-urlencoded") {
        return Err(invalid("the body must be a form: `Content-Type: application/x-www-form-urlencoded`"));
    }
    let bytes = to_bytes(body, BODY_BYTES).await;
    bytes.map(|bytes| Parameters::parse(&bytes)).map_err(|_| invalid("the body cannot be read or is too long"))
}

/// Exchanges a grant for an access token.
async fn exchange(state: &OAuthState, parameters: &Parameters) -> Result<Response, GrantError> {
    let store = &state.shared.store;
    let grant = match parameters.get("grant_type") {
        Some("authorization_code") => state.codes.redeem(parameters)?,
        Some("refresh_token") => Grant::from_refresh_token(store, parameters).await?,
        Some("urn:ietf:params:oauth:grant-type:jwt-bearer") => Grant::from_assertion(store, parameters).await?,
        other => return Err(GrantError::UnsupportedGrant(other.unwrap_or_default().to_owned())),
    };
    let secret = issue(&state.shared, &grant).await.map_err(GrantError::Unavailable)?;
    let mut response = json!({
        "access_token": secret.reveal(),
        "expires_in": VALIDITY.as_secs(),
        "token_type": "Bearer",
        "scope": grant.scopes.requested(),
    });
    if parameters.get("grant_type") == Some("authorization_code") {
        response["refresh_token"] = grant.refresh_token().into();
    }
    Ok(json_response(StatusCode::OK, &response))
}

/// Stores a new access token.
async fn issue(shared: &ServerState, grant: &Grant) -> Result<Secret, Error> {
    let (secret, now) = (Secret::random(), shared.clock.now());
    let User { mailbox, .. } = grant.user;
    let token = NewToken {
        user: mailbox,
        hash: secret.hash(),
        kind: grant.kind,
        scopes: grant.scopes.granted().unwrap_or_else(scopes::all),
        expires: Some(now.saturating_add(VALIDITY)),
        note: token_note(secret.hash()),
        now,
    };
    shared.store.add_token(token).await.map(|_| secret)
}

/// Returns the note of a token, which has the beginning of its hash: it is found by that when it is revoked.
fn token_note(hash: TokenHash) -> String {
    let beginning = hash.0.iter().take(8);
    beginning.fold(TOKEN_NOTE.to_owned(), |note, byte| format!("{note}{byte:02x}"))
}

fn invalid(message: &str) -> Response {
    let body = json!({ "error": "invalid_request", "error_description": message });
    json_response(StatusCode::BAD_REQUEST, &body)
}

fn unavailable(error: &Error) -> Response {
    tracing::warn!(cause = %error, "a token could not be issued");
    let body = json!({ "error": "temporarily_unavailable", "error_description": "the store is not available" });
    json_response(StatusCode::SERVICE_UNAVAILABLE, &body)
}
