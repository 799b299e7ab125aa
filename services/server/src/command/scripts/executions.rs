//! Commands of executions.

use std::time::Duration;

use serde_json::{Value, json};
use wireform_script::states;
use wireform_server::wireform_runtime::json as encoded;
use wireform_store::{
    AnyStore, Clock, ExecutionFilter, ExecutionNumber, ExecutionQuery, ExecutionScope, Maintenance as _, ProjectNumber,
    Scripts as _,
};

use super::find;
use crate::accounts;
use crate::output;
use crate::service;
use crate::settings::script::Kind;
use crate::settings::value::{format_duration, format_instant};

/// Key of the note in the store that holds the retention of executions, in milliseconds.
const RETENTION: &str = "script-retention";

/// Lists the last executions of a project.
pub(super) async fn list(store: &AnyStore, id: &str, limit: u32, as_json: bool) -> anyhow::Result<()> {
    let scope = ExecutionScope::Project(find(store, id).await?.number);
    let query = ExecutionQuery { scope, filter: ExecutionFilter::default(), after: None, limit };
    let address = accounts::addresses(store).await?;
    let row = |one: wireform_store::Execution| {
        let seconds = one.ended.map(|ended| (ended.0 - one.started.0).max(0).cast_unsigned());
        json!({
            "number": one.number.0,
            "started": format_instant(one.started),
            "status": states::status(one.status).to_string(),
            "type": states::kind(one.kind).to_string(),
            "function": one.function,
            "user": address(one.user),
            "milliseconds": seconds.map(|millis| millis.to_string()),
        })
    };
    let items: Vec<_> = store.executions(query).await?.executions.into_iter().map(row).collect();
    output::write_list(as_json, ["number", "started", "status", "type", "function", "user", "milliseconds"], &items)
}

/// Runs a function of a project as a user, and prints the operation.
pub(super) async fn run(
    store: &AnyStore,
    clock: &Clock,
    (id, user): (&str, &str),
    kind: Kind,
    call: (String, Vec<Value>),
) -> anyhow::Result<()> {
    let user = accounts::user(store, user).await?;
    let scripts = service::Scripts::for_command(store, clock).await?;
    let done = scripts.service.run_as(&user, id, kind, call).await;
    scripts.end().await;
    let done = done.map_err(|error| anyhow::anyhow!("{}", error.message()))?;
    output::write_line(&encoded::to_string(&done)?)
}

/// Cancels an execution of a project.
pub(super) async fn cancel(store: &AnyStore, clock: &Clock, id: &str, number: i64) -> anyhow::Result<()> {
    let (project, execution) = find_execution(store, id, number).await?;
    if let Some(status) = wireform_script::cancel_execution(store, clock, project, execution).await? {
        anyhow::bail!("the execution `{number}` has ended: {status}");
    }
    output::write_line(&format!("the execution {number} is cancelled"))
}

/// Finds an execution of a project.
pub(super) async fn find_execution(
    store: &AnyStore,
    id: &str,
    number: i64,
) -> anyhow::Result<(ProjectNumber, ExecutionNumber)> {
    let project = find(store, id).await?.number;
    let found = store.execution(ExecutionNumber(number)).await?.filter(|execution| execution.project == project);
    anyhow::ensure!(found.is_some(), "project `{id}` has no execution `{number}`");
    Ok((project, ExecutionNumber(number)))
}

/// Enables or disables executions.
pub(super) async fn enable(store: &AnyStore, clock: &Clock, enabled: bool) -> anyhow::Result<()> {
    let scripts = service::Scripts::for_command(store, clock).await?;
    scripts.service.enable_executions(enabled).await?;
    scripts.end().await;
    output::write_line(if enabled { "executions are enabled" } else { "executions are disabled" })
}

/// Sets how long executions are kept.
pub(super) async fn set_retention(store: &AnyStore, time: Duration) -> anyhow::Result<()> {
    let believed = store.note(RETENTION).await?;
    let millis = time.as_millis().to_string();
    anyhow::ensure!(
        store.set_note(RETENTION, believed.as_deref(), &millis).await?,
        "the retention was changed at the same time; help: try again"
    );
    output::write_line(&format!("executions are kept: {}", format_duration(time)))
}
