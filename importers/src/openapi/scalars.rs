//! Texts, numbers and booleans.

use wireform_codegen::model::{Encoding as Unit, Lexical, Type};
use wireform_codegen::schema::field::{Encoding, Format};

use super::constraints;
use super::form::Form;
use super::importer::{Files, Importer};
use super::limits::is_ip;
use super::media;
use super::view::{Kind, View};
use crate::node::Node;
use crate::number::Number;
use crate::value::Value;
use crate::value_kind::ValueKind;

/// Returns the type of a scalar.
pub fn form<'d>(importer: &mut Importer<'d>, view: &View<'d>, node: &Node<'d>, kind: Kind) -> Form<'d> {
    let format = view.text("format");
    let mut form = match kind {
        Kind::Bool => Form::plain("bool", ValueKind::Bool),
        Kind::Text if importer.files == Files::Here && is_binary(view) => file(view),
        Kind::Text if importer.files == Files::Lost && !importer.is_generated && is_binary(view) => {
            view.text("contentEncoding");
            node.loss("the file becomes `string`: its object is not only used as the parts of a form");
            plain_text()
        }
        Kind::Integer => integer(view, format, node),
        Kind::Number if importer.is_generated && format == Some("float") => Form::plain("float", ValueKind::Float),
        Kind::Number => number(format, node),
        // Generated documents mark bytes explicitly.
        _ => text(view, format.filter(|format| !importer.is_generated || *format != "binary"), node),
    };
    constraints::of_value(importer, view, &mut form);
    form
}

/// Returns whether a text is raw bytes: a file, where files are allowed.
pub fn is_binary(view: &View<'_>) -> bool {
    view.nodes.iter().any(|node| media::is_bytes(node) || node.text_if("contentEncoding") == Some("binary"))
}

/// Returns whether a value is unconstrained, and thus a file in a form part.
pub fn is_empty_part(importer: &Importer<'_>, view: &View<'_>) -> bool {
    let is_unconstrained = view.kinds.is_none() && view.alternatives.is_empty() && view.values.is_none();
    is_unconstrained && (is_binary(view) || media::empty_is_bytes(&importer.root))
}

/// Creates the type of a file.
pub fn file<'d>(view: &View<'d>) -> Form<'d> {
    view.text("contentEncoding");
    view.text("contentMediaType");
    view.text("format");
    Form::plain("file", ValueKind::Scalar)
}

/// Notes an unknown `format`, once for all schemas that have it.
fn report_unknown_format(node: &Node<'_>, format: Option<&str>) {
    if let Some(format) = format {
        let what = format!("the format `{}` is left out: unknown format", format.escape_debug());
        node.note_once(&format!("format {format}"), what);
    }
}

/// Returns the form of an integer type.
fn whole(name: &str) -> Form<'static> {
    Form::plain(name, ValueKind::integer_of(name))
}

/// Returns the value type of Unix timestamps.
fn unix_time(unit: Unit) -> ValueKind {
    Type::Int64(unit)
        .integer_range()
        .map_or(ValueKind::integer_of("int64"), |(least, most)| ValueKind::Whole(least, most))
}

