//! Encryption of tokens.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chacha20poly1305::XNonce;
use chacha20poly1305::aead::{Aead as _, Generate as _, Payload};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::binding::Binding;
use super::{MAX_PAYLOAD, TokenSealer};

/// Version of the layout: this byte, the nonce, the encrypted time in seconds and JSON, the authentication tag.
const VERSION: u8 = 1;
/// Length of the nonce of XChaCha20-Poly1305 in bytes.
const NONCE_BYTES: usize = 24;
/// Length of the time in bytes.
const TIME_BYTES: usize = 8;
/// Length of the authentication tag in bytes.
const TAG_BYTES: usize = 16;

/// Maximum length of a token in bytes.
const MAX_TOKEN_BYTES: usize = (1 + NONCE_BYTES + TIME_BYTES + MAX_PAYLOAD + TAG_BYTES).div_ceil(3) * 4;

/// Error of opening a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenError {
    /// The token is malformed, forged or bound to something else.
    Invalid,
    /// The token has exceeded its maximum age.
    TooOld,
}

impl TokenSealer {
    /// Seals a token.
    ///
    /// # Errors
    /// Returns an error if the payload cannot be encoded or is too long, or if the system provides no random bytes.
    pub(super) fn seal<T: Serialize + ?Sized>(
        &self,
        binding: &Binding,
        payload: &T,
        now: u64,
    ) -> Result<String, Box<dyn std::error::Error + Send + Sync>> {
        let mut plain = now.to_le_bytes().to_vec();
        serde_json::to_writer(&mut plain, payload)?;
        if plain.len() > TIME_BYTES + MAX_PAYLOAD {
            return Err(
                format!("the payload of a token exceeds {MAX_PAYLOAD} bytes: {}", plain.len() - TIME_BYTES).into()
            );
        }
        let key = self.keys.first().ok_or("missing key of tokens")?;
        let nonce = XNonce::try_generate()?;
        let payload = Payload { msg: &plain, aad: &with_version(binding) };
        let sealed = key.encrypt(&nonce, payload).map_err(|_| "cannot encrypt a token")?;
        let mut token = Vec::with_capacity(1 + NONCE_BYTES + sealed.len());
        token.push(VERSION);
        token.extend_from_slice(&nonce);
        token.extend_from_slice(&sealed);
        Ok(URL_SAFE_NO_PAD.encode(token))
    }

    /// Opens a token.
    pub(super) fn open<T: DeserializeOwned>(&self, binding: &Binding, text: &str, now: u64) -> Result<T, OpenError> {
        if text.len() > MAX_TOKEN_BYTES {
            return Err(OpenError::Invalid);
        }
        // The decoder is strict: no bits beyond the last byte.
        let token = URL_SAFE_NO_PAD.decode(text).map_err(|_| OpenError::Invalid)?;
        let plain = self.decrypt(binding, &token).ok_or(OpenError::Invalid)?;
        let (time, payload) = plain.split_first_chunk::<TIME_BYTES>().ok_or(OpenError::Invalid)?;
        // A token of a machine whose clock is ahead counts as new.
        let age = now.saturating_sub(u64::from_le_bytes(*time));
        if self.max_age.is_some_and(|most| age > most.as_secs()) {
            return Err(OpenError::TooOld);
        }
        serde_json::from_slice(payload).map_err(|_| OpenError::Invalid)
    }

    /// Decrypts a token with the first key that fits; `None` if it is malformed, forged or bound to something else.
    fn decrypt(&self, binding: &Binding, token: &[u8]) -> Option<Vec<u8>> {
        let (VERSION, rest) = token.split_first().map(|(version, rest)| (*version, rest))? else { return None };
        let (nonce, sealed) = rest.split_first_chunk::<NONCE_BYTES>()?;
        let (nonce, aad) = (XNonce::from(*nonce), with_version(binding));
        self.keys.iter().find_map(|key| key.decrypt(&nonce, Payload { msg: sealed, aad: &aad }).ok())
    }
}

/// Returns the authenticated data, with the version, so that no other layout can be read as this one.
fn with_version(binding: &Binding) -> Vec<u8> {
    [b"wireform token ", &[VERSION][..], &binding.0].concat()
}
