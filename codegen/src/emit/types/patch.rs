//! Merge patches (RFC 7396): for each resource a struct in which each field is kept, cleared or set.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::super::docs;
use super::super::rust::{RustTypes, ident};
use super::{direction, fill, wire};
use crate::model::{Field, Name, Resource};

/// Returns the patch of a resource, its wire format, and the code that applies it.
pub fn items(rust: &RustTypes<'_>, resource: &Resource) -> Vec<TokenStream> {
    let Some(patch) = &resource.patch else { return Vec::new() };
    let name = Name { wire: patch.clone(), ident: patch.clone(), stem: patch.clone() };
    let patch = ident(patch);
    let mut items = vec![
        definition(rust, resource, &patch),
        wire::patch_object(resource, &name),
        direction::of_patch(rust.api, resource, &patch),
    ];
    items.extend(fill::of(rust.api, resource, &patch));
    items
}

/// Emits the struct of a merge patch, with a field for each one of the resource.
fn definition(rust: &RustTypes<'_>, resource: &Resource, name: &Ident) -> TokenStream {
    let doc = docs::line_attribute(&format!(
        "Merge patch (RFC 7396) of [`{0}`](crate::{0}): each field is kept, cleared or set.",
        resource.name.ident
    ));
    let deprecated = docs::deprecated(resource.deprecated.as_ref());
    let fields = resource.fields.iter().map(|field| member(rust, resource, field));
    let unknown = resource.preserves_unknown.then(|| {
        quote! {
            #[doc = " Changes of fields that the schema does not declare."]
            pub unknown_members: ::wireform_runtime::UnknownFieldsPatch,
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

/// Emits a field of the merge patch, for a field of the resource.
fn member(rust: &RustTypes<'_>, resource: &Resource, field: &Field) -> TokenStream {
    let name = ident(&field.name.ident);
    let ty = rust.patch_field_type(field);
    let doc = docs::line_attribute(&format!(
        "Patches {}.",
        docs::link(&format!("crate::{}", resource.name.ident), &field.name)
    ));
    let deprecated = docs::deprecated(field.deprecated.as_ref());
    quote! { #doc #deprecated pub #name: #ty, }
}
