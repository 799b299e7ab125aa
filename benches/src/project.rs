//! Projects with their own workspaces and target folders, in which whole builds are measured.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail, ensure};
use fs_err as fs;

use crate::{child, place};
use wireform_rounds::Side;

/// Name of the package that depends on the measured packages.
pub const CONSUMER: &str = "consumer";
/// Maximum number of repetitions of a measurement that was disturbed by edits of a crate.
const ATTEMPTS: usize = 5;
/// Manifest header; releases are stripped, so that a size is that of code and data.
const HEAD: &str = "\
[package]
name = \"consumer\"
version = \"0.0.0\"
edition = \"2024\"

[workspace]

[profile.release]
strip = \"symbols\"

[dependencies]
";

/// Goal of a build.
#[derive(Clone, Copy, Debug)]
pub enum Goal {
    /// `cargo check`.
    Check,
    /// Debug build.
    Build,
    /// Release build.
    Release,
}

impl Goal {
    fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Check => &["check", "--offline"],
            Self::Build => &["build", "--offline"],
            Self::Release => &["build", "--offline", "--release"],
        }
    }
}

/// Project with its own workspace and target folder.
pub struct Project {
    folder: PathBuf,
    measured: Vec<String>,
    last: RefCell<BuildResult>,
}

/// Result of the last build.
#[derive(Clone, Debug, Default)]
struct BuildResult {
    /// Compiled packages, including build scripts and the consumer itself.
    packages: Vec<String>,
    /// CPU time in seconds.
    cpu: f64,
}

impl Project {
    /// Creates an empty library with these dependencies in its manifest; `measured` are the packages whose own cost is
    /// measured.
    pub fn new(folder: &Path, dependencies: &str, measured: &[&str]) -> anyhow::Result<Self> {
        let measured = measured.iter().map(|&name| name.to_owned()).collect();
        let project = Self { folder: folder.to_owned(), measured, last: RefCell::default() };
        project.write("src/lib.rs", "")?;
        project.write("Cargo.toml", &format!("{HEAD}{dependencies}"))?;
        Ok(project)
    }

    /// Creates a program with these dependencies in its manifest.
    pub fn program(folder: &Path, dependencies: &str, measured: &[&str], main: &str) -> anyhow::Result<Self> {
        let project = Self::new(folder, dependencies, measured)?;
        fs::remove_file(folder.join("src/lib.rs"))?;
        project.write("src/main.rs", main)?;
        Ok(project)
    }

    /// Returns the same project, measuring other packages.
    pub fn measuring(&self, measured: &[&str]) -> Self {
        let measured = measured.iter().map(|&name| name.to_owned()).collect();
        Self { folder: self.folder.clone(), measured, last: RefCell::default() }
    }

    /// Returns the line of a manifest that depends on a crate in a folder.
    pub fn path_dependency(name: &str, path: &Path) -> String {
        format!("{name} = {{ path = {:?} }}\n", path.display().to_string())
    }

    /// Returns the lines of a manifest that depend on generated crates.
    pub fn generated(names: &[&str]) -> String {
        let folder = place::root().join("generated");
        names.iter().map(|name| Self::path_dependency(name, &folder.join(name))).collect()
    }

