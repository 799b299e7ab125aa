//! Ready token: access to a server from its start, and its announcement to people and programs.

use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use serde_json::json;
use wireform_store::{Clock, NewToken, Secret, Store, TokenKind, User};

use crate::settings::{ServeSettings, StoreLocation};
use crate::{accounts, output, scopes};

/// Address of the user created in an empty store.
const FIRST_USER: &str = "me@localhost";

/// Validity of a ready token, in case the program does not end in order.
const VALIDITY: Duration = Duration::from_secs(24 * 60 * 60);

/// Note of ready tokens in the list of tokens.
const TOKEN_NOTE: &str = "ready token of a running server";

/// Returns the user of the ready token. An empty store gets a user. Returns `None` if there is no user.
pub async fn ready_user<S: Store>(store: &S, clock: &Clock, settings: &ServeSettings) -> anyhow::Result<Option<User>> {
    let users = store.users().await.context("the users cannot be read")?;
    if users.is_empty() {
        let address = accounts::check(settings.user.as_deref().unwrap_or(FIRST_USER))?;
        let user = store.add_user(address, "", clock.now()).await?;
        tracing::info!(user = user.address, "created a user in the empty store");
        return Ok(Some(user));
    }
    match &settings.user {
        Some(address) => accounts::user(store, address).await.map(Some),
        None => Ok(users.into_iter().min_by_key(|user| user.mailbox)),
    }
}

/// Token that is valid while the server runs.
#[derive(Clone)]
pub struct ReadyToken {
    secret: Secret,
    number: std::sync::Arc<std::sync::atomic::AtomicI64>,
    user: User,
}

impl ReadyToken {
    /// Creates a token and stores it.
    pub async fn create<S: Store>(store: &S, clock: &Clock, user: User) -> anyhow::Result<Self> {
        let token = Self { secret: Secret::random(), number: std::sync::Arc::default(), user };
        token.store(store, clock).await.context("the ready token cannot be stored")?;
        Ok(token)
    }

    /// Stores the token, valid from now on, and keeps the number that it gets.
    async fn store<S: Store>(&self, store: &S, clock: &Clock) -> wireform_store::Result<()> {
        self.set_number(store.add_token(self.to_store(clock)).await?.number);
        Ok(())
    }

    /// Returns the token as it is stored, valid from now on.
    pub fn to_store(&self, clock: &Clock) -> NewToken {
        let now = clock.now();
        NewToken {
            user: self.user.mailbox,
            hash: self.secret.hash(),
            kind: TokenKind::User,
            scopes: scopes::all(),
            expires: Some(now.saturating_add(VALIDITY)),
            note: TOKEN_NOTE.to_owned(),
            now,
        }
    }

    /// Sets the number of the stored token.
    pub fn set_number(&self, number: i64) {
        self.number.store(number, std::sync::atomic::Ordering::Relaxed);
    }

    /// Returns the number of the stored token, which changes when it is renewed.
    fn number(&self) -> i64 {
        self.number.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// Restarts the validity of the token, so that it stays usable when the clock is moved far ahead.
    pub async fn renew<S: Store>(&self, store: &S, clock: &Clock) -> wireform_store::Result<()> {
        match store.revoke_token(self.number()).await {
            Ok(()) => self.store(store, clock).await,
            // A token that was revoked by a user stays revoked.
            Err(wireform_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Revokes the token.
    pub async fn revoke<S: Store>(&self, store: &S) {
        match store.revoke_token(self.number()).await {
            Ok(()) | Err(wireform_store::Error::NotFound { .. }) => {}
            Err(error) => tracing::warn!(cause = %error, "the ready token was not revoked; it expires within a day"),
        }
    }

    /// Returns the address of the user.
    pub fn user(&self) -> &str {
        &self.user.address
    }

    /// Returns the secret that clients send.
    pub fn reveal(&self) -> &str {
        self.secret.reveal()
    }
}

/// Prints the URLs, the store and the token to the standard output.
pub fn announce(
    base: &str,
    location: &StoreLocation,
    token: Option<&ReadyToken>,
    settings: &ServeSettings,
) -> anyhow::Result<()> {
    let mut text = format!("Wireform services at {base}\n  store   {location}\n");
    if settings.page {
        text.push_str(&format!("  pages   {base}/\n"));
    }
    match token {
        Some(token) => {
            let (user, secret) = (&token.user.address, token.reveal());
            let insecure = if settings.tls.is_some() { " --cacert CERTIFICATE" } else { "" };
            text.push_str(&format!(
                "  user    {user}\n  token   {secret}\n          for 24 hours, everything that the APIs allow; revoked when the server stops\n  \
                 try     curl{insecure} -H 'Authorization: Bearer {secret}' {base}/mail/v1/users/me/profile"
            ));
        }
        None => text.push_str(
            "  token   none: create one with `wireform-services tokens create --user ADDRESS --scope all` on the \
             same store",
        ),
    }
    output::write_line(&text)
}

/// File that signals that the server is ready. It is removed at the end if it is still the same.
pub struct ReadyFile {
    path: PathBuf,
    content: String,
}

impl ReadyFile {
    /// Writes the file atomically, readable only by its owner.
    pub fn write(path: &Path, base: &str, token: Option<&ReadyToken>) -> anyhow::Result<Self> {
        let document = json!({ "base": base, "token": token.map(ReadyToken::reveal), "pid": std::process::id() });
        let content = format!("{document}\n");
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let write = || -> anyhow::Result<()> {
            let owner_only = std::fs::Permissions::from_mode(0o600);
            let mut file = tempfile::Builder::new().permissions(owner_only).tempfile_in(folder)?;
            file.write_all(content.as_bytes())?;
            file.persist(path)?;
            Ok(())
        };
        write().with_context(|| format!("the ready file {} cannot be written", path.display()))?;
        Ok(Self { path: path.to_owned(), content })
    }
}

impl Drop for ReadyFile {
    fn drop(&mut self) {
        // Another server may have written its own file in the meantime.
        if fs_err::read_to_string(&self.path).is_ok_and(|found| found == self.content) {
            let _ = fs_err::remove_file(&self.path);
        }
    }
}
