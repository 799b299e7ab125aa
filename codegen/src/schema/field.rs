//! Fields of resources and parameters of operations, with their constraints.

use super::behavior::{Behavior, ConstrainedIn, Ignored, Presence, Required};
use super::deprecation::Deprecation;
use super::named::Named;
use super::profile::RoleDef;
use super::read::{Located, Raw, Text};
use super::shape::{Short, Shorthand, shape, words};
use super::types::{Range, TypeExpr};
use super::xml::Xml;
use crate::diagnostics::Span;

shape! {
    /// A field of a resource. Its key under `fields` is its name on the wire.
    Field "field" {
        /// The type of the value.
        ty "type": TypeExpr = "[Attendee]";
        /// The meaning of the field, in one sentence that does not repeat the constraints.
        doc "doc": Option<Text> = "The event's title.";
        /// The Rust name, if the one derived from the wire name is unsuitable.
        name "name": Option<Text> = "kind_of_event";
        /// The name on the wire, if it cannot be the key.
        wire_name "wire_name": Option<Text> = "'@type'";
        /// Who sets the field, and when (AIP-203).
        behavior "behavior": Vec<Behavior> = "[immutable, { output_only: { except: [events.import] } }]";
        /// Whether request bodies must contain the field: in all operations, or in the listed ones.
        required "required": Option<Required> = "{ in: [events.insert, events.update] }";
        /// Whether null on the wire is a value rather than absence. Null satisfies `required`. In a merge patch null
        /// sets the field to null, where it otherwise removes the field.
        nullable "nullable": Option<Located<bool>> = "true";
        /// Whether an empty list or map is distinguished from an absent one; default `implicit`.
        presence "presence": Option<Located<Presence>> = "explicit";
        /// The value of the field when it is absent. An accessor returns it; it is not written implicitly. One of a list, a
        /// map, an object or a union is written as on the wire, and has everything that its type requires, apart from rules.
        /// That of a list or a map requires `presence: explicit`.
        default "default": Option<Raw> = "confirmed";
        /// The only permitted value.
        constant "const": Option<Raw> = "'calendar#event'";
        /// An example for the documentation.
        example "example": Option<Raw> = "Lunch with Ana";
        /// A regular expression that can be matched in linear time, anchored at both ends, in RE2 syntax. Look-around is supported next to text of a fixed length, such as `(?=.*[0-9]).{8,}`.
        pattern "pattern": Option<Text> = "'[a-v0-9]+'";
        /// The permitted length, in Unicode code points for a string and in bytes for `bytes`.
        length "length": Option<Range> = "5..=1024";
        /// The format of the string.
        format "format": Option<Located<Format>> = "email";
        /// The permitted schemes of a `uri`.
        schemes "schemes": Vec<Text> = "[http, https]";
        /// Values with a special meaning, by name; other values are permitted too.
        known "known_values": Named<Short<KnownValue>> = "{ manifest: { doc: The manifest., aliases: [appsscript] } }";
        /// The minimum, or `{ exclusive: 0 }` for values that are greater.
        min "min": Option<Raw> = "0";
        /// The maximum, or `{ exclusive: 1 }` for values that are less.
        max "max": Option<Raw> = "40320";
        /// A number that the value must be a multiple of.
        multiple_of "multiple_of": Option<Raw> = "5";
        /// The permitted number of elements of the list or map. A list without elements has too few where it is
        /// distinguished from an absent one: with `presence: explicit` or `nullable`.
        items "items": Option<Range> = "..=25";
        /// The constraints of the keys of a map.
        keys "keys": Option<KeysDef> = "{ pattern: '[a-z]+', length: ..=32 }";
        /// Whether the elements of the list must be unique.
        unique "unique": Option<Located<bool>> = "true";
        /// The constraints on each element that is a list or a map itself, as in `[[string]]`.
        elements "elements": Option<Box<Elements>> = "{ items: 1.. }";
        /// The encoding of the value on the wire, if the type has more than one.
        encoding "encoding": Option<Located<Encoding>> = "decimal_string";
        /// The XML mapping of the field; by default an element with the name of the field.
        xml "xml": Option<Xml> = "{ name: tag, attribute: true }";
        /// The value that a client generates if a request or merge patch contains the enclosing object but not this
        /// field.
        fill "fill": Option<Located<Fill>> = "uuid";
        /// Whether the value is confidential: `Debug` output shows `"***"` instead, and violations contain nothing of
        /// it.
        sensitive "sensitive": Option<Located<bool>> = "true";
        /// Further names under which the field is accepted.
        aliases "aliases": Vec<Text> = "[maxAttendee]";
        /// A CEL condition: if it is false, the server ignores the field and keeps the stored value.
        effective_when "effective_when": Option<Text> = "params.supportsAttachments";
        /// Where the server ignores the field in a request.
        ignored "ignored": Option<Ignored> = "{ in: [events.import] }";
        /// Where the constraints of the string or number apply, by default everywhere. Use it, for example, for an
        /// identifier that the client chooses in some operations and the server in others.
        constrained "constrained": Option<ConstrainedIn> = "{ in: [events.insert, events.import] }";
        /// Marks the field as deprecated.
        deprecated "deprecated": Option<Short<Deprecation>> = "{ since: v3, use: eventLabelId }";
        /// The origin of the fact, if it is not the API's own specification.
        origin "origin": Option<Text> = "wire";
        /// The origins of single facts that differ from `origin`, by key; a dot descends into a mapping.
        origins "origins": Named<Text> = "{ length: ours }";
    }
}

