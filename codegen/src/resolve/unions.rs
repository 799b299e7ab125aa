//! Unions: the contents of their variants, and whether a value identifies its variant.

use std::cell::Cell;

use super::builtins::BUILTINS;
use super::common_values::CommonValues;
use super::members::{deprecated, document, text};
use super::names::{self, Casing, ReservedNames, WireNames};
use super::tables::Tables;
use crate::diagnostics::{Code, Sink, Span};
use crate::model::{Encoding, Enum, Field, FieldKinds, Resource, TagKind, Type, Union, Variant};
use crate::schema::Text;

impl Tables<'_> {
    /// Resolves a union; the resources are resolved before.
    pub fn union(&mut self, index: usize, resources: &[Resource], sink: &mut Sink) -> Union {
        let (key, def, name) = {
            let definition = &self.unions[index];
            (definition.key, definition.def, definition.name.clone())
        };
        document(def.doc.as_ref(), key, "union", sink);
        if def.variants.0.is_empty() {
            sink.report(Code::BadUnion, key.span, format!("union `{}` has no variants", key.text))
                .help("add them under `variants`, or use `type: any`");
        }
        let mut taken = ReservedNames::default();
        let mut spellings = WireNames::default();
        taken.take("Unknown", "the variant of unknown values", key.span, sink);
        let mut variants = Vec::with_capacity(def.variants.0.len());
        for (wire, variant) in &def.variants.0 {
            spellings.take(&wire.text, wire.span, &[], sink);
            let name = names::name(wire, variant.0.name.as_ref(), Casing::Type, sink);
            let ty = self.encoded_type(&variant.0.ty, variant.0.encoding, sink);
            let Some(name) = name else { continue };
            taken.take(&name.ident, &format!("the variant `{}`", wire.text), wire.span, sink);
            let discriminator = def.discriminator.as_ref();
            let discriminator = discriminator
                .and_then(|member| self.discriminator_field(member, (wire, &variant.0), &ty, resources, sink));
            variants.push(Variant {
                doc: variant.0.doc.as_ref().map_or_else(|| self.about(&ty), |doc| doc.text.clone()),
                discriminator,
                deprecated: deprecated(variant.0.deprecated.as_ref()),
                origin: variant.0.origin.as_ref().map(|origin| origin.text.clone()),
                name,
                ty,
            });
        }
        let tag = def.discriminator.as_ref().map(|member| self.tag_kind(member, &variants, resources, sink));
        Union {
            variants,
            tag: tag.unwrap_or_default(),
            name,
            doc: text(def.doc.as_ref()),
            discriminator: def.discriminator.as_ref().map(|name| name.text.clone()),
            field_kinds: FieldKinds::default(),
            deprecated: deprecated(def.deprecated.as_ref()),
            origin: def.origin.as_ref().map(|origin| origin.text.clone()),
            span: key.span,
        }
    }

    /// Returns the default description of a variant, from its type.
    fn about(&self, ty: &Type) -> String {
        let doc = match ty {
            Type::Resource(id) => self.resources[id.0].def.doc.as_ref(),
            Type::Enum(id) => self.enums[id.0].def.doc.as_ref(),
            Type::Union(id) => self.unions[id.0].def.doc.as_ref(),
            Type::List(_) => return "A list.".into(),
            Type::Map(_) => return "A map.".into(),
            // The encoding of a variant is described elsewhere.
            Type::Int64(Encoding::UnixSeconds | Encoding::UnixMilliseconds) => {
                return "A timestamp as a number.".into();
            }
            Type::Int64(_) => return "A signed 64-bit integer.".into(),
            Type::Uint64(_) => return "An unsigned 64-bit integer.".into(),
            Type::Bytes(_) => return "Bytes.".into(),
            ty => {
                let builtin = BUILTINS.iter().find(|(name, _)| super::builtins::builtin(name).as_ref() == Some(ty));
                return builtin.map_or("A value.", |(_, doc)| doc).to_owned();
            }
        };
        text(doc)
    }
}

