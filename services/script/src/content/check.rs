//! Files are checked before they are stored: their names, the manifest, and what functions they define.

use std::collections::BTreeMap;

use script_server::runtime::wireform_validation::{PathStep, Violation, Violations};
use script_server::{Error, types};
use types::{FileType, FunctionSet};
use wireform_store::{FileKind, HashedFile, NewFile, Store};

use crate::caller::Access;
use crate::engine::{Function, SyntaxFlaw};
use crate::{ScriptService, fault, manifest, names};

/// A project has at most so many files, and so many bytes in all of them.
const FILES: usize = 1_000;
const BYTES: usize = 10 << 20;

/// Files of fewer bytes together are hashed at once: that takes less than a millisecond. More of them are hashed by threads
/// that may block.
const HASHED_AT_ONCE: usize = 256 << 10;

/// What is wrong with a file: the number of the file, the member, the rule and what to say.
pub(crate) type Problem = (usize, &'static str, &'static str, String);

/// Files that may be stored unless there are problems.
pub(super) struct Checked {
    pub(super) files: Vec<HashedFile>,
    /// The functions of each.
    pub(super) sets: Vec<Option<FunctionSet>>,
    pub(super) problems: Vec<Problem>,
}

impl<S: Store> ScriptService<S> {
    /// Checks files.
    pub(super) async fn check(&self, access: &Access, files: Vec<NewFile>) -> std::result::Result<Checked, Error> {
        let manifest = self.check_manifest(access, &files).await?;
        let mut checked = self.analyze(access, files).await?;
        checked.problems.splice(..0, manifest);
        Ok(checked)
    }

    /// Checks what the manifest says: by the rules of its schema, and whether its libraries are there for the user.
    async fn check_manifest(&self, access: &Access, files: &[NewFile]) -> std::result::Result<Vec<Problem>, Error> {
        let found = files.iter().enumerate().find(|(_, file)| file.kind == FileKind::Manifest);
        let Some((at, file)) = found else { return Ok(Vec::new()) };
        let problem = |message: String| (at, "source", "manifest", message);
        let manifest = match manifest::read(&file.source) {
            Ok(manifest) => manifest,
            Err(wrong) => return Ok(wrong.into_iter().map(problem).collect()),
        };
        let mut problems = Vec::new();
        for (number, library) in manifest::libraries(&manifest).iter().enumerate() {
            let id = library.library_id.as_deref().unwrap_or_default();
            let place = format!("`dependencies.libraries[{number}]`");
            let found = self.store.find_project(id, access.user.mailbox).await.map_err(fault::answer)?;
            let Some((project, Some(_))) = found else {
                problems.push(problem(format!("{place} is no project here: there is no project `{id}`")));
                continue;
            };
            let version = library.version.as_ref().map_or(0, |version| version.0);
            if library.development_mode != Some(true)
                && self.store.version(project.number, version).await.map_err(fault::answer)?.is_none()
            {
                problems.push(problem(format!("{place} has no version {version}")));
            }
        }
        Ok(problems)
    }

    /// Finds the functions of files, and what of them is no JavaScript. Only those are looked at that have changed.
    async fn analyze(&self, access: &Access, files: Vec<NewFile>) -> std::result::Result<Checked, Error> {
        let mut files = hash(files).await?;
        let mut sets = vec![None; files.len()];
        let Some(engine) = &self.engine else { return Ok(Checked { files, sets, problems: Vec::new() }) };
        let scripts = |file: &HashedFile| file.file().kind == FileKind::Script;
        let keys = files.iter().filter(|file| scripts(file)).map(HashedFile::key).collect();
        let known = self.store.known_functions(access.project.number, keys).await.map_err(fault::answer)?;
        let mut changed = Vec::new();
        let scripts = files.iter_mut().zip(&mut sets).enumerate().filter(|(_, (file, _))| scripts(file));
        for ((at, (file, shown)), known) in scripts.zip(known) {
            match known {
                Some(known) => {
                    *shown = functions(&known);
                    file.set_functions(known);
                }
                None => changed.push((at, file, shown)),
            }
        }
        let mut problems = Vec::new();
        if !changed.is_empty() {
            let sources = changed.iter().map(|(_, file, _)| (file.file().name.clone(), file.file().source.clone()));
            let analyses = engine.analyze(sources.collect()).await;
            let analyses = analyses.map_err(|message| fault::invalid("files", message))?;
            for ((at, file, shown), analysis) in changed.into_iter().zip(analyses) {
                match analysis {
                    Ok(functions) => {
                        file.set_functions(spell(&functions).map_err(Error::internal)?);
                        *shown = set(functions);
                    }
                    Err(flaw) => problems.push((at, "source", "syntax", describe(&flaw, &file.file().name))),
                }
            }
        }
        Ok(Checked { files, sets, problems })
    }
}

