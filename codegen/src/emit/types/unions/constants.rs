//! Constants of a variant, which its conversion into the union sets.

use proc_macro2::TokenStream;
use quote::quote;
use serde_json::Value;

use crate::emit::rust::{RustTypes, decimal, exact_number, ident, number};
use crate::model::{Field, Literal, Number, Required, Resource, ResourceId, Type};

/// Maximum number of objects in a value whose constants are set; those of others must be set by the caller.
const MAX_OBJECTS: usize = 64;

/// Returns the statements that set the constants of `value`, and of the objects in it: those that it has, and those
/// that it must have.
pub fn fill(rust: &RustTypes<'_>, resource: &Resource) -> Vec<TokenStream> {
    statements(rust, resource, &mut Vec::new(), &mut { MAX_OBJECTS })
}

/// Returns the statements for `value`. Resources in `open` contain it: a recursive one is not filled again.
fn statements(
    rust: &RustTypes<'_>,
    resource: &Resource,
    open: &mut Vec<ResourceId>,
    left: &mut usize,
) -> Vec<TokenStream> {
    let is_null = |field: &Field| field.constraints.constant == Some(Literal::Json(Value::Null));
    let is_sent = |field: &&Field| (!field.nullable || is_null(field)) && field.behavior.output_only.is_none();
    let mut all = Vec::new();
    for field in resource.named_fields().iter().filter(is_sent) {
        let member = ident(&field.name.ident);
        if is_null(field) {
            let nullable = rust.runtime(&quote!(Nullable));
            all.push(quote! {
                if value.#member.is_absent() {
                    value.#member = #nullable::Null;
                }
            });
            continue;
        }
        if let Some(constant) = constant(rust, field) {
            all.push(quote! { value.#member.#constant; });
            continue;
        }
        let Type::Resource(id) = field.ty else { continue };
        if *left == 0 || open.contains(&id) || rust.api.resource(id).outcome.is_some() {
            continue;
        }
        *left -= 1;
        open.push(id);
        let inner = statements(rust, rust.api.resource(id), open, left);
        open.pop();
        if inner.is_empty() {
            continue;
        }
        all.push(match field.behavior.required {
            Required::Everywhere => quote! {{
                let value = value.#member.get_or_insert_with(::core::default::Default::default);
                #(#inner)*
            }},
            _ => quote! {
                if let Some(value) = &mut value.#member {
                    #(#inner)*
                }
            },
        });
    }
    all
}

/// Returns the call that sets the discriminator of a variant, unless it has one.
pub fn tag(rust: &RustTypes<'_>, field: &Field, wire: &str) -> TokenStream {
    match &field.ty {
        Type::Bool => {
            let flag = wire == "true";
            quote!(get_or_insert(#flag))
        }
        Type::Enum(id) if rust.api.enumeration(*id).wire_type.is_some() => {
            let ty = rust.ty(&field.ty);
            quote!(get_or_insert_with(|| <#ty as ::wireform_runtime::OpenEnum>::from_text(#wire)))
        }
        ty if ty.integer_range().is_some() => {
            let value = number(Number::Int(wire.parse().unwrap_or_default()));
            quote!(get_or_insert(#value))
        }
        _ => quote!(get_or_insert_with(|| #wire.into())),
    }
}

/// Returns the call that sets the only allowed value of a field, unless it has one.
fn constant(rust: &RustTypes<'_>, field: &Field) -> Option<TokenStream> {
    let lazily = |value: TokenStream| quote!(get_or_insert_with(|| #value));
    Some(match field.constraints.constant.as_ref()? {
        Literal::Text(text) if field.ty == Type::String => lazily(quote!(#text.into())),
        Literal::Enum(id, index) => {
            let enumeration = rust.api.enumeration(*id);
            let (ty, wire) = (rust.ty(&field.ty), &enumeration.value(*index).name.wire);
            match enumeration.wire_type {
                None => lazily(quote!(#wire.into())),
                Some(_) => lazily(quote!(<#ty as ::wireform_runtime::OpenEnum>::from_text(#wire))),
            }
        }
        Literal::Bool(flag) => quote!(get_or_insert(#flag)),
        Literal::Number(Number::Decimal(value)) => lazily(exact_number(*value)),
        Literal::Number(value) => {
            let value = decimal(&field.ty, number(*value));
            quote!(get_or_insert(#value))
        }
        Literal::Text(_) | Literal::Json(_) => return None,
    })
}
