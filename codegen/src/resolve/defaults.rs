//! Defaults of absent values, which must be values of their types within the constraints.

mod parts;

use serde_json::Value as Json;

use super::builtins::builtin;
use super::constraints::WrittenConstraints;
use super::literals;
use super::sets::expand;
use super::tables::Tables;
use super::types;
use super::violations::check_literal;
use crate::diagnostics::{Code, Sink, Span};
use crate::model::{Constraints, Encoding, Literal, ResourceId, Type, TypeId, UnionId, evident_variant};
use crate::schema::behavior::{Presence, Required};
use crate::schema::enums::EnumType;
use crate::schema::field::Field;
use crate::schema::file::File;
use crate::schema::read::Raw;
use crate::schema::resource::UnknownMembers;
use crate::schema::types::TypeExpr;
use crate::schema::yaml::{Entry, Node, Style, Value};
use parts::{check_bytes, check_count, check_exact, check_key, check_unique};

/// Returns the problems of the defaults of fields and parameters of an API whose default has a span, with this span.
#[must_use]
pub fn check_defaults(file: File) -> Vec<(Span, String)> {
    let (mut sink, mut other) = (Sink::new(), Sink::new());
    let expanded = expand(vec![file], &mut other);
    let Some(tables) = Tables::collect(&expanded, &mut other) else { return Vec::new() };
    let has_span = |raw: &&Raw| raw.0.span != Span::default();
    for (_, field) in expanded.files.iter().flat_map(|file| &file.resources.0).flat_map(|(_, of)| &of.fields.0) {
        let Some(default) = field.default.as_ref().filter(has_span) else { continue };
        if let Some(ty) = tables.known_type(&field.ty) {
            let ty = types::encode(ty, field.encoding, &mut other);
            let constraints = tables.constraints(&WrittenConstraints::field(field), &ty, &mut other);
            let is_nullable = field.nullable.is_some_and(|nullable| nullable.value);
            tables.check_presence(field, &ty, is_nullable, &mut sink);
            tables.default(default, &ty, &constraints, &mut sink);
        }
    }
    for (_, operation) in expanded.files.iter().flat_map(|file| &file.operations.0) {
        let all = [&operation.path, &operation.query, &operation.headers, &operation.cookies];
        for (_, parameter) in all.into_iter().flat_map(|parameters| &parameters.0) {
            let Some(default) = parameter.default.as_ref().filter(has_span) else { continue };
            if let Some(ty) = tables.known_type(&parameter.ty) {
                let ty = types::encode(ty, parameter.encoding, &mut other);
                let constraints = tables.constraints(&WrittenConstraints::parameter(parameter), &ty, &mut other);
                tables.default(default, &ty, &constraints, &mut sink);
            }
        }
    }
    sink.into_sorted().into_iter().map(|found| (found.span, found.message)).collect()
}

