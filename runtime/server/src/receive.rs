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
use http::StatusCode;
use http::header::{IF_MATCH, IF_NONE_MATCH};
use http::request::Parts;
use wireform_runtime::__private::placeholders::DecodedBytes;
use wireform_runtime::etag::ETagCondition;
use wireform_runtime::fields::Shape;
use wireform_runtime::file::Files;
use wireform_runtime::operation::{Api, Operation, Role};
use wireform_runtime::xml::XmlRoot;
use wireform_runtime::{ConditionSet, FilePart, FromWire, Request, WireBody};
use wireform_validation::{
    __private::{Location, RequestReader},
    CheckRequests, Validates, Violations, Warnings,
};

use crate::auth::Principal;
use crate::context::{Context, ResponseOptions};
use crate::contract::Contract;
use crate::error::Error;
use crate::limits::{DecodedData, values_exceed};
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

/// Facts about a request type. What depends on nothing else of the type is compiled once, and not for each operation.
struct RequestFacts {
    api: &'static Api,
    /// Media types of a successful response.
    accept: &'static str,
    /// True if the response has no body.
    has_no_response: bool,
    supports_download: bool,
    response_xml: Option<&'static XmlRoot>,
    response_shape: Option<&'static Shape>,
}

impl RequestFacts {
    const fn of<R: Request>() -> Self {
        Self {
            api: R::API,
            accept: R::ACCEPT,
            has_no_response: R::Response::ALLOWS_EMPTY,
            supports_download: R::SUPPORTS_DOWNLOAD,
            response_xml: R::RESPONSE_XML,
            response_shape: R::RESPONSE_SHAPE,
        }
    }
}

