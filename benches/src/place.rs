//! Where things are: the repository, the build, and a folder for what the benches write.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use fs_err as fs;

/// The root of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}

/// The target folder that this very binary was built in.
pub fn target() -> anyhow::Result<PathBuf> {
    let binary = std::env::current_exe()?;
    let target = binary.parent().and_then(Path::parent).context("the binary is in no target folder")?;
    Ok(target.to_owned())
}

/// An empty folder below the target folder; what an earlier run left there is removed.
pub fn scratch(name: &str) -> anyhow::Result<PathBuf> {
    let folder = target()?.join("wireform-benches").join(name);
    remove(&folder)?;
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// Removes a folder if it is there.
pub fn remove(folder: &Path) -> anyhow::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    Ok(())
}
