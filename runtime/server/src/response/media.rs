//! Responses that are not JSON.

use axum::body::{Body, Bytes};
use http::header::{ACCEPT_RANGES, CONTENT_RANGE, CONTENT_TYPE, IF_RANGE, RANGE};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use wireform_runtime::etag::ETag;

use super::ResponseParts;
use crate::contract::Outcome;
use crate::error::Error;
use crate::reply::{MediaBody, ReplyMedia};

/// Content type of bytes of unknown type.
const OCTET_STREAM: HeaderValue = HeaderValue::from_static("application/octet-stream");

impl ResponseParts<'_> {
    /// Creates the response with the media, or with the requested range of them.
    pub(super) fn media_response(mut self, media: ReplyMedia) -> Outcome {
        let content_type = HeaderValue::from_str(&media.content_type).unwrap_or(OCTET_STREAM);
        let mut bytes = match media.body {
            MediaBody::Stream(body) => {
                return Ok(self.build((body, 0), |all| set_default_content_type(all, content_type)));
            }
            MediaBody::Bytes(bytes) => bytes,
        };
        // A range keeps all of the bytes.
        let length = bytes.len();
        let parts = &self.context.parts;
        self.headers.entry(ACCEPT_RANGES).or_insert(HeaderValue::from_static("bytes"));
        let is_successful_get = parts.method == Method::GET && self.status == StatusCode::OK;
        match requested_range(&parts.headers, self.etag.as_ref(), bytes.len() as u64).filter(|_| is_successful_get) {
            None => {}
            Some(RequestedRange::Unsatisfiable) => return Err(unsatisfiable(bytes.len())),
            Some(RequestedRange::Bytes { first, last }) => {
                let range = format!("bytes {first}-{last}/{}", bytes.len());
                bytes = slice_range(&bytes, first, last);
                self.status = StatusCode::PARTIAL_CONTENT;
                if let Ok(range) = HeaderValue::from_str(&range) {
                    self.headers.insert(CONTENT_RANGE, range);
                }
            }
        }
        Ok(self.build((Body::from(bytes), length), |all| set_default_content_type(all, content_type)))
    }
}

/// Returns the bytes from `first` to `last` inclusive, without copying them; offsets beyond the end are clamped.
fn slice_range(bytes: &Bytes, first: u64, last: u64) -> Bytes {
    let at = |place: u64| usize::try_from(place).unwrap_or(usize::MAX).min(bytes.len());
    bytes.slice(at(first)..at(last.saturating_add(1)))
}

/// Creates the error of a range after the end of the media.
#[cold]
fn unsatisfiable(length: usize) -> Error {
    let error = Error::new(StatusCode::RANGE_NOT_SATISFIABLE, "the range starts after the last byte");
    match HeaderValue::from_str(&format!("bytes */{length}")) {
        Ok(range) => error.with_header(CONTENT_RANGE, range),
        Err(_) => error,
    }
}

/// Range of media.
#[derive(Debug, PartialEq, Eq)]
enum RequestedRange {
    Bytes { first: u64, last: u64 },
    Unsatisfiable,
}

/// Returns the requested range. Multiple ranges and invalid ones are ignored (RFC 9110, section 14.2), and so is a
/// range of another version.
fn requested_range(headers: &HeaderMap, etag: Option<&ETag>, length: u64) -> Option<RequestedRange> {
    if let Some(version) = headers.get(IF_RANGE) {
        // RFC 9110, section 13.1.5: compared strongly.
        let same = etag.is_some_and(|etag| version == etag.as_str() && !etag.as_str().starts_with("W/"));
        if !same {
            return None;
        }
    }
    let range = headers.get(RANGE)?.to_str().ok()?.strip_prefix("bytes=")?.trim_ascii();
    let (first, last) = range.split_once('-').filter(|_| !range.contains(','))?;
    let (first, last) = match (first.is_empty(), last.is_empty()) {
        (true, true) => return None,
        // Suffix range: the last bytes.
        (true, false) => {
            let few: u64 = last.parse().ok()?;
            if few == 0 {
                return Some(RequestedRange::Unsatisfiable);
            }
            (length.saturating_sub(few), length.saturating_sub(1))
        }
        (false, true) => (first.parse().ok()?, length.saturating_sub(1)),
        (false, false) => (first.parse().ok()?, last.parse::<u64>().ok()?.min(length.saturating_sub(1))),
    };
    if first >= length {
        return Some(RequestedRange::Unsatisfiable);
    }
    (first <= last).then_some(RequestedRange::Bytes { first, last })
}

/// Sets the content type of a response with media, unless the reply has set one.
fn set_default_content_type(headers: &mut HeaderMap, content_type: HeaderValue) {
    headers.entry(CONTENT_TYPE).or_insert(content_type);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requested_ranges() {
        let read = |text: &str| {
            requested_range(&[(RANGE, HeaderValue::from_str(text).unwrap())].into_iter().collect(), None, 10)
        };
        for (text, first, last) in [
            ("bytes=0-9", 0, 9),
            ("bytes=3-", 3, 9),
            ("bytes=3-3", 3, 3),
            ("bytes=3-99", 3, 9),
            ("bytes=-4", 6, 9),
            ("bytes=-99", 0, 9),
        ] {
            assert_eq!(read(text), Some(RequestedRange::Bytes { first, last }), "{text}");
        }
        for text in ["bytes=10-", "bytes=99-100", "bytes=-0"] {
            assert_eq!(read(text), Some(RequestedRange::Unsatisfiable), "{text}");
        }
        for text in ["bytes=", "bytes=-", "bytes=4-3", "bytes=a-b", "bytes=0-1,3-4", "lines=1-2"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn range_of_another_version_is_ignored() {
        let headers = |tag: &str| -> HeaderMap {
            let tag = HeaderValue::from_str(tag).unwrap();
            [(RANGE, HeaderValue::from_static("bytes=1-")), (IF_RANGE, tag)].into_iter().collect()
        };
        let etag = ETag::strong("a").unwrap();
        assert!(requested_range(&headers("\"a\""), Some(&etag), 5).is_some());
        assert!(requested_range(&headers("\"b\""), Some(&etag), 5).is_none());
        assert!(requested_range(&headers("\"a\""), None, 5).is_none());
    }
}
