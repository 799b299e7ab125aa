//! Lists of executions.

use script_server::runtime::tokens::expired_page;
use script_server::runtime::wireform_runtime::DateTime;
use script_server::runtime::{ListResult, wireform_runtime::Paginated};
use script_server::types::{ProcessStatus, ProcessType, UserAccessLevel};
use script_server::{Context, Error, requests, types};
use serde_derive::{Deserialize, Serialize};
use wireform_store::{
    Epoch, Error as StoreError, Execution, ExecutionCursor, ExecutionFilter, ExecutionNumber, ExecutionPage,
    ExecutionQuery, ExecutionScope, Millis, ProjectNumber, ScriptRole, Store, User,
};

use crate::{ScriptService, caller, error, states, times, versions};

/// Start of a page.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct PageStart {
    epoch: Epoch,
    started: i64,
    number: i64,
    /// Project that the list is filtered by.
    project: Option<i64>,
}

impl PageStart {
    fn into_cursor(self) -> ExecutionCursor {
        let Self { epoch, started, number, .. } = self;
        ExecutionCursor { epoch, started: Millis(started), number: ExecutionNumber(number) }
    }
}

/// Projects whose executions a list has.
#[derive(Debug, Clone, Copy)]
enum Projects {
    /// All in the scope of the list.
    All,
    /// The one that the request names, or whose deployment it names.
    One(ProjectNumber),
    /// None: what the request names does not exist.
    None,
}

/// Filter of a request, of either list.
struct Filter<'a> {
    title: Option<String>,
    function: Option<String>,
    start: Option<&'a DateTime>,
    end: Option<&'a DateTime>,
    statuses: &'a [ProcessStatus],
    types: &'a [ProcessType],
    levels: &'a [UserAccessLevel],
}

impl Filter<'_> {
    /// Converts the filter. Bounds are inclusive, and empty values do not filter.
    fn into_filter(self) -> ExecutionFilter {
        ExecutionFilter {
            project: None,
            title: self.title.filter(|text| !text.is_empty()),
            function: self.function.filter(|text| !text.is_empty()),
            statuses: numbers(self.statuses, states::status_number),
            kinds: numbers(self.types, states::kind_number),
            access: numbers(self.levels, states::level_number),
            from: self.start.and_then(times::millis_at_or_after),
            until: self.end.and_then(times::millis_at_or_before),
        }
    }
}

/// Returns the stored numbers of filter values. The number of an unspecified value is 0, which no execution has.
fn numbers<T>(values: &[T], number: fn(&T) -> Option<i64>) -> Vec<i64> {
    values.iter().map(|value| number(value).unwrap_or_default()).collect()
}

impl<S: Store> ScriptService<S> {
    /// Lists the executions of the caller, over all scripts.
    pub(crate) async fn list_processes(
        &self,
        request: requests::ProcessesList,
        context: &Context,
    ) -> ListResult<requests::ProcessesList> {
        let user = caller::user(&self.store, context).await?;
        let scope = ExecutionScope::User(user.mailbox);
        let mut filter = Filter {
            title: request.project_name.clone(),
            function: request.function_name.clone(),
            start: request.start_time.as_ref(),
            end: request.end_time.as_ref(),
            statuses: &request.statuses,
            types: &request.types,
            levels: &request.user_access_levels,
        }
        .into_filter();
        let start: Option<PageStart> = self.sealer.open_page(context, &request)?;
        let projects = match start.and_then(|start| start.project) {
            Some(project) => Projects::One(ProjectNumber(project)),
            None => {
                let named = self.named_project(request.script_id.as_deref(), &user).await?;
                self.narrow_to_deployment(named, request.deployment_id.as_deref()).await?
            }
        };
        if let Projects::One(project) = projects {
            filter.project = Some(project);
        }
        let tag = context.list_tag(&request, self.revision(scope, projects).await?);
        if let Some(listed) = tag.not_modified() {
            return Ok(listed);
        }
        let (after, limit) = (start.map(PageStart::into_cursor), versions::page_size(request.page_size));
        let query = ExecutionQuery { scope, filter, after, limit };
        let page = self.read_page(&request, context, query, projects).await?;
        let response = types::ListUserProcessesResponse {
            next_page_token: self.next_page_token(&request, context, &page, projects)?,
            processes: page.executions.into_iter().map(show).collect(),
        };
        Ok(tag.reply(response))
    }

