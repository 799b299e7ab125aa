//! Unions and their variants.

use std::collections::HashSet;

use super::{Api, Deprecated, Doc, Name, ResourceId, Type, UnionId};
use crate::diagnostics::Span;

/// Union: a value of one of several types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Union {
    /// Name; that of a type in Rust.
    pub name: Name,
    /// Description.
    pub doc: Doc,
    /// Wire name of the field that discriminates the variants; `None` if the shape does.
    pub discriminator: Option<String>,
    /// Kind of the values of the discriminator.
    pub tag: TagKind,
    /// Variants, in the order of the schema.
    pub variants: Vec<Variant>,
    /// Kinds of fields that occur in its variants.
    pub field_kinds: FieldKinds,
    /// Deprecation.
    pub deprecated: Option<Deprecated>,
    /// Source of the fact, if it is not the specification.
    pub origin: Option<String>,
    /// Location in the schema.
    pub span: Span,
}

/// Kind of the values of a discriminator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TagKind {
    /// Strings.
    #[default]
    Text,
    /// Integers.
    Integer,
    /// Booleans.
    Bool,
}

impl TagKind {
    /// Returns the JSON of a value, whose text is the name of a variant.
    #[must_use]
    pub fn json(self, name: &str) -> serde_json::Value {
        match self {
            Self::Text => name.into(),
            Self::Integer => name.parse::<i64>().map_or_else(|_| name.into(), Into::into),
            Self::Bool => (name == "true").into(),
        }
    }
}

/// Variant of a union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Value of the discriminator, and name of the variant in Rust.
    pub name: Name,
    /// Description.
    pub doc: Doc,
    /// Type; resources are boxed.
    pub ty: Type,
    /// Index of the discriminator among the fields of its resource, if it is one of them.
    pub discriminator: Option<usize>,
    /// Deprecation.
    pub deprecated: Option<Deprecated>,
    /// Source of the fact, if it is not the specification.
    pub origin: Option<String>,
}

/// Kinds of fields that occur in a value, at any depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FieldKinds {
    /// True if there are output-only fields.
    pub output_only: bool,
    /// True if there are output-only fields that are rejected, not dropped.
    pub rejected: bool,
    /// True if there are input-only fields.
    pub input_only: bool,
    /// True if there are fields without effect in some requests.
    pub ineffective: bool,
    /// True if there are fields that a client generates.
    pub fill: bool,
}

impl Union {
    /// Returns a variant by its index, which `rules::verify` has checked.
    #[must_use]
    pub fn variant(&self, index: usize) -> &Variant {
        &self.variants[index]
    }
}

/// Returns the index of the variant that a JSON value evidently is: the one that its discriminator names, or else the only
/// one whose values have its JSON type.
#[must_use]
pub fn evident_variant(
    discriminator: Option<&str>,
    variants: &[(&str, &Type)],
    value: &serde_json::Value,
) -> Option<usize> {
    use serde_json::Value;
    let Some(discriminator) = discriminator else {
        let mut fitting = variants.iter().enumerate().filter(|(_, (_, ty))| ty.has_json_type(value));
        let (index, _) = fitting.next()?;
        return fitting.next().is_none().then_some(index);
    };
    let tag = match value.get(discriminator)? {
        Value::String(text) => text.clone(),
        tag => tag.to_string(),
    };
    variants.iter().position(|(name, _)| **name == tag)
}

impl Api {
    /// Returns a union by its index.
    #[must_use]
    pub fn union(&self, id: UnionId) -> &Union {
        &self.unions[id.0]
    }

    /// Returns the kinds of fields that occur in values of a type, including lists and maps.
    #[must_use]
    pub fn field_kinds(&self, ty: &Type) -> FieldKinds {
        match ty.innermost_type() {
            Type::Resource(id) => {
                let resource = self.resource(*id);
                FieldKinds {
                    output_only: resource.has_output_only,
                    rejected: resource.has_rejected,
                    input_only: resource.has_input_only,
                    ineffective: resource.has_ineffective && resource.outcome.is_none(),
                    fill: resource.has_fill && resource.outcome.is_none(),
                }
            }
            Type::Union(id) => self.union(*id).field_kinds,
            _ => FieldKinds::default(),
        }
    }

    /// Returns the resources that a value of a type can be, through lists, maps and unions.
    #[must_use]
    pub fn resources_of(&self, ty: &Type) -> Vec<ResourceId> {
        resources_of(&self.unions, ty)
    }
}

/// Returns the resources that a value of a type can be, through lists, maps and unions.
#[must_use]
pub fn resources_of(unions: &[Union], ty: &Type) -> Vec<ResourceId> {
    let resource = |ty: &&Type| match ty {
        Type::Resource(id) => Some(*id),
        _ => None,
    };
    nested_types(unions, ty).iter().filter_map(resource).collect()
}

/// Returns all types that occur in a type, through lists, maps and unions, including these.
#[must_use]
pub fn nested_types<'t>(unions: &'t [Union], ty: &'t Type) -> Vec<&'t Type> {
    if !matches!(ty.innermost_type(), Type::Union(_)) {
        return vec![ty.innermost_type()];
    }
    let (mut found, mut seen, mut open) = (Vec::new(), HashSet::new(), vec![ty]);
    while let Some(ty) = open.pop() {
        let ty = ty.innermost_type();
        if !seen.insert(ty) {
            continue;
        }
        found.push(ty);
        if let Type::Union(id) = ty {
            open.extend(unions[id.0].variants.iter().map(|variant| &variant.ty));
        }
    }
    found
}
