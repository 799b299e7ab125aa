//! Operations.

use std::collections::BTreeMap;

use super::{
    Body, Conditional, Deprecated, Doc, ErrorCase, Http, IncrementalSync, LongRunningStart, Name, Pages, Parameter,
    Response, ResponseAlternative, Rule, SchemeRequirement, Type, Watch, have_types_by_status,
};
use crate::diagnostics::Span;

/// Operation of the API.
#[derive(Clone, Debug, PartialEq)]
pub struct Operation {
    /// Name in the schema: `projects.deployments.list`.
    pub name: String,
    /// Location in the schema.
    pub span: Span,
    /// Names of the enclosing groups, in Rust: `projects`, `deployments`.
    pub groups: Vec<Name>,
    /// Name of the method: the last component of the name.
    pub method: Name,
    /// Rust names of the types that are generated for it.
    pub types: OperationTypes,
    /// Description.
    pub doc: Doc,
    /// Method and path.
    pub http: Http,
    /// Public URL in place of that of the API.
    pub root: Option<String>,
    /// Parameters, its own and those of its sets, in the order path, query, headers, cookies.
    pub parameters: Vec<Parameter>,
    /// Request body.
    pub body: Option<Body>,
    /// Successful responses and redirections, by ascending status.
    pub responses: Vec<Response>,
    /// Errors of the contract: statuses in ascending order, then classes, then the default.
    pub errors: Vec<ErrorCase>,
    /// Required scopes.
    pub scopes: ScopeRequirement,
    /// True if an API key is sufficient.
    pub api_key: bool,
    /// Alternatives of security requirements, each a list of schemes that are all required. `None` if the scopes
    /// decide; an empty alternative permits anonymous requests.
    pub security: Option<Vec<Vec<SchemeRequirement>>>,
    /// Pagination of the response.
    pub pages: Option<Pages>,
    /// Incremental synchronization.
    pub sync: Option<IncrementalSync>,
    /// Supported conditional requests.
    pub conditional: Vec<Conditional>,
    /// True if it changes nothing (RFC 9110, section 9.2.1).
    pub safe: bool,
    /// True if repeating the request has the same effect as sending it once.
    pub idempotent: bool,
    /// Cost in quota units.
    pub cost: u32,
    /// Watch channel that it opens.
    pub watch: Option<Watch>,
    /// Media upload and download.
    pub media: Option<Media>,
    /// Long-running operation that it starts.
    pub long_running_start: Option<LongRunningStart>,
    /// Rules across parameters, body and the stored resource.
    pub rules: Vec<Rule>,
    /// True if servers do not implement it.
    pub client_only: bool,
    /// Deprecation.
    pub deprecated: Option<Deprecated>,
    /// Source of the fact, if it is not the specification.
    pub origin: Option<String>,
    /// Sources of single facts that differ from `origin`, by their keys in the schema.
    pub origins: BTreeMap<String, String>,
}

impl Operation {
    /// Returns a parameter by its index, which `rules::verify` has checked.
    #[must_use]
    pub fn parameter(&self, index: usize) -> &Parameter {
        &self.parameters[index]
    }

    /// Returns the parameters that the caller sets, with their indices.
    pub fn settable_parameters(&self) -> impl Iterator<Item = (usize, &Parameter)> + Clone {
        self.parameters.iter().enumerate().filter(|(_, parameter)| !parameter.is_constant())
    }

    /// Returns the possible request bodies: the body, or each of its alternatives.
    pub fn bodies(&self) -> impl Iterator<Item = &Body> {
        self.body.iter().flat_map(Body::alternatives_or_self)
    }

    /// Returns whether the request body has alternatives.
    #[must_use]
    pub fn has_body_alternatives(&self) -> bool {
        self.body.as_ref().is_some_and(|body| !body.alternatives.is_empty())
    }

    /// Returns the alternatives of a successful response; empty if there is only one type.
    #[must_use]
    pub fn response_alternatives(&self) -> &[ResponseAlternative] {
        let found =
            self.successful_responses().map(|response| response.alternatives.as_slice()).find(|all| !all.is_empty());
        found.unwrap_or_default()
    }

    /// Returns the body types of its successful responses and redirections.
    pub fn response_types(&self) -> impl Iterator<Item = &Type> {
        self.responses.iter().filter(|response| response.status < 400).flat_map(Response::types)
    }

    /// Returns the body type of its successful responses, if one has a body, and all others have the same type or none.
    #[must_use]
    pub fn response_type(&self) -> Option<&Type> {
        let mut successes = self.successful_responses().filter(|_| !self.has_types_by_status());
        successes.find_map(|response| response.ty.as_ref())
    }

    /// Returns whether the response is an enum with a variant for each status.
    #[must_use]
    pub fn has_types_by_status(&self) -> bool {
        have_types_by_status(&self.responses)
    }

    /// Returns the responses that are variants of the enum, if there is one.
    pub fn status_variants(&self) -> impl Iterator<Item = &Response> {
        let redirects: Vec<u16> = self.redirects().collect();
        let is_variant = move |status: &u16| (200..300).contains(status) || redirects.contains(status);
        let all = self.responses.iter().filter(|_| self.has_types_by_status());
        all.filter(move |response| is_variant(&response.status))
    }

