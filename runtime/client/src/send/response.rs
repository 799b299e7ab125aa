//! Responses.

use std::pin::pin;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::header::{self, HeaderMap};
use http::{Response, StatusCode};
use http_body_util::BodyExt as _;
use wireform_runtime::error_body::ErrorReport;
use wireform_runtime::etag::ETag;
use wireform_runtime::json::DecodeError;
use wireform_runtime::operation::ErrorFields;

use super::SendError;
use super::secrets::Secrets;
use crate::error::{Error, ErrorKind, RawResponse, StatusError};
use crate::observe::CallObservation;
use crate::reply::RawReply;
use crate::time::{timeout, wall_clock};
use crate::transport::ResponseBody;

/// Maximum number of bytes of a body that is not decoded, such as that of an error.
const MAX_ERROR_BYTES: usize = 64 * 1024;

/// Maximum time to wait for the rest of a body whose status is sufficient.
const MAX_REST_TIME: Duration = Duration::from_secs(5);

/// Expectations of a response.
pub(super) struct ResponseExpectations {
    pub(super) errors: &'static ErrorFields,
    /// True if 304 is expected.
    pub(super) not_modified: bool,
    /// Statuses of redirections that are successes.
    pub(super) redirects: &'static [u16],
    /// True if the body of such a redirection is decoded.
    pub(super) reads_redirects: bool,
    pub(super) ignores_body: bool,
    /// Maximum size of a successful body in bytes.
    pub(super) limit: usize,
    /// True if a successful body is truncated at the limit, instead of an error.
    pub(super) truncates: bool,
    /// True if a successful body is left to be read as a stream.
    pub(super) streams: bool,
}

/// Successful response.
pub(super) struct SuccessResponse {
    status: u16,
    headers: HeaderMap,
    /// `None` for 304.
    body: Option<Bytes>,
    /// True if the body was truncated at the limit.
    is_truncated: bool,
    /// Body that is left to be read as a stream.
    unread: Option<ResponseBody>,
    /// Secrets that an error about the body must not repeat.
    secrets: Secrets,
}

impl SuccessResponse {
    /// Returns the status, the headers and the unread body.
    pub(super) fn into_unread(self) -> (u16, HeaderMap, ResponseBody) {
        (self.status, self.headers, self.unread.unwrap_or_else(ResponseBody::empty))
    }

    /// Returns the headers.
    pub(super) fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// Returns the content type.
    pub(super) fn content_type(&self) -> Option<&str> {
        header_text(&self.headers, "content-type")
    }

    /// Returns the body, and whether it was truncated at the limit.
    pub(super) fn into_body(self) -> (Bytes, bool) {
        (self.body.unwrap_or_default(), self.is_truncated)
    }
}

/// Successful response that may still fail to decode.
pub(crate) struct UndecodedResponse {
    response: SuccessResponse,
    watch: CallObservation,
}

impl UndecodedResponse {
    pub(super) fn new(response: SuccessResponse, watch: CallObservation) -> Self {
        Self { response, watch }
    }

    /// Returns the body, or `None` for 304.
    pub(crate) fn body(&self) -> Option<&Bytes> {
        self.response.body.as_ref()
    }

    /// Returns the status.
    pub(crate) fn status(&self) -> u16 {
        self.response.status
    }

    /// Returns the content type.
    pub(crate) fn content_type(&self) -> Option<&str> {
        self.response.content_type()
    }

    /// Records that the body cannot be decoded, and returns the error.
    pub(crate) fn into_decode_error(self, mut error: DecodeError) -> Error<Bytes> {
        // The message may quote a value, and the path a name.
        for text in [&mut error.message, &mut error.path] {
            if let Some(hidden) = self.response.secrets.redact(text) {
                *text = hidden;
            }
        }
        let content_type = self.response.headers.get(header::CONTENT_TYPE);
        let content_type = content_type.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
        self.watch.fail(ErrorKind::Decode { error, status: self.response.status, content_type })
    }

    /// Records that the body was decoded. Returns the status.
    pub(crate) fn succeed(self) -> u16 {
        self.watch.succeed();
        self.response.status
    }

    /// Records that the body was not decoded, and returns the response.
    pub(crate) fn into_raw(self) -> RawReply {
        self.watch.succeed();
        let SuccessResponse { status, headers, body, .. } = self.response;
        RawReply { status, headers, body: body.unwrap_or_default() }
    }

    /// Records that the body was decoded. Returns the status, the entity tag and the headers.
    pub(crate) fn into_parts(self, member: Option<ETag>) -> (u16, Option<ETag>, HeaderMap) {
        let SuccessResponse { status, headers, .. } = self.response;
        let header = || ETag::parse(std::str::from_utf8(headers.get(header::ETAG)?.as_bytes()).ok()?).ok();
        let etag = member.or_else(header);
        self.watch.succeed();
        (status, etag, headers)
    }
}

