//! The code of a run, with that of its libraries.

use std::pin::Pin;

use script_server::types::ExceptionLogging;
use wireform_store::{FileKind, Mailbox, Project, Result, Store};

use crate::engine::{Code, Exception};
use crate::{ScriptService, manifest};

/// Libraries have libraries, so many deep.
const DEPTH: usize = 8;
/// A script has at most so many libraries, those of its libraries among them.
const LIBRARIES: usize = 100;

/// Why there is no code.
pub(super) enum Missing {
    /// The store could not say.
    Store(wireform_store::Error),
    /// The script cannot run.
    Script(Exception),
}

impl From<wireform_store::Error> for Missing {
    fn from(error: wireform_store::Error) -> Self {
        Self::Store(error)
    }
}

fn missing(message: String) -> Missing {
    Missing::Script(Exception::of_platform(message))
}

impl<S: Store> ScriptService<S> {
    /// Reads the code of a version of a project, or what was saved last.
    pub(super) async fn code(&self, project: &Project, version: Option<i64>) -> std::result::Result<Code, Missing> {
        let mut left = LIBRARIES;
        self.code_within(project, version, DEPTH, &mut left).await
    }

    fn code_within<'a>(
        &'a self,
        project: &'a Project,
        version: Option<i64>,
        depth: usize,
        left: &'a mut usize,
    ) -> Pin<Box<dyn Future<Output = std::result::Result<Code, Missing>> + Send + 'a>> {
        Box::pin(async move {
            let files = self.store.content(project.number, version).await?;
            let files = files.ok_or_else(|| missing("the version that is to run does not exist".to_owned()))?;
            let mut code = Code { time_zone: "UTC".to_owned(), ..Code::default() };
            let (mut manifest, mut author) = (manifest::stored("{}"), project.owner);
            for file in files {
                match file.kind {
                    FileKind::Script => code.scripts.push((file.name, file.source)),
                    FileKind::Page => code.pages.push((file.name, file.source)),
                    FileKind::Manifest => (manifest, author) = (manifest::stored(&file.source), file.modifier),
                }
            }
            if let Some(zone) = manifest.time_zone.take() {
                code.time_zone = zone;
            }
            code.hides_exceptions = manifest.exception_logging == Some(ExceptionLogging::None);
            for library in manifest::libraries(&manifest) {
                let symbol = library.user_symbol.clone().unwrap_or_default();
                if depth == 0 || *left == 0 {
                    return Err(missing(format!("the library `{symbol}` has too many libraries")));
                }
                *left -= 1;
                let saved = library.development_mode == Some(true);
                let version = library.version.as_ref().map(|version| version.0).filter(|_| !saved);
                let id = library.library_id.as_deref().unwrap_or_default();
                let found = self.library(id, [author, project.owner], version.is_some()).await?;
                let found = found.ok_or_else(|| missing(format!("the library `{symbol}` cannot be read any more")))?;
                code.libraries.push((symbol, self.code_within(&found, version, depth - 1, left).await?));
            }
            Ok(code)
        })
    }

    /// Returns the project that a library is. Whoever put it into a manifest could read it, and a version stays what it was;
    /// what is saved later is for `users` only as long as one of them can read it. Whoever runs the script needs no right.
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
