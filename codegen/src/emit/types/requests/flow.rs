//! Flows of several requests: synchronization, watching, writing back.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::super::super::docs;
use super::super::super::rust::{RustTypes, ident, is_never_optional as field_is_plain};
use super::elements::{element, is_copy};
use super::structs::is_never_optional;
use crate::model::{Api, ChangeField, Field, IncrementalSync, Operation, Pages, Resource, Type};

/// Returns the flows of an operation.
pub fn items(rust: &RustTypes<'_>, operation: &Operation) -> Vec<TokenStream> {
    let mut items = Vec::new();
    items.extend(super::pages::item(rust, operation));
    if let (Some(pages), Some(sync), Some(response)) =
        (operation.pages, &operation.sync, super::response_resource(rust.api, operation))
        && let Some(listed) = pages.items.and_then(|items| Some(response.field(items.of_response()?)))
    {
        items.extend(change_enum(rust, operation, sync, listed));
        items.push(synced_impl(rust, operation, sync, (pages, listed), response));
    }
    items.extend(super::watch::item(rust, operation));
    items.extend(super::write_back::items(rust, operation));
    items
}

/// Returns the fields of an item that hold its changes, with their variants; the fallback comes last.
fn change_fields<'r>(rust: &'r RustTypes<'_>, sync: &'r IncrementalSync, items: &Field) -> Vec<(&'r Field, Ident)> {
    let Type::Resource(item) = items.ty.innermost_type() else { return Vec::new() };
    let item = rust.api.resource(*item);
    let found = |change: &ChangeField| (item.field(change.field), ident(&change.variant));
    sync.changes.iter().chain(&sync.fallback).map(found).collect()
}

/// Returns the enum of changes:
///
/// ```text
/// pub enum UsersHistoryListChange {
///     MessagesAdded(crate::MessageAdded),
/// }
/// ```
fn change_enum(
    rust: &RustTypes<'_>,
    operation: &Operation,
    sync: &IncrementalSync,
    items: &Field,
) -> Option<TokenStream> {
    let fields = change_fields(rust, sync, items);
    if sync.changes.is_empty() {
        return None;
    }
    let name = ident(&operation.types.change);
    let doc = format!(" A change reported by {}.", docs::code_span(&operation.name));
    let variants = fields.iter().map(|(field, variant)| {
        let ty = element(rust, field);
        let doc = docs::attributes(&format!("One of these: {}", docs::lower_first(&field.doc)), &[]);
        quote! { #doc #variant(#ty) }
    });
    Some(quote! {
        #[doc = #doc]
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum #name {
            #(#variants,)*
        }
    })
}

/// Returns the implementation of `Syncable`:
///
/// ```text
/// impl Syncable for EventsList {
///     type SyncToken = String;
///     type Change = crate::Event;
///     …
/// }
/// ```
fn synced_impl(
    rust: &RustTypes<'_>,
    operation: &Operation,
    sync: &IncrementalSync,
    (pages, listed): (Pages, &Field),
    response: &Resource,
) -> TokenStream {
    let name = ident(&operation.types.request);
    let (resume, cursor) = (&operation.parameters[sync.resume], &response.fields[sync.cursor]);
    let cursor_ty = rust.ty(&resume.ty);
    let (cursor_wire, cursor_member, resume_member) =
        (&cursor.name.wire, ident(&cursor.name.ident), ident(&resume.name.ident));
    let set = if is_never_optional(resume) {
        quote!(if let Some(token) = token { self.#resume_member = token; })
    } else {
        quote!(self.#resume_member = token;)
    };
    let given =
        if is_copy(&cursor.ty) { quote!(response.#cursor_member) } else { quote!(response.#cursor_member.clone()) };
    let given = if field_is_plain(cursor) { quote!(Some(#given)) } else { given };
    let expired = expired(sync);
    let (change_ty, changes) = changes(rust, operation, sync, listed);
    let lists_all = lists_all(rust.api, operation);
    let filter = super::filter::items(rust, operation, sync, pages);
    let option = &rust.option;
    quote! {
        impl ::wireform_runtime::Syncable for #name {
            type SyncToken = #cursor_ty;
            type Change = #change_ty;

            const SYNC_TOKEN_FIELD: &'static str = #cursor_wire;
            const EXPIRED_TOKEN: operation::ExpiredTokenError = #expired;
            const SUPPORTS_FULL_SYNC: bool = #lists_all;

            #filter

            fn set_sync_token(&mut self, token: #option<Self::SyncToken>) {
                #set
            }

            fn next_sync_token(response: &Self::Response) -> #option<Self::SyncToken> {
                #given
            }

            fn collect_changes(item: Self::Item, changes: &mut ::std::vec::Vec<Self::Change>) {
                #changes
            }
        }
    }
}

/// Returns whether the operation lists everything without a sync token: it is optional, and a full synchronization
/// does not start with another operation.
pub fn lists_all(api: &Api, operation: &Operation) -> bool {
    let Some(sync) = &operation.sync else { return false };
    let optional = !operation.parameter(sync.resume).required;
    optional && sync.full.is_none_or(|id| api.operation(id).name == operation.name)
}

/// Emits the error with which a server rejects an expired sync token.
fn expired(sync: &IncrementalSync) -> TokenStream {
    let optional = |text: &Option<String>| match text {
        Some(text) => quote!(Some(#text)),
        None => quote!(None),
    };
    let status = proc_macro2::Literal::u16_unsuffixed(sync.expired.status);
    let (reason, location) = (optional(&sync.expired.reason), optional(&sync.expired.location));
    quote! { operation::ExpiredTokenError { status: #status, reason: #reason, location: #location } }
}

/// Returns the type of a change, and the statements that extract the changes of an item.
fn changes(
    rust: &RustTypes<'_>,
    operation: &Operation,
    sync: &IncrementalSync,
    items: &Field,
) -> (TokenStream, TokenStream) {
    if sync.changes.is_empty() {
        return (element(rust, items), quote!(changes.push(item);));
    }
    let name = ident(&operation.types.change);
    let fields = change_fields(rust, sync, items);
    let extend = |(field, variant): &(&Field, Ident)| {
        let member = ident(&field.name.ident);
        quote! { changes.extend(item.#member.into_iter().map(#name::#variant)); }
    };
    let (preferred, rest) = fields.split_at(sync.changes.len().min(fields.len()));
    let preferred = preferred.iter().map(extend);
    let Some(rest) = rest.first().map(extend) else {
        return (quote!(#name), quote!(#(#preferred)*));
    };
    let statements = quote! {
        let count_before = changes.len();
        #(#preferred)*
        if changes.len() == count_before { #rest }
    };
    (quote!(#name), statements)
}
