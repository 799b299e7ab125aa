//! Parameters and body become a request.
//!
//! All that is wrong with them is told in one answer: parameters first, in the order of the operation, then the body
//! in the order of its text.

mod body;
mod brackets;
mod expansion;
mod form;
mod headers;
mod json;
mod multipart;
mod parameters;
mod query;
mod raw;
mod spelled;
mod standard;
mod structured;
mod xml;

pub(crate) use headers::check_content;
pub use parameters::Parameters;
pub(crate) use spelled::SentNames;

use std::sync::{Arc, Mutex};

use axum::body::Bytes;
use http::header::{IF_MATCH, IF_NONE_MATCH};
use http::request::Parts;
use wireform_runtime::detached::with_decoded;
use wireform_runtime::etag::ETagCondition;
use wireform_runtime::file::with_files;
use wireform_runtime::operation::{Operation, Role};
use wireform_runtime::{Answer, Effective, FilePart, FromWire, Request};
use wireform_validation::{At, CheckRequests, Unread, Validates, Violations, Warnings};

use crate::answer::accept::check_accept;
use crate::answer::choice::is_instead_of_json;
use crate::auth::Principal;
use crate::context::{Context, Wanted};
use crate::contract::Contract;
use crate::error::Error;
use crate::limits::Decoded;
use crate::observe::RequestId;
use crate::query::{is_name, is_parameter, pairs};
use crate::routes::Captures;
use crate::settings::Settings;
use crate::stream::ResponseStreams;
use crate::uploads::{self, Media};
use parameters::Wire;

/// A request that was routed, and whose sender is known and may send it.
pub struct Incoming {
    pub(crate) contract: &'static Contract,
    /// The operation, with the path at which it was asked for.
    pub(crate) operation: &'static Operation,
    pub(crate) captures: Captures,
    pub(crate) principal: Principal,
    pub(crate) id: RequestId,
    pub(crate) parts: Parts,
    pub(crate) body: Bytes,
    /// The files of a form, which its body names by their places.
    pub(crate) files: Vec<FilePart>,
    /// The media that come with it.
    pub(crate) media: Option<Media>,
    pub(crate) settings: Arc<Settings>,
}

/// What a request says beside its parameters and its body.
struct Beside {
    wanted: Wanted,
    if_match: Option<ETagCondition>,
    if_none_match: Option<ETagCondition>,
}

impl Incoming {
    /// The request of an operation that has no body; `read` puts it together from its parameters.
    ///
    /// # Errors
    /// 400 with all that is wrong, a body among it; 406 when the answer cannot be JSON.
    pub fn receive<R, V>(
        self,
        rules: &'static V,
        read: impl FnOnce(&mut Parameters<'_, '_>) -> R,
    ) -> Result<(R, Context), Error>
    where
        R: Request,
        V: Validates<R> + CheckRequests,
    {
        self.check_accept::<R>()?;
        let body = self.body.clone();
        self.request(rules, |wire, mut unread| {
            if !body.is_empty() {
                unread.refuse(At::BODY, "body", "must be empty: the operation takes none");
            }
            let request = read(&mut Parameters::new(wire, &mut unread));
            let warnings = unread.check(rules, &request)?;
            Ok((request, warnings))
        })
    }

    /// The request of an operation that has a body; `read` puts it together from its parameters and the body.
    ///
    /// # Errors
    /// 400 with all that is wrong; 406 when the answer cannot be JSON, 415 when the body says that it is not; what
    /// reading a body can lead to, such as 413.
    pub fn receive_body<R, B, V>(
        mut self,
        rules: &'static V,
        read: impl FnOnce(&mut Parameters<'_, '_>, B) -> R,
    ) -> Result<(R, Context), Error>
    where
        R: Request,
        B: for<'de> FromWire<'de>,
        V: Validates<R> + CheckRequests,
    {
        self.check_accept::<R>()?;
        let (body, depth) = (self.body.clone(), self.settings.limits.json_depth);
        let (files, decoded) = (std::mem::take(&mut self.files), self.decoded());
        self.request(rules, |wire, unread| {
            with_side_data(files, decoded, || {
                body::read(unread, (rules, &body, depth), |unread, body| {
                    strip(rules, read(&mut Parameters::new(wire, unread), body))
                })
            })
        })
    }

    /// The request of an operation that can have a body; `read` puts it together from its parameters and the body.
    ///
    /// # Errors
    /// Those of [`receive_body`](Self::receive_body).
    pub fn receive_optional_body<R, B, V>(
        mut self,
        rules: &'static V,
        read: impl FnOnce(&mut Parameters<'_, '_>, Option<B>) -> R,
    ) -> Result<(R, Context), Error>
    where
        R: Request,
        B: for<'de> FromWire<'de>,
        V: Validates<R> + CheckRequests,
    {
        self.check_accept::<R>()?;
        let (body, depth) = (self.body.clone(), self.settings.limits.json_depth);
        let (files, decoded) = (std::mem::take(&mut self.files), self.decoded());
        self.request(rules, |wire, mut unread| {
            if body.is_empty() {
                let request = read(&mut Parameters::new(wire, &mut unread), None);
                let warnings = unread.check(rules, &request)?;
                return Ok((request, warnings));
            }
            with_side_data(files, decoded, || {
                body::read(unread, (rules, &body, depth), |unread, body| {
                    strip(rules, read(&mut Parameters::new(wire, unread), Some(body)))
                })
            })
        })
    }

