//! Type expressions → types.

use super::builtins::{BUILTINS, builtin};
use super::tables::Tables;
use crate::diagnostics::{Code, Sink};
use crate::model::{Codec, Encoding, Type, TypeId};
use crate::schema::read::Located;
use crate::schema::types::TypeExpr;
use crate::schema::{Text, field, foreign_syntax};

impl Tables<'_> {
    /// Returns advice for the patch type of a resource, such as `ItemPatch`, which has no name in a schema.
    fn patch_help(&self, written: &str) -> Option<String> {
        let ends = ["Patch", "Update", "Changes"];
        let name = ends.iter().find_map(|end| written.strip_suffix(end).or_else(|| written.strip_prefix(end)))?;
        let is_resource = matches!(self.types.get(name), Some(TypeId::Resource(_)));
        is_resource.then(|| format!("use the resource as a merge patch: `body: {{ type: {name}, as: merge_patch }}`"))
    }

    /// Resolves a type and marks its definitions as used.
    pub fn ty(&mut self, expr: &TypeExpr, sink: &mut Sink) -> Option<Type> {
        if let TypeExpr::Nullable(name) = expr {
            sink.report(
                Code::BadType,
                name.span,
                format!("`{}?` is allowed only in lists, maps and bodies", name.text),
            )
            .help("remove the `?`: fields are optional unless they have `required: true`")
            .help("add `nullable: true` if the field accepts null");
        }
        self.body_ty(expr, sink).filter(|ty| !matches!(ty, Type::Nullable(_)))
    }

    /// Resolves the type of a body, which can be null, and marks its definitions as used.
    pub fn body_ty(&mut self, expr: &TypeExpr, sink: &mut Sink) -> Option<Type> {
        match expr {
            TypeExpr::List(inner, _) => self.body_ty(inner, sink).map(|inner| Type::List(Box::new(inner))),
            TypeExpr::Map(inner, _) => self.body_ty(inner, sink).map(|inner| Type::Map(Box::new(inner))),
            TypeExpr::Nullable(name) => {
                self.ty(&TypeExpr::Name(name.clone()), sink).map(|inner| Type::Nullable(Box::new(inner)))
            }
            TypeExpr::Name(name) => {
                if let Some(found) = builtin(&name.text) {
                    return Some(found);
                }
                let Some(id) = self.types.get(name.text.as_str()).copied() else {
                    self.has_all_types = false;
                    let candidates = BUILTINS.iter().map(|(builtin, _)| *builtin).chain(self.types.keys().copied());
                    let own = self.types.keys().any(|own| own.eq_ignore_ascii_case(&name.text));
                    let why = if name.text.starts_with(['[', '{']) { ": a quoted type is a name" } else { "" };
                    let message = format!("unknown type `{}`{why}", name.text);
                    let report = sink.report(Code::UnknownType, name.span, message);
                    let help = foreign_syntax::type_help(&name.text).filter(|_| !own);
                    match help.or_else(|| self.patch_help(&name.text)) {
                        Some(help) => report.help(help),
                        None => {
                            let label = "not declared under `resources:`, `enums:` or `unions:`";
                            report.label(label).suggest(&name.text, candidates)
                        }
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

    /// Resolves a type with its `encoding:`; returns [`Type::Unresolved`] if it is unknown.
    pub fn encoded_type(
        &mut self,
        expr: &TypeExpr,
        encoding: Option<Located<field::Encoding>>,
        sink: &mut Sink,
    ) -> Type {
        self.ty(expr, sink).map_or(Type::Unresolved, |ty| encode(ty, encoding, sink))
    }

    /// Resolves the type of a body with its `encoding:`, and reports one that is null in a format without null.
    pub fn encoded_body(
        &mut self,
        expr: &TypeExpr,
        encoding: Option<Located<field::Encoding>>,
        content_types: &[Text],
        sink: &mut Sink,
    ) -> Option<Type> {
        let ty = encode(self.body_ty(expr, sink)?, encoding, sink);
        let other = content_types.iter().find(|written| Codec::of(&written.text) != Some(Codec::Json));
        if let (Type::Nullable(_), Some(other)) = (&ty, other) {
            sink.report(Code::BadBody, expr.span(), format!("`{}` cannot be null", other.text.escape_debug()))
                .related(other.span, "the media type")
                .help("remove the `?` or the media type: only JSON has null");
            return None;
        }
        Some(ty)
    }

    /// Marks the definitions of a type as used that stands where there is none, which was reported.
    pub fn mark_misplaced(&mut self, expr: Option<&TypeExpr>) {
        expr.iter().for_each(|expr| drop(self.body_ty(expr, &mut Sink::new())));
    }
}

/// Returns whether a type satisfies a check. An unresolved one does, because it was reported.
pub fn fits(ty: &Type, check: impl FnOnce(&Type) -> bool) -> bool {
    *ty == Type::Unresolved || check(ty)
}

/// Returns whether two types are the same. An unresolved one is any type, because it was reported.
pub fn agree(one: &Type, other: &Type) -> bool {
    *one == Type::Unresolved || fits(other, |other| one == other)
}

/// Applies `encoding:` to a type.
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
                .help(
                    "`decimal_string` and `number` apply to `int64` and `uint64`, `seconds` and `milliseconds` to \
                    `unix_time`",
                )
                .help("`base64url` and `base64`, also with `_unpadded`, apply to `bytes`");
            ty
        }
    }
}