    /// Writes a file into the folder.
    pub fn write(&self, path: &str, text: &str) -> anyhow::Result<()> {
        let path = self.folder.join(path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        Ok(fs::write(path, text)?)
    }

    /// Copies the lock file of the repository, so that versions are the same as far as possible.
    pub fn with_lock_file(self) -> anyhow::Result<Self> {
        fs::copy(place::root().join("Cargo.lock"), self.folder.join("Cargo.lock"))?;
        Ok(self)
    }

    /// Locks the versions and downloads them, so that no measurement waits for the network.
    pub fn fetch(self) -> anyhow::Result<Self> {
        self.cargo(&["fetch"])?;
        Ok(self)
    }

    /// Creates a side that builds everything from nothing.
    pub fn side_cold<'a>(&'a self, name: &'a str, goal: Goal) -> Side<'a> {
        Side::new(name, move || self.cold(goal))
    }

    /// Creates a side that builds the measured packages with their dependencies ready.
    pub fn side_again<'a>(&'a self, name: &'a str, goal: Goal) -> anyhow::Result<Side<'a>> {
        self.make(goal)?;
        Ok(Side::new(name, move || self.again(goal)))
    }

    /// Returns the seconds of a build from nothing.
    fn cold(&self, goal: Goal) -> anyhow::Result<f64> {
        place::remove(&self.folder.join("target"))?;
        self.make(goal)
    }

    /// Returns the seconds of building only the measured packages, with their dependencies ready.
    fn again(&self, goal: Goal) -> anyhow::Result<f64> {
        let mut arguments = vec!["clean"];
        arguments.extend(self.measured.iter().flat_map(|name| ["--package", name]));
        self.retry_if_disturbed(&self.measured, || {
            self.cargo(&arguments)?;
            self.make(goal)
        })
    }

    /// Returns the seconds of cargo itself when everything is up to date.
    pub fn nothing(&self, goal: Goal) -> anyhow::Result<f64> {
        self.make(goal)?;
        self.retry_if_disturbed(&[], || self.make(goal))
    }

    /// Repeats a measurement if crates that were edited in the meantime were compiled as well.
    fn retry_if_disturbed(&self, expected: &[String], make: impl Fn() -> anyhow::Result<f64>) -> anyhow::Result<f64> {
        for _ in 0..ATTEMPTS {
            let seconds = make()?;
            let belongs = |name: &String| expected.contains(name) || (name == CONSUMER && !expected.is_empty());
            if self.last.borrow().packages.iter().all(belongs) {
                return Ok(seconds);
            }
        }
        bail!("{:?} kept changing while {expected:?} are measured", self.last.borrow().packages)
    }

    /// Returns the number of crates compiled in the last run, except the consumer itself.
    pub fn compiled(&self) -> usize {
        self.last.borrow().packages.iter().filter(|name| *name != CONSUMER).count()
    }

    /// Returns the CPU time of the last run in seconds.
    pub fn cpu(&self) -> f64 {
        self.last.borrow().cpu
    }

    /// Returns the path of the release binary.
    pub fn binary(&self) -> PathBuf {
        self.folder.join("target/release").join(format!("{CONSUMER}{}", std::env::consts::EXE_SUFFIX))
    }

    /// Returns the size of the release binary in bytes.
    pub fn size(&self) -> anyhow::Result<u64> {
        Ok(fs::metadata(self.binary())?.len())
    }

    /// Returns the numbers of direct and all dependencies of a package, except those of build scripts and tests.
    pub fn dependencies(&self, package: &str) -> anyhow::Result<(usize, usize)> {
        let mut command = self.command();
        command.args(["tree", "--offline", "--edges", "normal", "--prefix", "depth", "--package", package]);
        let output = command.output()?;
        ensure!(output.status.success(), "{command:?} failed:\n{}", String::from_utf8_lossy(&output.stderr));
        let tree = String::from_utf8(output.stdout).context("the tree is not UTF-8")?;
        Ok(count(&tree))
    }

    /// Runs the program on these files.
    pub fn run(&self, arguments: &[&Path]) -> anyhow::Result<()> {
        let mut command = self.command();
        command.args(["run", "--offline", "--quiet", "--"]).args(arguments);
        child::run(&mut command, &self.folder.join("log")).map(drop)
    }

    /// Builds what is not up to date, and returns the seconds.
    pub fn make(&self, goal: Goal) -> anyhow::Result<f64> {
        let cost = self.cargo(goal.arguments())?;
        // There is one such line per package, regardless of the number of its targets.
        let lines = cost.stderr.lines().map(str::trim_start);
        let names = lines.filter_map(|line| line.strip_prefix("Checking ").or(line.strip_prefix("Compiling ")));
        let packages = names.filter_map(|line| Some(line.split_once(' ')?.0.to_owned())).collect();
        *self.last.borrow_mut() = BuildResult { packages, cpu: cost.cpu };
        Ok(cost.wall)
    }

    fn cargo(&self, arguments: &[&str]) -> anyhow::Result<child::Cost> {
        child::run(self.command().args(arguments), &self.folder.join("log"))
    }

    fn command(&self) -> Command {
        let mut command = child::cargo();
        command.current_dir(&self.folder);
        command.env("CARGO_TARGET_DIR", self.folder.join("target")).env("CARGO_INCREMENTAL", "0");
        command.env("CARGO_TERM_COLOR", "never").env_remove("RUSTFLAGS");
        command
    }
}

/// Returns the numbers of direct and of all dependencies in the output of `cargo tree` with depths.
fn count(tree: &str) -> (usize, usize) {
    let lines = tree.lines().filter_map(|line| {
        let name = line.trim_start_matches(|digit: char| digit.is_ascii_digit());
        let depth: usize = line.strip_suffix(name)?.parse().ok()?;
        Some((depth, name.trim_end_matches(" (*)")))
    });
    let below: Vec<(usize, &str)> = lines.filter(|(depth, _)| *depth > 0).collect();
    let direct = below.iter().filter(|(depth, _)| *depth == 1).count();
    let all: BTreeSet<&str> = below.iter().map(|(_, name)| *name).collect();
    (direct, all.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_that_occurs_twice_is_counted_once() {
        let tree = "0consumer v0.0.0 (/a/consumer)\n1x v1.0.0\n2y v2.0.0\n1y v2.0.0 (*)\n2y v1.0.0\n";
        assert_eq!(count(tree), (2, 3));
    }
}
