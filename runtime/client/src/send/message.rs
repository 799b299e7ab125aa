//! Encoded requests: URL, headers, body.

use std::sync::Arc;

use bytes::Bytes;
use http::header::{self, HeaderName};
use http::{HeaderMap, HeaderValue, Method, Request, StatusCode, Uri};
use wireform_runtime::WireRequest;
use wireform_runtime::operation::{Parameter, Role};

use super::credentials::RequestCredentials;
use super::parameters::{cannot_encode, encode, find_by_role, find_settable, forbidden_character};
use super::redirect::resolve_same_origin;
use super::secrets::{SecretTexts, Secrets};
use super::{OutgoingRequest, SendError};
use crate::client::ClientInner;
use crate::credentials::{Token, TokenProvider};
use crate::error::ErrorKind;
use crate::media::MediaBody;
use crate::transport::TypedRequest;

/// Result of encoding.
type Outcome<T> = Result<T, SendError>;

/// Encoded request that can be sent any number of times.
#[derive(Clone)]
pub(super) struct EncodedRequest {
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
    media: Option<Arc<MediaBody>>,
    typed: Option<TypedRequest>,
    credentials: Arc<RequestCredentials>,
    secrets: SecretTexts,
}

impl EncodedRequest {
    /// Encodes a request, taking the parts of `outgoing`.
    pub(super) fn new(client: &ClientInner, outgoing: &mut OutgoingRequest) -> Outcome<Self> {
        let OutgoingRequest { api, operation, .. } = *outgoing;
        if (api.name, api.version) != (client.api.name, client.api.version) {
            let (own, other) = (client.api.name, api.name);
            return Err(ErrorKind::Protocol(format!(
                "the operation belongs to the API `{other}`, but the client to `{own}`"
            ))
            .into());
        }
        let empty = WireRequest { target: String::new(), headers: Vec::new(), body: None, content_type: None };
        let wire = std::mem::replace(&mut outgoing.wire, Ok(empty)).map_err(ErrorKind::Request)?;
        let method = Method::from_bytes(operation.method.as_bytes()).map_err(cannot_encode)?;
        let base = outgoing.root_url.unwrap_or(client.base_url.as_str());
        let shown = match outgoing.root_url {
            Some(root) => RequestCredentials::select_at(client, operation, root)?,
            None => RequestCredentials::select(client, operation)?,
        };
        let mut text = String::with_capacity(base.len() + wire.target.len() + 32);
        text.push_str(base);
        text.push_str(&wire.target);
        append_standard_parameters(client, outgoing, shown.key.as_ref(), &mut text)?;
        for (name, value) in &outgoing.extras.query {
            text.push(if text.contains('?') { '&' } else { '?' });
            encode(name, &mut text);
            text.push('=');
            encode(value, &mut text);
        }
        let uri = match &outgoing.options.page {
            None => {
                shown.write_query(&mut text);
                text.parse::<Uri>().map_err(cannot_encode)?
            }
            Some(page) => shown.with_query_keys(client, &self::resolve_page_url(&text, page)?)?,
        };
        let mut headers = build_headers(client, outgoing, &wire, &method)?;
        shown.write_headers(&mut headers)?;
        let body = wire.body.map(Bytes::from).unwrap_or_default();
        let secrets = shown.secrets();
        let (media, typed) = (outgoing.extras.media.clone(), outgoing.typed.take());
        Ok(Self { method, uri, headers, body, media, typed, credentials: Arc::new(shown), secrets })
    }

    /// Creates another request with the same credentials: in the query, those that the URL lacks.
    pub(super) fn with_target(
        &self,
        client: &ClientInner,
        (method, uri): (Method, &Uri),
        mut headers: HeaderMap,
        body: Bytes,
    ) -> Result<Self, SendError> {
        self.credentials.write_headers(&mut headers)?;
        let uri = self.credentials.with_query_keys(client, uri)?;
        let (shown, secrets) = (Arc::clone(&self.credentials), Arc::clone(&self.secrets));
        Ok(Self { method, uri, headers, body, media: None, typed: None, credentials: shown, secrets })
    }