/// Request whose query and headers were read.
struct Opened<'r> {
    wire: RequestParameters<'r>,
    unread: RequestReader,
    extras: RequestExtras,
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
        let has_body = !self.body.is_empty();
        self.receive_parameters(rules, |parameters| {
            if has_body {
                parameters.unread.reject(Location::BODY, "body", "must be empty: the operation has no body");
            }
            read(parameters)
        })
    }

    /// Parses the parameters of a request, whose body `read` knows.
    fn receive_parameters<R, V>(
        self,
        rules: &'static V,
        read: impl FnOnce(&mut Parameters<'_, '_>) -> R,
    ) -> Result<(R, Context), Error>
    where
        R: Request,
        V: Validates<R> + CheckRequests,
    {
        let facts = const { &RequestFacts::of::<R>() };
        let Opened { wire, mut unread, extras } = self.open(facts)?;
        let mut request = read(&mut Parameters::new(&wire, &mut unread));
        match unread.check(rules, &request) {
            Ok(warnings) => {
                let context = self.finish(rules, &mut request, (extras, &warnings));
                Ok((request, context))
            }
            Err(violations) => Err(self.refuse(facts, violations)),
        }
    }

    /// Parses the request of an operation with a body; `read` builds it from its parameters and the body.
    ///
    /// # Errors
    /// Returns a 400 with all violations; a 406 if `Accept` excludes every media type of the response; a 413 if the
    /// decoded body would take too much memory.
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
        let facts = const { &RequestFacts::of::<R>() };
        let files = std::mem::take(&mut self.files);
        let Opened { wire, mut unread, extras } = self.open(facts)?;
        let mut request = None;
        let make = |unread: &mut RequestReader, body| {
            let mut request = read(&mut Parameters::new(&wire, unread), body);
            strip(rules, &mut request);
            request
        };
        let found = if body::is_too_deep(&self.body, self.settings.limits.json_depth) {
            unread.reject(Location::BODY, "depth", "is nested too deep");
            Err(unread.check_parameters_only(rules, make))
        } else {
            self.check_values()?;
            let (_files, _decoded) = self.side_data(files);
            unread.read(rules, &self.body, &mut request, make)
        };
        let warnings = match found {
            Ok(warnings) => warnings,
            Err(violations) => return Err(self.refuse(facts, violations)),
        };
        // Moved only here: requests may be large.
        let Some(mut request) = request else { return Err(self.refuse(facts, Violations::default())) };
        let context = self.finish(rules, &mut request, (extras, &warnings));
        Ok((request, context))
    }

    /// Parses the request of an operation with an optional body; `read` builds it from its parameters and the body.
    ///
    /// # Errors
    /// Returns the same errors as [`receive_body`](Self::receive_body).
    pub fn receive_optional_body<R, B, V>(
        self,
        rules: &'static V,
        read: impl FnOnce(&mut Parameters<'_, '_>, Option<B>) -> R,
    ) -> Result<(R, Context), Error>
    where
        R: Request,
        B: for<'de> FromWire<'de>,
        V: Validates<R> + CheckRequests,
    {
        if self.body.is_empty() {
            return self.receive(rules, |parameters| read(parameters, None));
        }
        self.receive_body(rules, |parameters, body| read(parameters, Some(body)))
    }

    /// Makes the files of the body, and the data that was decoded while it arrived, available to decoders until the
    /// results are dropped.
    fn side_data(&self, files: Vec<FilePart>) -> (Files, DecodedBytes) {
        let decoded = self.parts.extensions.get().map(DecodedData::take).unwrap_or_default();
        (Files::enter(files), DecodedBytes::enter(decoded))
    }

    /// Returns a 413 if the decoded body would take too much memory.
    fn check_values(&self) -> Result<(), Error> {
        if !values_exceed(&self.body, self.settings.limits.value_bytes) {
            return Ok(());
        }
        let message = "the body has too many objects, lists, fields and elements: send fewer in one request";
        Err(Error::new(StatusCode::PAYLOAD_TOO_LARGE, message))
    }

    fn check_accept(&self, facts: &RequestFacts) -> Result<(), Error> {
        // A download can have any type.
        let any = facts.has_no_response || self.wants_media(facts);
        if any { Ok(()) } else { check_accept(&self.parts.headers, facts.accept) }
    }

    /// Returns whether the response is requested as media.
    fn wants_media(&self, facts: &RequestFacts) -> bool {
        if !facts.supports_download {
            return false;
        }
        let Some(format) = facts.api.parameter(Role::Format) else { return false };
        let media = facts.api.role_values.media;
        let is_media = |(raw, value): (&str, &str)| is_parameter(raw, format) && is_name(value, media);
        pairs(self.parts.uri.query()).any(is_media)
    }

    /// Reads the query and the headers of the request.
    ///
    /// # Errors
    /// Returns a 406 if `Accept` excludes every media type of the response.
    fn open(&self, facts: &RequestFacts) -> Result<Opened<'_>, Error> {
        self.check_accept(facts)?;
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
            facts.api,
            (operation, own_parameters),
            &self.settings,
            &mut unread,
        );
        let wire = RequestParameters { operation, captures: &self.captures, parts: &self.parts, query };
        Parameters::new(&wire, &mut unread).check_constants();
        let extras = self.request_extras(facts, &wire, &mut unread);
        Ok(Opened { wire, unread, extras })
    }

    fn request_extras(
        &self,
        facts: &RequestFacts,
        wire: &RequestParameters<'_>,
        unread: &mut RequestReader,
    ) -> RequestExtras {
        let headers = &self.parts.headers;
        let mut condition =
            |is_taken: bool, name| if is_taken { headers::condition(headers, name, unread) } else { None };
        let if_match = condition(self.contract.if_match, &IF_MATCH);
        let if_none_match = condition(self.contract.if_none_match, &IF_NONE_MATCH);
        // Clients know the tags of JSON only; XML that they have may be another version.
        let is_xml = || facts.response_xml.is_some_and(|root| is_xml_alternative(root, headers));
        let if_none_match = if_none_match.filter(|_| !self.operation.safe || !is_xml());
        let media = self.wants_media(facts);
        let wanted = standard::response_options(facts.api, &wire.query, facts.response_shape, media, unread);
        RequestExtras { wanted, if_match, if_none_match }
    }

    /// Returns the error of an invalid request, whose violations have the names that the client sent.
    #[cold]
    fn refuse(&self, facts: &RequestFacts, mut violations: Violations) -> Error {
        let sent = SentNames::new(facts.api, self.operation, self.parts.uri.query(), self.settings.names);
        sent.with_headers(&self.parts.headers).rename(&mut violations);
        violations.into()
    }

    /// Returns the context of a valid request.
    fn finish<R, V>(self, rules: &'static V, request: &mut R, (extras, warnings): (RequestExtras, &Warnings)) -> Context
    where
        R: Request,
        V: Validates<R> + CheckRequests,
    {
        if R::REJECTS_OUTPUT_ONLY {
            // Fields without an effect are removed first: they are not validated, and so not refused.
            request.strip_output_only();
        }
        let effective = rules.effective_conditions(request);
        self.into_context(extras, warnings, effective, rules)
    }

    fn into_context(
        self,
        extras: RequestExtras,
        warnings: &Warnings,
        effective: ConditionSet,
        rules: &'static dyn CheckRequests,
    ) -> Context {
        if !warnings.is_empty() {
            let (operation, warnings) = (self.operation.name, warnings.count());
            tracing::debug!(operation, warnings, "the request has warnings");
        }
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

/// Removes output-only fields and fields without an effect. Clients read a resource, change it and send all of it back:
/// the removed fields are neither validated nor visible to rules.
fn strip<R: Request, V: Validates<R>>(rules: &V, request: &mut R) {
    request.strip_ignored_output_only();
    let effective = rules.effective_conditions(request);
    request.strip_ineffective(&effective);
}
