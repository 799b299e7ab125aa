//! Creation of a router from a service.

use std::fmt;
use std::sync::Arc;

use axum::Router;
use wireform_runtime::Naming;
use wireform_runtime::operation::Api;

use crate::auth::{AnyAuthenticator, Authenticator};
use crate::handlers::Handlers;
use crate::limits::Limits;
use crate::memory::MemoryBudget;
use crate::observe::ObserveRequests;
use crate::pipeline::{Pipeline, PipelineService};
use crate::quota::Quota;
use crate::settings::{Settings, UnknownParameters};
use crate::uploads::UploadSessions;

/// Server of an API, before it becomes a router. Only authentication has to be configured.
///
/// Without an authenticator, every operation that is not public returns 401, so that none is public by accident.
pub struct Server<H> {
    handlers: H,
    authenticator: Option<Box<dyn AnyAuthenticator>>,
    settings: Settings,
    observer: Option<Arc<dyn ObserveRequests>>,
}

// Bounds on handlers are reported once, where the router is created, and not for each setting.
impl<H> Server<H> {
    /// Creates a server with these handlers.
    #[must_use]
    pub fn new(handlers: H) -> Self {
        Self { handlers, authenticator: None, settings: Settings::default(), observer: None }
    }

    /// Sets the authenticator, which checks credentials.
    #[must_use]
    pub fn authenticator(mut self, authenticator: impl Authenticator) -> Self {
        self.authenticator = Some(Box::new(authenticator));
        self
    }

    /// Sets which names responses have: those of the specification or those of the public service. Requests may use
    /// either.
    #[must_use]
    pub fn naming(mut self, naming: Naming) -> Self {
        self.settings.names = naming;
        self
    }

    /// Sets the limits on the cost of a request, such as sizes, counts and times.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.settings.limits = limits;
        self
    }

    /// Sets the handling of unknown query parameters.
    #[must_use]
    pub fn unknown_parameters(mut self, policy: UnknownParameters) -> Self {
        self.settings.unknown_parameters = policy;
        self
    }

    /// Sets the minimum size in bytes of responses that are compressed for clients that accept it. The default is 1024;
    /// `None` disables compression.
    #[must_use]
    pub fn compress_from(mut self, bytes: impl Into<Option<usize>>) -> Self {
        self.settings.compress_from = bytes.into();
        self
    }

    /// Sets the store of resumable uploads. Without it, such uploads get a 501, and media must be sent as one request.
    #[must_use]
    pub fn upload_sessions(mut self, sessions: impl UploadSessions) -> Self {
        self.settings.sessions = Some(Arc::new(sessions));
        self
    }

    /// Sets the public base URL of the router, with any path prefix: `https://example.com/apis`. It is used for the
    /// URLs of resumable uploads. The default is derived from the request: from `X-Forwarded-Proto`, `X-Forwarded-Host`
    /// and `X-Forwarded-Prefix`, or else from its host, with the scheme of the request target or HTTP.
    #[must_use]
    pub fn public_url(mut self, url: impl Into<String>) -> Self {
        let url: String = url.into();
        self.settings.public_url = Some(url.trim_end_matches('/').to_owned());
        self
    }

    /// Sets the memory budget of large bodies and responses. A response of more than 16 KiB reserves memory for its text
    /// before it is sent; a handler reserves more with [`Context::response_share`](crate::Context::response_share). A body reserves memory for the part that has arrived, after its sender
    /// was authenticated. That includes the decoded value: 3 times its text, 512 bytes for each object and list, and 96
    /// for each further field and element. A body that needs more than one caller may use is rejected with 413.
    #[must_use]
    pub fn memory_budget(mut self, budget: MemoryBudget) -> Self {
        self.settings.memory = Some(budget);
        self
    }

    /// Sets the quota of callers, in the `cost` units of the schema. It is counted in the memory of this process, after
    /// authentication and before the body is read. By default there is none.
    #[must_use]
    pub fn quota(mut self, quota: Quota) -> Self {
        self.settings.quota = Some(quota);
        self
    }

    /// Enables decoding of base64 while it arrives, for the value of one body field, so that the data is not in memory
    /// as text as well. The other text is limited to `text_bytes`; beyond: 413. Other operations, without a top-level
    /// field of that name and the type `bytes`, are not affected. This requires a
    /// [`memory_budget`](Self::memory_budget).
    #[must_use]
    pub fn decode_streaming(mut self, member: &'static str, text_bytes: usize) -> Self {
        self.settings.streamed_field = Some((member, text_bytes));
        self
    }

    /// Sets the routes of other APIs that batches reach: a part whose path is not of this API is sent to them, with the
    /// headers that it inherits. Without them its response is a 404.
    #[must_use]
    pub fn batches_reach(mut self, others: Router) -> Self {
        self.settings.other_apis = Some(others);
        self
    }

    /// Sets whether each request is logged, with the target `wireform_server::access`. The default is true. A program
    /// that calls its own router may log its calls itself. The causes of failures are logged in any case.
    #[must_use]
    pub fn access_log(mut self, logs: bool) -> Self {
        self.settings.access_log = logs;
        self
    }

    /// Sets the receiver of the metrics of requests.
    #[must_use]
    pub fn observe(mut self, observer: impl ObserveRequests) -> Self {
        self.observer = Some(Arc::new(observer));
        self
    }

    /// Returns the router of the API, for its base paths and the path of its batches. It can be merged with other
    /// routers, nested and layered. Paths outside of the base paths are left to those routers.
    ///
    /// # Panics
    /// Never by itself; merging two routers panics if both have the same base path, or the same path of batches.
    pub fn router(self) -> Router
    where
        H: Handlers,
    {
        let Self { handlers, authenticator, settings, observer } = self;
        routes(H::API, Pipeline::new(handlers, authenticator, settings, observer))
    }
}

/// Returns the router of a pipeline.
fn routes(api: &Api, pipeline: Pipeline) -> Router {
    let bases = pipeline.bases().to_vec();
    let prefixes = pipeline.upload_prefixes();
    let service = PipelineService::new(pipeline);
    // Routes match whole base paths; operations are found by the rest. The base path alone, with or without a
    // slash, has a response in the API's format too.
    let mut router = Router::new().without_v07_checks();
    for path in api.batch.iter().flat_map(|batch| batch.path.spellings()) {
        router = router.route_service(path, service.clone());
    }
    for base in bases {
        let literal = base.replace('{', "{{").replace('}', "}}");
        if !literal.is_empty() {
            router = router.route_service(&literal, service.clone());
        }
        router = router
            .route_service(&format!("{literal}/"), service.clone())
            .route_service(&format!("{literal}/{{*rest}}"), service.clone());
    }
    // Uploads have paths of their own.
    for prefix in prefixes {
        let literal = prefix.replace('{', "{{").replace('}', "}}");
        router = router.route_service(&format!("{literal}/{{*rest}}"), service.clone());
    }
    router
}

impl<H> fmt::Debug for Server<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server")
            .field("authenticated", &self.authenticator.is_some())
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}
