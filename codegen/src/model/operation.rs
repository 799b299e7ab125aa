//! Operations.

use super::{Constraints, Demand, Deprecated, Doc, Http, Literal, Name, OperationId, ResourceId, Rule, Started, Type};

/// Something a client can ask for.
#[derive(Clone, Debug, PartialEq)]
pub struct Operation {
    /// Its name in the schema: `projects.deployments.list`.
    pub name: String,
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
    /// The errors of the contract, by status, ascending.
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
    /// Whether it is on its way out.
    pub deprecated: Option<Deprecated>,
    /// Where the fact comes from, when it is not the specification.
    pub origin: Option<String>,
}

impl Operation {
    /// The parameters that whoever asks gives values, with their places.
    pub fn given(&self) -> impl Iterator<Item = (usize, &Parameter)> + Clone {
        self.parameters.iter().enumerate().filter(|(_, parameter)| !parameter.is_constant())
    }

    /// The headers of its successes, those of one name once.
    #[must_use]
    pub fn answer_headers(&self) -> Vec<&Parameter> {
        let mut found: Vec<&Parameter> = Vec::new();
        let successes = self.responses.iter().filter(|response| response.status < 400);
        for header in successes.flat_map(|response| &response.headers) {
            if !found.iter().any(|there| there.name.ident == header.name.ident) {
                found.push(header);
            }
        }
        found
    }
}

/// The Rust names of the types that are made for an operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OperationTypes {
    /// Its parameters and body: `EventsInsert`.
    pub request: String,
    /// A call of it, within its group: `InsertCall`.
    pub call: String,
    /// A call for what has changed: the method, `list_changes`, and the type, `ListChangesCall`.
    pub changes: Option<(String, String)>,
    /// The headers of its answers: `EventsInsertHeaders`; empty where it declares none.
    pub headers: String,
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
    /// Other names under which it is accepted.
    pub aliases: Vec<String>,
    /// Whether it is on its way out.
    pub deprecated: Option<Deprecated>,
    /// Where the fact comes from, when it is not the specification.
    pub origin: Option<String>,
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
    /// A parameter for each member of a resource, with its name in brackets.
    Deep,
    /// One parameter, which holds JSON.
    Json,
}

impl Parameter {
    /// Whether it has one value alone, which is sent unasked: requests have no member for it.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        self.constraints.constant.is_some()
    }

    /// Whether it holds a value with members of its own, rather than texts.
    #[must_use]
    pub fn is_structured(&self) -> bool {
        matches!(self.style, ListStyle::Deep | ListStyle::Json)
    }
}

/// What an operation is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// Its type.
    pub ty: Type,
    /// How it is meant.
    pub mode: BodyMode,
    /// Whether a request must have one.
    pub required: bool,
    /// The media types it can have.
    pub content_types: Vec<String>,
    /// What is special about it.
    pub doc: Doc,
}

impl Body {
    /// How a client writes it: as the first of its media types that can be written.
    #[must_use]
    pub fn sent(&self) -> Option<(&str, Codec)> {
        self.content_types.iter().find_map(|media_type| Some((media_type.as_str(), Codec::of(media_type)?)))
    }

    /// Whether it can be sent as a form of either kind.
    #[must_use]
    pub fn takes_form(&self) -> bool {
        self.takes(Codec::Form) || self.takes(Codec::Multipart)
    }

    /// Whether it can be sent as that.
    #[must_use]
    pub fn takes(&self, codec: Codec) -> bool {
        self.content_types.iter().any(|media_type| Codec::of(media_type) == Some(codec))
    }
}

/// What a body holds that is taken as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Raw {
    /// Bytes.
    Bytes,
    /// Text in UTF-8.
    Text,
}

impl Raw {
    /// Bytes and texts are taken as they are where no media type says how they would be written.
    fn of(ty: &Type, media_types: &[String]) -> Option<Self> {
        let written = media_types.iter().any(|media_type| Codec::of(media_type).is_some());
        match ty {
            Type::Bytes(_) if !written && !media_types.is_empty() => Some(Self::Bytes),
            Type::String if !written && !media_types.is_empty() => Some(Self::Text),
            _ => None,
        }
    }
}

impl Body {
    /// What it holds, where it is taken as it is.
    #[must_use]
    pub fn raw(&self) -> Option<Raw> {
        Raw::of(&self.ty, &self.content_types)
    }
}