/// Converts the type `integer` with its format.
fn integer<'d>(view: &View<'d>, format: Option<&str>, node: &Node<'d>) -> Form<'d> {
    let narrow = |name: &str, least: i128, most: i128| {
        let mut form = whole(name);
        form.inner = ValueKind::Whole(least, most);
        form.keys.min = Number::integer(least).filter(|_| least != 0).map(Number::to_raw);
        form.keys.max = Number::integer(most).map(Number::to_raw);
        form
    };
    match format {
        Some("int32") => whole("int32"),
        Some("uint32" | "uint") => whole("uint32"),
        Some("uint64") => whole("uint64"),
        Some("int64" | "long") => whole("int64"),
        Some("unixtime" | "unix-time") => Form::plain("unix_time", unix_time(Unit::UnixSeconds)),
        Some("unixtime-ms") => encoded("unix_time", unix_time(Unit::UnixMilliseconds), Encoding::Milliseconds),
        Some("int8") => narrow("int32", i8::MIN.into(), i8::MAX.into()),
        Some("int16") => narrow("int32", i16::MIN.into(), i16::MAX.into()),
        Some("uint8") => narrow("uint32", 0, u8::MAX.into()),
        Some("uint16") => narrow("uint32", 0, u16::MAX.into()),
        other => {
            report_unknown_format(node, other);
            // An unsigned number that exceeds 63 bits; other types would lose values.
            let holds = |key: &str, fits: fn(i128) -> bool| {
                view.nodes.iter().any(|node| match node.value.get(key) {
                    Some(Value::Number(end)) => end.parse::<i128>().is_ok_and(fits),
                    _ => false,
                })
            };
            let is_large = holds("maximum", |most| most > i64::MAX.into());
            let is_from_0 = holds("minimum", |least| least >= 0) || holds("exclusiveMinimum", |least| least >= -1);
            whole(if is_large && is_from_0 { "uint64" } else { "int64" })
        }
    }
}

/// Converts the type `number` with its format.
fn number<'d>(format: Option<&str>, node: &Node<'d>) -> Form<'d> {
    match format {
        Some("float") => {
            // Publishers declare this for values with more digits, and a double can hold every float.
            let what =
                "the format `float` becomes `double`: a float would lose digits of numbers with higher precision";
            node.note_once("format float", what);
            Form::plain("double", ValueKind::Float)
        }
        Some("int32") => whole("int32"),
        Some("int64") => whole("int64"),
        Some("double") => Form::plain("double", ValueKind::Float),
        None | Some("decimal") => Form::plain("number", ValueKind::Number),
        other => {
            report_unknown_format(node, other);
            Form::plain("number", ValueKind::Number)
        }
    }
}

/// Returns the form of a type with an encoding.
fn encoded<'d>(name: &str, inner: ValueKind, encoding: Encoding) -> Form<'d> {
    let mut form = Form::plain(name, inner);
    form.keys.encoding = Some(encoding.into());
    form
}

/// Returns the type of a text with a lexical format.
pub fn lexical<'d>(format: &str) -> Option<Form<'d>> {
    let (name, lexical) = match format {
        "duration" => ("iso_duration", Lexical::IsoDuration),
        "time" | "partial-time" | "full-time" => ("time", Lexical::Time),
        "http-date" | "date-time-rfc1123" | "date-time-rfc7231" => ("http_date", Lexical::HttpDate),
        "decimal" | "decimal128" | "double" | "float" => ("decimal", Lexical::Decimal),
        _ => return None,
    };
    Some(Form::plain(name, ValueKind::Lexical(lexical)))
}

/// Returns the type of a small integer encoded as text: a 64-bit one, which has the same encoding, with the bounds of
/// the smaller type.
fn small_integer_text<'d>(format: &str) -> Form<'d> {
    let (least, most): (i128, i128) = match format {
        "int8" => (i8::MIN.into(), i8::MAX.into()),
        "int16" => (i16::MIN.into(), i16::MAX.into()),
        "uint8" => (0, u8::MAX.into()),
        "uint16" => (0, u16::MAX.into()),
        "uint32" => (0, u32::MAX.into()),
        _ => (i32::MIN.into(), i32::MAX.into()),
    };
    let wide = if least < 0 { "int64" } else { "uint64" };
    let mut form = encoded(wide, ValueKind::Whole(least, most), Encoding::DecimalString);
    form.keys.min = Number::integer(least).filter(|_| least != 0).map(Number::to_raw);
    form.keys.max = Number::integer(most).map(Number::to_raw);
    form
}

