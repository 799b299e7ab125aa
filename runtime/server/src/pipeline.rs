//! Processing of a request: limits, routing, authentication, handler, response.

mod batch;
mod long_queries;
mod uploads;

use std::convert::Infallible;
use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context as TaskContext, Poll};

use axum::body::{Body, Bytes};
use futures_util::FutureExt as _;
use http::header::{ALLOW, AUTHORIZATION, CONTENT_LENGTH, COOKIE, Entry};
use http::request::Parts;
use http::{HeaderName, HeaderValue, Method, Request, Response, StatusCode};
use tower_service::Service;
use tracing::Instrument as _;
use wireform_runtime::operation::Api;

use crate::auth::{AnyAuthenticator, AuthGate, key_headers};
use crate::contract::{BodyRequirement, Contract, Outcome};
use crate::error::{Error, render};
use crate::handlers::{AnyHandlers, Handlers, Operations};
use crate::limits::{
    Caller, RequestBody, Slots, body_length, catch_panic, check_head, first_chunk, read_body, with_permit, with_timeout,
};
use crate::observe::{ObserveRequests, RequestId, RequestObservation, X_REQUEST_ID};
use crate::receive::{self, Incoming, SentNames};
use crate::routes::{Captures, RouteMatch, Routes};
use crate::settings::Settings;
use crate::uploads::{UploadRoute, Uploads};

/// Processing of all requests of a server.
pub(crate) struct Pipeline {
    api: &'static Api,
    handlers: Box<dyn AnyHandlers>,
    /// Contracts of the operations, by the indices of their handlers.
    contracts: Vec<&'static Contract>,
    auth_gate: AuthGate,
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

impl Pipeline {
    pub(crate) fn new<H: Handlers>(
        handlers: H,
        authenticator: Option<Box<dyn AnyAuthenticator>>,
        settings: Settings,
        observer: Option<Arc<dyn ObserveRequests>>,
    ) -> Self {
        let operations = Operations::new(handlers);
        let contracts = operations.contracts();
        Self::from_parts(H::API, (Box::new(operations), contracts), authenticator, (settings, observer))
    }

