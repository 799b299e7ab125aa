//! Cargo workspaces that tests write, with crates that were generated.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use wireform_codegen::FileTree;

use crate::features::{Dependencies, FEATURES_PACKAGE};
use crate::root;

/// Cargo workspace in a folder.
pub struct Workspace {
    dir: PathBuf,
}

impl Workspace {
    /// Writes the manifest of a workspace, whose packages may be written later. What its packages depend on has the
    /// features and the profile of this repository: with others, it would be built again.
    ///
    /// # Panics
    /// Panics if a file cannot be written.
    pub fn new<S: AsRef<str>>(dir: PathBuf, members: impl IntoIterator<Item = S>, dependencies: Dependencies) -> Self {
        let mut list = format!("\"{FEATURES_PACKAGE}\"");
        members.into_iter().for_each(|member| {
            let _ = write!(list, ", {:?}", member.as_ref());
        });
        let files = [
            ("Cargo.toml", format!("[workspace]\nresolver = \"3\"\nmembers = [{list}]\n\n{}", profile())),
            (&format!("{FEATURES_PACKAGE}/Cargo.toml"), dependencies.manifest()),
            (&format!("{FEATURES_PACKAGE}/src/lib.rs"), "//! Has no items.\n".to_owned()),
            // Without a build script, cargo ignores the dependencies of build scripts.
            (&format!("{FEATURES_PACKAGE}/build.rs"), "fn main() {}\n".to_owned()),
        ];
        let workspace = Self { dir };
        workspace.write(&files.map(|(path, text)| (path.to_owned(), text)).into());
        fs_err::copy(root().join("Cargo.lock"), workspace.dir.join("Cargo.lock")).expect("the lock file can be copied");
        workspace
    }

    /// Returns the folder.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Writes files, except unchanged ones, which cargo would build again.
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
            // Documentation is not among that of this repository.
            cargo.env("CARGO_TARGET_DIR", &self.dir);
        }
        // Nobody edits what a test builds and builds it again.
        cargo
            .env("CARGO_TERM_COLOR", "never")
            .env("CARGO_INCREMENTAL", "0")
            .env_remove("RUSTFLAGS")
            .env("RUSTDOCFLAGS", "-D warnings");
        if packages.is_empty() {
            cargo.arg("--workspace");
        }
        for package in packages.iter().chain((!packages.is_empty()).then_some(&FEATURES_PACKAGE)) {
            cargo.args(["--package", package]);
        }
        cargo.args(arguments).output().expect("cargo runs")
    }
}

/// Returns the profile in the manifest of this repository.
fn profile() -> String {
    let manifest = fs_err::read_to_string(root().join("Cargo.toml")).expect("the manifest is there");
    let (_, profile) = manifest.split_once("\n[profile.dev]\n").expect("the manifest has a profile");
    let (profile, _) = profile.split_once("\n[profile.tools]\n").expect("another profile follows");
    format!("[profile.dev]\n{profile}\n")
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
