//! Members: the fields of resources and the parameters of operations, and what constrains them.

use super::behavior::{Behavior, ConstrainedIn, Ignored, Presence, Required};
use super::named::Named;
use super::profile::RoleDef;
use super::read::{Kind, Located, Raw, Read, Text};
use super::shape::{Short, Shorthand, shape, words};
use super::types::{Range, TypeExpr};
use super::write::short_form;
use super::xml::Xml;
use super::yaml::{Node, Value};
use crate::diagnostics::{Code, Sink, Span};

shape! {
    /// One member of a resource. Its key under `fields` is its name on the wire.
    Field "field" {
        /// What it holds.
        ty "type": TypeExpr = "[Attendee]";
        /// What it means, in one sentence; constraints speak for themselves.
        doc "doc": Option<Text> = "The event's title.";
        /// The Rust name, where the one made from the wire name does not fit.
        name "name": Option<Text> = "kind_of_event";
        /// The name on the wire, where it cannot be the key.
        wire_name "wire_name": Option<Text> = "'@type'";
        /// Who sets the member and when (AIP-203).
        behavior "behavior": Vec<Behavior> = "[immutable, { output_only: { except: [events.import] } }]";
        /// Whether a body must have it: everywhere, or in the operations listed.
        required "required": Option<Required> = "{ in: [events.insert, events.update] }";
        /// Whether null on the wire is a value of its own rather than absence. It fulfills `required`; in a merge patch, where null means that a member goes away, it makes the member null.
        nullable "nullable": Option<Located<bool>> = "true";
        /// Whether an empty list or map is told apart from an absent one (`explicit`) or not (`implicit`, unless said).
        presence "presence": Option<Located<Presence>> = "explicit";
        /// What the member stands for when it is absent. It is read through an accessor and never written unasked.
        default "default": Option<Raw> = "confirmed";
        /// The only value it can have.
        constant "const": Option<Raw> = "'calendar#event'";
        /// An example, shown in the documentation.
        example "example": Option<Raw> = "Lunch with Ana";
        /// A regular expression of linear time, anchored at both ends.
        pattern "pattern": Option<Text> = "'[a-v0-9]+'";
        /// How many Unicode code points the text has, or how many bytes.
        length "length": Option<Range> = "5..=1024";
        /// What the text is.
        format "format": Option<Located<Format>> = "email";
        /// The schemes that a `uri` can have.
        schemes "schemes": Vec<Text> = "[http, https]";
        /// The values that mean something special, by name; others are allowed too.
        known "known_values": Named<Short<Known>> = "{ manifest: { doc: The manifest., aliases: [appsscript] } }";
        /// The least number.
        min "min": Option<Raw> = "0";
        /// The greatest number.
        max "max": Option<Raw> = "40320";
        /// The number is a multiple of this one.
        multiple_of "multiple_of": Option<Raw> = "5";
        /// How many elements the list or map has.
        items "items": Option<Range> = "..=25";
        /// Whether no element of the list occurs twice.
        unique "unique": Option<Located<bool>> = "true";
        /// How the value is written on the wire, where its type leaves a choice.
        encoding "encoding": Option<Located<Encoding>> = "decimal_string";
        /// How the member stands in XML; as an element of its own name unless said.
        xml "xml": Option<Xml> = "{ name: tag, attribute: true }";
        /// What a client fills in where a request, or a merge patch, has the object that the member is in, but not the member.
        fill "fill": Option<Located<Fill>> = "uuid";
        /// Other names under which the member is accepted.
        aliases "aliases": Vec<Text> = "[maxAttendee]";
        /// A CEL condition: where it is false the server ignores the member and keeps what is stored.
        effective_when "effective_when": Option<Text> = "params.supportsAttachments";
        /// Where the server takes no notice of the member in a request.
        ignored "ignored": Option<Ignored> = "{ in: [events.import] }";
        /// Where the text or number must satisfy its constraints, such as an identifier that a client chooses in some operations and the server in others; everywhere unless said.
        constrained "constrained": Option<ConstrainedIn> = "{ in: [events.insert, events.import] }";
        /// Says that the member is on its way out.
        deprecated "deprecated": Option<Short<Deprecation>> = "{ since: v3, use: eventLabelId }";
        /// Where the fact comes from, when it is not the API's own specification.
        origin "origin": Option<Text> = "wire";
        /// Where single facts come from that are of another origin than the rest, by their keys; a dot leads into a mapping.
        origins "origins": Named<Text> = "{ length: ours }";
    }
}

