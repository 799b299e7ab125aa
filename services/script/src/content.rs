//! Reading and replacing of content.

mod check;

use std::sync::Arc;

use script_server::{Context, Error, Reply, Result, requests, types};
use types::{FileType, FunctionSet};
use wireform_store::{FileKind, HashedFile, ScriptContent, ScriptFile, ScriptRole, Store, User};

pub(crate) use self::check::parse_functions;
use self::check::{ValidatedFiles, read_files, reject_violations, serialize_functions};
use crate::caller::Access;
use crate::people::UserProfiles;
use crate::{ScriptService, caller, error, times};

/// Error in a file that was therefore not stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileError {
    /// Index of the file in the request.
    pub file: usize,
    /// Message, with the line where it is known.
    pub message: String,
}

/// Size of the files of a project for which no memory is reserved: the number of requests limits it.
pub(crate) const MAX_SMALL_CONTENT: u64 = 16 << 10;
/// Copies of the files in memory for a response: as files, and as the text, whose buffer grows by doubling.
const CONTENT_COPIES: u64 = 3;

impl<S: Store> ScriptService<S> {
    pub(crate) async fn read_content(
        &self,
        request: requests::ProjectsGetContent,
        context: &Context,
    ) -> Result<types::Content> {
        let access = caller::access(&self.store, context, &request.script_id, ScriptRole::Read).await?;
        let version = request.version_number;
        let (project, share) = (access.project.number, context.response_share().map(Arc::new));
        let found =
            self.store.content_within((project, version), MAX_SMALL_CONTENT).await.map_err(error::from_store)?;
        let files = match found {
            Some(ScriptContent::Size(bytes)) => {
                if let Some(share) = &share {
                    share.reserve(bytes * CONTENT_COPIES).await?;
                }
                self.store.content(project, version).await.map_err(error::from_store)?
            }
            Some(ScriptContent::Files(files)) => Some(files),
            None => None,
        };
        let none = || error::parameter_not_found("version", &version.unwrap_or_default().to_string(), "versionNumber");
        let mut files = files.ok_or_else(none)?;
        self.find_missing_functions(&mut files).await;
        let with_functions = |file: ScriptFile| {
            let set = file.functions.as_deref().and_then(parse_functions);
            (file, set)
        };
        let reply = self.show_files(&access, files.into_iter().map(with_functions).collect()).await?;
        Ok(match share {
            Some(share) => reply.with_value_share(share),
            None => reply,
        })
    }

    /// Finds and stores the functions of files that were stored without them, as those of a seed are. Files whose
    /// functions cannot be found are returned without them.
    pub(crate) async fn find_missing_functions(&self, files: &mut [ScriptFile]) {
        let Some(engine) = &self.engine else { return };
        let unknown = |file: &&mut ScriptFile| file.kind == FileKind::Script && file.functions.is_none();
        let mut files: Vec<&mut ScriptFile> = files.iter_mut().filter(unknown).collect();
        if files.is_empty() {
            return;
        }
        let sources = files.iter().map(|file| (file.name.clone(), file.source.clone())).collect();
        let analyses = match engine.analyze(sources).await {
            Ok(analyses) => analyses,
            Err(error) => return tracing::warn!(cause = error, "files could not be analyzed"),
        };
        let mut found = Vec::new();
        for (file, analysis) in files.iter_mut().zip(analyses) {
            let Ok(functions) = analysis else { continue };
            let Ok(text) = serialize_functions(&functions) else { continue };
            found.push((file.number, text.clone()));
            file.functions = Some(text);
        }
        if !found.is_empty()
            && let Err(error) = self.store.set_functions(found).await
        {
            tracing::warn!(cause = %error, "functions of files could not be stored; they will be computed again");
        }
    }

    /// Replaces all files. Of two concurrent calls the last one wins.
    pub(crate) async fn replace_content(
        &self,
        request: requests::ProjectsUpdateContent,
        context: &Context,
    ) -> Result<types::Content> {
        let access = caller::access(&self.store, context, &request.script_id, ScriptRole::Write).await?;
        let content = request.body;
        if content.script_id.is_some_and(|id| !id.is_empty() && id != access.project.id) {
            return Err(error::invalid("scriptId", "must be the `scriptId` of the path"));
        }
        let (stored, sets) = self.save(&access, content.files).await?;
        self.show_files(&access, stored.into_iter().zip(sets).collect()).await
    }

    /// Checks files and replaces the stored ones. Returns them with the functions that were found in each.
    pub(crate) async fn save(
        &self,
        access: &Access,
        files: Vec<types::File>,
    ) -> std::result::Result<(Vec<ScriptFile>, Vec<Option<FunctionSet>>), Error> {
        let checked = self.check(access, read_files(files)?).await?;
        reject_violations(checked.violations)?;
        Ok((self.store_files(access, checked.files).await?, checked.sets))
    }

    /// Replaces all files of a project as a user with write access. For programs. Returns the errors in the files;
    /// nothing is stored if there are any.
    ///
    /// # Errors
    /// Returns a 404 if the user has no such project, a 403 if the user may only read it, a 400 for files that are
    /// invalid in name, type or size or that take too long to parse, or an error of the store.
    pub async fn replace_content_as(
        &self,
        user: &User,
        id: &str,
        files: Vec<types::File>,
    ) -> std::result::Result<Vec<FileError>, Error> {
        let access = caller::access_of(&self.store, user.clone(), id, ScriptRole::Write).await?;
        let ValidatedFiles { files, violations: problems, .. } = self.check(&access, read_files(files)?).await?;
        if problems.is_empty() {
            self.store_files(&access, files).await?;
        }
        Ok(problems.into_iter().map(|(file, _, _, message)| FileError { file, message }).collect())
    }

    /// Replaces the stored files of a project with checked ones.
    async fn store_files(
        &self,
        access: &Access,
        files: Vec<HashedFile>,
    ) -> std::result::Result<Vec<ScriptFile>, Error> {
        let (project, user) = (access.project.number, access.user.mailbox);
        let stored = self.store.replace_content(project, files, user, self.clock.now()).await;
        stored.map_err(error::from_store)
    }

    /// Returns the files for a response, with their functions if these were looked up.
    async fn show_files(
        &self,
        access: &Access,
        files: Vec<(ScriptFile, Option<FunctionSet>)>,
    ) -> Result<types::Content> {
        let people = UserProfiles::find(&self.store, files.iter().map(|(file, _)| file.modifier), &access.user).await?;
        let show = |(file, set): (ScriptFile, Option<FunctionSet>)| {
            let mut response = types::File::default()
                .with_name(file.name)
                .with_type(type_of(file.kind))
                .with_source(file.source)
                .with_create_time(times::to_date_time(file.created))
                .with_update_time(times::to_date_time(file.updated));
            response.last_modify_user = people.show(file.modifier);
            response.function_set = set;
            response
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
