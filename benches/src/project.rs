//! Projects in workspaces and target folders of their own, in which whole builds are measured.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail, ensure};
use fs_err as fs;

use crate::{child, place};
use wireform_rounds::Side;

/// The name of the package that depends on what is measured.
pub const CONSUMER: &str = "consumer";
/// How often a measurement is repeated that somebody's editing of a crate has spoilt.
const ATTEMPTS: usize = 5;
/// No symbols are left in a release, so that a size is that of code and data.
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

/// What cargo is to make.
#[derive(Clone, Copy, Debug)]
pub enum Goal {
    /// `cargo check`.
    Check,
    /// A build for debugging.
    Build,
    /// A build for users.
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

/// A project in a workspace of its own, with a target folder of its own.
pub struct Project {
    folder: PathBuf,
    measured: Vec<String>,
    last: RefCell<Made>,
}

/// What cargo did the last time.
#[derive(Clone, Debug, Default)]
struct Made {
    /// The packages that were compiled, a build script or the consumer itself among them.
    packages: Vec<String>,
    /// Seconds of processor time.
    cpu: f64,
}

impl Project {
    /// An empty library with these lines of dependencies in its manifest; `measured` are the packages whose own
    /// cost is asked for.
    pub fn new(folder: &Path, dependencies: &str, measured: &[&str]) -> anyhow::Result<Self> {
        let measured = measured.iter().map(|&name| name.to_owned()).collect();
        let project = Self { folder: folder.to_owned(), measured, last: RefCell::default() };
        project.write("src/lib.rs", "")?;
        project.write("Cargo.toml", &format!("{HEAD}{dependencies}"))?;
        Ok(project)
    }

    /// A program with these lines of dependencies in its manifest.
    pub fn program(folder: &Path, dependencies: &str, measured: &[&str], main: &str) -> anyhow::Result<Self> {
        let project = Self::new(folder, dependencies, measured)?;
        fs::remove_file(folder.join("src/lib.rs"))?;
        project.write("src/main.rs", main)?;
        Ok(project)
    }

    /// The same project, asked for the cost of other packages.
    pub fn measuring(&self, measured: &[&str]) -> Self {
        let measured = measured.iter().map(|&name| name.to_owned()).collect();
        Self { folder: self.folder.clone(), measured, last: RefCell::default() }
    }

    /// The line of a manifest that depends on a crate in a folder.
    pub fn path_dependency(name: &str, path: &Path) -> String {
        format!("{name} = {{ path = {:?} }}\n", path.display().to_string())
    }

    /// The lines of a manifest that depend on generated crates.
    pub fn generated(names: &[&str]) -> String {
        let folder = place::root().join("generated");
        names.iter().map(|name| Self::path_dependency(name, &folder.join(name))).collect()
    }