shape! {
    /// A parameter of an operation, in its path, query, headers or cookies.
    Parameter "parameter" {
        /// The type: a scalar, an enum, or a list of those. A list is a repeated parameter in the query
        /// and a repeated cookie, unless `style` says otherwise, and separated by commas in the path and in headers. Certain
        /// values of `style` permit further types.
        ty "type": TypeExpr = "uint32";
        /// The meaning, in one sentence.
        doc "doc": Option<Text> = "The maximum number of events on a page.";
        /// The Rust name, if the one derived from the wire name is unsuitable.
        name "name": Option<Text> = "page_size";
        /// The name on the wire, if it cannot be the key.
        wire_name "wire_name": Option<Text> = "userProcessFilter.types";
        /// Whether every request must have the parameter. Path parameters are always required.
        required "required": Option<Located<bool>> = "true";
        /// The value of the parameter when it is absent. An empty list is absent.
        default "default": Option<Raw> = "250";
        /// The only permitted value: a client always sends it, and a server rejects any other.
        constant "const": Option<Raw> = "2026-01-01";
        /// An example for the documentation.
        example "example": Option<Raw> = "primary";
        /// A regular expression that can be matched in linear time, anchored at both ends, in RE2 syntax. Look-around is supported next to text of a fixed length, such as `(?=.*[0-9]).{8,}`.
        pattern "pattern": Option<Text> = "'[0-9]+'";
        /// The permitted length, in Unicode code points.
        length "length": Option<Range> = "1..=128";
        /// The format of the string.
        format "format": Option<Located<Format>> = "time_zone";
        /// The permitted schemes of a `uri`.
        schemes "schemes": Vec<Text> = "[https]";
        /// The minimum.
        min "min": Option<Raw> = "1";
        /// The maximum; a server rejects a greater value.
        max "max": Option<Raw> = "500";
        /// The effective maximum; a server lowers a greater value to it instead of rejecting it.
        clamp "clamp": Option<Raw> = "2500";
        /// The permitted number of elements; an empty list equals an absent one.
        items "items": Option<Range> = "..=50";
        /// The constraints of the keys of a map.
        keys "keys": Option<KeysDef> = "{ pattern: '[a-z]+', length: ..=32 }";
        /// Whether the elements must be unique.
        unique "unique": Option<Located<bool>> = "true";
        /// The constraints on each element that is a list or a map itself.
        elements "elements": Option<Box<Elements>> = "{ unique: true }";
        /// The encoding of the value on the wire, if the type has more than one.
        encoding "encoding": Option<Located<Encoding>> = "decimal_string";
        /// How a value that is not a scalar is serialized: a list, a resource, a map, or JSON.
        style "style": Option<Located<ListStyle>> = "comma";
        /// The role of the parameter for clients and servers, independent of its name, if every operation takes it.
        role "role": Option<Short<RoleDef>> = "api_key";
        /// Further names under which the parameter is accepted, that of the public service first.
        aliases "aliases": Vec<Text> = "[maxAttendees]";
        /// Marks the parameter as deprecated.
        deprecated "deprecated": Option<Short<Deprecation>> = "{ use: sendUpdates }";
        /// The origin of the fact, if it is not the API's own specification.
        origin "origin": Option<Text> = "wire";
        /// The origins of single facts that differ from `origin`, by key; a dot descends into a mapping.
        origins "origins": Named<Text> = "{ default: wire }";
    }
}

shape! {
    /// Constraints of the keys of a map. A violation is at the entry with the key.
    KeysDef "keys" {
        /// A regular expression like that of a string.
        pattern "pattern": Option<Text> = "'[a-z]+'";
        /// The permitted length, in Unicode code points.
        length "length": Option<Range> = "..=32";
    }
}

