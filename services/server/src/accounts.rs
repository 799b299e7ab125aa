//! Lookup of users by their mail addresses.

use anyhow::Context as _;
use wireform_store::{Error, Store, User};

/// Returns the user with an address.
pub async fn user<S: Store>(store: &S, address: &str) -> anyhow::Result<User> {
    store.user(address).await.map_err(|error| match error {
        Error::NotFound { .. } => {
            anyhow::anyhow!("no user `{address}`; help: `wireform-services users list` lists the users")
        }
        other => other.into(),
    })
}

/// Returns a function from mailboxes to the addresses of their users, to name owners.
pub async fn addresses<S: Store>(store: &S) -> anyhow::Result<impl Fn(wireform_store::Mailbox) -> String> {
    let users = store.users().await.context("the users cannot be read")?;
    Ok(move |of| users.iter().find(|user| user.mailbox == of).map_or_else(String::new, |user| user.address.clone()))
}

/// Checks that an address has a local part, an `@`, a host, and no character that would break its line.
///
/// # Errors
/// Returns an error if the address is invalid.
pub fn check(address: &str) -> anyhow::Result<&str> {
    let fits = address.split_once('@').is_some_and(|(local, host)| {
        let stray = |c: char| c.is_whitespace() || c.is_control() || "<>\",;:\\/".contains(c);
        !local.is_empty() && !host.is_empty() && !host.contains('@') && !address.contains(stray)
    });
    anyhow::ensure!(fits && address.len() <= 254, "`{address}` is not a mail address such as ada@example.com");
    Ok(address)
}