/// Hashes files; those of many bytes in two threads, neither of which answers requests.
async fn hash(mut files: Vec<NewFile>) -> std::result::Result<Vec<HashedFile>, Error> {
    let all = |files: Vec<NewFile>| files.into_iter().map(HashedFile::from).collect::<Vec<_>>();
    if files.iter().map(|file| file.source.len()).sum::<usize>() < HASHED_AT_ONCE {
        return Ok(all(files));
    }
    let rest = files.split_off(files.len() / 2);
    let [first, rest] = [files, rest].map(|half| tokio::task::spawn_blocking(move || all(half)));
    let mut hashed = first.await.map_err(Error::internal)?;
    hashed.extend(rest.await.map_err(Error::internal)?);
    Ok(hashed)
}

/// Returns what is wrong with a file that is no JavaScript.
fn describe(SyntaxFlaw { message, line, column }: &SyntaxFlaw, name: &str) -> String {
    format!("Syntax error: {message} line: {line} column: {column} file: {name}")
}

/// Returns a set of functions as it is stored.
pub(super) fn spell(functions: &[Function]) -> serde_json::Result<String> {
    let values: Vec<_> = functions.iter().map(|one| (&one.name, &one.parameters)).collect();
    serde_json::to_string(&values)
}

/// Reads a set of functions as it is stored.
pub(super) fn functions(stored: &str) -> Option<FunctionSet> {
    let values: Vec<(String, Vec<String>)> = serde_json::from_str(stored).ok()?;
    set(values.into_iter().map(|(name, parameters)| Function { name, parameters }))
}

/// Returns a set of functions as it is shown.
fn set(functions: impl IntoIterator<Item = Function>) -> Option<FunctionSet> {
    let function = |one: Function| types::Function { name: Some(one.name), parameters: one.parameters };
    let values: Vec<_> = functions.into_iter().map(function).collect();
    // None is written where there are none; that nobody has looked is something else.
    (!values.is_empty()).then_some(FunctionSet { values })
}

/// Returns an error with all that is wrong.
pub(super) fn refuse(problems: Vec<Problem>) -> std::result::Result<(), Error> {
    if problems.is_empty() {
        return Ok(());
    }
    let violation = |(at, member, rule, message): Problem| {
        let steps = vec![PathStep::Member("files".into()), PathStep::Index(at), PathStep::Member(member.into())];
        Violation::of_member(steps, rule, message)
    };
    Err(problems.into_iter().map(violation).collect::<Violations>().into())
}

/// Reads the files of a body. That each has a name and a type, and that one is the manifest, is checked by the schema.
pub(super) fn read_files(files: Vec<types::File>) -> std::result::Result<Vec<NewFile>, Error> {
    if files.len() > FILES {
        return Err(fault::invalid("files", format!("a project has at most {FILES} files")));
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
                problems.push((at, "type", "file_type", "a file is of type SERVER_JS, HTML or JSON".to_owned()));
                continue;
            }
        };
        // The manifest has one name here, whichever the client calls it by.
        let name = if kind == FileKind::Manifest { manifest::NAME.to_owned() } else { file.name.unwrap_or_default() };
        if let Err(message) = names::check(&name) {
            problems.push((at, "name", "file_name", message));
        }
        if let Some(other) = seen.insert(name.clone(), at) {
            problems.push((at, "name", "file_name", format!("`files[{other}]` has the same name")));
        }
        read.push(NewFile { name, kind, source: file.source.unwrap_or_default(), functions: None });
    }
    refuse(problems)?;
    if read.iter().map(|file| file.source.len()).sum::<usize>() > BYTES {
        return Err(fault::invalid(
            "files",
            format!("the files of a project have at most {} MiB together", BYTES >> 20),
        ));
    }
    Ok(read)
}
