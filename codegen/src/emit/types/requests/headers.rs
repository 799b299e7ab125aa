//! Response headers of operations.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::super::docs;
use super::super::super::rust::{RustTypes, ident};
use super::structs;
use crate::model::{Operation, Parameter};

/// Returns the struct of response headers:
///
/// ```text
/// /// Response headers of `notes.get`.
/// #[derive(Clone, Debug, Default, PartialEq)]
/// pub struct NotesGetHeaders {
///     pub x_rate_limit: Option<i32>,
/// }
/// impl AnswerHeaders for NotesGetHeaders { … }
/// ```
pub fn items(rust: &RustTypes<'_>, operation: &Operation) -> Vec<TokenStream> {
    let of = docs::code_span(&operation.name);
    let mut items =
        set(rust, &operation.types.headers, &operation.response_headers(), &format!(" Response headers of {of}."));
    items.extend(set(
        rust,
        &operation.types.error_headers,
        &operation.error_headers(),
        &format!(" Headers of the errors of {of}."),
    ));
    items
}

/// Returns the struct of a set of headers, with its parsing and writing.
fn set(rust: &RustTypes<'_>, name: &str, headers: &[&Parameter], doc: &str) -> Vec<TokenStream> {
    if headers.is_empty() {
        return Vec::new();
    }
    let name = ident(name);
    let members = headers.iter().map(|header| member(rust, header));
    let names = headers.iter().map(|header| &header.name.wire);
    let read = headers.iter().map(|header| {
        let (member, wire) = (ident(&header.name.ident), &header.name.wire);
        quote!(#member: ::wireform_runtime::__private::read_header(#wire, lines))
    });
    let write = headers.iter().map(|header| {
        let (member, wire) = (ident(&header.name.ident), &header.name.wire);
        quote!(::wireform_runtime::__private::write_header(#wire, &self.#member, put);)
    });
    vec![
        quote! {
            #[doc = #doc]
            #[derive(Clone, Debug, Default, PartialEq)]
            pub struct #name {
                #(#members)*
            }
        },
        quote! {
            impl ::wireform_runtime::ResponseHeaders for #name {
                const NAMES: &'static [&'static str] = &[#(#names),*];

                fn read(lines: &::wireform_runtime::__private::HeaderLookup<'_>) -> Self {
                    Self { #(#read),* }
                }

                fn write(&self, put: &mut ::wireform_runtime::__private::HeaderSink<'_>) {
                    #(#write)*
                }
            }
        },
    ]
}

/// Emits a field of the struct of response headers; all but lists are optional.
fn member(rust: &RustTypes<'_>, header: &Parameter) -> TokenStream {
    let ty = rust.ty(&header.ty);
    // A server may omit any header, whatever the schema declares.
    let ty = if header.ty.is_collection() { ty } else { rust.optional(&ty) };
    let doc = docs::attributes(&header.doc, &structs::parameter_facts(rust, header));
    let (name, deprecated) = (ident(&header.name.ident), docs::deprecated(header.deprecated.as_ref()));
    quote! { #doc #deprecated pub #name: #ty, }
}
