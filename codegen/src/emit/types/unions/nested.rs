//! Discriminated unions as variants of another one: their objects have both discriminators.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::super::rust::{RustTypes, ident, is_never_optional};
use crate::model::{Type, Union};

/// Returns the code that writes `value`, a union, with the outer discriminators and their values.
///
/// ```text
/// match value {
///     crate::Pet::Cat(value) => unions::write_nested(s, &[("kind", "pet", false), ("breed", "cat", false)], &**value),
///     crate::Pet::Unknown(value) => Serialize::serialize(value, s),
/// }
/// ```
pub fn write(rust: &RustTypes<'_>, union: &Union, around: &[(&String, &String)]) -> TokenStream {
    let (types, name) = (&rust.types, ident(&union.name.ident));
    let arms = union.variants.iter().map(|variant| {
        let case = ident(&variant.name.ident);
        let own = union.discriminator.iter().map(|member| (member, &variant.name.wire));
        // If two unions share a discriminator, the inner value is more specific.
        let outer = around.iter().copied().filter(|(member, _)| union.discriminator.as_ref() != Some(*member));
        let all: Vec<(&String, &String)> = outer.chain(own).collect();
        let write = match variant.ty {
            Type::Union(inner) => write(rust, rust.api.union(inner), &all),
            _ => {
                let all = all.iter().map(|(member, tag)| {
                    let has = has_field(rust, &variant.ty, member);
                    quote!((#member, #tag, #has))
                });
                quote!(::wireform_runtime::__private::unions::write_nested(s, &[#(#all),*], &**value))
            }
        };
        quote! { #types::#name::#case(value) => #write, }
    });
    let unknown = quote!(::wireform_runtime::serde::Serialize::serialize(value, s));
    quote! {
        match value {
            #(#arms)*
            #types::#name::Unknown(value) => #unknown,
        }
    }
}

/// Returns the test whether the resource in `value` has a field with a name.
fn has_field(rust: &RustTypes<'_>, ty: &Type, wire: &str) -> TokenStream {
    let Some(resource) = super::resource(rust, ty) else { return quote!(false) };
    let field = resource.named_fields().iter().find(|field| field.name.wire == wire);
    let others = resource.rest_field().map(|rest| ident(&rest.name.ident));
    match field.map(|field| (ident(&field.name.ident), field)) {
        Some((name, field)) if is_never_optional(field) => quote!(!value.#name.is_empty()),
        Some((name, field)) if field.nullable => quote!(!value.#name.is_absent()),
        Some((name, _)) => quote!(value.#name.is_some()),
        None => match others.or_else(|| resource.preserves_unknown.then(|| ident("unknown_members"))) {
            Some(others) => quote!(value.#others.contains_key(#wire)),
            None => quote!(false),
        },
    }
}
