//! Access tokens.

use crate::account::{Grant, NewToken, Token, TokenHash, TokenKind};
use crate::domain::{sql, texts, user};
use crate::operation::{Access, Operation};
use crate::session::{Row, Session};
use crate::{Error, Mailbox, Millis, Result};

/// Stores a token by its hash; the secret itself is not stored.
pub(super) struct AddToken(pub(super) NewToken);

impl Operation for AddToken {
    type Output = Token;
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<Token> {
        let NewToken { user, hash, kind, scopes, expires, note, now } = self.0;
        user::require(session, user).await?;
        let note = texts::replace_nul(note);
        let values = [
            user.0.into(),
            hash.0.to_vec().into(),
            serialize_scopes(&scopes)?.into(),
            expires.map(|at| at.0).into(),
            note.clone().into(),
            now.0.into(),
            (kind as i64).into(),
        ];
        let added = session.rows(sql::TOKEN_ADD, &values).await?;
        let number = added.first().ok_or_else(|| Error::already_exists("token", "with this secret"))?.int(0)?;
        Ok(Token { number, user, kind, scopes, expires, note, created: now })
    }
}

/// Finds the unexpired token with a hash; returns its user and what it grants.
pub(super) struct FindGrant {
    pub(super) hash: TokenHash,
    pub(super) now: Millis,
}

impl Operation for FindGrant {
    type Output = Option<Grant>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Option<Grant>> {
        let mut rows = session.rows(sql::GRANT, &[self.hash.0.to_vec().into(), self.now.0.into()]).await?;
        let Some(row) = rows.first_mut() else { return Ok(None) };
        Ok(Some(Grant {
            user: user::user_from_row(row)?,
            scopes: parse_scopes(&row.text(4)?)?,
            kind: kind_from_number(row.int(5)?)?,
        }))
    }
}

/// Lists the tokens of a user, or all tokens.
pub(super) struct ListTokens(pub(super) Option<Mailbox>);

impl Operation for ListTokens {
    type Output = Vec<Token>;
    const ACCESS: Access = Access::Scan;

    async fn run<S: Session>(self, session: &mut S) -> Result<Vec<Token>> {
        let mut rows = match self.0 {
            Some(user) => session.rows(sql::TOKENS_OF, &[user.0.into()]).await?,
            None => session.rows(sql::TOKENS, &[]).await?,
        };
        rows.iter_mut().map(token_from_row).collect()
    }
}

pub(super) struct RevokeToken(pub(super) i64);

impl Operation for RevokeToken {
    type Output = ();
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<()> {
        match session.run(sql::TOKEN_DROP, &[self.0.into()]).await? {
            0 => Err(Error::not_found("token", self.0)),
            _ => Ok(()),
        }
    }
}

fn token_from_row(row: &mut Row) -> Result<Token> {
    Ok(Token {
        number: row.int(0)?,
        user: Mailbox(row.int(1)?),
        kind: kind_from_number(row.int(6)?)?,
        scopes: parse_scopes(&row.text(2)?)?,
        expires: row.optional_int(3)?.map(Millis),
        note: row.text(4)?,
        created: Millis(row.int(5)?),
    })
}

fn kind_from_number(number: i64) -> Result<TokenKind> {
    TokenKind::from_stored(number).ok_or_else(|| Error::Internal(format!("unknown token kind {number}")))
}

fn serialize_scopes(scopes: &[String]) -> Result<String> {
    serde_json::to_string(scopes).map_err(|error| Error::Internal(format!("cannot serialize scopes: {error}")))
}

fn parse_scopes(scopes: &str) -> Result<Vec<String>> {
    serde_json::from_str(scopes)
        .map_err(|error| Error::Internal(format!("cannot parse the scopes of a token: {error}")))
}
