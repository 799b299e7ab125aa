//! Calls: a method of the group that creates one, and a struct that takes optional parameters and sends it.

mod changes;
mod formats;
mod setters;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::super::docs;
use super::super::rust::ident;
use super::super::types::requests::{self, structs};
use super::{Crate, documentation};
use crate::model::{Conditional, Operation, Role, Type};

/// Returns the method that creates a call:
///
/// ```text
/// /// Creates an event.
/// pub fn insert(&self, calendar_id: impl Into<String>, body: Event) -> InsertCall {
///     InsertCall { call: self.client.call(EventsInsert::new(calendar_id, body)) }
/// }
/// ```
pub fn methods(of: &Crate<'_>, operation: &Operation) -> TokenStream {
    let (method, call) = (ident(&operation.method.ident), ident(&operation.types.call));
    let request = super::request_type(operation);
    let arguments = structs::arguments(&of.rust, operation);
    let signature = arguments.iter().map(|argument| {
        let (name, ty) = (&argument.name, &argument.ty);
        quote!(#name: #ty)
    });
    let names = arguments.iter().map(|argument| &argument.name);
    let doc = documentation::method_docs(of, operation);
    let deprecated = docs::deprecated(operation.deprecated.as_ref());
    let changes = changes::method(of, operation);
    let made = quote!(self.client.call(#request::new(#(#names),*)));
    let made = match runtime_call_type(of, operation) {
        Some(_) => quote!(#call::from_call(#made)),
        None => quote!(#call { call: #made }),
    };
    quote! {
        #doc
        #deprecated
        pub fn #method(&self, #(#signature),*) -> #call { #made }

        #changes
    }
}

/// Returns the call types of an operation.
pub fn items(of: &Crate<'_>, operation: &Operation) -> Vec<TokenStream> {
    let call = ident(&operation.types.call);
    let doc =
        format!(" Builder of a call of {}: set optional parameters, then send it.", docs::code_span(&operation.name));
    let optional = operation.settable_parameters().map(|(_, one)| one).filter(|parameter| !parameter.required);
    let mut setters: Vec<TokenStream> = optional.map(|parameter| setters::setter(of, parameter)).collect();
    setters.extend(setters::body_setter(of, operation));
    if let Some(shared) = runtime_call_type(of, operation) {
        let request = super::request_type(operation);
        return vec![quote! {
            #[doc = #doc]
            pub type #call = ::wireform_client::#shared<#request>;
        }];
    }
    let mut items = call_struct(operation, &call, &doc, &setters);
    items.push(macro_invocation(of, operation, &call));
    items.extend(changes::items(of, operation));
    items
}

/// Returns the call type of the runtime that an operation can use, if it has no optional parameters of its own and
/// can only be sent. Such calls are frequent, and sharing the type saves compile time.
fn runtime_call_type(of: &Crate<'_>, operation: &Operation) -> Option<Ident> {
    let own = operation.body.as_ref().is_some_and(|body| !body.required)
        || operation.settable_parameters().any(|(_, parameter)| !parameter.required);
    if own || operation.sync.is_some() || !extra_methods(of, operation, &ident("Call")).is_empty() {
        return None;
    }
    match standard_parameter_words(of, operation).as_slice() {
        [] => Some(ident("PlainCall")),
        ["fields", "quota_user", "pretty_print"] => Some(ident("StandardCall")),
        // This type selects fields whenever there are some, even for an API without the parameter.
        ["quota_user", "pretty_print"] if !supports_field_selection(operation) => Some(ident("StandardCall")),
        _ => None,
    }
}

fn call_struct(operation: &Operation, call: &Ident, doc: &str, setters: &[TokenStream]) -> Vec<TokenStream> {
    let request = super::request_type(operation);
    let mut items = vec![quote! {
        #[doc = #doc]
        #[derive(Clone, Debug)]
        #[must_use = "a call does nothing until it is sent"]
        pub struct #call {
            call: ::wireform_client::Call<#request>,
        }
    }];
    if !setters.is_empty() {
        items.push(quote! { impl #call { #(#setters)* } });
    }
    items
}

/// Returns the invocation of the runtime's macro for a call: `::wireform_client::call!(GetCall, EventsGet, fields);`
fn macro_invocation(of: &Crate<'_>, operation: &Operation, call: &Ident) -> TokenStream {
    let request = super::request_type(operation);
    let words = options(of, operation);
    let more = extra_methods(of, operation, call);
    quote! {
        ::wireform_client::call!(#call, #request #words);
        #more
    }
}

/// Returns the methods of a call besides sending.
fn extra_methods(of: &Crate<'_>, operation: &Operation, call: &Ident) -> TokenStream {
    let request = super::request_type(operation);
    let can = |holds: bool, name: &str| {
        let name = ident(name);
        holds.then(|| quote! { ::wireform_client::#name!(#call, #request); })
    };
    let (updates, patches) = requests::write_back_modes(of.rust.api, operation);
    let paged = can(operation.pages.is_some(), "paged");
    let read = can(operation.conditional.contains(&Conditional::IfNoneMatch), "conditional_read");
    let write = can(operation.conditional.contains(&Conditional::IfMatch), "conditional_write");
    let started = can(operation.long_running_start.is_some(), "long_running");
    let updates = can(updates, "updates");
    let patches = can(patches, "patches");
    let media = operation.media.as_ref();
    let upload = can(media.is_some_and(|media| media.upload_endpoints().next().is_some()), "upload");
    let is_raw = requests::raw_response(operation).is_some()
        || operation.response_alternatives().iter().any(|one| one.raw().is_some());
    let download = can(media.is_some_and(|media| media.download) || is_raw, "download");
    let raw = can(operation.body.as_ref().is_some_and(|body| body.raw().is_some()), "raw_body");
    let formats = formats::format_methods(of, operation, call).or_else(|| formats::xml_method(of, operation, call));
    let headers = Some(&operation.types.headers).filter(|name| !name.is_empty()).map(|name| {
        let headers = ident(name);
        quote! { ::wireform_client::response_headers!(#call, #request, requests::#headers); }
    });
    quote! {
        #headers
        #paged
        #started
        #read
        #write
        #updates
        #patches
        #formats
        #upload
        #download
        #raw
    }
}

/// Returns the standard parameters that a call supports, as keywords of the runtime's macro.
fn options(of: &Crate<'_>, operation: &Operation) -> TokenStream {
    let words = standard_parameter_words(of, operation).into_iter().map(ident);
    quote! { #(, #words)* }
}

/// Returns whether fields can be selected from every response, which requires a resource.
fn supports_field_selection(operation: &Operation) -> bool {
    operation.bodiless_status().is_none() && matches!(requests::response_type(operation), Some(Type::Resource(_)))
}

/// Returns the words of the standard parameters that a call of the operation supports, such as `fields`.
fn standard_parameter_words(of: &Crate<'_>, operation: &Operation) -> Vec<&'static str> {
    let takes = |role: Role| of.rust.api.standard_parameter(role).is_some();
    let fields = takes(Role::Fields) && supports_field_selection(operation);
    let words = [
        (fields, Role::Fields),
        (takes(Role::QuotaUser), Role::QuotaUser),
        (takes(Role::PrettyPrint), Role::PrettyPrint),
    ];
    let words = words.map(|(holds, role)| (holds, role.word()));
    words.into_iter().filter(|(holds, _)| *holds).map(|(_, word)| word).collect()
}
