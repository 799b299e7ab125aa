//! Uploads of media, at paths of their own, as one request or as a resumable upload.
//!
//! | topic | see |
//! |---|---|
//! | operations with media, and protocols | [`Uploads`], [`UploadProtocol`] |
//! | media of a request | [`MediaStream`] |
//! | JSON and media in one body | `multipart` |
//! | storage of resumable uploads | [`UploadSessions`], [`MemorySessions`] |
//! | chunks of resumable uploads | `chunks`, `chunk_range` |
//! | URLs of resumable uploads | `session_url` |

mod chunk_range;
mod chunks;
mod media;
mod memory;
mod multipart;
mod session_url;
mod sessions;

pub use media::MediaStream;
pub use memory::MemorySessions;
pub use sessions::{Session, StoredResponse, UploadFuture, UploadSessions};

pub(crate) use chunks::{ChunkOutcome, StartRequest, start, store_chunk};
pub(crate) use multipart::related;

use std::borrow::Cow;

use http::request::Parts;
use http::{Method, header};
use wireform_runtime::operation::{self, Api, Operation, Role, RoleValues, Segment};

use crate::error::{Error, ErrorLocation};
use crate::query;
use crate::routes::{Captures, RouteMatch, Routes};

/// Query parameter that identifies a resumable upload. Clients use the URLs of the server unchanged, so no schema
/// declares it.
pub(crate) const UPLOAD_ID: &str = "upload_id";

/// Upload paths of an API.
#[derive(Debug)]
pub(crate) struct Uploads {
    upload_routes: Vec<UploadRoute>,
    routes: Routes,
}

/// Upload path of one operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UploadRoute {
    /// Index of the operation in the list of contracts.
    pub(crate) contract: usize,
    pub(crate) media: &'static operation::UploadDescription,
    /// Operation with this path.
    pub(crate) operation: &'static Operation,
    /// True if the body may include the operation's JSON.
    pub(crate) multipart: bool,
}

impl Uploads {
    pub(crate) fn new(uploads: impl Iterator<Item = (usize, &'static operation::UploadDescription)>) -> Self {
        let mut upload_routes: Vec<UploadRoute> = Vec::new();
        for (contract, media) in uploads {
            for upload_route in media.simple.iter().chain(&media.resumable) {
                upload_routes.push(UploadRoute {
                    contract,
                    media,
                    operation: &upload_route.operation,
                    multipart: upload_route.multipart,
                });
            }
        }
        let routes = Routes::at_root(upload_routes.iter().map(|upload_route| upload_route.operation));
        Self { upload_routes, routes }
    }

    /// Returns the prefixes of the upload paths that are not below a base path.
    pub(crate) fn prefixes(&self, bases: &[&'static str]) -> Vec<String> {
        let mut prefixes: Vec<String> =
            self.upload_routes.iter().filter_map(|upload_route| literal_prefix(upload_route.operation)).collect();
        prefixes.retain(|prefix| !bases.iter().any(|base| is_below(prefix, base)));
        prefixes.sort();
        prefixes.dedup();
        prefixes
    }

    /// Returns the upload path that matches a method and a path; chunks are sent with PUT, whatever the operation's
    /// method is.
    pub(crate) fn find(&self, parts: &Parts) -> Option<(UploadRoute, Captures)> {
        if self.upload_routes.is_empty() {
            return None;
        }
        let method = match chunk_session(parts) {
            Some((contract, _)) => {
                let upload_route = self.upload_routes.iter().find(|upload_route| upload_route.contract == contract)?;
                Method::from_bytes(upload_route.operation.method.as_bytes()).ok()?
            }
            None => parts.method.clone(),
        };
        match self.routes.find(&method, parts.uri.path()) {
            RouteMatch::Operation { operation, captures } => Some((*self.upload_routes.get(operation)?, captures)),
            _ => None,
        }
    }
}

/// Returns whether a path prefix is the base path or in it.
fn is_below(prefix: &str, base: &str) -> bool {
    prefix.strip_prefix(base).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns the literal prefix of a path, without its last segment; `None` if it starts with a variable.
fn literal_prefix(operation: &Operation) -> Option<String> {
    let (_, before) = operation.path.split_last()?;
    let literals = before.iter().map_while(|segment| match segment {
        Segment::Literal(text) => Some(*text),
        _ => None,
    });
    let prefix: String = literals.flat_map(|text| ["/", text]).collect();
    (!prefix.is_empty()).then_some(prefix)
}

/// Upload protocol of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UploadProtocol {
    /// The body is the media.
    Media,
    /// The media are the second part of the body.
    Multipart,
    /// The request starts a resumable upload.
    Resumable,
}

impl UploadProtocol {
    /// Returns the protocol by the API's parameter with the role; without it, by the type of the body.
    pub(crate) fn from_request(parts: &Parts, api: &Api) -> Result<Self, Error> {
        let RoleValues { simple, multipart, resumable, .. } = api.role_values;
        let parameter = api.parameter(Role::UploadType);
        let protocol = parameter.and_then(|parameter| query_value(parts, |raw| query::is_parameter(raw, parameter)));
        match protocol.as_deref() {
            Some(protocol) if protocol == simple => Ok(Self::Media),
            Some(protocol) if protocol == multipart => Ok(Self::Multipart),
            Some(protocol) if protocol == resumable => Ok(Self::Resumable),
            Some(_) => {
                let name = parameter.map_or("", |parameter| parameter.name.name);
                let message = format!("`{name}` must be `{simple}`, `{multipart}` or `{resumable}`");
                Err(Error::bad_request(message).with_location(ErrorLocation::Parameter(name.into())))
            }
            None if content_type(parts).starts_with("multipart/") => Ok(Self::Multipart),
            None => Ok(Self::Media),
        }
    }
}

/// Returns the identifier of a resumable upload: the index of its operation, since others may have the same path, and
/// its name.
fn upload_id(upload_route: UploadRoute, name: &str) -> String {
    format!("{}-{name}", upload_route.contract)
}

/// Returns the operation and the session of a chunk.
pub(crate) fn chunk_session(parts: &Parts) -> Option<(usize, String)> {
    let id = query_value(parts, |raw| query::is_name(raw, UPLOAD_ID))
        .filter(|_| matches!(parts.method, Method::PUT | Method::DELETE))?;
    let (contract, name) = id.split_once('-')?;
    Some((contract.parse().ok()?, name.to_owned()))
}

/// Returns the decoded value of the first parameter in the query whose name, still encoded, satisfies `is_name`.
fn query_value(parts: &Parts, is_name: impl Fn(&str) -> bool) -> Option<Cow<'_, str>> {
    let mut pairs = query::pairs(parts.uri.query()).filter(|(raw, _)| is_name(raw));
    wireform_runtime::http::percent::decode_form(pairs.next()?.1).ok()
}

/// Returns the content type of the body.
pub(crate) fn content_type(parts: &Parts) -> &str {
    parts.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default()
}
