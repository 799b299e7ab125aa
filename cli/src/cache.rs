//! Cache of generated APIs, which avoids generating unchanged schemas again.
//!
//! For each API the cache stores a hash of its input (the generator itself, the settings, the files of the schema), its
//! diagnostics and number of lines, and hashes of its generated files with their lengths and modification times. An API
//! is up to date if its input is unchanged and its files are still in the output folder; a file is read only if its
//! modification time has changed. `--check` ignores the cache. It is stored next to the command's binary, and a run
//! continues without it if it cannot be read or written.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

use wireform_codegen::{Options, Source};

use crate::tree::{Files, State, Tree};

/// Cache of one output folder.
pub struct Cache {
    file: Option<PathBuf>,
    /// Identifier of this build of the generator.
    generator: u64,
    entries: BTreeMap<String, Entry>,
}

/// Cached result of generating one API.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    input: u64,
    /// Total number of lines of its files.
    pub lines: usize,
    /// Diagnostics of the schema, which are printed again; `None` if they have to be computed again.
    pub diagnostics: Option<String>,
    /// Cached data of each file by its path.
    pub files: BTreeMap<String, CachedFile>,
}

/// Cached data of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CachedFile {
    hash: u64,
    state: Option<State>,
}

/// API that is up to date.
pub struct UpToDate {
    /// Cached result of the API.
    pub entry: Entry,
    /// True if modification times of its files differ from the cached ones, so that the entry has to be saved again.
    pub is_touched: bool,
}

impl Entry {
    /// Creates the entry of an API whose files have been written.
    pub fn of(
        input: u64,
        files: &Files,
        lines: usize,
        diagnostics: Option<&str>,
        state: impl Fn(&str) -> Option<State>,
    ) -> Self {
        let cached = |path: &str, text: &str| CachedFile { hash: hash(&[text.as_bytes()]), state: state(path) };
        let files = files.iter().map(|(path, text)| (path.clone(), cached(path, text))).collect();
        // Text with terminal colors is useless elsewhere.
        let diagnostics = diagnostics.filter(|text| !text.contains('\u{1b}')).map(str::to_owned);
        Self { input, lines, diagnostics, files }
    }
}

fn hash(parts: &[&[u8]]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for part in parts {
        part.hash(&mut hasher);
    }
    hasher.finish()
}

/// Returns the identifier of this build of the generator, made from its size and modification time.
pub fn generator() -> Option<u64> {
    let data = std::env::current_exe().ok()?.metadata().ok()?;
    let time = data.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    Some(hash(&[format!("{} {}", data.len(), time.as_nanos()).as_bytes()]))
}

impl Cache {
    /// Opens the cache of an output folder.
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

    /// Returns the hash of the input of an API.
    pub fn input(&self, sources: &[Source], options: &Options) -> u64 {
        let settings = format!("{} {options:?}", self.generator);
        let mut hasher = DefaultHasher::new();
        settings.hash(&mut hasher);
        for source in sources {
            (&source.path, &source.text, source.invalid_utf8_at).hash(&mut hasher);
        }
        hasher.finish()
    }

    /// Returns the cached result of the API with this input if its files in the folder are unchanged.
    pub fn find_up_to_date(&self, folder: &str, input: u64, tree: &Tree) -> Option<UpToDate> {
        let mut entry = self.entries.get(folder).filter(|entry| entry.input == input)?.clone();
        let mut is_touched = false;
        for (path, cached) in &mut entry.files {
            let state = tree.state(path)?;
            if cached.state != Some(state) {
                tree.bytes(path).ok().filter(|bytes| hash(&[bytes]) == cached.hash)?;
                cached.state = Some(state);
                is_touched = true;
            }
        }
        Some(UpToDate { entry, is_touched })
    }

    /// Stores the results of APIs.
    pub fn store(&mut self, entries: impl Iterator<Item = (String, Entry)>) {
        let mut changed = false;
        for (folder, entry) in entries {
            self.entries.insert(folder, entry);
            changed = true;
        }
        if changed {
            self.save();
        }
    }

    /// Writes the cache; a failure only costs time at the next run.
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

/// Formats the entries: one line per API, followed by one line per file.
fn write(entries: &BTreeMap<String, Entry>) -> String {
    let mut text = String::new();
    for (folder, entry) in entries {
        // Written as JSON it has neither tabs nor line breaks.
        let diagnostics = serde_json::to_string(&entry.diagnostics).unwrap_or_else(|_| "null".to_owned());
        let _ = writeln!(text, "api\t{folder}\t{:x}\t{}\t{diagnostics}", entry.input, entry.lines);
        for (path, CachedFile { hash, state }) in &entry.files {
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
        let (path, cached) = match line.split('\t').collect::<Vec<_>>().as_slice() {
            ["api", folder, input, lines, diagnostics] => {
                let (input, lines, diagnostics) =
                    (number(input)?, lines.parse().ok()?, serde_json::from_str(diagnostics).ok()?);
                let entry = Entry { input, lines, diagnostics, files: BTreeMap::new() };
                (*folder).clone_into(&mut current);
                entries.insert(current.clone(), entry);
                continue;
            }
            ["file", path, hash, length, changed] => {
                let state = State { length: number(length)?, changed: number(changed)? };
                (*path, CachedFile { hash: number(hash)?, state: Some(state) })
            }
            ["file", path, hash] => (*path, CachedFile { hash: number(hash)?, state: None }),
            _ => return None,
        };
        entries.get_mut(&current)?.files.insert(path.to_owned(), cached);
    }
    Some(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cache_round_trips_and_rejects_other_text() {
        let cached = |state| CachedFile { hash: 7, state };
        let state = State { length: 3, changed: u64::MAX };
        let files = BTreeMap::from([
            ("a-types/src/lib.rs".to_owned(), cached(None)),
            ("a-types/src/api.rs".to_owned(), cached(Some(state))),
        ]);
        let entry = |diagnostics: Option<&str>| Entry {
            input: u64::MAX,
            lines: 3,
            diagnostics: diagnostics.map(str::to_owned),
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
