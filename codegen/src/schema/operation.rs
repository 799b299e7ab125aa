//! Operations with their parameters, bodies, responses and errors.

use super::deprecation::Deprecation;
use super::field::Parameter;
use super::http::{HttpLine, HttpPath};
use super::listing::{Pages, SyncDef, Watch};
use super::long_running::LongRunningStartDef;
use super::named::Named;
use super::read::{Kind, Located, Read, Text, wrong_kind};
use super::resource::Rule;
use super::security::SecurityRequirements;
use super::shape::{Short, Shorthand, shape, words};
use super::write::{Write, single_entry};
use super::yaml::{Node, Value};
use crate::diagnostics::{Code, Sink, Span};

pub use super::body::{Body, BodyAlternative, BodyMode, ErrorCase, FormList, FormStyle, Response, ResponseAlternative};

shape! {
    /// One HTTP method and path, with parameters, body and response. The key is the name of the operation, in which
    /// dots separate the groups.
    Operation "operation" {
        /// What the operation does, in one sentence.
        doc "doc": Option<Text> = "Lists the events of a calendar.";
        /// The method, and the path relative to the base path. A variable is a segment, and a verb may follow the last
        /// one. A variable with a plus, `{+name}`, contains slashes: it has the segments of its `pattern`, such as
        /// `^projects/[^/]+/places/[^/]+$`, or one or more segments without a pattern. Other variables can be combined
        /// with text, and a segment can have several variables with text between them: in `/files/{name}.{format}` the
        /// first variable is as long as possible.
        http "http": HttpLine = "GET /calendars/{calendarId}/events";
        /// The public URL that the base path is appended to, in place of that of the API. A client sends the operation there,
        /// unless its base URL is none of the API's URLs, such as that of a test; with credentials only if
        /// `credentials_at` permits them there. Servers are not concerned: they route by path.
        root "root": Option<Text> = "https://files.example.com";
        /// The parameters in the path.
        path "path": Named<Parameter> = "{ calendarId: { type: string, doc: The calendar. } }";
        /// The parameters in the query.
        query "query": Named<Parameter> = "{ maxResults: { type: uint32, min: 1, clamp: 2500, default: 250 } }";
        /// The parameters in headers.
        headers "headers": Named<Parameter> = "{ X-Request-Id: { type: string } }";
        /// The parameters in cookies.
        cookies "cookies": Named<Parameter> = "{ session: { type: string } }";
        /// The parameter sets that also apply to the operation.
        parameters "parameters": Vec<Text> = "[notifications]";
        /// The request body: a type, or a mapping with details.
        body "body": Option<Short<Body>> = "{ type: Event, as: merge_patch }";
        /// The response with status 200: a type, or a mapping with details.
        response "response": Option<Short<Response>> = "EventList";
        /// The successful responses and redirections by status, if `response` is not enough. If all bodies have one type,
        /// the result is that type, or an `Option` in Rust if some statuses have no body. If the types differ, if a body
        /// that is never absent (`bytes`, `string`, `any` or `T?` as the whole body) stands next to a success without one, or if
        /// a redirection has a type, the result is an enum with a variant for each status, such as `Ok(Report)` and
        /// `Accepted(Job)`: a client decodes a response by its status, and an undeclared one is an error. Such an operation
        /// cannot have `pages`, `media`, `long_running` or XML. A client returns declared redirections (300 to 399) and
        /// does not follow them. Where the body of a success is never absent (`bytes`, `string`, `any` or `T?` as the whole body,
        /// `alternatives`, `pages`, `media`, `long_running`) and there is no enum, a redirection is an error with the
        /// status and the headers.
        responses "responses": Named<Short<Response>> = "{ 204: { doc: It is gone. } }";
        /// The errors that are part of the contract: by status, by class of statuses (`4XX`, `5XX`), or `default` for
        /// all others. The most specific entry applies.
        errors "errors": Named<Short<ErrorCase>> = "{ 410: { doc: The sync token has expired., reason: fullSyncRequired } }";
        /// The error sets that also apply to the operation. Its own `errors` override them by status.
        error_sets "error_sets": Vec<Text> = "[reading]";
        /// The scopes that a token must have.
        scopes "scopes": Option<ScopeRequirement> = "{ any_of: [calendar, calendar.readonly] }";
        /// Whether an API key is sufficient.
        api_key "api_key": Option<Located<bool>> = "true";
        /// The security requirement of the operation, in place of `scopes` and of the API's `security`: a list of
        /// alternatives, or `none` for a public operation.
        security "security": Option<SecurityRequirements> = "[[login], [key, { token: [calendar] }]]";
        /// Declares that the response is paged.
        pages "pages": Option<Pages> = "{ size: maxResults, token: pageToken, next: nextPageToken, items: items }";
        /// Declares that a client can request the changes since an earlier response.
        sync "sync": Option<SyncDef> = "{ resume: syncToken, cursor: nextSyncToken, expired: { status: 410 }, forbids: [q], full: events.list }";
        /// The supported conditional requests (RFC 9110, section 13). If a read has `if_none_match`, and a PUT or PATCH
        /// at the same path has `if_match`, a client has `update_with` or `patch_with`, which read, change and write.
        conditional "conditional": Vec<Conditional> = "[if_match]";
        /// Whether a request can be repeated without further effect; by default true for GET, HEAD, PUT and DELETE.
        idempotent "idempotent": Option<Located<bool>> = "true";
        /// The cost in quota units; default 1.
        cost "cost": Option<Located<i128>> = "3";
        /// Declares that the operation opens a watch channel.
        watch "watch": Option<Watch> = "{ of: [events.list], address: address }";
        /// The media that are uploaded or downloaded in addition to JSON.
        media "media": Option<Media> = "{ upload: [message/rfc822], max_bytes: 36700160 }";
        /// The result of the long-running operation that this operation starts. By default it is the one that the
        /// returned resource declares.
        long_running "long_running": Option<LongRunningStartDef> = "{ response: Event }";
        /// Conditions across parameters, body and the stored resource.
        rules "rules": Vec<Rule> = "[{ id: events.locked, cel: '!old.locked', message: the event is locked }]";
        /// The rule sets that also apply, before the operation's own rules.
        rule_sets "rule_sets": Vec<Text> = "[unlocked]";
        /// The codes of warnings that are suppressed for the operation.
        allow "allow": Vec<Text> = "[W0309]";
        /// Whether only clients have the operation. A server cannot route it, because its requests match another
        /// operation or its path ends in a slash.
        client_only "client_only": Option<Located<bool>> = "true";
        /// Marks the operation as deprecated.
        deprecated "deprecated": Option<Short<Deprecation>> = "true";
        /// The origin of the fact, if it is not the API's own specification.
        origin "origin": Option<Text> = "wire";
        /// The origins of single facts that differ from `origin`, by key; a dot descends into a mapping.
        origins "origins": Named<Text> = "{ scopes: wire, sync.forbids: wire }";
    }
}

