//! What the suites share: where things are, and every resource with its codec.

pub mod registry;

pub use wireform_emitted::{assert_inside, folders, root, shared, sources};
