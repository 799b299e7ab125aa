//! What a schema became the last time, so that nothing is generated again for nothing.
//!
//! The cache remembers hashes only: of what went into an API (the generator itself, the settings,
//! the files of the schema) and of the files that came out. An API whose input is the same and
//! whose files lie in the output folder with the same hashes is up to date. `--check` never looks
//! at it. It lies beside the command's own binary, and a run goes on without it when it cannot be
//! read or written.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

use wireform_codegen::{FileTree, Options};

use crate::schemas::Schema;
use crate::tree::OnDisk;

/// The cache of one output folder.
pub struct Cache {
    file: Option<PathBuf>,
    /// What identifies this build of the generator.
    generator: u64,
    entries: BTreeMap<String, Entry>,
}

/// What one API became.
#[derive(Clone, PartialEq)]
struct Entry {
    input: u64,
    lines: usize,
    /// Whether there was something to say of it.
    warned: bool,
    /// The hash of each file by its path.
    files: BTreeMap<String, u64>,
}

/// An API that is up to date.
pub struct Fresh {
    /// The paths of its files.
    pub files: Vec<String>,
    /// How many lines they have together.
    pub lines: usize,
    /// Whether there was something to say of the schema, which is to be said again.
    pub warned: bool,
}

fn hash(parts: &[&[u8]]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for part in parts {
        part.hash(&mut hasher);
    }
    hasher.finish()
}

/// What identifies this build of the generator: its size and the time of its making.
pub fn generator() -> Option<u64> {
    let data = std::env::current_exe().ok()?.metadata().ok()?;
    let time = data.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    Some(hash(&[format!("{} {}", data.len(), time.as_nanos()).as_bytes()]))
}

impl Cache {
    /// The cache of an output folder.
    pub fn open(out: &Path) -> Self {
        let exe = std::env::current_exe().ok();
        let generator = generator();
        let name = format!("{:016x}", hash(&[out.to_string_lossy().as_bytes()]));
        let file =
            exe.filter(|_| generator.is_some()).and_then(|exe| Some(exe.parent()?.join("wireform-cache").join(name)));
        let entries = file
            .as_ref()
            .and_then(|file| std::fs::read_to_string(file).ok())
            .and_then(|text| read(&text))
            .unwrap_or_default();
        Self { file, generator: generator.unwrap_or_default(), entries }
    }

    /// What goes into an API, as one number.
    pub fn input(&self, schema: &Schema, options: &Options) -> u64 {
        let settings = format!("{} {options:?}", self.generator);
        let mut hasher = DefaultHasher::new();
        settings.hash(&mut hasher);
        for source in &schema.sources {
            (&source.path, &source.text, source.damaged_at).hash(&mut hasher);
        }
        hasher.finish()
    }

    /// Whether the API with this input lies in the folder as it should.
    pub fn fresh(&self, folder: &str, input: u64, there: &OnDisk) -> Option<Fresh> {
        let entry = self.entries.get(folder).filter(|entry| entry.input == input)?;
        let same =
            entry.files.iter().all(|(path, expected)| there.get(path).is_some_and(|bytes| hash(&[bytes]) == *expected));
        same.then(|| Fresh { files: entry.files.keys().cloned().collect(), lines: entry.lines, warned: entry.warned })
    }

    /// Remembers what an API became.
    pub fn remember(&mut self, folder: &str, input: u64, files: &FileTree, warned: bool) {
        let lines = files.values().map(|text| text.lines().count()).sum();
        let files = files.iter().map(|(path, text)| (path.clone(), hash(&[text.as_bytes()]))).collect();
        self.entries.insert(folder.to_owned(), Entry { input, lines, warned, files });
    }

    /// Writes the cache; a failure costs time at the next run and nothing else.
    pub fn save(&self) {
        let Some(file) = &self.file else { return };
        let Some(dir) = file.parent() else { return };
        let written = std::fs::create_dir_all(dir).and_then(|()| {
            let temporary = file.with_extension(std::process::id().to_string());
            std::fs::write(&temporary, write(&self.entries))?;
            std::fs::rename(&temporary, file)
        });
        drop(written);
    }
}

/// One line an API, then one a file; anything else is no cache.
fn write(entries: &BTreeMap<String, Entry>) -> String {
    let mut text = String::new();
    for (folder, entry) in entries {
        text += &format!("api\t{folder}\t{:x}\t{}\t{}\n", entry.input, entry.lines, entry.warned);
        for (path, hash) in &entry.files {
            text += &format!("file\t{path}\t{hash:x}\n");
        }
    }
    text
}

fn read(text: &str) -> Option<BTreeMap<String, Entry>> {
    let number = |text: &str| u64::from_str_radix(text, 16).ok();
    let mut entries: BTreeMap<String, Entry> = BTreeMap::new();
    let mut current = String::new();
    for line in text.lines() {
        match line.split('\t').collect::<Vec<_>>().as_slice() {
            ["api", folder, input, lines, warned] => {
                let (input, lines, warned) = (number(input)?, lines.parse().ok()?, warned.parse().ok()?);
                let entry = Entry { input, lines, warned, files: BTreeMap::new() };
                (*folder).clone_into(&mut current);
                entries.insert(current.clone(), entry);
            }
            ["file", path, hash] => {
                entries.get_mut(&current)?.files.insert((*path).to_owned(), number(hash)?);
            }
            _ => return None,
        }
    }
    Some(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_anything_else_is_no_cache() {
        let files = BTreeMap::from([("a-types/src/lib.rs".to_owned(), 7)]);
        let entries = BTreeMap::from([("a".to_owned(), Entry { input: u64::MAX, lines: 3, warned: true, files })]);
        assert!(read(&write(&entries)) == Some(entries));
        assert!(read("file\tx\t1").is_none() && read("nonsense").is_none() && read("api\ta\tzz\t1\tfalse").is_none());
    }
}
