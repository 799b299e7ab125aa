//! Operations: what is called, with what, and what comes back.

use super::field::{Deprecation, Encoding, Parameter};
use super::http::{HttpLine, HttpPath};
use super::listing::{Pages, SyncDef, Watch};
use super::long_running::StartedDef;
use super::named::Named;
use super::read::{Kind, Located, Read, Text, wrong_kind};
use super::resource::Rule;
use super::security::Ways;
use super::shape::{Short, Shorthand, shape, words};
use super::types::TypeExpr;
use super::write::{Write, single};
use super::xml::Xml;
use super::yaml::{Node, Value};
use crate::diagnostics::{Code, Sink, Span};

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
        /// The successful responses by status, if `response` is not enough. All bodies have one type; the result is an
        /// `Option` in Rust if some statuses have no body.
        responses "responses": Named<Short<Response>> = "{ 204: { doc: It is gone. } }";
        /// The errors that are part of the contract: by status, by class of statuses (`4XX`, `5XX`), or `default` for
        /// all others. The most specific entry applies.
        errors "errors": Named<Short<ErrorCase>> = "{ 410: { doc: The sync token has expired., reason: fullSyncRequired } }";
        /// The error sets that also apply to the operation. Its own `errors` override them by status.
        error_sets "error_sets": Vec<Text> = "[reading]";
        /// The scopes that a token must have.
        scopes "scopes": Option<ScopeNeed> = "{ any_of: [calendar, calendar.readonly] }";
        /// Whether an API key is sufficient.
        api_key "api_key": Option<Located<bool>> = "true";
        /// The security requirement of the operation, in place of `scopes` and of the API's `security`: a list of
        /// alternatives, or `none` for a public operation.
        security "security": Option<Ways> = "[[login], [key, { token: [calendar] }]]";
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
        long_running "long_running": Option<StartedDef> = "{ response: Event }";
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

shape! {
    /// The request body: a value of one type, or one of several alternatives with different media types. Alternatives
    /// belong to one operation, so its name, path, parameters and errors are declared once. In Rust the body is an enum
    /// with a variant for each alternative, such as `IssuesUpdateBody::JsonPatch(…)`; a type that only one alternative
    /// has converts into the enum with `From`. A server accepts each alternative, and rejects any other media type with
    /// 415 and a list of the supported ones. Two operations with the same method and path remain an error: their other
    /// declarations would be repeated, and the operation of a request would depend on a header that scopes, quotas,
    /// logs and paths do not show.
    Body "body" {
        /// The type; omit it with `as: json_patch` and with `alternatives`.
        ty "type": Option<TypeExpr> = "Event";
        /// The alternatives by name, each with its own media types: a type, or a mapping with details. A client sends
        /// the media type of the alternative that it is given. A server chooses the alternative by the media type of
        /// the request: an exact match before a range such as `image/*`, and the first alternative if the request has
        /// no media type.
        alternatives "alternatives": Named<Short<BodyAlternative>> = "{ merge_patch: { type: Event, as: merge_patch }, json_patch: { as: json_patch } }";
        /// The encoding of the values in JSON, if the type has more than one.
        encoding "encoding": Option<Located<Encoding>> = "decimal_string";
        /// Whether the body is the whole resource or a patch.
        mode "as": Option<BodyMode> = "merge_patch";
        /// Whether the body is required; default true.
        required "required": Option<Located<bool>> = "false";
        /// The accepted media types. The default is `application/json`; for a merge patch also
        /// `application/merge-patch+json`, and for a JSON Patch `application/json-patch+json` alone. A client sends the
        /// first one that is JSON or a form (`application/x-www-form-urlencoded` or `multipart/form-data`, with the
        /// fields of the resource), and XML if there is nothing else. A server accepts all of them.
        content_types "content_types": Vec<Text> = "[application/json, application/x-www-form-urlencoded]";
        /// How a form contains fields that are not scalars; by default as JSON.
        style "style": Option<Located<FormStyle>> = "brackets";
        /// The list fields that are a single form field with JSON; any other list is a form field for each element.
        json_lists "json_lists": Vec<Text> = "[addresses]";
        /// The root element of an XML body.
        xml "xml": Option<Xml> = "{ name: items, items: item }";
        /// Details that the type does not show.
        doc "doc": Option<Text> = "Only the description is read.";
    }
}

