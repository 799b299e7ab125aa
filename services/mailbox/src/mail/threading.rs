//! Keys by which mails find their conversations.

use siphasher::sip::SipHasher24;

use super::fields::Fields;

/// Key of the hashes of identifiers. It is not secret, and must never change because the hashes are stored.
const IDENTIFIERS: (u64, u64) = (0x7769_7265_666f_726d, 0x6d65_7373_6167_6573);
/// Key of the hashes of whole mails. It must never change either.
const CONTENTS: (u64, u64) = (0x7769_7265_666f_726d, 0x636f_6e74_656e_7473);

/// Maximum number of identifiers looked up for a mail.
const MAX_REFERENCES: usize = 50;

/// Returns the hash of a `Message-ID`, with or without its angle brackets, as it is stored and looked up. It must never
/// change.
#[must_use]
pub fn identifier_hash(id: &str) -> i64 {
    let id = id.trim();
    let id = id.strip_prefix('<').unwrap_or(id);
    let id = id.strip_suffix('>').unwrap_or(id);
    hash(IDENTIFIERS, id.trim().as_bytes())
}

/// Returns the substitute for the `Message-ID` of a mail without one: a hash of the whole mail with another key.
pub(super) fn content_hash(raw: &[u8]) -> i64 {
    hash(CONTENTS, raw)
}

/// Returns the SipHash of a text with a key, as it is stored.
fn hash((first, second): (u64, u64), bytes: &[u8]) -> i64 {
    SipHasher24::new_with_keys(first, second).hash(bytes).cast_signed()
}

/// Returns the hashes of the mails that this one replies to, the closest first (RFC 5322, section 3.6.4).
pub(super) fn references(fields: &Fields<'_>) -> Vec<i64> {
    let mut found = Vec::new();
    let replied_to = fields.identifiers("in-reply-to");
    let before = fields.identifiers("references");
    for id in replied_to.iter().chain(before.iter().rev()) {
        let hash = identifier_hash(id);
        if found.len() < MAX_REFERENCES && !found.contains(&hash) {
            found.push(hash);
        }
    }
    found
}
