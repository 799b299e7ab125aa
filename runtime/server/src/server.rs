//! A service becomes a router.

use std::fmt;
use std::sync::Arc;

use axum::Router;
use wireform_runtime::Names;

use crate::auth::{Authenticator, NoAuthenticator};
use crate::handlers::Handlers;
use crate::limits::Limits;
use crate::memory::MemoryBudget;
use crate::observe::ObserveRequests;
use crate::pipeline::{Pipeline, Pipelined};
use crate::quota::Quota;
use crate::settings::{COMPRESS_FROM, Settings, UnknownParameters};
use crate::uploads::UploadSessions;

/// A service behind an API, before it is a router. Nothing needs to be said but who authenticates.
///
/// Without an authenticator every operation that needs a scope answers 401, so that none is open by mistake.
pub struct Server<H, A = NoAuthenticator> {
    handlers: H,
    authenticator: Option<A>,
    settings: Settings,
    observer: Option<Arc<dyn ObserveRequests>>,
}

// What a handler lacks is told once, where it becomes a router, and not with each setting as well.
impl<H> Server<H> {
    /// A server with these handlers.
    #[must_use]
    pub fn new(handlers: H) -> Self {
        let settings = Settings {
            names: Names::default(),
            limits: Limits::DEFAULT,
            unknown_parameters: UnknownParameters::default(),
            compress_from: Some(COMPRESS_FROM),
            sessions: None,
            public_url: None,
            memory: None,
            quota: None,
            detached: None,
            access_log: true,
        };
        Self { handlers, authenticator: None, settings, observer: None }
    }
}

impl<H, A> Server<H, A> {
    /// With what finds out who asks.
    #[must_use]
    pub fn authenticator<B: Authenticator>(self, authenticator: B) -> Server<H, B> {
        let Self { handlers, settings, observer, .. } = self;
        Server { handlers, authenticator: Some(authenticator), settings, observer }
    }

    /// In that spelling it writes; it reads both.
    #[must_use]
    pub fn names(mut self, names: Names) -> Self {
        self.settings.names = names;
        self
    }

    /// With other limits.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.settings.limits = limits;
        self
    }

    /// With another way to treat parameters that nobody knows.
    #[must_use]
    pub fn unknown_parameters(mut self, policy: UnknownParameters) -> Self {
        self.settings.unknown_parameters = policy;
        self
    }

    /// Compresses answers from so many bytes on, for those who take that; 1024 unless told otherwise, none with `None`.
    #[must_use]
    pub fn compress_from(mut self, bytes: impl Into<Option<usize>>) -> Self {
        self.settings.compress_from = bytes.into();
        self
    }

    /// With what keeps uploads that come in pieces. Without it such uploads are answered 501, and media come as one
    /// request alone.
    #[must_use]
    pub fn upload_sessions(mut self, sessions: impl UploadSessions) -> Self {
        self.settings.sessions = Some(Arc::new(sessions));
        self
    }

    /// Says at which address clients find the router, with whatever stands in front of its paths:
    /// `https://example.com/apis`. Uploads in pieces go on there. Without it, what the request says counts:
    /// `X-Forwarded-Proto`, `X-Forwarded-Host` and `X-Forwarded-Prefix`, or else its host, by HTTP.
    #[must_use]
    pub fn public_url(mut self, url: impl Into<String>) -> Self {
        let url: String = url.into();
        self.settings.public_url = Some(url.trim_end_matches('/').to_owned());
        self
    }

    /// Sets the memory that large bodies may take at the same time. A body takes its share for what has arrived of it,
    /// after its sender was authenticated. That covers the value it becomes: 3 times its text, 512 bytes for each object
    /// and list, and 96 for each further member and element. A body that takes more than one caller can hold is refused
    /// with 413.
    #[must_use]
    pub fn memory_budget(mut self, budget: MemoryBudget) -> Self {
        self.settings.memory = Some(budget);
        self
    }

    /// Limits how much a caller may ask in a span of time, in the units that `cost` in the schema says. It is counted in
    /// the memory of this process, after the sender was authenticated and before the body is read. Without it nothing is.
    #[must_use]
    pub fn quota(mut self, quota: Quota) -> Self {
        self.settings.quota = Some(quota);
        self
    }

    /// Decodes base64 while it arrives, where it is the value of that member of a body: so the data is in memory once,
    /// and not as text as well. The text beside it may have that many bytes; beyond: 413. Operations without an outermost
    /// member of that name whose type is `bytes` read their bodies as ever. This needs a
    /// [`memory_budget`](Self::memory_budget).
    #[must_use]
    pub fn decode_while_arriving(mut self, member: &'static str, text_bytes: usize) -> Self {
        self.settings.detached = Some((member, text_bytes));
        self
    }

    /// Says whether each request has a line in the log, with the target `wireform_server::access`; it has one unless told
    /// otherwise. A program that asks its own router logs what it does itself. Failures are logged in any case.
    #[must_use]
    pub fn access_log(mut self, logs: bool) -> Self {
        self.settings.access_log = logs;
        self
    }

    /// With something that is told of every request.
    #[must_use]
    pub fn observe(mut self, observer: impl ObserveRequests) -> Self {
        self.observer = Some(Arc::new(observer));
        self
    }

    /// The routes of the API, below each of its base paths, and the path of its batches. They can be merged with others, nested and layered. What
    /// lies outside of the base paths is left to the routers they are merged with.
    ///
    /// # Panics
    /// Never by itself; merging two routers does when both have the same base path, or the same path
    /// of batches.
    pub fn router(self) -> Router
    where
        H: Handlers,
        A: Authenticator,
    {
        let Self { handlers, authenticator, settings, observer } = self;
        let pipeline = Pipeline::new(handlers, authenticator, settings, observer);
        let bases = pipeline.bases().to_vec();
        let prefixes = pipeline.upload_prefixes();
        let service = Pipelined::new(pipeline);
        // Routes for whole base paths: an operation is found by what follows, in its own way. The base path alone, and
        // with nothing behind its slash, has an answer in the API's shape, too.
        let mut router = Router::new().without_v07_checks();
        if let Some(batch) = H::API.batch {
            router = router.route_service(batch.path, service.clone());
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
        // Media go up at paths of their own.
        for prefix in prefixes {
            let literal = prefix.replace('{', "{{").replace('}', "}}");
            router = router.route_service(&format!("{literal}/{{*rest}}"), service.clone());
        }
        router
    }
}

impl<H, A> fmt::Debug for Server<H, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server")
            .field("authenticated", &self.authenticator.is_some())
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}