impl Shorthand for Body {
    const KEY: &'static str = "type";
    type Short = TypeExpr;

    fn expand(ty: TypeExpr, span: Span) -> Self {
        Self { span, ty: Some(ty), ..Self::default() }
    }
}

shape! {
    /// An alternative of a request body.
    BodyAlternative "body alternative" {
        /// The type; omit it with `as: json_patch`.
        ty "type": Option<TypeExpr> = "Event";
        /// The Rust name, if the one derived from the name of the alternative is unsuitable.
        name "name": Option<Text> = "Whole";
        /// The encoding of the values in JSON, if the type has more than one.
        encoding "encoding": Option<Located<Encoding>> = "decimal_string";
        /// Whether the body is the whole resource or a patch.
        mode "as": Option<BodyMode> = "json_patch";
        /// The accepted media types, none of which another alternative has. The default is `application/json`, for a
        /// merge patch `application/merge-patch+json`, and for a JSON Patch `application/json-patch+json`.
        content_types "content_types": Vec<Text> = "[multipart/form-data]";
        /// How a form contains fields that are not scalars; by default as JSON.
        style "style": Option<Located<FormStyle>> = "brackets";
        /// The list fields that are a single form field with JSON; any other list is a form field for each element.
        json_lists "json_lists": Vec<Text> = "[addresses]";
        /// The root element of an XML body.
        xml "xml": Option<Xml> = "{ name: items, items: item }";
        /// Details that the type does not show.
        doc "doc": Option<Text> = "Only the description is read.";
    }
}

impl Shorthand for BodyAlternative {
    const KEY: &'static str = "type";
    type Short = TypeExpr;

    fn expand(ty: TypeExpr, span: Span) -> Self {
        Self { span, ty: Some(ty), ..Self::default() }
    }
}

words! {
    /// How a form contains fields that are not scalars.
    FormStyle {
        /// As JSON in one form field; a list is a repeated form field.
        Json "json",
        /// As a form field for each scalar, with field names and list indexes in brackets:
        /// `address[city]=Kiel&items[0][price]=5`. Values of the type `any` are strings there.
        Brackets "brackets",
    }
}

words! {
    /// Whether a body is a whole resource or a patch.
    BodyMode {
        /// The whole resource.
        Whole "whole",
        /// A merge patch (RFC 7396), which distinguishes absent, null and a value.
        MergePatch "merge_patch",
        /// A JSON Patch (RFC 6902): a list of operations, `runtime::JsonPatch`, which a server applies atomically.
        JsonPatch "json_patch",
    }
}

shape! {
    /// The response of an operation with one status.
    Response "response" {
        /// The type; without it the response has no body.
        ty "type": Option<TypeExpr> = "Event";
        /// The alternatives by name, each with its own media types: a type, or a mapping with details. In Rust the
        /// response is an enum. A client has a method for each alternative, such as `as_csv()`, which requests it and
        /// returns its type. In a server `Context::format` returns the alternative that the `Accept` header prefers; if
        /// the header accepts none, the response is 406.
        alternatives "alternatives": Named<Short<ResponseAlternative>> = "{ json: Report, csv: { type: string, content_types: [text/csv] } }";
        /// The encoding of the values in JSON, if the type has more than one.
        encoding "encoding": Option<Located<Encoding>> = "decimal_string";
        /// The root element of an XML body.
        xml "xml": Option<Xml> = "{ name: items, items: item }";
        /// Details that the type does not show.
        doc "doc": Option<Text> = "The event as it is stored now.";
        /// The possible media types; default `application/json`. The `Accept` header chooses between JSON and XML: a
        /// client accepts both, and requests one of them with `CallOptions::accept`.
        content_types "content_types": Vec<Text> = "[application/json, application/xml]";
        /// The response headers, which a service sets and a client reads as typed values.
        headers "headers": Named<Parameter> = "{ X-Rate-Limit: { type: int32, doc: How many requests are left. } }";
    }
}

