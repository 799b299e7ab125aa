//! Commands of script projects.

mod files;
mod folder;
mod logs;

use serde_json::json;
use wireform_script::states;
use wireform_server::wireform_runtime::json as encoded;
use wireform_store::{
    AnyStore, Clock, Error, ExecutionFilter, ExecutionQuery, ExecutionScope, Mailbox, Maintenance as _, Project,
    Scripts as _,
};

use crate::accounts;
use crate::cli::Scripts;
use crate::output;
use crate::service;
use crate::settings::script::role_name;
use crate::settings::value::{format_duration, format_instant};

/// Key of the note in the store that holds the retention of executions, in milliseconds.
const RETENTION: &str = "script-retention";

/// Runs a command of script projects.
pub async fn run(store: &AnyStore, clock: &Clock, command: Scripts) -> anyhow::Result<()> {
    match command {
        Scripts::List { user, listing } => {
            let of = match user {
                Some(address) => Some(accounts::user(store, &address).await?.mailbox),
                None => None,
            };
            let address = accounts::addresses(store).await?;
            let row = |one: Project| {
                let updated = format_instant(one.updated);
                json!({ "id": one.id, "owner": address(one.owner), "title": one.title, "updated": updated })
            };
            let items: Vec<_> = store.projects(of).await?.into_iter().map(row).collect();
            output::write_list(listing.json, ["id", "owner", "title", "updated"], &items)
        }
        Scripts::Rename { id, title } => {
            let project = find(store, &id).await?;
            store.set_project_title(project.number, title, project.owner, clock.now()).await?;
            output::write_line(&format!("the project {id} is renamed"))
        }
        Scripts::Share { id, user, role } => {
            let project = find(store, &id).await?;
            let with = accounts::user(store, &user).await?.mailbox;
            store.share_project(project.number, with, role, clock.now()).await?;
            output::write_line(&format!("the project {id} is shared with {user}: {}", role_name(role)))
        }
        Scripts::Shares { id, listing } => {
            let shares = store.project_shares(find(store, &id).await?.number).await?.into_iter();
            let row = |share: wireform_store::ScriptShare| json!({ "user": share.address, "role": role_name(Some(share.role)) });
            output::write_list(listing.json, ["user", "role"], &shares.map(row).collect::<Vec<_>>())
        }
        Scripts::Runs { id, limit, listing } => runs(store, &id, limit, listing.json).await,
        Scripts::Logs { id, execution, follow, limit } => {
            let project = find(store, &id).await?.number;
            logs::print_log(store, project, execution, limit.clamp(1, 10_000), follow).await
        }
        Scripts::Push { folder, user } => folder::push(store, clock, &folder, &user).await,
        Scripts::Pull { id, folder, user, overwrite } => folder::pull(store, &id, &folder, &user, overwrite).await,
        Scripts::Watch { folder, user } => folder::watch(store, clock, &folder, &user).await,
        Scripts::Run { id, function, user, parameters, kind } => {
            let user = accounts::user(store, &user).await?;
            let scripts = service::Scripts::for_command(store, clock).await?;
            let parameters = parameters.map(|list| list.to_vec()).unwrap_or_default();
            let done = scripts.service.run_as(&user, &id, kind, (function, parameters)).await;
            scripts.end().await;
            let done = done.map_err(|error| anyhow::anyhow!("{}", error.message()))?;
            output::write_line(&encoded::to_string(&done)?)
        }
        Scripts::Triggers { id, listing } => {
            let address = accounts::addresses(store).await?;
            let triggers = store.triggers(find(store, &id).await?.number).await?.into_iter();
            let row = |one: wireform_store::Trigger| {
                let settings = one.settings;
                let due = settings.due.map(format_instant);
                json!({ "id": one.id, "user": address(settings.user), "function": settings.function, "due": due })
            };
            output::write_list(listing.json, ["id", "user", "function", "due"], &triggers.map(row).collect::<Vec<_>>())
        }
        Scripts::Schedule { id, function, user, times, time_zone } => {
            let user = accounts::user(store, &user).await?;
            let scripts = service::Scripts::for_command(store, clock).await?;
            let schedule = (*times).schedule(time_zone.as_deref());
            let added = scripts.service.add_trigger_as(&user, &id, &function, schedule).await;
            scripts.end().await;
            let added = added.map_err(|error| anyhow::anyhow!("{}", error.message()))?;
            let due = added.settings.due.map_or_else(|| "never".to_owned(), format_instant);
            output::write_line(&format!("the trigger {} runs {function} first at {due}", added.id))
        }
        Scripts::Unschedule { id, trigger } => {
            let project = find(store, &id).await?.number;
            let known = store.triggers(project).await?.into_iter().find(|one| one.id == trigger);
            let user = known.ok_or_else(|| Error::not_found("trigger", &trigger))?.settings.user;
            store.remove_trigger(project, user, &trigger).await?;
            output::write_line(&format!("the trigger {trigger} is removed"))
        }
        Scripts::Executions { state } => {
            let scripts = service::Scripts::for_command(store, clock).await?;
            scripts.service.enable_executions(state.0).await?;
            scripts.end().await;
            output::write_line(if state.0 { "scripts may run" } else { "scripts may not run" })
        }
        Scripts::Retention { time } => {
            let believed = store.note(RETENTION).await?;
            let millis = time.as_millis().to_string();
            anyhow::ensure!(
                store.set_note(RETENTION, believed.as_deref(), &millis).await?,
                "the retention was changed at the same time; help: try again"
            );
            output::write_line(&format!("executions are kept: {}", format_duration(time)))
        }
        Scripts::Remove { id } => {
            store.remove_project(&id).await?;
            output::write_line(&format!("the project {id} is removed"))
        }
    }
}

/// Lists executions.
async fn runs(store: &AnyStore, id: &str, limit: u32, as_json: bool) -> anyhow::Result<()> {
    let scope = ExecutionScope::Project(find(store, id).await?.number);
    let query =
        ExecutionQuery { scope, filter: ExecutionFilter::default(), after: None, limit: limit.clamp(1, 10_000) };
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

/// Returns the project with an identifier.
async fn find(store: &AnyStore, id: &str) -> anyhow::Result<Project> {
    let found = store.find_project(id, Mailbox(0)).await?;
    Ok(found.map(|(project, _)| project).ok_or_else(|| Error::not_found("project", id))?)
}
