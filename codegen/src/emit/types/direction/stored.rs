//! What a resource that was sent as a whole takes over from the one that is stored.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::super::rust::{by_pattern, ident, is_plain};
use crate::model::{Api, Field, OutputOnly, Resource, Type, Union};

/// ```text
/// fn keep_stored(&mut self, stored: &Self, operation: &str) {
///     self.etag.clone_from(&stored.etag);
///     if self.id.is_none() {
///         self.id.clone_from(&stored.id);
///     }
///     Direction::keep_stored(&mut self.creator, &stored.creator, operation);
/// }
/// ```
pub fn method(api: &Api, resource: &Resource) -> Option<TokenStream> {
    let statements: Vec<Statement> =
        resource.fields.iter().filter(|field| !field.is_kind).filter_map(|field| statement(api, field)).collect();
    if statements.is_empty() {
        return None;
    }
    let asks = statements.iter().any(|statement| statement.asks);
    let operation = if asks { quote!(operation) } else { quote!(_operation) };
    let tokens = statements.iter().map(|statement| &statement.tokens);
    Some(quote! { fn keep_stored(&mut self, stored: &Self, #operation: &str) { #(#tokens)* } })
}

/// A statement, and whether it asks which operation it is.
struct Statement {
    tokens: TokenStream,
    asks: bool,
}

fn statement(api: &Api, field: &Field) -> Option<Statement> {
    let member = ident(&field.name.ident);
    let take = quote! { self.#member.clone_from(&stored.#member); };
    match &field.behavior.output_only {
        Some(OutputOnly { except, .. }) if except.is_empty() => return Some(Statement { tokens: take, asks: false }),
        Some(OutputOnly { except, .. }) => {
            let names = except.iter().map(|id| &api.operation(*id).name);
            return Some(Statement { tokens: quote! { if !matches!(operation, #(#names)|*) { #take } }, asks: true });
        }
        None => {}
    }
    if settles(field) {
        let absent = match (is_plain(field), field.nullable) {
            (true, _) => quote!(is_empty),
            (false, true) => quote!(is_absent),
            (false, false) => quote!(is_none),
        };
        return Some(Statement { tokens: quote! { if self.#member.#absent() { #take } }, asks: false });
    }
    if !keeps(api, &field.ty) {
        return None;
    }
    let tokens = quote! { ::wireform_runtime::Direction::keep_stored(&mut self.#member, &stored.#member, operation); };
    Some(Statement { tokens, asks: true })
}

/// Whether a value has something to take over from the one that is stored.
fn keeps(api: &Api, ty: &Type) -> bool {
    match ty {
        Type::Resource(id) => {
            let inside = api.resource(*id);
            inside.outcome.is_none() && (inside.has_output_only || inside.fields.iter().any(settles))
        }
        // Unions of unions end: none is inside of itself.
        Type::Union(id) => api.union(*id).variants.iter().any(|variant| keeps(api, &variant.ty)),
        _ => false,
    }
}

/// A variant takes over from the same variant.
pub fn of_union(api: &Api, union: &Union) -> Option<TokenStream> {
    let kept = union.variants.iter().filter(|variant| keeps(api, &variant.ty));
    let arms: Vec<_> = kept
        .map(|variant| {
            let case = ident(&variant.name.ident);
            let keep = quote! { ::wireform_runtime::Direction::keep_stored(value, stored, operation); };
            (quote!((Self::#case(value), Self::#case(stored))), keep)
        })
        .collect();
    by_pattern(&quote!((self, stored)), &arms).map(|keeps| {
        quote! { fn keep_stored(&mut self, stored: &Self, operation: &str) { #keeps } }
    })
}

/// Whether what a member holds is settled when the resource comes to be.
fn settles(field: &Field) -> bool {
    field.behavior.immutable || field.behavior.identifier
}
