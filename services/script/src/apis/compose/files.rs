//! Attachments and inline images of mail.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::{encode_part, encode_word};
use crate::apis::text_field;

/// Maximum number of bytes of the key of an image.
const MAX_KEY: usize = 200;

/// Returns the part of an attachment.
pub(super) fn attachment_part(one: &Value) -> Result<String, String> {
    file_part(one, "attachment", "")
}

/// Returns the key of an image, which HTML refers to as `cid:KEY`, and its part.
pub(super) fn image_part(one: &Value) -> Result<(&str, String), String> {
    let key = text_field(one, "content_id").unwrap_or_default();
    let is_valid = |b: u8| b.is_ascii_graphic() && !b"<>\"\\".contains(&b);
    if key.is_empty() || key.len() > MAX_KEY || !key.bytes().all(is_valid) {
        let excerpt: String = key.chars().take(MAX_KEY).collect();
        let expected = format!("expected at most {MAX_KEY} visible ASCII characters");
        return Err(format!("`{excerpt}` is not a valid key of an inline image: {expected}"));
    }
    Ok((key, file_part(one, "inline", &format!("Content-ID: <{key}>\r\n"))?))
}

/// Returns the part of a file. An invalid media type, or data that is not base64, is an error.
fn file_part(one: &Value, disposition: &str, headers: &str) -> Result<String, String> {
    let kind = text_field(one, "content_type").unwrap_or("application/octet-stream");
    let token = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b));
    if !kind.split_once('/').is_some_and(|(main, sub)| token(main) && token(sub)) {
        return Err(format!("`{kind}` is not a media type"));
    }
    let name = encode_word(&text_field(one, "name").unwrap_or("attachment").replace(['"', '\\'], "_"));
    let data = text_field(one, "data_base64").unwrap_or_default();
    // Data that is not base64 could end its part.
    STANDARD.decode(data).map_err(|_| "the data of a file is not base64".to_owned())?;
    Ok(encode_part(kind, &format!("{headers}Content-Disposition: {disposition}; filename=\"{name}\"\r\n"), data))
}
