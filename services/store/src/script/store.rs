//! What a service can ask of a store about scripts.

use std::collections::BTreeMap;
use std::future::Future;

use crate::{
    Deployment, DeploymentOrder, DeploymentSettings, Epoch, Execution, ExecutionFinish, ExecutionNumber, ExecutionPage,
    ExecutionQuery, ExecutionScope, ExecutionState, FileKey, FileNumber, FoundProject, HashedFile, LeasedTrigger,
    ListPlace, LogEntry, LogQuery, Mailbox, Measure, MetricsQuery, Millis, NewExecution, NewLogEntry, NewProject,
    NewTrigger, Person, Project, ProjectNumber, Result, ScriptFile, ScriptPage, ScriptRole, ScriptScope, ScriptShare,
    ServerNumber, Trigger, TriggerLease, Version,
};

/// Script projects, their executions, and what scripts keep.
pub trait Scripts {
    /// Adds a project.
    fn add_project(&self, project: NewProject, now: Millis) -> impl Future<Output = Result<Project>> + Send;
    /// Finds a project by its identifier, and what a user may do with it.
    fn find_project(&self, id: &str, user: Mailbox) -> impl Future<Output = Result<Option<FoundProject>>> + Send;
    /// Finds a project by its number, and what a user may do with it.
    fn project_at(
        &self,
        project: ProjectNumber,
        user: Mailbox,
    ) -> impl Future<Output = Result<Option<FoundProject>>> + Send;
    /// Finds a deployment by its identifier, with its project and what a user may do with that.
    fn find_deployment(
        &self,
        id: &str,
        user: Mailbox,
    ) -> impl Future<Output = Result<Option<(FoundProject, Deployment)>>> + Send;
    /// The projects of a user, or of all, in the order of their identifiers.
    fn projects(&self, owner: Option<Mailbox>) -> impl Future<Output = Result<Vec<Project>>> + Send;
    /// The projects of a user, then those that are shared with them, and what the user may do with each.
    fn visible_projects(&self, user: Mailbox) -> impl Future<Output = Result<Vec<(Project, ScriptRole)>>> + Send;
    /// Shares a project with a user, or not any more.
    fn share_project(
        &self,
        project: ProjectNumber,
        user: Mailbox,
        role: Option<ScriptRole>,
        now: Millis,
    ) -> impl Future<Output = Result<()>> + Send;
    /// The users that a project is shared with.
    fn project_shares(&self, project: ProjectNumber) -> impl Future<Output = Result<Vec<ScriptShare>>> + Send;
    /// Changes the title of a project.
    fn set_project_title(
        &self,
        project: ProjectNumber,
        title: String,
        user: Mailbox,
        now: Millis,
    ) -> impl Future<Output = Result<Project>> + Send;
    /// Removes a project with all that belongs to it.
    fn remove_project(&self, id: &str) -> impl Future<Output = Result<()>> + Send;
    /// Users by their numbers; those that are not there any more are left out.
    fn people(&self, users: Vec<Mailbox>) -> impl Future<Output = Result<Vec<Person>>> + Send;
    /// Says what others see of a user, and the address of their picture.
    fn set_profile(
        &self,
        user: Mailbox,
        hidden: bool,
        photo: Option<String>,
    ) -> impl Future<Output = Result<()>> + Send;

    /// The files of a project in their order, as they are or were in a version; `None`: there is no such version.
    fn content(
        &self,
        project: ProjectNumber,
        version: Option<i64>,
    ) -> impl Future<Output = Result<Option<Vec<ScriptFile>>>> + Send;
    /// Replaces all files of a project. A file of the same name, kind and text stays as it is.
    fn replace_content(
        &self,
        project: ProjectNumber,
        files: impl IntoIterator<Item: Into<HashedFile>>,
        user: Mailbox,
        now: Millis,
    ) -> impl Future<Output = Result<Vec<ScriptFile>>> + Send;
    /// What files of a project define, as the service wrote it, where the project has them as they are and that is kept.
    fn known_functions(
        &self,
        project: ProjectNumber,
        files: Vec<FileKey>,
    ) -> impl Future<Output = Result<Vec<Option<String>>>> + Send;
    /// Keeps what files define, as the service writes it, where nothing is kept yet.
    fn set_functions(&self, functions: Vec<(FileNumber, String)>) -> impl Future<Output = Result<()>> + Send;

    /// Keeps the present files as a version. A project has at most `limit` of them.
    fn add_version(
        &self,
        project: ProjectNumber,
        description: String,
        limit: i64,
        now: Millis,
    ) -> impl Future<Output = Result<Version>> + Send;
    /// A version.
    fn version(&self, project: ProjectNumber, number: i64) -> impl Future<Output = Result<Option<Version>>> + Send;
    /// Versions, the newest first.
    fn versions(
        &self,
        project: ProjectNumber,
        after: Option<ListPlace>,
        limit: u32,
    ) -> impl Future<Output = Result<ScriptPage<Version>>> + Send;

