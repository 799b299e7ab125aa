//! Settings of a server.

use std::fmt;
use std::sync::Arc;

use axum::Router;
use wireform_runtime::Naming;

use crate::contract::Contract;
use crate::error::Error;
use crate::limits::{Caller, Limits};
use crate::memory::MemoryBudget;
use crate::quota::Quota;
use crate::uploads::UploadSessions;

/// Whether a server refuses or ignores unknown query parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnknownParameters {
    /// The request is refused with a 400 that names the parameter, and suggests the most similar one.
    #[default]
    Refuse,
    /// The parameter is ignored.
    Ignore,
}

/// Settings of a server, shared by all requests.
pub(crate) struct Settings {
    pub(crate) names: Naming,
    pub(crate) limits: Limits,
    pub(crate) unknown_parameters: UnknownParameters,
    /// Minimum size in bytes of a response that is compressed; `None` disables compression.
    pub(crate) compress_from: Option<usize>,
    /// Store of resumable uploads.
    pub(crate) sessions: Option<Arc<dyn UploadSessions>>,
    /// Public base URL of the router.
    pub(crate) public_url: Option<String>,
    /// Memory budget of large bodies.
    pub(crate) memory: Option<MemoryBudget>,
    /// Quota of each caller.
    pub(crate) quota: Option<Quota>,
    /// Field of bodies whose data is decoded while it arrives, and the maximum number of bytes of the other text.
    pub(crate) streamed_field: Option<(&'static str, usize)>,
    /// True if each request is logged.
    pub(crate) access_log: bool,
    /// Routes of other APIs that parts of batches reach.
    pub(crate) other_apis: Option<Router>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            names: Naming::default(),
            limits: Limits::DEFAULT,
            unknown_parameters: UnknownParameters::default(),
            compress_from: Some(DEFAULT_COMPRESS_FROM),
            sessions: None,
            public_url: None,
            memory: None,
            quota: None,
            streamed_field: None,
            access_log: true,
            other_apis: None,
        }
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings").field("names", &self.names).field("limits", &self.limits).finish_non_exhaustive()
    }
}

impl Settings {
    /// Charges the cost of an operation to the quota of a caller.
    ///
    /// # Errors
    /// Returns an error if the quota is exceeded.
    pub(crate) fn spend(&self, caller: &Caller, contract: &Contract) -> Result<(), Error> {
        match &self.quota {
            Some(quota) => quota.spend(caller, contract.operation.cost),
            None => Ok(()),
        }
    }
}

/// Default minimum size of a compressed response: smaller ones fit into a packet or two anyway.
const DEFAULT_COMPRESS_FROM: usize = 1024;
