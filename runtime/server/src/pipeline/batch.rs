//! Batches, whose parts are processed as requests of their own.
//!
//! A part inherits the headers of the batch, so that one token suffices, and its query; its own headers and parameters
//! take precedence. The head of the batch is authenticated before its body is read; then each part is authorized,
//! limited, observed and processed separately, in a task of its own: a running part holds database connections and
//! slots, and must not wait for a peer that reads slowly. The responses are in the order of the parts; each is sent as
//! soon as those before it are, and no faster than the peer reads.

mod response;
mod task;

use std::borrow::Cow;
use std::collections::HashSet;
use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::Arc;

use axum::body::{Body, Bytes};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use http::header::{
    ACCEPT, ACCEPT_ENCODING, CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, EXPECT, HOST, TRANSFER_ENCODING, UPGRADE,
};
use http::request::Parts;
use http::{Extensions, HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode, Uri};
use tower_service::Service as _;
use wireform_runtime::batch::{self, Message, Part};
use wireform_runtime::operation::BatchEndpoint;

use self::response::PartResponse;
use self::task::AbortOnDrop;
use super::{Pipeline, long_queries, method_not_allowed, options_response};
use crate::contract::Outcome;
use crate::error::{Error, render};
use crate::limits::{Caller, Permit, read_body, with_permit};
use crate::memory::MemoryShare;
use crate::observe::{RequestId, RequestObservation};
use crate::query;
use wireform_runtime::http::percent::decode_form;

/// Name of a batch in logs.
const BATCH_NAME: &str = "batch";

/// Maximum number of concurrent parts of a batch.
const MAX_CONCURRENT_PARTS: usize = 4;

/// Headers that apply to the batch itself and are not inherited, in addition to those that begin with `content-`.
/// Responses to parts are neither compressed nor negotiated by the headers of the batch.
const NOT_INHERITED: &[HeaderName] = &[ACCEPT, ACCEPT_ENCODING, CONNECTION, EXPECT, HOST, TRANSFER_ENCODING, UPGRADE];

/// Marker of a request that is part of a batch.
#[derive(Clone, Copy)]
struct BatchPart;

/// Headers and query that the parts of a batch inherit.
struct InheritedParts {
    headers: HeaderMap,
    query: Option<String>,
    extensions: Extensions,
    boundary: String,
}

impl Pipeline {
    /// Returns the batch description of the API, if the request has its path.
    pub(super) fn batch_description(&self, parts: &Parts) -> Option<BatchEndpoint> {
        self.api.batch.filter(|batch| batch.path.spellings().any(|path| path == parts.uri.path()))
    }

    /// Processes a batch.
    pub(super) async fn process_batch(
        self: &Arc<Self>,
        of: BatchEndpoint,
        parts: Parts,
        body: Body,
        watch: &mut RequestObservation,
    ) -> Outcome {
        if parts.extensions.get::<BatchPart>().is_some() {
            return Err(Error::bad_request("batches cannot be nested"));
        }
        watch.record_operation(BATCH_NAME);
        let allow = HeaderValue::from_static("OPTIONS, POST");
        match parts.method {
            Method::POST => {}
            Method::OPTIONS => return Ok(options_response(allow)),
            _ => return Err(method_not_allowed(allow)),
        }
        let principal = self.auth_gate.admit_batch(&parts).await?;
        let caller = Caller::of(&principal, &parts);
        let media_type = parts.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let boundary = batch::parse_boundary(media_type).map_err(|error| {
            Error::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "the body must be `multipart/mixed` with a boundary")
                .with_cause(error)
        })?;
        // The parts take slots of workers one by one, and do not block each other.
        let permit = self.batches.acquire(&caller)?;
        let (body, share) = self.settings.limit_batch_body(body, &caller);
        let body = pin!(read_body(body, &self.settings.limits));
        let body = with_permit(&self.receivers, &caller, body).await?;
        watch.record_received(body.len() as u64);
        let most = usize::try_from(of.max_requests).unwrap_or(usize::MAX);
        let found = batch::parse_parts(&body, &boundary, most).map_err(|error| match error {
            batch::BatchError::TooManyParts => Error::bad_request(format!("a batch can have at most {most} parts")),
            error => Error::bad_request(format!("malformed batch: {error}")),
        })?;
        if found.is_empty() {
            return Err(Error::bad_request("the batch has no parts"));
        }
        let ids: Vec<Option<String>> =
            found.iter().map(|Part { id, .. }| id.as_deref().map(batch::response_content_id)).collect();
        let contents: Vec<Bytes> = found.iter().map(|part| body.slice_ref(part.content)).collect();
        let mut response =
            self.stream_responses(InheritedParts::new(parts), (permit, share), contents.into_iter().zip(ids));
        // The responses to the parts may hold memory shares.
        if let Some(budget) = &self.settings.memory {
            response.extensions_mut().insert(budget.mark(&caller));
        }
        Ok(response)
    }

    /// Creates the response that streams the responses to the parts. It keeps the slot and the memory share of the
    /// batch until it has been sent.
    fn stream_responses(
        self: &Arc<Self>,
        outer: InheritedParts,
        held: (Permit, Option<Arc<MemoryShare>>),
        parts: impl Iterator<Item = (Bytes, Option<String>)> + Send + 'static,
    ) -> Response<Body> {
        let media_type = HeaderValue::from_str(&format!("multipart/mixed; boundary={}", outer.boundary));
        let mut end = Vec::new();
        batch::write_closing_boundary(&mut end, &outer.boundary);
        let (pipeline, outer) = (Arc::clone(self), Arc::new(outer));
        let responses = stream::iter(parts)
            .map(move |(content, id)| {
                AbortOnDrop::spawn(Arc::clone(&pipeline).process_part(Arc::clone(&outer), content, id))
            })
            .buffered(MAX_CONCURRENT_PARTS)
            .map_ok(PartResponse::into_stream)
            .map_err(axum::Error::new)
            .try_flatten()
            .chain(stream::once(async move {
                drop(held);
                Ok(Bytes::from(end))
            }));
        let mut response = Response::new(Body::from_stream(responses));
        if let Ok(media_type) = media_type {
            response.headers_mut().insert(CONTENT_TYPE, media_type);
        }
        response
    }

    /// Processes a part, and returns its response as a part. Boxed, because a part recursively uses the pipeline.
    fn process_part(
        self: Arc<Self>,
        outer: Arc<InheritedParts>,
        content: Bytes,
        id: Option<String>,
    ) -> Pin<Box<dyn Future<Output = PartResponse> + Send>> {
        Box::pin(async move {
            let response = match batch::parse_message(&content)
                .map_err(|error| error.to_string())
                .and_then(|message| outer.request(&message, &content, self.settings.limits.target_bytes))
            {
                Ok(request) => self.dispatch_part(request).await,
                Err(problem) => render(Error::bad_request(format!("malformed part: {problem}")), self.api),
            };
            let mut written = Vec::new();
            batch::write_part_head(&mut written, &outer.boundary, id.as_deref());
            PartResponse::from_response(written, response, self.api).await
        })
    }
}

