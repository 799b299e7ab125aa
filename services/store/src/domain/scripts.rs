//! Implementation of the scripts trait.

mod content;
mod deployments;
mod executions;
mod facets;
mod files;
mod list;
mod logs;
mod metrics;
mod project;
mod projects;
pub(super) mod removal;
pub(crate) mod sql;
mod storage;
mod triggers;
mod versions;

use std::collections::BTreeMap;

use rand::Rng as _;

use crate::backend::Backend;
use crate::script::Scripts;
use crate::{
    Deployment, DeploymentOrder, DeploymentSettings, Epoch, Execution, ExecutionChange, ExecutionNumber, ExecutionPage,
    ExecutionQuery, ExecutionScope, ExecutionState, FileKey, FileNumber, HashedFile, IntervalMetrics, LeasedTrigger,
    LogEntry, LogQuery, Mailbox, MetricsQuery, Millis, NewExecution, NewLogEntry, NewProject, NewTrigger, Person,
    Project, ProjectAccess, ProjectNumber, Result, ScriptContent, ScriptFile, ScriptListCursor, ScriptPage, ScriptRole,
    ScriptScope, ScriptShare, ServerNumber, Trigger, TriggerLeaseQuery, Version,
};

pub(super) use self::executions::{DeleteOldExecutions, MAX_REMOVED as EXECUTIONS};
pub(super) use self::metrics::DeleteOldMetrics;
pub(super) use self::projects::ListProjects;
pub(super) use self::storage::DeleteExpiredCached;

/// Returns an unguessable identifier.
fn random_id() -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut bytes = [0_u8; 43];
    rand::rng().fill_bytes(&mut bytes);
    let letter = |byte: u8| LETTERS.get(usize::from(byte & 63)).copied().map_or('A', char::from);
    // The first character is no hyphen, which command lines would take for an option.
    std::iter::once('1').chain(bytes.into_iter().map(letter)).collect()
}

impl<B: Backend> Scripts for B {
    async fn add_project(&self, project: NewProject, now: Millis) -> Result<Project> {
        self.perform(projects::AddProject(project, now)).await
    }

    async fn find_project(&self, id: &str, user: Mailbox) -> Result<Option<ProjectAccess>> {
        self.perform(projects::FindProject(id.to_owned(), user)).await
    }

    async fn find_project_by_number(&self, project: ProjectNumber, user: Mailbox) -> Result<Option<ProjectAccess>> {
        self.perform(projects::FindProjectByNumber(project, user)).await
    }

    async fn find_deployment(&self, id: &str, user: Mailbox) -> Result<Option<(ProjectAccess, Deployment)>> {
        self.perform(deployments::FindDeployment(id.to_owned(), user)).await
    }

    async fn projects(&self, owner: Option<Mailbox>) -> Result<Vec<Project>> {
        self.perform(ListProjects(owner)).await
    }

    async fn visible_projects(&self, user: Mailbox) -> Result<Vec<(Project, ScriptRole)>> {
        self.perform(projects::ListVisibleProjects(user)).await
    }

    async fn share_project(
        &self,
        project: ProjectNumber,
        user: Mailbox,
        role: Option<ScriptRole>,
        now: Millis,
    ) -> Result<()> {
        self.perform(projects::ShareProject { project, user, role, now }).await
    }

    async fn project_shares(&self, project: ProjectNumber) -> Result<Vec<ScriptShare>> {
        self.perform(projects::ListProjectShares(project)).await
    }

    async fn set_project_title(
        &self,
        project: ProjectNumber,
        title: String,
        user: Mailbox,
        now: Millis,
    ) -> Result<Project> {
        self.perform(projects::SetProjectTitle { project, title, user, now }).await
    }

    async fn remove_project(&self, id: &str) -> Result<()> {
        let project = self.perform(removal::HideProject(id.to_owned())).await?;
        while self.perform(removal::ClearProject(project)).await? {}
        Ok(())
    }

    async fn people(&self, users: Vec<Mailbox>) -> Result<Vec<Person>> {
        self.perform(projects::FindPeople(users)).await
    }

    async fn set_profile(&self, user: Mailbox, hidden: bool, photo: Option<String>) -> Result<()> {
        self.perform(projects::SetProfile { user, hidden, photo }).await
    }

    async fn content_within(&self, of: (ProjectNumber, Option<i64>), max: u64) -> Result<Option<ScriptContent>> {
        self.perform(content::ReadContent(of, max)).await
    }

    fn replace_content(
        &self,
        project: ProjectNumber,
        files: impl IntoIterator<Item: Into<HashedFile>>,
        user: Mailbox,
        now: Millis,
    ) -> impl Future<Output = Result<Vec<ScriptFile>>> + Send {
        self.perform(files::ReplaceContent::new(project, files, user, now))
    }

    async fn known_functions(&self, project: ProjectNumber, files: Vec<FileKey>) -> Result<Vec<Option<String>>> {
        self.perform(files::ReadKnownFunctions(project, files)).await
    }

    async fn set_functions(&self, functions: Vec<(FileNumber, String)>) -> Result<()> {
        self.perform(files::SetFunctions(functions)).await
    }

    async fn add_version(
        &self,
        project: ProjectNumber,
        description: String,
        limit: i64,
        now: Millis,
    ) -> Result<Version> {
        self.perform(versions::AddVersion { project, description, limit, now }).await
    }

    async fn version(&self, project: ProjectNumber, number: i64) -> Result<Option<Version>> {
        self.perform(versions::ReadVersion(project, number)).await
    }

    async fn versions(
        &self,
        project: ProjectNumber,
        after: Option<ScriptListCursor>,
        limit: u32,
    ) -> Result<ScriptPage<Version>> {
        self.perform(versions::ListVersions { project, after, limit }).await
    }