/// Reports unions that are their own variants, and variants that cannot be distinguished.
pub fn check(tables: &Tables<'_>, unions: &[Union], resources: &[Resource], enums: &[Enum], sink: &mut Sink) {
    let common_values = CommonValues::new(resources, enums);
    for (index, (definition, union)) in tables.unions.iter().zip(unions).enumerate() {
        let inside = nested_unions(union, unions);
        if inside.contains(&index) {
            // In a cycle only the first union is reported.
            if inside.iter().all(|other| *other >= index) {
                let key = definition.key;
                sink.report(Code::BadUnion, key.span, format!("union `{}` is a variant of itself", key.text))
                    .help("use a list, a map or a resource in between, or list the variants of the inner union here");
            }
            continue;
        }
        if union.discriminator.is_some() {
            let is_text = |of: &Union| of.tag == TagKind::Text;
            let inner = |variant: &Variant| match variant.ty {
                Type::Union(id) => unions.get(id.0),
                _ => None,
            };
            let others = union.variants.iter().filter_map(inner);
            if let Some(other) = others.into_iter().find(|inner| !is_text(union) || !is_text(inner)) {
                let (key, other) = (definition.key, &other.name.wire);
                let message =
                    format!("the discriminators of `{}` and of its variant `{other}` are not both strings", key.text);
                sink.report(Code::BadUnion, key.span, message)
                    .help("list the variants of the inner union here, or put it into a field of a resource");
            }
            continue;
        }
        let written = |at: usize| {
            let name = &union.variants[at].name.wire;
            definition.def.variants.0.iter().find(|(key, _)| key.text == *name).map_or(definition.key, |(key, _)| key)
        };
        for (at, variant) in union.variants.iter().enumerate() {
            let likes = union.variants[..at].iter().map(|earlier| confusable(&earlier.ty, &variant.ty, resources));
            if let Some((earlier, like)) = likes.enumerate().find_map(|(earlier, like)| Some((earlier, like?))) {
                report(like, written(earlier), written(at), sink);
                continue;
            }
            let common = |earlier: &Variant| common_values.find(&earlier.ty, &variant.ty);
            let mut earlier = union.variants[..at].iter().enumerate();
            if let Some((earlier, value)) = earlier.find_map(|(at, earlier)| Some((at, common(earlier)?))) {
                report_common_value(&value, written(earlier), written(at), sink);
            }
        }
    }
}

/// Reports a variant that is never decoded, because an earlier one accepts its values.
fn report(like: Confusable, earlier: &Text, later: &Text, sink: &mut Sink) {
    let related: Span = earlier.span;
    match like {
        Confusable::Same => sink
            .report(
                Code::BadUnion,
                later.span,
                format!("variants `{}` and `{}` have the same type", later.text, earlier.text),
            )
            .related(related, "the other variant")
            .help("remove one of them, or add a `discriminator`"),
        Confusable::Covered => sink
            .report(
                Code::HiddenVariant,
                later.span,
                format!("unreachable variant: `{}` accepts every value of `{}`", earlier.text, later.text),
            )
            .related(related, "the other variant")
            .help("move the narrower variant first, or add a `discriminator`"),
        Confusable::Members => sink
            .report(
                Code::HiddenVariant,
                later.span,
                format!(
                    "unreachable variant: `{}` has the fields of `{}`, which accepts every value",
                    later.text, earlier.text
                ),
            )
            .related(related, "the other variant")
            .help("add a `discriminator`, or a field with `const` to each variant"),
    };
}

/// Reports a value of two variants of which neither says more about it, so that the order of the variants decides.
fn report_common_value(value: &serde_json::Value, earlier: &Text, later: &Text, sink: &mut Sink) {
    let message = format!(
        "values of both `{}` and `{}` are decoded as `{}`, which is first: for example `{value}`",
        earlier.text, later.text, earlier.text
    );
    sink.report(Code::HiddenVariant, later.span, message)
        .related(earlier.span, "the other variant")
        .help("add a `discriminator`, or a required field with `const` to each variant")
        .help("or add `allow: [W0305]` to the union if the first variant is meant");
}

