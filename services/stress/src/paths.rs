//! Paths: the program under test, and folders for the data of the parts.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use anyhow::{Context as _, ensure};
use fs_err as fs;

/// Returns the target folder that this program was built in.
fn target() -> anyhow::Result<PathBuf> {
    let binary = std::env::current_exe()?;
    let target = binary.parent().and_then(Path::parent).context("the program is in no target folder")?;
    Ok(target.to_owned())
}

/// Returns a folder below the target folder, as an earlier run left it.
pub fn existing_folder(name: &str) -> anyhow::Result<PathBuf> {
    let folder = target()?.join("wireform-stress").join(name);
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// Returns an empty folder below the target folder.
pub fn scratch(name: &str) -> anyhow::Result<PathBuf> {
    let folder = existing_folder(name)?;
    fs::remove_dir_all(&folder)?;
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// Returns the program built for release, rebuilt if it is not up to date, or the one that `WIREFORM_SERVICES` names.
pub fn program() -> anyhow::Result<&'static Path> {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    if let Some(program) = PROGRAM.get() {
        return Ok(program);
    }
    if let Some(program) = std::env::var_os("WIREFORM_SERVICES") {
        return Ok(PROGRAM.get_or_init(|| program.into()));
    }
    let target = target()?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args(["build", "--quiet", "--release", "--package", "wireform-services", "--target-dir"])
        .arg(&target)
        .status()
        .context("cargo cannot be started")?;
    ensure!(built.success(), "the services cannot be built");
    Ok(PROGRAM.get_or_init(|| target.join("release/wireform-services")))
}
