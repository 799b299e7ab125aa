//! Operations.

use std::collections::BTreeMap;

use super::{
    Body, Conditional, Constraints, Demand, Deprecated, Doc, ErrorCase, Http, Literal, Name, Pages, Response,
    ResponseAlternative, Role, RoleUse, Rule, Started, Sync, Type, Watch,
};
use crate::diagnostics::Span;

/// Something a client can ask for.
#[derive(Clone, Debug, PartialEq)]
pub struct Operation {
    /// Its name in the schema: `projects.deployments.list`.
    pub name: String,
    /// Where it stands in the schema.
    pub span: Span,
    /// The groups it stands in, as Rust names: `projects`, `deployments`.
    pub groups: Vec<Name>,
    /// Its own name, the last piece.
    pub method: Name,
    /// The Rust names of the types that are made for it.
    pub types: OperationTypes,
    /// What it does.
    pub doc: Doc,
    /// Method and path.
    pub http: Http,
    /// Its own parameters and those of the sets it takes, in the order path, query, headers, cookies.
    pub parameters: Vec<Parameter>,
    /// What is sent.
    pub body: Option<Body>,
    /// What successes answer, by status, ascending.
    pub responses: Vec<Response>,
    /// The errors of the contract: statuses in ascending order, then classes, then all others.
    pub errors: Vec<ErrorCase>,
    /// The scopes it needs.
    pub scopes: ScopeNeed,
    /// Whether an API key is enough.
    pub api_key: bool,
    /// The schemes of the API that a request shows: one of these ways, each with all that it needs. None where scopes
    /// say it; a way that needs nothing lets everybody in.
    pub security: Option<Vec<Vec<Demand>>>,
    /// Whether the answer comes in pages.
    pub pages: Option<Pages>,
    /// Whether changes can be asked for.
    pub sync: Option<Sync>,
    /// The conditional requests it takes.
    pub conditional: Vec<Conditional>,
    /// Whether it changes nothing (RFC 9110, section 9.2.1).
    pub safe: bool,
    /// Whether sending it twice does what sending it once does.
    pub idempotent: bool,
    /// How many quota units it takes.
    pub cost: u32,
    /// Whether it opens a channel of announcements.
    pub watch: Option<Watch>,
    /// Media beside the JSON.
    pub media: Option<Media>,
    /// What comes of the work that it starts.
    pub started: Option<Started>,
    /// Conditions across parameters, body and what is stored.
    pub rules: Vec<Rule>,
    /// Whether a server leaves it out.
    pub client_only: bool,
    /// Whether it is on its way out.
    pub deprecated: Option<Deprecated>,
    /// Where the fact comes from, when it is not the specification.
    pub origin: Option<String>,
    /// Where single facts come from that are of another origin, by their keys in the schema.
    pub origins: BTreeMap<String, String>,
}

impl Operation {
    /// Returns a parameter by its index, which `rules::verify` has seen to lead somewhere.
    #[must_use]
    pub fn parameter(&self, index: usize) -> &Parameter {
        &self.parameters[index]
    }

    /// The parameters that whoever asks gives values, with their places.
    pub fn given(&self) -> impl Iterator<Item = (usize, &Parameter)> + Clone {
        self.parameters.iter().enumerate().filter(|(_, parameter)| !parameter.is_constant())
    }

    /// What can be sent: the body, or each of its alternatives.
    pub fn bodies(&self) -> impl Iterator<Item = &Body> {
        self.body.iter().flat_map(Body::each)
    }

    /// Whether the body is one of several alternatives.
    #[must_use]
    pub fn is_sent_alternatives(&self) -> bool {
        self.body.as_ref().is_some_and(|body| !body.alternatives.is_empty())
    }

    /// The alternatives that a success can be; none where it is one thing.
    #[must_use]
    pub fn answer_alternatives(&self) -> &[ResponseAlternative] {
        let found = self.successes().map(|response| response.alternatives.as_slice()).find(|all| !all.is_empty());
        found.unwrap_or_default()
    }

    /// The types of the bodies of its successes.
    pub fn answers(&self) -> impl Iterator<Item = &Type> {
        self.successes().flat_map(Response::types)
    }

    /// The type of the body of its successes; none where no success has one.
    #[must_use]
    pub fn answer(&self) -> Option<&Type> {
        self.successes().find_map(|response| response.ty.as_ref())
    }

    /// The status of a success without a body, where another one has one.
    #[must_use]
    pub fn bodiless(&self) -> Option<u16> {
        self.answer()?;
        self.successes().find(|response| response.ty.is_none()).map(|response| response.status)
    }

    /// The status that a success has unless it is said otherwise.
    #[must_use]
    pub fn usual_status(&self) -> Option<u16> {
        let is_typed = |response: &&Response| response.ty.is_some();
        self.successes().find(is_typed).or_else(|| self.successes().next()).map(|response| response.status)
    }

    fn successes(&self) -> impl Iterator<Item = &Response> {
        self.responses.iter().filter(|response| response.status < 300)
    }

    /// Returns whether it is answered with the entity tag of a list: it comes in pages, and takes `If-None-Match`.
    #[must_use]
    pub fn is_tagged_list(&self) -> bool {
        self.safe && self.pages.is_some() && self.conditional.contains(&Conditional::IfNoneMatch)
    }

    /// The headers of its successes, those of one name once.
    #[must_use]
    pub fn answer_headers(&self) -> Vec<&Parameter> {
        let successes = self.responses.iter().filter(|response| response.status < 400);
        distinct(successes.flat_map(|response| &response.headers))
    }

    /// The headers of its errors, those of one name once.
    #[must_use]
    pub fn error_headers(&self) -> Vec<&Parameter> {
        distinct(self.errors.iter().flat_map(|error| &error.headers))
    }
}