    /// Returns the status of a successful response or a redirection without a body, if another one has a body.
    #[must_use]
    pub fn bodiless_status(&self) -> Option<u16> {
        self.response_type()?;
        let success = self.successful_responses().find(|response| response.ty.is_none());
        let redirect = || self.redirects().next().filter(|_| !self.requires_body());
        success.map(|response| response.status).or_else(redirect)
    }

    /// Returns the statuses of declared redirections, which a client does not follow. The 304 of a conditional request
    /// is none.
    pub fn redirects(&self) -> impl Iterator<Item = u16> {
        let is_conditional = self.conditional.contains(&Conditional::IfNoneMatch);
        let statuses = self.responses.iter().map(|response| response.status);
        statuses.filter(move |status| (300..400).contains(status) && !(*status == 304 && is_conditional))
    }

    /// Returns whether the body of a success is never absent, so that a redirection is an error.
    fn requires_body(&self) -> bool {
        let is_constant = |response: &Response| {
            let has_null = matches!(response.ty, Some(Type::Any | Type::Nullable(_)));
            response.raw().is_some() || !response.alternatives.is_empty() || has_null
        };
        let has_flow = self.pages.is_some() || self.media.is_some() || self.long_running_start.is_some();
        has_flow || self.successful_responses().any(is_constant)
    }

    /// Returns the default status of a success.
    #[must_use]
    pub fn default_status(&self) -> Option<u16> {
        let is_typed = |response: &&Response| response.ty.is_some();
        self.successful_responses()
            .find(is_typed)
            .or_else(|| self.successful_responses().next())
            .map(|response| response.status)
            .or_else(|| self.redirects().next())
    }

    fn successful_responses(&self) -> impl Iterator<Item = &Response> {
        self.responses.iter().filter(|response| response.status < 300)
    }

    /// Returns whether responses carry the entity tag of a list: the operation is paginated and supports
    /// `If-None-Match`.
    #[must_use]
    pub fn has_list_entity_tag(&self) -> bool {
        self.safe && self.pages.is_some() && self.conditional.contains(&Conditional::IfNoneMatch)
    }

    /// Returns the headers of its successful responses and redirections without duplicates.
    #[must_use]
    pub fn response_headers(&self) -> Vec<&Parameter> {
        let successes = self.responses.iter().filter(|response| response.status < 400);
        dedupe_headers(successes.flat_map(|response| &response.headers))
    }

    /// Returns the headers of its errors without duplicates.
    #[must_use]
    pub fn error_headers(&self) -> Vec<&Parameter> {
        dedupe_headers(self.errors.iter().flat_map(|error| &error.headers))
    }
}

/// Removes headers whose name an earlier one has.
fn dedupe_headers<'p>(headers: impl Iterator<Item = &'p Parameter>) -> Vec<&'p Parameter> {
    let mut found: Vec<&Parameter> = Vec::new();
    for header in headers {
        if !found.iter().any(|there| there.name.ident == header.name.ident) {
            found.push(header);
        }
    }
    found
}

/// Rust names of the types that are generated for an operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OperationTypes {
    /// Request: `EventsInsert`.
    pub request: String,
    /// Alternatives of the request body: `IssuesUpdateBody`; empty without alternatives.
    pub body: String,
    /// Alternatives of the response by media type or by status: `ReportsGetResponse`; empty without alternatives.
    pub response: String,
    /// Selector of a response alternative by media type: `ReportsGetFormat`; empty without alternatives.
    pub format: String,
    /// Call of the operation, within its group: `InsertCall`.
    pub call: String,
    /// Call that requests changes: the method, `list_changes`, and the type, `ListChangesCall`.
    pub changes: Option<(String, String)>,
    /// Response headers: `EventsInsertHeaders`; empty if none are declared.
    pub headers: String,
    /// Error bodies: `EventsInsertError`; empty if all errors have the error body of the API.
    pub error: String,
    /// Error headers: `EventsInsertErrorHeaders`; empty if none are declared.
    pub error_headers: String,
    /// Change, if an item reports several: `EventsListChange`.
    pub change: String,
}

/// Required scopes, by index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScopeRequirement {
    /// No scope.
    None,
    /// At least one of the scopes.
    AnyOf(Vec<usize>),
    /// All of the scopes.
    AllOf(Vec<usize>),
}

/// Media upload and download.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Media {
    /// Media types or ranges that can be uploaded; any if empty.
    pub upload: Vec<String>,
    /// Maximum size of an upload in bytes.
    pub max_bytes: Option<u64>,
    /// Endpoint of uploads in one request.
    pub simple: Option<UploadEndpoint>,
    /// Endpoint of resumable uploads.
    pub resumable: Option<UploadEndpoint>,
    /// True if the response can be downloaded as media.
    pub download: bool,
}

/// Upload endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UploadEndpoint {
    /// Method of the operation, and a path from the root of the server.
    pub http: Http,
    /// True if the body of the operation can be sent with the media.
    pub multipart: bool,
}

impl Media {
    /// Returns the upload endpoints.
    pub fn upload_endpoints(&self) -> impl Iterator<Item = &UploadEndpoint> {
        self.simple.iter().chain(&self.resumable)
    }
}
