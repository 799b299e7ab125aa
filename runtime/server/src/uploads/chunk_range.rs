//! Range of a chunk of a resumable upload.

use http::{HeaderMap, header};

use crate::error::{Error, ErrorLocation};

/// Range of a chunk.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ChunkRange {
    /// No bytes: the client queries the progress.
    None { total: Option<u64> },
    /// Bytes from `first` on.
    Bytes { first: u64, last: Option<u64>, total: Option<u64> },
}

impl ChunkRange {
    /// Parses `Content-Range` (RFC 9110, section 14.4); without it, a body is the whole upload.
    pub(super) fn from_headers(headers: &HeaderMap) -> Result<Self, Error> {
        let Some(range) = headers.get(header::CONTENT_RANGE) else {
            let length = headers.get(header::CONTENT_LENGTH).and_then(|length| parse_digits(length.to_str().ok()?));
            return Ok(Self::Bytes { first: 0, last: None, total: length });
        };
        let read = || {
            let (part, total) = range.to_str().ok()?.strip_prefix("bytes ")?.trim_ascii().split_once('/')?;
            let total = if total == "*" { None } else { Some(parse_digits(total)?) };
            if part == "*" {
                return Some(Self::None { total });
            }
            let (first, last) = part.split_once('-')?;
            let (first, last) = (parse_digits(first)?, parse_digits(last)?);
            let fits = first <= last && total.is_none_or(|total| last < total);
            fits.then_some(Self::Bytes { first, last: Some(last), total })
        };
        read().ok_or_else(|| {
            let error = Error::bad_request("the range must be `bytes 0-42/100`, `bytes 0-42/*` or `bytes */100`");
            error.with_location(ErrorLocation::Header("Content-Range".into()))
        })
    }

    /// Returns whether the range is the whole upload, because none is declared.
    pub(super) const fn is_whole(&self) -> bool {
        matches!(self, Self::Bytes { last: None, .. })
    }

    /// Returns the length of the upload, if the range declares it.
    pub(super) const fn total(&self) -> Option<u64> {
        match self {
            Self::None { total } | Self::Bytes { total, .. } => *total,
        }
    }
}

/// Parses a number of digits: `parse` would accept a sign.
pub(super) fn parse_digits(text: &str) -> Option<u64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn content_range_is_parsed() {
        let read = |text: &'static str| {
            let headers = [(header::CONTENT_RANGE, HeaderValue::from_static(text))];
            ChunkRange::from_headers(&headers.into_iter().collect()).ok()
        };
        let bytes = |first, last, total| Some(ChunkRange::Bytes { first, last: Some(last), total });
        assert_eq!(read("bytes 0-42/43"), bytes(0, 42, Some(43)));
        assert_eq!(read("bytes 5-5/*"), bytes(5, 5, None));
        assert_eq!(read("bytes */100"), Some(ChunkRange::None { total: Some(100) }));
        assert_eq!(read("bytes */*"), Some(ChunkRange::None { total: None }));
        for wrong in
            ["", "bytes", "bytes 5-4/9", "bytes 0-9/9", "bytes 0-/9", "bytes -1-2/3", "bytes=0-1/2", "bytes 0-1"]
        {
            assert_eq!(read(wrong), None, "{wrong}");
        }
        let whole = [(header::CONTENT_LENGTH, HeaderValue::from_static("7"))].into_iter().collect();
        assert_eq!(
            ChunkRange::from_headers(&whole).ok(),
            Some(ChunkRange::Bytes { first: 0, last: None, total: Some(7) })
        );
    }
}
