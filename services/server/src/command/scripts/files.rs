//! Files of a project in a folder.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use script_server::types::File;
use serde_derive::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use wireform_store::{ScriptFile, hex};

mod names;

use names::{name_and_type, path_of};

/// Name of the file that identifies the project, in the format of the public tool for such folders.
const SETTINGS_FILE: &str = ".clasp.json";
/// Name of the file with the hashes of the pulled files.
const HASHES_FILE: &str = ".wireform.json";
/// Maximum depth of nested folders.
const MAX_DEPTH: usize = 32;
/// Maximum length of a file, in bytes.
const MAX_FILE_BYTES: u64 = 16 << 20;

/// Contents of [`SETTINGS_FILE`]: the identifier of the project, and the folder of its files.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct FolderSettings {
    script_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    root_dir: Option<PathBuf>,
}

/// Folder with the files of a project.
pub struct Folder {
    /// Identifier of the project.
    pub id: String,
    top: PathBuf,
    /// Folder of the files, `top` or a folder in it.
    root: PathBuf,
}

impl Folder {
    /// Opens a folder that names its project.
    pub fn open(top: &Path) -> anyhow::Result<Self> {
        let help = || format!("a folder names its project in {SETTINGS_FILE}: {{ \"scriptId\": … }}");
        check_not_a_link(&top.join(SETTINGS_FILE))?;
        let text = fs_err::read_to_string(top.join(SETTINGS_FILE)).with_context(help)?;
        let settings: FolderSettings = serde_json::from_str(&text).with_context(help)?;
        let mut root = top.to_owned();
        for part in settings.root_dir.iter().flat_map(|root| root.components()) {
            match part {
                Component::CurDir => continue,
                Component::Normal(part) => root.push(part),
                _ => bail!("the rootDir of {SETTINGS_FILE} leads out of the folder: it must be a folder within it"),
            }
            check_not_a_link(&root)?;
        }
        Ok(Self { id: settings.script_id, top: top.to_owned(), root })
    }

    /// Opens the folder of a project, and creates it if it does not exist.
    pub fn open_or_create(top: &Path, id: &str) -> anyhow::Result<Self> {
        fs_err::create_dir_all(top)?;
        check_not_a_link(&top.join(SETTINGS_FILE))?;
        if top.join(SETTINGS_FILE).exists() {
            let folder = Self::open(top)?;
            ensure!(folder.id == id, "{} is the folder of the project {}", top.display(), folder.id);
            return Ok(folder);
        }
        let settings = FolderSettings { script_id: id.to_owned(), root_dir: None };
        fs_err::write(top.join(SETTINGS_FILE), serde_json::to_string_pretty(&settings)? + "\n")?;
        Ok(Self { id: id.to_owned(), top: top.to_owned(), root: top.to_owned() })
    }

    /// Reads the files, keyed by their paths below the root.
    pub fn read(&self) -> anyhow::Result<BTreeMap<String, File>> {
        let mut files = BTreeMap::new();
        read_folder(&self.root, "", MAX_DEPTH, &mut files)?;
        Ok(files)
    }

    /// Writes the files of a project. Returns the files that were changed in the folder and would be replaced; nothing
    /// is written if there are any.
    pub fn write(&self, stored: &[ScriptFile], overwrite: bool) -> anyhow::Result<Vec<String>> {
        let pulled = self.read_hashes();
        let present = self.read()?;
        let mut new = BTreeMap::new();
        for file in stored {
            new.insert(path_of(file, &present)?, file.source.as_str());
        }
        let is_changed = |path: &str, text: &str| pulled.get(path).is_none_or(|known| *known != hash(text));
        let text = |file: &File| file.source.clone().unwrap_or_default();
        let differs = |(path, file): &(&String, &File)| {
            let local = text(file);
            // A changed file is kept even if the project does not have it any more.
            new.get(path.as_str()).is_some_and(|source| **source != local) && is_changed(path, &local)
        };
        if !overwrite {
            let changed: Vec<String> = present.iter().filter(differs).map(|(path, _)| path.clone()).collect();
            if !changed.is_empty() {
                return Ok(changed);
            }
        }
        let is_gone = |(path, file): &(&String, &File)| !new.contains_key(*path) && !is_changed(path, &text(file));
        let gone: Vec<_> =
            present.iter().filter(is_gone).map(|(path, _)| self.locate(path)).collect::<Result<_, _>>()?;
        check_not_a_link(&self.top.join(HASHES_FILE))?;
        // All paths are checked before the first file is written.
        let targets = self.locate_all(&new, &gone)?;
        for target in gone {
            fs_err::remove_file(target)?;
        }
        for (target, source) in targets {
            if let Some(parent) = target.parent() {
                fs_err::create_dir_all(parent)?;
            }
            fs_err::write(target, source)?;
        }
        self.record_hashes(new.iter().map(|(path, source)| (path.clone(), hash(source))).collect())?;
        Ok(Vec::new())
    }

    /// Records the hashes of the files of the project.
    pub fn record_hashes(&self, hashes: BTreeMap<String, String>) -> anyhow::Result<()> {
        check_not_a_link(&self.top.join(HASHES_FILE))?;
        fs_err::write(self.top.join(HASHES_FILE), serde_json::to_string_pretty(&hashes)? + "\n")?;
        Ok(())
    }

