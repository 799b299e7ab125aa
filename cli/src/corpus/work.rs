//! The folder in which a run works: `schemas/` and `crates/` with a folder for each API, and the workspace of all
//! crates.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use fs_err as fs;
use wireform_codegen::schema::resource::UnknownMembers;
use wireform_codegen::{FileTree, Options, Output, RuntimeDependency, Severity, Source, generate};
use wireform_importers::{Import, Loss, Options as ImportOptions, discovery, openapi, places};

use super::counts::{self, Counts};
use super::documents::{self, Document, Kind, MARKER, is_work};
use super::{Row, state};
use crate::counted::counted;
use crate::home::Home;
use crate::options::CorpusOptions;

/// The folder.
pub struct Work {
    dir: PathBuf,
    kept: bool,
    options: Options,
    unknown_members: Option<UnknownMembers>,
    /// Where the repository is built.
    target: PathBuf,
    /// The versions that its crates depend on.
    locked: Option<PathBuf>,
    /// Held while this process works in the folder, so that two runs do not meet.
    _lock: std::fs::File,
}

impl Work {
    /// The folder that is kept, or one in the target folder that is empty again afterwards.
    pub fn open(home: &Home, options: &CorpusOptions) -> anyhow::Result<Self> {
        let (keep, target) = (options.keep.as_deref(), target(home));
        let dir = keep.map_or_else(|| target.join("wireform-corpus"), Path::to_owned);
        let occupied = dir.is_dir() && fs::read_dir(&dir)?.next().is_some();
        if occupied && !is_work(&dir) {
            bail!("`{}` has files of others; choose an empty folder", dir.display());
        }
        fs::create_dir_all(&dir)?;
        let dir = dir.canonicalize()?;
        let lock = lock(&dir)?;
        if occupied && keep.is_none() {
            empty(&dir)?;
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

    /// Where cargo puts what it makes: where the repository does, so that what is there already need not be made
    /// again. A folder that is kept has its own, because cargo tells crates of one name in two folders apart by when
    /// their files were written.
    pub fn target(&self) -> PathBuf {
        if self.kept { self.dir.join("target") } else { self.target.clone() }
    }

    /// The lock file that the workspace begins with, where there is one.
    pub fn locked(&self) -> Option<&Path> {
        self.locked.as_deref().filter(|file| file.is_file())
    }

    /// Where it is.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Removes what was not asked to be kept.
    pub fn close(self) -> anyhow::Result<()> {
        if !self.kept {
            fs::remove_dir_all(&self.dir)?;
        }
        Ok(())
    }

    /// The folders of the crates of an API, relative to the workspace.
    pub fn crates(&self, api: &str) -> Vec<String> {
        ["types", "validation", "client", "server"]
            .iter()
            .map(|kind| format!("crates/{}", self.options.crate_name(api, kind)))
            .filter(|path| self.dir.join(path).is_dir())
            .collect()
    }

    /// The folder of the client of an API.
    pub fn client(&self, api: &str) -> PathBuf {
        self.dir.join("crates").join(self.options.crate_name(api, "client"))
    }

    /// Stands for a document and everything that decides what is made of it.
    fn input(&self, text: &str) -> u64 {
        state::input(text, &format!("{:?} {:?}", self.options, self.unknown_members))
    }

    /// Looks at what is in a document, as far as an earlier run has not.
    pub fn look(&self, document: &Document) -> anyhow::Result<Looked> {
        let start = Instant::now();
        let text = documents::read(document)?;
        let input = self.input(&text);
        let state = state::file(&self.dir, &document.name);
        if let Some((kind, name)) = state::seen(&state, input).filter(|_| self.kept) {
            return Ok(Looked { kind: Some(kind), name, counts: None, time: start.elapsed() });
        }
        let (value, kind) = documents::open(&document.name, &text)?;
        let name = kind.and_then(|kind| match kind {
            Kind::Discovery => discovery::name_of(&value),
            Kind::OpenApi => openapi::name_of(&value),
        });
        let counts = kind.map(|kind| counts::count(&value, kind));
        Ok(Looked { kind, name, counts, time: start.elapsed() })
    }

    /// Imports a document under a name, unless an earlier run has made crates of it.
    pub fn import(
        &self,
        document: &Document,
        looked: &Looked,
        name: Option<&str>,
        row: &mut Row,
    ) -> anyhow::Result<Imported> {
        let Some(kind) = looked.kind else { return Ok(Imported::Unchanged) };
        let text = documents::read(document)?;
        let input = self.input(&text);
        let state = state::file(&self.dir, &document.name);
        if self.kept && state::recall(&state, input, name, row) {
            return Ok(Imported::Unchanged);
        }
        let counts = match looked.counts {
            Some(counts) => counts,
            // It is the same document under another name.
            None => counts::count(&documents::open(&document.name, &text)?.0, kind),
        };
        row.counts = Some(counts);
        let said = ImportOptions { name, unknown_members: self.unknown_members, ..ImportOptions::default() };
        let import = import(kind, &text, &said)?;
        row.api = Some(import.api.clone());
        row.losses = told(&document.name, &text, &import.losses);
        row.problems.extend(counts.difference(&Counts::arrived(import.counts), kind));
        Ok(Imported::New(Box::new(New { import, state, input, kind, name: looked.name.clone() })))
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
        row.problems.extend(long(&files, self.options.most_lines));
        let (methods, operations) = (row.counts.unwrap_or_default().methods(), operations(&files)?);
        row.arrived = operations;
        if operations != methods {
            row.problems.push(format!(
                "{} where the document has {}",
                counted(operations, "operations"),
                counted(methods, "methods")
            ));
        }
        let mut crates: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
        for (path, text) in files {
            let (name, path) = path.split_once('/').context("a file stands beside the crates")?;
            crates.entry(name.to_owned()).or_default().insert(path.to_owned(), text);
        }
        crates.iter().try_for_each(|(name, files)| sync(&self.dir.join("crates").join(name), files))?;
        if self.kept && row.problems.is_empty() {
            state::remember(&state, input, kind, name.as_deref(), row);
        }
        Ok(())
    }
}

/// What a look at a document tells.
pub struct Looked {
    /// Of which kind it is; nothing where it describes no API.
    pub kind: Option<Kind>,
    /// The name that its API would have.
    pub name: Option<String>,
    /// What is in it; nothing where an earlier run has looked.
    pub counts: Option<Counts>,
    /// What looking took.
    pub time: Duration,
}

/// What importing has come to.
pub enum Imported {
    /// The crates are there, made by an earlier run.
    Unchanged,
    /// Crates are to be made.
    New(Box<New>),
}

/// An import, and where it is remembered what came of it.
pub struct New {
    import: Import,
    state: PathBuf,
    input: u64,
    kind: Kind,
    /// The name that the document says.
    name: Option<String>,
}

/// The crates of a schema, or the first mistake in it with its place.
fn crates(sources: &[Source], options: &Options) -> anyhow::Result<FileTree> {
    let Output { files, diagnostics, sources } = generate(sources, options);
    let errors = || diagnostics.iter().filter(|told| told.code.severity() == Severity::Error);
    if let Some(first) = errors().next() {
        let file = usize::try_from(first.span.file).ok().and_then(|file| sources.get(file));
        let file = file.map_or("", |source| source.path.as_str());
        let (line, column) = first.line_column(&sources);
        let (count, code) = (counted(errors().count(), "errors"), first.code.text());
        bail!("{count} in its schema, first at {file}:{line}:{column}: {code}: {}", first.message);
    }
    files.context("nothing was generated")
}

/// The longest file, where it is longer than files are to be.
fn long(files: &FileTree, most_lines: usize) -> Option<String> {
    let lines = files.iter().filter(|(path, _)| path.ends_with(".rs")).map(|(path, text)| (text.lines().count(), path));
    let (lines, path) = lines.max()?;
    (lines > most_lines).then(|| format!("`{path}` has {lines} lines, and {most_lines} are the most"))
}

/// How many operations have arrived at the far end: in the OpenAPI document beside the server.
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
    import.map_err(|mistake| {
        let place = mistake.place(text).map_or_else(String::new, |(line, column)| format!(" at {line}:{column}"));
        anyhow::Error::new(mistake).context(format!("it cannot be imported{place}"))
    })
}

/// `notes.json:7:5#/schemas/Note: …`
fn told(document: &str, text: &str, losses: &[Loss]) -> Vec<String> {
    let places = places(text, losses.iter().map(|loss| loss.at.as_str()));
    let line = |Loss { at, what }: &Loss| {
        let place = places.get(at.as_str()).map_or_else(String::new, |(line, column)| format!(":{line}:{column}"));
        format!("{document}{place}#{at}: {what}")
    };
    losses.iter().map(line).collect()
}

/// Takes the folder for this run, and marks it.
fn lock(dir: &Path) -> anyhow::Result<std::fs::File> {
    let file = std::fs::File::create(dir.join(MARKER))?;
    if let Err(std::fs::TryLockError::WouldBlock) = file.try_lock() {
        bail!("another run works in `{}`; wait for it, or choose another folder with `--keep`", dir.display());
    }
    (&file).write_all(b"@generated by `wireform corpus`, which writes into this folder.\n")?;
    Ok(file)
}

/// Removes what an earlier run left.
fn empty(dir: &Path) -> anyhow::Result<()> {
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

/// Makes a folder hold these files and no others. A file that stays as it is keeps its time of change, so that cargo
/// does not check it again.
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

/// Where the repository is built, or whatever is in the current folder.
fn target(home: &Home) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| home.repository.as_deref().unwrap_or(Path::new(".")).join("target"), PathBuf::from)
}