shape! {
    /// One parameter of an operation, in its path, query, headers or cookies.
    Parameter "parameter" {
        /// What it holds: a scalar, an enum, or a list of those: in the query, where it is repeated on the wire unless
        /// `style` says otherwise, or in the path or a header, where it has commas. With a `style` for it, also more.
        ty "type": TypeExpr = "uint32";
        /// What it means, in one sentence.
        doc "doc": Option<Text> = "How many events a page holds at the most.";
        /// The Rust name, where the one made from the wire name does not fit.
        name "name": Option<Text> = "page_size";
        /// The name on the wire, where it cannot be the key.
        wire_name "wire_name": Option<Text> = "userProcessFilter.types";
        /// Whether every request has it. Path parameters always are required.
        required "required": Option<Located<bool>> = "true";
        /// What it stands for when it is absent.
        default "default": Option<Raw> = "250";
        /// The only value it can have: a client always sends it, without being asked, and a server refuses any other.
        constant "const": Option<Raw> = "2026-01-01";
        /// An example, shown in the documentation.
        example "example": Option<Raw> = "primary";
        /// A regular expression of linear time, anchored at both ends.
        pattern "pattern": Option<Text> = "'[0-9]+'";
        /// How many Unicode code points the text has.
        length "length": Option<Range> = "1..=128";
        /// What the text is.
        format "format": Option<Located<Format>> = "time_zone";
        /// The schemes that a `uri` can have.
        schemes "schemes": Vec<Text> = "[https]";
        /// The least number.
        min "min": Option<Raw> = "1";
        /// The greatest number; a greater one is refused.
        max "max": Option<Raw> = "500";
        /// The greatest number that has an effect; a greater one is lowered to it, not refused.
        clamp "clamp": Option<Raw> = "2500";
        /// How often it can be repeated.
        items "items": Option<Range> = "..=50";
        /// Whether no value occurs twice.
        unique "unique": Option<Located<bool>> = "true";
        /// How the value is written on the wire, where its type leaves a choice.
        encoding "encoding": Option<Located<Encoding>> = "decimal_string";
        /// How what is no single text is written: a list, a resource, a map, or JSON.
        style "style": Option<Located<ListStyle>> = "comma";
        /// What clients and servers know the parameter as, whatever its name, if every operation takes it.
        role "role": Option<Short<RoleDef>> = "api_key";
        /// Other names under which the parameter is accepted, that of the public service first.
        aliases "aliases": Vec<Text> = "[maxAttendees]";
        /// Says that the parameter is on its way out.
        deprecated "deprecated": Option<Short<Deprecation>> = "{ use: sendUpdates }";
        /// Where the fact comes from, when it is not the API's own specification.
        origin "origin": Option<Text> = "wire";
        /// Where single facts come from that are of another origin than the rest, by their keys; a dot leads into a mapping.
        origins "origins": Named<Text> = "{ default: wire }";
    }
}

shape! {
    /// How something deprecated is replaced. `true`, or a text, where there is less to say.
    Deprecation "deprecation" {
        /// The version since which it is.
        since "since": Option<Text> = "v3";
        /// What takes its place.
        instead "use": Option<Text> = "eventLabelId";
        /// What else there is to know.
        doc "doc": Option<Text> = "Kept for old clients.";
    }
}

/// `deprecated: true`, or the reason.
#[derive(Clone, Debug)]
pub struct DeprecationFlag(Option<Text>);

impl Read for DeprecationFlag {
    fn kind() -> Kind {
        Kind::OneOf(vec![Kind::Bool, Kind::Text])
    }

    fn read(node: &Node, sink: &mut Sink) -> Option<Self> {
        match &node.value {
            Value::Scalar(text, super::yaml::Style::Plain) if text == "true" => Some(Self(None)),
            Value::Scalar(text, super::yaml::Style::Plain) if text == "false" => {
                sink.report(Code::BadScalar, node.span, "`deprecated` is `true`, a text or a mapping")
                    .help("leave the key out where nothing is deprecated");
                None
            }
            Value::Scalar(text, _) if ["true", "yes", "y", "on"].contains(&text.to_ascii_lowercase().as_str()) => {
                let message = format!("`{}` says nothing of what is deprecated", text.escape_debug());
                sink.report(Code::BadScalar, node.span, message).help("write `true`, without quotes");
                None
            }
            _ => Text::read(node, sink).map(|text| Self(Some(text))),
        }
    }
}

