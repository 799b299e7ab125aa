//! Work folder of a run: `schemas/` and `crates/` with a folder for each API, and the workspace of all crates.

mod generate;
mod import;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::bail;
use fs_err as fs;
use wireform_codegen::schema::resource::UnknownMembers;
use wireform_codegen::{Options, RuntimeDependency};
use wireform_importers::{discovery, openapi};

use super::counts;
use super::documents::{self, Document, Kind, MARKER, is_work_folder};
use super::inspection::Inspection;
use super::state;
use crate::home::CommandContext;
use crate::options::CorpusOptions;
use crate::output_folder;
use crate::referenced::FolderReader;

/// Work folder.
pub struct WorkFolder {
    dir: PathBuf,
    kept: bool,
    options: Options,
    unknown_members: Option<UnknownMembers>,
    /// Folder of the documents, which can refer to all files below it; none for a single document.
    documents: Option<PathBuf>,
    /// Target folder of the repository.
    target: PathBuf,
    /// Lock file of the repository.
    locked: Option<PathBuf>,
    /// Lock that excludes other runs from the folder.
    _lock: std::fs::File,
}

impl WorkFolder {
    /// Opens the folder given by `--keep`, or a temporary one in the target folder.
    pub fn open(home: &CommandContext, options: &CorpusOptions) -> anyhow::Result<Self> {
        let (keep, target) = (options.keep.as_deref(), target(home));
        let dir = keep.map_or_else(|| target.join("wireform-corpus"), Path::to_owned);
        let dir = output_folder::resolve(&dir)?;
        let occupied = dir.is_dir() && fs::read_dir(&dir)?.next().is_some();
        if occupied && !is_work_folder(&dir) {
            bail!("`{}` is not empty, and was not written by `corpus`; choose an empty folder", dir.display());
        }
        fs::create_dir_all(&dir)?;
        let dir = dir.canonicalize()?;
        let lock = lock(&dir)?;
        if occupied && keep.is_none() {
            remove_output(&dir)?;
        }
        let own = home
            .repository
            .as_deref()
            .map(|repository| repository.join("runtime").to_string_lossy().replace('\\', "/"));
        let runtime = options.runtime.clone().or(own.map(RuntimeDependency::Path));
        let settings = Options { runtime: runtime.unwrap_or(Options::default().runtime), ..Options::default() };
        let locked = home.repository.as_deref().map(|repository| repository.join("Cargo.lock"));
        Ok(Self {
            unknown_members: options.unknown_members,
            documents: Some(options.dir.clone()).filter(|dir| dir.is_dir()),
            dir,
            kept: keep.is_some(),
            options: settings,
            target,
            locked,
            _lock: lock,
        })
    }

    /// Returns the target folder of cargo: that of the repository, so that existing artifacts are reused. A folder that
    /// is kept has its own, because cargo distinguishes crates of the same name in two folders only by modification
    /// times.
    pub fn target(&self) -> PathBuf {
        if self.kept { self.dir.join("target") } else { self.target.clone() }
    }

    /// Returns the lock file that the workspace starts with, if there is one.
    pub fn locked(&self) -> Option<&Path> {
        self.locked.as_deref().filter(|file| file.is_file())
    }

    /// Returns the path of the folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Removes the folder unless it is kept.
    pub fn close(self) -> anyhow::Result<()> {
        if !self.kept {
            fs::remove_dir_all(&self.dir)?;
        }
        Ok(())
    }

    /// Returns the folders of the crates of an API, relative to the workspace.
    pub fn crates(&self, api: &str) -> Vec<String> {
        ["types", "validation", "client", "server"]
            .iter()
            .map(|kind| format!("crates/{}", self.options.crate_name(api, kind)))
            .filter(|path| self.dir.join(path).is_dir())
            .collect()
    }

    /// Returns the folder of the client crate of an API.
    pub fn client(&self, api: &str) -> PathBuf {
        self.dir.join("crates").join(self.options.crate_name(api, "client"))
    }

    /// Returns the hash of a document and everything else that determines its crates.
    fn input(&self, text: &str) -> u64 {
        state::input(text, &format!("{:?} {:?}", self.options, self.unknown_members))
    }

    /// Returns the reader of the files that a document refers to.
    fn reader(&self, document: &Document) -> anyhow::Result<FolderReader> {
        FolderReader::new(&document.path, self.documents.as_slice())
    }

    /// Inspects a document, unless an earlier run has done so.
    pub fn inspect(&self, document: &Document) -> anyhow::Result<Inspection> {
        let start = Instant::now();
        let text = documents::read(document)?;
        let input = self.input(&text);
        let state = state::file(&self.dir, &document.name);
        let reader = self.reader(document)?;
        if let Some(inspection) = state::read_inspection(&state, (input, &reader)).filter(|_| self.kept) {
            return Ok(Inspection { time: start.elapsed(), ..inspection });
        }
        let (value, kind) = documents::open(&document.name, &text)?;
        let name = kind.and_then(|kind| match kind {
            Kind::Discovery => discovery::name_of(&value),
            Kind::OpenApi => {
                openapi::name_of(&value, document.path.file_stem().map(|stem| stem.to_string_lossy()).as_deref())
            }
        });
        let files = documents::files(&value);
        let counts = kind.map(|kind| counts::count(value, kind, &reader));
        let operations = counts.unwrap_or_default().methods();
        Ok(Inspection { kind, name, counts, files, operations, time: start.elapsed() })
    }
}

/// Locks and marks the folder for this run.
fn lock(dir: &Path) -> anyhow::Result<std::fs::File> {
    let file = std::fs::File::create(dir.join(MARKER))?;
    if let Err(std::fs::TryLockError::WouldBlock) = file.try_lock() {
        bail!("another run uses `{}`; wait for it, or choose another folder with `--keep`", dir.display());
    }
    (&file).write_all(b"@generated by `wireform corpus`, which writes into this folder.\n")?;
    Ok(file)
}

/// Removes the output of an earlier run.
fn remove_output(dir: &Path) -> anyhow::Result<()> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        } else if entry.file_name() != MARKER {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Returns the target folder of the repository, or of the current folder.
fn target(home: &CommandContext) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| home.repository.as_deref().unwrap_or(Path::new(".")).join("target"), PathBuf::from)
}
