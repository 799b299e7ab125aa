//! Element types of lists.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::super::rust::RustTypes;
use crate::model::{Field, Type};

/// Returns the type of the elements of a list, a map or an optional field.
pub fn element(rust: &RustTypes<'_>, field: &Field) -> TokenStream {
    match &field.ty {
        Type::List(inner) => rust.ty(inner),
        Type::Map(inner) => {
            let (key, inner) = (rust.ty(&Type::String), rust.ty(inner));
            quote!((#key, #inner))
        }
        other if field.boxed => {
            let inner = rust.ty(other);
            quote!(::std::boxed::Box<#inner>)
        }
        other => rust.ty(other),
    }
}

pub fn is_copy(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Bool | Type::Int32 | Type::Uint32 | Type::Int64(_) | Type::Uint64(_) | Type::Float | Type::Double
    )
}