    /// Puts a file into the folder.
    pub fn write(&self, path: &str, text: &str) -> anyhow::Result<()> {
        let path = self.folder.join(path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        Ok(fs::write(path, text)?)
    }

    /// Takes the versions of other crates that the repository has settled on, as far as they are known there.
    pub fn settled(self) -> anyhow::Result<Self> {
        fs::copy(place::root().join("Cargo.lock"), self.folder.join("Cargo.lock"))?;
        Ok(self)
    }

    /// Settles the versions and downloads, so that no measurement waits for the network.
    pub fn prepared(self) -> anyhow::Result<Self> {
        self.cargo(&["fetch"])?;
        Ok(self)
    }

    /// A side that makes everything from nothing.
    pub fn side_cold<'a>(&'a self, name: &'a str, goal: Goal) -> Side<'a> {
        Side::new(name, move || self.cold(goal))
    }

    /// A side that makes what is measured with its dependencies ready, which they are from here on.
    pub fn side_again<'a>(&'a self, name: &'a str, goal: Goal) -> anyhow::Result<Side<'a>> {
        self.make(goal)?;
        Ok(Side::new(name, move || self.again(goal)))
    }

    /// The seconds from nothing.
    fn cold(&self, goal: Goal) -> anyhow::Result<f64> {
        place::remove(&self.folder.join("target"))?;
        self.make(goal)
    }

    /// The seconds of what is measured alone, with its dependencies ready.
    fn again(&self, goal: Goal) -> anyhow::Result<f64> {
        let mut arguments = vec!["clean"];
        arguments.extend(self.measured.iter().flat_map(|name| ["--package", name]));
        self.undisturbed(&self.measured, || {
            self.cargo(&arguments)?;
            self.make(goal)
        })
    }

    /// The seconds of cargo itself, when everything is done already.
    pub fn nothing(&self, goal: Goal) -> anyhow::Result<f64> {
        self.make(goal)?;
        self.undisturbed(&[], || self.make(goal))
    }

    /// A crate that is edited meanwhile is compiled as well, and does not belong to the figure.
    fn undisturbed(&self, expected: &[String], make: impl Fn() -> anyhow::Result<f64>) -> anyhow::Result<f64> {
        for _ in 0..ATTEMPTS {
            let seconds = make()?;
            let belongs = |name: &String| expected.contains(name) || (name == CONSUMER && !expected.is_empty());
            if self.last.borrow().packages.iter().all(belongs) {
                return Ok(seconds);
            }
        }
        bail!("{:?} keep changing while {expected:?} are measured", self.last.borrow().packages)
    }

    /// How many crates were compiled the last time, the consumer itself left out.
    pub fn compiled(&self) -> usize {
        self.last.borrow().packages.iter().filter(|name| *name != CONSUMER).count()
    }

    /// The seconds of processor time that it took the last time.
    pub fn cpu(&self) -> f64 {
        self.last.borrow().cpu
    }

    /// The program for users.
    pub fn binary(&self) -> PathBuf {
        self.folder.join("target/release").join(format!("{CONSUMER}{}", std::env::consts::EXE_SUFFIX))
    }

    /// The bytes of the program for users.
    pub fn size(&self) -> anyhow::Result<u64> {
        Ok(fs::metadata(self.binary())?.len())
    }

    /// How many crates a package depends on, in its manifest and altogether; those of build scripts and tests left out.
    pub fn dependencies(&self, package: &str) -> anyhow::Result<(usize, usize)> {
        let mut command = self.command();
        command.args(["tree", "--offline", "--edges", "normal", "--prefix", "depth", "--package", package]);
        let output = command.output()?;
        ensure!(output.status.success(), "{command:?} failed:\n{}", String::from_utf8_lossy(&output.stderr));
        let tree = String::from_utf8(output.stdout).context("a tree that is no text")?;
        Ok(count(&tree))
    }

    /// Runs the program on these files.
    pub fn run(&self, arguments: &[&Path]) -> anyhow::Result<()> {
        let mut command = self.command();
        command.args(["run", "--offline", "--quiet", "--"]).args(arguments);
        child::run(&mut command, &self.folder.join("log")).map(drop)
    }

    /// Makes what is not made yet, and gives the seconds.
    pub fn make(&self, goal: Goal) -> anyhow::Result<f64> {
        let cost = self.cargo(goal.arguments())?;
        // A package has one such line, whatever is built of it.
        let lines = cost.stderr.lines().map(str::trim_start);
        let names = lines.filter_map(|line| line.strip_prefix("Checking ").or(line.strip_prefix("Compiling ")));
        let packages = names.filter_map(|line| Some(line.split_once(' ')?.0.to_owned())).collect();
        *self.last.borrow_mut() = Made { packages, cpu: cost.cpu };
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

/// The direct and all dependencies in what `cargo tree` prints with the depth before each name.
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
    fn a_crate_that_stands_twice_in_the_tree_counts_once() {
        let tree = "0consumer v0.0.0 (/a/consumer)\n1x v1.0.0\n2y v2.0.0\n1y v2.0.0 (*)\n2y v1.0.0\n";
        assert_eq!(count(tree), (2, 3));
    }
}
