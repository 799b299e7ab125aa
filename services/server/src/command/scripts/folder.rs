//! Synchronization of projects with folders.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use anyhow::bail;
use script_server::types::File;
use wireform_store::{AnyStore, Clock, Scripts as _, User};

use super::files::{Folder, hash};
use crate::accounts;
use crate::{output, service};

/// Polling interval for changes of a folder.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Replaces the files of a project by those of a folder.
pub async fn push(store: &AnyStore, clock: &Clock, folder: &Path, user: &str) -> anyhow::Result<()> {
    let folder = Folder::open(folder)?;
    let user = accounts::user(store, user).await?;
    let files = folder.read()?;
    let scripts = service::Scripts::for_command(store, clock).await?;
    let done = store_files(store, &scripts, &folder, &user, files).await;
    scripts.end().await;
    match done? {
        Some(errors) => bail!(errors),
        None => Ok(()),
    }
}

/// Replaces the files of a project whenever those of a folder change.
pub async fn watch(store: &AnyStore, clock: &Clock, folder: &Path, user: &str) -> anyhow::Result<()> {
    let folder = Folder::open(folder)?;
    let user = accounts::user(store, user).await?;
    let scripts = service::Scripts::for_command(store, clock).await?;
    let (mut last, mut reported) = (None, None);
    loop {
        // A file can be removed while the folder is read.
        match folder.read() {
            Ok(files) if last.as_ref() != Some(&files) => {
                let failure = match store_files(store, &scripts, &folder, &user, files.clone()).await {
                    Ok(errors) => {
                        last = Some(files);
                        reported = None;
                        errors
                    }
                    // An error that the files do not cause may be temporary: they are sent again, and it is reported
                    // once.
                    Err(error) => {
                        Some(format!("{error:#}")).filter(|text| reported.replace(text.clone()).as_ref() != Some(text))
                    }
                };
                if let Some(failure) = failure {
                    output::write_line(&format!("not pushed: {failure}"))?;
                }
            }
            Ok(_) => {}
            Err(error) => output::write_line(&format!("the folder cannot be read: {error:#}"))?,
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

/// Writes the files of a project to a folder.
pub async fn pull(store: &AnyStore, id: &str, folder: &Path, user: &str, overwrite: bool) -> anyhow::Result<()> {
    let user = accounts::user(store, user).await?;
    let Some((project, Some(_))) = store.find_project(id, user.mailbox).await? else {
        bail!("no project `{id}` that {} can read", user.address);
    };
    let files = store.content(project.number, None).await?.unwrap_or_default();
    let changed = Folder::open_or_create(folder, id)?.write(&files, overwrite)?;
    if !changed.is_empty() {
        bail!("changed in the folder, and not replaced without --overwrite: {}", changed.join(", "));
    }
    output::write_line(&format!("{} in {}", are_files(files.len()), folder.display()))
}

/// Stores files, keeping the order of those that the project already has. Returns the syntax errors if the files were
/// refused.
async fn store_files(
    store: &AnyStore,
    scripts: &service::Scripts,
    folder: &Folder,
    user: &User,
    files: BTreeMap<String, File>,
) -> anyhow::Result<Option<String>> {
    let mut order = BTreeMap::new();
    if let Some((project, Some(_))) = store.find_project(&folder.id, user.mailbox).await? {
        let stored = store.content(project.number, None).await?.unwrap_or_default();
        order = stored.into_iter().enumerate().map(|(at, file)| (file.name, at)).collect();
    }
    let hashes = files.iter().map(|(path, file)| (path.clone(), hash(file.source.as_deref().unwrap_or_default())));
    let hashes: BTreeMap<String, String> = hashes.collect();
    let mut files: Vec<(String, File)> = files.into_iter().collect();
    let position = |file: &File| file.name.as_ref().and_then(|name| order.get(name)).copied().unwrap_or(usize::MAX);
    files.sort_by_key(|(_, file)| position(file));
    let (paths, files): (Vec<_>, Vec<_>) = files.into_iter().unzip();
    let count = files.len();
    let done = scripts.service.replace_content_as(user, &folder.id, files).await;
    let errors = done.map_err(|error| anyhow::anyhow!("{}", error.message()))?;
    if !errors.is_empty() {
        let path = |at: usize| paths.get(at).map_or("?", String::as_str);
        let lines: Vec<_> = errors.iter().map(|error| format!("{}: {}", path(error.file), error.message)).collect();
        return Ok(Some(format!("nothing was stored\n{}", lines.join("\n"))));
    }
    folder.record_hashes(hashes)?;
    output::write_line(&format!("{} in the project {}", are_files(count), folder.id))?;
    Ok(None)
}

/// Returns a number of files with its verb.
fn are_files(number: usize) -> String {
    let verb = if number == 1 { "is" } else { "are" };
    format!("{} {verb}", output::count(u64::try_from(number).unwrap_or(u64::MAX), "file"))
}