impl Response {
    /// What it holds, where it is taken as it is.
    #[must_use]
    pub fn raw(&self) -> Option<Raw> {
        Raw::of(self.ty.as_ref()?, &self.content_types)
    }
}

/// How a body is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codec {
    /// As JSON (RFC 8259).
    Json,
    /// As the fields of a form, in the way of a query: `application/x-www-form-urlencoded`.
    Form,
    /// As a form of several parts: `multipart/form-data`.
    Multipart,
}

impl Codec {
    /// How a body of that media type is written, if that is known.
    #[must_use]
    pub fn of(media_type: &str) -> Option<Self> {
        let essence = media_type.split(';').next().unwrap_or_default().trim_end().to_ascii_lowercase();
        match essence.as_str() {
            "application/json" => Some(Self::Json),
            "application/x-www-form-urlencoded" => Some(Self::Form),
            "multipart/form-data" => Some(Self::Multipart),
            other if other.ends_with("+json") => Some(Self::Json),
            _ => None,
        }
    }
}

/// How a body is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyMode {
    /// The whole resource.
    Whole,
    /// A merge patch (RFC 7396).
    MergePatch,
}

/// What an operation answers with one status.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// The type of the body, where there is one.
    pub ty: Option<Type>,
    /// The media types it can have.
    pub content_types: Vec<String>,
    /// The headers beside it.
    pub headers: Vec<Parameter>,
    /// What is special about it.
    pub doc: Doc,
}

/// An error of the contract.
#[derive(Clone, Debug, PartialEq)]
pub struct ErrorCase {
    /// The status.
    pub status: u16,
    /// When it happens.
    pub doc: Doc,
    /// The reason that tells it from others of its status.
    pub reason: Option<String>,
    /// The type of its body, where it is not the API's own.
    pub body: Option<ResourceId>,
    /// The headers beside it.
    pub headers: Vec<Parameter>,
    /// Where the fact comes from, when it is not the specification.
    pub origin: Option<String>,
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

/// How an answer comes in pages. Parameters are indices of the operation's, fields of the answer's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pages {
    /// The parameter that says how many items a page holds.
    pub size: Option<usize>,
    /// The parameter that asks for a further page.
    pub token: usize,
    /// The field that names the next page.
    pub next: usize,
    /// The field that holds the items.
    pub items: usize,
}

/// How changes since an earlier answer are asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Sync {
    /// The parameter that takes the cursor.
    pub resume: usize,
    /// The field of the answer that gives the next cursor.
    pub cursor: usize,
    /// How an answer says that the cursor is not valid any more.
    pub expired: Expired,
    /// What cannot stand beside the cursor.
    pub forbids: Vec<Forbidden>,
    /// The operation that a full synchronisation starts from.
    pub full: Option<OperationId>,
    /// The fields of an item that hold the changes, preferred first.
    pub changes: Vec<ChangeField>,
    /// The field of an item that holds the changes where none of those does.
    pub otherwise: Option<ChangeField>,
}

/// A field of an item that holds changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeField {
    /// The field, by index.
    pub field: usize,
    /// The variant that a change of it becomes: `MessagesAdded`.
    pub variant: String,
}

/// How an expired cursor is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expired {
    /// The status.
    pub status: u16,
    /// The reason in the body.
    pub reason: Option<String>,
    /// The parameter that the error names.
    pub location: Option<String>,
}

/// A parameter, by index, that cannot stand beside a cursor.
#[derive(Clone, Debug, PartialEq)]
pub struct Forbidden {
    /// The parameter.
    pub parameter: usize,
    /// The value that cannot; any when there is none.
    pub value: Option<Literal>,
}

/// A conditional request (RFC 9110, section 13).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Conditional {
    /// A read that answers 304.
    IfNoneMatch,
    /// A write that answers 412.
    IfMatch,
}

/// A channel of announcements. Fields are indices of the body's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watch {
    /// The operations whose answers are watched.
    pub of: Vec<OperationId>,
    /// Where to announce.
    pub address: usize,
    /// The name of the channel.
    pub id: Option<usize>,
    /// What is repeated in every announcement.
    pub token: Option<usize>,
    /// Until when, in milliseconds since the epoch.
    pub expiration: Option<usize>,
    /// The headers of an announcement and what they hold.
    pub headers: Vec<(String, String)>,
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
