//! Unions and their variants.

use std::collections::HashSet;

use super::{Api, Deprecated, Doc, Name, ResourceId, Type, UnionId};
use crate::diagnostics::Span;

/// A value that is one of several types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Union {
    /// Its name; a type in Rust.
    pub name: Name,
    /// What it is.
    pub doc: Doc,
    /// The member whose value tells the variant, as on the wire; none when the shape does.
    pub discriminator: Option<String>,
    /// The variants, in the order of the schema.
    pub variants: Vec<Variant>,
    /// What there is to walk into its variants for.
    pub holds: Holds,
    /// Whether it is on its way out.
    pub deprecated: Option<Deprecated>,
    /// Where the fact comes from, when it is not the specification.
    pub origin: Option<String>,
    /// Where it stands in the schema.
    pub span: Span,
}

/// A variant of a union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// The discriminator's value, and the variant in Rust.
    pub name: Name,
    /// What it is.
    pub doc: Doc,
    /// What it holds; resources stand in a box.
    pub ty: Type,
    /// The discriminator among the members of its resource, by index, where it is one of them.
    pub discriminator: Option<usize>,
    /// Whether it is on its way out.
    pub deprecated: Option<Deprecated>,
    /// Where the fact comes from, when it is not the specification.
    pub origin: Option<String>,
}

/// What a value, or something within it, has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Holds {
    /// Members that only the server writes.
    pub output_only: bool,
    /// Members that only the server writes, and that are refused rather than dropped.
    pub refused: bool,
    /// Members that only a client writes.
    pub input_only: bool,
    /// Members that have no effect in some requests.
    pub ineffective: bool,
    /// Members that a client fills in.
    pub fill: bool,
}

impl Union {
    /// Returns a variant by its index, which `rules::verify` has seen to lead somewhere.
    #[must_use]
    pub fn variant(&self, index: usize) -> &Variant {
        &self.variants[index]
    }
}

impl Api {
    /// A union by its index.
    #[must_use]
    pub fn union(&self, id: UnionId) -> &Union {
        &self.unions[id.0]
    }

    /// What values of a type have, within lists and maps too.
    #[must_use]
    pub fn holds(&self, ty: &Type) -> Holds {
        match ty.innermost() {
            Type::Resource(id) => {
                let resource = self.resource(*id);
                Holds {
                    output_only: resource.has_output_only,
                    refused: resource.has_refused,
                    input_only: resource.has_input_only,
                    ineffective: resource.has_ineffective && resource.outcome.is_none(),
                    fill: resource.has_fill && resource.outcome.is_none(),
                }
            }
            Type::Union(id) => self.union(*id).holds,
            _ => Holds::default(),
        }
    }

    /// The resources that a value of a type can be, through lists, maps and unions.
    #[must_use]
    pub fn resources_of(&self, ty: &Type) -> Vec<ResourceId> {
        resources_of(&self.unions, ty)
    }
}

/// The resources that a value of a type can be, through lists, maps and unions.
#[must_use]
pub fn resources_of(unions: &[Union], ty: &Type) -> Vec<ResourceId> {
    let resource = |ty: &&Type| match ty {
        Type::Resource(id) => Some(*id),
        _ => None,
    };
    parts_of(unions, ty).iter().filter_map(resource).collect()
}

/// What a value of a type is made of, through lists, maps and unions, which are among them.
#[must_use]
pub fn parts_of<'t>(unions: &'t [Union], ty: &'t Type) -> Vec<&'t Type> {
    if !matches!(ty.innermost(), Type::Union(_)) {
        return vec![ty.innermost()];
    }
    let (mut found, mut seen, mut open) = (Vec::new(), HashSet::new(), vec![ty]);
    while let Some(ty) = open.pop() {
        let ty = ty.innermost();
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
