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

/// Future of a response.
pub type ResponseFuture = Pin<Box<dyn Future<Output = Outcome> + Send>>;