impl Shorthand for Response {
    const KEY: &'static str = "type";
    type Short = TypeExpr;

    fn expand(ty: TypeExpr, span: Span) -> Self {
        Self { span, ty: Some(ty), ..Self::default() }
    }
}

shape! {
    /// An alternative of a response.
    ResponseAlternative "response alternative" {
        /// The type.
        ty "type": TypeExpr = "Event";
        /// The Rust name, if the one derived from the name of the alternative is unsuitable.
        name "name": Option<Text> = "Table";
        /// The encoding of the values in JSON, if the type has more than one.
        encoding "encoding": Option<Located<Encoding>> = "decimal_string";
        /// The possible media types, none of which another alternative has; default `application/json`.
        content_types "content_types": Vec<Text> = "[text/csv]";
        /// The root element of an XML body.
        xml "xml": Option<Xml> = "{ name: items, items: item }";
        /// Details that the type does not show.
        doc "doc": Option<Text> = "A line for each event.";
    }
}

impl Shorthand for ResponseAlternative {
    const KEY: &'static str = "type";
    type Short = TypeExpr;

    fn expand(ty: TypeExpr, span: Span) -> Self {
        Self { span, ty, ..Self::default() }
    }
}

shape! {
    /// An error that is part of the contract.
    ErrorCase "error" {
        /// When the error occurs.
        doc "doc": Option<Text> = "The sync token has expired.";
        /// The reason in the body that distinguishes the error from others with the same status.
        reason "reason": Option<Text> = "fullSyncRequired";
        /// The type of the body, if it differs from the API's error body.
        body "body": Option<TypeExpr> = "ErrorResponse";
        /// The possible media types of this body; default `application/json`.
        content_types "content_types": Vec<Text> = "[application/problem+json]";
        /// The response headers, which a service sets and a client reads as typed values.
        headers "headers": Named<Parameter> = "{ Retry-After: { type: uint32, doc: How many seconds to wait. } }";
        /// The origin of the fact, if it is not the API's own specification.
        origin "origin": Option<Text> = "wire";
    }
}

impl Shorthand for ErrorCase {
    const KEY: &'static str = "doc";
    type Short = Text;

    fn expand(doc: Text, span: Span) -> Self {
        Self { span, doc: Some(doc), ..Self::default() }
    }
}

/// The scopes that a token must have.
#[derive(Clone, Debug, PartialEq)]
pub enum ScopeNeed {
    /// One of them.
    AnyOf(Vec<Text>),
    /// All of them.
    AllOf(Vec<Text>),
}

shape! {
    /// The scopes that a token must have. A list means any of them.
    ScopeNeedDetail "scopes" {
        /// One of these scopes is sufficient.
        any_of "any_of": Option<Vec<Text>> = "[calendar, calendar.readonly]";
        /// All of these scopes are required.
        all_of "all_of": Option<Vec<Text>> = "[calendar, drive]";
    }
}

impl Write for ScopeNeed {
    fn write(&self) -> Node {
        match self {
            Self::AnyOf(any) => any.write(),
            Self::AllOf(all) => single("all_of", all.write()),
        }
    }
}

impl Read for ScopeNeed {
    fn kind() -> Kind {
        Kind::OneOf(vec![Vec::<Text>::kind(), ScopeNeedDetail::kind()])
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
        let detail = ScopeNeedDetail::read(node, sink)?;
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
