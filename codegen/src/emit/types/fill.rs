//! Generation of missing values by clients.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::super::rust::{ident, match_expression};
use crate::model::{Api, Field, Resource, Union};

/// Returns the implementation of `Fill`:
///
/// ```text
/// impl Fill for CreateConferenceRequest {
///     fn fill(&mut self, new_id: &mut dyn FnMut() -> String) {
///         FillField::fill_field(&mut self.request_id, new_id);
///     }
/// }
/// ```
pub fn of(api: &Api, resource: &Resource, target: &Ident) -> Option<TokenStream> {
    let statements = resource.fields.iter().filter_map(|field| statement(api, field));
    (resource.has_fill && resource.outcome.is_none()).then(|| {
        quote! {
            impl ::wireform_runtime::__private::Fill for #target {
                fn fill(&mut self, new_id: &mut dyn FnMut() -> ::std::string::String) {
                    #(#statements)*
                }
            }
        }
    })
}

/// Emits the statement that generates a missing field, or missing values in it; `None` if there are none.
fn statement(api: &Api, field: &Field) -> Option<TokenStream> {
    let member = ident(&field.name.ident);
    if field.fill.is_some() {
        return Some(quote! { ::wireform_runtime::__private::FillField::fill_field(&mut self.#member, new_id); });
    }
    // Output-only values are not sent, so nothing is generated in them.
    api.field_kinds(&field.ty)
        .fill
        .then(|| quote! { ::wireform_runtime::__private::Fill::fill(&mut self.#member, new_id); })
}

/// Returns the implementation for a union, which fills the contents of its variants.
pub fn of_union(api: &Api, union: &Union) -> Option<TokenStream> {
    let name = ident(&union.name.ident);
    let filled = union.variants.iter().filter(|variant| api.field_kinds(&variant.ty).fill);
    let arms = filled.map(|variant| {
        let case = ident(&variant.name.ident);
        (quote!(Self::#case(value)), quote! { ::wireform_runtime::__private::Fill::fill(value, new_id); })
    });
    match_expression(&quote!(self), &arms.collect::<Vec<_>>()).map(|fills| {
        quote! {
            impl ::wireform_runtime::__private::Fill for #name {
                fn fill(&mut self, new_id: &mut dyn FnMut() -> ::std::string::String) {
                    #fills
                }
            }
        }
    })
}
