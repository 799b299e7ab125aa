//! A service becomes a router.

use std::fmt;
use std::sync::Arc;

use wireform_runtime::Names;

use crate::limits::Limits;

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
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings").field("names", &self.names).field("limits", &self.limits).finish_non_exhaustive()
    }
}