/// Returns the unions that are variants of a union, directly or indirectly.
fn nested_unions(union: &Union, unions: &[Union]) -> Vec<usize> {
    let (mut seen, mut open) = (Vec::new(), vec![union]);
    while let Some(at) = open.pop() {
        for variant in &at.variants {
            if let Type::Union(id) = variant.ty
                && !seen.contains(&id.0)
            {
                seen.push(id.0);
                open.push(&unions[id.0]);
            }
        }
    }
    seen
}

/// Reason why a value of the later variant is decoded as the earlier one.
#[derive(Clone, Copy)]
enum Confusable {
    Same,
    Covered,
    Members,
}

/// Returns why values of the later type are decoded as the earlier type; `None` if at least some are not.
fn confusable(earlier: &Type, later: &Type, resources: &[Resource]) -> Option<Confusable> {
    if [earlier, later].contains(&&Type::Unresolved) {
        return None;
    }
    if earlier == later {
        return Some(Confusable::Same);
    }
    match (earlier, later) {
        (Type::List(earlier), Type::List(later)) | (Type::Map(earlier), Type::Map(later)) => {
            confusable(earlier, later, resources)
        }
        (Type::Float | Type::Double | Type::Number, Type::Float | Type::Double | Type::Number)
        | (Type::Bytes(_), Type::Bytes(_))
        | (Type::Object, Type::Map(_)) => Some(Confusable::Covered),
        (Type::Resource(earlier), Type::Resource(later)) => {
            let (earlier, later) = (resources.get(earlier.0)?, resources.get(later.0)?);
            let left = Cell::new(MAX_COMPARISONS);
            have_same_shape(earlier, later, resources, &left).then_some(Confusable::Members)
        }
        _ => match (earlier.integer_range(), later.integer_range()) {
            // A decimal string accepts texts as well.
            _ if later.is_decimal_string() && !earlier.is_decimal_string() => None,
            (Some((low, high)), Some((min, most))) => (low <= min && most <= high).then_some(Confusable::Covered),
            _ => None,
        },
    }
}

/// Maximum number of types that are compared for two variants.
const MAX_COMPARISONS: usize = 500;

/// Returns whether objects of two resources cannot be distinguished: by the names of their fields, the values of these,
/// and which are required.
fn have_same_shape(one: &Resource, other: &Resource, resources: &[Resource], left: &Cell<usize>) -> bool {
    let is_in = |field: &Field, of: &Resource| {
        of.fields.iter().any(|its| {
            its.name.wire == field.name.wire
                && accept_the_same(&its.ty, &field.ty, resources, left)
                && its.constraints.distinguishing() == field.constraints.distinguishing()
                && its.behavior.required == field.behavior.required
        })
    };
    one.fields.len() == other.fields.len() && one.fields.iter().all(|field| is_in(field, other))
}

/// Returns whether values of two types cannot be distinguished.
fn accept_the_same(one: &Type, other: &Type, resources: &[Resource], left: &Cell<usize>) -> bool {
    match (one, other) {
        (Type::Unresolved, _) | (_, Type::Unresolved) => false,
        (Type::List(one), Type::List(other))
        | (Type::Map(one), Type::Map(other))
        | (Type::Nullable(one), Type::Nullable(other)) => accept_the_same(one, other, resources, left),
        (Type::Resource(one), Type::Resource(other)) if one != other => {
            let Some(rest) = left.get().checked_sub(1) else { return false };
            left.set(rest);
            let resources_of = resources.get(one.0).zip(resources.get(other.0));
            resources_of.is_some_and(|(one, other)| have_same_shape(one, other, resources, left))
        }
        _ => one == other,
    }
}
