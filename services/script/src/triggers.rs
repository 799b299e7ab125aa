//! Triggers are added.

use script_server::Error;
use wireform_store::{FileKind, Millis, NewTrigger, ProjectNumber, Result, ScriptRole, Store, Trigger, User};

use crate::schedule::Schedule;
use crate::{ScriptService, caller, fault, manifest};

/// A user has at most so many triggers on a script.
const TRIGGERS: usize = 20;

/// Adds a trigger of a user with a role on the project; a schedule without a time zone is in that of the script.
pub(crate) async fn add<S: Store>(
    store: &S,
    now: Millis,
    (project, user): (ProjectNumber, &User),
    function: String,
    (schedule, time_zone): (Schedule, &str),
) -> std::result::Result<Result<Trigger>, String> {
    let schedule = schedule.within(time_zone).starting(now);
    let due = schedule.first(now)?;
    let spec = serde_json::to_string(&schedule).map_err(|error| error.to_string())?;
    let trigger = NewTrigger { project, user: user.mailbox, function, spec, due: Some(due) };
    Ok(store.add_trigger(trigger, TRIGGERS, now).await)
}

impl<S: Store> ScriptService<S> {
    /// Adds a trigger of a user who can read the project, for programs.
    ///
    /// # Errors
    /// 404 where there is no such project for the user, 400 for a schedule that makes no sense or a trigger too many, and
    /// what the store could not do.
    pub async fn add_trigger_as(
        &self,
        user: &User,
        id: &str,
        function: &str,
        schedule: Schedule,
    ) -> std::result::Result<Trigger, Error> {
        let access = caller::access_of(&self.store, user.clone(), id, ScriptRole::Read).await?;
        let project = access.project.number;
        let files = self.store.content(project, None).await.map_err(fault::answer)?.unwrap_or_default();
        let manifest = files.into_iter().find(|file| file.kind == FileKind::Manifest);
        let zone = manifest.and_then(|file| manifest::stored(&file.source).time_zone);
        let zone = zone.as_deref().unwrap_or("UTC");
        let now = self.clock.now();
        let added = add(&self.store, now, (project, user), function.to_owned(), (schedule, zone)).await;
        added.map_err(Error::bad_request)?.map_err(fault::answer)
    }
}
