//! Message authentication codes with the secrets of a store.

use hmac::{Hmac, KeyInit as _};
use sha2::Sha256;

/// Returns the HMAC-SHA-256 (RFC 2104) with a key, to which the message is to be added.
#[must_use]
pub fn hmac_sha256(key: &[u8; 32]) -> Hmac<Sha256> {
    // The key is used as a block, padded with zeros.
    let mut block = [0; 64];
    block.iter_mut().zip(key).for_each(|(to, from)| *to = *from);
    Hmac::new(&block.into())
}
