//! By which mails find their conversations.

use siphasher::sip::SipHasher24;

use super::fields::Fields;

/// The keys are no secret: they are stored with every hash, so to say, and never change.
const IDENTIFIERS: (u64, u64) = (0x7769_7265_666f_726d, 0x6d65_7373_6167_6573);
const CONTENTS: (u64, u64) = (0x7769_7265_666f_726d, 0x636f_6e74_656e_7473);

/// The most identifiers that are looked up for a mail.
const REFERENCES: usize = 50;

/// The hash of a `Message-ID`, with or without its angle brackets, that is stored and looked for. It is the same for
/// ever.
#[must_use]
pub fn identifier_hash(id: &str) -> i64 {
    let id = id.trim();
    let id = id.strip_prefix('<').unwrap_or(id);
    let id = id.strip_suffix('>').unwrap_or(id);
    hash(IDENTIFIERS, id.trim().as_bytes())
}

/// What stands for the `Message-ID` of a mail that has none: a hash of the whole, under another key.
pub(super) fn content_hash(raw: &[u8]) -> i64 {
    hash(CONTENTS, raw)
}

fn hash((first, second): (u64, u64), bytes: &[u8]) -> i64 {
    SipHasher24::new_with_keys(first, second).hash(bytes).cast_signed()
}

/// The hashes of the mails that this one answers, the closest first (RFC 5322, section 3.6.4).
pub(super) fn references(fields: &Fields<'_>) -> Vec<i64> {
    let mut found = Vec::new();
    let answered = fields.identifiers("in-reply-to");
    let before = fields.identifiers("references");
    for id in answered.iter().chain(before.iter().rev()) {
        let hash = identifier_hash(id);
        if found.len() < REFERENCES && !found.contains(&hash) {
            found.push(hash);
        }
    }
    found
}
