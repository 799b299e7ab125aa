//! Where a command is called from.

use std::path::PathBuf;

/// How the commands are called, and the repository that they belong to.
#[derive(Debug, Clone)]
pub struct Home {
    /// How people call them: `wireform`, `cargo xtask`.
    pub name: String,
    /// The generator's own repository, whose schemas and runtime are meant where nobody says others.
    pub repository: Option<PathBuf>,
}
