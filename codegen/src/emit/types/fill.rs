//! What a client fills in.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::super::rust::ident;
use crate::model::{Api, Field, Resource, Type};

/// ```text
/// impl Fill for CreateConferenceRequest {
///     fn fill(&mut self, new_id: &mut dyn FnMut() -> String) {
///         FillMember::fill_member(&mut self.request_id, new_id);
///     }
/// }
/// ```
pub fn of(api: &Api, resource: &Resource, target: &Ident) -> Option<TokenStream> {
    let statements = resource.fields.iter().filter_map(|field| statement(api, field));
    (resource.has_fill && resource.outcome.is_none()).then(|| {
        quote! {
            impl ::wireform_runtime::Fill for #target {
                fn fill(&mut self, new_id: &mut dyn FnMut() -> ::std::string::String) {
                    #(#statements)*
                }
            }
        }
    })
}

fn statement(api: &Api, field: &Field) -> Option<TokenStream> {
    let member = ident(&field.name.ident);
    if field.fill.is_some() {
        return Some(quote! { ::wireform_runtime::FillMember::fill_member(&mut self.#member, new_id); });
    }
    match field.ty.innermost() {
        // What only the server writes is not sent, so nothing is filled in there.
        Type::Resource(id) if api.resource(*id).has_fill && api.resource(*id).outcome.is_none() => {
            Some(quote! { ::wireform_runtime::Fill::fill(&mut self.#member, new_id); })
        }
        _ => None,
    }
}
