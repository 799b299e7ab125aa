//! Values of several variants at the same place, which decide how closely the value of one is inspected.

use crate::model::{Api, Constraints, Field, Type};

/// Values at a place within a variant.
#[derive(Clone)]
pub struct Place {
    /// Their type.
    pub ty: Type,
    /// Constraints on them by which they are distinguished.
    pub constraints: Constraints,
}

impl Place {
    /// Returns the place of a variant, whose type has no constraints.
    pub fn variant(ty: &Type) -> Self {
        Self { ty: ty.clone(), constraints: Constraints::default() }
    }

    /// Returns the place of a field.
    pub fn field(field: &Field) -> Self {
        Self { ty: field.ty.clone(), constraints: field.constraints.distinguishing() }
    }

    /// Returns the place of the elements of a list or a map.
    pub fn element(&self) -> Option<Self> {
        match &self.ty {
            Type::List(inner) | Type::Map(inner) => {
                Some(Self { ty: inner.non_null().clone(), constraints: self.constraints.for_elements() })
            }
            _ => None,
        }
    }

    /// Returns whether its values are some of those of the same type.
    pub fn is_narrow(&self) -> bool {
        self.constraints != Constraints::default() || matches!(self.ty, Type::Enum(_))
    }

    /// Returns whether its values can be distinguished from those of another place, so that they must be inspected.
    pub fn differs(&self, other: &Self) -> bool {
        self.ty != other.ty || self.constraints != other.constraints
    }

    /// Returns itself, or the variants of a union, also of a union within it.
    pub fn expand(&self, api: &Api) -> Vec<Self> {
        let (mut found, mut seen, mut open) = (Vec::new(), Vec::new(), vec![self.clone()]);
        while let Some(place) = open.pop() {
            match place.ty.non_null() {
                Type::Union(id) if seen.contains(id) => {}
                Type::Union(id) => {
                    seen.push(*id);
                    open.extend(api.union(*id).variants.iter().rev().map(|variant| Self::variant(&variant.ty)));
                }
                _ => found.push(place),
            }
        }
        found
    }

    /// Returns what objects have at a field with this name.
    pub fn member(&self, api: &Api, name: &str) -> Option<Self> {
        match &self.ty {
            Type::Resource(id) => {
                let mut fields = api.resource(*id).named_fields().iter();
                fields.find(|field| field.name.wire == name).map(Self::field)
            }
            Type::Map(_) => self.element(),
            _ => None,
        }
    }

    /// Returns what a list, a map or an object has as its elements or fields.
    pub fn elements(&self, api: &Api) -> Vec<Self> {
        match &self.ty {
            Type::Resource(id) => api.resource(*id).named_fields().iter().map(Self::field).collect(),
            _ => self.element().into_iter().collect(),
        }
    }
}
