//! Code of a run, including its libraries.

use std::pin::Pin;

use script_server::types::ExceptionLogging;
use wireform_store::{FileKind, Mailbox, Project, ProjectNumber, Result, ScriptContent, ScriptFile, Store};

use crate::content::MAX_SMALL_CONTENT;
use crate::engine::{Code, Exception};
use crate::run_memory::RunMemory;
use crate::{ScriptService, manifest};

/// Maximum depth of nested libraries.
const MAX_DEPTH: usize = 8;
/// Maximum number of libraries of a script, including nested ones.
const MAX_LIBRARIES: usize = 100;

/// Error of reading code.
pub(super) enum CodeError {
    /// Error of the store.
    Store(wireform_store::Error),
    /// The script cannot run.
    Script(Exception),
}

impl From<wireform_store::Error> for CodeError {
    fn from(error: wireform_store::Error) -> Self {
        Self::Store(error)
    }
}

/// Returns an exception of the script with a message of the platform.
fn script_error(message: String) -> CodeError {
    CodeError::Script(Exception::platform(message))
}

impl<S: Store> ScriptService<S> {
    /// Reads the code of a version of a project, or the last saved content.
    pub(super) async fn read_program(
        &self,
        project: &Project,
        version: Option<i64>,
        memory: &RunMemory,
    ) -> std::result::Result<Code, CodeError> {
        let mut left = MAX_LIBRARIES;
        self.read_code(project, version, MAX_DEPTH, (&mut left, memory)).await
    }

    /// Reads the files of a version, once there is memory for them.
    async fn read_files(
        &self,
        project: ProjectNumber,
        version: Option<i64>,
        memory: &RunMemory,
    ) -> std::result::Result<Vec<ScriptFile>, CodeError> {
        let missing = || script_error("the version to run does not exist".to_owned());
        match self.store.content_within((project, version), MAX_SMALL_CONTENT).await?.ok_or_else(missing)? {
            ScriptContent::Files(files) => Ok(files),
            ScriptContent::Size(bytes) => {
                if !memory.reserve_code(bytes).await {
                    let message = "there is no memory for the code of the script at the moment; run it again later";
                    return Err(script_error(message.to_owned()));
                }
                self.store.content(project, version).await?.ok_or_else(missing)
            }
        }
    }

    /// Reads code with its libraries, nested up to `depth`. `left` is the number of libraries that may still be read,
    /// with the memory of the run.
    fn read_code<'a>(
        &'a self,
        project: &'a Project,
        version: Option<i64>,
        depth: usize,
        (left, memory): (&'a mut usize, &'a RunMemory),
    ) -> Pin<Box<dyn Future<Output = std::result::Result<Code, CodeError>> + Send + 'a>> {
        Box::pin(async move {
            let files = self.read_files(project.number, version, memory).await?;
            let mut code = Code { time_zone: "UTC".to_owned(), ..Code::default() };
            let (mut manifest, mut author) = (manifest::parse_stored("{}"), project.owner);
            for file in files {
                match file.kind {
                    FileKind::Script => code.scripts.push((file.name, file.source)),
                    FileKind::Page => code.pages.push((file.name, file.source)),
                    FileKind::Manifest => (manifest, author) = (manifest::parse_stored(&file.source), file.modifier),
                }
            }
            if let Some(zone) = manifest.time_zone.take() {
                code.time_zone = zone;
            }
            code.hides_exceptions = manifest.exception_logging == Some(ExceptionLogging::None);
            for library in manifest::libraries(&manifest) {
                let symbol = library.user_symbol.clone().unwrap_or_default();
                if depth == 0 || *left == 0 {
                    return Err(script_error(format!("the library `{symbol}` has too many libraries")));
                }
                *left -= 1;
                let is_development = library.development_mode == Some(true);
                let version = library.version.as_ref().map(|version| version.0).filter(|_| !is_development);
                let id = library.library_id.as_deref().unwrap_or_default();
                let found = self.library(id, [author, project.owner], version.is_some()).await?;
                let found =
                    found.ok_or_else(|| script_error(format!("the library `{symbol}` can no longer be read")))?;
                code.libraries.push((symbol, self.read_code(&found, version, depth - 1, (&mut *left, memory)).await?));
            }
            Ok(code)
        })
    }

    /// Returns the project of a library. The user who added it to a manifest could read it, and a version never
    /// changes; later content is available only while one of `users` can read it. Callers of the script need no role in
    /// it.
    async fn library(&self, id: &str, users: [Mailbox; 2], pinned: bool) -> Result<Option<Project>> {
        for user in users {
            match self.store.find_project(id, user).await? {
                Some((project, role)) if pinned || role.is_some() => return Ok(Some(project)),
                _ => {}
            }
        }
        Ok(None)
    }
}
