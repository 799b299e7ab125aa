//! Secrets of requests, which responses must not reveal.

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue};
use serde_json::Value;

use crate::credentials::Token;

/// Minimum length of a secret that is searched for in responses; shorter ones occur by chance.
const MIN_SECRET_BYTES: usize = 8;

/// Secrets that all attempts share.
pub(super) type SecretTexts = Arc<[String]>;

/// Secrets of a request: a failing server may repeat its input.
pub(super) struct Secrets {
    pub(super) token: Option<Token>,
    /// Keys and passwords, also in their encoded forms.
    pub(super) texts: SecretTexts,
}

impl Secrets {
    /// Combines the secrets of several requests that are sent together.
    pub(super) fn merge(requests: impl Iterator<Item = Self>, token: Option<&Token>) -> Self {
        let mut texts: Vec<String> = requests.flat_map(|secrets| secrets.texts.to_vec()).collect();
        texts.sort_unstable();
        texts.dedup();
        Self { token: token.cloned(), texts: texts.into() }
    }

    /// Removes the secrets from a response body. Returns it as text and as JSON.
    pub(super) fn redact_body(&self, body: Bytes) -> (Bytes, Value) {
        let text = String::from_utf8_lossy(&body);
        let body = self.redact(&text).map_or_else(|| body.clone(), Bytes::from);
        let mut json = serde_json::from_slice(&body).unwrap_or(Value::Null);
        // Secrets that are escaped in the text are found in the parsed value only.
        let body = if self.redact_value(&mut json) { json.to_string().into() } else { body };
        (body, json)
    }

    /// Returns the headers of a response without those that repeat a secret.
    pub(super) fn redact_headers(&self, headers: &HeaderMap) -> HeaderMap {
        let is_secret = |value: &HeaderValue| self.redact(&String::from_utf8_lossy(value.as_bytes())).is_some();
        let visible = headers.iter().filter(|(_, value)| !is_secret(value));
        visible.map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    /// Returns the text without the secrets, or `None` if it holds none.
    pub(super) fn redact(&self, text: &str) -> Option<String> {
        let mut found = self.all().filter(|secret| text.contains(*secret)).peekable();
        found.peek()?;
        Some(found.fold(text.to_owned(), |text, secret| text.replace(secret, "…")))
    }

    /// Removes the secrets from every string in a value, and returns whether there were any.
    fn redact_value(&self, value: &mut Value) -> bool {
        match value {
            Value::String(text) => self.redact(text).map(|hidden| *text = hidden).is_some(),
            Value::Array(list) => list.iter_mut().fold(false, |found, element| self.redact_value(element) | found),
            Value::Object(members) => {
                members.values_mut().fold(false, |found, member| self.redact_value(member) | found)
            }
            _ => false,
        }
    }

    /// Returns the token and the other secrets that are long enough to be redacted.
    fn all(&self) -> impl Iterator<Item = &str> {
        let texts = self.texts.iter().map(String::as_str);
        self.token
            .as_ref()
            .map(Token::secret)
            .into_iter()
            .chain(texts)
            .filter(|secret| secret.len() >= MIN_SECRET_BYTES)
    }
}
