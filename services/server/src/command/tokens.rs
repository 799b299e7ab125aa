//! Commands of tokens.

use anyhow::Context as _;
use serde_json::json;
use wireform_store::{Clock, Error, NewToken, Secret, Store, TokenKind};

use crate::accounts;
use crate::cli::Tokens;
use crate::settings::value::{Until, format_instant};
use crate::{output, scopes};

/// Runs a command of tokens.
pub async fn run<S: Store>(store: &S, clock: &Clock, command: Tokens) -> anyhow::Result<()> {
    match command {
        Tokens::Create { user, scope, expires, note, service_account, delegated } => {
            let kind = match (service_account, delegated) {
                (false, _) => TokenKind::User,
                (true, false) => TokenKind::ServiceAccount,
                (true, true) => TokenKind::Delegated,
            };
            create(store, clock, &user, &scope, expires, (kind, note)).await
        }
        Tokens::List { user, listing } => list(store, clock, user.as_deref(), listing.json).await,
        Tokens::Revoke { number } => {
            store.revoke_token(number).await.map_err(|error| match error {
                Error::NotFound { .. } => {
                    anyhow::anyhow!("no token `{number}`; help: `wireform-services tokens list` lists the tokens")
                }
                other => other.into(),
            })?;
            output::write_line(&format!("token {number} is revoked"))
        }
    }
}

/// Creates a token; prints its secret to the standard output, and a description of it to the standard error.
async fn create<S: Store>(
    store: &S,
    clock: &Clock,
    user: &str,
    scope: &[String],
    expires: Until,
    (kind, note): (TokenKind, String),
) -> anyhow::Result<()> {
    let scopes = scopes::parse_scopes(scope)?;
    let user = accounts::user(store, user).await?;
    let now = clock.now();
    let expires = expires.from(now);
    anyhow::ensure!(
        expires.is_none_or(|end| end > now),
        "the token would already have expired; help: check \
     --expires"
    );
    let secret = Secret::random();
    let new = NewToken { user: user.mailbox, hash: secret.hash(), kind, scopes, expires, note, now };
    let token = store.add_token(new).await.context("cannot store the token")?;
    let until = expires.map_or_else(|| "for ever".to_owned(), |end| format!("until {}", format_instant(end)));
    eprintln!("token {} of {}, valid {until}; it is not shown again:", token.number, user.address);
    output::write_line(secret.reveal())
}

/// Prints the tokens of a user, or of all users, as JSON or as a table.
async fn list<S: Store>(store: &S, clock: &Clock, user: Option<&str>, json: bool) -> anyhow::Result<()> {
    let of = match user {
        Some(address) => Some(accounts::user(store, address).await?.mailbox),
        None => None,
    };
    let (address, now) = (accounts::addresses(store).await?, clock.now());
    let items: Vec<_> = store
        .tokens(of)
        .await?
        .into_iter()
        .map(|token| {
            json!({
                "number": token.number,
                "user": address(token.user),
                "since": format_instant(token.created),
                "expires": token.expires.map(format_instant),
                "expired": token.expires.is_some_and(|end| end <= now),
                "kind": token.kind.as_str(),
                "note": token.note,
                "scopes": scopes::short_scopes(&token.scopes),
            })
        })
        .collect();
    output::write_list(json, ["number", "user", "kind", "since", "expires", "expired", "note", "scopes"], &items)
}
