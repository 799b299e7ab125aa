//! Open enums.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;

use super::super::docs;
use super::super::rust::ident;
use crate::model::{Api, Enum, EnumId, EnumValue, Type};

/// Returns the definition of an enum, or a type alias if an earlier one has the same values.
pub fn item(api: &Api, id: EnumId) -> TokenStream {
    let first = api.canonical_enum(id);
    if first == id {
        return definition(api.enumeration(id));
    }
    let (this, first) = (api.enumeration(id), ident(&api.enumeration(first).name.ident));
    let name = ident(&this.name.ident);
    let doc = docs::attributes(&this.doc, &[]);
    let deprecated = docs::deprecated(this.deprecated.as_ref());
    quote! {
        #doc
        #deprecated
        pub type #name = crate::#first;
    }
}

/// Returns the definition of an enum:
///
/// ```text
/// /// Whether the event takes place.
/// #[derive(Default)]
/// #[non_exhaustive]
/// pub enum EventStatus {
///     /// The event takes place.
///     #[default]
///     Confirmed,
///     /// A value that this version does not know, kept unchanged.
///     Unknown(UnknownValue<Self>),
/// }
/// ```
fn definition(definition: &Enum) -> TokenStream {
    let name = ident(&definition.name.ident);
    let doc = docs::attributes(&definition.doc, &[]);
    let deprecated = docs::deprecated(definition.deprecated.as_ref());
    let default = definition.default.map(|_| quote!(#[derive(Default)]));
    let values =
        definition.values.iter().enumerate().map(|(index, value)| variant(value, definition.default == Some(index)));
    quote! {
        #doc
        #deprecated
        #default
        #[non_exhaustive]
        pub enum #name {
            #(#values,)*
            #[doc = " A value that this version does not know, kept unchanged."]
            Unknown(::wireform_runtime::UnknownValue<Self>),
        }
    }
}

/// Emits a variant of an enum with its documentation and attributes.
fn variant(value: &EnumValue, is_default: bool) -> TokenStream {
    let name = ident(&value.name.ident);
    let mut facts = Vec::new();
    facts.extend(value.output_only.then(|| "Received only; cannot be sent.".to_owned()));
    facts.extend(value.input_only.then(|| "Sent only.".to_owned()));
    let doc = docs::attributes(&value.doc, &facts);
    let deprecated = docs::deprecated(value.deprecated.as_ref());
    let default = is_default.then(|| quote!(#[default]));
    quote! { #doc #deprecated #default #name }
}

/// Maximum number of names for which a linear search is as fast as a table.
const MAX_LINEAR_SEARCH: usize = 16;

/// Returns the wire names of the values, from which the runtime's macro generates everything else. Only an enum in a
/// merge patch gets what patches need.
///
/// ```text
/// open_enum! {
///     EventStatus "EventStatus" {
///         0 Confirmed "confirmed",
///     }
/// }
/// ```
pub fn wire_macro(definition: &Enum, patched: bool) -> Vec<TokenStream> {
    let name = ident(&definition.name.ident);
    let schema_name = &definition.name.wire;
    let values = definition.values.iter().enumerate().map(|(place, value)| {
        let (place, variant) = (proc_macro2::Literal::usize_unsuffixed(place), ident(&value.name.ident));
        let spellings = std::iter::once(&value.name.wire).chain(&value.aliases);
        quote! { #place #variant #(#spellings)|* }
    });
    let numbers = definition.wire_type.as_ref().map(|number| match number {
        Type::Double => quote!(floats),
        Type::Any => quote!(json),
        _ => quote!(numbers),
    });
    let spellings: usize = definition.values.iter().map(|value| 1 + value.aliases.len()).sum();
    let many = (spellings > MAX_LINEAR_SEARCH).then(|| quote!(many));
    let table = quote! { ::wireform_runtime::open_enum! { #name #schema_name #numbers #many { #(#values,)* } } };
    let patched = patched.then(|| quote! { ::wireform_runtime::merge_enum!(#name); });
    std::iter::once(table).chain(patched).collect()
}

/// Returns the enums, or the unions, that merge patches set individually; in a list they are replaced with the list.
pub fn patched_types(api: &Api, of: impl Fn(&Type) -> Option<usize>) -> BTreeSet<usize> {
    fn value(ty: &Type) -> &Type {
        match ty {
            Type::Map(inner) => value(inner),
            other => other,
        }
    }
    let patched = api.resources.iter().filter(|resource| resource.patch.is_some());
    patched.flat_map(|resource| &resource.fields).filter_map(|field| of(value(&field.ty))).collect()
}
