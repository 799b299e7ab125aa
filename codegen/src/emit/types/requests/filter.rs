//! Filter of a synchronization: the parameters that apply to all requests with the same sync token.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::super::parameters::{has_value, is_given};
use super::super::super::rust::{RustTypes, ident};
use super::structs::is_never_optional;
use crate::model::{IncrementalSync, ListStyle, Location, Operation, Pages, Parameter, Type};

/// Returns the items of the filter:
///
/// ```text
/// const TOKEN_PARAMETERS: &'static [TokenParameter] = &[TokenParameter { name: "singleEvents", can_change: false }];
/// fn sync_token(&self) -> Option<&str> { self.sync_token.as_deref() }
/// fn without_sync_token(&self) -> Option<Self> { … }
/// fn inherit_parameter<'t>(&mut self, name: &str, texts: &mut impl ParameterTexts<'t>) { … }
/// ```
pub fn items(rust: &RustTypes<'_>, operation: &Operation, sync: &IncrementalSync, pages: Pages) -> TokenStream {
    let carried: Vec<(&Parameter, bool)> = token_parameters(operation, sync, pages).collect();
    let (resumed, resumable) = (sync_token_getter(rust, operation, sync), resumable(rust, operation, sync));
    // A sync token that is not a text cannot carry parameters.
    if carried.is_empty() || resumed.is_none() {
        return quote! { #resumed #resumable };
    }
    let listed = carried.iter().map(|(parameter, may_differ)| {
        let name = &parameter.name.wire;
        quote!(::wireform_runtime::__private::TokenParameter { name: #name, can_change: #may_differ })
    });
    let read = quote!(::wireform_runtime::__private::FromParameters::from_parameters(texts));
    let inherited = match carried.as_slice() {
        [(parameter, _)] => {
            let (name, member) = (&parameter.name.wire, ident(&parameter.name.ident));
            quote! { if name == #name { self.#member = #read; } }
        }
        carried => {
            let arms = carried.iter().map(|(parameter, _)| {
                let (name, member) = (&parameter.name.wire, ident(&parameter.name.ident));
                quote!(#name => self.#member = #read,)
            });
            quote! { match name { #(#arms)* _ => {} } }
        }
    };
    quote! {
        const TOKEN_PARAMETERS: &'static [::wireform_runtime::__private::TokenParameter] = &[#(#listed),*];

        #resumed
        #resumable

        fn inherit_parameter<'t>(&mut self, name: &str, texts: &mut impl ::wireform_runtime::__private::ParameterTexts<'t>) {
            #inherited
        }
    }
}

/// Returns the carried parameters, and whether the next request may have a different value: optional query parameters
/// that can be combined with a sync token.
fn token_parameters<'o>(
    operation: &'o Operation,
    sync: &'o IncrementalSync,
    pages: Pages,
) -> impl Iterator<Item = (&'o Parameter, bool)> {
    operation.settable_parameters().filter_map(move |(index, parameter)| {
        let forbidden = sync.forbidden.iter().find(|forbidden| forbidden.parameter == index);
        let is_token = index == sync.resume || pages.parameter() == Some(index);
        let is_flat = matches!(parameter.style, ListStyle::Repeat | ListStyle::Comma) && !parameter.is_structured();
        let is_filter = parameter.location == Location::Query && !parameter.required && is_flat && !is_token;
        let may_stand = forbidden.is_none_or(|forbidden| forbidden.value.is_some());
        let may_differ = forbidden.is_some() || pages.size == Some(index);
        (is_filter && may_stand).then_some((parameter, may_differ))
    })
}

/// Emits `fn sync_token`, which returns the sync token of a request; `None` if the token is not a string.
fn sync_token_getter(rust: &RustTypes<'_>, operation: &Operation, sync: &IncrementalSync) -> Option<TokenStream> {
    let resume = Some(operation.parameter(sync.resume)).filter(|resume| resume.ty == Type::String)?;
    let (member, option) = (ident(&resume.name.ident), &rust.option);
    let text = if is_never_optional(resume) { quote!(Some(&self.#member)) } else { quote!(self.#member.as_deref()) };
    Some(quote! { fn sync_token(&self) -> #option<&str> { #text } })
}

/// Returns the request without the parameters that cannot be combined with a sync token. A forbidden value that is
/// the default is omitted as well.
fn resumable(rust: &RustTypes<'_>, operation: &Operation, sync: &IncrementalSync) -> TokenStream {
    let this = quote!(self);
    let (mut refused, mut dropped) = (Vec::new(), Vec::new());
    for forbidden in &sync.forbidden {
        let parameter = operation.parameter(forbidden.parameter);
        let member = ident(&parameter.name.ident);
        let Some(value) = &forbidden.value else {
            refused.push(is_given(&this, parameter));
            continue;
        };
        let Some(is) = has_value(rust, &this, parameter, value) else { continue };
        if parameter.default.as_ref() == Some(value) && !is_never_optional(parameter) {
            dropped.push(quote! { if #is { request.#member = None; } });
        } else {
            refused.push(is);
        }
    }
    let resume = Some(operation.parameter(sync.resume)).filter(|resume| !is_never_optional(resume)).map(|resume| {
        let member = ident(&resume.name.ident);
        quote! { request.#member = None; }
    });
    let option = &rust.option;
    let refused = (!refused.is_empty()).then(|| quote! { if #(#refused)||* { return None; } });
    let made = if dropped.is_empty() && resume.is_none() {
        quote! { Some(self.clone()) }
    } else {
        quote! {
            let mut request = self.clone();
            #resume
            #(#dropped)*
            Some(request)
        }
    };
    quote! {
        fn without_sync_token(&self) -> #option<Self> {
            #refused
            #made
        }
    }
}
