//! Entity tags of values.

use siphasher::sip128::{Hash128, SipHasher24};
use wireform_runtime::Request;
use wireform_runtime::etag::ETag;

/// The tag that a value carries in a member. A text that cannot be a tag is none.
pub fn of_member<R: Request>(value: &R::Response) -> Option<ETag> {
    ETag::lenient(R::etag(value)?).ok()
}

/// A strong tag made of the text of a value: two values that are written alike have the same, on every machine and in
/// every release, since clients keep tags for long. It is SipHash-2-4 with 128 bits (Aumasson and Bernstein, 2012) and
/// a key of zeros: nobody but who may write a value has a say in its tag, and so none is needed that is slower.
pub fn of_text(text: &[u8]) -> Option<ETag> {
    let Hash128 { h1, h2 } = SipHasher24::new().hash(text);
    // Digits are always allowed.
    ETag::strong(&format!("{h2:016x}{h1:016x}")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Made by another implementation. Tags that change make every client read everything again.
    #[test]
    fn tags_are_for_ever() {
        let text: Vec<u8> = (0..100).collect();
        for (text, expected) in [
            (b"" as &[u8], "\"f4f2ced447ab02427de0a38047d74950\""),
            (b"{}", "\"9104b66136b33b8f899e957eccfc4033\""),
            (&text, "\"eb9273582431a3cc2949d8e9cb4bd4f0\""),
        ] {
            assert_eq!(of_text(text).unwrap().as_str(), expected);
        }
    }
}
