//! Paths of the repository, the build, and a folder for the output of the benches.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use fs_err as fs;

/// Returns the root of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}

/// Returns the target folder of this binary.
pub fn target() -> anyhow::Result<PathBuf> {
    let binary = std::env::current_exe()?;
    let target = binary.parent().and_then(Path::parent).context("the binary is not in a target folder")?;
    Ok(target.to_owned())
}

/// Creates an empty folder below the target folder, removing leftovers of an earlier run.
pub fn scratch(name: &str) -> anyhow::Result<PathBuf> {
    remove(&target()?.join("wireform-benches").join(name))?;
    kept(name)
}

/// Returns a folder below the target folder that keeps the builds of earlier runs.
pub fn kept(name: &str) -> anyhow::Result<PathBuf> {
    let folder = target()?.join("wireform-benches").join(name);
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// Creates an empty folder in the memory file system if there is one and no other folder is given, so that no disk is
/// measured. The name is always the same, since the generator caches every output folder.
pub fn memory(within: Option<&Path>, name: &str) -> anyhow::Result<PathBuf> {
    let memory = PathBuf::from("/dev/shm");
    let folder = match within {
        Some(folder) => std::path::absolute(folder)?,
        None if memory.is_dir() => memory,
        None => std::env::temp_dir(),
    };
    let scratch = folder.join(format!("wireform-benches-{name}"));
    remove(&scratch)?;
    fs::create_dir_all(&scratch)?;
    Ok(scratch)
}

/// Removes a folder if it exists.
pub fn remove(folder: &Path) -> anyhow::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    Ok(())
}