shape! {
    /// The constraints on the elements of a list or a map, if they are lists or maps themselves. Those on strings and
    /// numbers are next to the type of the outermost list or map, whatever its depth.
    Elements "elements" {
        /// The permitted number of elements of each list or map; one without elements has none.
        items "items": Option<Range> = "1..=25";
        /// The constraints of the keys of each map.
        keys "keys": Option<KeysDef> = "{ pattern: '[a-z]+' }";
        /// Whether the elements of each list must be unique.
        unique "unique": Option<Located<bool>> = "true";
        /// The constraints on the elements of these, if they are lists or maps again.
        elements "elements": Option<Box<Elements>> = "{ items: 2 }";
    }
}

shape! {
    /// A string value with a special meaning; other values are permitted.
    KnownValue "known value" {
        /// The meaning of the value.
        doc "doc": Option<Text> = "The project's manifest.";
        /// Equivalent values, that of the public service first.
        aliases "aliases": Vec<Text> = "[appsscript]";
    }
}

impl Shorthand for KnownValue {
    const KEY: &'static str = "doc";
    type Short = Text;

    fn expand(doc: Text, span: Span) -> Self {
        Self { span, doc: Some(doc), aliases: Vec::new() }
    }
}

words! {
    /// The encoding of a value on the wire.
    Encoding {
        /// A 64-bit integer as a string of decimal digits.
        DecimalString "decimal_string",
        /// A 64-bit integer as a JSON number.
        Number "number",
        /// Bytes as base64 with `-` and `_`.
        Base64Url "base64url",
        /// Bytes as base64 with `+` and `/`.
        Base64 "base64",
        /// Bytes as base64 with `-` and `_`, and without `=` at the end.
        Base64UrlUnpadded "base64url_unpadded",
        /// Bytes as base64 with `+` and `/`, and without `=` at the end.
        Base64Unpadded "base64_unpadded",
        /// A timestamp as a number of seconds.
        Seconds "seconds",
        /// A timestamp as a number of milliseconds.
        Milliseconds "milliseconds",
    }
}

words! {
    /// How a parameter that is not a scalar is serialized.
    ListStyle {
        /// The parameter is repeated.
        Repeat "repeat",
        /// One parameter with values separated by commas.
        Comma "comma",
        /// One query parameter with values separated by spaces; the values contain no spaces.
        Space "space",
        /// One query parameter with values separated by vertical bars; the values contain no vertical bars.
        Pipe "pipe",
        /// A query parameter for each field of a resource, with the name of the field in brackets: `filter[size]=3`.
        Deep "deep",
        /// A query parameter for each scalar within a resource, a list, a map or a union, with field names and list
        /// indexes in brackets: `filter[owner][name]=a&filter[ids][0]=5`.
        Brackets "brackets",
        /// One parameter with JSON: a resource, a list, a map, or any value.
        Json "json",
        /// Field names and values separated by commas: `size,3,open,true`.
        Pairs "pairs",
        /// `name=value` pairs separated by commas, in a path or a header: `size=3,open=true`.
        Assigned "assigned",
        /// A query parameter for each field, with the name of the field: `size=3&open=true`.
        Members "members",
        /// In a path, a leading dot and values separated by commas: `.a,b`.
        Label "label",
        /// In a path, a dot before each value: `.a.b`.
        LabelEach "label_each",
        /// In a path, a leading semicolon and name, and values separated by commas: `;ids=a,b`.
        Matrix "matrix",
        /// In a path, a semicolon and the name before each value: `;ids=a;ids=b`.
        MatrixEach "matrix_each",
    }
}

words! {
    /// A value that a client generates.
    Fill {
        /// A new random UUID (RFC 9562, version 4) for each request.
        Uuid "uuid",
    }
}

words! {
    /// The format of a string.
    Format {
        /// An email address (RFC 5322, addr-spec).
        Email "email",
        /// A URI (RFC 3986); `schemes` restricts it.
        Uri "uri",
        /// The name of a time zone in the IANA Time Zone Database.
        TimeZone "time_zone",
        /// Recurrence lines (RFC 5545, section 3.8.5).
        Recurrence "recurrence",
        /// An Internet media type (RFC 6838).
        MediaType "media_type",
        /// An entity tag (RFC 9110, section 8.8.3).
        Etag "etag",
        /// An opaque token that requests the next page.
        PageToken "page_token",
        /// An opaque token that requests the changes since a response.
        SyncToken "sync_token",
        /// A host name (RFC 1123).
        Hostname "hostname",
        /// An IP address, version 4 or 6.
        Ip "ip",
        /// A UUID (RFC 9562).
        Uuid "uuid",
        /// HTML text.
        Html "html",
        /// A field mask: paths of fields separated by commas, with dots between the names of a path:
        /// `title,owner.email`.
        FieldMask "field_mask",
    }
}
