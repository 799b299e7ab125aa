//! Successful responses.

use bytes::Bytes;
use http::HeaderMap;
use wireform_runtime::ResponseHeaders;
use wireform_runtime::etag::ETag;

/// Successful response.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reply<T> {
    /// HTTP status.
    pub status: u16,
    /// Entity tag: the one in the value, otherwise the one in the header.
    pub etag: Option<ETag>,
    /// Value; `None` if it has not changed from the version that the condition of the call names.
    pub value: Option<T>,
    /// Headers.
    pub headers: HeaderMap,
}

impl<T> Reply<T> {
    /// Returns the headers that the operation declares, parsed to their types; missing and invalid ones are absent.
    #[must_use]
    pub fn read_headers<H: ResponseHeaders>(&self) -> H {
        read_headers(&self.headers)
    }
}

/// Successful response whose body was not decoded.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RawReply {
    /// HTTP status.
    pub status: u16,
    /// Headers.
    pub headers: HeaderMap,
    /// Body; empty for 304.
    pub body: Bytes,
}

/// Parses the headers that a schema declares.
pub(crate) fn read_headers<H: ResponseHeaders>(headers: &HeaderMap) -> H {
    let lines = |name: &str| {
        let values = headers.get_all(name).iter();
        values.filter_map(|value| value.to_str().ok()).map(str::to_owned).collect()
    };
    H::read(&lines)
}
