//! Executions are listed.

use script_server::runtime::tokens::expired_page;
use script_server::runtime::wireform_runtime::DateTime;
use script_server::runtime::{ListResult, wireform_runtime::Paged};
use script_server::types::{ProcessStatus, ProcessType, UserAccessLevel};
use script_server::{Context, Error, requests, types};
use serde_derive::{Deserialize, Serialize};
use wireform_store::{
    Epoch, Error as StoreError, Execution, ExecutionFilter, ExecutionNumber, ExecutionPage, ExecutionPlace,
    ExecutionQuery, ExecutionScope, Millis, ScriptRole, Store,
};

use crate::{ScriptService, caller, fault, states, times, versions};

/// Where a page begins.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Place {
    epoch: Epoch,
    started: i64,
    number: i64,
}

/// The filter of a request, whichever list it is for.
struct Filter<'a> {
    prefix: &'static str,
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
    /// Bounds are inclusive; names are contained. What is empty says nothing.
    fn read(self) -> Result<ExecutionFilter, Error> {
        let given = |text: Option<String>| text.filter(|text| !text.is_empty());
        let place = |name: &str| match (self.prefix, name) {
            ("user", "statuses") => "userProcessFilter.statuses",
            ("user", "types") => "userProcessFilter.types",
            ("user", _) => "userProcessFilter.userAccessLevels",
            (_, "statuses") => "scriptProcessFilter.statuses",
            (_, "types") => "scriptProcessFilter.types",
            _ => "scriptProcessFilter.userAccessLevels",
        };
        let statuses = numbers(self.statuses, states::status_number, place("statuses"))?;
        let kinds = numbers(self.types, states::kind_number, place("types"))?;
        let access = numbers(self.levels, states::level_number, place("levels"))?;
        Ok(ExecutionFilter {
            project: None,
            deployment: given(self.deployment),
            title: given(self.title),
            function: given(self.function),
            statuses,
            kinds,
            access,
            from: self.start.and_then(times::after),
            until: self.end.and_then(times::before),
        })
    }
}

/// Returns the numbers of what a filter names; what stands for nothing cannot be asked for.
fn numbers<T: std::fmt::Display>(
    named: &[T],
    number: fn(&T) -> Option<i64>,
    parameter: &'static str,
) -> Result<Vec<i64>, Error> {
    let read = |one: &T| {
        let message = || format!("`{one}` is no value that an execution can have");
        number(one).ok_or_else(|| fault::invalid_parameter(parameter, message()))
    };
    named.iter().map(read).collect()
}

impl<S: Store> ScriptService<S> {
    /// Lists the executions of the one who asks, over all scripts.
    pub(crate) async fn list_processes(
        &self,
        request: requests::ProcessesList,
        context: &Context,
    ) -> ListResult<requests::ProcessesList> {
        let user = caller::user(&self.store, context).await?;
        let scope = ExecutionScope::User(user.mailbox);
        let mut filter = Filter {
            prefix: "user",
            deployment: request.deployment_id.clone(),
            title: request.project_name.clone(),
            function: request.function_name.clone(),
            start: request.start_time.as_ref(),
            end: request.end_time.as_ref(),
            statuses: &request.statuses,
            types: &request.types,
            levels: &request.user_access_levels,
        }
        .read()?;
        let tag = context.list_tag(&request, self.changes(scope).await?);
        if let Some(listed) = tag.not_modified() {
            return Ok(listed);
        }
        let mut answer = types::ListUserProcessesResponse::default();
        if let Some(id) = request.script_id.as_deref().filter(|id| !id.is_empty()) {
            // Also that of a project the user has no right to any more: the executions are theirs.
            let found = self.store.find_project(id, user.mailbox).await.map_err(fault::answer)?;
            let Some((project, _)) = found else { return Ok(tag.reply(answer)) };
            filter.project = Some(project.number);
        }
        let page = self.page(&request, context, (scope, filter, request.page_size)).await?;
        answer.next_page_token = self.next(&request, context, &page)?;
        answer.processes = page.executions.into_iter().map(show).collect();
        Ok(tag.reply(answer))
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
            prefix: "script",
            deployment: request.deployment_id.clone(),
            title: None,
            function: request.function_name.clone(),
            start: request.start_time.as_ref(),
            end: request.end_time.as_ref(),
            statuses: &request.statuses,
            types: &request.types,
            levels: &request.user_access_levels,
        }
        .read()?;
        let tag = context.list_tag(&request, self.changes(scope).await?);
        if let Some(listed) = tag.not_modified() {
            return Ok(listed);
        }
        let page = self.page(&request, context, (scope, filter, request.page_size)).await?;
        let answer = types::ListScriptProcessesResponse {
            next_page_token: self.next(&request, context, &page)?,
            processes: page.executions.into_iter().map(show).collect(),
        };
        Ok(tag.reply(answer))
    }

    /// Returns what differs after each change of a list. Filters and pages need not be in it: a client shows the tag of the
    /// very list that it has read.
    async fn changes(&self, scope: ExecutionScope) -> Result<String, Error> {
        let (epoch, changes) = self.store.execution_changes(scope).await.map_err(fault::answer)?;
        Ok(format!("{epoch:?}-{changes}"))
    }

    async fn page<R: Paged>(
        &self,
        request: &R,
        context: &Context,
        (scope, filter, size): (ExecutionScope, ExecutionFilter, Option<i64>),
    ) -> Result<ExecutionPage, Error> {
        let place: Option<Place> = self.sealer.open_page(context, request)?;
        let after = place.map(|Place { epoch, started, number }| ExecutionPlace {
            epoch,
            started: Millis(started),
            number: ExecutionNumber(number),
        });
        let query = ExecutionQuery { scope, filter, after, limit: versions::size(size) };
        self.store.executions(query).await.map_err(|error| match error {
            StoreError::EpochEnded => expired_page(context, request),
            error => fault::answer(error),
        })
    }

    fn next<R: Paged>(&self, request: &R, context: &Context, page: &ExecutionPage) -> Result<Option<String>, Error> {
        let seal = |next: ExecutionPlace| {
            let place = Place { epoch: next.epoch, started: next.started.0, number: next.number.0 };
            self.sealer.seal_page(context, request, &place)
        };
        page.next.map(seal).transpose()
    }
}

/// Returns an execution as the API shows it. How long it takes is known when it has ended: until then the answer would be
/// another one each time, and its entity tag the same.
fn show(execution: Execution) -> types::Process {
    let mut shown = types::Process::default()
        .with_project_name(execution.title)
        .with_function_name(execution.function)
        .with_process_type(states::kind(execution.kind))
        .with_process_status(states::status(execution.status))
        .with_start_time(times::time(execution.started))
        .with_user_access_level(states::level(execution.access))
        .with_runtime_version(states::runtime(execution.runtime));
    shown.duration = execution.ended.and_then(|ended| times::between(execution.started, ended));
    shown
}