    /// Creates the pipeline: authentication, routes, and limits on concurrency.
    fn from_parts(
        api: &'static Api,
        (handlers, contracts): (Box<dyn AnyHandlers>, Vec<&'static Contract>),
        authenticator: Option<Box<dyn AnyAuthenticator>>,
        (settings, observer): (Settings, Option<Arc<dyn ObserveRequests>>),
    ) -> Self {
        let media = |(place, contract): (usize, &&'static Contract)| contract.media.map(|media| (place, media));
        let uploads = contracts.iter().enumerate().filter_map(media);
        let limits = &settings.limits;
        Self {
            api,
            handlers,
            auth_gate: AuthGate::new(api, &contracts, authenticator, settings.names),
            routes: Routes::new(api, &contracts),
            uploads: Uploads::new(uploads),
            secret_headers: key_headers(&contracts),
            contracts,
            workers: Slots::new(limits.concurrent_requests, limits),
            receivers: Slots::new(limits.concurrent_bodies, limits),
            batches: Slots::new(limits.concurrent_batches, limits),
            settings: Arc::new(settings),
            observer,
        }
    }

    /// Returns the base paths of the API, the longest first.
    pub(crate) fn bases(&self) -> &[&'static str] {
        self.routes.bases()
    }

    /// Returns the path prefixes of uploads.
    pub(crate) fn upload_prefixes(&self) -> Vec<String> {
        self.uploads.prefixes(self.bases())
    }

    /// Returns the response to a request, whatever happens.
    async fn respond(self: Arc<Self>, request: Request<Body>) -> Response<Body> {
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
        let outcome = {
            let processing = pin!(self.process(upload, parts, body, &mut watch));
            catch_panic(&id, with_timeout(time, processing)).instrument(span).await
        };
        if let Err(error) = &outcome {
            watch.record_error(error);
        }
        let mut response = outcome.unwrap_or_else(|error| render(error, self.api));
        response.headers_mut().insert(X_REQUEST_ID, id.to_header());
        watch.record_response(if without_body { into_head_response(response) } else { response })
    }

    /// Processes a request up to its response: checks, routing, authentication, quota, and the operation's handler.
    async fn process(
        self: &Arc<Self>,
        upload: Option<(UploadRoute, Captures)>,
        mut parts: Parts,
        body: Body,
        watch: &mut RequestObservation,
    ) -> Outcome {
        check_head(&self.settings.limits, &parts)?;
        if let Some(of) = self.batch_description(&parts) {
            // Boxed, because the state of rare requests would enlarge the future of each request.
            return Box::pin(self.process_batch(of, parts, body, watch)).await;
        }
        if let Some(found) = upload {
            long_queries::reject_override(&parts)?;
            return Box::pin(self.process_upload(found, parts, body, watch)).await;
        }
        let long_read = long_queries::override_method(&mut parts)?;
        let method = if long_read { &Method::GET } else { &parts.method };
        let (index, captures) = match self.routes.find(method, parts.uri.path()) {
            RouteMatch::Operation { operation, captures } => (operation, captures),
            RouteMatch::Options { allow } => return Ok(options_response(allow)),
            RouteMatch::Unimplemented { name } => return Err(unimplemented(name)),
            RouteMatch::MethodNotAllowed { allow } => return Err(method_not_allowed(allow)),
            RouteMatch::NotFound => return Err(Error::not_found("unknown path")),
        };
        let Some(contract) = self.contracts.get(index).copied() else {
            return Err(Error::not_found("unknown path"));
        };
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
        self.call(index, incoming, &caller).await
    }

    /// Calls the handler of an operation. Errors name parameters as the request does.
    ///
    /// The request is received before the future exists, whose state would otherwise contain it.
    fn call<'a>(
        &'a self,
        index: usize,
        incoming: Incoming,
        caller: &'a Caller,
    ) -> impl Future<Output = Outcome> + Send + 'a {
        let operation = incoming.operation;
        let mut parameters = operation.parameters.iter().chain(self.api.standard_parameters);
        let has_aliases = parameters.any(|parameter| !parameter.name.aliases.is_empty());
        let uri = has_aliases.then(|| incoming.parts.uri.clone());
        let response = self.handlers.call(index, incoming);
        async move {
            let outcome = match response {
                Ok(response) => response.await,
                Err(error) => Err(error),
            };
            let outcome = outcome.map_err(|error| match uri {
                Some(uri) => {
                    SentNames::new(self.api, operation, uri.query(), self.settings.names).rename_in_error(error)
                }
                None => error,
            });
            match (&self.settings.memory, outcome) {
                (Some(budget), Ok(response)) => budget.hold_text(response, caller).await,
                (Some(budget), Err(error)) => Err(budget.hold_error(error, self.api, caller).await),
                (None, outcome) => outcome,
            }
        }
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
            let chunk = pin!(first_chunk(body, &self.settings.limits));
            return with_permit(&self.receivers, caller, chunk).await;
        }
        receive::check_content(&parts.headers, contract.content_types)?;
        let body = pin!(read_body(body, &self.settings.limits));
        with_permit(&self.receivers, caller, body).await
    }
}

/// Creates the response to `OPTIONS` (RFC 9110, section 9.3.7).
fn options_response(allow: HeaderValue) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    response.headers_mut().insert(ALLOW, allow);
    response
}

/// Creates the error of a path without this method: a 405 with `Allow`.
#[cold]
fn method_not_allowed(allow: HeaderValue) -> Error {
    Error::new(StatusCode::METHOD_NOT_ALLOWED, "method not allowed for this path").with_header(ALLOW, allow)
}

/// Creates the error of an operation that the API does not have here: a 501 with its name.
#[cold]
fn unimplemented(name: &str) -> Error {
    Error::new(StatusCode::NOT_IMPLEMENTED, format!("the operation `{name}` is not implemented by this server"))
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
#[derive(Clone)]
pub(crate) struct PipelineService(Arc<Pipeline>);

impl PipelineService {
    pub(crate) fn new(pipeline: Pipeline) -> Self {
        Self(Arc::new(pipeline))
    }
}

impl Service<Request<Body>> for PipelineService {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut TaskContext<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let pipeline = Arc::clone(&self.0);
        Box::pin(pipeline.respond(request).map(Ok))
    }
}
