//! What the suites share: where things are, and every resource with its codec.

pub mod registry;

use std::path::{Path, PathBuf};

use wireform_codegen::Source;

/// The root of the repository.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".")).to_owned()
}

/// Public test data beside the repository. A test that needs it says so by `#[requires]`, and is ignored where it is absent.
///
/// # Panics
/// When it is not there.
#[must_use]
pub fn shared(path: &str) -> PathBuf {
    let found = root().join("../shared").join(path);
    assert!(found.exists(), "there is no {path} in ../shared any more: touch tests/data/src/lib.rs");
    found
}

/// The YAML files of a folder, named by their file names.
///
/// # Panics
/// When the folder cannot be read.
#[must_use]
pub fn sources(dir: &Path) -> Vec<Source> {
    let mut files: Vec<PathBuf> = fs_err::read_dir(dir)
        .expect("the folder is there")
        .map(|entry| entry.expect("an entry can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "yaml"))
        .collect();
    files.sort();
    let sources = files.into_iter().map(|path| {
        let bytes = fs_err::read(&path).expect("a file can be read");
        Source::from_bytes(path.file_name().unwrap_or_default().to_string_lossy(), &bytes)
    });
    let Ok(sources) = wireform_codegen::with_includes(sources.collect(), |path| {
        Ok::<_, std::convert::Infallible>(fs_err::read(dir.join(path)).ok())
    });
    sources
}

/// The folders in a folder, sorted by name.
///
/// # Panics
/// When the folder cannot be read.
#[must_use]
pub fn folders(dir: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs_err::read_dir(dir)
        .expect("the folder is there")
        .map(|entry| entry.expect("an entry can be read").path())
        .filter(|path| path.is_dir())
        .collect();
    found.sort();
    found
}