    /// Adds a deployment; `Error::Absent` where there is no such version.
    fn add_deployment(
        &self,
        project: ProjectNumber,
        settings: DeploymentSettings,
        user: Mailbox,
        now: Millis,
    ) -> impl Future<Output = Result<Deployment>> + Send;
    /// A deployment of a project.
    fn deployment(&self, project: ProjectNumber, id: &str) -> impl Future<Output = Result<Option<Deployment>>> + Send;
    /// Deployments of a project in an order. A place is of the epoch that is given with it.
    fn deployments(
        &self,
        project: ProjectNumber,
        order: DeploymentOrder,
        epoch: Option<Epoch>,
        limit: u32,
    ) -> impl Future<Output = Result<ScriptPage<Deployment>>> + Send;
    /// Replaces the configuration of a deployment; that of the head is refused.
    fn replace_deployment(
        &self,
        project: ProjectNumber,
        id: &str,
        settings: DeploymentSettings,
        user: Mailbox,
        now: Millis,
    ) -> impl Future<Output = Result<Deployment>> + Send;
    /// Removes a deployment; that of the head is refused.
    fn remove_deployment(&self, project: ProjectNumber, id: &str) -> impl Future<Output = Result<()>> + Send;

    /// Records that an execution begins.
    fn start_execution(
        &self,
        execution: NewExecution,
        now: Millis,
    ) -> impl Future<Output = Result<ExecutionNumber>> + Send;
    /// Changes the status of an execution, and counts it where it is over then; `None` where it had none of the statuses
    /// that it must have, and stays.
    fn change_execution(
        &self,
        finish: ExecutionFinish,
        now: Millis,
    ) -> impl Future<Output = Result<Option<Execution>>> + Send;
    /// Executions, the latest first.
    fn executions(&self, query: ExecutionQuery) -> impl Future<Output = Result<ExecutionPage>> + Send;
    /// Number of the last change of the executions of a project or a user, and the epoch of the store.
    fn execution_changes(&self, scope: ExecutionScope) -> impl Future<Output = Result<(Epoch, u64)>> + Send;
    /// Says that a server is there until a time of the machine's clock; 0: it is not any more.
    fn keep_server(&self, server: ServerNumber, until: Millis) -> impl Future<Output = Result<()>> + Send;
    /// Ends executions whose servers are not there any more; returns how many. They count as failed.
    fn repair_executions(
        &self,
        machine: Millis,
        now: Millis,
        to: ExecutionState,
    ) -> impl Future<Output = Result<u64>> + Send;
    /// Adds lines to the log of an execution; nothing where the execution is not there any more. A line at a place that has
    /// one already is left out.
    fn add_log(&self, execution: ExecutionNumber, entries: Vec<NewLogEntry>)
    -> impl Future<Output = Result<()>> + Send;
    /// Lines of the logs of a script, the earliest first.
    fn log(&self, query: LogQuery) -> impl Future<Output = Result<Vec<LogEntry>>> + Send;
    /// What was counted, the latest interval first, and without those in which nothing was.
    fn measures(&self, query: MetricsQuery) -> impl Future<Output = Result<Vec<Measure>>> + Send;

    /// Properties of a script.
    fn properties(&self, scope: ScriptScope) -> impl Future<Output = Result<BTreeMap<String, String>>> + Send;
    /// Sets properties, and removes those without a value; all of them and no others where `replace` is set. They have at
    /// most `limit` bytes together.
    fn set_properties(
        &self,
        scope: ScriptScope,
        values: BTreeMap<String, Option<String>>,
        replace: bool,
        limit: usize,
    ) -> impl Future<Output = Result<()>> + Send;
    /// Values of a cache that have not expired.
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
    /// Takes a lock for `holder` until a time of the machine's clock; returns whether it was free.
    fn lock_script(
        &self,
        scope: ScriptScope,
        holder: i64,
        machine: Millis,
        until: Millis,
    ) -> impl Future<Output = Result<bool>> + Send;
    /// Gives all locks on a script back that `holder` has.
    fn unlock_script(&self, scope: ScriptScope, holder: i64) -> impl Future<Output = Result<()>> + Send;

    /// Adds a trigger. A user has at most `limit` on a script.
    fn add_trigger(
        &self,
        trigger: NewTrigger,
        limit: usize,
        now: Millis,
    ) -> impl Future<Output = Result<Trigger>> + Send;
    /// The triggers of a script, in the order in which they were made.
    fn triggers(&self, project: ProjectNumber) -> impl Future<Output = Result<Vec<Trigger>>> + Send;
    /// Removes a trigger of a user; returns whether there was one.
    fn remove_trigger(
        &self,
        project: ProjectNumber,
        user: Mailbox,
        id: &str,
    ) -> impl Future<Output = Result<bool>> + Send;
    /// Leases triggers that are due, the earliest first.
    fn lease_triggers(&self, lease: TriggerLease) -> impl Future<Output = Result<Vec<LeasedTrigger>>> + Send;
    /// Says when a leased trigger fires next; returns whether the lease still held. `None`: it is removed.
    fn settle_trigger(&self, trigger: &LeasedTrigger, due: Option<Millis>)
    -> impl Future<Output = Result<bool>> + Send;
}
