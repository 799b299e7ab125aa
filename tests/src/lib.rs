//! Shared code of the test suites: paths, every resource with its codec, and builds of generated crates.

pub mod registry;

use std::path::{Path, PathBuf};
use std::process::Command;

pub use wireform_emitted::{assert_inside, folders, root, shared, sources};

/// Returns the target folder of this build, in which most dependencies of generated crates are built already.
///
/// # Panics
/// Panics if this is not run by cargo.
#[must_use]
pub fn target() -> PathBuf {
    let program = std::env::current_exe().expect("this program has a path");
    program.ancestors().nth(3).expect("cargo builds tests in `deps`").to_owned()
}

/// Returns a cargo command for a workspace that a test has written. It builds in [`target`], with the profile of this
/// workspace: otherwise every dependency would be built again. Nobody debugs what it builds, or edits it and builds it
/// again, so there is no debug information, and no incremental compilation.
#[must_use]
pub fn cargo(dir: &Path) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["--offline", "--quiet"]).current_dir(dir).env("CARGO_TARGET_DIR", target()).env_remove("RUSTFLAGS");
    cargo.env("CARGO_INCREMENTAL", "0").env("CARGO_PROFILE_DEV_DEBUG", "false");
    for optimized in ["granit-parser", "prettyplease", "proc-macro2", "syn@3"] {
        cargo.args(["--config", &format!("profile.dev.package.'{optimized}'.opt-level=1")]);
    }
    cargo
}
