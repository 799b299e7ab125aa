//! The operations of a service, and the functions that answer them.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use wireform_runtime::operation::Api;

use crate::contract::{Contract, Outcome};
use crate::receive::Incoming;

/// A service behind the operations of one API. Generated code implements it; see its function `server`.
pub trait Handlers: Sized + Send + Sync + 'static {
    /// The API.
    const API: &'static Api;

    /// Its operations, by their groups.
    const ROUTES: &'static [&'static [Route<Self>]];
}

/// An operation, and the function that answers it.
pub struct Route<H> {
    pub(crate) contract: &'static Contract,
    pub(crate) call: fn(Arc<H>, Incoming) -> Answering,
}

impl<H> Route<H> {
    /// The route of an operation.
    #[must_use]
    pub const fn new(contract: &'static Contract, call: fn(Arc<H>, Incoming) -> Answering) -> Self {
        Self { contract, call }
    }
}

/// An answer that is worked on.
pub type Answering = Pin<Box<dyn Future<Output = Outcome> + Send>>;
