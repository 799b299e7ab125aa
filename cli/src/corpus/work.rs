//! Work folder of a run: `schemas/` and `crates/` with a folder for each API, and the workspace of all crates.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use fs_err as fs;
use wireform_codegen::schema::resource::UnknownMembers;
use wireform_codegen::{FileTree, Options, Output, RuntimeDependency, Severity, Source, generate};
use wireform_importers::{Import, Loss, Options as ImportOptions, discovery, locate_pointers, openapi};

use super::counts::{self, Counts};
use super::documents::{self, Document, Kind, MARKER, is_work_folder};
use super::{Row, state};
use crate::home::CommandContext;
use crate::options::CorpusOptions;
use crate::pluralize::pluralize;

/// Work folder.
pub struct WorkFolder {
    dir: PathBuf,
    kept: bool,
    options: Options,
    unknown_members: Option<UnknownMembers>,
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
        let occupied = dir.is_dir() && fs::read_dir(&dir)?.next().is_some();
        if occupied && !is_work_folder(&dir) {
            bail!("`{}` has files of others; choose an empty folder", dir.display());
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

    /// Inspects a document, unless an earlier run has done so.
    pub fn inspect(&self, document: &Document) -> anyhow::Result<Inspection> {
        let start = Instant::now();
        let text = documents::read(document)?;
        let input = self.input(&text);
        let state = state::file(&self.dir, &document.name);
        if let Some((kind, name)) = state::read_kind_and_name(&state, input).filter(|_| self.kept) {
            return Ok(Inspection { kind: Some(kind), name, counts: None, time: start.elapsed() });
        }
        let (value, kind) = documents::open(&document.name, &text)?;
        let name = kind.and_then(|kind| match kind {
            Kind::Discovery => discovery::name_of(&value),
            Kind::OpenApi => openapi::name_of(&value),
        });
        let counts = kind.map(|kind| counts::count(&value, kind));
        Ok(Inspection { kind, name, counts, time: start.elapsed() })
    }

    /// Imports a document under a name, unless an earlier run has generated its crates.
    pub fn import(
        &self,
        document: &Document,
        inspection: &Inspection,
        name: Option<&str>,
        row: &mut Row,
    ) -> anyhow::Result<Imported> {
        let Some(kind) = inspection.kind else { return Ok(Imported::Unchanged) };
        let text = documents::read(document)?;
        let input = self.input(&text);
        let state = state::file(&self.dir, &document.name);
        if self.kept && state::restore_row(&state, input, name, row) {
            return Ok(Imported::Unchanged);
        }
        let counts = match inspection.counts {
            Some(counts) => counts,
            // The document is the same under another name.
            None => counts::count(&documents::open(&document.name, &text)?.0, kind),
        };
        row.counts = Some(counts);
        let import_options = ImportOptions { name, unknown_members: self.unknown_members, ..ImportOptions::default() };
        let import = import(kind, &text, &import_options)?;
        row.api = Some(import.api.clone());
        row.losses = format_losses(&document.name, &text, &import.losses);
        row.problems.extend(counts.difference(&Counts::of_import(import.counts), kind));
        Ok(Imported::New(Box::new(New { import, state, input, kind, name: inspection.name.clone() })))
    }

    /// Writes the schema and the crates of an import.
    pub fn generate(&self, imported: Imported, row: &mut Row) -> anyhow::Result<()> {
        let Imported::New(new) = imported else { return Ok(()) };
        let New { import: Import { api, files, .. }, state, input, kind, name } = *new;
        sync(&self.dir.join("schemas").join(&api), &files)?;
        let source = |(path, text): (String, String)| Source::new(format!("schemas/{api}/{path}"), text);
        let sources: Vec<Source> = files.into_iter().map(source).collect();
        let files = crates(&sources, &self.options)?;
        row.lines = files.iter().filter(|(path, _)| path.ends_with(".rs")).map(|(_, text)| text.lines().count()).sum();
        row.problems.extend(find_too_long(&files, self.options.max_lines));
        let (methods, operations) = (row.counts.unwrap_or_default().methods(), operations(&files)?);
        row.generated_operations = operations;
        if operations != methods {
            row.problems.push(format!(
                "{} where the document has {}",
                pluralize(operations, "operations"),
                pluralize(methods, "methods")
            ));
        }
        let mut crates: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
        for (path, text) in files {
            let (name, path) = path.split_once('/').context("a file is outside of the crates")?;
            crates.entry(name.to_owned()).or_default().insert(path.to_owned(), text);
        }
        crates.iter().try_for_each(|(name, files)| sync(&self.dir.join("crates").join(name), files))?;
        if self.kept && row.problems.is_empty() {
            state::store_row(&state, input, kind, name.as_deref(), row);
        }
        Ok(())
    }
}

/// Result of inspecting a document.
pub struct Inspection {
    /// Kind of the document; `None` if it does not describe an API.
    pub kind: Option<Kind>,
    /// Name that its API would have.
    pub name: Option<String>,
    /// Counts of its contents; `None` if an earlier run has counted them.
    pub counts: Option<Counts>,
    /// Duration of the inspection.
    pub time: Duration,
}

/// Result of importing a document.
pub enum Imported {
    /// Crates exist from an earlier run.
    Unchanged,
    /// Crates have to be generated.
    New(Box<New>),
}

/// New import, with the file in which its result is stored.
pub struct New {
    import: Import,
    state: PathBuf,
    input: u64,
    kind: Kind,
    /// Name in the document.
    name: Option<String>,
}

/// Generates the crates of a schema, or returns its first error with its location.
fn crates(sources: &[Source], options: &Options) -> anyhow::Result<FileTree> {
    let Output { files, diagnostics, sources } = generate(sources, options);
    let errors = || diagnostics.iter().filter(|diagnostic| diagnostic.code.severity() == Severity::Error);
    if let Some(first) = errors().next() {
        let file = usize::try_from(first.span.file).ok().and_then(|file| sources.get(file));
        let file = file.map_or("", |source| source.path.as_str());
        let (line, column) = first.line_column(&sources);
        let (count, code) = (pluralize(errors().count(), "errors"), first.code.text());
        bail!("{count} in its schema, first at {file}:{line}:{column}: {code}: {}", first.message);
    }
    files.context("nothing was generated")
}

/// Returns the longest file if it exceeds the maximum length.
fn find_too_long(files: &FileTree, max_lines: usize) -> Option<String> {
    let lines = files.iter().filter(|(path, _)| path.ends_with(".rs")).map(|(path, text)| (text.lines().count(), path));
    let (lines, path) = lines.max()?;
    (lines > max_lines).then(|| format!("`{path}` has {lines} lines, more than the maximum of {max_lines}"))
}

/// Returns the number of operations in the generated OpenAPI document.
fn operations(files: &FileTree) -> anyhow::Result<usize> {
    match files.iter().find(|(path, _)| path.ends_with("/openapi.json")) {
        Some((_, text)) => Ok(counts::operations(&serde_json::from_str(text)?)),
        None => Ok(0),
    }
}

fn import(kind: Kind, text: &str, options: &ImportOptions<'_>) -> anyhow::Result<Import> {
    let import = match kind {
        Kind::Discovery => discovery::import_as(text, options, None),
        Kind::OpenApi => openapi::import_as(text, options, None),
    };
    import.map_err(|error| {
        let place = error.place(text).map_or_else(String::new, |(line, column)| format!(" at {line}:{column}"));
        anyhow::Error::new(error).context(format!("it cannot be imported{place}"))
    })
}

/// Formats losses such as `notes.json:7:5#/schemas/Note: …`.
fn format_losses(document: &str, text: &str, losses: &[Loss]) -> Vec<String> {
    let places = locate_pointers(text, losses.iter().map(|loss| loss.at.as_str()));
    let line = |Loss { at, what }: &Loss| {
        let place = places.get(at.as_str()).map_or_else(String::new, |(line, column)| format!(":{line}:{column}"));
        format!("{document}{place}#{at}: {what}")
    };
    losses.iter().map(line).collect()
}

/// Locks and marks the folder for this run.
fn lock(dir: &Path) -> anyhow::Result<std::fs::File> {
    let file = std::fs::File::create(dir.join(MARKER))?;
    if let Err(std::fs::TryLockError::WouldBlock) = file.try_lock() {
        bail!("another run works in `{}`; wait for it, or choose another folder with `--keep`", dir.display());
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

/// Synchronizes a folder with these files and removes all others. Unchanged files keep their modification time, so that
/// cargo does not check them again.
fn sync(dir: &Path, files: &BTreeMap<String, String>) -> anyhow::Result<()> {
    ensure!(!dir.is_symlink(), "`{}` is a link", dir.display());
    for path in crate::tree::files_below(dir)? {
        if !files.contains_key(&path) {
            fs::remove_file(dir.join(path))?;
        }
    }
    for (path, text) in files {
        let file = dir.join(path);
        if fs::read(&file).is_ok_and(|there| there == text.as_bytes()) {
            continue;
        }
        fs::create_dir_all(file.parent().unwrap_or(dir))?;
        fs::write(file, text)?;
    }
    Ok(())
}

/// Returns the target folder of the repository, or of the current folder.
fn target(home: &CommandContext) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| home.repository.as_deref().unwrap_or(Path::new(".")).join("target"), PathBuf::from)
}
