//! Script projects: files, versions, deployments, and what is known of executions.

mod log;
mod process;
mod store;
mod trigger;

pub use self::log::{LogEntry, LogNumber, LogQuery, LogScope, NewLogEntry};
pub use self::process::{
    Execution, ExecutionFilter, ExecutionFinish, ExecutionNumber, ExecutionPage, ExecutionPlace, ExecutionQuery,
    ExecutionScope, ExecutionState, Grain, Measure, MetricsQuery, NewExecution, ServerNumber,
};
pub use self::store::Scripts;
pub use self::trigger::{LeasedTrigger, NewTrigger, Trigger, TriggerLease, TriggerNumber};

use sha2::{Digest as _, Sha256};

use crate::domain::texts;
use crate::{Epoch, Mailbox, Millis, User};

/// Number of a script project, which names it in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProjectNumber(pub i64);

/// What a user may do with a script project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ScriptRole {
    /// Reads content, versions and deployments.
    Read,
    /// Changes them.
    Write,
    /// Shares the project.
    Owner,
}

/// A script project that is to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewProject {
    /// Whose it is.
    pub owner: Mailbox,
    /// Title.
    pub title: String,
    /// Stored file that the project belongs to.
    pub parent: Option<String>,
    /// Its files; one is the manifest.
    pub files: Vec<NewFile>,
}

/// A script project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// Its number.
    pub number: ProjectNumber,
    /// Its identifier.
    pub id: String,
    /// Whose it is.
    pub owner: Mailbox,
    /// Title.
    pub title: String,
    /// Stored file that the project belongs to.
    pub parent: Option<String>,
    /// When it was made.
    pub created: Millis,
    /// When content, title or sharing was changed last.
    pub updated: Millis,
    /// Who made it.
    pub creator: Mailbox,
    /// Who changed it last.
    pub modifier: Mailbox,
    /// Number of the last change of anything but executions.
    pub changes: u64,
    /// Number of the present content.
    pub saved: u64,
    /// Number of the last version; 0: there is none.
    pub versions: i64,
    /// Epoch of the store when it was read.
    pub epoch: Epoch,
}

/// A script project and what a user may do with it; `None`: nothing.
pub type FoundProject = (Project, Option<ScriptRole>);

/// What a file of a project holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileKind {
    /// Code that runs on the server.
    Script,
    /// A page.
    Page,
    /// The manifest.
    Manifest,
}

/// A file that is to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewFile {
    /// Name without an extension.
    pub name: String,
    /// What it holds.
    pub kind: FileKind,
    /// Its text.
    pub source: String,
    /// What it defines, as the service writes it.
    pub functions: Option<String>,
}

/// A file that is to be stored, with the hash of its text, by which the store knows it again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HashedFile {
    file: NewFile,
    hash: [u8; 32],
}

impl HashedFile {
    /// The file.
    #[must_use]
    pub const fn file(&self) -> &NewFile {
        &self.file
    }

    /// Says what the file defines, as the service writes it.
    pub fn set_functions(&mut self, functions: String) {
        self.file.functions = Some(functions);
    }

    /// What the store knows the file by.
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
        Self { hash, file: NewFile { name: texts::clean(file.name), ..file } }
    }
}

/// What a file is known by: its name, its kind and the hash of its text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileKey {
    pub(crate) name: String,
    pub(crate) kind: FileKind,
    pub(crate) hash: [u8; 32],
}

/// Number of a file of a project with a certain text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileNumber(pub i64);

/// A file of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptFile {
    /// Number of the file with this text.
    pub number: FileNumber,
    /// Name without an extension.
    pub name: String,
    /// What it holds.
    pub kind: FileKind,
    /// Its text.
    pub source: String,
    /// What it defines, as the service writes it.
    pub functions: Option<String>,
    /// When it was first stored.
    pub created: Millis,
    /// When it was changed last.
    pub updated: Millis,
    /// Who changed it last.
    pub modifier: Mailbox,
}

/// A version of a project, without its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// Its number within the project.
    pub number: i64,
    /// What is special about it.
    pub description: String,
    /// When it was made.
    pub created: Millis,
    /// Number of the content that it keeps.
    pub saved: u64,
}

/// Configuration of a deployment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DeploymentSettings {
    /// The version; `None`: the present content, whatever it is.
    pub version: Option<i64>,
    /// What it is for.
    pub description: String,
    /// The scopes of the token that it was deployed with, which runs as the deployer have; `None`: all that the deployer
    /// may do.
    pub scopes: Option<Vec<String>>,
}

/// A deployment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deployment {
    /// Its identifier.
    pub id: String,
    /// Its place in the list of all of the project, in which the newest is the greatest.
    pub place: i64,
    /// Whether it is the one that every project has.
    pub head: bool,
    /// What is deployed.
    pub settings: DeploymentSettings,
    /// Who deployed it.
    pub deployer: Mailbox,
    /// When it was changed last.
    pub updated: Millis,
    /// Text of the manifest of the version that is deployed.
    pub manifest: String,
}

/// Which deployments are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeploymentOrder {
    /// The head, then those that were made last first: after a place.
    ByPlace(Option<i64>),
    /// Those that were changed last first, without the head: after a time and a place.
    ByTime(Option<(Millis, i64)>),
}

/// A page of a list of versions or deployments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptPage<T> {
    /// What is on the page.
    pub items: Vec<T>,
    /// Whether there are more.
    pub more: bool,
}

/// Place in a list: the epoch in which it was begun, and the last item before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListPlace {
    /// The epoch.
    pub epoch: Epoch,
    /// The number of the last item.
    pub after: i64,
}

/// A user whom a project is shared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptShare {
    /// The user.
    pub user: Mailbox,
    /// Their address.
    pub address: String,
    /// What they may do.
    pub role: ScriptRole,
}

/// Whose properties or cache is meant: that of all users of a script, or that of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ScriptScope {
    /// The script.
    pub project: ProjectNumber,
    /// The user; `None`: all of them.
    pub user: Option<Mailbox>,
}

/// A user as others may see them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// The user.
    pub user: User,
    /// Whether nobody else sees anything of them.
    pub hidden: bool,
    /// Address of a picture.
    pub photo: Option<String>,
}
