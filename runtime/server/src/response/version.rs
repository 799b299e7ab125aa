//! Entity tags of values.

use siphasher::sip128::{Hash128, SipHasher24};
use wireform_runtime::Request;
use wireform_runtime::etag::ETag;

/// Returns the tag in a field of a value. An invalid tag is `None`.
pub fn from_field<R: Request>(value: &R::Response) -> Option<ETag> {
    ETag::parse_lenient(R::etag(value)?).ok()
}

/// Returns a strong tag computed from the text of a value. It is the same on every machine and in every release,
/// because clients keep tags for long: SipHash-2-4 with 128 bits (Aumasson and Bernstein, 2012) and a zero key. Only
/// those who may write a value can influence its tag, so no slower hash is needed.
pub fn from_hash(text: &[u8]) -> Option<ETag> {
    let Hash128 { h1, h2 } = SipHasher24::new().hash(text);
    // Hexadecimal digits are always allowed.
    ETag::strong(&format!("{h2:016x}{h1:016x}")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Made by another implementation. Changed tags would make every client read everything again.
    #[test]
    fn tags_are_stable() {
        let text: Vec<u8> = (0..100).collect();
        for (text, expected) in [
            (b"" as &[u8], "\"f4f2ced447ab02427de0a38047d74950\""),
            (b"{}", "\"9104b66136b33b8f899e957eccfc4033\""),
            (&text, "\"eb9273582431a3cc2949d8e9cb4bd4f0\""),
        ] {
            assert_eq!(from_hash(text).unwrap().as_str(), expected);
        }
    }
}
