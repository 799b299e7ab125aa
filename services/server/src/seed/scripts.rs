//! Script projects, as a seed says them.

use anyhow::bail;
use script_server::types::{File, FileType};
use wireform_script::manifest;
use wireform_script::schedule::Schedule;
use wireform_store::ScriptRole;

use super::format;
use super::values::{place, read, wrong};
use crate::settings::script as said;

/// A script project.
pub struct ScriptPlan {
    pub title: String,
    pub files: Vec<File>,
    pub deployed: bool,
    pub triggers: Vec<(String, Schedule)>,
    pub shares: Vec<(String, ScriptRole)>,
}

/// A script project; a mistake is told with its place.
pub fn script(script: format::Script) -> anyhow::Result<ScriptPlan> {
    let manifest = script.manifest.map_or_else(manifest::initial, |manifest| manifest.to_string());
    if let Err(wrong) = manifest::read(&manifest) {
        bail!("{}: the manifest of `{}`: {}", place(&script.title), script.title.value, wrong.join("; "));
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
        match read(&role, said::role)? {
            Some(known) => shares.push((address, known)),
            None => bail!(wrong(&role, "must be reader, writer or owner")),
        }
    }
    let triggers = script.triggers.iter().map(trigger).collect::<anyhow::Result<_>>()?;
    Ok(ScriptPlan { title: script.title.value, files, deployed: script.deployed, triggers, shares })
}

fn trigger(trigger: &format::Trigger) -> anyhow::Result<(String, Schedule)> {
    let schedule = match (&trigger.every, &trigger.cron, &trigger.at) {
        (Some(every), None, None) => read(every, said::every)?,
        (None, Some(cron), None) => read(cron, said::cron)?,
        (None, None, Some(at)) => read(at, said::at)?,
        _ => bail!(wrong(&trigger.function, "a trigger has one of `every`, `cron` and `at`")),
    };
    Ok((trigger.function.value.clone(), schedule))
}
