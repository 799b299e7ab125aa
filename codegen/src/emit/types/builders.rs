//! Setters to build a value, and accessors with defaults.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::docs;
use super::super::rust::{RustTypes, bytes_of, ident, is_never_optional, prefixed};
use super::defaults;
use crate::model::{Field, Resource, Type};

/// Returns the inherent methods of a struct, or `None` for a struct without fields.
pub fn methods(rust: &RustTypes<'_>, resource: &Resource) -> Option<TokenStream> {
    let name = ident(&resource.name.ident);
    let defaults = resource.fields.iter().filter_map(|field| defaults::of_field(rust, field));
    let setters = resource.fields.iter().map(|field| setter(rust, field));
    (!resource.fields.is_empty()).then(|| quote! { impl #name { #(#defaults)* #(#setters)* } })
}

/// Returns the setter of a field:
///
/// ```text
/// pub fn with_summary(mut self, value: impl Into<String>) -> Self {
///     self.summary = Some(value.into());
///     self
/// }
/// ```
fn setter(rust: &RustTypes<'_>, field: &Field) -> TokenStream {
    let member = ident(&field.name.ident);
    let method = prefixed("with_", &field.name);
    let doc = format!(" Sets {}.", docs::link("Self", &field.name));
    let deprecated = docs::deprecated(field.deprecated.as_ref());
    let (argument, value) = argument(rust, &field.ty, field.boxed);
    let value = match (is_never_optional(field), field.nullable) {
        (true, _) => value,
        (false, true) => {
            let nullable = rust.runtime(&quote!(Nullable));
            quote!(#nullable::Value(#value))
        }
        (false, false) => quote!(Some(#value)),
    };
    quote! {
        #[doc = #doc]
        #deprecated
        #[must_use]
        pub fn #method(mut self, value: #argument) -> Self {
            self.#member = #value;
            self
        }
    }
}

/// Returns the type of a setter's argument, and the expression that converts it.
pub fn argument(rust: &RustTypes<'_>, ty: &Type, boxed: bool) -> (TokenStream, TokenStream) {
    let into = &rust.into;
    let of = ty;
    let ty = rust.ty(of);
    match of {
        Type::List(inner) => list(rust, inner),
        Type::Map(inner) => map(rust, inner),
        Type::Bytes(encoding) if bytes_of(*encoding).is_some() => {
            let (bytes, of) = (rust.runtime(&quote!(Bytes)), bytes_of(*encoding));
            (quote!(impl #into<::std::vec::Vec<u8>>), quote!(#bytes::#of(value)))
        }
        Type::Number | Type::String | Type::Any | Type::Enum(_) | Type::Union(_) | Type::Bytes(_) => {
            (quote!(impl #into<#ty>), quote!(value.into()))
        }
        of if of.wrapper().is_some() => (quote!(impl #into<#ty>), quote!(value.into())),
        Type::Resource(_) if boxed => (ty, quote!(::std::boxed::Box::new(value))),
        _ => (ty, quote!(value)),
    }
}

/// Returns `impl IntoIterator<Item = impl Into<Event>>`, and the expression that collects the list.
fn list(rust: &RustTypes<'_>, inner: &Type) -> (TokenStream, TokenStream) {
    let (into, into_iterator) = (&rust.into, &rust.into_iterator);
    let (item, value) = match inner {
        Type::Bytes(encoding) if bytes_of(*encoding).is_some() => {
            let (bytes, of) = (rust.runtime(&quote!(Bytes)), bytes_of(*encoding));
            (quote!(impl #into<::std::vec::Vec<u8>>), quote!(#bytes::#of))
        }
        Type::Nullable(inner) => {
            let (option, item) = (&rust.option, rust.ty(inner));
            (quote!(#option<impl #into<#item>>), quote!(|value| value.map(#into::into)))
        }
        inner => {
            let (item, list) = (rust.ty(inner), rust.runtime(&quote!(__private::collect_list)));
            return (quote!(impl #into_iterator<Item = impl #into<#item>>), quote!(#list(value)));
        }
    };
    (quote!(impl #into_iterator<Item = #item>), quote!(value.into_iter().map(#value).collect()))
}

/// Returns `impl IntoIterator<Item = (impl Into<String>, impl Into<Event>)>`, and the expression that collects the
/// map.
fn map(rust: &RustTypes<'_>, inner: &Type) -> (TokenStream, TokenStream) {
    let (into, into_iterator) = (&rust.into, &rust.into_iterator);
    let (item, value) = match inner {
        Type::Bytes(encoding) if bytes_of(*encoding).is_some() => {
            let (bytes, of) = (rust.runtime(&quote!(Bytes)), bytes_of(*encoding));
            (quote!(impl #into<::std::vec::Vec<u8>>), quote!(#bytes::#of(value)))
        }
        Type::Nullable(inner) => {
            let (option, item) = (&rust.option, rust.ty(inner));
            (quote!(#option<impl #into<#item>>), quote!(value.map(#into::into)))
        }
        inner => {
            let item = rust.ty(inner);
            (quote!(impl #into<#item>), quote!(value.into()))
        }
    };
    let key = rust.ty(&Type::String);
    let pairs = quote!(value.into_iter().map(|(key, value)| (key.into(), #value)).collect());
    (quote!(impl #into_iterator<Item = (impl #into<#key>, #item)>), pairs)
}
