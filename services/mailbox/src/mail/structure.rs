//! Structure of a mail: nested parts, with limits on depth and number.

use super::fields::{Fields, line_end};

/// Maximum depth of nested parts; deeper ones are returned as one part.
const MAX_DEPTH: usize = 20;
/// Maximum number of parts of a mail; the rest is returned as one part.
const MAX_PARTS: usize = 1000;
/// Maximum number of headers of a mail and its parts; further ones are omitted.
pub(super) const MAX_FIELDS: usize = 4000;

/// Mail or part of a mail.
#[derive(Debug)]
pub(super) struct Part<'m> {
    /// Headers.
    pub(super) fields: Fields<'m>,
    /// Media type in lower case: `text/plain`.
    pub(super) media_type: String,
    /// Character encoding.
    pub(super) charset: Option<String>,
    /// File name.
    pub(super) filename: Option<String>,
    /// True if it is an attachment.
    pub(super) attached: bool,
    /// Encoded content.
    pub(super) body: &'m [u8],
    /// Nested parts; a part with some has no content of its own.
    pub(super) parts: Vec<Part<'m>>,
}

/// Remaining limits of a mail.
struct RemainingLimits {
    parts: usize,
    fields: usize,
}

impl<'m> Part<'m> {
    /// Parses a mail. One without headers is a text.
    pub(super) fn of_message(raw: &'m [u8]) -> Self {
        parse_part(raw, 0, &mut RemainingLimits { parts: MAX_PARTS, fields: MAX_FIELDS })
    }

    /// Returns whether the mail has an attachment.
    pub(super) fn has_attachment(&self) -> bool {
        self.attached || self.parts.iter().any(Part::has_attachment)
    }

    /// Returns the parts without nested parts, in order.
    pub(super) fn leaves(&self) -> Vec<&Part<'m>> {
        if self.parts.is_empty() { vec![self] } else { self.parts.iter().flat_map(Part::leaves).collect() }
    }
}

/// Parses a mail or a part, and its nested parts as far as the limits allow.
fn parse_part<'m>(text: &'m [u8], depth: usize, room: &mut RemainingLimits) -> Part<'m> {
    let (fields, body) = Fields::read(text, &mut room.fields);
    let content = fields.structured("content-type");
    let disposition = fields.structured("content-disposition");
    let attribute = |name: &str| content.as_ref().and_then(|content| content.attribute(name)).map(str::to_owned);
    let media_type = content.as_ref().and_then(|content| media_type(content.ctype(), content.subtype()?));
    let filename = disposition.as_ref().and_then(|one| one.attribute("filename")).map(str::to_owned);
    let mut part = Part {
        media_type: media_type.unwrap_or_else(|| "text/plain".to_owned()),
        charset: attribute("charset"),
        filename: filename.or_else(|| attribute("name")).filter(|name| !name.is_empty()),
        attached: disposition.as_ref().is_some_and(|one| one.is_attachment()),
        fields,
        body,
        parts: Vec::new(),
    };
    part.attached |= part.filename.is_some();
    if depth < MAX_DEPTH {
        part.parts = if part.media_type.starts_with("multipart/") {
            attribute("boundary").map(|boundary| split_multipart(body, &boundary, depth, room)).unwrap_or_default()
        } else if is_plain_message(&part) && room.parts > 0 {
            room.parts -= 1;
            vec![parse_part(body, depth + 1, room)]
        } else {
            Vec::new()
        };
    }
    part
}

/// Returns whether a part is an unencoded mail.
fn is_plain_message(part: &Part<'_>) -> bool {
    let encoded = || part.fields.text("content-transfer-encoding").unwrap_or_default().trim().to_ascii_lowercase();
    matches!(&*part.media_type, "message/rfc822" | "message/global")
        && !part.body.is_empty()
        && !matches!(&*encoded(), "base64" | "quoted-printable")
}

/// Returns the media type, if type and subtype are tokens (RFC 2045, section 5.1).
fn media_type(kind: &str, subtype: &str) -> Option<String> {
    let token = |word: &str| {
        !word.is_empty() && word.len() <= 127 && word.bytes().all(|byte| byte.is_ascii_graphic() && !is_special(byte))
    };
    (token(kind) && token(subtype)).then(|| format!("{kind}/{subtype}").to_ascii_lowercase())
}

/// Returns whether a character separates tokens in a header (RFC 2045, section 5.1).
fn is_special(byte: u8) -> bool {
    b"()<>@,;:\\\"/[]?=".contains(&byte)
}

/// Parses the parts between the lines that begin with `--boundary` (RFC 2046, section 5.1.1). Text before the first and
/// after the last delimiter is ignored.
fn split_multipart<'m>(body: &'m [u8], boundary: &str, depth: usize, room: &mut RemainingLimits) -> Vec<Part<'m>> {
    let mut parts = Vec::new();
    let mut begins = None;
    let mut at = 0;
    while let Some(rest) = body.get(at..).filter(|rest| !rest.is_empty()) {
        let length = line_end(rest);
        let line = rest.get(..length).unwrap_or_default();
        if let Some(ends) = parse_delimiter(line, boundary) {
            if let Some(begin) = begins {
                parts.push(parse_part(without_line_end(body.get(begin..at).unwrap_or_default()), depth + 1, room));
                room.parts = room.parts.saturating_sub(1);
            }
            begins = Some(at + length);
            if ends {
                return parts;
            }
            if room.parts <= 1 {
                break;
            }
        }
        at += length;
    }
    // The last part is not terminated: the mail was truncated, or the limit of parts is reached.
    if let Some(rest) = begins.and_then(|begin| body.get(begin..)).filter(|rest| !rest.trim_ascii().is_empty()) {
        room.parts = room.parts.saturating_sub(1);
        parts.push(parse_part(rest, if room.parts == 0 { MAX_DEPTH } else { depth + 1 }, room));
    }
    parts
}

/// Returns whether a line is a delimiter, and if so, whether it is the last one.
fn parse_delimiter(line: &[u8], boundary: &str) -> Option<bool> {
    let rest = line.strip_prefix(b"--")?.strip_prefix(boundary.as_bytes())?.trim_ascii_end();
    match rest {
        b"" => Some(false),
        b"--" => Some(true),
        _ => None,
    }
}

/// Removes the line end before a delimiter, which belongs to the delimiter.
fn without_line_end(text: &[u8]) -> &[u8] {
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    text.strip_suffix(b"\r").unwrap_or(text)
}
