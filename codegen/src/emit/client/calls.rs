//! Calls: a method of the group that creates one, and a struct that takes optional parameters and sends it.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::super::docs;
use super::super::rust::{ident, snake};
use super::super::types::builders;
use super::super::types::requests::{self, structs};
use super::{Crate, documentation};
use crate::model::{BodyMode, Codec, Conditional, ForbiddenParameter, Literal, Operation, Parameter, Role, Type};

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
    let changes = changes_method(of, operation);
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

/// Returns the method that requests changes; the cursor is passed when the synchronisation starts.
fn changes_method(of: &Crate<'_>, operation: &Operation) -> Option<TokenStream> {
    let (sync, (method, call)) = (operation.sync.as_ref()?, operation.types.changes.as_ref()?);
    let (method, call) = (ident(method), ident(call));
    let request = super::request_type(operation);
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

/// Returns the call types of an operation.
pub fn items(of: &Crate<'_>, operation: &Operation) -> Vec<TokenStream> {
    let call = ident(&operation.types.call);
    let doc =
        format!(" Builder of a call of {}: set optional parameters, then send it.", docs::code_span(&operation.name));
    let optional = operation.settable_parameters().map(|(_, one)| one).filter(|parameter| !parameter.required);
    let mut setters: Vec<TokenStream> = optional.map(|parameter| setter(of, parameter)).collect();
    setters.extend(body_setter(of, operation));
    if let Some(shared) = runtime_call_type(of, operation) {
        let request = super::request_type(operation);
        return vec![quote! {
            #[doc = #doc]
            pub type #call = ::wireform_client::#shared<#request>;
        }];
    }
    let mut items = call_struct(operation, &call, &doc, &setters);
    items.push(macro_invocation(of, operation, &call));
    items.extend(changes_items(of, operation));
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
    match option_keywords(of, operation).as_slice() {
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
    let formats = format_methods(of, operation, call).or_else(|| xml_method(of, operation, call));
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

/// Returns the methods that select a media type:
///
/// ```text
/// impl GetCall {
///     /// Requests the media type `text/csv`, and returns the response of that type.
///     pub fn as_csv(self) -> FormatCall<ReportsGet, Raw<String>> { … }
/// }
/// ```
fn format_methods(of: &Crate<'_>, operation: &Operation, call: &Ident) -> Option<TokenStream> {
    let alternatives = operation.response_alternatives();
    if alternatives.is_empty() {
        return None;
    }
    let (request, answer) = (super::request_type(operation), ident(&operation.types.response));
    let methods = alternatives.iter().map(|one| {
        let (case, ty) = (ident(&one.name.ident), requests::alternative_type(&of.rust, one));
        let method = format_ident!("as_{}", snake(&one.name.ident));
        let accept = one.content_types.join(", ");
        let doc = docs::attributes(
            &one.doc,
            &[format!("Requests the media type {}, and returns the response of that type.", docs::code_span(&accept))],
        );
        quote! {
            #doc
            pub fn #method(self) -> ::wireform_client::FormatCall<#request, #ty> {
                self.call.format(#accept, |answer| match answer {
                    requests::#answer::#case(value) => Some(value),
                    _ => None,
                })
            }
        }
    });
    Some(quote! { impl #call { #(#methods)* } })
}

/// Returns the method that requests XML, if a response can be JSON or XML: `pub fn as_xml(self) ->
/// FormatCall<ItemsGet, types::Item>`.
fn xml_method(of: &Crate<'_>, operation: &Operation, call: &Ident) -> Option<TokenStream> {
    let answer = requests::xml_response(operation)?;
    let is_xml = |one: &&String| Codec::of(one) == Some(Codec::Xml);
    let accept = answer.content_types.iter().find(is_xml)?;
    if answer.content_types.iter().all(|one| is_xml(&one)) {
        return None;
    }
    let (request, ty) = (super::request_type(operation), requests::rust_response_type(&of.rust, operation));
    let doc = docs::line_attribute(&format!("Requests the media type {}.", docs::code_span(accept)));
    Some(quote! {
        impl #call {
            #doc
            pub fn as_xml(self) -> ::wireform_client::FormatCall<#request, #ty> {
                self.call.format(#accept, Some)
            }
        }
    })
}

/// Returns the standard parameters that a call supports, as keywords of the runtime's macro.
fn options(of: &Crate<'_>, operation: &Operation) -> TokenStream {
    let words = option_keywords(of, operation).into_iter().map(ident);
    quote! { #(, #words)* }
}

/// Returns whether fields can be selected from every response, which requires a resource.
fn supports_field_selection(operation: &Operation) -> bool {
    operation.bodiless_status().is_none() && matches!(requests::response_type(operation), Some(Type::Resource(_)))
}

fn option_keywords(of: &Crate<'_>, operation: &Operation) -> Vec<&'static str> {
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

fn changes_items(of: &Crate<'_>, operation: &Operation) -> Vec<TokenStream> {
    let (Some(sync), Some((_, call))) = (&operation.sync, &operation.types.changes) else { return Vec::new() };
    let Some(pages) = operation.pages else { return Vec::new() };
    let call = ident(call);
    let request = super::request_type(operation);
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

/// Returns the setter of a parameter:
///
/// ```text
/// pub fn max_results(mut self, value: i32) -> Self {
///     self.call.request_mut().max_results = Some(value);
///     self
/// }
/// ```
fn setter(of: &Crate<'_>, parameter: &Parameter) -> TokenStream {
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
fn constant_setter(parameter: &Parameter, value: bool) -> TokenStream {
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

fn body_setter(of: &Crate<'_>, operation: &Operation) -> Option<TokenStream> {
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
