//! `multipart/related` (RFC 2387): JSON and media in one body, whose media are streamed.

use axum::body::{Body, Bytes};
use bytes::BytesMut;
use futures_util::stream;
use wireform_runtime::__private::multipart::read::{self, Folding};

use super::MediaStream;
use crate::error::Error;
use crate::limits::{BodyReservation, Limits, RequestBody, next_chunk};

/// Maximum length in bytes of a line in the head of a part.
const MAX_LINE: usize = 4096;

/// Maximum number of lines in the head of a part.
const MAX_LINES: usize = 32;

/// Reads the JSON of a body, with its type, and returns the media after it as a stream. The JSON reserves memory while
/// it arrives.
///
/// # Errors
/// Returns a 400 if the body does not have these two parts; a 413 if the JSON is too long; errors of reading the body.
pub(crate) async fn related(
    content_type: &str,
    body: Body,
    limits: &Limits,
    intake: Option<BodyReservation>,
) -> Result<(String, Bytes, MediaStream), Error> {
    let boundary = format!("--{}", boundary(content_type)?);
    let mut parts = PartReader::begin(body, boundary, limits).await?;
    let json_type = parts.read_headers().await?;
    let delimiter = parts.delimiter.clone();
    let json = parts.read_until(&delimiter, limits.body_bytes, intake).await?;
    let rest = parts.read_line().await?;
    if rest.starts_with(b"--") {
        return Err(malformed_body("the body must have two parts: JSON and media"));
    }
    let media_type = parts.read_headers().await?;
    let pieces = stream::unfold(Some(parts), |parts| async {
        let mut parts = parts?;
        match parts.next_chunk().await {
            Ok(piece) => Some((Ok(piece?), Some(parts))),
            Err(error) => Some((Err(error), None)),
        }
    });
    Ok((json_type, json, MediaStream::new(&media_type, None, Box::pin(pieces))))
}

/// Returns the boundary of a media type.
fn boundary(content_type: &str) -> Result<String, Error> {
    let is_multipart = content_type.to_ascii_lowercase().starts_with("multipart/");
    let boundary = read::boundary(content_type).filter(|_| is_multipart);
    boundary.ok_or_else(|| malformed_body("the body must be `multipart/related` with a boundary"))
}

/// Creates the error of a malformed upload body: a 400 that closes the connection.
#[cold]
fn malformed_body(message: &'static str) -> Error {
    crate::limits::with_connection_close(Error::bad_request(message))
}

/// Rest of a body.
struct PartReader {
    body: RequestBody,
    buffer: BytesMut,
    /// End of the lines of the heads and before delimiters. The standard requires CRLF; the public client for Python sends
    /// LF.
    line_end: &'static [u8],
    delimiter: Vec<u8>,
    limits: Limits,
}

impl PartReader {
    /// Reads the first delimiter, whose line shows the line end of the body.
    async fn begin(body: Body, boundary: String, limits: &Limits) -> Result<Self, Error> {
        // The delimiter of the first part starts the body, and not a line.
        let (buffer, line_end) = (BytesMut::from(&b"\n"[..]), &b"\n"[..]);
        let delimiter = format!("\n{boundary}").into_bytes();
        let mut parts = Self { body: body.into(), buffer, line_end, delimiter, limits: limits.clone() };
        let delimiter = parts.delimiter.clone();
        parts.read_line_until(&delimiter, MAX_LINE).await?;
        let rest = parts.read_line().await?;
        if rest.starts_with(b"--") {
            return Err(malformed_body("the body must have two parts: JSON and media"));
        }
        if rest.ends_with(b"\r") {
            parts.line_end = b"\r\n";
            parts.delimiter = format!("\r\n{boundary}").into_bytes();
        }
        Ok(parts)
    }

    /// Reads a line of a head, or the rest of that of a delimiter.
    async fn read_line(&mut self) -> Result<Bytes, Error> {
        self.read_line_until(self.line_end, MAX_LINE).await
    }

    /// Reads more; the end is an error.
    async fn read_more(&mut self) -> Result<(), Error> {
        match next_chunk(&mut self.body, &self.limits).await? {
            Some(piece) => {
                self.buffer.extend_from_slice(&piece);
                Ok(())
            }
            None => {
                Err(malformed_body("unexpected end of the body: missing the closing boundary; send the whole body"))
            }
        }
    }

