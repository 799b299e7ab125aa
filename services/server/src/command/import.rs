//! Mail that exists is brought in.

use wireform_store::{Clock, Store};

use crate::cli::Import;

/// Imports.
pub async fn run<S: Store>(store: &S, _clock: &Clock, command: Import) -> anyhow::Result<()> {
    let (Import::Maildir(from) | Import::Mbox(from)) = command;
    super::user(store, &from.user).await?;
    anyhow::bail!("mail cannot be imported yet: {}", from.path.display())
}
