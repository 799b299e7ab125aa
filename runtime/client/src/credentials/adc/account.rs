//! Service accounts, which authenticate by a signed assertion (RFC 7523).

use std::time::{Duration, SystemTime};

use http::Uri;
use serde_json::{Value, json};

use super::key::RsaKey;
use super::token_server::token_uri;
use crate::credentials::CredentialsError;
use crate::credentials::json_object::JsonObject;

/// Lifetime of an assertion, the maximum that the token server accepts.
const ASSERTION_LIFETIME: Duration = Duration::from_secs(3600);

/// Service account.
pub(super) struct ServiceAccount {
    email: String,
    key: RsaKey,
    key_id: Option<String>,
    pub(super) token_uri: Uri,
    /// URL of the token server as the file spells it, which is the expected audience.
    audience: String,
    /// User on whose behalf the account acts.
    pub(super) subject: Option<String>,
}

impl ServiceAccount {
    /// Reads the fields of a credentials file with a service account, without a subject to impersonate.
    pub(super) fn parse(members: &JsonObject) -> Result<Self, CredentialsError> {
        let (audience, token_uri) = token_uri(members)?;
        Ok(Self {
            email: members.required_string("client_email")?,
            key: RsaKey::from_pem(&members.required_string("private_key")?)?,
            key_id: members.optional_string("private_key_id")?,
            token_uri,
            audience,
            subject: None,
        })
    }

    /// Returns a signed JWT assertion.
    pub(super) fn sign_assertion(&self, scopes: &[&str], now: SystemTime) -> Result<String, CredentialsError> {
        let mut header = json!({ "alg": "RS256", "typ": "JWT" });
        if let Some(key_id) = &self.key_id {
            header["kid"] = Value::from(key_id.as_str());
        }
        let issued = now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
        let mut claims = json!({
            "iss": self.email,
            "aud": self.audience,
            "iat": issued,
            "exp": issued.saturating_add(ASSERTION_LIFETIME.as_secs()),
        });
        if !scopes.is_empty() {
            claims["scope"] = Value::from(scopes.join(" "));
        }
        if let Some(subject) = &self.subject {
            claims["sub"] = Value::from(subject.as_str());
        }
        self.key.sign_jwt(&header, &claims)
    }
}
