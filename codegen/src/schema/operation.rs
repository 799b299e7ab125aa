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
    /// Something a client can ask for. Its key is its name, in which dots separate the groups.
    Operation "operation" {
        /// What it does, in one sentence.
        doc "doc": Option<Text> = "Lists the events of a calendar.";
        /// The method and the path below the base path; a variable fills a segment, and a verb may follow the last. A
        /// variable with a plus, `{+name}`, holds slashes: it fills the segments that its `pattern` has, such as
        /// `^projects/[^/]+/places/[^/]+$`, or one and more where it has none. Others can stand beside text, and several
        /// in one segment with text between them: `/files/{name}.{format}`, where the first is as long as it can be.
        http "http": HttpLine = "GET /calendars/{calendarId}/events";
        /// The parameters in the path.
        path "path": Named<Parameter> = "{ calendarId: { type: string, doc: The calendar. } }";
        /// The parameters in the query.
        query "query": Named<Parameter> = "{ maxResults: { type: uint32, min: 1, clamp: 2500, default: 250 } }";
        /// The parameters in headers.
        headers "headers": Named<Parameter> = "{ X-Request-Id: { type: string } }";
        /// The parameters in cookies.
        cookies "cookies": Named<Parameter> = "{ session: { type: string } }";
        /// The parameter sets of the API that the operation takes as well.
        parameters "parameters": Vec<Text> = "[notifications]";
        /// What is sent: a type, or a mapping with more.
        body "body": Option<Short<Body>> = "{ type: Event, as: merge_patch }";
        /// What a success answers with status 200: a type, or a mapping with more.
        response "response": Option<Short<Response>> = "EventList";
        /// What successes answer, by status, where 200 alone does not say it: those with a body have one type, and the answer is optional in Rust where others have none.
        responses "responses": Named<Short<Response>> = "{ 204: { doc: It is gone. } }";
        /// The errors that are part of the contract, and when they happen: by status, by class of statuses, `4XX` or
        /// `5XX`, or `default` for all other errors. The most specific entry describes an error.
        errors "errors": Named<Short<ErrorCase>> = "{ 410: { doc: The sync token has expired., reason: fullSyncRequired } }";
        /// The error sets of the API that the operation has as well. Its own `errors` take the place of theirs by status.
        error_sets "error_sets": Vec<Text> = "[reading]";
        /// The scopes that a token needs.
        scopes "scopes": Option<ScopeNeed> = "{ any_of: [calendar, calendar.readonly] }";
        /// Whether an API key is enough.
        api_key "api_key": Option<Located<bool>> = "true";
        /// What a request shows to be let in, in place of `scopes` and of what the API says: one of these ways, or
        /// `none` where anybody can call the operation.
        security "security": Option<Ways> = "[[login], [key, { token: [calendar] }]]";
        /// Says that the answer comes in pages.
        pages "pages": Option<Pages> = "{ size: maxResults, token: pageToken, next: nextPageToken, items: items }";
        /// Says that changes can be asked for.
        sync "sync": Option<SyncDef> = "{ resume: syncToken, cursor: nextSyncToken, expired: { status: 410 }, forbids: [q], full: events.list }";
        /// The conditional requests (RFC 9110, section 13) that it takes. Where a read has `if_none_match` and a PUT or
        /// PATCH at the same path has `if_match`, a client has `update_with` or `patch_with`: read, change, write.
        conditional "conditional": Vec<Conditional> = "[if_match]";
        /// Whether sending it twice does what sending it once does; GET, HEAD, PUT and DELETE are unless said.
        idempotent "idempotent": Option<Located<bool>> = "true";
        /// How many quota units it takes; 1 unless said.
        cost "cost": Option<Located<i128>> = "3";
        /// Says that it opens a channel on which changes are announced.
        watch "watch": Option<Watch> = "{ of: [events.list], address: address }";
        /// The media that go up or come down beside the JSON.
        media "media": Option<Media> = "{ upload: [message/rfc822], max_bytes: 36700160 }";
        /// Says what comes of the work that goes on after the answer. Without the key it is as the resource says that is answered.
        long_running "long_running": Option<StartedDef> = "{ response: Event }";
        /// Conditions across parameters, body and what is stored.
        rules "rules": Vec<Rule> = "[{ id: events.locked, cel: '!old.locked', message: the event is locked }]";
        /// The rule sets of the API that hold as well, before its own rules.
        rule_sets "rule_sets": Vec<Text> = "[unlocked]";
        /// The warnings about the operation that are meant so and are not given, by their codes.
        allow "allow": Vec<Text> = "[W0309]";
        /// Whether only clients have the operation, and a server leaves it out: no server can tell its requests from those
        /// of another operation, or its path ends in a slash.
        client_only "client_only": Option<Located<bool>> = "true";
        /// Says that the operation is on its way out.
        deprecated "deprecated": Option<Short<Deprecation>> = "true";
        /// Where the fact comes from, when it is not the API's own specification.
        origin "origin": Option<Text> = "wire";
        /// Where single facts come from that are of another origin than the rest, by their keys; a dot leads into a mapping.
        origins "origins": Named<Text> = "{ scopes: wire, sync.forbids: wire }";
    }
}

