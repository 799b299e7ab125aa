//! `check`: reports diagnostics of the schemas.

use crate::generate::Summary;
use crate::home::CommandContext;
use crate::options::CheckOptions;
use crate::parallel::{in_parallel, processors};
use crate::pluralize::pluralize;
use crate::{schemas, settings};

/// Runs the command and returns false if a schema has errors.
pub fn run(home: &CommandContext, options: &CheckOptions) -> anyhow::Result<bool> {
    let dir = match &options.schemas {
        Some(dir) => dir.clone(),
        None => settings::schemas(home)?,
    };
    let folders = schemas::find(&dir, &options.api)?;
    let summaries = in_parallel(processors(), &folders, |_, folder| -> anyhow::Result<(Summary, usize)> {
        let sources = folder.read()?;
        let output = wireform_codegen::check(&sources);
        Ok((Summary::of(&folder.name, &output, true, options.warnings), sources.len()))
    });
    let mut is_valid = true;
    for (folder, summary) in folders.iter().zip(summaries) {
        let (summary, files) = summary?;
        eprint!("{}", summary.text);
        is_valid &= summary.is_valid;
        if summary.is_valid {
            println!("{}: {}, no errors", folder.name, pluralize(files, "files"));
        }
    }
    Ok(is_valid)
}
