//! Script projects of a seed.

use anyhow::bail;
use script_server::types::{File, FileType};
use wireform_script::manifest;
use wireform_script::schedule::Schedule;
use wireform_store::ScriptRole;

use super::format;
use super::values::{error_at, location, read};
use crate::settings::script as parse;

/// Script project.
pub struct ScriptPlan {
    pub title: String,
    pub files: Vec<File>,
    pub deployed: bool,
    pub triggers: Vec<(String, Schedule)>,
    pub shares: Vec<(String, ScriptRole)>,
}

/// Parses a script project. Errors have a location.
pub fn plan_script(script: format::Script) -> anyhow::Result<ScriptPlan> {
    let manifest = script.manifest.map_or_else(manifest::default_source, |manifest| manifest.to_string());
    if let Err(errors) = manifest::parse(&manifest) {
        bail!("{}: the manifest of `{}`: {}", location(&script.title), script.title.value, errors.join("; "));
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
        match read(&role, parse::role)? {
            Some(known) => shares.push((address, known)),
            None => bail!(error_at(&role, "must be reader, writer or owner")),
        }
    }
    let triggers = script.triggers.iter().map(plan_trigger).collect::<anyhow::Result<_>>()?;
    Ok(ScriptPlan { title: script.title.value, files, deployed: script.deployed, triggers, shares })
}

fn plan_trigger(trigger: &format::Trigger) -> anyhow::Result<(String, Schedule)> {
    let schedule = match (&trigger.every, &trigger.cron, &trigger.at) {
        (Some(every), None, None) => read(every, parse::every)?,
        (None, Some(cron), None) => read(cron, parse::cron)?,
        (None, None, Some(at)) => read(at, parse::at)?,
        _ => bail!(error_at(&trigger.function, "a trigger has exactly one of `every`, `cron` and `at`")),
    };
    Ok((trigger.function.value.clone(), schedule))
}
