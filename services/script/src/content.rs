//! Content is read and replaced.

use std::collections::BTreeMap;

use script_server::runtime::wireform_validation::{PathStep, Violation, Violations};
use script_server::{Context, Error, Reply, Result, requests, types};
use types::{FileType, FunctionSet};
use wireform_store::{FileKind, HashedFile, NewFile, ScriptFile, ScriptRole, Store, User};

use crate::caller::Access;
use crate::engine::{Function, SyntaxFlaw};
use crate::people::People;
use crate::{ScriptService, caller, fault, manifest, names, times};

/// A project has at most so many files, and so many bytes in all of them.
const FILES: usize = 1_000;
const BYTES: usize = 10 << 20;

/// What is wrong with a file: the number of the file, the member, the rule and what to say.
pub(crate) type Problem = (usize, &'static str, &'static str, String);

/// Why a file is not stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileFlaw {
    /// The index of the file among those that were given.
    pub file: usize,
    /// What is wrong, with the line where that is known.
    pub message: String,
}

impl<S: Store> ScriptService<S> {
    pub(crate) async fn read_content(
        &self,
        request: requests::ProjectsGetContent,
        context: &Context,
    ) -> Result<types::Content> {
        let access = caller::access(&self.store, context, &request.script_id, ScriptRole::Read).await?;
        let version = request.version_number;
        let files = self.store.content(access.project.number, version).await.map_err(fault::answer)?;
        let none = || fault::absent("version", &version.unwrap_or_default().to_string(), "versionNumber");
        let mut files = files.ok_or_else(none)?;
        self.complete(&mut files).await;
        let with_functions = |file: ScriptFile| {
            let set = file.functions.as_deref().and_then(functions);
            (file, set)
        };
        self.show_files(&access, files.into_iter().map(with_functions).collect()).await
    }

    /// Finds the functions of files that were stored without them, as those of a seed are, and keeps them. Files whose
    /// functions cannot be found are shown without them.
    async fn complete(&self, files: &mut [ScriptFile]) {
        let Some(engine) = &self.engine else { return };
        let unknown = |file: &&mut ScriptFile| file.kind == FileKind::Script && file.functions.is_none();
        let mut files: Vec<&mut ScriptFile> = files.iter_mut().filter(unknown).collect();
        if files.is_empty() {
            return;
        }
        let sources = files.iter().map(|file| (file.name.clone(), file.source.clone())).collect();
        let analyses = match engine.analyze(sources).await {
            Ok(analyses) => analyses,
            Err(error) => return tracing::warn!(cause = error, "the functions of files cannot be found"),
        };
        let mut found = Vec::new();
        for (file, analysis) in files.iter_mut().zip(analyses) {
            let Ok(functions) = analysis else { continue };
            let Ok(text) = spell(&functions) else { continue };
            found.push((file.number, text.clone()));
            file.functions = Some(text);
        }
        if !found.is_empty()
            && let Err(error) = self.store.set_functions(found).await
        {
            tracing::warn!(cause = %error, "the functions of files cannot be kept; they are found again");
        }
    }

    /// Replaces all files; of two who do so at once, the last one stays.
    pub(crate) async fn replace_content(
        &self,
        request: requests::ProjectsUpdateContent,
        context: &Context,
    ) -> Result<types::Content> {
        let access = caller::access(&self.store, context, &request.script_id, ScriptRole::Write).await?;
        let content = request.body;
        if content.script_id.is_some_and(|id| !id.is_empty() && id != access.project.id) {
            return Err(fault::invalid("scriptId", "it is another project than that of the path"));
        }
        let (stored, sets) = self.save(&access, content.files).await?;
        self.show_files(&access, stored.into_iter().zip(sets).collect()).await
    }

    /// Checks files and stores them in the place of those that are there. Returns them with the functions that were found
    /// in each.
    pub(crate) async fn save(
        &self,
        access: &Access,
        files: Vec<types::File>,
    ) -> std::result::Result<(Vec<ScriptFile>, Vec<Option<FunctionSet>>), Error> {
        let checked = self.check(access, read_files(files)?).await?;
        refuse(checked.problems)?;
        Ok((self.store_files(access, checked.files).await?, checked.sets))
    }

