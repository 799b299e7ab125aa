//! Open enums.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;

use super::super::docs;
use super::super::rust::{Rust, ident};
use crate::model::{Api, Enum, EnumValue, Type};

/// ```text
/// /// Whether the event takes place.
/// #[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
/// #[non_exhaustive]
/// pub enum EventStatus {
///     /// The event takes place.
///     #[default]
///     Confirmed,
///     /// A value that this version does not know.
///     Unknown(UnknownValue<Self>),
/// }
/// ```
pub fn definition(definition: &Enum) -> TokenStream {
    let name = ident(&definition.name.ident);
    let doc = docs::attributes(&definition.doc, &[]);
    let deprecated = docs::deprecated(definition.deprecated.as_ref());
    let default = definition.default.map(|_| quote!(, Default));
    let values =
        definition.values.iter().enumerate().map(|(index, value)| variant(value, definition.default == Some(index)));
    quote! {
        #doc
        #deprecated
        #[derive(Clone, Debug, PartialEq, Eq, Hash #default)]
        #[non_exhaustive]
        pub enum #name {
            #(#values,)*
            #[doc = " A value that this version does not know, kept as it came."]
            Unknown(::wireform_runtime::UnknownValue<Self>),
        }
    }
}

fn variant(value: &EnumValue, is_default: bool) -> TokenStream {
    let name = ident(&value.name.ident);
    let mut facts = Vec::new();
    facts.extend(value.output_only.then(|| "Received only; it cannot be sent.".to_owned()));
    facts.extend(value.input_only.then(|| "Sent only.".to_owned()));
    let doc = docs::attributes(&value.doc, &facts);
    let deprecated = docs::deprecated(value.deprecated.as_ref());
    let default = is_default.then(|| quote!(#[default]));
    quote! { #doc #deprecated #default #name }
}

/// The names of the values on the wire, and the conversions that the runtime makes of them. Only an enum that stands
/// in a merge patch gets what patches need.
pub fn wire(rust: &Rust<'_>, definition: &Enum, patched: bool) -> Vec<TokenStream> {
    let option = &rust.option;
    let name = ident(&definition.name.ident);
    let schema_name = &definition.name.wire;
    let wires: Vec<&str> = definition.values.iter().map(|value| value.name.wire.as_str()).collect();
    let known = definition.values.iter().map(|value| {
        let variant = ident(&value.name.ident);
        let spellings = std::iter::once(&value.name.wire).chain(&value.aliases);
        quote! { #(#spellings)|* => Self::#variant }
    });
    let indices = definition.values.iter().enumerate().map(|(index, value)| {
        let variant = ident(&value.name.ident);
        let index = proc_macro2::Literal::usize_unsuffixed(index);
        quote! { Self::#variant => #index }
    });
    let public = public(definition);
    let numbers = definition.number.as_ref().map(|_| quote! { const NUMBERS: bool = true; });
    let mut items = vec![
        quote! {
            impl ::wireform_runtime::OpenEnum for #name {
                const NAME: &'static str = #schema_name;
                const VALUES: &'static [&'static str] = &[#(#wires),*];
                #public
                #numbers

                fn known(text: &str) -> #option<Self> {
                    let value = match text {
                        #(#known,)*
                        _ => return None,
                    };
                    Some(value)
                }

                fn wire_index(&self) -> #option<u32> {
                    let index = match self {
                        #(#indices,)*
                        Self::Unknown(_) => return None,
                    };
                    Some(index)
                }

                fn unknown(value: ::wireform_runtime::UnknownValue<Self>) -> Self {
                    Self::Unknown(value)
                }

                fn as_unknown(&self) -> #option<&::wireform_runtime::UnknownValue<Self>> {
                    match self {
                        Self::Unknown(value) => Some(value),
                        _ => None,
                    }
                }
            }
        },
        quote! { ::wireform_runtime::open_enum!(#name); },
    ];
    items.extend(patched.then(|| quote! { ::wireform_runtime::merge_enum!(#name); }));
    items
}

/// The enums, or the unions, that are values of their own in merge patches; in a list they are replaced with it.
pub fn patched(api: &Api, of: impl Fn(&Type) -> Option<usize>) -> BTreeSet<usize> {
    fn value(ty: &Type) -> &Type {
        match ty {
            Type::Map(inner) => value(inner),
            other => other,
        }
    }
    let patched = api.resources.iter().filter(|resource| resource.patch.is_some());
    patched.flat_map(|resource| &resource.fields).filter_map(|field| of(value(&field.ty))).collect()
}

/// The values that the public service spells in another way.
fn public(definition: &Enum) -> Option<TokenStream> {
    let pairs: Vec<TokenStream> = definition
        .values
        .iter()
        .filter_map(|value| {
            let (wire, public) = (&value.name.wire, value.aliases.first()?);
            Some(quote!((#wire, #public)))
        })
        .collect();
    (!pairs.is_empty()).then(|| quote! { const PUBLIC: &'static [(&'static str, &'static str)] = &[#(#pairs),*]; })
}
