//! What a schema became the last time, so that nothing is generated again for nothing.
//!
//! The cache remembers hashes only: of what went into an API (the generator itself, the settings,
//! the files of the schema) and of the files that came out, with their lengths and times. An API
//! whose input is the same and whose files lie in the output folder as they were is up to date; a
//! file is read only where its time has changed. `--check` never looks at it. It lies beside the
//! command's own binary, and a run goes on without it when it cannot be read or written.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

use wireform_codegen::{Options, Source};

use crate::tree::{Files, State, Tree};

/// The cache of one output folder.
pub struct Cache {
    file: Option<PathBuf>,
    /// What identifies this build of the generator.
    generator: u64,
    entries: BTreeMap<String, Entry>,
}

/// What one API became.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    input: u64,
    /// How many lines its files have together.
    pub lines: usize,
    /// What was said of the schema, which is to be said again; nothing if that is to be found out again.
    pub told: Option<String>,
    /// What is known of each file by its path.
    pub files: BTreeMap<String, Known>,
}

/// What is known of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    hash: u64,
    state: Option<State>,
}

/// An API that is up to date.
pub struct Fresh {
    /// What is known of it.
    pub entry: Entry,
    /// Whether the times of its files are not those that were known, so that it should be remembered once more.
    pub is_touched: bool,
}

impl Entry {
    /// What is to be remembered of an API whose files have been written.
    pub fn of(input: u64, files: &Files, lines: usize, told: &str, state: impl Fn(&str) -> Option<State>) -> Self {
        let known = |path: &str, text: &str| Known { hash: hash(&[text.as_bytes()]), state: state(path) };
        let files = files.iter().map(|(path, text)| (path.clone(), known(path, text))).collect();
        // What was coloured for a terminal is no text for others.
        let told = (!told.contains('\u{1b}')).then(|| told.to_owned());
        Self { input, lines, told, files }
    }
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
    pub fn input(&self, sources: &[Source], options: &Options) -> u64 {
        let settings = format!("{} {options:?}", self.generator);
        let mut hasher = DefaultHasher::new();
        settings.hash(&mut hasher);
        for source in sources {
            (&source.path, &source.text, source.damaged_at).hash(&mut hasher);
        }
        hasher.finish()
    }

    /// What is known of the API with this input, if it lies in the folder as it should.
    pub fn fresh(&self, folder: &str, input: u64, tree: &Tree) -> Option<Fresh> {
        let mut entry = self.entries.get(folder).filter(|entry| entry.input == input)?.clone();
        let mut is_touched = false;
        for (path, known) in &mut entry.files {
            let state = tree.state(path)?;
            if known.state != Some(state) {
                tree.bytes(path).ok().filter(|bytes| hash(&[bytes]) == known.hash)?;
                known.state = Some(state);
                is_touched = true;
            }
        }
        Some(Fresh { entry, is_touched })
    }

    /// Remembers what APIs became.
    pub fn remember(&mut self, entries: impl Iterator<Item = (String, Entry)>) {
        let mut changed = false;
        for (folder, entry) in entries {
            self.entries.insert(folder, entry);
            changed = true;
        }
        if changed {
            self.save();
        }
    }

    /// Writes the cache; a failure costs time at the next run and nothing else.
    fn save(&self) {
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
        // Written as JSON it has neither tabs nor line breaks.
        let told = serde_json::to_string(&entry.told).unwrap_or_else(|_| "null".to_owned());
        let _ = writeln!(text, "api\t{folder}\t{:x}\t{}\t{told}", entry.input, entry.lines);
        for (path, Known { hash, state }) in &entry.files {
            let _ = match state {
                Some(State { length, changed }) => writeln!(text, "file\t{path}\t{hash:x}\t{length:x}\t{changed:x}"),
                None => writeln!(text, "file\t{path}\t{hash:x}"),
            };
        }
    }
    text
}

fn read(text: &str) -> Option<BTreeMap<String, Entry>> {
    let number = |text: &str| u64::from_str_radix(text, 16).ok();
    let mut entries: BTreeMap<String, Entry> = BTreeMap::new();
    let mut current = String::new();
    for line in text.lines() {
        let (path, known) = match line.split('\t').collect::<Vec<_>>().as_slice() {
            ["api", folder, input, lines, told] => {
                let (input, lines, told) = (number(input)?, lines.parse().ok()?, serde_json::from_str(told).ok()?);
                let entry = Entry { input, lines, told, files: BTreeMap::new() };
                (*folder).clone_into(&mut current);
                entries.insert(current.clone(), entry);
                continue;
            }
            ["file", path, hash, length, changed] => {
                let state = State { length: number(length)?, changed: number(changed)? };
                (*path, Known { hash: number(hash)?, state: Some(state) })
            }
            ["file", path, hash] => (*path, Known { hash: number(hash)?, state: None }),
            _ => return None,
        };
        entries.get_mut(&current)?.files.insert(path.to_owned(), known);
    }
    Some(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_anything_else_is_no_cache() {
        let known = |state| Known { hash: 7, state };
        let state = State { length: 3, changed: u64::MAX };
        let files = BTreeMap::from([
            ("a-types/src/lib.rs".to_owned(), known(None)),
            ("a-types/src/api.rs".to_owned(), known(Some(state))),
        ]);
        let entry = |told: Option<&str>| Entry {
            input: u64::MAX,
            lines: 3,
            told: told.map(str::to_owned),
            files: files.clone(),
        };
        let entries = BTreeMap::from([
            ("a".to_owned(), entry(None)),
            ("b".to_owned(), entry(Some("a warning\n\tof \"two\" lines\n"))),
        ]);
        assert_eq!(read(&write(&entries)), Some(entries));
        for nonsense in ["file\tx\t1", "nonsense", "api\ta\tzz\t1\tnull", "api\ta\t1\t1\tnull\nfile\tx\t1\t2"] {
            assert_eq!(read(nonsense), None, "{nonsense}");
        }
    }
}
