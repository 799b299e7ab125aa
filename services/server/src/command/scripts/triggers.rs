//! Commands of triggers.

use serde_json::json;
use wireform_script::schedule::Schedule;
use wireform_store::{AnyStore, Clock, Error, Scripts as _, Trigger};

use super::find;
use crate::accounts;
use crate::output;
use crate::service;
use crate::settings::value::format_instant;

/// Lists the triggers of a project.
pub(super) async fn list(store: &AnyStore, id: &str, as_json: bool) -> anyhow::Result<()> {
    let address = accounts::addresses(store).await?;
    let triggers = store.triggers(find(store, id).await?.number).await?.into_iter();
    let row = |one: Trigger| {
        let settings = one.settings;
        let due = settings.due.map(format_instant);
        json!({ "id": one.id, "user": address(settings.user), "function": settings.function, "due": due })
    };
    output::write_list(as_json, ["id", "user", "function", "due"], &triggers.map(row).collect::<Vec<_>>())
}

/// Adds a trigger that runs a function of a project as a user.
pub(super) async fn add(
    store: &AnyStore,
    clock: &Clock,
    (id, user): (&str, &str),
    function: &str,
    schedule: Schedule,
) -> anyhow::Result<()> {
    let user = accounts::user(store, user).await?;
    let scripts = service::Scripts::for_command(store, clock).await?;
    let added = scripts.service.add_trigger_as(&user, id, function, schedule).await;
    scripts.end().await;
    let added = added.map_err(|error| anyhow::anyhow!("{}", error.message()))?;
    let due = added.settings.due.map_or_else(|| "never".to_owned(), format_instant);
    output::write_line(&format!("the trigger {} runs {function} first at {due}", added.id))
}

/// Removes a trigger of a project.
pub(super) async fn remove(store: &AnyStore, id: &str, trigger: &str) -> anyhow::Result<()> {
    let project = find(store, id).await?.number;
    let known = store.triggers(project).await?.into_iter().find(|one| one.id == trigger);
    let user = known.ok_or_else(|| Error::not_found("trigger", trigger))?.settings.user;
    store.remove_trigger(project, user, trigger).await?;
    output::write_line(&format!("the trigger {trigger} is removed"))
}
