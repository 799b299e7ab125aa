//! `multipart/related` (RFC 2387): JSON and media in one body.

use bytes::Bytes;

/// Start and end of a body of two parts, around the media.
pub(crate) struct RelatedBody {
    pub(crate) content_type: String,
    pub(crate) prefix: Bytes,
    pub(crate) suffix: Bytes,
}

/// Creates a body whose first part is JSON. The boundary must not occur in the media, and streamed media cannot be
/// searched for it. With 122 random bits it does not occur by chance, and is unpredictable.
pub(crate) fn related_body(json_type: &str, json: &[u8], media_type: &str) -> RelatedBody {
    let boundary = format!("wireform-{}", uuid::Uuid::new_v4().simple());
    let mut before = Vec::with_capacity(json.len() + 256);
    before.extend_from_slice(format!("--{boundary}\r\nContent-Type: {json_type}\r\n\r\n").as_bytes());
    before.extend_from_slice(json);
    before.extend_from_slice(format!("\r\n--{boundary}\r\nContent-Type: {media_type}\r\n\r\n").as_bytes());
    RelatedBody {
        content_type: format!("multipart/related; boundary={boundary}"),
        prefix: before.into(),
        suffix: format!("\r\n--{boundary}--\r\n").into(),
    }
}
