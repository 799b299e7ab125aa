//! Type expressions → types.

use super::tables::Tables;
use crate::diagnostics::{Code, Sink};
use crate::model::{Encoding, Lexical, Type, TypeId};
use crate::schema::read::Located;
use crate::schema::types::TypeExpr;
use crate::schema::{field, habits};

/// The built-in types, in the order in which the reference page lists them.
pub const BUILTINS: &[(&str, &str)] = &[
    ("string", "Text."),
    ("bool", "`true` or `false`."),
    ("int32", "A signed 32-bit integer."),
    ("int64", "A signed 64-bit integer; a JSON number unless `encoding: decimal_string`."),
    ("uint32", "An unsigned 32-bit integer."),
    ("uint64", "An unsigned 64-bit integer; a JSON number unless `encoding: decimal_string`."),
    ("float", "A 32-bit floating-point number."),
    ("double", "A 64-bit floating-point number."),
    ("decimal", "A decimal number of any precision in a string, `0.10`; its digits are kept."),
    ("bytes", "Bytes, base64 with `-` and `_` on the wire unless `encoding` says otherwise. Any base64 is read."),
    ("file", "A file in a form of several parts: bytes, with the name and the media type that its sender says it has."),
    ("date", "A calendar date, `yyyy-mm-dd`."),
    ("datetime", "A point in time (RFC 3339), with or without an offset; its spelling is kept."),
    ("time", "A time of day (RFC 3339), with or without an offset, `09:30:00`; its spelling is kept."),
    ("http_date", "A point in time as headers of HTTP have it (RFC 9110): `Sun, 06 Nov 1994 08:49:37 GMT`."),
    (
        "unix_time",
        "A point in time as a JSON number of seconds since 1970, or of milliseconds with `encoding: milliseconds`.",
    ),
    ("duration", "A length of time in seconds: `1.5s`."),
    ("iso_duration", "A duration of ISO 8601, `P1DT2H30M`; its spelling is kept."),
    ("any", "Any JSON value."),
    ("object", "Any JSON object."),
];

/// Whether a name is a built-in type.
pub fn is_builtin(name: &str) -> bool {
    BUILTINS.iter().any(|(builtin, _)| *builtin == name)
}

/// The built-in type of a name.
pub fn builtin(name: &str) -> Option<Type> {
    Some(match name {
        "string" => Type::String,
        "bool" => Type::Bool,
        "int32" => Type::Int32,
        "int64" => Type::Int64(Encoding::Number),
        "uint32" => Type::Uint32,
        "uint64" => Type::Uint64(Encoding::Number),
        "float" => Type::Float,
        "double" => Type::Double,
        "decimal" => Type::Lexical(Lexical::Decimal),
        "bytes" => Type::Bytes(Encoding::Base64Url),
        "file" => Type::Bytes(Encoding::File),
        "date" => Type::Date,
        "datetime" => Type::DateTime,
        "time" => Type::Lexical(Lexical::Time),
        "http_date" => Type::Lexical(Lexical::HttpDate),
        "unix_time" => Type::Int64(Encoding::UnixSeconds),
        "duration" => Type::Duration,
        "iso_duration" => Type::Lexical(Lexical::IsoDuration),
        "any" => Type::Any,
        "object" => Type::Object,
        _ => return None,
    })
}

