//! Reading of the query and the headers of a request.

use std::borrow::Cow;

use http::header::{IF_MATCH, IF_NONE_MATCH};
use wireform_runtime::etag::ETagCondition;
use wireform_runtime::fields::Shape;
use wireform_runtime::http::percent::decode_form;
use wireform_runtime::operation::{Api, Role};
use wireform_runtime::xml::XmlRoot;
use wireform_runtime::{Request, WireBody};
use wireform_validation::{__private::RequestReader, PathRoot, Violation, Violations};

use super::parameters::{Parameters, RequestParameters, UNREADABLE_PARAMETER};
use super::sent_names::SentNames;
use super::{Incoming, headers, query, standard};
use crate::context::ResponseOptions;
use crate::error::Error;
use crate::query::{is_name, is_parameter, pairs};
use crate::response::accept::check_accept;
use crate::response::choice::is_xml_alternative;
use crate::uploads;
/// Facts about a request type. What depends on nothing else of the type is compiled once, and not for each operation.
pub(super) struct RequestFacts {
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
    /// Returns the facts about a request type.
    pub(super) const fn of<R: Request>() -> Self {
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
pub(super) struct Opened<'r> {
    pub(super) wire: RequestParameters<'r>,
    pub(super) unread: RequestReader,
    pub(super) extras: RequestExtras,
}

/// Properties of a request beyond its parameters and its body.
pub(super) struct RequestExtras {
    pub(super) wanted: ResponseOptions,
    pub(super) if_match: Option<ETagCondition>,
    pub(super) if_none_match: Option<ETagCondition>,
    pub(super) unreadable_sync_token: Option<String>,
}

impl Incoming {
    /// Checks that `Accept` allows the media types of the response; a download may have any.
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
    pub(super) fn open(&self, facts: &RequestFacts) -> Result<Opened<'_>, Error> {
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

    /// Reads the conditional headers that the operation supports, and the standard parameters about the response.
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
        RequestExtras { wanted, if_match, if_none_match, unreadable_sync_token: None }
    }

    /// Returns the error of an invalid request, whose violations have the names that the client sent.
    #[cold]
    pub(super) fn refuse(&self, facts: &RequestFacts, mut violations: Violations) -> Error {
        let sent = SentNames::new(facts.api, self.operation, self.parts.uri.query(), self.settings.names);
        sent.with_headers(&self.parts.headers).rename(&mut violations);
        violations.into()
    }

    /// Returns the sync token of a request that changes nothing, if the token cannot be parsed and nothing else is
    /// invalid. The handler decides first whether the caller has access at all: a client whose token is damaged does a
    /// full sync, which would be useless without access.
    #[cold]
    pub(super) fn unreadable_sync_token(&self, violations: &Violations) -> Option<String> {
        let (name, _) = self.contract.sync.as_ref().filter(|_| self.operation.safe)?;
        let is_token = |violation: &Violation| {
            violation.rule == UNREADABLE_PARAMETER && violation.path.root() == PathRoot::Parameter(name)
        };
        let parameter = self.operation.parameters.iter().find(|parameter| parameter.name.name == *name)?;
        let (_, raw) = pairs(self.parts.uri.query()).find(|(raw, _)| is_parameter(raw, parameter))?;
        let text = || decode_form(raw).map_or_else(|_| raw.to_owned(), Cow::into_owned);
        violations.errors().all(is_token).then(text)
    }
}
