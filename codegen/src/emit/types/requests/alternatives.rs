//! Bodies and responses with alternatives: an enum with a variant for each.

mod body;
mod response;
pub mod status;

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::quote;

use super::super::super::docs;
use super::super::super::rust::{RustTypes, ident};
use crate::model::Operation;
pub use body::{in_body, write};
pub use response::{in_response, response_type, xml};
pub use status::{has_body, strip_input_only};

/// Returns the types of the alternatives of an operation.
pub fn items(rust: &RustTypes<'_>, operation: &Operation) -> Vec<TokenStream> {
    let mut items = operation.body.as_ref().map(|body| body::body_items(rust, operation, body)).unwrap_or_default();
    if !operation.response_alternatives().is_empty() {
        items.extend(response::response_items(rust, operation, operation.response_alternatives()));
    }
    items.extend(status::items(rust, operation));
    items
}

/// Variant of an enum of alternatives, with the media types that select it.
struct Variant<'a> {
    name: &'a str,
    ty: TokenStream,
    doc: &'a str,
    media_types: &'a [String],
}

/// Emits the enum of the alternatives of a body or of a response.
fn definition(name: &proc_macro2::Ident, doc: &str, variants: &[Variant<'_>]) -> TokenStream {
    let cases = variants.iter().map(|variant| {
        let (name, ty) = (ident(variant.name), &variant.ty);
        let types: Vec<String> = variant.media_types.iter().map(|one| docs::code_span(one)).collect();
        let doc = docs::attributes(variant.doc, &[format!("Media types: {}.", types.join(", "))]);
        quote! { #doc #name(#ty), }
    });
    quote! {
        #[doc = #doc]
        #[derive(Clone, Debug, PartialEq)]
        #[allow(clippy::large_enum_variant)]
        pub enum #name { #(#cases)* }
    }
}

/// Returns the conversions from types that only one variant has.
fn conversions(name: &proc_macro2::Ident, variants: &[Variant<'_>]) -> Vec<TokenStream> {
    let mut often: BTreeMap<String, usize> = BTreeMap::new();
    for variant in variants {
        *often.entry(variant.ty.to_string()).or_default() += 1;
    }
    let alone = variants.iter().filter(|variant| often.get(&variant.ty.to_string()) == Some(&1));
    alone
        .map(|variant| {
            let (case, ty) = (ident(variant.name), &variant.ty);
            quote! {
                impl ::core::convert::From<#ty> for #name {
                    fn from(value: #ty) -> Self { Self::#case(value) }
                }
            }
        })
        .collect()
}
