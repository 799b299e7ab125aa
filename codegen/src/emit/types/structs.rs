//! Resources as structs, and outcomes as enums.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::docs;
use super::super::rust::{RustTypes, ident};
use super::builders;
use crate::model::{Field, Literal, Outcome, Resource};

/// Returns the definition of a resource, then its accessors and setters.
pub fn items(rust: &RustTypes<'_>, resource: &Resource) -> Vec<TokenStream> {
    match resource.outcome {
        Some(outcome) => vec![outcome_enum(rust, resource, outcome)],
        None => std::iter::once(definition(rust, resource)).chain(builders::methods(rust, resource)).collect(),
    }
}

/// Returns the struct of a resource:
///
/// ```text
/// /// One entry on a calendar.
/// #[derive(Clone, Default, PartialEq)]
/// pub struct Event {
///     /// The title.
///     pub summary: Option<String>,
/// }
/// ```
fn definition(rust: &RustTypes<'_>, resource: &Resource) -> TokenStream {
    let name = ident(&resource.name.ident);
    let doc = docs::attributes(&resource.doc, &[]);
    let deprecated = docs::deprecated(resource.deprecated.as_ref());
    let fields = resource.fields.iter().map(|field| member(rust, field));
    let unknown = resource.preserves_unknown.then(|| {
        quote! {
            #[doc = " Fields that the schema does not declare; they are written back unchanged."]
            pub unknown_members: ::wireform_runtime::UnknownFields,
        }
    });
    quote! {
        #doc
        #deprecated
        #[derive(Clone, Default, PartialEq)]
        pub struct #name {
            #(#fields)*
            #unknown
        }
    }
}

/// Emits a field of a resource's struct.
fn member(rust: &RustTypes<'_>, field: &Field) -> TokenStream {
    let name = ident(&field.name.ident);
    let ty = rust.field_type(field);
    let doc = docs::attributes(&field.doc, &facts(rust, field));
    let deprecated = docs::deprecated(field.deprecated.as_ref());
    quote! {
        #doc
        #deprecated
        pub #name: #ty,
    }
}

/// Returns the sentences about a field's constraints and behavior for its documentation.
fn facts(rust: &RustTypes<'_>, field: &Field) -> Vec<String> {
    docs::field_facts(field, &|literal| match literal {
        Literal::Enum(id, index) => docs::code_span(&rust.api.enumeration(*id).values[*index].name.wire),
        other => docs::literal(other),
    })
}

/// Returns the enum of an outcome:
///
/// ```text
/// #[derive(Clone, Debug, Default, PartialEq)]
/// pub enum Operation {
///     #[default]
///     Running,
///     Succeeded(crate::ExecutionResponse),
///     Failed(crate::Status),
/// }
/// ```
fn outcome_enum(rust: &RustTypes<'_>, resource: &Resource, outcome: Outcome) -> TokenStream {
    let name = ident(&resource.name.ident);
    let doc = docs::attributes(&resource.doc, &[]);
    let deprecated = docs::deprecated(resource.deprecated.as_ref());
    let [done, success, failure] =
        [outcome.done, outcome.success, outcome.failure].map(|index| &resource.fields[index]);
    let (running, succeeded, failed) = (
        docs::attributes(&done.doc, &["Still running.".into()]),
        docs::attributes(&success.doc, &[]),
        docs::attributes(&failure.doc, &[]),
    );
    let (success, failure) = (rust.ty(&success.ty), rust.ty(&failure.ty));
    quote! {
        #doc
        #deprecated
        #[derive(Clone, Debug, Default, PartialEq)]
        pub enum #name {
            #running
            #[default]
            Running,
            #succeeded
            Succeeded(#success),
            #failed
            Failed(#failure),
        }
    }
}
