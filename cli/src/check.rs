//! `check`: what is wrong with the schemas.

use crate::counted::counted;
use crate::generate::Told;
use crate::home::Home;
use crate::options::CheckOptions;
use crate::parallel::{in_parallel, processors};
use crate::{schemas, settings};

/// Runs the command; false when a schema has errors.
pub fn run(home: &Home, options: &CheckOptions) -> anyhow::Result<bool> {
    let dir = match &options.schemas {
        Some(dir) => dir.clone(),
        None => settings::schemas(home)?,
    };
    let folders = schemas::find(&dir, &options.api)?;
    let told = in_parallel(processors(), &folders, |_, folder| -> anyhow::Result<(Told, usize)> {
        let sources = folder.read()?;
        Ok((Told::of(&folder.name, &wireform_codegen::check(&sources), true), sources.len()))
    });
    let mut fine = true;
    for (folder, told) in folders.iter().zip(told) {
        let (told, files) = told?;
        eprint!("{}", told.text);
        fine &= told.fine;
        if told.fine {
            println!("{}: {}, no errors", folder.name, counted(files, "files"));
        }
    }
    Ok(fine)
}
