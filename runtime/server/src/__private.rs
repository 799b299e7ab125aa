//! Items that generated servers use. Not covered by semantic versioning: use the items at the root of the crate.

pub use wireform_runtime::operation;

pub use crate::contract::{BodyRequirement, Contract, Outcome};
pub use crate::handlers::{Handlers, ResponseFuture, Route};
pub use crate::receive::{Incoming, Parameters};
