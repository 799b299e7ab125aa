//! Trait of a store for scripts.

use std::collections::BTreeMap;
use std::future::Future;

use crate::{
    Deployment, DeploymentOrder, DeploymentSettings, Epoch, Execution, ExecutionChange, ExecutionNumber, ExecutionPage,
    ExecutionQuery, ExecutionScope, ExecutionState, FileKey, FileNumber, HashedFile, IntervalMetrics, LeasedTrigger,
    LogEntry, LogQuery, Mailbox, MetricsQuery, Millis, NewExecution, NewLogEntry, NewProject, NewTrigger, Person,
    Project, ProjectAccess, ProjectNumber, Result, ScriptContent, ScriptFile, ScriptListCursor, ScriptPage, ScriptRole,
    ScriptScope, ScriptShare, ServerNumber, Trigger, TriggerLeaseQuery, Version,
};

/// Script projects, their executions and their data.
pub trait Scripts {
    /// Adds a project.
    fn add_project(&self, project: NewProject, now: Millis) -> impl Future<Output = Result<Project>> + Send;
    /// Finds a project by identifier, with the user's role on it.
    fn find_project(&self, id: &str, user: Mailbox) -> impl Future<Output = Result<Option<ProjectAccess>>> + Send;
    /// Finds a project by number, with the user's role on it.
    fn find_project_by_number(
        &self,
        project: ProjectNumber,
        user: Mailbox,
    ) -> impl Future<Output = Result<Option<ProjectAccess>>> + Send;
    /// Finds a deployment by identifier, with its project and the user's role on that.
    fn find_deployment(
        &self,
        id: &str,
        user: Mailbox,
    ) -> impl Future<Output = Result<Option<(ProjectAccess, Deployment)>>> + Send;
    /// Returns the projects of a user, or of all users, ordered by identifier.
    fn projects(&self, owner: Option<Mailbox>) -> impl Future<Output = Result<Vec<Project>>> + Send;
    /// Returns the projects of a user, then those shared with them, with the user's role on each.
    fn visible_projects(&self, user: Mailbox) -> impl Future<Output = Result<Vec<(Project, ScriptRole)>>> + Send;
    /// Shares a project with a user; with `None`, stops sharing it.
    fn share_project(
        &self,
        project: ProjectNumber,
        user: Mailbox,
        role: Option<ScriptRole>,
        now: Millis,
    ) -> impl Future<Output = Result<()>> + Send;
    /// Returns the users that a project is shared with.
    fn project_shares(&self, project: ProjectNumber) -> impl Future<Output = Result<Vec<ScriptShare>>> + Send;
    /// Sets the title of a project.
    fn set_project_title(
        &self,
        project: ProjectNumber,
        title: String,
        user: Mailbox,
        now: Millis,
    ) -> impl Future<Output = Result<Project>> + Send;
    /// Removes a project with all of its data.
    fn remove_project(&self, id: &str) -> impl Future<Output = Result<()>> + Send;
    /// Returns users by number; omits those that no longer exist.
    fn people(&self, users: Vec<Mailbox>) -> impl Future<Output = Result<Vec<Person>>> + Send;
    /// Sets the visibility of a user's profile and the URL of their picture.
    fn set_profile(
        &self,
        user: Mailbox,
        hidden: bool,
        photo: Option<String>,
    ) -> impl Future<Output = Result<()>> + Send;

