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

/// Source of the program, by which that of another copy of the repository with the same target folder is recognized.
const MAIN: &str = "xtask/commands/src/main.rs";

/// Records that a program is up to date with what it is built from at a time.
///
/// # Errors
/// Returns an error if the file cannot be written.
pub fn record(program: &Path, launcher: &Path, time: SystemTime) -> io::Result<()> {
    fs::write(stamp(program), build_id(launcher))?;
    File::options().write(true).open(stamp(program))?.set_modified(time)
}

/// Returns whether nothing that the program is built from has changed since the recorded time. The toolchain and its flags
/// have not if cargo started the same launcher.
pub fn is_fresh(program: &Path, launcher: &Path, root: &Path) -> bool {
    let Some(recorded) = modification_time(&stamp(program)) else { return false };
    let Ok(dep_info) = fs::read_to_string(program.with_extension("d")) else { return false };
    let sources = sources(&dep_info);
    let settings = SETTINGS.iter().map(|name| root.join(name)).chain(manifests(&sources, root));
    program.is_file()
        && fs::read_to_string(stamp(program)).is_ok_and(|id| id == build_id(launcher))
        && sources.contains(&root.join(MAIN))
        && sources
            .iter()
            .cloned()
            .chain(settings)
            .all(|file| modification_time(&file).is_some_and(|time| time < recorded))
}

/// Returns the file with the recorded launcher, whose time is the recorded one.
fn stamp(program: &Path) -> PathBuf {
    program.with_extension("checked")
}

/// Identifies a build of the launcher.
fn build_id(launcher: &Path) -> String {
    format!("{:?}", modification_time(launcher))
}

/// Returns when a file was last modified, if it is there.
fn modification_time(file: &Path) -> Option<SystemTime> {
    fs::metadata(file).and_then(|metadata| metadata.modified()).ok()
}

/// Returns the files after the colon of each line of cargo's list. A space in a path is escaped by a backslash.
fn sources(dep_info: &str) -> Vec<PathBuf> {
    let mut sources = Vec::new();
    for (_, files) in dep_info.lines().filter_map(|line| line.split_once(": ")) {
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

    /// Repository with a crate and its program.
    struct Repository(tempfile::TempDir);

    impl Repository {
        fn new() -> io::Result<Self> {
            let place = Self(tempfile::tempdir()?);
            place.write("xtask/commands/Cargo.toml", "")?;
            for file in ["Cargo.toml"].iter().chain(&SETTINGS) {
                place.write(file, "")?;
                place.write(&format!("other/{file}"), "")?;
            }
            place.write(MAIN, "")?;
            place.write("t/a", "")?;
            place.write("t/xtask", "")?;
            place.write("t/a.d", &format!("t/a: {}\n", place.path(MAIN).display()))?;
            Ok(place)
        }

        fn path(&self, file: &str) -> PathBuf {
            self.0.path().join(file)
        }

        fn write(&self, file: &str, text: &str) -> io::Result<()> {
            let path = self.path(file);
            fs::create_dir_all(path.parent().unwrap_or(self.0.path()))?;
            fs::write(path, text)
        }

        fn is_fresh(&self) -> bool {
            is_fresh(&self.path("t/a"), &self.path("t/xtask"), self.0.path())
        }

        /// Records a time after that of every file.
        fn record(&self) -> io::Result<()> {
            record(&self.path("t/a"), &self.path("t/xtask"), SystemTime::now() + Duration::from_secs(60))
        }
    }

    #[test]
    fn program_is_fresh_until_something_changes() -> io::Result<()> {
        let place = Repository::new()?;
        assert!(!place.is_fresh(), "never recorded");
        place.record()?;
        assert!(place.is_fresh());
        for changed in [MAIN, "xtask/commands/Cargo.toml", "Cargo.toml"].iter().chain(&SETTINGS) {
            let file = File::options().write(true).open(place.path(changed))?;
            file.set_modified(SystemTime::now() + Duration::from_secs(120))?;
            assert!(!place.is_fresh(), "{changed}");
            file.set_modified(SystemTime::now())?;
            assert!(place.is_fresh(), "{changed}");
        }
        for removed in [MAIN, "Cargo.lock", "t/a.d", "t/a"] {
            fs::rename(place.path(removed), place.path("removed"))?;
            assert!(!place.is_fresh(), "{removed}");
            fs::rename(place.path("removed"), place.path(removed))?;
        }
        assert!(place.is_fresh());
        let (program, launcher) = (place.path("t/a"), place.path("t/xtask"));
        assert!(!is_fresh(&program, &launcher, &place.path("other")), "the program of another copy");
        File::options().write(true).open(&launcher)?.set_modified(SystemTime::UNIX_EPOCH)?;
        assert!(!place.is_fresh(), "another build of the launcher");
        Ok(())
    }
}