    /// Takes the data that was decoded while the body arrived.
    fn decoded(&self) -> Vec<wireform_runtime::Bytes> {
        self.parts.extensions.get().map(Decoded::take).unwrap_or_default()
    }

    fn check_accept<R: Request>(&self) -> Result<(), Error> {
        // A download is of whatever type its bytes are.
        let any = R::Response::EMPTY || self.wants_media::<R>();
        if any { Ok(()) } else { check_accept(&self.parts.headers, R::ACCEPT) }
    }

    /// Whether the answer is asked for as media.
    fn wants_media<R: Request>(&self) -> bool {
        if !R::DOWNLOAD {
            return false;
        }
        let Some(format) = R::API.parameter(Role::Format) else { return false };
        let media = R::API.values.media;
        let is_media = |(raw, value): (&str, &str)| is_parameter(raw, format) && is_name(value, media);
        pairs(self.parts.uri.query()).any(is_media)
    }

    /// What `make` makes of the request, and what the handler is told beside it.
    fn request<R, V>(
        self,
        rules: &'static V,
        make: impl FnOnce(&Wire<'_>, Unread) -> Result<(R, Warnings), Violations>,
    ) -> Result<(R, Context), Error>
    where
        R: Request,
        V: Validates<R> + CheckRequests,
    {
        let operation = self.operation;
        // Warnings are for the log, if somebody reads it.
        let mut unread = if tracing::enabled!(tracing::Level::DEBUG) {
            Unread::default()
        } else {
            Unread::default().without_warnings()
        };
        let beside: &[&str] = if self.media.is_some() { &[uploads::UPLOAD_ID] } else { &[] };
        let query = query::known(self.parts.uri.query(), R::API, (operation, beside), &self.settings, &mut unread);
        let wire = Wire { operation, captures: self.captures, parts: &self.parts, query };
        Parameters::new(&wire, &mut unread).check_constants();
        let beside = self.beside::<R>(&wire, &mut unread);
        let (mut request, warnings) = make(&wire, unread).map_err(|mut violations| {
            let sent = SentNames::new(R::API, operation, self.parts.uri.query(), self.settings.names);
            sent.with_headers(&self.parts.headers).rename(&mut violations);
            violations
        })?;
        if R::REFUSES_OUTPUT_ONLY {
            // Below a member without effect nothing is checked, and so nothing refused.
            request.prepare();
        }
        if !warnings.is_empty() {
            tracing::debug!(operation = operation.name, warnings = warnings.count(), "the request has warnings");
        }
        let effective = rules.effective(&request);
        Ok((request, self.context(beside, effective, rules)))
    }

    fn beside<R: Request>(&self, wire: &Wire<'_>, unread: &mut Unread) -> Beside {
        let headers = &self.parts.headers;
        let mut condition =
            |is_taken: bool, name| if is_taken { headers::condition(headers, name, unread) } else { None };
        let if_match = condition(self.contract.if_match, &IF_MATCH);
        let if_none_match = condition(self.contract.if_none_match, &IF_NONE_MATCH);
        // The tags that a client can know are those of JSON, and XML that it has may be another version.
        let is_xml = || R::XML.is_some_and(|root| is_instead_of_json(root, headers));
        let if_none_match = if_none_match.filter(|_| !R::OPERATION.safe || !is_xml());
        let media = self.wants_media::<R>();
        let wanted = standard::wanted(R::API, &wire.query, R::SHAPE, media, unread);
        Beside { wanted, if_match, if_none_match }
    }

    fn context(self, beside: Beside, effective: Effective, rules: &'static dyn CheckRequests) -> Context {
        let Self { contract, principal, id, parts, settings, media, .. } = self;
        let Beside { wanted, if_match, if_none_match } = beside;
        let (media, rules) = (Mutex::new(media), Some(rules));
        let streams = ResponseStreams::default();
        Context {
            contract,
            principal,
            id,
            parts,
            settings,
            wanted,
            if_match,
            if_none_match,
            media,
            streams,
            effective,
            rules,
        }
    }
}

/// Calls `read`, which finds the files and the data that stand beside the text of the body, and no others.
fn with_side_data<T>(files: Vec<FilePart>, decoded: Vec<wireform_runtime::Bytes>, read: impl FnOnce() -> T) -> T {
    with_files(files, || with_decoded(decoded, read))
}

/// Returns a request without what only the server writes, and without what has no effect. Clients read a resource,
/// change it and send all of it back: what is dropped is neither checked nor seen by a rule.
fn strip<R: Request, V: Validates<R>>(rules: &V, mut request: R) -> R {
    request.drop_output_only();
    let effective = rules.effective(&request);
    request.drop_ineffective(&effective);
    request
}

#[cfg(test)]
mod tests {
    use wireform_runtime::Bytes;
    use wireform_runtime::detached::decoded_mark;
    use wireform_runtime::json;

    use super::*;

    #[test]
    fn a_body_without_data_finds_none_of_others() {
        let read = || json::from_str::<Bytes>(&decoded_mark(0)).is_ok();
        let found = with_side_data(Vec::new(), vec![Bytes::from(vec![1])], || {
            (read(), with_side_data(Vec::new(), Vec::new(), read), read())
        });
        assert_eq!(found, (true, false, true));
    }
}
