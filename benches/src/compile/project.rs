//! A project that does nothing but depend on the crates that are measured.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::process::Command;

use fs_err as fs;

use crate::{child, place};

/// The release of the google crates; pinned, so that figures of different days speak of the same thing.
const GOOGLE: [(&str, &str); 2] = [("google-script1", "=7.0.0"), ("google-calendar3", "=7.0.0")];
/// Our crates for the same APIs.
const OURS: [&str; 2] = ["script-types", "calendar-types"];

/// A project in a workspace of its own, with a target folder of its own.
pub struct Project {
    folder: PathBuf,
    crates: [&'static str; 2],
    compiled: Cell<usize>,
}

impl Project {
    /// Depends on ours, with the versions of other crates that the repository has settled on.
    pub fn ours(folder: &Path) -> anyhow::Result<Self> {
        let path = |name: &str| place::root().join("generated").join(name).display().to_string();
        let dependencies = OURS.map(|name| format!("{name} = {{ path = {:?} }}\n", path(name)));
        let project = Self::write(folder, OURS, &dependencies.concat())?;
        fs::copy(place::root().join("Cargo.lock"), folder.join("Cargo.lock"))?;
        project.prepare()?;
        Ok(project)
    }

    /// Depends on the google crates.
    pub fn google(folder: &Path, defaults: bool) -> anyhow::Result<Self> {
        let dependencies = GOOGLE
            .map(|(name, version)| format!("{name} = {{ version = {version:?}, default-features = {defaults} }}\n"));
        let project = Self::write(folder, GOOGLE.map(|(name, _)| name), &dependencies.concat())?;
        project.prepare()?;
        Ok(project)
    }

    fn write(folder: &Path, crates: [&'static str; 2], dependencies: &str) -> anyhow::Result<Self> {
        fs::create_dir_all(folder.join("src"))?;
        fs::write(folder.join("src/lib.rs"), "")?;
        let head = "[package]\nname = \"consumer\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n";
        fs::write(folder.join("Cargo.toml"), format!("{head}\n[dependencies]\n{dependencies}"))?;
        Ok(Self { folder: folder.to_owned(), crates, compiled: Cell::new(0) })
    }

    /// Settles the versions and downloads, so that no measurement waits for the network.
    fn prepare(&self) -> anyhow::Result<()> {
        self.cargo(&["fetch"]).map(drop)
    }

    /// The seconds of a check from nothing.
    pub fn check_all(&self) -> anyhow::Result<f64> {
        place::remove(&self.folder.join("target"))?;
        self.check()
    }

    /// The seconds of a check of the two crates, with their dependencies ready.
    pub fn check_again(&self) -> anyhow::Result<f64> {
        let [first, second] = self.crates;
        self.cargo(&["clean", "--package", first, "--package", second])?;
        self.check()
    }

    /// The seconds of a check that finds everything done.
    pub fn check_nothing(&self) -> anyhow::Result<f64> {
        Ok(self.cargo(&["check", "--offline"])?.wall)
    }

    /// How many crates the last check compiled, build scripts and the empty project left out.
    pub fn compiled(&self) -> usize {
        self.compiled.get()
    }

    fn check(&self) -> anyhow::Result<f64> {
        let cost = self.cargo(&["check", "--offline"])?;
        // A crate has one such line, whatever is built of it.
        let lines = cost.stderr.lines().map(str::trim_start);
        let crates = lines.filter(|line| line.starts_with("Checking ") || line.starts_with("Compiling "));
        self.compiled.set(crates.filter(|line| !line.contains(" consumer ")).count());
        Ok(cost.wall)
    }

    fn cargo(&self, arguments: &[&str]) -> anyhow::Result<child::Cost> {
        let mut command: Command = child::cargo();
        command.current_dir(&self.folder).args(arguments);
        command.env("CARGO_TARGET_DIR", self.folder.join("target")).env("CARGO_INCREMENTAL", "0");
        command.env("CARGO_TERM_COLOR", "never").env_remove("RUSTFLAGS");
        child::run(&mut command, &self.folder.join("log"))
    }
}
