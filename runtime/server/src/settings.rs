//! How a server behaves.

use std::fmt;
use std::sync::Arc;

use wireform_runtime::Names;

use crate::contract::Contract;
use crate::error::Error;
use crate::limits::{Caller, Limits};
use crate::memory::MemoryBudget;
use crate::quota::Quota;
use crate::uploads::UploadSessions;

/// What happens to a query parameter that no operation knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnknownParameters {
    /// The request is refused with a 400 that names it, and the parameter that is most like it.
    #[default]
    Refuse,
    /// It is not looked at.
    Ignore,
}

/// How a server behaves, shared by all its requests.
pub(crate) struct Settings {
    pub(crate) names: Names,
    pub(crate) limits: Limits,
    pub(crate) unknown_parameters: UnknownParameters,
    /// The fewest bytes of an answer that are worth compressing; none are when it is `None`.
    pub(crate) compress_from: Option<usize>,
    /// Who keeps uploads that come in pieces.
    pub(crate) sessions: Option<Arc<dyn UploadSessions>>,
    /// Where clients find the router.
    pub(crate) public_url: Option<String>,
    /// The memory that large bodies take together.
    pub(crate) memory: Option<MemoryBudget>,
    /// How much a caller may ask.
    pub(crate) quota: Option<Quota>,
    /// The member of bodies whose data is decoded while it arrives, and the most bytes of text beside it.
    pub(crate) detached: Option<(&'static str, usize)>,
    /// Whether each request has a line in the log.
    pub(crate) access_log: bool,
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings").field("names", &self.names).field("limits", &self.limits).finish_non_exhaustive()
    }
}

impl Settings {
    /// Takes what an operation costs from the quota of a caller.
    ///
    /// # Errors
    /// When the quota is exceeded.
    pub(crate) fn spend(&self, caller: &Caller, contract: &Contract) -> Result<(), Error> {
        match &self.quota {
            Some(quota) => quota.spend(caller, contract.operation.cost),
            None => Ok(()),
        }
    }
}

/// Answers below this size are sent as they are, unless told otherwise: they fit into a packet or two anyway.
pub(crate) const COMPRESS_FROM: usize = 1024;
