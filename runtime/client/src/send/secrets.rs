//! Secrets of requests, which responses must not reveal.

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue};
use serde_json::Value;

use crate::credentials::Token;

/// Minimum length of a secret that is searched for in responses; shorter ones occur by chance.
const SHORTEST: usize = 8;

/// Secrets that all attempts share.
pub(super) type Texts = Arc<[String]>;

/// Secrets of a request: a failing server may repeat its input.
pub(super) struct Secrets {
    pub(super) token: Option<Token>,
    /// Keys and passwords, also in their encoded forms.
    pub(super) texts: Texts,
}

impl Secrets {
    /// Combines the secrets of several requests that are sent together.
    pub(super) fn of_all(requests: impl Iterator<Item = Self>, token: Option<&Token>) -> Self {
        let mut texts: Vec<String> = requests.flat_map(|secrets| secrets.texts.to_vec()).collect();
        texts.sort_unstable();
        texts.dedup();
        Self { token: token.cloned(), texts: texts.into() }
    }

    /// Removes the secrets from a response body. Returns it as text and as JSON.
    pub(super) fn hide(&self, body: Bytes) -> (Bytes, Value) {
        let text = String::from_utf8_lossy(&body);
        let body = self.hidden(&text).map_or_else(|| body.clone(), Bytes::from);
        let mut said = serde_json::from_slice(&body).unwrap_or(Value::Null);
        // Secrets that are escaped in the text are found in the parsed value only.
        let body = if self.hide_in(&mut said) { said.to_string().into() } else { body };
        (body, said)
    }

    /// Returns the headers of a response without those that repeat a secret.
    pub(super) fn hide_in_headers(&self, headers: &HeaderMap) -> HeaderMap {
        let is_secret = |value: &HeaderValue| self.hidden(&String::from_utf8_lossy(value.as_bytes())).is_some();
        let visible = headers.iter().filter(|(_, value)| !is_secret(value));
        visible.map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    /// Returns the text without the secrets, or `None` if it holds none.
    pub(super) fn hidden(&self, text: &str) -> Option<String> {
        let mut found = self.all().filter(|secret| text.contains(*secret)).peekable();
        found.peek()?;
        Some(found.fold(text.to_owned(), |text, secret| text.replace(secret, "…")))
    }

    /// Removes the secrets from every string in a value, and returns whether there were any.
    fn hide_in(&self, value: &mut Value) -> bool {
        match value {
            Value::String(text) => self.hidden(text).map(|hidden| *text = hidden).is_some(),
            Value::Array(list) => list.iter_mut().fold(false, |found, element| self.hide_in(element) | found),
            Value::Object(members) => members.values_mut().fold(false, |found, member| self.hide_in(member) | found),
            _ => false,
        }
    }

    fn all(&self) -> impl Iterator<Item = &str> {
        let texts = self.texts.iter().map(String::as_str);
        self.token.as_ref().map(Token::secret).into_iter().chain(texts).filter(|secret| secret.len() >= SHORTEST)
    }
}