/// The scopes that a token must have.
#[derive(Clone, Debug, PartialEq)]
pub enum ScopeRequirement {
    /// At least one of them.
    AnyOf(Vec<Text>),
    /// All of them.
    AllOf(Vec<Text>),
}

shape! {
    /// The scopes that a token must have. A list means any of them.
    ScopeRequirementDetail "scopes" {
        /// One of these scopes is sufficient.
        any_of "any_of": Option<Vec<Text>> = "[calendar, calendar.readonly]";
        /// All of these scopes are required.
        all_of "all_of": Option<Vec<Text>> = "[calendar, drive]";
    }
}

impl Write for ScopeRequirement {
    fn write(&self) -> Node {
        match self {
            Self::AnyOf(any) => any.write(),
            Self::AllOf(all) => single_entry("all_of", all.write()),
        }
    }
}

impl Read for ScopeRequirement {
    fn kind() -> Kind {
        Kind::OneOf(vec![Vec::<Text>::kind(), ScopeRequirementDetail::kind()])
    }

    fn read(node: &Node, sink: &mut Sink) -> Option<Self> {
        if let Value::List(_) = node.value {
            return Vec::read(node, sink).map(Self::AnyOf);
        }
        if !matches!(node.value, Value::Map(_)) {
            if node.text() == Some("none") {
                let report = sink.report(Code::WrongKind, node.span, "expected a list of scopes, found `none`");
                report.help("write `security: none` if the operation is public");
                return None;
            }
            return wrong_kind(node, "a list", sink);
        }
        let detail = ScopeRequirementDetail::read(node, sink)?;
        match (detail.any_of, detail.all_of) {
            (Some(any), None) => Some(Self::AnyOf(any)),
            (None, Some(all)) => Some(Self::AllOf(all)),
            _ => wrong_kind(node, "either `any_of` or `all_of`", sink),
        }
    }
}

words! {
    /// A conditional request (RFC 9110, section 13).
    Conditional {
        /// A read that returns 304 if the resource has not changed.
        IfNoneMatch "if_none_match",
        /// A write that returns 412 if the resource has changed.
        IfMatch "if_match",
    }
}

shape! {
    /// The media that are uploaded or downloaded in addition to JSON.
    Media "media" {
        /// The media types, or ranges of media types, that can be uploaded; by default any.
        upload "upload": Vec<Text> = "[message/rfc822, image/*]";
        /// The maximum size of an upload in bytes.
        max_bytes "max_bytes": Option<Located<i128>> = "36700160";
        /// The path of uploads in one request.
        simple "simple": Option<Short<Upload>> = "{ path: /upload/shop/v1/items, multipart: true }";
        /// The path of resumable uploads in several requests.
        resumable "resumable": Option<Short<Upload>> = "{ path: /resumable/upload/shop/v1/items, multipart: true }";
        /// Whether the response can be downloaded as media, with the parameter that has the role `format`.
        download "download": Option<Located<bool>> = "true";
    }
}

shape! {
    /// The path of an upload.
    Upload "upload" {
        /// The path from the root of the server, including the base path. Its variables are those of the operation.
        path "path": HttpPath = "/upload/shop/v1/items/{itemId}";
        /// Whether a `multipart/related` request can contain the body of the operation as its first part and the media
        /// as its second.
        multipart "multipart": Option<Located<bool>> = "true";
    }
}

impl Shorthand for Upload {
    const KEY: &'static str = "path";
    type Short = HttpPath;

    fn expand(path: HttpPath, span: Span) -> Self {
        Self { span, path, multipart: None }
    }
}
