//! How a mail is put together: parts within parts, to a depth and a number that are enough for people.

use super::fields::{Fields, line_end};

/// How deep parts may stand in one another; what lies deeper is told as one piece.
const MAX_DEPTH: usize = 20;
/// How many parts a mail may have; what follows is told as one piece.
const MAX_PARTS: usize = 1000;
/// How many headers a mail may have with all its parts; further ones are not told.
pub(super) const MAX_FIELDS: usize = 4000;

/// A mail or a part of it.
#[derive(Debug)]
pub(super) struct Part<'m> {
    /// Its headers.
    pub(super) fields: Fields<'m>,
    /// What it is, in lower case: `text/plain`.
    pub(super) media_type: String,
    /// In which way characters are written.
    pub(super) charset: Option<String>,
    /// The name of a file that it is meant to become.
    pub(super) filename: Option<String>,
    /// Whether it is beside the text.
    pub(super) attached: bool,
    /// What it holds, encoded for its way.
    pub(super) body: &'m [u8],
    /// The parts that it is made of; then it holds nothing itself.
    pub(super) parts: Vec<Part<'m>>,
}

/// What is left of what one mail may have.
struct Room {
    parts: usize,
    fields: usize,
}

impl<'m> Part<'m> {
    /// The mail in these bytes. What has no header is a text.
    pub(super) fn of_message(raw: &'m [u8]) -> Self {
        read(raw, 0, &mut Room { parts: MAX_PARTS, fields: MAX_FIELDS })
    }

    /// Whether something is attached to it.
    pub(super) fn has_attachment(&self) -> bool {
        self.attached || self.parts.iter().any(Part::has_attachment)
    }

    /// The parts without parts, in their order.
    pub(super) fn leaves(&self) -> Vec<&Part<'m>> {
        if self.parts.is_empty() { vec![self] } else { self.parts.iter().flat_map(Part::leaves).collect() }
    }
}

fn read<'m>(text: &'m [u8], depth: usize, room: &mut Room) -> Part<'m> {
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
            attribute("boundary").map(|boundary| split(body, &boundary, depth, room)).unwrap_or_default()
        } else if is_plain_message(&part) && room.parts > 0 {
            room.parts -= 1;
            vec![read(body, depth + 1, room)]
        } else {
            Vec::new()
        };
    }
    part
}

/// Whether a part is a mail whose bytes stand there as they are.
fn is_plain_message(part: &Part<'_>) -> bool {
    let encoded = || part.fields.text("content-transfer-encoding").unwrap_or_default().trim().to_ascii_lowercase();
    matches!(&*part.media_type, "message/rfc822" | "message/global")
        && !part.body.is_empty()
        && !matches!(&*encoded(), "base64" | "quoted-printable")
}

/// The media type, if both words are tokens (RFC 2045, section 5.1).
fn media_type(kind: &str, subtype: &str) -> Option<String> {
    let token = |word: &str| {
        !word.is_empty() && word.len() <= 127 && word.bytes().all(|byte| byte.is_ascii_graphic() && !special(byte))
    };
    (token(kind) && token(subtype)).then(|| format!("{kind}/{subtype}").to_ascii_lowercase())
}

fn special(byte: u8) -> bool {
    b"()<>@,;:\\\"/[]?=".contains(&byte)
}

/// The parts between the lines that begin with `--boundary` (RFC 2046, section 5.1.1). What is before the first and
/// after the last is for programs that know no parts.
fn split<'m>(body: &'m [u8], boundary: &str, depth: usize, room: &mut Room) -> Vec<Part<'m>> {
    let mut parts = Vec::new();
    let mut begins = None;
    let mut at = 0;
    while let Some(rest) = body.get(at..).filter(|rest| !rest.is_empty()) {
        let length = line_end(rest);
        let line = rest.get(..length).unwrap_or_default();
        if let Some(ends) = delimiter(line, boundary) {
            if let Some(begin) = begins {
                parts.push(read(without_line_end(body.get(begin..at).unwrap_or_default()), depth + 1, room));
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
    // The last part has no end: the mail was cut off, or has more parts than are told.
    if let Some(rest) = begins.and_then(|begin| body.get(begin..)).filter(|rest| !rest.trim_ascii().is_empty()) {
        room.parts = room.parts.saturating_sub(1);
        parts.push(read(rest, if room.parts == 0 { MAX_DEPTH } else { depth + 1 }, room));
    }
    parts
}

/// Whether a line is a delimiter, and if so, whether it is the last one.
fn delimiter(line: &[u8], boundary: &str) -> Option<bool> {
    let rest = line.strip_prefix(b"--")?.strip_prefix(boundary.as_bytes())?.trim_ascii_end();
    match rest {
        b"" => Some(false),
        b"--" => Some(true),
        _ => None,
    }
}

/// The line end before a delimiter belongs to the delimiter.
fn without_line_end(text: &[u8]) -> &[u8] {
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    text.strip_suffix(b"\r").unwrap_or(text)
}
