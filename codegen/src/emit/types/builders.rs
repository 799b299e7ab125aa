//! Setters to build a value with, and accessors that know the defaults.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::docs;
use super::super::rust::{Rust, ident, is_plain, number, prefixed};
use crate::model::{Encoding, Field, Literal, Resource, Type};

/// The inherent methods of a struct; none for a struct without members.
pub fn methods(rust: &Rust<'_>, resource: &Resource) -> Option<TokenStream> {
    let name = ident(&resource.name.ident);
    let defaults = resource.fields.iter().filter_map(|field| accessor(rust, field));
    let setters = resource.fields.iter().map(|field| setter(rust, field));
    (!resource.fields.is_empty()).then(|| quote! { impl #name { #(#defaults)* #(#setters)* } })
}

/// ```text
/// pub fn status_or_default(&self) -> &crate::EventStatus {
///     self.status.as_ref().unwrap_or(&crate::EventStatus::Confirmed)
/// }
/// ```
fn accessor(rust: &Rust<'_>, field: &Field) -> Option<TokenStream> {
    let default = field.default.as_ref()?;
    let member = ident(&field.name.ident);
    let method = ident(&format!("{}_or_default", field.name.stem));
    let doc = format!(" [`{0}`](Self::{0}), or its default when it is absent.", field.name.ident);
    let ty = rust.ty(&field.ty);
    let (answer, body) = match default {
        Literal::Bool(value) => (ty, quote! { self.#member.unwrap_or(#value) }),
        Literal::Number(value) => {
            let value = decimal(&field.ty, number(*value));
            (ty, quote! { self.#member.unwrap_or(#value) })
        }
        Literal::Text(text) => (quote!(&str), quote! { self.#member.as_deref().unwrap_or(#text) }),
        Literal::Enum(id, index) => {
            let variant = ident(&rust.api.enumeration(*id).values[*index].name.ident);
            (quote!(&#ty), quote! { self.#member.as_ref().unwrap_or(&#ty::#variant) })
        }
        Literal::Json(_) => return None,
    };
    Some(quote! {
        #[doc = #doc]
        #[must_use]
        pub fn #method(&self) -> #answer { #body }
    })
}

fn decimal(ty: &Type, value: TokenStream) -> TokenStream {
    match ty {
        Type::Int64(Encoding::DecimalString) | Type::Uint64(Encoding::DecimalString) => quote!(::wireform_runtime::Decimal(#value)),
        _ => value,
    }
}

/// ```text
/// pub fn with_summary(mut self, value: impl Into<String>) -> Self {
///     self.summary = Some(value.into());
///     self
/// }
/// ```
fn setter(rust: &Rust<'_>, field: &Field) -> TokenStream {
    let member = ident(&field.name.ident);
    let method = prefixed("with_", &field.name);
    let doc = format!(" Sets [`{0}`](Self::{0}).", field.name.ident);
    let deprecated = docs::deprecated(field.deprecated.as_ref());
    let (argument, value) = argument(rust, field);
    let value = if is_plain(field) { value } else { quote!(Some(#value)) };
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

/// The type of a setter's argument, and the value that is made of it.
fn argument(rust: &Rust<'_>, field: &Field) -> (TokenStream, TokenStream) {
    let into = |ty: TokenStream| quote!(impl ::std::convert::Into<#ty>);
    let ty = rust.ty(&field.ty);
    match &field.ty {
        Type::List(inner) => {
            let item = into(rust.ty(inner));
            (quote!(impl ::std::iter::IntoIterator<Item = #item>), quote!(value.into_iter().map(::std::convert::Into::into).collect()))
        }
        Type::Map(inner) => {
            let (key, item) = (into(quote!(::std::string::String)), into(rust.ty(inner)));
            let pair = quote!(value.into_iter().map(|(key, value)| (key.into(), value.into())).collect());
            (quote!(impl ::std::iter::IntoIterator<Item = (#key, #item)>), pair)
        }
        Type::Bool | Type::Int32 | Type::Uint32 | Type::Float | Type::Double | Type::Date | Type::DateTime | Type::Duration | Type::Object => (ty, quote!(value)),
        Type::Int64(Encoding::Number) | Type::Uint64(Encoding::Number) => (ty, quote!(value)),
        Type::Resource(_) if field.boxed => (ty, quote!(::std::boxed::Box::new(value))),
        Type::Resource(_) => (ty, quote!(value)),
        _ => (into(ty), quote!(value.into())),
    }
}
