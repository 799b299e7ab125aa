//! Name and repository of the running command.

use std::path::PathBuf;

/// Name of the command, and the repository that it belongs to.
#[derive(Debug, Clone)]
pub struct CommandContext {
    /// Name by which users run it: `wireform`, `cargo xtask`.
    pub name: String,
    /// Repository of the generator, whose schemas and runtime are the defaults.
    pub repository: Option<PathBuf>,
}