/// Returns headers without those whose name an earlier one has.
fn distinct<'p>(headers: impl Iterator<Item = &'p Parameter>) -> Vec<&'p Parameter> {
    let mut found: Vec<&Parameter> = Vec::new();
    for header in headers {
        if !found.iter().any(|there| there.name.ident == header.name.ident) {
            found.push(header);
        }
    }
    found
}

/// The Rust names of the types that are made for an operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OperationTypes {
    /// Its parameters and body: `EventsInsert`.
    pub request: String,
    /// The alternatives of its body: `IssuesUpdateBody`; empty where it is one thing.
    pub body: String,
    /// The alternatives of its answer: `ReportsGetResponse`; empty where it is one thing.
    pub response: String,
    /// Which of these there are: `ReportsGetFormat`; empty where it is one thing.
    pub format: String,
    /// A call of it, within its group: `InsertCall`.
    pub call: String,
    /// A call for what has changed: the method, `list_changes`, and the type, `ListChangesCall`.
    pub changes: Option<(String, String)>,
    /// The headers of its answers: `EventsInsertHeaders`; empty where it declares none.
    pub headers: String,
    /// The bodies of its errors: `EventsInsertError`; empty where all errors have the body of the API.
    pub error: String,
    /// The headers of its errors: `EventsInsertErrorHeaders`; empty where it declares none.
    pub error_headers: String,
    /// A change, where an item tells of several: `EventsListChange`.
    pub change: String,
}

/// A parameter of an operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// The key under which the schema has it, which is how conditions name it.
    pub key: String,
    /// Its name.
    pub name: Name,
    /// The method by which a call takes it.
    pub setter: String,
    /// Where it stands.
    pub location: Location,
    /// What it means.
    pub doc: Doc,
    /// What it holds.
    pub ty: Type,
    /// Whether every request has it.
    pub required: bool,
    /// What it stands for when it is absent.
    pub default: Option<Literal>,
    /// An example.
    pub example: Option<Literal>,
    /// What its values must satisfy.
    pub constraints: Constraints,
    /// How a list is written.
    pub style: ListStyle,
    /// What clients and servers know it as, where every operation takes it.
    pub role: Option<RoleUse>,
    /// Other names under which it is accepted.
    pub aliases: Vec<String>,
    /// Whether it is on its way out.
    pub deprecated: Option<Deprecated>,
    /// Where the fact comes from, when it is not the specification.
    pub origin: Option<String>,
    /// Where single facts come from that are of another origin, by their keys in the schema.
    pub origins: BTreeMap<String, String>,
}

/// Where a parameter stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// In the path.
    Path,
    /// In the query.
    Query,
    /// In a header.
    Header,
    /// In a cookie.
    Cookie,
}

/// How a list is written in a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListStyle {
    /// The parameter is repeated.
    Repeat,
    /// One parameter, commas between the values.
    Comma,
    /// One parameter, spaces between the values.
    Space,
    /// One parameter, vertical bars between the values.
    Pipe,
    /// A parameter for each member of a resource, with its name in brackets.
    Deep,
    /// A parameter for each single value within it, whose name says in brackets where it stands.
    Brackets,
    /// One parameter, which holds JSON.
    Json,
    /// Names and values of members, commas between.
    Pairs,
    /// Members, each with an equals sign, commas between.
    Assigned,
    /// A parameter for each member of a resource or a map, with its name.
    Members,
    /// A dot in front of the value, or of each value.
    Label {
        /// Whether it stands in front of each.
        each: bool,
    },
    /// A semicolon and the name in front of the value, or of each value.
    Matrix {
        /// Whether they stand in front of each.
        each: bool,
    },
}

impl Parameter {
    /// Whether it has one value alone, which is sent unasked: requests have no member for it.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        self.constraints.constant.is_some()
    }

    /// Whether it has that role.
    #[must_use]
    pub fn is(&self, role: Role) -> bool {
        self.role.as_ref().is_some_and(|own| own.role == role)
    }

    /// Whether it holds a value with members of its own, rather than texts.
    #[must_use]
    pub fn is_structured(&self) -> bool {
        match self.style {
            ListStyle::Deep
            | ListStyle::Brackets
            | ListStyle::Json
            | ListStyle::Pairs
            | ListStyle::Assigned
            | ListStyle::Members => true,
            ListStyle::Label { .. } | ListStyle::Matrix { .. } => matches!(self.ty, Type::Resource(_) | Type::Map(_)),
            ListStyle::Repeat | ListStyle::Comma | ListStyle::Space | ListStyle::Pipe => false,
        }
    }
}

/// The scopes that a token needs, by index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScopeNeed {
    /// None.
    None,
    /// One of them.
    AnyOf(Vec<usize>),
    /// All of them.
    AllOf(Vec<usize>),
}

/// Media beside the JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Media {
    /// The media types that can be uploaded, or ranges of them; any where there are none.
    pub upload: Vec<String>,
    /// The most bytes of an upload.
    pub max_bytes: Option<u64>,
    /// Where an upload goes as one request.
    pub simple: Option<Upload>,
    /// Where an upload goes in pieces.
    pub resumable: Option<Upload>,
    /// Whether the answer can be had as media.
    pub download: bool,
}

/// Where media go up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Upload {
    /// The method of the operation, and a path from the root of the server on.
    pub http: Http,
    /// Whether the body of the operation can go with the media.
    pub multipart: bool,
}

impl Media {
    /// The ways on which media go up.
    pub fn ways(&self) -> impl Iterator<Item = &Upload> {
        self.simple.iter().chain(&self.resumable)
    }
}
