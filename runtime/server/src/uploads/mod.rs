//! Media go up beside a request: at paths of their own, as one request or in pieces.
//!
//! | topic | what to read |
//! |---|---|
//! | which operation media are for, and how they come | [`Uploads`], [`Kind`] |
//! | media while they are read | [`Media`] |
//! | JSON and media in one body | `multipart` |
//! | what is kept between pieces | [`UploadSessions`], [`MemorySessions`] |
//! | pieces are taken | `pieces` |
//! | where they go | `address` |

mod address;
mod media;
mod memory;
mod multipart;
mod pieces;
mod sessions;

pub use media::Media;
pub use memory::MemorySessions;
pub use sessions::{KeptAnswer, Session, SessionFuture, UploadSessions};

pub(crate) use multipart::related;
pub(crate) use pieces::{Begin, Taken, begun, taken};

use std::borrow::Cow;

use http::request::Parts;
use http::{Method, header};
use wireform_runtime::operation::{self, Api, Operation, Role, RoleValues, Segment};

use crate::error::{At, Error};
use crate::query;
use crate::routes::{Captures, Found, Routes};

/// The parameter of the query that names an upload in pieces. It stands in addresses that the server hands out and clients
/// take as they are, so that no schema declares it.
pub(crate) const UPLOAD_ID: &str = "upload_id";

/// Where media go up.
#[derive(Debug)]
pub(crate) struct Uploads {
    ways: Vec<Way>,
    routes: Routes,
}

/// Where media of one operation go up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    /// The place of the operation in the list of contracts.
    pub(crate) contract: usize,
    pub(crate) media: &'static operation::Media,
    /// The operation with this path.
    pub(crate) operation: &'static Operation,
    /// Whether its body can come with them.
    pub(crate) multipart: bool,
}

impl Uploads {
    pub(crate) fn new(uploads: impl Iterator<Item = (usize, &'static operation::Media)>) -> Self {
        let mut ways: Vec<Way> = Vec::new();
        for (contract, media) in uploads {
            for way in media.simple.iter().chain(&media.resumable) {
                ways.push(Way { contract, media, operation: &way.operation, multipart: way.multipart });
            }
        }
        let routes = Routes::at_root(ways.iter().map(|way| way.operation));
        Self { ways, routes }
    }

    /// The beginnings of the paths at which they are found, below none of those.
    pub(crate) fn prefixes(&self, bases: &[&'static str]) -> Vec<String> {
        let mut prefixes: Vec<String> = self.ways.iter().filter_map(|way| prefix(way.operation)).collect();
        prefixes.retain(|prefix| !bases.iter().any(|base| is_below(prefix, base)));
        prefixes.sort();
        prefixes.dedup();
        prefixes
    }

    /// The way for a method and a path; a piece of media comes with PUT, whatever the operation has.
    pub(crate) fn find(&self, parts: &Parts) -> Option<(Way, Captures)> {
        if self.ways.is_empty() {
            return None;
        }
        let method = match session(parts) {
            Some((contract, _)) => {
                let way = self.ways.iter().find(|way| way.contract == contract)?;
                Method::from_bytes(way.operation.method.as_bytes()).ok()?
            }
            None => parts.method.clone(),
        };
        match self.routes.find(&method, parts.uri.path()) {
            Found::Operation { operation, captures } => Some((*self.ways.get(operation)?, captures)),
            _ => None,
        }
    }
}

fn is_below(prefix: &str, base: &str) -> bool {
    prefix.strip_prefix(base).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The fixed text that a path begins with, without its last segment; nothing where it begins with a variable.
fn prefix(operation: &Operation) -> Option<String> {
    let (_, before) = operation.path.split_last()?;
    let literals = before.iter().map_while(|segment| match segment {
        Segment::Literal(text) => Some(*text),
        _ => None,
    });
    let prefix: String = literals.flat_map(|text| ["/", text]).collect();
    (!prefix.is_empty()).then_some(prefix)
}

/// How media come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// They are the body.
    Media,
    /// They are the second part of the body.
    Multipart,
    /// They are to come in pieces.
    Resumable,
}

impl Kind {
    /// What the parameter of the API says that has this role; without it, what the body is.
    pub(crate) fn of(parts: &Parts, api: &Api) -> Result<Self, Error> {
        let RoleValues { simple, multipart, resumable, .. } = api.values;
        let parameter = api.parameter(Role::UploadType);
        let said = parameter.and_then(|parameter| value(parts, |raw| query::is_parameter(raw, parameter)));
        match said.as_deref() {
            Some(said) if said == simple => Ok(Self::Media),
            Some(said) if said == multipart => Ok(Self::Multipart),
            Some(said) if said == resumable => Ok(Self::Resumable),
            Some(_) => {
                let name = parameter.map_or("", |parameter| parameter.name.name);
                let message = format!("{name} must be `{simple}`, `{multipart}` or `{resumable}`");
                Err(Error::bad_request(message).at(At::Parameter(name.into())))
            }
            None if content_type(parts).starts_with("multipart/") => Ok(Self::Multipart),
            None => Ok(Self::Media),
        }
    }
}

/// What an upload in pieces is called: the place of its operation, since others may have the same path, and its name.
fn upload_id(way: Way, name: &str) -> String {
    format!("{}-{name}", way.contract)
}

/// The operation and the session that a piece is for.
pub(crate) fn session(parts: &Parts) -> Option<(usize, String)> {
    let id = value(parts, |raw| query::is_name(raw, UPLOAD_ID))
        .filter(|_| matches!(parts.method, Method::PUT | Method::DELETE))?;
    let (contract, name) = id.split_once('-')?;
    Some((contract.parse().ok()?, name.to_owned()))
}

fn value(parts: &Parts, is_name: impl Fn(&str) -> bool) -> Option<Cow<'_, str>> {
    let mut pairs = query::pairs(parts.uri.query()).filter(|(raw, _)| is_name(raw));
    crate::percent::decode_form(pairs.next()?.1).ok()
}

/// What the body is said to be.
pub(crate) fn content_type(parts: &Parts) -> &str {
    parts.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default()
}
