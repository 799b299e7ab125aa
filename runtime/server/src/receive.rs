//! Parameters and body become a request.

use axum::body::Body;
use http::request::Parts;
use std::sync::Arc;
use wireform_runtime::{FromWire, Request};
use wireform_validation::Validates;

use crate::auth::Principal;
use crate::context::Context;
use crate::contract::Contract;
use crate::error::Error;
use crate::observe::RequestId;
use crate::server::Settings;

/// A request that was routed, and whose sender is known and may send it.
pub struct Incoming {
    pub(crate) contract: &'static Contract,
    pub(crate) principal: Principal,
    pub(crate) id: RequestId,
    pub(crate) parts: Parts,
    pub(crate) body: Body,
    pub(crate) settings: Arc<Settings>,
}
