//! Values that a full replacement keeps from the stored resource.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::super::rust::{ident, is_never_optional, match_expression};
use super::Statement;
use crate::model::{Api, Field, Format, OutputOnly, Resource, Type, Union};

/// Returns the method that keeps them:
///
/// ```text
/// fn restore_stored(&mut self, stored: &Self, context: &WriteContext<'_>) {
///     self.etag.clone_from(&stored.etag);
///     if self.id.is_none() {
///         self.id.clone_from(&stored.id);
///     }
///     FieldBehavior::restore_stored(&mut self.creator, &stored.creator, context);
/// }
/// ```
pub fn method(api: &Api, resource: &Resource) -> Option<TokenStream> {
    let statements: Vec<Statement> = resource
        .fields
        .iter()
        .filter(|field| !field.is_kind)
        .filter_map(|field| statement(api, resource, field))
        .collect();
    if statements.is_empty() {
        return None;
    }
    let uses_context = statements.iter().any(|statement| statement.uses_operation);
    let context = if uses_context { quote!(context) } else { quote!(_context) };
    let tokens = statements.iter().map(|statement| &statement.tokens);
    Some(quote! {
        fn restore_stored(&mut self, stored: &Self, #context: &::wireform_runtime::WriteContext<'_>) { #(#tokens)* }
    })
}

/// Emits the statement that takes a field from the stored resource; `None` if the sent value always counts.
fn statement(api: &Api, resource: &Resource, field: &Field) -> Option<Statement> {
    let member = ident(&field.name.ident);
    let take = quote! { self.#member.clone_from(&stored.#member); };
    let usual = effective_statement(api, field, &take);
    // Values that are always kept do not depend on the condition.
    let always =
        field.behavior.immutable || field.behavior.output_only.as_ref().is_some_and(|only| only.except.is_empty());
    let Some(condition) = super::ineffective::condition(resource, field).filter(|_| !always) else { return usual };
    Some(Statement::with_operation(match usual.map(|usual| usual.tokens) {
        Some(usual) => quote! { if context.has_effect(#condition) { #usual } else { #take } },
        None => quote! { if !context.has_effect(#condition) { #take } },
    }))
}

/// Returns the statement for a field that has an effect.
fn effective_statement(api: &Api, field: &Field, take: &TokenStream) -> Option<Statement> {
    let member = ident(&field.name.ident);
    match &field.behavior.output_only {
        Some(OutputOnly { except, .. }) if except.is_empty() => return Some(Statement::plain(take.clone())),
        Some(OutputOnly { except, .. }) => {
            let names = except.iter().map(|id| &api.operation(*id).name);
            return Some(Statement::with_operation(quote! { if !matches!(context.operation, #(#names)|*) { #take } }));
        }
        None => {}
    }
    // A different value was rejected, or is ignored.
    if field.behavior.immutable {
        return Some(Statement::plain(take.clone()));
    }
    if field.behavior.identifier {
        let absent = match (is_never_optional(field), field.nullable) {
            (true, _) => quote!(is_empty),
            (false, true) => quote!(is_absent),
            (false, false) => quote!(is_none),
        };
        return Some(Statement::plain(quote! { if self.#member.#absent() { #take } }));
    }
    keeps_stored(api, &field.ty).then(|| {
        Statement::with_operation(quote! {
            ::wireform_runtime::FieldBehavior::restore_stored(&mut self.#member, &stored.#member, context);
        })
    })
}

/// Returns whether values of a type can keep anything from the stored one.
fn keeps_stored(api: &Api, ty: &Type) -> bool {
    match ty {
        Type::Resource(id) => {
            let inside = api.resource(*id);
            let has_own = inside.has_output_only || inside.has_ineffective || inside.fields.iter().any(is_immutable);
            inside.outcome.is_none() && has_own
        }
        // The recursion ends because no union contains itself.
        Type::Union(id) => api.union(*id).variants.iter().any(|variant| keeps_stored(api, &variant.ty)),
        // Without an identifier the elements cannot be matched.
        Type::List(inner) => match inner.non_null() {
            Type::Resource(id) => {
                identifying(api.resource(*id)).next().is_some() && keeps_stored(api, inner.non_null())
            }
            _ => false,
        },
        _ => false,
    }
}

/// Returns the fields that identify a resource and can be compared.
fn identifying(resource: &Resource) -> impl Iterator<Item = &Field> {
    let is_text = |field: &&Field| field.behavior.identifier && field.ty == Type::String && !field.nullable;
    resource.fields.iter().filter(|_| resource.outcome.is_none()).filter(is_text)
}

/// Returns the identifiers of list elements:
///
/// ```text
/// fn identifiers(&self) -> impl IntoIterator<Item = Option<Cow<'_, str>>> {
///     [self.id.as_deref().map(Into::into), self.email.as_deref().map(|text| text.to_ascii_lowercase().into())]
/// }
/// ```
pub fn identifiers(resource: &Resource) -> Option<TokenStream> {
    let fields: Vec<&Field> = identifying(resource).collect();
    if fields.is_empty() {
        return None;
    }
    let identifiers = fields.iter().map(|field| {
        let member = ident(&field.name.ident);
        let text = quote!(self.#member.as_deref());
        // Email addresses are compared case-insensitively.
        if field.constraints.format == Some(Format::Email) {
            quote!(#text.map(|text| text.to_ascii_lowercase().into()))
        } else {
            quote!(#text.map(::std::convert::Into::into))
        }
    });
    let option = quote!(::std::option::Option<::std::borrow::Cow<'_, str>>);
    Some(quote! {
        fn identifiers(&self) -> impl ::std::iter::IntoIterator<Item = #option> {
            [#(#identifiers),*]
        }
    })
}

/// Returns the implementation for a union: a variant keeps values of the same variant.
pub fn of_union(api: &Api, union: &Union) -> Option<TokenStream> {
    let kept = union.variants.iter().filter(|variant| keeps_stored(api, &variant.ty));
    let arms: Vec<_> = kept
        .map(|variant| {
            let case = ident(&variant.name.ident);
            let keep = quote! { ::wireform_runtime::FieldBehavior::restore_stored(value, stored, context); };
            (quote!((Self::#case(value), Self::#case(stored))), keep)
        })
        .collect();
    match_expression(&quote!((self, stored)), &arms).map(|keeps| {
        quote! { fn restore_stored(&mut self, stored: &Self, context: &::wireform_runtime::WriteContext<'_>) { #keeps } }
    })
}

/// Returns whether the value of a field is fixed at creation.
fn is_immutable(field: &Field) -> bool {
    field.behavior.immutable || field.behavior.identifier
}
