//! Command of the repository as users run it: one process after the other.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::child::{self, Cost};
use crate::place;

/// Release binary of the command.
pub struct Tool {
    xtask: PathBuf,
    log: PathBuf,
}

impl Tool {
    /// Builds the command from the current sources.
    pub fn build() -> anyhow::Result<Self> {
        let target = place::target()?;
        let log = place::scratch("build")?.join("log");
        let mut command = child::cargo();
        command.current_dir(place::root());
        command.args(["build", "--release", "--package", "xtask-commands", "--target-dir"]).arg(&target);
        child::run(&mut command, &log)?;
        Ok(Self { xtask: target.join("release").join("xtask-commands"), log })
    }

    /// Imports Discovery documents into a folder of schemas, allowing losses.
    pub fn import(&self, documents: &[PathBuf], into: &Path) -> anyhow::Result<Cost> {
        let mut command = Command::new(&self.xtask);
        command.args(["import", "discovery", "--allow-losses", "--into"]).arg(into).args(documents);
        child::run(&mut command, &self.log)
    }

    /// Generates the crates of every schema in a folder.
    pub fn generate(&self, schemas: &Path, out: &Path) -> anyhow::Result<Cost> {
        let mut command = Command::new(&self.xtask);
        command.args(["gen", "--schemas"]).arg(schemas).arg("--out").arg(out);
        child::run(&mut command, &self.log)
    }

    /// Generates crates that depend on the runtime of the repository.
    pub fn generate_here(&self, schemas: &Path, out: &Path) -> anyhow::Result<Cost> {
        let mut command = Command::new(&self.xtask);
        let runtime = format!("path:{}", place::root().join("runtime").display());
        command.args(["gen", "--schemas"]).arg(schemas).arg("--out").arg(out).args(["--runtime", &runtime]);
        child::run(&mut command, &self.log)
    }
}
