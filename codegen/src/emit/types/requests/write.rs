//! Writing of requests.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::super::super::rust::{ident, screaming_snake};
use super::body::{self, free};
use crate::model::{Api, ListStyle, Operation};

/// Returns the method that writes a request:
///
/// ```text
/// fn write(&self, parts: &mut RequestEncoder) {
///     parts.parameter(&self.id);
///     parts.body(&self.body);
/// }
/// ```
pub fn item(api: &Api, operation: &Operation) -> TokenStream {
    let parameters = operation.settable_parameters().map(|(_, parameter)| {
        let member = ident(&parameter.name.ident);
        let (method, free) = match parameter.style {
            ListStyle::Deep => (quote!(deep_object), free(api, &parameter.ty)),
            ListStyle::Brackets => (quote!(brackets), None),
            ListStyle::Json => (quote!(json), None),
            _ if parameter.is_structured() => (quote!(object_parameter), free(api, &parameter.ty)),
            _ => {
                return quote! { parts.parameter(&self.#member); };
            }
        };
        if parameter.required {
            quote! { #free parts.#method(Some(&self.#member)); }
        } else if parameter.ty.is_collection() {
            quote! { #free parts.#method((!self.#member.is_empty()).then_some(&self.#member)); }
        } else {
            quote! { #free parts.#method(self.#member.as_ref()); }
        }
    });
    let body = operation.body.as_ref().map(|body| {
        if !body.alternatives.is_empty() {
            return super::alternatives::write(api, operation, body);
        }
        let root = xml_root(operation);
        let root = quote!(&#root);
        let write = body::writer(api, body, &root);
        if body.required {
            write(&quote!(&self.body))
        } else {
            let write = write(&quote!(body));
            quote! { if let Some(body) = &self.body { #write } }
        }
    });
    let writes_nothing = operation.settable_parameters().next().is_none() && operation.body.is_none();
    let parts = if writes_nothing { quote!(_parts) } else { quote!(parts) };
    quote! {
        fn write(&self, #parts: &mut ::wireform_runtime::__private::RequestEncoder) {
            #(#parameters)*
            #body
        }
    }
}

/// Returns the name of the root element of a body without alternatives that can be XML: `BODY_XML_ROOT_ITEMS_ADD`.
pub fn xml_root(operation: &Operation) -> Ident {
    format_ident!("BODY_XML_ROOT_{}", screaming_snake(&operation.types.request))
}
