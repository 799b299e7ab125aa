//! Content is read and replaced.

use std::collections::BTreeMap;

use script_server::runtime::wireform_validation::{PathStep, Violation, Violations};
use script_server::{Context, Error, Reply, Result, requests, types};
use types::{FileType, FunctionSet};
use wireform_store::{FileKind, NewFile, ScriptFile, ScriptRole, Store, User};

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
        self.show_content(&access, files).await
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
            let Ok(text) = spell(functions) else { continue };
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
        let stored = self.save(&access, content.files).await?;
        self.show_content(&access, stored).await
    }

    /// Checks files and stores them in the place of those that are there.
    pub(crate) async fn save(
        &self,
        access: &Access,
        files: Vec<types::File>,
    ) -> std::result::Result<Vec<ScriptFile>, Error> {
        let mut files = read_files(files)?;
        refuse(self.check(access, &mut files).await?)?;
        self.store_files(access, files).await
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
        let mut files = read_files(files)?;
        let problems = self.check(&access, &mut files).await?;
        if problems.is_empty() {
            self.store_files(&access, files).await?;
        }
        Ok(problems.into_iter().map(|(file, _, _, message)| FileFlaw { file, message }).collect())
    }

    async fn check(&self, access: &Access, files: &mut [NewFile]) -> std::result::Result<Vec<Problem>, Error> {
        let mut problems = self.check_manifest(access, files).await?;
        problems.extend(self.analyze(access, files).await?);
        Ok(problems)
    }

    async fn store_files(&self, access: &Access, files: Vec<NewFile>) -> std::result::Result<Vec<ScriptFile>, Error> {
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

    async fn show_content(&self, access: &Access, files: Vec<ScriptFile>) -> Result<types::Content> {
        let people = People::find(&self.store, files.iter().map(|file| file.modifier), &access.user).await?;
        let show = |file: ScriptFile| {
            let mut shown = types::File::default()
                .with_name(file.name)
                .with_type(type_of(file.kind))
                .with_source(file.source)
                .with_create_time(times::time(file.created))
                .with_update_time(times::time(file.updated));
            shown.last_modify_user = people.show(file.modifier);
            shown.function_set = file.functions.as_deref().and_then(functions);
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
fn spell(functions: Vec<Function>) -> serde_json::Result<String> {
    let values: Vec<_> = functions.into_iter().map(|one| (one.name, one.parameters)).collect();
    serde_json::to_string(&values)
}

/// Reads a set of functions as it is stored.
fn functions(stored: &str) -> Option<FunctionSet> {
    let values: Vec<(String, Vec<String>)> = serde_json::from_str(stored).ok()?;
    let function = |(name, parameters): (String, Vec<String>)| {
        types::Function::default().with_name(name).with_parameters(parameters)
    };
    // None is written where there are none; that nobody has looked is something else.
    if values.is_empty() {
        return None;
    }
    Some(FunctionSet::default().with_values(values.into_iter().map(function)))
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

impl<S: Store> ScriptService<S> {
    /// Finds the functions of files, and what of them is no JavaScript. Only those are looked at that have changed.
    async fn analyze(&self, access: &Access, files: &mut [NewFile]) -> std::result::Result<Vec<Problem>, Error> {
        let Some(engine) = &self.engine else { return Ok(Vec::new()) };
        let stored = self.store.content(access.project.number, None).await.map_err(fault::answer)?;
        let stored = stored.unwrap_or_default();
        let known: BTreeMap<&str, &ScriptFile> = stored.iter().map(|file| (file.name.as_str(), file)).collect();
        let mut changed = Vec::new();
        for (at, file) in files.iter_mut().enumerate().filter(|(_, file)| file.kind == FileKind::Script) {
            match known.get(file.name.as_str()) {
                Some(same) if same.functions.is_some() && same.source == file.source => {
                    file.functions.clone_from(&same.functions);
                }
                _ => changed.push((at, file)),
            }
        }
        if changed.is_empty() {
            return Ok(Vec::new());
        }
        let sources = changed.iter().map(|(_, file)| (file.name.clone(), file.source.clone())).collect();
        let analyses = engine.analyze(sources).await;
        let analyses = analyses.map_err(|message| fault::invalid("files", message))?;
        let mut problems = Vec::new();
        for ((at, file), analysis) in changed.into_iter().zip(analyses) {
            match analysis {
                Ok(functions) => {
                    file.functions = Some(spell(functions).map_err(Error::internal)?);
                }
                Err(SyntaxFlaw { message, line, column }) => {
                    let name = &file.name;
                    let message = format!("Syntax error: {message} line: {line} column: {column} file: {name}");
                    problems.push((at, "source", "syntax", message));
                }
            }
        }
        Ok(problems)
    }
}
