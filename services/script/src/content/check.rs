//! Validation of files before they are stored: their names, the manifest, and the functions that they define.

use std::collections::BTreeMap;

use script_server::runtime::wireform_validation::{PathStep, Violation, Violations};
use script_server::{Error, types};
use types::{FileType, FunctionSet};
use wireform_store::{FileKind, HashedFile, NewFile, Store};

use crate::caller::Access;
use crate::engine::{Function, SyntaxError};
use crate::{ScriptService, error, file_names, manifest};

/// Maximum number of files of a project.
const MAX_FILES: usize = 1_000;
/// Maximum total size of the files of a project, in bytes.
const MAX_BYTES: usize = 10 << 20;

/// Files of fewer bytes together are hashed at once: that takes less than a millisecond. More of them are hashed by
/// threads that may block.
const MAX_INLINE_HASH_BYTES: usize = 256 << 10;

/// Problem of a file: index of the file, field, rule and message.
pub(crate) type FileViolation = (usize, &'static str, &'static str, String);

/// Validated files, which may be stored unless there are problems.
pub(super) struct ValidatedFiles {
    pub(super) files: Vec<HashedFile>,
    /// Functions of each file.
    pub(super) sets: Vec<Option<FunctionSet>>,
    pub(super) violations: Vec<FileViolation>,
}

impl<S: Store> ScriptService<S> {
    /// Checks files.
    pub(super) async fn check(
        &self,
        access: &Access,
        files: Vec<NewFile>,
    ) -> std::result::Result<ValidatedFiles, Error> {
        let manifest = self.check_manifest(access, &files).await?;
        let mut checked = self.analyze(access, files).await?;
        checked.violations.splice(..0, manifest);
        Ok(checked)
    }

    /// Checks the manifest by the rules of its schema, and whether the user can read its libraries.
    async fn check_manifest(
        &self,
        access: &Access,
        files: &[NewFile],
    ) -> std::result::Result<Vec<FileViolation>, Error> {
        let found = files.iter().enumerate().find(|(_, file)| file.kind == FileKind::Manifest);
        let Some((at, file)) = found else { return Ok(Vec::new()) };
        let problem = |message: String| (at, "source", "manifest", message);
        // It is not parsed, which could take a hundred times its size.
        if file.source.len() > manifest::MAX_BYTES {
            return Ok(vec![problem(format!("a manifest can have at most {} KiB", manifest::MAX_BYTES >> 10))]);
        }
        let manifest = match manifest::parse(&file.source) {
            Ok(manifest) => manifest,
            Err(violations) => return Ok(violations.into_iter().map(problem).collect()),
        };
        let mut problems = Vec::new();
        for (number, library) in manifest::libraries(&manifest).iter().enumerate() {
            let id = library.library_id.as_deref().unwrap_or_default();
            let place = format!("`dependencies.libraries[{number}]`");
            let found = self.store.find_project(id, access.user.mailbox).await.map_err(error::from_store)?;
            let Some((project, Some(_))) = found else {
                problems.push(problem(format!("{place} does not exist: project `{id}` not found")));
                continue;
            };
            let version = library.version.as_ref().map_or(0, |version| version.0);
            if library.development_mode != Some(true)
                && self.store.version(project.number, version).await.map_err(error::from_store)?.is_none()
            {
                problems.push(problem(format!("{place} has no version {version}")));
            }
        }
        Ok(problems)
    }

    /// Finds the functions of files and their syntax errors. Only changed files are parsed.
    async fn analyze(&self, access: &Access, files: Vec<NewFile>) -> std::result::Result<ValidatedFiles, Error> {
        let mut files = hash(files).await?;
        let mut sets = vec![None; files.len()];
        let Some(engine) = &self.engine else { return Ok(ValidatedFiles { files, sets, violations: Vec::new() }) };
        let scripts = |file: &HashedFile| file.file().kind == FileKind::Script;
        let keys = files.iter().filter(|file| scripts(file)).map(HashedFile::key).collect();
        let known = self.store.known_functions(access.project.number, keys).await.map_err(error::from_store)?;
        let mut changed = Vec::new();
        let scripts = files.iter_mut().zip(&mut sets).enumerate().filter(|(_, (file, _))| scripts(file));
        for ((at, (file, shown)), known) in scripts.zip(known) {
            match known {
                Some(known) => {
                    *shown = parse_functions(&known);
                    file.set_functions(known);
                }
                None => changed.push((at, file, shown)),
            }
        }
        let mut problems = Vec::new();
        if !changed.is_empty() {
            let sources = changed.iter().map(|(_, file, _)| (file.file().name.clone(), file.file().source.clone()));
            let analyses = engine.analyze(sources.collect()).await;
            let analyses = analyses.map_err(|message| error::invalid("files", message))?;
            for ((at, file, shown), analysis) in changed.into_iter().zip(analyses) {
                match analysis {
                    Ok(functions) => {
                        file.set_functions(serialize_functions(&functions).map_err(Error::internal)?);
                        *shown = function_set(functions);
                    }
                    Err(error) => {
                        problems.push((at, "source", "syntax", format_syntax_error(&error, &file.file().name)))
                    }
                }
            }
        }
        Ok(ValidatedFiles { files, sets, violations: problems })
    }
}

