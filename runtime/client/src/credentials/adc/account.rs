//! Service accounts: they vouch for themselves by a signature (RFC 7523).

use std::time::{Duration, SystemTime};

use http::Uri;
use serde_json::{Value, json};

use super::key::Key;
use super::token_server::token_uri;
use crate::credentials::CredentialsError;
use crate::credentials::members::Members;

/// How long an assertion is valid, the most that the token server takes.
const VALID: Duration = Duration::from_secs(3600);

/// An account for programs.
pub(super) struct ServiceAccount {
    email: String,
    key: Key,
    key_id: Option<String>,
    pub(super) token_uri: Uri,
    /// The token server as the file spells it, which is what it expects as the audience.
    audience: String,
    /// The user for whom the account acts.
    pub(super) subject: Option<String>,
}

impl ServiceAccount {
    pub(super) fn read(members: &Members) -> Result<Self, CredentialsError> {
        let (audience, token_uri) = token_uri(members)?;
        Ok(Self {
            email: members.text("client_email")?,
            key: Key::read(&members.text("private_key")?)?,
            key_id: members.optional("private_key_id")?,
            token_uri,
            audience,
            subject: None,
        })
    }

    /// The signed wish for a token.
    pub(super) fn assertion(&self, scopes: &[&str], now: SystemTime) -> Result<String, CredentialsError> {
        let mut header = json!({ "alg": "RS256", "typ": "JWT" });
        if let Some(key_id) = &self.key_id {
            header["kid"] = Value::from(key_id.as_str());
        }
        let issued = now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
        let mut claims = json!({
            "iss": self.email,
            "aud": self.audience,
            "iat": issued,
            "exp": issued.saturating_add(VALID.as_secs()),
        });
        if !scopes.is_empty() {
            claims["scope"] = Value::from(scopes.join(" "));
        }
        if let Some(subject) = &self.subject {
            claims["sub"] = Value::from(subject.as_str());
        }
        self.key.token(&header, &claims)
    }
}