    /// Lists the executions of a script by all users.
    pub(crate) async fn list_processes_of_script(
        &self,
        request: requests::ProcessesListScriptProcesses,
        context: &Context,
    ) -> ListResult<requests::ProcessesListScriptProcesses> {
        let access = caller::access(&self.store, context, &request.script_id, ScriptRole::Read).await?;
        let scope = ExecutionScope::Project(access.project.number);
        let filter = Filter {
            title: None,
            function: request.function_name.clone(),
            start: request.start_time.as_ref(),
            end: request.end_time.as_ref(),
            statuses: &request.statuses,
            types: &request.types,
            levels: &request.user_access_levels,
        }
        .into_filter();
        let start: Option<PageStart> = self.sealer.open_page(context, &request)?;
        let script = Projects::One(access.project.number);
        let projects = match start {
            Some(_) => script,
            None => self.narrow_to_deployment(script, request.deployment_id.as_deref()).await?,
        };
        let tag = context.list_tag(&request, self.revision(scope, projects).await?);
        if let Some(listed) = tag.not_modified() {
            return Ok(listed);
        }
        let (after, limit) = (start.map(PageStart::into_cursor), versions::page_size(request.page_size));
        let query = ExecutionQuery { scope, filter, after, limit };
        let page = self.read_page(&request, context, query, projects).await?;
        let response = types::ListScriptProcessesResponse {
            next_page_token: self.next_page_token(&request, context, &page, projects)?,
            processes: page.executions.into_iter().map(show).collect(),
        };
        Ok(tag.reply(response))
    }

    /// Returns the project with an identifier, or all if none is given.
    async fn named_project(&self, id: Option<&str>, user: &User) -> Result<Projects, Error> {
        let Some(id) = id.filter(|id| !id.is_empty()) else { return Ok(Projects::All) };
        // This includes projects that the user has lost access to: the executions belong to the user.
        let found = self.store.find_project(id, user.mailbox).await.map_err(error::from_store)?;
        Ok(found.map_or(Projects::None, |(project, _)| Projects::One(project.number)))
    }

    /// Narrows projects to the one with a deployment, if one is given.
    async fn narrow_to_deployment(&self, projects: Projects, id: Option<&str>) -> Result<Projects, Error> {
        let Some(id) = id.filter(|id| !id.is_empty()) else { return Ok(projects) };
        let found = self.store.project_of_deployment(id).await.map_err(error::from_store)?;
        Ok(match (projects, found) {
            (Projects::All, Some(found)) => Projects::One(found),
            (Projects::One(named), Some(found)) if named == found => Projects::One(found),
            _ => Projects::None,
        })
    }

    /// Returns a revision of the list of executions in a scope, which differs after each change. It does not need the
    /// filter and the page: a client sends the tag of the same list that it has read. But the projects of the list
    /// depend on what exists besides executions.
    async fn revision(&self, scope: ExecutionScope, projects: Projects) -> Result<String, Error> {
        let (epoch, changes) = self.store.execution_changes(scope).await.map_err(error::from_store)?;
        Ok(format!("{epoch:?}-{changes}-{projects:?}"))
    }

    /// Reads a page of executions.
    async fn read_page<R: Paginated>(
        &self,
        request: &R,
        context: &Context,
        query: ExecutionQuery,
        projects: Projects,
    ) -> Result<ExecutionPage, Error> {
        if matches!(projects, Projects::None) {
            return Ok(ExecutionPage { executions: Vec::new(), next: None });
        }
        self.store.executions(query).await.map_err(|error| match error {
            StoreError::EpochEnded => expired_page(context, request),
            error => error::from_store(error),
        })
    }

    /// Returns the token of the next page. The projects of a list are the same on all of its pages, even if the
    /// deployment that selects them is deleted meanwhile.
    fn next_page_token<R: Paginated>(
        &self,
        request: &R,
        context: &Context,
        page: &ExecutionPage,
        projects: Projects,
    ) -> Result<Option<String>, Error> {
        let project = match projects {
            Projects::One(project) => Some(project.0),
            Projects::All | Projects::None => None,
        };
        let seal = |next: ExecutionCursor| {
            let page_start = PageStart { epoch: next.epoch, started: next.started.0, number: next.number.0, project };
            self.sealer.seal_page(context, request, &page_start)
        };
        page.next.map(seal).transpose()
    }
}

/// Returns an execution for responses. The duration is omitted until the execution has ended: otherwise the response
/// would change each time while its entity tag stays the same.
fn show(execution: Execution) -> types::Process {
    let mut response = types::Process::default()
        .with_project_name(execution.title)
        .with_function_name(execution.function)
        .with_process_type(states::kind(execution.kind))
        .with_process_status(states::status(execution.status))
        .with_start_time(times::to_date_time(execution.started))
        .with_user_access_level(states::level(execution.access))
        .with_runtime_version(states::runtime(execution.runtime));
    response.duration = execution.ended.and_then(|ended| times::duration_between(execution.started, ended));
    response
}