    fn read_hashes(&self) -> BTreeMap<String, String> {
        let text = fs_err::read_to_string(self.top.join(HASHES_FILE)).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    /// Returns the paths to write files to, checked to be writable once the files of `gone` are removed.
    fn locate_all<'t>(
        &self,
        new: &BTreeMap<String, &'t str>,
        gone: &[PathBuf],
    ) -> anyhow::Result<Vec<(PathBuf, &'t str)>> {
        let mut targets = Vec::with_capacity(new.len());
        for (path, source) in new {
            for (at, _) in path.match_indices('/') {
                let folder = path.get(..at).unwrap_or_default();
                ensure!(!new.contains_key(folder), "{folder} is a file of the project, and the folder of {path}");
                let target = self.locate(folder)?;
                let is_free = !target.exists() || target.is_dir() || gone.contains(&target);
                ensure!(is_free, "{} is a file, and the folder of {path}", target.display());
            }
            let target = self.locate(path)?;
            ensure!(!target.is_dir(), "{} is a folder, and a file of the project", target.display());
            targets.push((target, *source));
        }
        Ok(targets)
    }

    /// Returns the path of a file.
    fn locate(&self, path: &str) -> anyhow::Result<PathBuf> {
        let mut target = self.root.clone();
        for part in path.split('/') {
            target.push(part);
            check_not_a_link(&target)?;
        }
        Ok(target)
    }
}

/// Returns an error if a path is a symbolic link, which could lead out of the folder.
fn check_not_a_link(target: &Path) -> anyhow::Result<()> {
    ensure!(!target.is_symlink(), "{} is a symbolic link, which is not followed", target.display());
    Ok(())
}

/// Returns the SHA-256 hash of a text, in hexadecimal digits.
pub fn hash(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}

fn read_folder(folder: &Path, prefix: &str, depth: usize, files: &mut BTreeMap<String, File>) -> anyhow::Result<()> {
    ensure!(depth > 0, "{} is nested too deeply", folder.display());
    for entry in fs_err::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let Some(name) = name.to_str().filter(|name| !name.starts_with('.') && *name != "node_modules") else {
            continue;
        };
        let (kind, path) = (entry.file_type()?, format!("{prefix}{name}"));
        if kind.is_dir() {
            read_folder(&entry.path(), &format!("{path}/"), depth - 1, files)?;
        } else if kind.is_file()
            && let Some((name, kind)) = name_and_type(&path)
        {
            ensure!(entry.metadata()?.len() <= MAX_FILE_BYTES, "{} is too long for a project", entry.path().display());
            let source = fs_err::read_to_string(entry.path())?;
            files.insert(path, File::default().with_name(name).with_type(kind).with_source(source));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(name: &str) -> ScriptFile {
        ScriptFile {
            number: wireform_store::FileNumber(1),
            name: name.to_owned(),
            kind: wireform_store::FileKind::Script,
            source: String::new(),
            functions: None,
            created: wireform_store::Millis(0),
            updated: wireform_store::Millis(0),
            modifier: wireform_store::Mailbox(1),
        }
    }

    #[test]
    fn files_stay_in_their_folder() {
        let outer = tempfile::tempdir().unwrap();
        let top = outer.path().join("top");
        for root in ["..", "/tmp", "a/../../b"] {
            fs_err::create_dir_all(&top).unwrap();
            fs_err::write(top.join(SETTINGS_FILE), format!("{{\"scriptId\": \"s\", \"rootDir\": \"{root}\"}}"))
                .unwrap();
            assert!(Folder::open(&top).is_err(), "{root}");
        }
        fs_err::write(top.join(SETTINGS_FILE), "{\"scriptId\": \"s\", \"rootDir\": \"./src\"}").unwrap();
        assert_eq!(Folder::open(&top).unwrap().root, top.join("src"));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let outer = tempfile::tempdir().unwrap();
        let (top, aim) = (outer.path().join("top"), outer.path().join("aim"));
        fs_err::create_dir_all(&top).unwrap();
        for name in [SETTINGS_FILE, HASHES_FILE, "Code.js"] {
            std::os::unix::fs::symlink(&aim, top.join(name)).unwrap();
            let done =
                Folder::open_or_create(&top, "s").and_then(|folder| folder.write(&[script("A"), script("Code")], true));
            assert!(done.is_err() && !aim.exists() && !top.join("A.js").exists(), "{name}");
            fs_err::remove_file(top.join(name)).unwrap();
        }
    }

    #[test]
    fn names_with_deceptive_characters_are_not_written() {
        let top = tempfile::tempdir().unwrap();
        let folder = Folder::open_or_create(top.path(), "s").unwrap();
        for name in
            ["a\u{202e}gpj", "a\u{2066}b", "a\u{200f}", "a\nb", "a\u{1b}[2J", "a\u{9b}", "\u{feff}a", "a\u{2028}/b"]
        {
            let error = folder.write(&[script("A"), script(name)], true).unwrap_err().to_string();
            assert!(error.contains("is not valid in a folder") && !error.contains(names::is_deceptive), "{error:?}");
        }
        assert!(!top.path().join("A.js").exists());
        assert!(folder.write(&[script("größe 大小 قائمة")], true).unwrap().is_empty());
    }

    #[test]
    fn nothing_is_written_where_a_file_is_a_folder() {
        let top = tempfile::tempdir().unwrap();
        let folder = Folder::open_or_create(top.path(), "s").unwrap();
        assert!(folder.write(&[script("A"), script("B"), script("B.js/c")], true).is_err());
        assert!(!top.path().join("A.js").exists());
        fs_err::create_dir(top.path().join("B.js")).unwrap();
        assert!(folder.write(&[script("A"), script("B")], true).is_err());
        assert!(!top.path().join("A.js").exists());
        fs_err::remove_dir(top.path().join("B.js")).unwrap();
        assert!(folder.write(&[script("A"), script("B")], true).unwrap().is_empty());
        assert!(folder.write(&[script("A"), script("B.js/c")], true).unwrap().is_empty(), "B.js is gone");
        assert!(top.path().join("B.js/c.js").exists());
    }
}
