//! What was sent and nobody should see.

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue};
use serde_json::Value;

use crate::credentials::Token;

/// The shortest secret that is looked for in what a server says; shorter ones stand there by chance.
const SHORTEST: usize = 8;

/// Secrets that every attempt shares.
pub(super) type Texts = Arc<[String]>;

/// The secrets of a request: a server in trouble may repeat what it was sent.
pub(super) struct Secrets {
    pub(super) token: Option<Token>,
    /// Keys and passwords, and how they stand in what is sent.
    pub(super) texts: Texts,
}

impl Secrets {
    /// Those of several requests that are sent together.
    pub(super) fn of_all(requests: impl Iterator<Item = Self>, token: Option<&Token>) -> Self {
        let mut texts: Vec<String> = requests.flat_map(|secrets| secrets.texts.to_vec()).collect();
        texts.sort_unstable();
        texts.dedup();
        Self { token: token.cloned(), texts: texts.into() }
    }

    /// What a server says without the secrets, as text and as JSON.
    pub(super) fn hide(&self, body: Bytes) -> (Bytes, Value) {
        let text = String::from_utf8_lossy(&body);
        let body = self.hidden(&text).map_or_else(|| body.clone(), Bytes::from);
        let mut said = serde_json::from_slice(&body).unwrap_or(Value::Null);
        // What is escaped in the text is not in what is read.
        let body = if self.hide_in(&mut said) { said.to_string().into() } else { body };
        (body, said)
    }

    /// The headers of an answer without those that repeat a secret.
    pub(super) fn hide_in_headers(&self, headers: &HeaderMap) -> HeaderMap {
        let is_secret = |value: &HeaderValue| self.hidden(&String::from_utf8_lossy(value.as_bytes())).is_some();
        let told = headers.iter().filter(|(_, value)| !is_secret(value));
        told.map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    /// The text without the secrets; nothing where it is as it was.
    pub(super) fn hidden(&self, text: &str) -> Option<String> {
        let mut found = self.all().filter(|secret| text.contains(*secret)).peekable();
        found.peek()?;
        Some(found.fold(text.to_owned(), |text, secret| text.replace(secret, "…")))
    }

    /// Takes the secrets out of every text in a value, and says whether there were any. As deep as JSON is read.
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
