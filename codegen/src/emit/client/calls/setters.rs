//! Setters of the optional parameters and of an optional body.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::super::docs;
use super::super::super::rust::ident;
use super::super::super::types::builders;
use super::super::super::types::requests::structs;
use super::super::Crate;
use crate::model::{BodyMode, Operation, Parameter};

/// Returns the setter of a parameter:
///
/// ```text
/// pub fn max_results(mut self, value: i32) -> Self {
///     self.call.request_mut().max_results = Some(value);
///     self
/// }
/// ```
pub fn setter(of: &Crate<'_>, parameter: &Parameter) -> TokenStream {
    let (method, member) = (ident(&parameter.setter), ident(&parameter.name.ident));
    let doc = docs::attributes(&parameter.doc, &structs::parameter_facts(&of.rust, parameter));
    let deprecated = docs::deprecated(parameter.deprecated.as_ref());
    let (argument, value) = builders::argument(&of.rust, &parameter.ty, false);
    let value = if structs::is_never_optional(parameter) { value } else { quote!(Some(#value)) };
    quote! {
        #doc
        #deprecated
        pub fn #method(mut self, value: #argument) -> Self {
            self.call.request_mut().#member = #value;
            self
        }
    }
}

/// Returns the setter of a boolean with only one allowed value.
pub fn constant_setter(parameter: &Parameter, value: bool) -> TokenStream {
    let (method, member) = (ident(&parameter.setter), ident(&parameter.name.ident));
    let doc = docs::attributes(&parameter.doc, &[format!("Sets the parameter to `{value}`, its only value.")]);
    quote! {
        #doc
        pub fn #method(mut self) -> Self {
            self.call.request_mut().#member = Some(#value);
            self
        }
    }
}

pub fn body_setter(of: &Crate<'_>, operation: &Operation) -> Option<TokenStream> {
    let body = operation.body.as_ref().filter(|body| !body.required)?;
    let ty = structs::body_type(&of.rust, operation, body);
    let what = match (body.mode, body.doc.is_empty()) {
        (_, false) => body.doc.as_str(),
        (BodyMode::MergePatch | BodyMode::JsonPatch, true) => "The patch to apply.",
        (BodyMode::Whole, true) => "The request body.",
    };
    let doc = docs::attributes(what, &[]);
    let into = &of.rust.into;
    let (ty, value) = match structs::is_converted(body) {
        true => (quote!(impl #into<#ty>), quote!(value.into())),
        false => (ty, quote!(value)),
    };
    Some(quote! {
        #doc
        pub fn body(mut self, value: #ty) -> Self {
            self.call.request_mut().body = Some(#value);
            self
        }
    })
}
