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
mod open;
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
use http::request::Parts;
use wireform_runtime::__private::placeholders::DecodedBytes;
use wireform_runtime::file::Files;
use wireform_runtime::operation::Operation;
use wireform_runtime::{ConditionSet, FilePart, FromWire, Request};
use wireform_validation::{
    __private::{Location, RequestReader},
    CheckRequests, Constraint, PathRoot, Validates, Violation, Violations, Warnings,
};

use crate::auth::Principal;
use crate::context::Context;
use crate::contract::Contract;
use crate::error::Error;
use crate::limits::{DecodedData, values_exceed};
use crate::observe::RequestId;
use crate::routes::Captures;
use crate::settings::Settings;
use crate::stream::ResponseStreams;
use crate::uploads::MediaStream;
use open::{Opened, RequestExtras, RequestFacts};

/// Request that was routed, authenticated and authorized.
///
/// Receiving it returns the valid request and its context boxed, because both may be large and are moved into futures.
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
    pub(crate) media: Option<MediaStream>,
    pub(crate) settings: Arc<Settings>,
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
    ) -> Result<(Box<R>, Box<Context>), Error>
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
    ) -> Result<(Box<R>, Box<Context>), Error>
    where
        R: Request,
        V: Validates<R> + CheckRequests,
    {
        let facts = const { &RequestFacts::of::<R>() };
        let Opened { wire, mut unread, mut extras } = self.open(facts)?;
        let mut request = Box::new(read(&mut Parameters::new(&wire, &mut unread)));
        let warnings = match unread.check(rules, &*request) {
            Ok(warnings) => warnings,
            Err(violations) => {
                extras.unreadable_sync_token = self.unreadable_sync_token(&violations);
                if extras.unreadable_sync_token.is_none() {
                    return Err(self.refuse(facts, violations));
                }
                Warnings::default()
            }
        };
        let context = self.finish(rules, &mut request, (extras, &warnings));
        Ok((request, context))
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
    ) -> Result<(Box<R>, Box<Context>), Error>
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
            let mut request = Box::new(read(&mut Parameters::new(&wire, unread), body));
            strip(rules, &mut *request);
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
            Err(violations) if self.media.is_some() && are_missing_fields(&violations) => Warnings::default(),
            Err(violations) => return Err(self.refuse(facts, violations)),
        };
        let Some(mut request) = request else { return Err(Error::internal("a valid request was not built")) };
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
    ) -> Result<(Box<R>, Box<Context>), Error>
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

    /// Returns the context of a valid request.
    fn finish<R, V>(
        self,
        rules: &'static V,
        request: &mut R,
        (extras, warnings): (RequestExtras, &Warnings),
    ) -> Box<Context>
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

    /// Creates the context of the handler. `effective` are the conditions that hold for the request.
    fn into_context(
        self,
        extras: RequestExtras,
        warnings: &Warnings,
        effective: ConditionSet,
        rules: &'static dyn CheckRequests,
    ) -> Box<Context> {
        if !warnings.is_empty() {
            let (operation, warnings) = (self.operation.name, warnings.count());
            tracing::debug!(operation, warnings, "the request has warnings");
        }
        let Self { contract, principal, id, parts, settings, media, .. } = self;
        let RequestExtras { wanted, if_match, if_none_match, unreadable_sync_token } = extras;
        let (media, rules) = (Mutex::new(media), Some(rules));
        let streams = ResponseStreams::default();
        Box::new(Context {
            contract,
            principal,
            id,
            parts,
            settings,
            response_options: wanted,
            if_match,
            if_none_match,
            unreadable_sync_token,
            media,
            streams,
            effective,
            rules,
        })
    }
}

/// Returns whether all violations are missing fields of the body. Media can stand for a required field, such as a raw message,
/// and clients of published APIs send the metadata without it then.
fn are_missing_fields(violations: &Violations) -> bool {
    let is_missing = |violation: &Violation| {
        violation.path.root() == PathRoot::Body && matches!(violation.constraint, Some(Constraint::Required))
    };
    !violations.is_incomplete() && violations.omitted() == 0 && violations.errors().all(is_missing)
}

/// Removes output-only fields and fields without an effect. Clients read a resource, change it and send all of it back:
/// the removed fields are neither validated nor visible to rules.
fn strip<R: Request, V: Validates<R>>(rules: &V, request: &mut R) {
    request.strip_ignored_output_only();
    let effective = rules.effective_conditions(request);
    request.strip_ineffective(&effective);
}
