//! What the suites share: where things are, every resource with its codec, and how generated crates are built.

pub mod registry;

use std::path::{Path, PathBuf};
use std::process::Command;

pub use wireform_emitted::{assert_inside, folders, root, shared, sources};

/// Returns the target folder of all workspaces that tests write, whose dependencies are built once.
#[must_use]
pub fn target() -> PathBuf {
    root().join("target/cases/target")
}

/// Returns a cargo command for a workspace that a test has written. What it builds is neither debugged nor changed and
/// built again, so debug information and incremental compilation would only cost time.
#[must_use]
pub fn cargo(dir: &Path) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["--offline", "--quiet"]).current_dir(dir).env("CARGO_TARGET_DIR", target());
    cargo.env("CARGO_INCREMENTAL", "0").env("CARGO_PROFILE_DEV_DEBUG", "false").env_remove("RUSTFLAGS");
    cargo
}