shape! {
    /// What an operation is sent: a value of one type, or one of several alternatives that the media type tells apart. One
    /// operation has all of them, so that its name, path, parameters and errors are said once; in Rust the body is an enum
    /// with a variant for each, `IssuesUpdateBody::JsonPatch(…)`, into which the value of a type that only one of them has
    /// is converted by itself. A server takes each, and refuses any other media type with 415 and the list of those that it takes.
    /// Two operations of one method and path are refused all the same: the rest of them would be said twice, and what a
    /// request is would depend on a header that neither scopes nor quotas, logs and paths show.
    Body "body" {
        /// Its type; `as: json_patch` and `alternatives` stand without one.
        ty "type": Option<TypeExpr> = "Event";
        /// What it can be, by names, each with media types of its own: a type, or a mapping with more. A client sends the
        /// media type of the one that it is given, and a server reads a body by its media type: one that is named before one
        /// of a range such as `image/*`, and the first alternative where a request names none.
        alternatives "alternatives": Named<Short<BodyAlternative>> = "{ merge_patch: { type: Event, as: merge_patch }, json_patch: { as: json_patch } }";
        /// How its values are written in JSON, where the type leaves a choice.
        encoding "encoding": Option<Located<Encoding>> = "decimal_string";
        /// How it is meant: as the whole resource, or as a patch.
        mode "as": Option<BodyMode> = "merge_patch";
        /// Whether a request must have one; it must unless said.
        required "required": Option<Located<bool>> = "false";
        /// The media types it can have; `application/json` unless said, and `application/merge-patch+json` beside it where
        /// the body is a merge patch; `application/json-patch+json` where it is a JSON Patch. A client sends the first that is JSON or a form,
        /// `application/x-www-form-urlencoded` or `multipart/form-data`, whose fields are the members of the resource, and XML
        /// where there is nothing else; a server takes each.
        content_types "content_types": Vec<Text> = "[application/json, application/x-www-form-urlencoded]";
        /// How a form has what has members of its own; as JSON unless said.
        style "style": Option<Located<FormStyle>> = "brackets";
        /// The members whose lists are one field of the form each, as JSON; any other list is a field for each element.
        json_lists "json_lists": Vec<Text> = "[addresses]";
        /// The outermost element of the body, where it is XML.
        xml "xml": Option<Xml> = "{ name: items, items: item }";
        /// What is special about it.
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
    /// One of the alternatives that a body can be.
    BodyAlternative "body alternative" {
        /// Its type; `as: json_patch` stands without one.
        ty "type": Option<TypeExpr> = "Event";
        /// The Rust name, where the one made from the name of the alternative does not fit.
        name "name": Option<Text> = "Whole";
        /// How its values are written in JSON, where the type leaves a choice.
        encoding "encoding": Option<Located<Encoding>> = "decimal_string";
        /// How it is meant: as the whole resource, or as a patch.
        mode "as": Option<BodyMode> = "json_patch";
        /// The media types it can have, none of which another alternative has: `application/json` unless said,
        /// `application/merge-patch+json` of a merge patch and `application/json-patch+json` of a JSON Patch.
        content_types "content_types": Vec<Text> = "[multipart/form-data]";
        /// How a form has what has members of its own; as JSON unless said.
        style "style": Option<Located<FormStyle>> = "brackets";
        /// The members whose lists are one field of the form each, as JSON; any other list is a field for each element.
        json_lists "json_lists": Vec<Text> = "[addresses]";
        /// The outermost element of the body, where it is XML.
        xml "xml": Option<Xml> = "{ name: items, items: item }";
        /// What is special about it.
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
    /// How a form has what has members of its own.
    FormStyle {
        /// As JSON in one field; a list is repeated.
        Json "json",
        /// As a field for each single value, with the names of members and the places of elements in brackets:
        /// `address[city]=Kiel&items[0][price]=5`. What can be anything is text within.
        Brackets "brackets",
    }
}

words! {
    /// How a body is meant.
    BodyMode {
        /// The whole resource.
        Whole "whole",
        /// A merge patch (RFC 7396): absent, null and a value are told apart.
        MergePatch "merge_patch",
        /// A JSON Patch (RFC 6902): a list of operations, `runtime::JsonPatch`, which a server applies as a whole or not
        /// at all.
        JsonPatch "json_patch",
    }
}

shape! {
    /// What an operation answers with one status.
    Response "response" {
        /// Its type; without one the answer has no body.
        ty "type": Option<TypeExpr> = "Event";
        /// What it can be, by names, each with media types of its own: a type, or a mapping with more. In Rust the answer is
        /// an enum. A client has a method for each, such as `as_csv()`, which asks for it and gives its type; a server is
        /// told by `Context::format` which one the header `Accept` prefers, and answers 406 where it takes none.
        alternatives "alternatives": Named<Short<ResponseAlternative>> = "{ json: Report, csv: { type: string, content_types: [text/csv] } }";
        /// How its values are written in JSON, where the type leaves a choice.
        encoding "encoding": Option<Located<Encoding>> = "decimal_string";
        /// The outermost element of the body, where it is XML.
        xml "xml": Option<Xml> = "{ name: items, items: item }";
        /// What is special about it.
        doc "doc": Option<Text> = "The event as it is stored now.";
        /// The media types it can have; `application/json` unless said. Of JSON and XML the header `Accept` chooses: a
        /// client takes both, and asks for one of them by `CallOptions::accept`.
        content_types "content_types": Vec<Text> = "[application/json, application/xml]";
        /// The headers beside it, which a client reads as values of their types and a service sets.
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
    /// One of the alternatives that an answer can be.
    ResponseAlternative "response alternative" {
        /// Its type.
        ty "type": TypeExpr = "Event";
        /// The Rust name, where the one made from the name of the alternative does not fit.
        name "name": Option<Text> = "Table";
        /// How its values are written in JSON, where the type leaves a choice.
        encoding "encoding": Option<Located<Encoding>> = "decimal_string";
        /// The media types it can have, none of which another alternative has; `application/json` unless said.
        content_types "content_types": Vec<Text> = "[text/csv]";
        /// The outermost element of the body, where it is XML.
        xml "xml": Option<Xml> = "{ name: items, items: item }";
        /// What is special about it.
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
        /// When it happens.
        doc "doc": Option<Text> = "The sync token has expired.";
        /// The reason in the body that tells it from others of its status.
        reason "reason": Option<Text> = "fullSyncRequired";
        /// The type of its body, where it is not the API's own.
        body "body": Option<TypeExpr> = "ErrorResponse";
        /// The media types that its own body can have; `application/json` unless said.
        content_types "content_types": Vec<Text> = "[application/problem+json]";
        /// The headers beside it, which a client reads as values of their types and a service sets.
        headers "headers": Named<Parameter> = "{ Retry-After: { type: uint32, doc: How many seconds to wait. } }";
        /// Where the fact comes from, when it is not the API's own specification.
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

/// The scopes that a token needs.
#[derive(Clone, Debug, PartialEq)]
pub enum ScopeNeed {
    /// One of them.
    AnyOf(Vec<Text>),
    /// All of them.
    AllOf(Vec<Text>),
}

shape! {
    /// The scopes that a token needs. A plain list means any of them.
    ScopeNeedDetail "scopes" {
        /// One of these is enough.
        any_of "any_of": Option<Vec<Text>> = "[calendar, calendar.readonly]";
        /// All of these are needed.
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
                report.help("write `security: none` if anybody may call it");
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
        /// A read that answers 304 when nothing has changed.
        IfNoneMatch "if_none_match",
        /// A write that answers 412 when something has changed.
        IfMatch "if_match",
    }
}

shape! {
    /// The media that go up or come down beside the JSON.
    Media "media" {
        /// The media types that can be uploaded, or ranges of them; any unless said.
        upload "upload": Vec<Text> = "[message/rfc822, image/*]";
        /// The most bytes of an upload.
        max_bytes "max_bytes": Option<Located<i128>> = "36700160";
        /// Where an upload goes as one request.
        simple "simple": Option<Short<Upload>> = "{ path: /upload/shop/v1/items, multipart: true }";
        /// Where an upload goes in pieces, and goes on where it broke off.
        resumable "resumable": Option<Short<Upload>> = "{ path: /resumable/upload/shop/v1/items, multipart: true }";
        /// Whether the answer can be had as media, with the parameter that has the role `format`.
        download "download": Option<Located<bool>> = "true";
    }
}

shape! {
    /// Where media go up.
    Upload "upload" {
        /// The path from the root of the server on, the base path included; its variables are those of the operation.
        path "path": HttpPath = "/upload/shop/v1/items/{itemId}";
        /// Whether the body of the operation can go with the media, as the first part of a `multipart/related`.
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
