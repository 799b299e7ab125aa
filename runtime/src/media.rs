//! Media bodies: bodies other than JSON, their types, and uploads.

pub use crate::http::media_type::{is_accepted, matches_range};
use crate::naming::Naming;
use crate::operation::{UploadDescription, UploadEndpoint};
pub use crate::raw_body::{RawBody, RawContent};
use crate::request::{Request, RequestEncoder, RequestError, WireRequest};

/// Request that can be sent with media. Generated code implements it for the requests of such operations.
pub trait Upload: Request {
    /// Media types and upload paths of the operation.
    const MEDIA: &'static UploadDescription;

    /// Encodes the request for an upload.
    ///
    /// # Errors
    /// Returns the same errors as [`Request::to_wire`].
    fn to_wire_with_media(
        &self,
        names: Naming,
        endpoint: &'static UploadEndpoint,
    ) -> Result<WireRequest, RequestError> {
        let mut parts = RequestEncoder::without_base_path(&endpoint.operation, names);
        crate::naming::with_naming(names, || self.write(&mut parts));
        parts.finish()
    }
}

/// Returns the index of the alternative with a media type: one that names it takes precedence over one with a matching
/// range. Returns `None` if no alternative matches.
#[must_use]
pub fn alternative_index(media_type: &str, alternatives: &[&[&str]]) -> Option<usize> {
    crate::request::alternative_index(media_type, alternatives.iter().copied())
}
