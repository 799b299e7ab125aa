//! Wire format of resources: the names of their fields, serialization and deserialization.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::super::rust::{RustTypes, ident};
use super::{direction, fill};
use crate::model::{Field, Name, Outcome, Resource, Type};

/// Returns the wire format of a resource.
pub fn items(rust: &RustTypes<'_>, resource: &Resource) -> Vec<TokenStream> {
    if let Some(outcome) = resource.outcome {
        return outcome_items(rust, resource, outcome);
    }
    let name = ident(&resource.name.ident);
    let mut items = vec![object(resource), direction::of_resource(rust.api, resource)];
    items.extend(direction::conditions(rust.api, resource));
    items.extend(fill::of(rust.api, resource, &name));
    items
}

/// Returns the fields of a resource with their wire names:
///
/// ```text
/// object! {
///     Event "Event" {
///         id "id",
///         status "status",
///     }
/// }
/// ```
fn object(resource: &Resource) -> TokenStream {
    let (name, schema_name) = (ident(&resource.name.ident), &resource.name.wire);
    let members = resource.named_fields().iter().map(|field| {
        let (member, wire, aliases, extras) =
            (ident(&field.name.ident), &field.name.wire, &field.aliases, field_extras(field));
        quote! { #member #wire #(| #aliases)* #extras }
    });
    let extras = extras(resource, resource.named_fields().iter().any(|field| !field.aliases.is_empty()));
    let many = large_table_keyword(resource);
    quote! { ::wireform_runtime::object! { #name #schema_name #many #extras { #(#members,)* } } }
}

/// Returns the wire format of a resource's merge patch, with the fields of the resource, and the code that applies
/// it: `patch! { Event => EventPatch "EventPatch" { id, status } }`.
pub fn patch_object(resource: &Resource, patch: &Name) -> TokenStream {
    let (name, target, schema_name) = (ident(&resource.name.ident), ident(&patch.ident), &patch.wire);
    let extras = extras(resource, false);
    let many = large_table_keyword(resource);
    let members = resource.named_fields().iter().map(|field| {
        let (member, wire, field_extras) = (ident(&field.name.ident), &field.name.wire, field_extras(field));
        let more = extras.is_some().then(|| quote!(#wire #field_extras));
        quote! { #member #more }
    });
    quote! { ::wireform_runtime::patch! { #name => #target #schema_name #many #extras { #(#members,)* } } }
}

/// Returns the keyword for a larger table of names, if the resource needs it.
fn large_table_keyword(resource: &Resource) -> Option<TokenStream> {
    /// Maximum number of fields for the default table.
    const MAX_DEFAULT_TABLE: usize = 128;
    (resource.named_fields().len() > MAX_DEFAULT_TABLE).then(|| quote!(many))
}

/// Returns the keywords for fields that need more than names.
fn extras(resource: &Resource, aliases: bool) -> Option<TokenStream> {
    if let Some(kept) = rest_field(resource) {
        return Some(quote!([#kept]));
    }
    (aliases || resource.named_fields().iter().any(|field| field_extras(field).is_some())).then(|| quote!([]))
}

/// Returns the map of other fields.
fn rest_field(resource: &Resource) -> Option<Ident> {
    match resource.rest_field() {
        Some(rest) => Some(ident(&rest.name.ident)),
        None => resource.preserves_unknown.then(|| ident("unknown_members")),
    }
}

/// Returns what the wire format of a field has besides its names: the aliases of its values, and whether it is sensitive.
fn field_extras(field: &Field) -> Option<TokenStream> {
    let spellings = value_aliases(field);
    let sensitive = field.sensitive.then(|| quote!(=> sensitive));
    (spellings.is_some() || sensitive.is_some()).then(|| quote!(#spellings #sensitive))
}

/// Returns the aliases of a text's values: `as [("manifest", "appsscript")]`.
fn value_aliases(field: &Field) -> Option<TokenStream> {
    let pairs = field.constraints.known.iter().flat_map(|known| {
        let value = &known.value;
        known.aliases.iter().map(move |alias| quote!((#value, #alias)))
    });
    let pairs: Vec<TokenStream> = pairs.collect();
    (field.ty == Type::String && !pairs.is_empty()).then(|| quote!(as [#(#pairs),*]))
}

/// Returns the implementation of an outcome:
///
/// ```text
/// impl Outcome for Operation {
///     type Success = ExecutionResponse;
///     …
/// }
/// ```
fn outcome_items(rust: &RustTypes<'_>, resource: &Resource, outcome: Outcome) -> Vec<TokenStream> {
    let name = ident(&resource.name.ident);
    let schema_name = &resource.name.wire;
    let [done, success, failure] =
        [outcome.done, outcome.success, outcome.failure].map(|index| &resource.fields[index]);
    let (success_ty, failure_ty) = (rust.ty(&success.ty), rust.ty(&failure.ty));
    let [done, success, failure] = [done, success, failure].map(|field| &field.name.wire);
    let implementation = quote! {
        impl ::wireform_runtime::Outcome for #name {
            type Success = #success_ty;
            type Failure = #failure_ty;

            const NAME: &'static str = #schema_name;
            const DONE: &'static str = #done;
            const SUCCESS: &'static str = #success;
            const FAILURE: &'static str = #failure;

            fn running() -> Self {
                Self::Running
            }

            fn succeeded(success: Self::Success) -> Self {
                Self::Succeeded(success)
            }

            fn failed(failure: Self::Failure) -> Self {
                Self::Failed(failure)
            }

            fn state(&self) -> ::wireform_runtime::__private::OutcomeRef<'_, Self::Success, Self::Failure> {
                match self {
                    Self::Running => ::wireform_runtime::__private::OutcomeRef::Running,
                    Self::Succeeded(success) => ::wireform_runtime::__private::OutcomeRef::Succeeded(success),
                    Self::Failed(failure) => ::wireform_runtime::__private::OutcomeRef::Failed(failure),
                }
            }
        }
    };
    vec![
        implementation,
        quote! { ::wireform_runtime::outcome!(#name); },
        direction::of_outcome(rust.api, resource, outcome),
    ]
}