impl Pipeline {
    /// Returns the response to a part, from this API or from that of its path.
    async fn dispatch_part(self: &Arc<Self>, request: Request<Body>) -> Response<Body> {
        match &self.settings.other_apis {
            Some(others) if !self.has_path(request.uri().path()) => match others.clone().call(request).await {
                Ok(response) => response,
                Err(never) => match never {},
            },
            _ => Arc::clone(self).respond(request).await,
        }
    }

    /// Returns whether a path is below one of the paths of the API.
    fn has_path(&self, path: &str) -> bool {
        let is_below =
            |base: &str| path.strip_prefix(base).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        self.api.batch.into_iter().flat_map(|batch| batch.path.spellings()).any(is_below)
            || self.bases().iter().copied().any(is_below)
            || self.upload_prefixes().iter().any(|prefix| is_below(prefix))
    }
}

impl InheritedParts {
    fn new(parts: Parts) -> Self {
        let mut headers = parts.headers;
        let own = |name: &HeaderName| {
            NOT_INHERITED.contains(name)
                || *name == long_queries::METHOD_OVERRIDE
                || name.as_str().starts_with("content-")
        };
        let gone: Vec<HeaderName> = headers.keys().filter(|name| own(name)).cloned().collect();
        for name in gone {
            headers.remove(name);
        }
        let mut extensions = parts.extensions;
        extensions.insert(BatchPart);
        let boundary = format!("batch_{}", RequestId::generate());
        Self { headers, query: parts.uri.query().map(str::to_owned), extensions, boundary }
    }

    /// Creates the request of a part.
    fn request(&self, message: &Message<'_>, content: &Bytes, most: usize) -> Result<Request<Body>, String> {
        let mut words = message.start_line.split(' ').filter(|word| !word.is_empty());
        let (Some(method), Some(target)) = (words.next(), words.next()) else {
            return Err("expected a method and a path at the start".to_owned());
        };
        if !target.starts_with('/') {
            return Err("the path must start with `/`".to_owned());
        }
        // A target that is refused in any case is not combined with the query of the batch.
        if target.len() > most {
            return Err("the URI is too long".to_owned());
        }
        let uri = self.target(target).parse::<Uri>().map_err(|_| "invalid URI".to_owned())?;
        let method = Method::from_bytes(method.as_bytes()).map_err(|_| "invalid method".to_owned())?;
        let mut headers = self.headers.clone();
        let mut own = HeaderMap::new();
        for (name, value) in &message.headers {
            let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| "invalid name of a header".to_owned())?;
            let value = HeaderValue::from_str(value).map_err(|_| format!("invalid value of the header `{name}`"))?;
            if !NOT_INHERITED.iter().skip(1).any(|own| *own == name) {
                own.append(name, value);
            }
        }
        for name in own.keys() {
            headers.remove(name);
        }
        headers.extend(own);
        headers.remove(CONTENT_LENGTH);
        let body = content.slice_ref(message.body);
        let mut request = Request::new(if body.is_empty() { Body::empty() } else { Body::from(body) });
        (*request.method_mut(), *request.uri_mut(), *request.headers_mut()) = (method, uri, headers);
        *request.extensions_mut() = self.extensions.clone();
        Ok(request)
    }

    /// Returns the target with those parameters of the batch that it does not set itself.
    fn target(&self, target: &str) -> String {
        let mut text = target.to_owned();
        let own: HashSet<Cow<'_, str>> =
            query::pairs(target.split_once('?').map(|(_, query)| query)).map(|(name, _)| decode_name(name)).collect();
        for (name, value) in query::pairs(self.query.as_deref()).filter(|(name, _)| !own.contains(&decode_name(name))) {
            text.push(if text.contains('?') { '&' } else { '?' });
            text.extend([name, "=", value]);
        }
        text
    }
}

/// Decodes a name of the query; an invalid one is returned unchanged, and refused later.
fn decode_name(name: &str) -> Cow<'_, str> {
    decode_form(name).unwrap_or(Cow::Borrowed(name))
}