    /// Returns the files of a project in order, of the current content or of a version; `None` if the version does not
    /// exist.
    fn content(
        &self,
        project: ProjectNumber,
        version: Option<i64>,
    ) -> impl Future<Output = Result<Option<Vec<ScriptFile>>>> + Send
    where
        Self: Sync,
    {
        async move {
            Ok(match self.content_within((project, version), u64::MAX).await? {
                Some(ScriptContent::Files(files)) => Some(files),
                _ => None,
            })
        }
    }
    /// Like [`content`](Self::content), but returns only the size of files that have more than `max` bytes in total.
    fn content_within(
        &self,
        of: (ProjectNumber, Option<i64>),
        max: u64,
    ) -> impl Future<Output = Result<Option<ScriptContent>>> + Send;
    /// Replaces all files of a project. A file with the same name, kind and text is kept.
    fn replace_content(
        &self,
        project: ProjectNumber,
        files: impl IntoIterator<Item: Into<HashedFile>>,
        user: Mailbox,
        now: Millis,
    ) -> impl Future<Output = Result<Vec<ScriptFile>>> + Send;
    /// Returns the stored functions of files, for each file that the project contains unchanged and whose functions are
    /// stored.
    fn known_functions(
        &self,
        project: ProjectNumber,
        files: Vec<FileKey>,
    ) -> impl Future<Output = Result<Vec<Option<String>>>> + Send;
    /// Stores the functions of files, serialized by the service, where none are stored yet.
    fn set_functions(&self, functions: Vec<(FileNumber, String)>) -> impl Future<Output = Result<()>> + Send;

    /// Preserves the current files as a version. A project has at most `limit` versions.
    fn add_version(
        &self,
        project: ProjectNumber,
        description: String,
        limit: i64,
        now: Millis,
    ) -> impl Future<Output = Result<Version>> + Send;
    /// Returns a version.
    fn version(&self, project: ProjectNumber, number: i64) -> impl Future<Output = Result<Option<Version>>> + Send;
    /// Lists versions, the newest first.
    fn versions(
        &self,
        project: ProjectNumber,
        after: Option<ScriptListCursor>,
        limit: u32,
    ) -> impl Future<Output = Result<ScriptPage<Version>>> + Send;

    /// Adds a deployment; `Error::NotFound` if the version does not exist.
    fn add_deployment(
        &self,
        project: ProjectNumber,
        settings: DeploymentSettings,
        user: Mailbox,
        now: Millis,
    ) -> impl Future<Output = Result<Deployment>> + Send;
    /// Returns a deployment of a project.
    fn deployment(&self, project: ProjectNumber, id: &str) -> impl Future<Output = Result<Option<Deployment>>> + Send;
    /// Lists deployments of a project in an order. A position belongs to the given epoch.
    fn deployments(
        &self,
        project: ProjectNumber,
        order: DeploymentOrder,
        epoch: Option<Epoch>,
        limit: u32,
    ) -> impl Future<Output = Result<ScriptPage<Deployment>>> + Send;
    /// Replaces the configuration of a deployment; refuses the head deployment.
    fn replace_deployment(
        &self,
        project: ProjectNumber,
        id: &str,
        settings: DeploymentSettings,
        user: Mailbox,
        now: Millis,
    ) -> impl Future<Output = Result<Deployment>> + Send;
    /// Removes a deployment; refuses the head deployment.
    fn remove_deployment(&self, project: ProjectNumber, id: &str) -> impl Future<Output = Result<()>> + Send;

