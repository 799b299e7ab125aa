//! Request to a token server (RFC 6749, section 5).

use std::time::{Duration, SystemTime};

use bytes::Bytes;
use http::{HeaderValue, Method, Request, StatusCode, Uri, header};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use serde_json::Value;
use wireform_runtime::http::percent;

use crate::credentials::{CredentialsError, CredentialsErrorKind, Token};
use crate::text::one_line;
use crate::transport::{Transport, TransportErrorKind};

/// Maximum size of a response in bytes.
const MAX_RESPONSE_BYTES: usize = 64 * 1024;

/// Maximum number of bytes of server text in a message.
const MAX_SERVER_TEXT: usize = 256;

/// Timeout of a request.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Form body of a request.
pub(super) struct Form {
    body: String,
    secrets: Vec<String>,
}

impl Form {
    pub(super) fn new(grant_type: &str) -> Self {
        Self { body: String::new(), secrets: Vec::new() }.with_field("grant_type", grant_type)
    }

    /// Appends a field to the form, percent-encoded.
    pub(super) fn with_field(mut self, name: &str, value: &str) -> Self {
        let separator = if self.body.is_empty() { "" } else { "&" };
        self.body.push_str(&format!("{separator}{name}={}", percent_encode(value)));
        self
    }

    /// Appends a field whose value is redacted in error messages.
    pub(super) fn with_secret_field(mut self, name: &str, value: &str) -> Self {
        self.secrets.extend([value.to_owned(), percent_encode(value)]);
        self.with_field(name, value)
    }
}

/// Escapes a value for a form.
fn percent_encode(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    percent::encode(value, &mut text);
    text
}

/// Requests a token.
pub(super) async fn request_token(
    transport: &dyn Transport,
    uri: &Uri,
    form: Form,
    now: SystemTime,
) -> Result<Token, CredentialsError> {
    let Form { body, secrets } = form;
    let mut request = Request::new(Bytes::from(body));
    *request.method_mut() = Method::POST;
    *request.uri_mut() = uri.clone();
    let headers = request.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
    headers.insert(header::ACCEPT, HeaderValue::from_static("application/json"));
    let host = uri.host().unwrap_or_default();
    let late = || token_server_error(host, CredentialsErrorKind::Unavailable, "did not respond in time");
    let (status, body) = tokio::time::timeout(TIMEOUT, send(transport, request, host)).await.map_err(|_| late())??;
    TokenResponse { host, status, body: &body, secrets: &secrets }.parse_token(now)
}

/// Sends a request to the token server, and reads its response up to the limit on its length.
async fn send(
    transport: &dyn Transport,
    request: Request<Bytes>,
    host: &str,
) -> Result<(StatusCode, Bytes), CredentialsError> {
    let response = transport.send(request).await.map_err(|error| {
        let kind = match error.kind() {
            TransportErrorKind::Refused => CredentialsErrorKind::Refused,
            _ => CredentialsErrorKind::Unavailable,
        };
        token_server_error(host, kind, &format!("cannot be reached: {error}"))
    })?;
    let (head, body) = response.into_parts();
    let body = Limited::new(body, MAX_RESPONSE_BYTES).collect().await.map_err(|error| {
        if error.is::<LengthLimitError>() {
            token_server_error(
                host,
                CredentialsErrorKind::Refused,
                &format!("returned more than {MAX_RESPONSE_BYTES} bytes"),
            )
        } else {
            token_server_error(host, CredentialsErrorKind::Unavailable, "closed the connection during the response")
        }
    })?;
    Ok((head.status, body.to_bytes()))
}

/// Creates an error about the token server of this host; `how` is the predicate of its message.
fn token_server_error(host: &str, kind: CredentialsErrorKind, how: &str) -> CredentialsError {
    CredentialsError::new(kind, format!("the token server `{host}` {how}"))
}

/// Response of a token server.
struct TokenResponse<'a> {
    host: &'a str,
    status: StatusCode,
    body: &'a [u8],
    secrets: &'a [String],
}

impl TokenResponse<'_> {
    /// Returns the bearer token in the response, which expires `expires_in` seconds after `now`, or the server's error.
    fn parse_token(&self, now: SystemTime) -> Result<Token, CredentialsError> {
        let body: Option<Value> = serde_json::from_slice(self.body).ok();
        if self.status != StatusCode::OK {
            return Err(self.rejection(body.as_ref()));
        }
        let body = body.ok_or_else(|| self.invalid_response("a body that is not JSON"))?;
        match &body["token_type"] {
            Value::Null => {}
            Value::String(kind) if kind.eq_ignore_ascii_case("bearer") => {}
            _ => return Err(self.invalid_response("a token that is not a bearer token")),
        }
        let secret = body["access_token"].as_str().ok_or_else(|| self.invalid_response("no `access_token`"))?;
        let token = Token::new(secret)?;
        // Some servers write the number as a string.
        let seconds = &body["expires_in"];
        let seconds = seconds.as_u64().or_else(|| seconds.as_str()?.parse().ok());
        Ok(match seconds.and_then(|seconds| now.checked_add(Duration::from_secs(seconds))) {
            Some(end) => token.expires_at(end),
            None => token,
        })
    }

    /// Creates the error of an invalid successful response.
    fn invalid_response(&self, what: &str) -> CredentialsError {
        token_server_error(self.host, CredentialsErrorKind::Refused, &format!("returned {what}"))
    }

    /// Creates the error of a refusal, in the format of RFC 6749 or of Google's other APIs.
    fn rejection(&self, body: Option<&Value>) -> CredentialsError {
        let status = self.status.as_u16();
        let body = body.unwrap_or(&Value::Null);
        let error = body["error"].as_str().or_else(|| body["error"]["status"].as_str());
        let description = body["error_description"].as_str().or_else(|| body["error"]["message"].as_str());
        let mut message = format!("returned {status}");
        if self.status.is_redirection() {
            message.push_str("; redirects are not followed");
        }
        for text in [error, description].into_iter().flatten() {
            message.push_str(": ");
            message.push_str(&self.redact(text));
        }
        if error == Some("invalid_grant") {
            message.push_str("; help: log in again or replace the key, and check the clock of this machine");
        }
        let later = self.status.is_server_error() || matches!(status, 408 | 429);
        let kind = if later { CredentialsErrorKind::Unavailable } else { CredentialsErrorKind::Refused };
        token_server_error(self.host, kind, &message)
    }

    /// Returns the text of a server, shortened and without the secrets that were sent: a failing server may repeat its
    /// input.
    fn redact(&self, text: &str) -> String {
        let text = self.secrets.iter().fold(text.to_owned(), |text, secret| text.replace(secret.as_str(), "…"));
        one_line(&text, MAX_SERVER_TEXT)
    }
}
