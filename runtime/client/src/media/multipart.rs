//! `multipart/related` (RFC 2387): JSON and media in one body.

use bytes::Bytes;

/// Start and end of a body of two parts, around the media.
pub(crate) struct Related {
    pub(crate) content_type: String,
    pub(crate) before: Bytes,
    pub(crate) after: Bytes,
}

/// Creates a body whose first part is JSON. The boundary must not occur in the media, and streamed media cannot be
/// searched for it. With 122 random bits it does not occur by chance, and is unpredictable.
pub(crate) fn related(json_type: &str, json: &[u8], media_type: &str) -> Related {
    let boundary = format!("wireform-{}", uuid::Uuid::new_v4().simple());
    let mut before = Vec::with_capacity(json.len() + 256);
    before.extend_from_slice(format!("--{boundary}\r\nContent-Type: {json_type}\r\n\r\n").as_bytes());
    before.extend_from_slice(json);
    before.extend_from_slice(format!("\r\n--{boundary}\r\nContent-Type: {media_type}\r\n\r\n").as_bytes());
    Related {
        content_type: format!("multipart/related; boundary={boundary}"),
        before: before.into(),
        after: format!("\r\n--{boundary}--\r\n").into(),
    }
}
