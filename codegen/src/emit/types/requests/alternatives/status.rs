//! Responses whose types depend on their statuses.

use proc_macro2::{Literal as Lit, TokenStream};
use quote::{format_ident, quote};

use super::super::super::super::docs;
use super::super::super::super::rust::{RustTypes, exhaustive_match, ident};
use super::super::{errors, structs};
use crate::model::{Codec, Operation, Response, Type, first_concrete_type};

/// Returns the enum of responses by status:
///
/// ```text
/// pub enum JobsGetResponse { Ok(crate::Report), Accepted(crate::Job), NoContent }
/// ::wireform_runtime::status_response! {
///     JobsGetResponse, { Ok = 200 as "application/json", Accepted = 202 as "application/json" }, { NoContent = 204 }
/// }
/// ```
pub fn items(rust: &RustTypes<'_>, operation: &Operation) -> Vec<TokenStream> {
    if !operation.has_types_by_status() {
        return Vec::new();
    }
    let name = ident(&operation.types.response);
    let doc = format!(" Response of {}, by status.", docs::code_span(&operation.name));
    let cases = operation.status_variants().map(|response| {
        let (doc, variant) =
            (docs::attributes(doc_of(response), &[format!("Status: {}.", response.status)]), variant(response));
        let ty = body_type(rust, response).map(|ty| quote! { (#ty) });
        quote! { #doc #variant #ty, }
    });
    let (with, without): (Vec<_>, Vec<_>) = operation.status_variants().partition(|response| response.ty.is_some());
    let with = with.into_iter().map(|response| {
        let (variant, status, media_type) =
            (variant(response), Lit::u16_unsuffixed(response.status), media_type(response));
        quote! { #variant = #status as #media_type }
    });
    let without = without.into_iter().map(|response| {
        let (variant, status) = (variant(response), Lit::u16_unsuffixed(response.status));
        quote! { #variant = #status }
    });
    vec![
        quote! {
            #[doc = #doc]
            #[derive(Clone, Debug, PartialEq)]
            #[allow(clippy::large_enum_variant)]
            pub enum #name { #(#cases)* }
        },
        quote! { ::wireform_runtime::status_response! { #name, { #(#with),* }, { #(#without),* } } },
    ]
}

/// Returns the description of a variant.
fn doc_of(response: &Response) -> &str {
    match (response.doc.as_str(), &response.ty) {
        ("", Some(_)) => "The response body.",
        ("", None) => "A response without a body.",
        (doc, _) => doc,
    }
}

/// Returns the name of a variant: that of the status.
fn variant(response: &Response) -> proc_macro2::Ident {
    match errors::reason(response.status) {
        Some(name) => format_ident!("{name}"),
        None => format_ident!("Status{}", response.status),
    }
}

/// Returns the type of the body, if there is one.
fn body_type(rust: &RustTypes<'_>, response: &Response) -> Option<TokenStream> {
    match response.raw() {
        Some(raw) => Some(structs::raw_type(rust, raw)),
        None => response.ty.as_ref().map(|ty| rust.ty(ty)),
    }
}

/// Returns the media type of the body.
pub fn media_type(response: &Response) -> &str {
    let json = response.content_types.iter().map(String::as_str).find(|one| Codec::of(one) == Some(Codec::Json));
    json.filter(|_| response.raw().is_none()).unwrap_or_else(|| first_concrete_type(&response.content_types))
}

/// Returns `fn has_body`, if a status has no body.
pub fn has_body(operation: &Operation) -> Option<TokenStream> {
    let empty: Vec<_> = operation.status_variants().filter(|response| response.ty.is_none()).map(variant).collect();
    (!empty.is_empty()).then(|| {
        let name = ident(&operation.types.response);
        quote! {
            fn has_body(response: &Self::Response) -> bool {
                !matches!(response, #(crate::requests::#name::#empty)|*)
            }
        }
    })
}

/// Returns a `match` over the bodies for which code is needed; their value is named `value`.
pub fn strip_input_only(
    operation: &Operation,
    is_needed: impl Fn(&Type) -> bool,
    does: &TokenStream,
) -> Option<TokenStream> {
    let name = ident(&operation.types.response);
    let needed = operation
        .status_variants()
        .filter(|response| response.raw().is_none() && response.ty.as_ref().is_some_and(&is_needed));
    let arms: Vec<_> = needed
        .map(|response| {
            let variant = variant(response);
            (quote!(crate::requests::#name::#variant(value)), does.clone())
        })
        .collect();
    exhaustive_match(operation.status_variants().count(), &quote!(response), &arms)
}
