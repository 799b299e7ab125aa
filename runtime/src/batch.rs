//! Batches of HTTP messages: parts of a `multipart/mixed` body (RFC 2046, section 5.1) that have the type
//! `application/http` (RFC 9112, section 10.2).
//!
//! Lines end in CR LF, as the specification requires, or in LF alone, as some programs write them. Parsed messages
//! borrow from the body.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt;

use crate::http::media_type::essence;
pub use crate::http::multipart::Header;
use crate::http::multipart::{self as read, Breaks, Folding, ReadError, headers, line, without_break};

/// Media type of a part of a batch.
pub const PART_MEDIA_TYPE: &str = "application/http";

/// Error of parsing a batch. It repeats nothing of the batch, which may hold secrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatchError {
    /// The media type is not `multipart/mixed`, or names no boundary.
    MediaType,
    /// The last boundary is missing: the body is truncated.
    Truncated,
    /// There are more parts than the limit allows.
    TooManyParts,
    /// The headers of a part or a message cannot be parsed.
    InvalidHeaders,
    /// A part has another media type than `application/http`, or its first line is not UTF-8.
    NotAnHttpMessage,
    /// The body is shorter than its `Content-Length`, or that is not a number.
    BodyTooShort,
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::MediaType => "expected `multipart/mixed` with a boundary",
            Self::Truncated => "missing last boundary",
            Self::TooManyParts => "too many parts",
            Self::InvalidHeaders => "malformed headers of a part",
            Self::NotAnHttpMessage => "a part is not `application/http`",
            Self::BodyTooShort => "a message is shorter than its `Content-Length`",
        })
    }
}

impl std::error::Error for BatchError {}

impl From<ReadError> for BatchError {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Truncated => Self::Truncated,
            ReadError::TooManyParts => Self::TooManyParts,
            ReadError::InvalidHeaders => Self::InvalidHeaders,
        }
    }
}

/// Part of a batch: a request or a response with its id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part<'b> {
    /// Value of the header `Content-ID`.
    pub id: Option<Cow<'b, str>>,
    /// HTTP message.
    pub content: &'b [u8],
}

/// HTTP message: a request or a response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message<'b> {
    /// First line: the request line or the status line.
    pub start_line: &'b str,
    /// Headers, in their order.
    pub headers: Vec<Header<'b>>,
    /// Body.
    pub body: &'b [u8],
}

/// Returns the boundary parameter of a `multipart/mixed` media type.
///
/// # Errors
/// Returns an error if the media type is not `multipart/mixed` or its boundary is not 1 to 70 characters that are
/// allowed in a boundary.
pub fn parse_boundary(media_type: &str) -> Result<String, BatchError> {
    let is_mixed = essence(media_type).eq_ignore_ascii_case("multipart/mixed");
    let boundary = read::boundary(media_type).filter(|_| is_mixed);
    boundary.ok_or(BatchError::MediaType)
}

/// Returns the parts of a body, in their order.
///
/// # Errors
/// Returns an error if the last boundary is missing, there are more than `max_parts` parts, or a part has malformed
/// headers or a media type other than `application/http`.
pub fn parse_parts<'b>(body: &'b [u8], boundary: &str, max_parts: usize) -> Result<Vec<Part<'b>>, BatchError> {
    read::parts(body, boundary, Breaks::Lenient, max_parts)?.into_iter().map(parse_part).collect()
}

/// Splits one part of a batch into its `Content-ID` and its content; an error if it is no HTTP message.
fn parse_part(text: &[u8]) -> Result<Part<'_>, BatchError> {
    // Mail programs fold long header values into the next line.
    let (mut headers, content) = headers(text, Folding::Unfold)?;
    if !header_value(&headers, "content-type").is_some_and(|kind| essence(kind).eq_ignore_ascii_case(PART_MEDIA_TYPE)) {
        return Err(BatchError::NotAnHttpMessage);
    }
    let id = headers.iter().position(|(name, _)| name.eq_ignore_ascii_case("content-id"));
    Ok(Part { id: id.map(|at| headers.swap_remove(at).1), content })
}

/// Returns the value of the first header with this name, which is compared without regard to case.
#[must_use]
pub fn header_value<'h>(headers: &'h [Header<'_>], name: &str) -> Option<&'h str> {
    headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| &**value)
}

/// Parses the HTTP message that a part holds. Empty lines before it are skipped (RFC 9112, section 2.2).
///
/// # Errors
/// Returns an error if the head cannot be parsed, or the body is shorter than its `Content-Length`, or that is not a
/// number.
pub fn parse_message(content: &[u8]) -> Result<Message<'_>, BatchError> {
    let mut at = 0;
    while matches!(line(content, at), b"\r\n" | b"\n") {
        at += line(content, at).len();
    }
    let first = line(content, at);
    let start = std::str::from_utf8(without_break(first)).map_err(|_| BatchError::NotAnHttpMessage)?;
    let (headers, body) = headers(content.get(at + first.len()..).unwrap_or_default(), Folding::Refuse)?;
    let body = match header_value(&headers, "content-length") {
        Some(length) => {
            // `parse` alone would accept a sign.
            let digits = Some(length).filter(|length| length.bytes().all(|byte| byte.is_ascii_digit()));
            let length: usize = digits.and_then(|length| length.parse().ok()).ok_or(BatchError::BodyTooShort)?;
            body.get(..length).ok_or(BatchError::BodyTooShort)?
        }
        None => body,
    };
    Ok(Message { start_line: start, headers, body })
}

/// Writes the headers of a part; the message follows.
pub fn write_part_head(body: &mut Vec<u8>, boundary: &str, id: Option<&str>) {
    body.extend_from_slice(format!("--{boundary}\r\nContent-Type: {PART_MEDIA_TYPE}\r\n").as_bytes());
    if let Some(id) = id {
        body.extend_from_slice(format!("Content-ID: {id}\r\n").as_bytes());
    }
    body.extend_from_slice(b"\r\n");
}

/// Writes the boundary that ends a batch.
pub fn write_closing_boundary(body: &mut Vec<u8>, boundary: &str) {
    body.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
}

/// Returns the `Content-ID` of the response to a part: `<response-…>`, or `response-…` if `id` has no brackets.
#[must_use]
pub fn response_content_id(id: &str) -> String {
    match id.strip_prefix('<') {
        Some(rest) => format!("<response-{rest}"),
        None => format!("response-{id}"),
    }
}