    /// Reads up to a text, which is skipped; a 413 if there are more than `max_bytes` before it.
    async fn read_line_until(&mut self, text: &[u8], max_bytes: usize) -> Result<Bytes, Error> {
        self.read_until(text, max_bytes, None).await
    }

    /// Like [`read_line_until`](Self::read_line_until), while memory is reserved.
    async fn read_until(
        &mut self,
        text: &[u8],
        max_bytes: usize,
        mut intake: Option<BodyReservation>,
    ) -> Result<Bytes, Error> {
        let (mut from, mut admitted) = (0, 0);
        loop {
            let found = find_bytes(&self.buffer, text, from);
            from = (self.buffer.len() + 1).saturating_sub(text.len());
            if let Some(intake) = &mut intake {
                let sure = found.unwrap_or(from);
                intake.admit(self.buffer.get(admitted..sure).unwrap_or_default()).await?;
                admitted = sure;
            }
            if let Some(at) = found {
                if let Some(intake) = intake {
                    intake.finish();
                }
                let found = self.buffer.split_to(at).freeze();
                let _ = self.buffer.split_to(text.len());
                return Ok(found);
            }
            if self.buffer.len() > max_bytes.saturating_add(text.len()) {
                let status = http::StatusCode::PAYLOAD_TOO_LARGE;
                return Err(crate::limits::with_connection_close(Error::new(status, "a part of the body is too long")));
            }
            match &mut intake {
                Some(intake) => intake.await_chunk(self.buffer.len(), self.read_more()).await?,
                None => self.read_more().await?,
            }
        }
    }

    /// Reads the headers of a part. Returns the content type.
    async fn read_headers(&mut self) -> Result<String, Error> {
        let mut head = Vec::new();
        for _ in 0..MAX_LINES {
            let line = self.read_line().await?;
            if line.is_empty() {
                return media_type(&head);
            }
            head.extend_from_slice(&line);
            head.extend_from_slice(b"\r\n");
        }
        Err(malformed_body("the head of a part is too long"))
    }

    /// Returns the next bytes of the last part, or `None` at its end.
    async fn next_chunk(&mut self) -> Result<Option<Bytes>, Error> {
        if self.delimiter.is_empty() {
            return Ok(None);
        }
        loop {
            if let Some(at) = find_bytes(&self.buffer, &self.delimiter, 0) {
                let piece = self.buffer.split_to(at).freeze();
                self.check_end().await?;
                return Ok((!piece.is_empty()).then_some(piece));
            }
            // Bytes that may start a delimiter are kept.
            let sure = (self.buffer.len() + 1).saturating_sub(self.delimiter.len());
            if sure > 0 {
                return Ok(Some(self.buffer.split_to(sure).freeze()));
            }
            self.read_more().await?;
        }
    }

    /// Checks that nothing but the end follows the media.
    async fn check_end(&mut self) -> Result<(), Error> {
        let length = self.delimiter.len();
        while self.buffer.len() < length + 2 {
            self.read_more().await?;
        }
        if self.buffer.get(length..length + 2) != Some(b"--") {
            return Err(malformed_body("the body must have two parts: JSON and media"));
        }
        self.delimiter.clear();
        Ok(())
    }
}

/// Returns the content type in the head of a part.
fn media_type(head: &[u8]) -> Result<String, Error> {
    let (headers, _) = read::headers(head, Folding::Unfold).map_err(|_| malformed_body("malformed head of a part"))?;
    let value =
        |name: &str| headers.iter().rfind(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value);
    let plain = |encoding: &str| ["binary", "8bit", "7bit"].iter().any(|plain| encoding.eq_ignore_ascii_case(plain));
    if value("content-transfer-encoding").is_some_and(|encoding| !plain(encoding)) {
        return Err(malformed_body("the parts must not be encoded"));
    }
    Ok(value("content-type").map(|value| value.to_string()).unwrap_or_default())
}

/// Returns the offset of the first occurrence of `text` at or after `from`.
fn find_bytes(buffer: &[u8], text: &[u8], from: usize) -> Option<usize> {
    let first = text.first()?;
    let mut at = from;
    loop {
        at += buffer.get(at..)?.iter().position(|byte| byte == first)?;
        if buffer.get(at..)?.starts_with(text) {
            return Some(at);
        }
        at += 1;
    }
}
