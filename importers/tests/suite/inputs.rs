//! Files that several suites read.

use std::convert::Infallible;
use std::path::{Path, PathBuf};

use wireform_codegen::{Source, with_includes};
use wireform_importers::Import;

/// Returns a folder of public documents, which is not part of the repository.
pub fn corpus(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpora").join(name)
}

/// Returns the files and folders in a folder.
pub fn entries(dir: impl AsRef<Path>) -> impl Iterator<Item = PathBuf> {
    fs_err::read_dir(dir.as_ref()).expect("a folder").map(|entry| entry.expect("an entry").path())
}

/// Returns the folders of the schemas, and of the cases of the generator's tests.
pub fn schema_folders() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let all = ["schemas", "tests/cases"].into_iter().flat_map(|dir| entries(root.join(dir)));
    let mut folders: Vec<PathBuf> = all.filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

/// Returns the files of a schema, and those that they include.
pub fn schema(folder: &Path) -> Vec<Source> {
    let files = entries(folder).filter(|path| path.extension().is_some_and(|ending| ending == "yaml"));
    let read = |path: PathBuf| Source::new(path.display().to_string(), fs_err::read_to_string(path).expect("text"));
    let included = |path: &str| Ok::<_, Infallible>(fs_err::read(path).ok());
    let Ok(sources) = with_includes(files.map(read).collect(), included);
    sources
}

/// Returns the files of an imported schema.
pub fn sources(import: &Import) -> Vec<Source> {
    import.files.iter().map(|(path, text)| Source::new(path, text.as_str())).collect()
}
