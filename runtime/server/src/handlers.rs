//! Handlers of a service, by operation.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use wireform_runtime::operation::Api;

use crate::contract::{Contract, Outcome};
use crate::receive::Incoming;

/// Service that implements the operations of an API. Generated code implements it; see its function `server`.
pub trait Handlers: Sized + Send + Sync + 'static {
    /// API.
    const API: &'static Api;

    /// Operations, by their groups.
    const ROUTES: &'static [&'static [Route<Self>]];
}

/// Operation with the function that calls its handler.
pub struct Route<H> {
    pub(crate) contract: &'static Contract,
    pub(crate) call: fn(Arc<H>, Incoming) -> ResponseFuture,
}

impl<H> Route<H> {
    /// Creates the route of an operation.
    #[must_use]
    pub const fn new(contract: &'static Contract, call: fn(Arc<H>, Incoming) -> ResponseFuture) -> Self {
        Self { contract, call }
    }
}

/// Handlers of any service, by the index of an operation. The processing of requests depends on no other type of the
/// service, so it is compiled once.
pub(crate) trait AnyHandlers: Send + Sync {
    /// Calls the handler of an operation; `None` if there is no operation with that index.
    fn call(&self, index: usize, incoming: Incoming) -> Option<ResponseFuture>;
}

/// Handlers of a service with its operations of all groups.
pub(crate) struct Operations<H: 'static> {
    handlers: Arc<H>,
    routes: Vec<&'static Route<H>>,
}

impl<H: Handlers> Operations<H> {
    pub(crate) fn new(handlers: H) -> Self {
        Self { handlers: Arc::new(handlers), routes: H::ROUTES.iter().copied().flatten().collect() }
    }

    /// Returns the contracts of the operations.
    pub(crate) fn contracts(&self) -> Vec<&'static Contract> {
        self.routes.iter().map(|route| route.contract).collect()
    }
}

impl<H: Handlers> AnyHandlers for Operations<H> {
    fn call(&self, index: usize, incoming: Incoming) -> Option<ResponseFuture> {
        self.routes.get(index).map(|route| (route.call)(Arc::clone(&self.handlers), incoming))
    }
}

/// Future of a response.
pub type ResponseFuture = Pin<Box<dyn Future<Output = Outcome> + Send>>;