/// Converts the type `string` with its format.
fn text<'d>(view: &View<'d>, format: Option<&str>, node: &Node<'d>) -> Form<'d> {
    if let Some(form) = format.and_then(lexical) {
        return form;
    }
    if format.is_none() && view.alternatives.iter().any(|list| is_ip(list)) {
        return with_format(Format::Ip);
    }
    match (format, view.text("contentEncoding")) {
        (Some("byte") | None, Some("base64url")) => Form::plain("bytes", ValueKind::Bytes),
        (Some("byte") | None, Some("base64")) | (Some("byte" | "base64"), _) => {
            encoded("bytes", ValueKind::Bytes, Encoding::Base64)
        }
        // Format of JSON Web Tokens and TypeSpec, without padding (RFC 7515, section 2).
        (Some("base64url"), _) => encoded("bytes", ValueKind::Bytes, Encoding::Base64UrlUnpadded),
        (Some("date"), _) => Form::plain("date", ValueKind::Date),
        (Some("date-time"), _) => Form::plain("datetime", ValueKind::DateTime),
        (Some("google-duration"), _) => Form::plain("duration", ValueKind::Scalar),
        (Some("int8" | "int16" | "int32" | "uint8" | "uint16" | "uint32"), _) => {
            small_integer_text(format.unwrap_or_default())
        }
        (Some("int64"), _) => encoded("int64", ValueKind::integer_of("int64"), Encoding::DecimalString),
        (Some("uint64"), _) => encoded("uint64", ValueKind::integer_of("uint64"), Encoding::DecimalString),
        (Some("email" | "idn-email"), _) => with_format(Format::Email),
        (Some("uri" | "url" | "iri"), _) => with_format(Format::Uri),
        (Some("hostname"), _) => with_format(Format::Hostname),
        (Some("ipv4" | "ipv6" | "ip"), _) => {
            if format != Some("ip") {
                node.loss_once("format ip", "becomes `format: ip`: it accepts addresses of both versions");
            }
            with_format(Format::Ip)
        }
        (Some("uuid"), _) => with_format(Format::Uuid),
        (Some(format), _) => of_format(format, node),
        (None, encoding) => {
            if let Some(encoding) = encoding {
                node.loss(format!("the encoding `{}` is left out: unknown encoding", encoding.escape_debug()));
            }
            plain_text()
        }
    }
}

/// Returns the type `string` without constraints.
fn plain_text<'d>() -> Form<'d> {
    Form::plain("string", ValueKind::Text)
}

/// Returns the type `string` with a format.
fn with_format<'d>(word: Format) -> Form<'d> {
    let mut form = plain_text();
    form.keys.format = Some(word.into());
    form
}

/// Returns the type of a text with an uncommon format.
fn of_format<'d>(format: &str, node: &Node<'d>) -> Form<'d> {
    match known(format) {
        Some(word) => return with_format(word),
        None if STANDARD.contains(&format) => {
            let what = format!("the format `{format}` is left out: the schema language does not support it");
            node.loss_once(&format!("format {format}"), what);
        }
        None if format == "commonmark" || format == "password" => {
            let what = format!("the format `{format}` is left out: it only affects how the text is displayed");
            node.note_once(&format!("format {format}"), what);
        }
        None if format == "binary" => {
            node.note("the format `binary` is left out: JSON and fields of forms cannot contain raw bytes");
        }
        None if ["string", "text"].contains(&format) => {
            node.note_once(format, format!("the format `{format}` is left out: the type implies it"));
        }
        None => report_unknown_format(node, Some(format)),
    }
    plain_text()
}

/// Formats of JSON Schema without an equivalent.
const STANDARD: [&str; 8] = [
    "uri-reference",
    "uri-template",
    "iri-reference",
    "idn-hostname",
    "json-pointer",
    "relative-json-pointer",
    "regex",
    "char",
];

/// Parses a format of the schema language.
fn known(format: &str) -> Option<Format> {
    Some(match format {
        "time-zone" => Format::TimeZone,
        "recurrence" => Format::Recurrence,
        "media-type" | "media-range" => Format::MediaType,
        "etag" => Format::Etag,
        "page-token" => Format::PageToken,
        "sync-token" => Format::SyncToken,
        "html" => Format::Html,
        "field-mask" => Format::FieldMask,
        _ => return None,
    })
}
