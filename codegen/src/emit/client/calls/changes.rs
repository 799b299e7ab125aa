//! Calls for the changes since a sync token.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::super::docs;
use super::super::super::rust::ident;
use super::super::super::types::requests::{self, structs};
use super::super::{Crate, documentation, request_type};
use super::setters::{constant_setter, setter};
use super::{call_struct, options};
use crate::model::{ForbiddenParameter, Literal, Operation, Parameter};

/// Returns the method that requests changes; the cursor is passed when the synchronization starts.
pub fn method(of: &Crate<'_>, operation: &Operation) -> Option<TokenStream> {
    let (sync, (method, call)) = (operation.sync.as_ref()?, operation.types.changes.as_ref()?);
    let (method, call) = (ident(method), ident(call));
    let request = request_type(operation);
    let resume = operation.parameter(sync.resume);
    let taken: Vec<&Parameter> = structs::required_parameters(operation)
        .into_iter()
        .filter(|parameter| !std::ptr::eq(*parameter, resume))
        .collect();
    let arguments: Vec<_> = taken.iter().map(|parameter| structs::parameter_argument(&of.rust, parameter)).collect();
    let signature = arguments.iter().map(|argument| {
        let (name, ty) = (&argument.name, &argument.ty);
        quote!(#name: #ty)
    });
    let values = structs::required_parameters(operation).into_iter().map(|parameter| {
        if std::ptr::eq(parameter, resume) {
            // The call for changes sets it.
            let ty = of.rust.ty(&parameter.ty);
            quote!(<#ty as ::std::default::Default>::default())
        } else {
            let name = ident(&parameter.name.ident);
            quote!(#name)
        }
    });
    let doc = documentation::changes_docs(operation);
    Some(quote! {
        #doc
        pub fn #method(&self, #(#signature),*) -> #call {
            #call { call: self.client.call(#request::new(#(#values),*)) }
        }
    })
}

/// Emits the builder of an incremental sync: its call struct with setters, and its streams. Empty without `sync:`.
pub fn items(of: &Crate<'_>, operation: &Operation) -> Vec<TokenStream> {
    let (Some(sync), Some((_, call))) = (&operation.sync, &operation.types.changes) else { return Vec::new() };
    let Some(pages) = operation.pages else { return Vec::new() };
    let call = ident(call);
    let request = request_type(operation);
    let doc = format!(
        " Builder of an incremental sync by {}. Parameters that a sync cursor excludes cannot be set.",
        docs::code_span(&operation.name)
    );
    let setters: Vec<TokenStream> = operation
        .settable_parameters()
        .filter(|(index, parameter)| !parameter.required && *index != sync.resume && pages.parameter() != Some(*index))
        .filter_map(|(index, parameter)| match sync.forbidden.iter().find(|forbidden| forbidden.parameter == index) {
            None => Some(setter(of, parameter)),
            Some(ForbiddenParameter { value: Some(Literal::Bool(value)), .. }) => {
                Some(constant_setter(parameter, !value))
            }
            Some(_) => None,
        })
        .collect();
    let lists_all = requests::flow::lists_all(of.rust.api, operation).then(|| quote!(, lists_all));
    let mut items = call_struct(operation, &call, &doc, &setters);
    let words = options(of, operation);
    items.push(quote! {
        ::wireform_client::options!(#call, #request #words);
        ::wireform_client::synced!(#call, #request #lists_all);
    });
    items
}
