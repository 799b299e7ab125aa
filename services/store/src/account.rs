//! Users and their tokens.

use std::fmt;

use rand::Rng as _;
use sha2::{Digest as _, Sha256};

use crate::{Mailbox, Millis, hex};

/// User of the services. Every user has a mailbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// The user's mailbox, whose number is that of the user.
    pub mailbox: Mailbox,
    /// Mail address as the user writes it; unique without regard to case.
    pub address: String,
    /// Display name.
    pub name: String,
    /// Time of creation.
    pub created: Millis,
}

/// Secret that a client authenticates with. It is shown once, on creation; the store keeps its hash.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// Creates a secret of 256 random bits.
    #[must_use]
    pub fn random() -> Self {
        let mut bytes = [0_u8; 32];
        rand::rng().fill_bytes(&mut bytes);
        Self(format!("wf_{}", hex(&bytes)))
    }

    /// Returns the text that clients send.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Returns the hash that the store keeps.
    #[must_use]
    pub fn hash(&self) -> TokenHash {
        TokenHash::from_token(&self.0)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// SHA-256 hash of a token. A token has 256 random bits, so a slow hash would add no protection.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TokenHash(pub [u8; 32]);

impl TokenHash {
    /// Hashes a token that a client sent.
    #[must_use]
    pub fn from_token(token: &str) -> Self {
        Self(Sha256::digest(token.as_bytes()).into())
    }
}

impl fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenHash(…)")
    }
}

/// Identity that a token stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TokenKind {
    /// Its user.
    #[default]
    User = 0,
    /// A service account: a program that does not act on behalf of a person.
    ServiceAccount = 1,
    /// A service account with the delegated rights of the user, on whose behalf it acts.
    Delegated = 2,
}

impl TokenKind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::User, Self::ServiceAccount, Self::Delegated];

    /// Returns the name used in token lists.
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

/// Token to store.
#[derive(Debug, Clone)]
pub struct NewToken {
    /// Its owner.
    pub user: Mailbox,
    /// Hash of the secret.
    pub hash: TokenHash,
    /// Identity that it stands for.
    pub kind: TokenKind,
    /// Granted scopes, by their full names in the schemas.
    pub scopes: Vec<String>,
    /// Expiration time; `None` for never.
    pub expires: Option<Millis>,
    /// Note of its owner.
    pub note: String,
    /// Time of creation.
    pub now: Millis,
}

/// Stored token, without the secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// Number by which it is revoked.
    pub number: i64,
    /// Its owner.
    pub user: Mailbox,
    /// Identity that it stands for.
    pub kind: TokenKind,
    /// Granted scopes.
    pub scopes: Vec<String>,
    /// Expiration time; `None` for never.
    pub expires: Option<Millis>,
    /// Note of its owner.
    pub note: String,
    /// Time of creation.
    pub created: Millis,
}

/// Grant of a valid token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// The user.
    pub user: User,
    /// The scopes.
    pub scopes: Vec<String>,
    /// Identity that the token stands for.
    pub kind: TokenKind,
}
