//! Entity tags of values.

use wireform_runtime::Request;
use wireform_runtime::etag::ETag;

mod hash;

/// The tag that a value carries in a member. A text that cannot be a tag is none.
pub fn of_member<R: Request>(value: &R::Response) -> Option<ETag> {
    ETag::lenient(R::etag(value)?).ok()
}

/// A strong tag made of the text of a value: two values that are written alike have the same, on every machine and in
/// every release, since clients keep tags for long.
pub fn of_text(text: &[u8]) -> Option<ETag> {
    // Digits are always allowed.
    ETag::strong(&format!("{:032x}", hash::sip128(text))).ok()
}