impl Tables<'_> {
    /// Reports a default of a list or map of which an empty one is absent: it would have the default too.
    pub fn check_presence(&self, def: &Field, ty: &Type, is_nullable: bool, sink: &mut Sink) {
        let presence = def.presence.or(self.api.presence).map(|presence| presence.value);
        let is_explicit = is_nullable || presence == Some(Presence::Explicit);
        let Some(default) = def.default.as_ref().filter(|_| ty.is_collection() && !is_explicit) else { return };
        let what = "the default of a list or map requires `presence: explicit`: without it an empty one is absent";
        sink.report(Code::Misplaced, default.0.span, what).help("add `presence: explicit`");
    }

    /// Returns a default. One of a list, a map, an object or a union is JSON.
    pub fn default(&self, raw: &Raw, ty: &Type, constraints: &Constraints, sink: &mut Sink) -> Option<Literal> {
        match ty {
            Type::Unresolved => None,
            Type::Bytes(Encoding::File) => {
                sink.report(Code::Misplaced, raw.0.span, "`default` does not apply to files")
                    .help("describe the meaning of an absent value in `doc`");
                None
            }
            Type::List(_) | Type::Map(_) | Type::Any | Type::Object | Type::Resource(_) | Type::Union(_) => {
                let is_valid = self.check_json(&raw.0, ty, constraints, sink);
                literals::json(&raw.0).filter(|_| is_valid).map(Literal::Json)
            }
            _ => self.scalar_default(&raw.0, ty, constraints, sink),
        }
    }

    /// Returns a scalar within its constraints.
    fn scalar_default(&self, node: &Node, ty: &Type, constraints: &Constraints, sink: &mut Sink) -> Option<Literal> {
        let raw = Raw(node.clone());
        let literal = self.literal(&raw, ty, "default", sink)?;
        match &literal {
            Literal::Text(text) if matches!(ty, Type::Bytes(_)) => check_bytes(node, text, constraints, sink),
            literal => check_literal(literal, "default", &raw, constraints, sink),
        }
        let is_other = constraints.constant.as_ref().is_some_and(|constant| *constant != literal);
        if is_other {
            sink.report(Code::BadValue, node.span, "the default differs from the constant of the field");
        }
        (!is_other).then_some(literal)
    }

    /// Reports the parts of a value that are not those of its type as it is on the wire; returns whether there are none.
    fn check_json(&self, node: &Node, ty: &Type, constraints: &Constraints, sink: &mut Sink) -> bool {
        match (ty, &node.value) {
            (Type::Unresolved, _) => false,
            (Type::Nullable(_), _) if node.is_null() => true,
            (Type::Nullable(inner), _) => self.check_json(node, inner, constraints, sink),
            (Type::List(inner), Value::List(items)) => {
                let each = constraints.for_elements();
                let is_counted = check_count(node, items.len(), constraints, sink);
                let is_unique = !constraints.unique || check_unique(node, items, sink);
                let count = items.iter().filter(|item| self.check_json(item, inner, &each, sink)).count();
                is_counted && is_unique && count == items.len()
            }
            (Type::Map(inner), Value::Map(entries)) => {
                let each = constraints.for_elements();
                let is_counted = check_count(node, entries.len(), constraints, sink);
                let fits = |entry: &&Entry| {
                    let is_key = check_key(entry, constraints, sink);
                    self.check_json(&entry.value, inner, &each, sink) && is_key
                };
                entries.iter().filter(fits).count() == entries.len() && is_counted
            }
            (Type::Resource(id), Value::Map(entries)) => self.check_object(node, entries, *id, None, sink),
            (Type::Union(id), _) => self.check_variant(node, *id, sink),
            (Type::Any, _) | (Type::Object, Value::Map(_)) => check_exact(node, sink),
            (Type::List(_) | Type::Map(_) | Type::Resource(_) | Type::Object, _) => {
                let expected = if matches!(ty, Type::List(_)) { "a list" } else { "a mapping" };
                let message = format!("expected {expected} as default, found {}", node.describe());
                sink.report(Code::BadValue, node.span, message);
                false
            }
            _ => self.check_scalar(node, ty, constraints, sink),
        }
    }

    /// Checks a scalar in a list, a map or an object, which is written as on the wire.
    fn check_scalar(&self, node: &Node, ty: &Type, constraints: &Constraints, sink: &mut Sink) -> bool {
        let is_string = matches!(literals::json(node), Some(Json::String(_)));
        let strings = match ty {
            Type::Enum(id) => match self.enums[id.0].def.ty.as_ref().map(|ty| ty.value) {
                None | Some(EnumType::String) => true,
                // Listed values of several types are JSON.
                Some(EnumType::Any) => is_string,
                Some(_) => false,
            },
            ty => ty.has_json_type(&Json::String(String::new())),
        };
        let is_quoted = matches!(node.value, Value::Scalar(_, Style::Text));
        if let Some(text) = node.text().filter(|_| strings != is_string && (strings || is_quoted)) {
            let (is, help) = if strings { ("is not", "quote it") } else { ("is", "remove the quotes") };
            let message = format!("the value `{}` in the default {is} a string", text.escape_debug());
            sink.report(Code::BadValue, node.span, message)
                .help(format!("{help}: a default of this type is written as on the wire"));
            return false;
        }
        if strings != is_string {
            self.not_a_literal(node, ty, "default", sink);
            return false;
        }
        // The digits of a decimal string are those of a number.
        let digits = node.text().filter(|_| ty.is_decimal_string());
        let plain = digits.map(|digits| Node { span: node.span, ..Node::plain(digits) });
        let is_valid = self.scalar_default(plain.as_ref().unwrap_or(node), ty, constraints, sink).is_some();
        is_valid && (*ty != Type::Number || check_exact(node, sink))
    }

    /// Checks an object; `tag` is a field that its union reads.
    fn check_object(&self, node: &Node, entries: &[Entry], id: ResourceId, tag: Option<&str>, sink: &mut Sink) -> bool {
        let (name, def) = (&self.resources[id.0].key.text, self.resources[id.0].def);
        if def.outcome.is_some() {
            sink.report(Code::Misplaced, node.span, format!("`{name}` is an outcome, which has no default"));
            return false;
        }
        let mut is_valid = true;
        for entry in entries.iter().filter(|entry| Some(entry.key.as_str()) != tag) {
            is_valid &= self.check_member(entry, id, sink);
        }
        for (key, field) in &def.fields.0 {
            let wire = field.wire_name.as_ref().unwrap_or(key);
            let is_required = matches!(field.required, Some(Required::Everywhere(true)));
            let is_nullable = field.nullable.is_some_and(|nullable| nullable.value);
            let found = entries.iter().find(|entry| entry.key == wire.text);
            if is_required && found.is_none_or(|entry| entry.value.is_null() && !is_nullable) {
                let message = format!("the default lacks the required field `{}` of `{name}`", wire.text);
                sink.report(Code::BadValue, node.span, message);
                is_valid = false;
            }
        }
        is_valid
    }

    /// Checks a member of an object by the field of its name, or by the type of other fields.
    fn check_member(&self, entry: &Entry, id: ResourceId, sink: &mut Sink) -> bool {
        let def = self.resources[id.0].def;
        let is_own = |(key, field): &&(_, Field)| field.wire_name.as_ref().unwrap_or(key).text == entry.key;
        if let Some((_, field)) = def.fields.0.iter().find(is_own) {
            // Null is an absent value, or one that the field has.
            let Some(ty) = self.known_type(&field.ty).filter(|_| !entry.value.is_null()) else {
                return entry.value.is_null();
            };
            let ty = types::encode(ty, field.encoding, &mut Sink::new());
            let constraints = self.constraints(&WrittenConstraints::field(field), &ty, &mut Sink::new());
            return self.check_json(&entry.value, &ty, &constraints, sink);
        }
        let kind = def.kind.as_ref().map(|kind| &kind.0);
        let of_kind = kind.filter(|kind| kind.member.as_ref().map_or("kind", |member| &member.text) == entry.key);
        if of_kind.is_some_and(|kind| entry.value.text() == Some(&kind.value.text)) {
            return true;
        }
        if let Some(rest) = def.rest.as_ref().map(|rest| &rest.0).filter(|_| of_kind.is_none()) {
            if entry.value.is_null() && rest.nullable.is_some_and(|nullable| nullable.value) {
                return true;
            }
            let Some(inner) = self.known_type(&rest.ty) else { return false };
            let inner = types::encode(inner, rest.encoding, &mut Sink::new());
            let map = Type::Map(Box::new(inner.clone()));
            let constraints = self.constraints(&WrittenConstraints::rest(rest), &map, &mut Sink::new());
            return self.check_json(&entry.value, &inner, &constraints.for_elements(), sink);
        }
        let keeps_all = def.unknown_members.or(self.api.unknown_members.as_ref().map(|unknown| unknown.value));
        if keeps_all == Some(UnknownMembers::Preserve) && of_kind.is_none() {
            return check_exact(&entry.value, sink);
        }
        let names = def.fields.0.iter().map(|(key, _)| key.text.as_str());
        let message = format!("unknown field `{}` in the default", entry.key.escape_debug());
        sink.report(Code::BadValue, entry.key_span, message).suggest(&entry.key, names);
        false
    }

    /// Checks the value of a union by its evident variant.
    fn check_variant(&self, node: &Node, id: UnionId, sink: &mut Sink) -> bool {
        let def = self.unions[id.0].def;
        let known = |(key, variant): &'_ (crate::schema::Text, crate::schema::union::Variant)| {
            let ty = self.known_type(&variant.0.ty)?;
            Some((key.text.clone(), types::encode(ty, variant.0.encoding, &mut Sink::new())))
        };
        let Some(variants) = def.variants.0.iter().map(known).collect::<Option<Vec<_>>>() else { return false };
        let named: Vec<(&str, &Type)> = variants.iter().map(|(name, ty)| (name.as_str(), ty)).collect();
        let tag = def.discriminator.as_ref().map(|tag| tag.text.as_str());
        let found = literals::json(node).and_then(|json| evident_variant(tag, &named, &json));
        match found.and_then(|index| variants.get(index)).map(|(_, ty)| (ty, &node.value)) {
            Some((Type::Resource(id), Value::Map(entries))) => self.check_object(node, entries, *id, tag, sink),
            Some((ty, _)) => self.check_json(node, ty, &Constraints::default(), sink),
            None => {
                let name = &self.unions[id.0].key.text;
                sink.report(Code::BadValue, node.span, format!("the default is not evidently one variant of `{name}`"))
                    .help("write a value that has the discriminator, or that has the JSON type of one variant only");
                false
            }
        }
    }

    /// Returns a type whose names are known; unknown ones are reported elsewhere.
    fn known_type(&self, expr: &TypeExpr) -> Option<Type> {
        Some(match expr {
            TypeExpr::List(inner, _) => Type::List(Box::new(self.known_type(inner)?)),
            TypeExpr::Map(inner, _) => Type::Map(Box::new(self.known_type(inner)?)),
            TypeExpr::Nullable(name) => Type::Nullable(Box::new(self.known_type(&TypeExpr::Name(name.clone()))?)),
            TypeExpr::Name(name) => match builtin(&name.text) {
                Some(found) => found,
                None => match self.types.get(name.text.as_str())? {
                    TypeId::Resource(id) => Type::Resource(*id),
                    TypeId::Enum(id) => Type::Enum(*id),
                    TypeId::Union(id) => Type::Union(*id),
                },
            },
        })
    }
}