    /// Replaces all files of a project as a user who may write it, for programs. Returns the flaws for which nothing was
    /// stored.
    ///
    /// # Errors
    /// 404 where there is no such project for the user, 403 where they may only read it, and what the store could not do.
    pub async fn replace_content_as(
        &self,
        user: &User,
        id: &str,
        files: Vec<types::File>,
    ) -> std::result::Result<Vec<FileFlaw>, Error> {
        let access = caller::access_of(&self.store, user.clone(), id, ScriptRole::Write).await?;
        let Checked { files, problems, .. } = self.check(&access, read_files(files)?).await?;
        if problems.is_empty() {
            self.store_files(&access, files).await?;
        }
        Ok(problems.into_iter().map(|(file, _, _, message)| FileFlaw { file, message }).collect())
    }

    async fn check(&self, access: &Access, files: Vec<NewFile>) -> std::result::Result<Checked, Error> {
        let manifest = self.check_manifest(access, &files).await?;
        let mut checked = self.analyze(access, files).await?;
        checked.problems.splice(..0, manifest);
        Ok(checked)
    }

    async fn store_files(
        &self,
        access: &Access,
        files: Vec<HashedFile>,
    ) -> std::result::Result<Vec<ScriptFile>, Error> {
        let (project, user) = (access.project.number, access.user.mailbox);
        let stored = self.store.replace_content(project, files, user, self.clock.now()).await;
        stored.map_err(fault::answer)
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

    async fn show_files(
        &self,
        access: &Access,
        files: Vec<(ScriptFile, Option<FunctionSet>)>,
    ) -> Result<types::Content> {
        let people = People::find(&self.store, files.iter().map(|(file, _)| file.modifier), &access.user).await?;
        let show = |(file, set): (ScriptFile, Option<FunctionSet>)| {
            let mut shown = types::File::default()
                .with_name(file.name)
                .with_type(type_of(file.kind))
                .with_source(file.source)
                .with_create_time(times::time(file.created))
                .with_update_time(times::time(file.updated));
            shown.last_modify_user = people.show(file.modifier);
            shown.function_set = set;
            shown
        };
        let content = types::Content::default().with_script_id(access.project.id.as_str());
        Ok(Reply::new(content.with_files(files.into_iter().map(show))))
    }
}

fn type_of(kind: FileKind) -> FileType {
    match kind {
        FileKind::Script => FileType::ServerJs,
        FileKind::Page => FileType::Html,
        FileKind::Manifest => FileType::Json,
    }
}

/// Returns a set of functions as it is stored.
fn spell(functions: &[Function]) -> serde_json::Result<String> {
    let values: Vec<_> = functions.iter().map(|one| (&one.name, &one.parameters)).collect();
    serde_json::to_string(&values)
}

/// Reads a set of functions as it is stored.
fn functions(stored: &str) -> Option<FunctionSet> {
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
fn refuse(problems: Vec<Problem>) -> std::result::Result<(), Error> {
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
fn read_files(files: Vec<types::File>) -> std::result::Result<Vec<NewFile>, Error> {
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

/// Files that may be stored unless there are problems.
struct Checked {
    files: Vec<HashedFile>,
    /// The functions of each.
    sets: Vec<Option<FunctionSet>>,
    problems: Vec<Problem>,
}

impl<S: Store> ScriptService<S> {
    /// Finds the functions of files, and what of them is no JavaScript. Only those are looked at that have changed.
    async fn analyze(&self, access: &Access, files: Vec<NewFile>) -> std::result::Result<Checked, Error> {
        let mut files: Vec<HashedFile> = files.into_iter().map(HashedFile::from).collect();
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

/// Returns what is wrong with a file that is no JavaScript.
fn describe(SyntaxFlaw { message, line, column }: &SyntaxFlaw, name: &str) -> String {
    format!("Syntax error: {message} line: {line} column: {column} file: {name}")
}