    /// Sets a header, replacing those of the same name.
    pub(super) fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.insert(name, value);
        self
    }

    /// Returns the URL.
    pub(super) fn uri(&self) -> &Uri {
        &self.uri
    }

    /// Returns the body, if it is made of media.
    pub(super) fn media(&self) -> Option<&MediaBody> {
        self.media.as_deref()
    }

    /// Returns the length of the body in bytes.
    pub(super) fn length(&self) -> u64 {
        self.media.as_ref().and_then(|media| media.length()).unwrap_or(self.body.len() as u64)
    }

    /// Returns the secrets of the request with a token.
    pub(super) fn secrets(&self, token: Option<&Token>) -> Secrets {
        Secrets { token: token.cloned(), texts: Arc::clone(&self.secrets) }
    }

    /// Returns the provider of tokens, if the request uses them.
    pub(super) fn token_provider(&self) -> Option<&dyn TokenProvider> {
        self.credentials.token_provider.as_deref()
    }

    /// Builds the HTTP request for an attempt, with the token, if any, in `Authorization`.
    pub(super) fn to_request(&self, token: Option<&Token>) -> Request<Bytes> {
        let mut request = Request::new(self.body.clone());
        *request.method_mut() = self.method.clone();
        *request.uri_mut() = self.uri.clone();
        *request.headers_mut() = self.headers.clone();
        if let Some(token) = token {
            request.headers_mut().insert(header::AUTHORIZATION, token.authorization());
        }
        if let Some(typed) = &self.typed {
            request.extensions_mut().insert(typed.clone());
        }
        request
    }

    /// Returns the same request to another URL. After a 303, the method is GET.
    pub(super) fn to_redirected_request(&self, token: Option<&Token>, uri: &Uri, status: StatusCode) -> Request<Bytes> {
        let mut request = self.to_request(token);
        *request.uri_mut() = uri.clone();
        if status == StatusCode::SEE_OTHER && self.method != Method::HEAD {
            *request.method_mut() = Method::GET;
            *request.body_mut() = Bytes::new();
            request.headers_mut().remove(header::CONTENT_TYPE);
            request.headers_mut().remove(header::CONTENT_LENGTH);
        }
        request
    }
}

/// Parses the URL of a page, which must have the origin of the request: credentials are for that server only.
fn resolve_page_url(request: &str, page: &str) -> Outcome<Uri> {
    let request = request.parse::<Uri>().map_err(cannot_encode)?;
    let elsewhere = || ErrorKind::Protocol("the URL of the next page has another origin".into());
    resolve_same_origin(&request, page).ok_or_else(|| elsewhere().into())
}

/// Appends the standard parameters.
fn append_standard_parameters(
    client: &ClientInner,
    outgoing: &OutgoingRequest,
    key: Option<&(&'static Parameter, String)>,
    text: &mut String,
) -> Outcome<()> {
    let options = &outgoing.options;
    let mut append = |parameter: &'static Parameter, value: &str| {
        text.push(if text.contains('?') { '&' } else { '?' });
        encode(parameter.name.name_in(client.names), text);
        text.push('=');
        encode(value, text);
    };
    if let Some(fields) = &options.fields {
        append(find_by_role(client.api, Role::Fields, "fields")?, fields);
    }
    for (name, value) in &options.standard {
        append(find_settable(client.api, name)?, value);
    }
    if let Some(user) = &client.quota_user {
        let parameter = find_by_role(client.api, Role::QuotaUser, "quota_user")?;
        if !options.standard.iter().any(|(name, _)| parameter.name.matches(name)) {
            append(parameter, user);
        }
    }
    if let Some((parameter, key)) = key {
        append(parameter, key);
    }
    Ok(())
}

/// Builds the headers of a request without credentials; an error if a value has a character that is invalid in headers.
fn build_headers(
    client: &ClientInner,
    outgoing: &OutgoingRequest,
    wire: &WireRequest,
    method: &Method,
) -> Outcome<HeaderMap> {
    let mut headers = HeaderMap::with_capacity(8);
    let accept = match &outgoing.options.accept {
        Some(accept) => HeaderValue::from_str(accept).map_err(|_| forbidden_character("accept"))?,
        None => HeaderValue::from_static(outgoing.accept),
    };
    headers.insert(header::ACCEPT, accept);
    headers.insert(header::USER_AGENT, client.user_agent.clone());
    for (name, text) in &wire.headers {
        let refused = |_| forbidden_character(name);
        let known = HeaderName::from_bytes(name.as_bytes()).map_err(|_| self::forbidden_character(name))?;
        let mut value = HeaderValue::from_str(text).map_err(refused)?;
        // A cookie may hold credentials, so that loggers of headers should omit it.
        value.set_sensitive(known == header::COOKIE);
        headers.append(known, value);
    }
    let media = outgoing.extras.media.as_ref();
    if wire.body.is_some() || media.is_some() {
        let own = wire.content_type.as_deref().unwrap_or(outgoing.content_type);
        let content_type = media.map_or(own, |media| media.content_type());
        let content_type = HeaderValue::from_str(content_type).map_err(|_| forbidden_character("content-type"))?;
        headers.insert(header::CONTENT_TYPE, content_type);
    } else if matches!(*method, Method::POST | Method::PUT | Method::PATCH) {
        // Some servers reject a method that allows a body if it has neither a body nor a length.
        headers.insert(header::CONTENT_LENGTH, HeaderValue::from_static("0"));
    }
    let conditions = [
        (header::IF_MATCH, "if-match", &outgoing.options.if_match),
        (header::IF_NONE_MATCH, "if-none-match", &outgoing.options.if_none_match),
    ];
    for (header, name, value) in conditions {
        if let Some(value) = value {
            headers.insert(header, HeaderValue::from_bytes(value.as_bytes()).map_err(|_| forbidden_character(name))?);
        }
    }
    for (name, value) in &outgoing.extras.headers {
        headers.insert(name, HeaderValue::from_str(value).map_err(|_| forbidden_character(name.as_str()))?);
    }
    Ok(headers)
}
