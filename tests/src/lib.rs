//! Shared code of the test suites: paths, and every resource with its codec.

pub mod registry;

pub use wireform_emitted::{assert_inside, folders, root, shared, sources};