impl Shorthand for Deprecation {
    const KEY: &'static str = "doc";
    type Short = DeprecationFlag;

    fn shorten(whole: &Node) -> Option<Node> {
        match &whole.value {
            Value::Map(entries) if entries.is_empty() => Some(Node::plain("true")),
            _ => short_form(whole, Self::KEY),
        }
    }

    fn expand(flag: DeprecationFlag, span: Span) -> Self {
        Self { span, doc: flag.0, ..Self::default() }
    }
}

shape! {
    /// A value of a text that means something special, while any other is allowed.
    Known "known value" {
        /// What it means.
        doc "doc": Option<Text> = "The project's manifest.";
        /// Other spellings that mean the same, that of the public service first.
        aliases "aliases": Vec<Text> = "[appsscript]";
    }
}

impl Shorthand for Known {
    const KEY: &'static str = "doc";
    type Short = Text;

    fn expand(doc: Text, span: Span) -> Self {
        Self { span, doc: Some(doc), aliases: Vec::new() }
    }
}

words! {
    /// How a value is written on the wire.
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
        /// A point in time as a number of seconds.
        Seconds "seconds",
        /// A point in time as a number of milliseconds.
        Milliseconds "milliseconds",
    }
}

words! {
    /// How what is no single text is written in a parameter.
    ListStyle {
        /// The parameter is repeated.
        Repeat "repeat",
        /// One parameter with commas between the values.
        Comma "comma",
        /// One parameter of the query with spaces between the values, none of which can have one.
        Space "space",
        /// One parameter of the query with vertical bars between the values, none of which can have one.
        Pipe "pipe",
        /// A parameter for each member of a resource, whose name stands in brackets: `filter[size]=3`.
        Deep "deep",
        /// A parameter of the query for each single value within a resource, a list, a map or a union, with the names of
        /// members and the places of elements in brackets: `filter[owner][name]=a&filter[ids][0]=5`.
        Brackets "brackets",
        /// One parameter that holds JSON: a resource, a list, a map, or anything.
        Json "json",
        /// The names and values of members with commas between them: `size,3,open,true`.
        Pairs "pairs",
        /// The members with commas between them, in a path or a header: `size=3,open=true`.
        Assigned "assigned",
        /// A parameter of the query for each member, with the name of that: `size=3&open=true`.
        Members "members",
        /// In a path, a dot in front and commas between: `.a,b`.
        Label "label",
        /// In a path, a dot in front of each value: `.a.b`.
        LabelEach "label_each",
        /// In a path, a semicolon and the name in front, and commas between: `;ids=a,b`.
        Matrix "matrix",
        /// In a path, a semicolon and the name in front of each value: `;ids=a;ids=b`.
        MatrixEach "matrix_each",
    }
}

words! {
    /// What a client makes up.
    Fill {
        /// A fresh random UUID (RFC 9562, version 4) for every call.
        Uuid "uuid",
    }
}

words! {
    /// What a text is.
    Format {
        /// A mail address (RFC 5322, addr-spec).
        Email "email",
        /// A URI (RFC 3986); `schemes` restricts it.
        Uri "uri",
        /// A zone of the IANA Time Zone Database.
        TimeZone "time_zone",
        /// Recurrence lines (RFC 5545, section 3.8.5).
        Recurrence "recurrence",
        /// An Internet media type (RFC 6838).
        MediaType "media_type",
        /// An entity tag (RFC 9110, section 8.8.3).
        Etag "etag",
        /// An opaque token that asks for a further page.
        PageToken "page_token",
        /// An opaque token that asks for what has changed since.
        SyncToken "sync_token",
        /// A host name (RFC 1123).
        Hostname "hostname",
        /// An IP address, version 4 or 6.
        Ip "ip",
        /// A UUID (RFC 9562).
        Uuid "uuid",
        /// HTML text.
        Html "html",
        /// Names of members, with dots between those of one path and commas between paths: `title,owner.email`.
        FieldMask "field_mask",
    }
}
