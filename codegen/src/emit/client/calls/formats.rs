//! Methods of a call that select the media type of the response.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::super::super::docs;
use super::super::super::rust::{ident, snake};
use super::super::super::types::requests;
use super::super::{Crate, request_type};
use crate::model::{Codec, Operation};

/// Returns the methods that select a media type:
///
/// ```text
/// impl GetCall {
///     /// Requests the media type `text/csv`, and returns the response of that type.
///     pub fn as_csv(self) -> FormatCall<ReportsGet, RawBody<String>> { … }
/// }
/// ```
pub fn format_methods(of: &Crate<'_>, operation: &Operation, call: &Ident) -> Option<TokenStream> {
    let alternatives = operation.response_alternatives();
    if alternatives.is_empty() {
        return None;
    }
    let (request, response) = (request_type(operation), ident(&operation.types.response));
    let methods = alternatives.iter().map(|one| {
        let (case, ty) = (ident(&one.name.ident), requests::alternative_type(&of.rust, one));
        let method = format_ident!("as_{}", snake(&one.name.ident));
        let accept = one.content_types.join(", ");
        let doc = docs::attributes(
            &one.doc,
            &[format!("Requests the media type {}, and returns the response of that type.", docs::code_span(&accept))],
        );
        quote! {
            #doc
            pub fn #method(self) -> ::wireform_client::FormatCall<#request, #ty> {
                self.call.format(#accept, |response| match response {
                    requests::#response::#case(value) => Some(value),
                    _ => None,
                })
            }
        }
    });
    Some(quote! { impl #call { #(#methods)* } })
}

/// Returns the method that requests XML, if a response can be JSON or XML: `pub fn as_xml(self) ->
/// FormatCall<ItemsGet, types::Item>`.
pub fn xml_method(of: &Crate<'_>, operation: &Operation, call: &Ident) -> Option<TokenStream> {
    let response = requests::xml_response(operation)?;
    let is_xml = |one: &&String| Codec::of(one) == Some(Codec::Xml);
    let accept = response.content_types.iter().find(is_xml)?;
    if response.content_types.iter().all(|one| is_xml(&one)) {
        return None;
    }
    let (request, ty) = (request_type(operation), requests::rust_response_type(&of.rust, operation));
    let doc = docs::line_attribute(&format!("Requests the media type {}.", docs::code_span(accept)));
    Some(quote! {
        impl #call {
            #doc
            pub fn as_xml(self) -> ::wireform_client::FormatCall<#request, #ty> {
                self.call.format(#accept, Some)
            }
        }
    })
}