/// Hashes files; those of many bytes in two blocking threads, so that requests are not delayed.
async fn hash(mut files: Vec<NewFile>) -> std::result::Result<Vec<HashedFile>, Error> {
    let all = |files: Vec<NewFile>| files.into_iter().map(HashedFile::from).collect::<Vec<_>>();
    if files.iter().map(|file| file.source.len()).sum::<usize>() < MAX_INLINE_HASH_BYTES {
        return Ok(all(files));
    }
    let rest = files.split_off(files.len() / 2);
    let [first, rest] = [files, rest].map(|half| tokio::task::spawn_blocking(move || all(half)));
    let mut hashed = first.await.map_err(Error::internal)?;
    hashed.extend(rest.await.map_err(Error::internal)?);
    Ok(hashed)
}

/// Formats a syntax error.
fn format_syntax_error(SyntaxError { message, line, column }: &SyntaxError, name: &str) -> String {
    format!("Syntax error: {message} line: {line} column: {column} file: {name}")
}

/// Serializes a set of functions for the store.
pub(super) fn serialize_functions(functions: &[Function]) -> serde_json::Result<String> {
    let values: Vec<_> = functions.iter().map(|one| (&one.name, &one.parameters)).collect();
    serde_json::to_string(&values)
}

/// Parses a stored set of functions.
pub(crate) fn parse_functions(stored: &str) -> Option<FunctionSet> {
    let values: Vec<(String, Vec<String>)> = serde_json::from_str(stored).ok()?;
    function_set(values.into_iter().map(|(name, parameters)| Function { name, parameters }))
}

/// Returns a set of functions for responses.
fn function_set(functions: impl IntoIterator<Item = Function>) -> Option<FunctionSet> {
    let function = |one: Function| types::Function { name: Some(one.name), parameters: one.parameters };
    let values: Vec<_> = functions.into_iter().map(function).collect();
    // An empty set is omitted; a set that was never computed is something else.
    (!values.is_empty()).then_some(FunctionSet { values })
}

/// Returns an error with all problems.
pub(super) fn reject_violations(problems: Vec<FileViolation>) -> std::result::Result<(), Error> {
    if problems.is_empty() {
        return Ok(());
    }
    let violation = |(at, member, rule, message): FileViolation| {
        let steps = vec![PathStep::Field("files".into()), PathStep::Index(at), PathStep::Field(member.into())];
        Violation::for_field(steps, rule, message)
    };
    Err(problems.into_iter().map(violation).collect::<Violations>().into())
}

/// Reads the files of a body. The schema of requests checks that each has a name and a type, and that one is the
/// manifest.
pub(super) fn read_files(files: Vec<types::File>) -> std::result::Result<Vec<NewFile>, Error> {
    if files.len() > MAX_FILES {
        return Err(error::invalid("files", format!("a project can have at most {MAX_FILES} files")));
    }
    let mut problems = Vec::new();
    let mut read = Vec::with_capacity(files.len());
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for (at, file) in files.into_iter().enumerate() {
        let kind = match file.r#type {
            Some(FileType::ServerJs) => FileKind::Script,
            Some(FileType::Html) => FileKind::Page,
            Some(FileType::Json) => FileKind::Manifest,
            _ => {
                problems.push((at, "type", "file_type", "expected the type SERVER_JS, HTML or JSON".to_owned()));
                continue;
            }
        };
        // The manifest has one name here, whichever name the client uses.
        let name = if kind == FileKind::Manifest { manifest::NAME.to_owned() } else { file.name.unwrap_or_default() };
        if let Err(message) = file_names::check_name(&name) {
            problems.push((at, "name", "file_name", message));
        }
        if let Some(other) = seen.insert(name.clone(), at) {
            problems.push((at, "name", "file_name", format!("`files[{other}]` has the same name")));
        }
        read.push(NewFile { name, kind, source: file.source.unwrap_or_default(), functions: None });
    }
    reject_violations(problems)?;
    if read.iter().map(|file| file.source.len()).sum::<usize>() > MAX_BYTES {
        return Err(error::invalid(
            "files",
            format!("the files of a project can have at most {} MiB in total", MAX_BYTES >> 20),
        ));
    }
    Ok(read)
}