    /// Records the start of an execution.
    fn start_execution(
        &self,
        execution: NewExecution,
        now: Millis,
    ) -> impl Future<Output = Result<ExecutionNumber>> + Send;
    /// Changes the status of an execution and counts it in the metrics once it has finished. Returns `None`, and
    /// changes nothing, if its current status is not among those given.
    fn change_execution(
        &self,
        finish: ExecutionChange,
        now: Millis,
    ) -> impl Future<Output = Result<Option<Execution>>> + Send;
    /// Returns an execution.
    fn execution(&self, number: ExecutionNumber) -> impl Future<Output = Result<Option<Execution>>> + Send;
    /// Returns the project that has a deployment, or that had it when an execution that is still stored ran through it.
    fn project_of_deployment(&self, id: &str) -> impl Future<Output = Result<Option<ProjectNumber>>> + Send;
    /// Lists executions, the latest first.
    fn executions(&self, query: ExecutionQuery) -> impl Future<Output = Result<ExecutionPage>> + Send;
    /// Returns the number of the last change of a scope's executions, and the epoch of the store.
    fn execution_changes(&self, scope: ExecutionScope) -> impl Future<Output = Result<(Epoch, u64)>> + Send;
    /// Returns the executions of a server that have not ended.
    fn unfinished_executions(&self, server: ServerNumber) -> impl Future<Output = Result<Vec<ExecutionNumber>>> + Send;
    /// Renews the lease of a script server until a system time; 0 ends it.
    fn renew_server_lease(&self, server: ServerNumber, until: Millis) -> impl Future<Output = Result<()>> + Send;
    /// Ends executions whose servers no longer hold a lease, as failed; returns their number.
    fn end_orphaned_executions(
        &self,
        machine: Millis,
        now: Millis,
        to: ExecutionState,
    ) -> impl Future<Output = Result<u64>> + Send;
    /// Adds lines to the log of an execution; does nothing if the execution no longer exists. Skips lines whose index
    /// is already present.
    fn add_log(&self, execution: ExecutionNumber, entries: Vec<NewLogEntry>)
    -> impl Future<Output = Result<()>> + Send;
    /// Returns log lines of a script, the earliest first.
    fn log(&self, query: LogQuery) -> impl Future<Output = Result<Vec<LogEntry>>> + Send;
    /// Returns metrics, the latest interval first, without empty intervals.
    fn metrics(&self, query: MetricsQuery) -> impl Future<Output = Result<Vec<IntervalMetrics>>> + Send;

    /// Returns the properties in a scope.
    fn properties(&self, scope: ScriptScope) -> impl Future<Output = Result<BTreeMap<String, String>>> + Send;
    /// Sets properties and removes those without a value; with `replace`, removes all others too. Their total size is
    /// at most `limit` bytes.
    fn set_properties(
        &self,
        scope: ScriptScope,
        values: BTreeMap<String, Option<String>>,
        replace: bool,
        limit: usize,
    ) -> impl Future<Output = Result<()>> + Send;
    /// Returns unexpired values of a cache.
    fn cached(
        &self,
        scope: ScriptScope,
        names: Vec<String>,
        now: Millis,
    ) -> impl Future<Output = Result<Vec<Option<String>>>> + Send;
    /// Puts values into a cache, or removes them.
    fn put_cached(
        &self,
        scope: ScriptScope,
        values: Vec<(String, Option<String>)>,
        now: Millis,
        expires: Millis,
    ) -> impl Future<Output = Result<()>> + Send;
    /// Acquires a lock for `holder` until a system time; returns whether it was free.
    fn lock_script(
        &self,
        scope: ScriptScope,
        holder: i64,
        machine: Millis,
        until: Millis,
    ) -> impl Future<Output = Result<bool>> + Send;
    /// Releases all locks of `holder` on a script.
    fn unlock_script(&self, scope: ScriptScope, holder: i64) -> impl Future<Output = Result<()>> + Send;

    /// Adds a trigger. A user has at most `limit` triggers on a script.
    fn add_trigger(
        &self,
        trigger: NewTrigger,
        limit: usize,
        now: Millis,
    ) -> impl Future<Output = Result<Trigger>> + Send;
    /// Returns the triggers of a script in order of creation.
    fn triggers(&self, project: ProjectNumber) -> impl Future<Output = Result<Vec<Trigger>>> + Send;
    /// Removes a trigger of a user; returns whether it existed.
    fn remove_trigger(
        &self,
        project: ProjectNumber,
        user: Mailbox,
        id: &str,
    ) -> impl Future<Output = Result<bool>> + Send;
    /// Leases due triggers, the earliest first.
    fn lease_triggers(&self, lease: TriggerLeaseQuery) -> impl Future<Output = Result<Vec<LeasedTrigger>>> + Send;
    /// Sets the next firing time of a leased trigger, or removes it with `None`; returns whether the lease was still
    /// held.
    fn settle_trigger(&self, trigger: &LeasedTrigger, due: Option<Millis>)
    -> impl Future<Output = Result<bool>> + Send;
}
