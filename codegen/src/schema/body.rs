//! Bodies of requests, responses and errors.

use super::field::{Elements, Encoding, KeysDef, Parameter};
use super::named::Named;
use super::read::{Located, Text};
use super::shape::{Short, Shorthand, shape, words};
use super::types::{Range, TypeExpr};
use super::xml::Xml;
use crate::diagnostics::Span;

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
        /// The permitted number of elements of a body that is a list or a map; one without elements has none.
        items "items": Option<Range> = "1..=50";
        /// The constraints of the keys of a body that is a map.
        keys "keys": Option<KeysDef> = "{ pattern: '[a-z]+' }";
        /// Whether the elements of a body that is a list must be unique.
        unique "unique": Option<Located<bool>> = "true";
        /// The constraints on each element that is a list or a map itself.
        elements "elements": Option<Box<Elements>> = "{ items: 1.. }";
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
        /// The list fields that are a single form field: `json`, or in a URL-encoded form values with a delimiter: `comma`
        /// (`tags=a,b`, where a comma within a value is percent-encoded), `space` or `pipe`, which no value can contain. Any
        /// other list is a form field for each element.
        lists "lists": Named<Located<FormList>> = "{ addresses: json, tags: comma }";
        /// The root element of an XML body.
        xml "xml": Option<Xml> = "{ name: items, items: item }";
        /// Details that the type does not show.
        doc "doc": Option<Text> = "Only the description is read.";
    }
}

macro_rules! counts {
    ($($ty:ident)*) => {$(
        impl $ty {
            /// Returns the constraints on the body as a list or map.
            #[must_use]
            pub fn counts(&self) -> Elements {
                let (keys, elements) = (self.keys.clone(), self.elements.clone());
                Elements { span: self.span, items: self.items, keys, unique: self.unique, elements }
            }
        }
    )*};
}

counts!(Body Response ResponseAlternative);

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
        /// The permitted number of elements of a body that is a list or a map; one without elements has none.
        items "items": Option<Range> = "1..=50";
        /// The constraints of the keys of a body that is a map.
        keys "keys": Option<KeysDef> = "{ pattern: '[a-z]+' }";
        /// Whether the elements of a body that is a list must be unique.
        unique "unique": Option<Located<bool>> = "true";
        /// The constraints on each element that is a list or a map itself.
        elements "elements": Option<Box<Elements>> = "{ items: 1.. }";
        /// The encoding of the values in JSON, if the type has more than one.
        encoding "encoding": Option<Located<Encoding>> = "decimal_string";
        /// Whether the body is the whole resource or a patch.
        mode "as": Option<BodyMode> = "json_patch";
        /// The accepted media types, none of which another alternative has. The default is `application/json`, for a
        /// merge patch `application/merge-patch+json`, and for a JSON Patch `application/json-patch+json`.
        content_types "content_types": Vec<Text> = "[multipart/form-data]";
        /// How a form contains fields that are not scalars; by default as JSON.
        style "style": Option<Located<FormStyle>> = "brackets";
        /// The list fields that are a single form field: `json`, or in a URL-encoded form values with a delimiter: `comma`
        /// (`tags=a,b`, where a comma within a value is percent-encoded), `space` or `pipe`, which no value can contain. Any
        /// other list is a form field for each element.
        lists "lists": Named<Located<FormList>> = "{ addresses: json, tags: comma }";
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
    /// How a single form field contains a list.
    FormList {
        /// As JSON.
        Json "json",
        /// As values separated by commas: `tags=a,b`; a comma within a value is percent-encoded.
        Comma "comma",
        /// As values separated by spaces; the values contain no spaces.
        Space "space",
        /// As values separated by vertical bars; the values contain no vertical bars.
        Pipe "pipe",
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
        /// The permitted number of elements of a body that is a list or a map. Neither a server nor a client rejects
        /// other responses.
        items "items": Option<Range> = "1..=50";
        /// The constraints of the keys of a body that is a map.
        keys "keys": Option<KeysDef> = "{ pattern: '[a-z]+' }";
        /// Whether the elements of a body that is a list are unique.
        unique "unique": Option<Located<bool>> = "true";
        /// The constraints on each element that is a list or a map itself.
        elements "elements": Option<Box<Elements>> = "{ items: 1.. }";
        /// The encoding of the values in JSON, if the type has more than one.
        encoding "encoding": Option<Located<Encoding>> = "decimal_string";
        /// The root element of an XML body.
        xml "xml": Option<Xml> = "{ name: items, items: item }";
        /// Details that the type does not show.
        doc "doc": Option<Text> = "The event as it is stored now.";
        /// The possible media types; default `application/json`. The body of a number or a boolean is also plain text, in
        /// `text/plain`. The `Accept` header chooses between JSON and XML: a
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
        /// The permitted number of elements of a body that is a list or a map. Neither a server nor a client rejects
        /// other responses.
        items "items": Option<Range> = "1..=50";
        /// The constraints of the keys of a body that is a map.
        keys "keys": Option<KeysDef> = "{ pattern: '[a-z]+' }";
        /// Whether the elements of a body that is a list are unique.
        unique "unique": Option<Located<bool>> = "true";
        /// The constraints on each element that is a list or a map itself.
        elements "elements": Option<Box<Elements>> = "{ items: 1.. }";
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
