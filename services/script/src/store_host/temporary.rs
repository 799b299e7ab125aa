//! Keys that tell the users of a script apart and not who they are.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use wireform_store::{Mailbox, Millis};

/// The milliseconds after which users have other temporary keys: 30 days.
const PERIOD: i64 = 30 * 24 * 60 * 60 * 1_000;
/// What the secret of the store is used for here, so that it is another one than that of page tokens.
const LABEL: &[u8] = b"wireform: temporary keys of script users";

/// Makes temporary keys of users. All servers on a store make the same; without its secret nobody can tell whose a key is,
/// though there are few users to try.
#[derive(Clone)]
pub(crate) struct TemporaryKeys([u8; 32]);

impl TemporaryKeys {
    /// Derives them from the secret of a store.
    pub(crate) fn of_store(secret: [u8; 32]) -> Self {
        Self(code(&secret, LABEL))
    }

    /// Returns the key of a user of a script at a time.
    pub(crate) fn of(&self, script: &str, user: Mailbox, now: Millis) -> String {
        let text = format!("{script} {} {}", user.0, now.0.div_euclid(PERIOD));
        URL_SAFE_NO_PAD.encode(code(&self.0, text.as_bytes()))
    }
}

/// Shows no secret.
impl fmt::Debug for TemporaryKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TemporaryKeys")
    }
}

/// Returns the HMAC-SHA-256 of a text (RFC 2104).
fn code(key: &[u8; 32], text: &[u8]) -> [u8; 32] {
    // A key is used as a block, with zeros at its end.
    let mut block = [0; 64];
    block.iter_mut().zip(key).for_each(|(to, from)| *to = *from);
    let mut code = <Hmac<Sha256> as KeyInit>::new(&block.into());
    code.update(text);
    code.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Made by another implementation of HMAC.
    #[test]
    fn keys_are_those_of_the_secret() {
        let keys = TemporaryKeys::of_store([7; 32]);
        for (script, user, period, key) in [
            ("script", 1, 683, "899Bw6sNpp0H1_cluiPnff7kWhr8xnnvAe5VS1jbSL0"),
            ("script", 2, 683, "65NvYz-LnnFKWzvFU0XzR6Le3bJuOB--0LAnQIPT8Ko"),
            ("script", 1, 684, "Xl0twsPN9Gsb3kmH6_EINclz0OtGmGyf2HL4ZHDve58"),
            ("other", 1, 683, "GIcS8JVjoJs1oBE2SSuFOK5qqwQftzo2Jewn-SZ1E1s"),
        ] {
            for within in [0, PERIOD - 1] {
                assert_eq!(keys.of(script, Mailbox(user), Millis(period * PERIOD + within)), key);
            }
        }
        let of_another_store = TemporaryKeys::of_store([8; 32]);
        assert_ne!(of_another_store.of("script", Mailbox(1), Millis(0)), keys.of("script", Mailbox(1), Millis(0)));
        assert_eq!(format!("{keys:?}"), "TemporaryKeys");
    }
}
