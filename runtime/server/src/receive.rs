//! Parsing of parameters and bodies.
//!
//! All violations are reported in one response: first those of the parameters, in the order of the operation, then
//! those of the body, in the order of its text.

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
mod sent_names;
mod standard;
mod structured;
mod xml;

pub(crate) use headers::check_content;
pub use parameters::Parameters;
pub(crate) use sent_names::SentNames;

use std::sync::{Arc, Mutex};

use axum::body::Bytes;
use http::header::{IF_MATCH, IF_NONE_MATCH};
use http::request::Parts;
use wireform_runtime::__private::placeholders::with_decoded_data;
use wireform_runtime::etag::ETagCondition;
use wireform_runtime::file::with_files;
use wireform_runtime::operation::{Operation, Role};
use wireform_runtime::{ConditionSet, FilePart, FromWire, Request, WireBody};
use wireform_validation::{
    __private::{Location, RequestReader},
    CheckRequests, Validates, Violations, Warnings,
};

use crate::auth::Principal;
use crate::context::{Context, ResponseOptions};
use crate::contract::Contract;
use crate::error::Error;
use crate::limits::DecodedData;
use crate::observe::RequestId;
use crate::query::{is_name, is_parameter, pairs};
use crate::response::accept::check_accept;
use crate::response::choice::is_xml_alternative;
use crate::routes::Captures;
use crate::settings::Settings;
use crate::stream::ResponseStreams;
use crate::uploads::{self, Media};
use parameters::RequestParameters;

/// Request that was routed, authenticated and authorized.
pub struct Incoming {
    pub(crate) contract: &'static Contract,
    /// Operation with the path that was called.
    pub(crate) operation: &'static Operation,
    pub(crate) captures: Captures,
    pub(crate) principal: Principal,
    pub(crate) id: RequestId,
    pub(crate) parts: Parts,
    pub(crate) body: Bytes,
    /// Files of a form, to which its body refers by their indices.
    pub(crate) files: Vec<FilePart>,
    /// Media of the request.
    pub(crate) media: Option<Media>,
    pub(crate) settings: Arc<Settings>,
}

/// Properties of a request beyond its parameters and its body.
struct RequestExtras {
    wanted: ResponseOptions,
    if_match: Option<ETagCondition>,
    if_none_match: Option<ETagCondition>,
}

