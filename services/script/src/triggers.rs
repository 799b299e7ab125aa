//! Adding of time-based triggers.

use script_server::Error;
use wireform_store::{
    FileKind, Millis, NewTrigger, ProjectNumber, Result, ScriptFile, ScriptRole, Store, Trigger, User,
};

use crate::content::parse_functions;
use crate::schedule::Schedule;
use crate::{ScriptService, caller, error, manifest};

/// Maximum number of triggers of a user on a script.
const MAX_TRIGGERS: usize = 20;

/// Adds a trigger of a user with a role in the project; a schedule without a time zone uses that of the script.
pub(crate) async fn add_trigger<S: Store>(
    store: &S,
    now: Millis,
    (project, user): (ProjectNumber, &User),
    function: String,
    (schedule, time_zone): (Schedule, &str),
) -> std::result::Result<Result<Trigger>, String> {
    let schedule = schedule.in_time_zone(time_zone).starting(now);
    let due = schedule.first(now)?;
    let spec = serde_json::to_string(&schedule).map_err(|error| error.to_string())?;
    let trigger = NewTrigger { project, user: user.mailbox, function, spec, due: Some(due) };
    Ok(store.add_trigger(trigger, MAX_TRIGGERS, now).await)
}

impl<S: Store> ScriptService<S> {
    /// Adds a trigger of a user who can read the project. For programs.
    ///
    /// # Errors
    /// Returns a 404 if the user has no such project, a 400 for an invalid schedule or too many triggers, or an error
    /// of the store.
    pub async fn add_trigger_as(
        &self,
        user: &User,
        id: &str,
        function: &str,
        schedule: Schedule,
    ) -> std::result::Result<Trigger, Error> {
        let access = caller::access_of(&self.store, user.clone(), id, ScriptRole::Read).await?;
        let project = access.project.number;
        let mut files = self.store.content(project, None).await.map_err(error::from_store)?.unwrap_or_default();
        self.find_missing_functions(&mut files).await;
        if !may_have_function(&files, function) {
            let message = format!("the project has no function `{}`", function.escape_debug());
            return Err(Error::bad_request(message));
        }
        let manifest = files.into_iter().find(|file| file.kind == FileKind::Manifest);
        let zone = manifest.and_then(|file| manifest::parse_stored(&file.source).time_zone);
        let zone = zone.as_deref().unwrap_or("UTC");
        let now = self.clock.now();
        let added = add_trigger(&self.store, now, (project, user), function.to_owned(), (schedule, zone)).await;
        added.map_err(Error::bad_request)?.map_err(error::from_store)
    }
}

/// Returns whether files define a function. Files whose functions are unknown may define it.
fn may_have_function(files: &[ScriptFile], function: &str) -> bool {
    let scripts = files.iter().filter(|file| file.kind == FileKind::Script);
    let mut sets = scripts.map(|file| file.functions.as_deref().and_then(parse_functions));
    sets.any(|set| set.is_none_or(|set| set.values.iter().any(|known| known.name.as_deref() == Some(function))))
}
