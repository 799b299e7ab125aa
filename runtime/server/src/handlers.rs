//! Handlers of a service, by operation.

use std::future::Future;
use std::pin::Pin;

use wireform_runtime::operation::Api;

use crate::contract::{Contract, Outcome};
use crate::error::Error;
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
    pub(crate) call: Call<H>,
}

/// Receives a request, and calls a handler with it.
type Call<H> = for<'h> fn(&'h H, Incoming) -> Result<ResponseFuture<'h>, Error>;

impl<H> Route<H> {
    /// Creates the route of an operation.
    #[must_use]
    pub const fn new(contract: &'static Contract, call: Call<H>) -> Self {
        Self { contract, call }
    }
}

/// Handlers of any service, by the index of an operation. The processing of requests depends on no other type of the
/// service, so it is compiled once.
pub(crate) trait AnyHandlers: Send + Sync {
    /// Receives a request, and calls the handler of its operation.
    ///
    /// # Errors
    /// Returns the error of an invalid request, and a 404 if there is no operation with that index.
    fn call(&self, index: usize, incoming: Incoming) -> Result<ResponseFuture<'_>, Error>;
}

/// Handlers of a service with its operations of all groups.
pub(crate) struct Operations<H: 'static> {
    handlers: H,
    routes: Vec<&'static Route<H>>,
}

impl<H: Handlers> Operations<H> {
    pub(crate) fn new(handlers: H) -> Self {
        Self { handlers, routes: H::ROUTES.iter().copied().flatten().collect() }
    }

    /// Returns the contracts of the operations.
    pub(crate) fn contracts(&self) -> Vec<&'static Contract> {
        self.routes.iter().map(|route| route.contract).collect()
    }
}

impl<H: Handlers> AnyHandlers for Operations<H> {
    fn call(&self, index: usize, incoming: Incoming) -> Result<ResponseFuture<'_>, Error> {
        let route = self.routes.get(index).ok_or_else(|| Error::not_found("unknown path"))?;
        (route.call)(&self.handlers, incoming)
    }
}

/// Future of a response.
pub type ResponseFuture<'h> = Pin<Box<dyn Future<Output = Outcome> + Send + 'h>>;