impl Incoming {
    /// Parses the request of an operation without a body; `read` builds it from its parameters.
    ///
    /// # Errors
    /// Returns a 400 with all violations, such as an unexpected body; a 406 if `Accept` excludes every media type of
    /// the response.
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
        self.build_request(rules, |wire, mut unread| {
            if !body.is_empty() {
                unread.reject(Location::BODY, "body", "must be empty: the operation has no body");
            }
            let request = read(&mut Parameters::new(wire, &mut unread));
            let warnings = unread.check(rules, &request)?;
            Ok((request, warnings))
        })
    }

    /// Parses the request of an operation with a body; `read` builds it from its parameters and the body.
    ///
    /// # Errors
    /// Returns a 400 with all violations; a 406 if `Accept` excludes every media type of the response.
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
        let (files, decoded) = (std::mem::take(&mut self.files), self.take_decoded_data());
        self.build_request(rules, |wire, unread| {
            with_side_data(files, decoded, || {
                body::decode_body(unread, (rules, &body, depth), |unread, body| {
                    strip(rules, read(&mut Parameters::new(wire, unread), body))
                })
            })
        })
    }

    /// Parses the request of an operation with an optional body; `read` builds it from its parameters and the body.
    ///
    /// # Errors
    /// Returns the same errors as [`receive_body`](Self::receive_body).
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
        let (files, decoded) = (std::mem::take(&mut self.files), self.take_decoded_data());
        self.build_request(rules, |wire, mut unread| {
            if body.is_empty() {
                let request = read(&mut Parameters::new(wire, &mut unread), None);
                let warnings = unread.check(rules, &request)?;
                return Ok((request, warnings));
            }
            with_side_data(files, decoded, || {
                body::decode_body(unread, (rules, &body, depth), |unread, body| {
                    strip(rules, read(&mut Parameters::new(wire, unread), Some(body)))
                })
            })
        })
    }

    /// Takes the data that was decoded while the body arrived.
    fn take_decoded_data(&self) -> Vec<wireform_runtime::Bytes> {
        self.parts.extensions.get().map(DecodedData::take).unwrap_or_default()
    }

    fn check_accept<R: Request>(&self) -> Result<(), Error> {
        // A download can have any type.
        let any = R::Response::ALLOWS_EMPTY || self.wants_media::<R>();
        if any { Ok(()) } else { check_accept(&self.parts.headers, R::ACCEPT) }
    }

    /// Returns whether the response is requested as media.
    fn wants_media<R: Request>(&self) -> bool {
        if !R::SUPPORTS_DOWNLOAD {
            return false;
        }
        let Some(format) = R::API.parameter(Role::Format) else { return false };
        let media = R::API.role_values.media;
        let is_media = |(raw, value): (&str, &str)| is_parameter(raw, format) && is_name(value, media);
        pairs(self.parts.uri.query()).any(is_media)
    }

    /// Builds the request with `make`, and its context.
    fn build_request<R, V>(
        self,
        rules: &'static V,
        make: impl FnOnce(&RequestParameters<'_>, RequestReader) -> Result<(R, Warnings), Violations>,
    ) -> Result<(R, Context), Error>
    where
        R: Request,
        V: Validates<R> + CheckRequests,
    {
        let operation = self.operation;
        // Warnings are computed only if they are logged.
        let mut unread = if tracing::enabled!(tracing::Level::DEBUG) {
            RequestReader::default()
        } else {
            RequestReader::default().without_warnings()
        };
        let own_parameters: &[&str] = if self.media.is_some() { &[uploads::UPLOAD_ID] } else { &[] };
        let query = query::known_parameters(
            self.parts.uri.query(),
            R::API,
            (operation, own_parameters),
            &self.settings,
            &mut unread,
        );
        let wire = RequestParameters { operation, captures: self.captures, parts: &self.parts, query };
        Parameters::new(&wire, &mut unread).check_constants();
        let extras = self.request_extras::<R>(&wire, &mut unread);
        let (mut request, warnings) = make(&wire, unread).map_err(|mut violations| {
            let sent = SentNames::new(R::API, operation, self.parts.uri.query(), self.settings.names);
            sent.with_headers(&self.parts.headers).rename(&mut violations);
            violations
        })?;
        if R::REJECTS_OUTPUT_ONLY {
            // Fields without an effect are removed first: they are not validated, and so not refused.
            request.strip_output_only();
        }
        if !warnings.is_empty() {
            tracing::debug!(operation = operation.name, warnings = warnings.count(), "the request has warnings");
        }
        let effective = rules.effective_conditions(&request);
        Ok((request, self.into_context(extras, effective, rules)))
    }

    fn request_extras<R: Request>(&self, wire: &RequestParameters<'_>, unread: &mut RequestReader) -> RequestExtras {
        let headers = &self.parts.headers;
        let mut condition =
            |is_taken: bool, name| if is_taken { headers::condition(headers, name, unread) } else { None };
        let if_match = condition(self.contract.if_match, &IF_MATCH);
        let if_none_match = condition(self.contract.if_none_match, &IF_NONE_MATCH);
        // Clients know the tags of JSON only; XML that they have may be another version.
        let is_xml = || R::RESPONSE_XML.is_some_and(|root| is_xml_alternative(root, headers));
        let if_none_match = if_none_match.filter(|_| !R::OPERATION.safe || !is_xml());
        let media = self.wants_media::<R>();
        let wanted = standard::response_options(R::API, &wire.query, R::RESPONSE_SHAPE, media, unread);
        RequestExtras { wanted, if_match, if_none_match }
    }

    fn into_context(
        self,
        extras: RequestExtras,
        effective: ConditionSet,
        rules: &'static dyn CheckRequests,
    ) -> Context {
        let Self { contract, principal, id, parts, settings, media, .. } = self;
        let RequestExtras { wanted, if_match, if_none_match } = extras;
        let (media, rules) = (Mutex::new(media), Some(rules));
        let streams = ResponseStreams::default();
        Context {
            contract,
            principal,
            id,
            parts,
            settings,
            response_options: wanted,
            if_match,
            if_none_match,
            media,
            streams,
            effective,
            rules,
        }
    }
}

/// Calls `read` with access to the files and the data that belong to the text of the body.
fn with_side_data<T>(files: Vec<FilePart>, decoded: Vec<wireform_runtime::Bytes>, read: impl FnOnce() -> T) -> T {
    with_files(files, || with_decoded_data(decoded, read))
}

/// Removes output-only fields and fields without an effect. Clients read a resource, change it and send all of it back:
/// the removed fields are neither validated nor visible to rules.
fn strip<R: Request, V: Validates<R>>(rules: &V, mut request: R) -> R {
    request.strip_ignored_output_only();
    let effective = rules.effective_conditions(&request);
    request.strip_ineffective(&effective);
    request
}

#[cfg(test)]
mod tests {
    use wireform_runtime::__private::placeholders::placeholder_json;
    use wireform_runtime::Bytes;
    use wireform_runtime::json;

    use super::*;

    #[test]
    fn body_sees_only_its_own_data() {
        let read = || json::from_str::<Bytes>(&placeholder_json(0)).is_ok();
        let found = with_side_data(Vec::new(), vec![Bytes::from(vec![1])], || {
            (read(), with_side_data(Vec::new(), Vec::new(), read), read())
        });
        assert_eq!(found, (true, false, true));
    }
}
