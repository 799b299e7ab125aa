//! Conditions on the parameters of a request, as tokens.

use proc_macro2::TokenStream;
use quote::quote;

use super::rust::{RustTypes, ident};
use crate::model::{Encoding, Literal, Number, Parameter, Type};

/// Returns the expression that tests whether a parameter of the request `this` is set.
pub fn is_given(this: &TokenStream, parameter: &Parameter) -> TokenStream {
    let name = ident(&parameter.name.ident);
    match (parameter.ty.is_collection(), parameter.required) {
        (true, _) => quote!(!#this.#name.is_empty()),
        (false, true) => quote!(true),
        (false, false) => quote!(#this.#name.is_some()),
    }
}

/// Returns the expression that tests whether a parameter of the request `this` has a value, or `None` for types
/// without patterns.
pub fn has_value(
    rust: &RustTypes<'_>,
    this: &TokenStream,
    parameter: &Parameter,
    value: &Literal,
) -> Option<TokenStream> {
    let name = ident(&parameter.name.ident);
    let pattern = pattern(rust, value)?;
    let place = match parameter.ty {
        Type::String if parameter.required => quote!(#this.#name.as_str()),
        Type::String => quote!(#this.#name.as_deref()),
        Type::Bool | Type::Int32 | Type::Uint32 | Type::Int64(Encoding::Number) | Type::Uint64(Encoding::Number) => {
            quote!(#this.#name)
        }
        Type::Enum(_) => quote!(&#this.#name),
        _ => return None,
    };
    let pattern = if parameter.required { pattern } else { quote!(Some(#pattern)) };
    Some(quote!(matches!(#place, #pattern)))
}

/// Emits the pattern of a `match` arm for a literal; `None` for literals that patterns cannot express.
fn pattern(rust: &RustTypes<'_>, value: &Literal) -> Option<TokenStream> {
    Some(match value {
        Literal::Bool(value) => quote!(#value),
        Literal::Number(Number::Int(value)) => {
            let digits = proc_macro2::Literal::i128_unsuffixed(*value);
            quote!(#digits)
        }
        Literal::Text(text) => quote!(#text),
        Literal::Enum(id, index) => {
            let definition = rust.api.enumeration(*id);
            let (types, ty) = (&rust.types, ident(&definition.name.ident));
            let variant = ident(&definition.value(*index).name.ident);
            quote!(#types::#ty::#variant)
        }
        _ => return None,
    })
}
