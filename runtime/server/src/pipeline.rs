//! Processing of a request: limits, routing, authentication, handler, response.

mod batch;
mod long_queries;
mod uploads;

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context as TaskContext, Poll};

use axum::body::{Body, Bytes};
use http::header::{ALLOW, AUTHORIZATION, CONTENT_LENGTH, COOKIE, Entry};
use http::request::Parts;
use http::{HeaderName, HeaderValue, Method, Request, Response, StatusCode};
use tower_service::Service;
use tracing::Instrument as _;

use crate::auth::{AuthGate, Authenticator, key_headers};
use crate::contract::{BodyRequirement, Contract, Outcome};
use crate::error::{Error, render};
use crate::handlers::{Handlers, Route};
use crate::limits::{
    Caller, RequestBody, Slots, body_length, catch_panic, check_head, first_chunk, read_body, with_permit, with_timeout,
};
use crate::observe::{ObserveRequests, RequestId, RequestObservation, X_REQUEST_ID};
use crate::receive::{self, Incoming, SentNames};
use crate::routes::{Captures, RouteMatch, Routes};
use crate::settings::Settings;
use crate::uploads::{UploadRoute, Uploads};

/// Processing of all requests of a server.
pub(crate) struct Pipeline<H: 'static, A> {
    handlers: Arc<H>,
    /// Operations of all groups.
    operations: Vec<&'static Route<H>>,
    auth_gate: AuthGate<A>,
    routes: Routes,
    uploads: Uploads,
    /// Slots of requests that are processed.
    workers: Arc<Slots>,
    /// Slots of bodies that arrive, so that slow peers hold no slots of workers.
    receivers: Arc<Slots>,
    batches: Arc<Slots>,
    /// Headers that hold credentials of the API.
    secret_headers: Vec<HeaderName>,
    settings: Arc<Settings>,
    observer: Option<Arc<dyn ObserveRequests>>,
}