/// Reads a response.
pub(super) async fn read(
    response: Response<ResponseBody>,
    expected: &ResponseExpectations,
    secrets: Secrets,
    watch: &mut CallObservation,
) -> Result<SuccessResponse, SendError> {
    let (head, body) = response.into_parts();
    let (status, headers) = (head.status, head.headers);
    watch.record_status(status);
    let mut response =
        SuccessResponse { status: status.as_u16(), headers, body: None, is_truncated: false, unread: None, secrets };
    if status == StatusCode::NOT_MODIFIED && expected.not_modified {
        return Ok(response);
    }
    if status.is_success() && expected.streams {
        response.unread = Some(body);
        return Ok(response);
    }
    let is_redirect = expected.redirects.contains(&status.as_u16());
    let succeeds = status.is_success() || is_redirect;
    let is_read = !expected.ignores_body && (!is_redirect || expected.reads_redirects);
    let body = if succeeds && is_read {
        let (body, is_cut) = read_whole_body(body, &response.headers, expected, watch).await?;
        response.is_truncated = is_cut;
        body
    } else {
        // An unused body is read too, so that the connection can be reused.
        read_body_start(body, watch).await
    };
    if succeeds {
        response.body = Some(body);
        return Ok(response);
    }
    Err(error_response(&response, body, expected))
}

/// Converts an error response to an error.
fn error_response(response: &SuccessResponse, body: Bytes, expected: &ResponseExpectations) -> SendError {
    let SuccessResponse { status, headers, secrets, .. } = response;
    let (body, json) = secrets.redact_body(body);
    let mut error = StatusError::from_status(*status);
    let report = ErrorReport::read(expected.errors, &json);
    error.message = report.message;
    error.reason = report.reason;
    error.location = report.location;
    error.details = report.details;
    error.raw = String::from_utf8_lossy(&body).into_owned();
    let profile = expected.errors.profile;
    let is_rate_limit = profile.is_rate_limit(*status, error.reason.as_deref());
    let headers_shown = secrets.redact_headers(headers);
    error.raw_response = Box::new(RawResponse { headers: headers_shown, body: body.clone(), is_rate_limit });
    error.body = Some(body);
    error.retry_after = retry_after(headers);
    error.request_id = profile.request_ids.iter().find_map(|name| header_text(headers, name)).map(str::to_owned);
    ErrorKind::Status(error).into()
}

/// Reads a whole body. Returns whether it was truncated at the limit.
async fn read_whole_body(
    mut body: ResponseBody,
    headers: &HeaderMap,
    expected: &ResponseExpectations,
    watch: &mut CallObservation,
) -> Result<(Bytes, bool), SendError> {
    let ResponseExpectations { limit, truncates: cuts, .. } = *expected;
    let too_long = || Err(ErrorKind::BodyTooLong { limit }.into());
    let declared = header_text(headers, "content-length").and_then(|text| text.parse::<u64>().ok()).unwrap_or(0);
    if declared > limit as u64 && !cuts {
        return too_long();
    }
    let mut first = Bytes::new();
    let mut rest = BytesMut::new();
    let mut is_cut = false;
    while !is_cut && let Some(frame) = body.frame().await {
        let Ok(mut data) = frame.map_err(ErrorKind::Connection)?.into_data() else { continue };
        watch.record_received(data.len());
        let room = limit - first.len() - rest.len();
        if data.len() > room {
            if !cuts {
                return too_long();
            }
            data.truncate(room);
            is_cut = true;
        }
        // Most responses arrive as one chunk, which needs no copy.
        if first.is_empty() && rest.is_empty() {
            first = data;
        } else {
            rest.extend_from_slice(&std::mem::take(&mut first));
            rest.extend_from_slice(&data);
        }
    }
    Ok((if rest.is_empty() { first } else { rest.freeze() }, is_cut))
}

/// Reads the start of a body, as far as it arrives.
async fn read_body_start(mut body: ResponseBody, watch: &mut CallObservation) -> Bytes {
    let mut read = BytesMut::new();
    let reading = async {
        while let Some(Ok(frame)) = body.frame().await {
            let Ok(data) = frame.into_data() else { continue };
            watch.record_received(data.len());
            let room = MAX_ERROR_BYTES - read.len();
            read.extend_from_slice(data.get(..room).unwrap_or(&data));
            if data.len() > room {
                break;
            }
        }
    };
    // The status is what matters, so it must not be lost because the rest does not arrive.
    let _ = timeout(MAX_REST_TIME, pin!(reading)).await;
    read.freeze()
}

/// Returns the delay that the server requests (RFC 9110, section 10.2.3).
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let value = header_text(headers, "retry-after")?.trim_ascii();
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let until = httpdate::parse_http_date(value).ok()?;
    // By the server's own clock, if it sends it.
    let now = header_text(headers, "date").and_then(|date| httpdate::parse_http_date(date).ok());
    Some(until.duration_since(now.unwrap_or_else(wall_clock)).unwrap_or_default())
}

/// Returns the first value of a header, if it is visible ASCII.
fn header_text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}
