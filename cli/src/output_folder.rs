//! Whether a command may write its output to a path.

use std::fs::FileType;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

/// Returns the absolute path of a folder of output, which exists or can be created.
///
/// Nothing else is ever replaced: the path is only inspected, and a link is not followed, since neither it nor its target
/// belongs to the command.
///
/// # Errors
///
/// Returns an error if something exists there that is not a folder.
pub fn resolve(path: &Path) -> anyhow::Result<PathBuf> {
    // Without a slash at the end, which would follow a link.
    let path: PathBuf = std::path::absolute(path)?.components().collect();
    match path.symlink_metadata() {
        Ok(there) if there.is_dir() => Ok(path.canonicalize().unwrap_or(path)),
        Ok(there) => bail!(
            "`{}` is {}, and not a folder; nothing was written: move it away, or choose another folder",
            path.display(),
            describe(there.file_type())
        ),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(resolve_missing(&path)),
        Err(error) => Err(error).with_context(|| format!("cannot write into `{}`", path.display())),
    }
}

/// Returns whether anything exists at a path, a link without a target too.
pub fn is_occupied(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// Returns the path of a missing folder with the links in its parents followed, so that its lock and leftovers are found under
/// any path.
fn resolve_missing(path: &Path) -> PathBuf {
    match (path.parent().map(Path::canonicalize), path.file_name()) {
        (Some(Ok(parent)), Some(name)) => parent.join(name),
        _ => path.to_owned(),
    }
}

/// Returns the name of a type of files with its article.
fn describe(kind: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        if kind.is_fifo() {
            return "a FIFO";
        }
        if kind.is_socket() {
            return "a socket";
        }
        if kind.is_char_device() || kind.is_block_device() {
            return "a device";
        }
    }
    if kind.is_symlink() { "a symbolic link" } else { "a file" }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The function only inspects paths, so devices can be named here.
    #[cfg(unix)]
    #[test]
    fn devices_are_rejected() {
        for device in ["/dev/null", "/dev/zero", "/dev/../dev/null/", "/dev/null/."] {
            let error = resolve(Path::new(device)).err().map(|error| error.to_string()).unwrap_or_default();
            assert!(
                error.contains("null` is a device, and not a folder") || error.contains("zero` is a device"),
                "{error}"
            );
        }
    }

    #[test]
    fn path_below_a_file_is_rejected() -> anyhow::Result<()> {
        let dir = tempfile::tempdir()?;
        fs_err::write(dir.path().join("file"), "")?;
        assert!(resolve(&dir.path().join("file/below")).is_err());
        Ok(())
    }

    #[test]
    fn folders_and_missing_ones_are_accepted() -> anyhow::Result<()> {
        let dir = tempfile::tempdir()?;
        let real = dir.path().canonicalize()?;
        assert_eq!(resolve(dir.path())?, real);
        assert_eq!(resolve(&dir.path().join("missing/"))?, real.join("missing"));
        assert_eq!(resolve(&dir.path().join("a/b"))?, dir.path().join("a/b"));
        Ok(())
    }
}
