//! Users, their tokens, and calendars.

use std::fmt;

use rand::Rng as _;
use sha2::{Digest as _, Sha256};

use crate::{Mailbox, Millis};

/// Somebody whom the services know. Every user has a mailbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// Their mailbox, whose number is theirs.
    pub mailbox: Mailbox,
    /// Their mail address as they spell it; unique whatever the case of its letters.
    pub address: String,
    /// What people call them.
    pub name: String,
    /// Since when.
    pub since: Millis,
}

/// What a client shows to be let in. It is seen once, when it is made; the store keeps its hash.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// A new one, of 256 random bits.
    #[must_use]
    pub fn random() -> Self {
        let mut bytes = [0_u8; 32];
        rand::rng().fill_bytes(&mut bytes);
        let digits = bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        Self(format!("wf_{digits}"))
    }

    /// The text that clients send.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// What the store keeps of it.
    #[must_use]
    pub fn hash(&self) -> TokenHash {
        TokenHash::of(&self.0)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// The SHA-256 of a token. A token has 256 random bits, so that a slow hash would protect nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TokenHash(pub [u8; 32]);

impl TokenHash {
    /// That of a text which a client has sent.
    #[must_use]
    pub fn of(token: &str) -> Self {
        Self(Sha256::digest(token.as_bytes()).into())
    }
}

impl fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenHash(…)")
    }
}

/// Whom a token stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TokenKind {
    /// Its user.
    #[default]
    User = 0,
    /// A service account: a program that does not act for a person.
    ServiceAccount = 1,
    /// A service account to which the user has delegated what they may do, so that it acts as they do.
    Delegated = 2,
}

impl TokenKind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::User, Self::ServiceAccount, Self::Delegated];

    /// Returns the name, as lists of tokens have it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::ServiceAccount => "serviceAccount",
            Self::Delegated => "delegated",
        }
    }

    pub(crate) fn from_stored(number: i64) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| *kind as i64 == number)
    }
}

/// A token that is to be stored.
#[derive(Debug, Clone)]
pub struct NewToken {
    /// Whose it is.
    pub user: Mailbox,
    /// Its hash.
    pub hash: TokenHash,
    /// Whom it stands for.
    pub kind: TokenKind,
    /// The scopes that it grants, as the schemas name them in full.
    pub scopes: Vec<String>,
    /// When it ends; `None`: never.
    pub expires: Option<Millis>,
    /// What its owner calls it.
    pub note: String,
    /// When it is made.
    pub now: Millis,
}

/// A token as it is listed: all but the secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// Its number, by which it is revoked.
    pub number: i64,
    /// Whose it is.
    pub user: Mailbox,
    /// Whom it stands for.
    pub kind: TokenKind,
    /// The scopes that it grants.
    pub scopes: Vec<String>,
    /// When it ends; `None`: never.
    pub expires: Option<Millis>,
    /// What its owner calls it.
    pub note: String,
    /// When it was made.
    pub since: Millis,
}

/// What a token that is valid stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// The user.
    pub user: User,
    /// The scopes.
    pub scopes: Vec<String>,
    /// Whom the token stands for.
    pub kind: TokenKind,
}