    async fn add_deployment(
        &self,
        project: ProjectNumber,
        settings: DeploymentSettings,
        user: Mailbox,
        now: Millis,
    ) -> Result<Deployment> {
        self.perform(deployments::AddDeployment { project, settings, user, now }).await
    }

    async fn deployment(&self, project: ProjectNumber, id: &str) -> Result<Option<Deployment>> {
        self.perform(deployments::ReadDeployment(project, id.to_owned())).await
    }

    async fn deployments(
        &self,
        project: ProjectNumber,
        order: DeploymentOrder,
        epoch: Option<Epoch>,
        limit: u32,
    ) -> Result<ScriptPage<Deployment>> {
        self.perform(deployments::ListDeployments { project, order, epoch, limit }).await
    }

    async fn replace_deployment(
        &self,
        project: ProjectNumber,
        id: &str,
        settings: DeploymentSettings,
        user: Mailbox,
        now: Millis,
    ) -> Result<Deployment> {
        let id = id.to_owned();
        self.perform(deployments::ReplaceDeployment { project, id, settings, user, now }).await
    }

    async fn remove_deployment(&self, project: ProjectNumber, id: &str) -> Result<()> {
        self.perform(deployments::RemoveDeployment(project, id.to_owned())).await
    }

    async fn start_execution(&self, execution: NewExecution, now: Millis) -> Result<ExecutionNumber> {
        self.perform(executions::StartExecution(execution, now)).await
    }

    async fn change_execution(&self, finish: ExecutionChange, now: Millis) -> Result<Option<Execution>> {
        self.perform(executions::ChangeExecution(finish, now)).await
    }

    async fn execution(&self, number: ExecutionNumber) -> Result<Option<Execution>> {
        self.perform(executions::ReadExecution(number)).await
    }

    async fn project_of_deployment(&self, id: &str) -> Result<Option<ProjectNumber>> {
        self.perform(deployments::FindProjectOfDeployment(id.to_owned())).await
    }

    async fn executions(&self, query: ExecutionQuery) -> Result<ExecutionPage> {
        self.perform(list::ListExecutions(query)).await
    }

    async fn execution_changes(&self, scope: ExecutionScope) -> Result<(Epoch, u64)> {
        self.perform(executions::ReadChanges(scope)).await
    }

    async fn unfinished_executions(&self, server: ServerNumber) -> Result<Vec<ExecutionNumber>> {
        self.perform(executions::ListUnfinishedExecutions(server)).await
    }

    async fn renew_server_lease(&self, server: ServerNumber, until: Millis) -> Result<()> {
        self.perform(executions::RenewServerLease(server, until)).await
    }

    async fn end_orphaned_executions(&self, machine: Millis, now: Millis, to: ExecutionState) -> Result<u64> {
        self.perform(executions::EndOrphanedExecutions { system_time: machine, now, to }).await
    }

    async fn add_log(&self, execution: ExecutionNumber, entries: Vec<NewLogEntry>) -> Result<()> {
        self.perform(logs::AddLog(execution, entries)).await
    }

    async fn log(&self, query: LogQuery) -> Result<Vec<LogEntry>> {
        self.perform(logs::ReadLog(query)).await
    }

    async fn metrics(&self, query: MetricsQuery) -> Result<Vec<IntervalMetrics>> {
        self.perform(metrics::ReadMetrics(query)).await
    }

    async fn properties(&self, scope: ScriptScope) -> Result<BTreeMap<String, String>> {
        self.perform(storage::ReadProperties(scope)).await
    }

    async fn set_properties(
        &self,
        scope: ScriptScope,
        values: BTreeMap<String, Option<String>>,
        replace: bool,
        limit: usize,
    ) -> Result<()> {
        self.perform(storage::SetProperties { scope, values, replace, limit }).await
    }

    async fn cached(&self, scope: ScriptScope, names: Vec<String>, now: Millis) -> Result<Vec<Option<String>>> {
        self.perform(storage::ReadCached(scope, names, now)).await
    }

    async fn put_cached(
        &self,
        scope: ScriptScope,
        values: Vec<(String, Option<String>)>,
        now: Millis,
        expires: Millis,
    ) -> Result<()> {
        self.perform(storage::PutCached { scope, values, now, expires }).await
    }

    async fn lock_script(&self, scope: ScriptScope, holder: i64, machine: Millis, until: Millis) -> Result<bool> {
        self.perform(storage::AcquireLock { scope, holder, system_time: machine, until }).await
    }

    async fn unlock_script(&self, scope: ScriptScope, holder: i64) -> Result<()> {
        self.perform(storage::ReleaseLock(scope, holder)).await
    }

    async fn add_trigger(&self, trigger: NewTrigger, limit: usize, now: Millis) -> Result<Trigger> {
        self.perform(triggers::AddTrigger { trigger, limit, now }).await
    }

    async fn triggers(&self, project: ProjectNumber) -> Result<Vec<Trigger>> {
        self.perform(triggers::ListTriggers(project)).await
    }

    async fn remove_trigger(&self, project: ProjectNumber, user: Mailbox, id: &str) -> Result<bool> {
        self.perform(triggers::RemoveTrigger(project, user, id.to_owned())).await
    }

    async fn lease_triggers(&self, lease: TriggerLeaseQuery) -> Result<Vec<LeasedTrigger>> {
        self.perform(triggers::LeaseTriggers(lease)).await
    }

    async fn settle_trigger(&self, trigger: &LeasedTrigger, due: Option<Millis>) -> Result<bool> {
        self.perform(triggers::SettleTrigger { number: trigger.trigger.number, lease: trigger.lease, due }).await
    }
}