impl<H: Handlers, A: Authenticator> Pipeline<H, A> {
    pub(crate) fn new(
        handlers: H,
        authenticator: Option<A>,
        settings: Settings,
        observer: Option<Arc<dyn ObserveRequests>>,
    ) -> Self {
        let operations: Vec<&'static Route<H>> = H::ROUTES.iter().copied().flatten().collect();
        let contracts: Vec<&'static Contract> = operations.iter().map(|route| route.contract).collect();
        let media = |(place, contract): (usize, &&'static Contract)| contract.media.map(|media| (place, media));
        let uploads = contracts.iter().enumerate().filter_map(media);
        let limits = &settings.limits;
        Self {
            handlers: Arc::new(handlers),
            auth_gate: AuthGate::new(H::API, &contracts, authenticator, settings.names),
            routes: Routes::new(H::API, &contracts),
            uploads: Uploads::new(uploads),
            secret_headers: key_headers(&contracts),
            operations,
            workers: Slots::new(limits.concurrent_requests, limits),
            receivers: Slots::new(limits.concurrent_bodies, limits),
            batches: Slots::new(limits.concurrent_batches, limits),
            settings: Arc::new(settings),
            observer,
        }
    }

    pub(crate) fn bases(&self) -> &[&'static str] {
        self.routes.bases()
    }

    /// Returns the path prefixes of uploads.
    pub(crate) fn upload_prefixes(&self) -> Vec<String> {
        self.uploads.prefixes(self.bases())
    }

    /// Returns the response to a request, whatever happens.
    async fn respond(self: &Arc<Self>, request: Request<Body>) -> Response<Body> {
        let (mut parts, body) = request.into_parts();
        // Marked as sensitive, so that loggers of headers should omit them.
        for name in [&AUTHORIZATION, &COOKIE].into_iter().chain(&self.secret_headers) {
            if let Entry::Occupied(mut values) = parts.headers.entry(name) {
                values.iter_mut().for_each(|value| value.set_sensitive(true));
            }
        }
        let without_body = parts.method == Method::HEAD;
        let mut watch = RequestObservation::begin(self.observer.clone(), &parts.method, RequestId::of(&parts.headers));
        watch.set_access_log(self.settings.access_log);
        let span = watch.span().clone();
        let id = watch.id().clone();
        let upload = self.uploads.find(&parts);
        let limits = &self.settings.limits;
        let time = if upload.is_some() { limits.media_time } else { limits.request_time };
        let processing = with_timeout(time, self.process(upload, parts, body, &mut watch));
        let outcome = catch_panic(&id, processing).instrument(span).await;
        if let Err(error) = &outcome {
            watch.record_error(error);
        }
        let mut response = outcome.unwrap_or_else(|error| render(error, H::API));
        response.headers_mut().insert(X_REQUEST_ID, id.to_header());
        watch.record_response(if without_body { into_head_response(response) } else { response })
    }

    async fn process(
        self: &Arc<Self>,
        upload: Option<(UploadRoute, Captures)>,
        mut parts: Parts,
        body: Body,
        watch: &mut RequestObservation,
    ) -> Outcome {
        check_head(&self.settings.limits, &parts)?;
        if let Some(of) = Self::batch_description(&parts) {
            // Boxed, because the state of rare requests would enlarge the future of each request.
            return Box::pin(self.process_batch(of, parts, body, watch)).await;
        }
        if let Some(found) = upload {
            return Box::pin(self.process_upload(found, parts, body, watch)).await;
        }
        let long_read = long_queries::is_long_query(&parts)?;
        let method = if long_read { &Method::GET } else { &parts.method };
        let (operation, captures) = match self.routes.find(method, parts.uri.path()) {
            RouteMatch::Operation { operation, captures } => (operation, captures),
            RouteMatch::Options { allow } => return Ok(options_response(allow)),
            RouteMatch::MethodNotAllowed { allow } => return Err(method_not_allowed(allow)),
            RouteMatch::NotFound => return Err(Error::not_found("unknown path")),
        };
        let Some(route) = self.operations.get(operation).copied() else {
            return Err(Error::not_found("unknown path"));
        };
        let contract = route.contract;
        watch.record_operation(contract.operation.name);
        let principal = self.auth_gate.admit(contract.operation, &parts).await?;
        let caller = Caller::of(&principal, &parts);
        self.settings.spend(&caller, contract)?;
        let body = if long_read {
            let reading = long_queries::read_query_body(parts, body, &self.receivers, &caller, &self.settings.limits);
            parts = Box::pin(reading).await?;
            Bytes::new()
        } else {
            let body = self.settings.limit_body(body, &caller, contract.binary, &mut parts);
            self.read_request_body(contract, &parts, body, &caller).await?
        };
        watch.record_received(body_length(&parts, &body));
        let _working = self.workers.acquire(&caller)?;
        let (id, settings) = (watch.id().clone(), Arc::clone(&self.settings));
        let (facts, media, files) = (contract.operation, None, Vec::new());
        let incoming =
            Incoming { contract, operation: facts, captures, principal, id, parts, body, files, media, settings };
        self.call(route, incoming).await
    }

    /// Calls the handler of an operation. Errors name parameters as the request does.
    async fn call(&self, route: &Route<H>, incoming: Incoming) -> Outcome {
        let operation = incoming.operation;
        let mut parameters = operation.parameters.iter().chain(H::API.standard_parameters);
        let has_aliases = parameters.any(|parameter| !parameter.name.aliases.is_empty());
        let uri = has_aliases.then(|| incoming.parts.uri.clone());
        let outcome = (route.call)(Arc::clone(&self.handlers), incoming).await;
        let Some(uri) = uri else { return outcome };
        let names = self.settings.names;
        outcome.map_err(|error| SentNames::new(H::API, operation, uri.query(), names).rename_in_error(error))
    }

    /// Reads the body, if its type is one of the operation's.
    async fn read_request_body(
        &self,
        contract: &Contract,
        parts: &Parts,
        body: RequestBody,
        caller: &Caller,
    ) -> Result<Bytes, Error> {
        if body.is_end_stream() {
            return Ok(Bytes::new());
        }
        if contract.body == BodyRequirement::None {
            // Any body is an error, however long it is.
            return with_permit(&self.receivers, caller, first_chunk(body, &self.settings.limits)).await;
        }
        receive::check_content(&parts.headers, contract.content_types)?;
        with_permit(&self.receivers, caller, read_body(body, &self.settings.limits)).await
    }
}

/// Creates the response to `OPTIONS` (RFC 9110, section 9.3.7).
fn options_response(allow: HeaderValue) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    response.headers_mut().insert(ALLOW, allow);
    response
}

#[cold]
fn method_not_allowed(allow: HeaderValue) -> Error {
    Error::new(StatusCode::METHOD_NOT_ALLOWED, "method not allowed for this path").with_header(ALLOW, allow)
}

/// Removes the body of a response to `HEAD`, and keeps its length (RFC 9110, section 9.3.2).
fn into_head_response(mut response: Response<Body>) -> Response<Body> {
    let body = std::mem::take(response.body_mut());
    let length = http_body::Body::size_hint(&body).exact();
    let has_content = response.status() != StatusCode::NO_CONTENT && response.status() != StatusCode::NOT_MODIFIED;
    if let (Some(length), true) = (length, has_content) {
        response.headers_mut().entry(CONTENT_LENGTH).or_insert(HeaderValue::from(length));
    }
    response
}

/// Pipeline as a tower service for a router.
pub(crate) struct PipelineService<H: 'static, A>(Arc<Pipeline<H, A>>);

impl<H: 'static, A> PipelineService<H, A> {
    pub(crate) fn new(pipeline: Pipeline<H, A>) -> Self {
        Self(Arc::new(pipeline))
    }
}

impl<H: 'static, A> Clone for PipelineService<H, A> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<H: Handlers, A: Authenticator> Service<Request<Body>> for PipelineService<H, A> {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut TaskContext<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let pipeline = Arc::clone(&self.0);
        Box::pin(async move { Ok(pipeline.respond(request).await) })
    }
}
