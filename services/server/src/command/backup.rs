//! Backups of the store.

use std::path::Path;

use anyhow::{Context as _, anyhow, bail, ensure};
use wireform_store::{Error, Store};

use crate::output;
use crate::settings::StoreLocation;

/// Hint for stores that are databases.
const DATABASE: &str = "a PostgreSQL database is backed up and restored with its own tools, pg_dump and pg_restore";

/// Writes a backup.
pub async fn write<S: Store>(store: &S, location: &StoreLocation, file: &Path) -> anyhow::Result<()> {
    ensure!(matches!(location, StoreLocation::Folder(_)), DATABASE);
    let into = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    ensure!(into.is_dir(), "no folder {} to write the backup to", into.display());
    ensure!(
        !file.exists(),
        "{} already exists; help: write the backup to a file that does not exist yet",
        file.display()
    );
    store.backup(file).await.with_context(|| format!("no backup was written to {}", file.display()))?;
    output::write_line(&format!(
        "the store is backed up to {}; the file holds mail, so protect it like the store",
        file.display()
    ))
}

/// Creates a store from a backup.
pub fn restore(location: &StoreLocation, file: &Path, overwrite: bool) -> anyhow::Result<()> {
    let StoreLocation::Folder(folder) = location else { bail!(DATABASE) };
    let done = wireform_store::restore(file, folder, overwrite).map_err(|error| match error {
        Error::AlreadyExists { .. } => anyhow!(
            "{error}; help: replace it with --overwrite, or use another folder with \
         --data"
        ),
        other => other.into(),
    });
    done.with_context(|| format!("{} was not restored to {}", file.display(), folder.display()))?;
    output::write_line(&format!(
        "the store in {} is restored from {}; tokens revoked since then are valid again, and clients will \
         resynchronize",
        folder.display(),
        file.display()
    ))
}
