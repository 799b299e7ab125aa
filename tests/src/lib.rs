//! Shared code of the test suites: paths, every resource with its codec, and workspaces of generated crates.

mod features;
pub mod registry;
mod workspace;

pub use features::Dependencies;
pub use wireform_emitted::{assert_inside, folders, root, shared, sources};
pub use workspace::{Workspace, target};
