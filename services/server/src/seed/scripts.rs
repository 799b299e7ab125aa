//! Script projects of a seed.

use script_server::types::{File, FileType};
use serde_saphyr::Location;
use wireform_script::manifest;
use wireform_script::schedule::Schedule;
use wireform_store::ScriptRole;

use super::format;
use super::values::Errors;
use crate::settings::script as parse;

/// Script project.
pub struct ScriptPlan {
    /// Location of the title.
    pub at: Location,
    pub title: String,
    pub files: Vec<File>,
    pub deployed: bool,
    /// Triggers, with the locations of their functions.
    pub triggers: Vec<(Location, String, Schedule)>,
    pub shares: Vec<(Location, String, ScriptRole)>,
}

/// Parses a script project, and adds its errors.
pub fn plan_script(script: format::Script, errors: &mut Errors) -> ScriptPlan {
    let manifest = script.manifest.map_or_else(manifest::default_source, |manifest| manifest.to_string());
    if let Err(reported) = manifest::parse(&manifest) {
        let message = format!("the manifest of `{}`: {}", script.title.value, reported.join("; "));
        errors.add(script.title.defined, message);
    }
    let file = |kind: FileType| {
        move |(name, source): (String, String)| {
            File::default().with_name(name).with_type(kind.clone()).with_source(source)
        }
    };
    let mut files = vec![file(FileType::Json)((manifest::NAME.to_owned(), manifest))];
    files.extend(script.files.into_iter().map(file(FileType::ServerJs)));
    files.extend(script.pages.into_iter().map(file(FileType::Html)));
    let mut shares = Vec::new();
    for (address, role) in script.shares {
        match errors.read(&role, parse::role) {
            Some(Some(known)) => shares.push((role.defined, address, known)),
            Some(None) => errors.invalid(&role, "must be reader, writer or owner"),
            None => {}
        }
    }
    let triggers = script.triggers.iter().filter_map(|trigger| plan_trigger(trigger, errors)).collect();
    let at = script.title.defined;
    ScriptPlan { at, title: script.title.value, files, deployed: script.deployed, triggers, shares }
}

fn plan_trigger(trigger: &format::Trigger, errors: &mut Errors) -> Option<(Location, String, Schedule)> {
    let schedule = match (&trigger.every, &trigger.cron, &trigger.at) {
        (Some(every), None, None) => errors.read(every, parse::every),
        (None, Some(cron), None) => errors.read(cron, parse::cron),
        (None, None, Some(at)) => errors.read(at, parse::at),
        _ => {
            errors.invalid(&trigger.function, "a trigger has exactly one of `every`, `cron` and `at`");
            None
        }
    };
    Some((trigger.function.defined, trigger.function.value.clone(), schedule?))
}
