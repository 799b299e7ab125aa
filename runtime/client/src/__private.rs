//! Functions that the macros of this crate call in generated clients. Not covered by semantic versioning.

pub use crate::call::send_with_headers;
pub use crate::conditional::send_versioned;
#[cfg(all(feature = "blocking", not(target_arch = "wasm32")))]
pub use crate::conditional::send_versioned_blocking;