impl Tables<'_> {
    /// What to write in place of the patch of a resource, which has no name of its own: `ItemPatch`.
    fn patch_help(&self, written: &str) -> Option<String> {
        let ends = ["Patch", "Update", "Changes"];
        let name = ends.iter().find_map(|end| written.strip_suffix(end).or_else(|| written.strip_prefix(end)))?;
        let is_resource = matches!(self.types.get(name), Some(TypeId::Resource(_)));
        is_resource.then(|| format!("a patch is made of its resource: `body: {{ type: {name}, as: merge_patch }}`"))
    }

    /// Resolves a type and marks what it refers to as used.
    pub fn ty(&mut self, expr: &TypeExpr, sink: &mut Sink) -> Option<Type> {
        match expr {
            TypeExpr::List(inner, _) => self.ty(inner, sink).map(|inner| Type::List(Box::new(inner))),
            TypeExpr::Map(inner, _) => self.ty(inner, sink).map(|inner| Type::Map(Box::new(inner))),
            TypeExpr::Nullable(name) => {
                self.ty(&TypeExpr::Name(name.clone()), sink).map(|inner| Type::Nullable(Box::new(inner)))
            }
            TypeExpr::Name(name) => {
                if let Some(found) = builtin(&name.text) {
                    return Some(found);
                }
                let Some(id) = self.types.get(name.text.as_str()).copied() else {
                    let candidates = BUILTINS.iter().map(|(builtin, _)| *builtin).chain(self.types.keys().copied());
                    let own = self.types.keys().any(|own| own.eq_ignore_ascii_case(&name.text));
                    let why = if name.text.starts_with(['[', '{']) { ": in quotes it is a name" } else { "" };
                    let message = format!("unknown type `{}`{why}", name.text);
                    let report = sink.report(Code::UnknownType, name.span, message);
                    let help = habits::type_help(&name.text).filter(|_| !own);
                    match help.or_else(|| self.patch_help(&name.text)) {
                        Some(help) => report.help(help),
                        None => report.suggest(&name.text, candidates),
                    };
                    return None;
                };
                self.used.insert(id);
                Some(match id {
                    TypeId::Resource(id) => Type::Resource(id),
                    TypeId::Enum(id) => Type::Enum(id),
                    TypeId::Union(id) => Type::Union(id),
                })
            }
        }
    }
}

/// Applies `encoding:` to the type it stands beside.
pub fn encode(ty: Type, written: Option<Located<field::Encoding>>, sink: &mut Sink) -> Type {
    let Some(Located { value: encoding, span }) = written else { return ty };
    match (ty, encoding) {
        (Type::List(inner), _) => Type::List(Box::new(encode(*inner, written, sink))),
        (Type::Map(inner), _) => Type::Map(Box::new(encode(*inner, written, sink))),
        (Type::Nullable(inner), _) => Type::Nullable(Box::new(encode(*inner, written, sink))),
        (Type::Int64(Encoding::Number), field::Encoding::DecimalString) => Type::Int64(Encoding::DecimalString),
        (Type::Uint64(_), field::Encoding::DecimalString) => Type::Uint64(Encoding::DecimalString),
        (Type::Int64(Encoding::UnixSeconds), field::Encoding::Milliseconds) => Type::Int64(Encoding::UnixMilliseconds),
        (Type::Bytes(Encoding::Base64Url), field::Encoding::Base64) => Type::Bytes(Encoding::Base64),
        (Type::Bytes(Encoding::Base64Url), field::Encoding::Base64Unpadded) => Type::Bytes(Encoding::Base64Unpadded),
        (Type::Bytes(Encoding::Base64Url), field::Encoding::Base64UrlUnpadded) => {
            Type::Bytes(Encoding::Base64UrlUnpadded)
        }
        (ty @ (Type::Int64(Encoding::Number) | Type::Uint64(_)), field::Encoding::Number)
        | (ty @ Type::Int64(Encoding::UnixSeconds), field::Encoding::Seconds)
        | (ty @ Type::Bytes(Encoding::Base64Url), field::Encoding::Base64Url) => ty,
        (ty, encoding) => {
            sink.report(Code::Misplaced, span, format!("`encoding: {}` does not apply to this type", encoding.word()))
                .help("`decimal_string` and `number` are for int64 and uint64, `seconds` and `milliseconds` for unix_time")
                .help("`base64url` and `base64`, also with `_unpadded`, are for bytes");
            ty
        }
    }
}
