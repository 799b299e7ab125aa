//! Who can be let in from the start, and how people and programs learn of it.

use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use serde_json::json;
use wireform_store::{Clock, NewToken, Secret, Store, TokenKind, User};

use crate::settings::{Place, Serving};
use crate::{accounts, output, scopes};

/// The user of a store that has none.
const FIRST_USER: &str = "me@localhost";

/// How long a ready token is valid, if the program does not end in order.
const VALID: Duration = Duration::from_secs(24 * 60 * 60);

/// What the list of tokens calls it.
const NOTE: &str = "ready token of a running server";

/// Whose the ready token is. An empty store gets a user. `None` where there is nobody and no token is wanted.
pub async fn user<S: Store>(store: &S, clock: &Clock, settings: &Serving) -> anyhow::Result<Option<User>> {
    let users = store.users().await.context("the users cannot be read")?;
    if users.is_empty() {
        let address = accounts::check(settings.user.as_deref().unwrap_or(FIRST_USER))?;
        let user = store.add_user(address, "", clock.now()).await?;
        tracing::info!(user = user.address, "the store was empty and has a user now");
        return Ok(Some(user));
    }
    match &settings.user {
        Some(address) => accounts::user(store, address).await.map(Some),
        None => Ok(users.into_iter().min_by_key(|user| user.mailbox)),
    }
}

/// A token that is valid while the server runs.
#[derive(Clone)]
pub struct ReadyToken {
    secret: Secret,
    number: std::sync::Arc<std::sync::atomic::AtomicI64>,
    user: User,
}

impl ReadyToken {
    /// A new one.
    pub async fn make<S: Store>(store: &S, clock: &Clock, user: User) -> anyhow::Result<Self> {
        let token = Self { secret: Secret::random(), number: std::sync::Arc::default(), user };
        token.store(store, clock).await.context("the ready token cannot be stored")?;
        Ok(token)
    }

    async fn store<S: Store>(&self, store: &S, clock: &Clock) -> wireform_store::Result<()> {
        let now = clock.now();
        let new = NewToken {
            user: self.user.mailbox,
            hash: self.secret.hash(),
            kind: TokenKind::User,
            scopes: scopes::all(),
            expires: Some(now.after(VALID)),
            note: NOTE.to_owned(),
            now,
        };
        let stored = store.add_token(new).await?;
        self.number.store(stored.number, std::sync::atomic::Ordering::Relaxed);
        Ok(())
    }

    fn number(&self) -> i64 {
        self.number.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// Its time begins anew: whoever moves the clock by a month goes on with the token that they have.
    pub async fn renew<S: Store>(&self, store: &S, clock: &Clock) -> wireform_store::Result<()> {
        match store.revoke_token(self.number()).await {
            Ok(()) => self.store(store, clock).await,
            // Somebody has revoked it, which counts.
            Err(wireform_store::Error::Absent { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Ends it.
    pub async fn revoke<S: Store>(&self, store: &S) {
        match store.revoke_token(self.number()).await {
            Ok(()) | Err(wireform_store::Error::Absent { .. }) => {}
            Err(error) => tracing::warn!(cause = %error, "the ready token was not revoked; it ends within a day"),
        }
    }

    /// The address of its user.
    pub fn user(&self) -> &str {
        &self.user.address
    }

    /// What clients send.
    pub fn reveal(&self) -> &str {
        self.secret.reveal()
    }
}

/// Says on the standard output what there is to know.
pub fn announce(base: &str, place: &Place, token: Option<&ReadyToken>, settings: &Serving) -> anyhow::Result<()> {
    let mut text = format!("Wireform services at {base}\n  store   {place}\n");
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
            "  token   none: on the same store, `wireform-services tokens create --user ADDRESS --scope all` makes one",
        ),
    }
    output::line(&text)
}

/// A file that says that the server is ready. It is removed at the end, if it is still the same.
pub struct ReadyFile {
    path: PathBuf,
    content: String,
}

impl ReadyFile {
    /// Writes it, for its owner alone, all at once.
    pub fn write(path: &Path, base: &str, token: Option<&ReadyToken>) -> anyhow::Result<Self> {
        let said = json!({ "base": base, "token": token.map(ReadyToken::reveal), "pid": std::process::id() });
        let content = format!("{said}\n");
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let whole = || -> anyhow::Result<()> {
            let owner_only = std::fs::Permissions::from_mode(0o600);
            let mut file = tempfile::Builder::new().permissions(owner_only).tempfile_in(folder)?;
            file.write_all(content.as_bytes())?;
            file.persist(path)?;
            Ok(())
        };
        whole().with_context(|| format!("the ready file {} cannot be written", path.display()))?;
        Ok(Self { path: path.to_owned(), content })
    }
}

impl Drop for ReadyFile {
    fn drop(&mut self) {
        // Another server may have written its own in the meantime.
        if fs_err::read_to_string(&self.path).is_ok_and(|found| found == self.content) {
            let _ = fs_err::remove_file(&self.path);
        }
    }
}
