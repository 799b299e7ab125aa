//! Commands of script projects.

mod executions;
mod files;
mod folder;
mod logs;
mod triggers;

use serde_json::json;
use wireform_store::{AnyStore, Clock, Error, Mailbox, Project, Scripts as _};

use crate::accounts;
use crate::cli::Scripts;
use crate::output;
use crate::settings::script::role_name;
use crate::settings::value::format_instant;

/// Runs a command of script projects.
pub async fn run(store: &AnyStore, clock: &Clock, command: Scripts) -> anyhow::Result<()> {
    match command {
        Scripts::List { user, listing } => list(store, user, listing.json).await,
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
        Scripts::Runs { id, limit, listing } => executions::list(store, &id, limit, listing.json).await,
        Scripts::Cancel { id, number } => executions::cancel(store, clock, &id, number).await,
        Scripts::Logs { id, execution, follow, limit } => {
            let (project, execution) = match execution {
                Some(number) => {
                    let (project, number) = executions::find_execution(store, &id, number).await?;
                    (project, Some(number))
                }
                None => (find(store, &id).await?.number, None),
            };
            logs::print_log(store, project, execution, limit, follow).await
        }
        Scripts::Push { folder, user } => folder::push(store, clock, &folder, &user).await,
        Scripts::Pull { id, folder, user, overwrite } => folder::pull(store, &id, &folder, &user, overwrite).await,
        Scripts::Watch { folder, user } => folder::watch(store, clock, &folder, &user).await,
        Scripts::Run { id, function, user, parameters, kind } => {
            let parameters = parameters.map(|list| list.to_vec()).unwrap_or_default();
            executions::run(store, clock, (&id, &user), kind, (function, parameters)).await
        }
        Scripts::Triggers { id, listing } => triggers::list(store, &id, listing.json).await,
        Scripts::Schedule { id, function, user, times, time_zone } => {
            let schedule = (*times).schedule(time_zone.as_deref());
            triggers::add(store, clock, (&id, &user), &function, schedule).await
        }
        Scripts::Unschedule { id, trigger } => triggers::remove(store, &id, &trigger).await,
        Scripts::Executions { state } => executions::enable(store, clock, state.0).await,
        Scripts::Retention { time } => executions::set_retention(store, time).await,
        Scripts::Remove { id } => {
            store.remove_project(&id).await?;
            output::write_line(&format!("the project {id} is removed"))
        }
    }
}

/// Lists the projects, or those of a user.
async fn list(store: &AnyStore, user: Option<String>, as_json: bool) -> anyhow::Result<()> {
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
    output::write_list(as_json, ["id", "owner", "title", "updated"], &items)
}

/// Returns the project with an identifier.
async fn find(store: &AnyStore, id: &str) -> anyhow::Result<Project> {
    let found = store.find_project(id, Mailbox(0)).await?;
    Ok(found.map(|(project, _)| project).ok_or_else(|| Error::not_found("project", id))?)
}
