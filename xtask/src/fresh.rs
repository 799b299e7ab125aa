//! Whether a program has to be built again: asking cargo takes as long as generating does.
//!
//! As for cargo, a file has changed if it was modified after the program was built. Cargo lists the sources of the
//! workspace's crates in a file next to the program, `name.d`; versions of other crates are in `Cargo.lock`.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Files at the root of the repository that a program depends on.
const SETTINGS: [&str; 3] = ["Cargo.lock", ".cargo/config.toml", "rust-toolchain.toml"];

/// Records that a program is up to date with what it is built from at a time.
///
/// # Errors
/// Returns an error if the file cannot be written.
pub fn record(program: &Path, time: SystemTime) -> io::Result<()> {
    File::create(stamp(program))?.set_modified(time)
}

/// Returns whether nothing that the program is built from has changed since the recorded time.
pub fn is_fresh(program: &Path, root: &Path) -> bool {
    let Some(recorded) = modified(&stamp(program)) else { return false };
    let Ok(listed) = fs::read_to_string(program.with_extension("d")) else { return false };
    let sources = sources(&listed);
    // Another copy of the repository, whose program it is, may use the same target folder.
    let is_here = !sources.is_empty() && sources.iter().all(|source| source.starts_with(root));
    let is_older = |file: &PathBuf| modified(file).is_some_and(|time| time < recorded);
    let settings = SETTINGS.iter().map(|name| root.join(name)).chain(manifests(&sources, root));
    program.is_file() && is_here && sources.iter().all(is_older) && settings.into_iter().all(|file| is_older(&file))
}

/// Returns the file whose time is the recorded one.
fn stamp(program: &Path) -> PathBuf {
    program.with_extension("checked")
}

fn modified(file: &Path) -> Option<SystemTime> {
    fs::metadata(file).and_then(|metadata| metadata.modified()).ok()
}

/// Returns the files after the colon of each line. A space in a path is escaped by a backslash.
fn sources(listed: &str) -> Vec<PathBuf> {
    let mut sources = Vec::new();
    for (_, files) in listed.lines().filter_map(|line| line.split_once(": ")) {
        let mut path = String::new();
        for part in files.split(' ') {
            match part.strip_suffix('\\') {
                Some(part) => path.extend([part, " "]),
                None => sources.push(PathBuf::from(std::mem::take(&mut path) + part)),
            }
        }
    }
    sources
}

/// Returns the manifests of the folders with sources, up to the root.
fn manifests(sources: &[PathBuf], root: &Path) -> BTreeSet<PathBuf> {
    let folders = sources.iter().flat_map(|source| source.ancestors().skip(1));
    let folders: BTreeSet<&Path> = folders.filter(|folder| folder.starts_with(root)).collect();
    folders.into_iter().map(|folder| folder.join("Cargo.toml")).filter(|manifest| manifest.is_file()).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn sources_are_read_from_a_list() {
        let listed = "/t/tools/commands: /r/a/src/main.rs /r/my\\ crate/src/lib.rs\n/t/tools/other: /r/b.rs\n";
        let expected = ["/r/a/src/main.rs", "/r/my crate/src/lib.rs", "/r/b.rs"];
        assert_eq!(sources(listed), expected.map(PathBuf::from));
    }

    /// Repository with a crate and its program, in a folder that is removed at the end.
    struct Repository(PathBuf);

    impl Repository {
        fn new() -> io::Result<Self> {
            let place = Self(std::env::temp_dir().join(format!("wireform-xtask-{}", std::process::id())));
            place.write("a/Cargo.toml", "")?;
            for file in ["Cargo.toml"].iter().chain(&SETTINGS) {
                place.write(file, "")?;
                place.write(&format!("other/{file}"), "")?;
            }
            place.write("a/src/main.rs", "")?;
            place.write("t/a", "")?;
            place.write("t/a.d", &format!("t/a: {}\n", place.0.join("a/src/main.rs").display()))?;
            Ok(place)
        }

        fn write(&self, file: &str, text: &str) -> io::Result<()> {
            let path = self.0.join(file);
            fs::create_dir_all(path.parent().unwrap_or(&self.0))?;
            fs::write(path, text)
        }

        fn is_fresh(&self) -> bool {
            is_fresh(&self.0.join("t/a"), &self.0)
        }

        /// Records a time after that of every file.
        fn record(&self) -> io::Result<()> {
            record(&self.0.join("t/a"), SystemTime::now() + Duration::from_secs(60))
        }
    }

    impl Drop for Repository {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn program_is_fresh_until_something_changes() -> io::Result<()> {
        let place = Repository::new()?;
        assert!(!place.is_fresh(), "never recorded");
        place.record()?;
        assert!(place.is_fresh());
        for changed in ["a/src/main.rs", "a/Cargo.toml", "Cargo.toml", "Cargo.lock", ".cargo/config.toml"] {
            let file = File::options().write(true).open(place.0.join(changed))?;
            file.set_modified(SystemTime::now() + Duration::from_secs(120))?;
            assert!(!place.is_fresh(), "{changed}");
            file.set_modified(SystemTime::now())?;
            assert!(place.is_fresh(), "{changed}");
        }
        for removed in ["a/src/main.rs", "Cargo.lock", "t/a.d", "t/a"] {
            fs::rename(place.0.join(removed), place.0.join("removed"))?;
            assert!(!place.is_fresh(), "{removed}");
            fs::rename(place.0.join("removed"), place.0.join(removed))?;
        }
        assert!(place.is_fresh());
        assert!(!is_fresh(&place.0.join("t/a"), &place.0.join("other")), "the program of another copy");
        Ok(())
    }
}
