//! Cargo workspaces that tests write, with crates that were generated.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use wireform_codegen::FileTree;

use crate::features::{FEATURES, Uses};
use crate::root;

/// Profile of this workspace: with another, every dependency would be built again. Nobody edits what a test builds and
/// builds it again, so there is no incremental compilation.
const PROFILE: &str = "[profile.dev]
debug = false
incremental = false

[profile.dev.build-override]
codegen-units = 16

[profile.dev.package]
'*' = { codegen-units = 16 }
granit-parser = { opt-level = 1 }
prettyplease = { opt-level = 1 }
proc-macro2 = { opt-level = 1 }
'syn@3' = { opt-level = 1 }
";

/// Cargo workspace in a folder.
pub struct Workspace {
    dir: PathBuf,
}

impl Workspace {
    /// Writes a workspace of packages, which may be written later. Their dependencies have the features that they have
    /// in this workspace.
    ///
    /// # Panics
    /// Panics if a file cannot be written.
    pub fn new<S: AsRef<str>>(dir: PathBuf, members: impl IntoIterator<Item = S>, uses: Uses) -> Self {
        let mut list = format!("\"{FEATURES}\"");
        members.into_iter().for_each(|member| {
            let _ = write!(list, ", {:?}", member.as_ref());
        });
        let files = [
            ("Cargo.toml".to_owned(), format!("[workspace]\nresolver = \"3\"\nmembers = [{list}]\n\n{PROFILE}")),
            (format!("{FEATURES}/Cargo.toml"), uses.manifest()),
            (format!("{FEATURES}/src/lib.rs"), "//! Has no items.\n".to_owned()),
            // Without a build script, cargo ignores what it depends on.
            (format!("{FEATURES}/build.rs"), "fn main() {}\n".to_owned()),
        ];
        let workspace = Self { dir };
        workspace.write(&files.into());
        fs_err::copy(root().join("Cargo.lock"), workspace.dir.join("Cargo.lock")).expect("the lock file can be copied");
        workspace
    }

    /// Returns the folder.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Writes files. Cargo does not build again what is unchanged.
    ///
    /// # Panics
    /// Panics if a file cannot be written.
    pub fn write(&self, files: &FileTree) {
        for (path, text) in files {
            let file = self.dir.join(path);
            if fs_err::read_to_string(&file).is_ok_and(|there| there == *text) {
                continue;
            }
            fs_err::create_dir_all(file.parent().expect("a file is in a folder")).expect("the folder can be made");
            fs_err::write(&file, text).expect("the file can be written");
        }
    }

    /// Runs a cargo command for these packages, or for the whole workspace if there are none. It builds in [`target`].
    ///
    /// # Panics
    /// Panics if cargo cannot be started.
    #[must_use]
    pub fn cargo(&self, command: &str, packages: &[&str], arguments: &[&str]) -> Output {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["--offline", "--quiet", command]).current_dir(&self.dir);
        cargo.env("CARGO_TARGET_DIR", target()).env("CARGO_BUILD_BUILD_DIR", target());
        if command == "doc" {
            // Not among the documentation of this workspace.
            cargo.env("CARGO_TARGET_DIR", root().join("target/cases"));
        }
        for variable in ["CARGO_INCREMENTAL", "CARGO_PROFILE_DEV_DEBUG", "RUSTFLAGS"] {
            cargo.env_remove(variable);
        }
        if packages.is_empty() {
            cargo.arg("--workspace");
        }
        for package in packages.iter().chain((!packages.is_empty()).then_some(&FEATURES)) {
            cargo.args(["--package", package]);
        }
        cargo.args(arguments).env("RUSTDOCFLAGS", "-D warnings").output().expect("cargo runs")
    }
}

/// Returns the target folder of this build, in which most dependencies of generated crates are built already.
///
/// # Panics
/// Panics if this is not run by cargo.
#[must_use]
pub fn target() -> PathBuf {
    let program = std::env::current_exe().expect("this program has a path");
    program.ancestors().nth(3).expect("cargo builds tests in `deps`").to_owned()
}
