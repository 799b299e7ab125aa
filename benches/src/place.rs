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
    remove(&target()?.join("wireform-benches").join(name))?;
    kept(name)
}

/// A folder below the target folder in which stays what an earlier run has built.
pub fn kept(name: &str) -> anyhow::Result<PathBuf> {
    let folder = target()?.join("wireform-benches").join(name);
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// An empty folder in the memory file system if there is one and no other place is named, so that no disk is measured.
/// Always of one name: the generator remembers every folder that it has written.
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

/// Removes a folder if it is there.
pub fn remove(folder: &Path) -> anyhow::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    Ok(())
}
