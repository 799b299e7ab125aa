//! Script projects: files, versions, deployments and executions.

mod log;
mod process;
mod store;
mod trigger;

pub use self::log::{LogEntry, LogNumber, LogQuery, LogScope, NewLogEntry};
pub use self::process::{
    Execution, ExecutionChange, ExecutionCursor, ExecutionFilter, ExecutionNumber, ExecutionPage, ExecutionQuery,
    ExecutionScope, ExecutionState, IntervalMetrics, MetricsInterval, MetricsQuery, NewExecution, ServerNumber,
};
pub use self::store::Scripts;
pub use self::trigger::{LeasedTrigger, NewTrigger, Trigger, TriggerLeaseQuery, TriggerNumber};

use sha2::{Digest as _, Sha256};

use crate::domain::texts;
use crate::{Epoch, Mailbox, Millis, User};

/// Key of a script project in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProjectNumber(pub i64);

/// Content of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScriptContent {
    /// Its files.
    Files(Vec<ScriptFile>),
    /// The size of its files in bytes, if they have more than requested.
    Size(u64),
}

/// Access role of a user on a script project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ScriptRole {
    /// Reads content, versions and deployments.
    Read,
    /// Changes them.
    Write,
    /// Shares the project.
    Owner,
}

/// Script project to store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewProject {
    /// Its owner.
    pub owner: Mailbox,
    /// Title.
    pub title: String,
    /// Stored file that the project belongs to.
    pub parent: Option<String>,
    /// Files; one of them is the manifest.
    pub files: Vec<NewFile>,
}

/// Stored script project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// Key in the store.
    pub number: ProjectNumber,
    /// Public identifier.
    pub id: String,
    /// Its owner.
    pub owner: Mailbox,
    /// Title.
    pub title: String,
    /// Stored file that the project belongs to.
    pub parent: Option<String>,
    /// Time of creation.
    pub created: Millis,
    /// Time of the last change of content, title or sharing.
    pub updated: Millis,
    /// User who created it.
    pub creator: Mailbox,
    /// User who changed it last.
    pub modifier: Mailbox,
    /// Number of the last change of anything but executions.
    pub change_number: u64,
    /// Number of the current content.
    pub content_number: u64,
    /// Number of the last version; 0 if there is none.
    pub versions: i64,
    /// Epoch of the store at the time of reading.
    pub epoch: Epoch,
}

/// Script project and the user's role on it; `None` for no access.
pub type ProjectAccess = (Project, Option<ScriptRole>);

/// Kind of content of a project file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileKind {
    /// Server-side code.
    Script,
    /// HTML page.
    Page,
    /// Manifest.
    Manifest,
}

/// File to store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewFile {
    /// Name without an extension.
    pub name: String,
    /// Kind of content.
    pub kind: FileKind,
    /// Source text.
    pub source: String,
    /// Functions that it defines, serialized by the service.
    pub functions: Option<String>,
}

/// File to store, with the hash of its text, by which the store recognizes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HashedFile {
    file: NewFile,
    hash: [u8; 32],
}

impl HashedFile {
    /// Returns the file.
    #[must_use]
    pub const fn file(&self) -> &NewFile {
        &self.file
    }

    /// Sets the functions that the file defines, serialized by the service.
    pub fn set_functions(&mut self, functions: String) {
        self.file.functions = Some(functions);
    }

    /// Returns the key by which the store recognizes the file.
    #[must_use]
    pub fn key(&self) -> FileKey {
        FileKey { name: self.file.name.clone(), kind: self.file.kind, hash: self.hash }
    }

    pub(crate) fn into_parts(self) -> (NewFile, [u8; 32]) {
        (self.file, self.hash)
    }
}

impl From<NewFile> for HashedFile {
    fn from(file: NewFile) -> Self {
        let hash = Sha256::digest(file.source.as_bytes()).into();
        Self { hash, file: NewFile { name: texts::replace_nul(file.name), ..file } }
    }
}

/// Key of a file: name, kind and hash of its text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileKey {
    pub(crate) name: String,
    pub(crate) kind: FileKind,
    pub(crate) hash: [u8; 32],
}

/// Key of a project file with a certain text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileNumber(pub i64);

/// Stored file of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptFile {
    /// Key of the file with this text.
    pub number: FileNumber,
    /// Name without an extension.
    pub name: String,
    /// Kind of content.
    pub kind: FileKind,
    /// Source text.
    pub source: String,
    /// Functions that it defines, serialized by the service.
    pub functions: Option<String>,
    /// Time of creation.
    pub created: Millis,
    /// Time of the last change.
    pub updated: Millis,
    /// User who changed it last.
    pub modifier: Mailbox,
}

/// Version of a project, without its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// Number within the project.
    pub number: i64,
    /// Description of the version.
    pub description: String,
    /// Time of creation.
    pub created: Millis,
    /// Number of the content that it preserves.
    pub content_number: u64,
}

/// Configuration of a deployment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DeploymentSettings {
    /// Deployed version; `None` for the current content.
    pub version: Option<i64>,
    /// Description of the deployment.
    pub description: String,
    /// Scopes of the token that it was deployed with, which limit runs on behalf of the deployer; `None` for all rights
    /// of the deployer.
    pub scopes: Option<Vec<String>>,
}

/// Stored deployment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deployment {
    /// Public identifier.
    pub id: String,
    /// Position in the project's list of deployments; newer ones are greater.
    pub position: i64,
    /// True if it is the head deployment that every project has.
    pub is_head: bool,
    /// Configuration.
    pub settings: DeploymentSettings,
    /// User who deployed it.
    pub deployer: Mailbox,
    /// Time of the last change.
    pub updated: Millis,
    /// Text of the manifest of the deployed version.
    pub manifest: String,
}

/// Order in which deployments are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeploymentOrder {
    /// The head, then the latest created first, after a position.
    ByPosition(Option<i64>),
    /// The latest changed first, without the head, after a time and a position.
    ByTime(Option<(Millis, i64)>),
}

/// Page of a list of versions or deployments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptPage<T> {
    /// Items of the page.
    pub items: Vec<T>,
    /// True if there are more items.
    pub has_more: bool,
}

/// Position in a list: the epoch in which the list began, and the last item before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScriptListCursor {
    /// Epoch.
    pub epoch: Epoch,
    /// Number of the last item.
    pub after: i64,
}

/// User that a project is shared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptShare {
    /// The user.
    pub user: Mailbox,
    /// Mail address of the user.
    pub address: String,
    /// Role of the user.
    pub role: ScriptRole,
}

/// Owner of properties or of a cache: all users of a script, or one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ScriptScope {
    /// The script.
    pub project: ProjectNumber,
    /// The user; `None` for all users.
    pub user: Option<Mailbox>,
}

/// User profile as visible to others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// The user.
    pub user: User,
    /// True if the profile is hidden from others.
    pub hidden: bool,
    /// URL of a picture.
    pub photo: Option<String>,
}
