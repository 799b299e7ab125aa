//! Lists of executions.

use script_server::runtime::tokens::expired_page;
use script_server::runtime::wireform_runtime::DateTime;
use script_server::runtime::{ListResult, wireform_runtime::Paginated};
use script_server::types::{ProcessStatus, ProcessType, UserAccessLevel};
use script_server::{Context, Error, requests, types};
use serde_derive::{Deserialize, Serialize};
use wireform_store::{
    Epoch, Error as StoreError, Execution, ExecutionCursor, ExecutionFilter, ExecutionNumber, ExecutionPage,
    ExecutionQuery, ExecutionScope, Millis, ScriptRole, Store,
};

use crate::{ScriptService, caller, error, states, times, versions};

/// Start of a page.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct PageStart {
    epoch: Epoch,
    started: i64,
    number: i64,
}

/// Filter of a request, of either list.
struct Filter<'a> {
    deployment: Option<String>,
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
    fn read(self) -> ExecutionFilter {
        let given = |text: Option<String>| text.filter(|text| !text.is_empty());
        ExecutionFilter {
            project: None,
            deployment: given(self.deployment),
            title: given(self.title),
            function: given(self.function),
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
            deployment: request.deployment_id.clone(),
            title: request.project_name.clone(),
            function: request.function_name.clone(),
            start: request.start_time.as_ref(),
            end: request.end_time.as_ref(),
            statuses: &request.statuses,
            types: &request.types,
            levels: &request.user_access_levels,
        }
        .read();
        let tag = context.list_tag(&request, self.revision(scope).await?);
        if let Some(listed) = tag.not_modified() {
            return Ok(listed);
        }
        let mut response = types::ListUserProcessesResponse::default();
        if let Some(id) = request.script_id.as_deref().filter(|id| !id.is_empty()) {
            // This includes projects that the user has lost access to: the executions belong to the user.
            let found = self.store.find_project(id, user.mailbox).await.map_err(error::from_store)?;
            let Some((project, _)) = found else { return Ok(tag.reply(response)) };
            filter.project = Some(project.number);
        }
        let page = self.read_page(&request, context, (scope, filter, request.page_size)).await?;
        response.next_page_token = self.next_page_token(&request, context, &page)?;
        response.processes = page.executions.into_iter().map(show).collect();
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
            deployment: request.deployment_id.clone(),
            title: None,
            function: request.function_name.clone(),
            start: request.start_time.as_ref(),
            end: request.end_time.as_ref(),
            statuses: &request.statuses,
            types: &request.types,
            levels: &request.user_access_levels,
        }
        .read();
        let tag = context.list_tag(&request, self.revision(scope).await?);
        if let Some(listed) = tag.not_modified() {
            return Ok(listed);
        }
        let page = self.read_page(&request, context, (scope, filter, request.page_size)).await?;
        let response = types::ListScriptProcessesResponse {
            next_page_token: self.next_page_token(&request, context, &page)?,
            processes: page.executions.into_iter().map(show).collect(),
        };
        Ok(tag.reply(response))
    }

    /// Returns a revision of the list of executions in a scope, which differs after each change. It does not need the
    /// filter and the page: a client sends the tag of the same list that it has read.
    async fn revision(&self, scope: ExecutionScope) -> Result<String, Error> {
        let (epoch, changes) = self.store.execution_changes(scope).await.map_err(error::from_store)?;
        Ok(format!("{epoch:?}-{changes}"))
    }

    /// Reads a page of executions, from the page token of the request on.
    async fn read_page<R: Paginated>(
        &self,
        request: &R,
        context: &Context,
        (scope, filter, page_size): (ExecutionScope, ExecutionFilter, Option<i64>),
    ) -> Result<ExecutionPage, Error> {
        let page_start: Option<PageStart> = self.sealer.open_page(context, request)?;
        let after = page_start.map(|PageStart { epoch, started, number }| ExecutionCursor {
            epoch,
            started: Millis(started),
            number: ExecutionNumber(number),
        });
        let query = ExecutionQuery { scope, filter, after, limit: versions::page_size(page_size) };
        self.store.executions(query).await.map_err(|error| match error {
            StoreError::EpochEnded => expired_page(context, request),
            error => error::from_store(error),
        })
    }

    fn next_page_token<R: Paginated>(
        &self,
        request: &R,
        context: &Context,
        page: &ExecutionPage,
    ) -> Result<Option<String>, Error> {
        let seal = |next: ExecutionCursor| {
            let page_start = PageStart { epoch: next.epoch, started: next.started.0, number: next.number.0 };
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
