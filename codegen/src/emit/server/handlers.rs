//! Dispatch from operations to the functions of a service.

use proc_macro2::{Ident, Literal as Lit, TokenStream};
use quote::quote;

use super::super::groups::Run;
use super::super::rust::ident;
use super::super::types::requests;
use super::super::{Part, RustFile, docs, features, groups};
use super::{
    Crate, alternative_form_name, alternative_xml_name, alternatives_name, contract_name, form_name, reader_name,
    request_type,
};
use crate::model::{Body, BodyAlternative, Codec, Group, Operation, OperationId};

/// Returns `handlers.rs`:
///
/// ```text
/// pub struct Handlers<S>(S);
/// impl<S: Service> ::wireform_server::__private::Handlers for Handlers<S> {
///     const API: &'static Api = &requests::API;
///     const ROUTES: &'static [&'static [Route<Self>]] = &[Self::EVENTS];
/// }
/// ```
pub fn file(of: &Crate<'_>) -> RustFile {
    let places = OperationModules::of(of);
    let runs = super::all_runs(of);
    let listed = runs.iter().map(|(group, run)| {
        let (cfg, list) = (of.cfg(group), run.constant_prefix(group));
        quote!(#cfg Self::#list)
    });
    // With few groups some imports are unused.
    let allowed = features::allow_attribute(of.api(), "unused_imports");
    let unread = features::allow_attribute(of.api(), "dead_code");
    // Without routes, as where every operation is client only, only the table is there.
    let (boxed, own) = match runs.is_empty() {
        true => (None, quote!(Service, requests)),
        false => {
            (Some(quote! { #allowed use ::std::boxed::Box; }), quote!(Rules, Service, operations, requests, service))
        }
    };
    let items = boxed.into_iter().chain([
        quote! {
            #allowed
            use ::wireform_server::__private::{Route, operation};
        },
        quote! { #allowed use crate::{#own}; },
        quote! {
            #[doc = " Adapter from a service to the handlers of the API."]
            #[derive(Debug)]
            pub struct Handlers<S>(#unread pub(crate) S);
        },
        quote! {
            impl<S: Service> ::wireform_server::__private::Handlers for Handlers<S> {
                const API: &'static operation::Api = &requests::API;
                const ROUTES: &'static [&'static [Route<Self>]] = &[#(#listed),*];
            }
        },
    ]);
    let parts = runs.iter().map(|(group, run)| part(of, &places, (group, run))).collect();
    RustFile::with_parts(
        docs::inner_attribute("Dispatch from operations to the functions of a service."),
        items.collect(),
        parts,
    )
}

/// Returns the routes of a run:
///
/// ```text
/// impl<S: service::Events> crate::Handlers<S> {
///     pub(crate) const EVENTS: &'static [Route<Self>] = &[…];
/// }
/// ```
fn part(of: &Crate<'_>, places: &OperationModules<'_>, (group, run): (&Group, &Run)) -> Part {
    let (list, service) = (run.constant_prefix(group), ident(&group.service_trait));
    let routes = run.operations.iter().map(|id| route(of, places, *id));
    let doc = match group.path.is_empty() {
        true => "Routes of the operations without a group.".to_owned(),
        false => format!("Routes of {}.", docs::code_span(&groups::dotted_name(group))),
    };
    let doc = docs::line_attribute(&doc);
    let items = vec![quote! {
        impl<S: service::#service> crate::Handlers<S> {
            #doc
            pub(crate) const #list: &'static [Route<Self>] = &[#(#routes),*];
        }
    }];
    let attribute = features::attribute(of.api(), &of.api().features.group_gate(group));
    let modules = groups::modules(group).into_iter().chain(run.modules.iter().cloned());
    Part::new(modules.collect(), items).gated(attribute)
}

/// Returns a route: `Route::new(&operations::events::EVENTS_GET, |handlers, incoming| …)`
fn route(of: &Crate<'_>, places: &OperationModules<'_>, id: OperationId) -> TokenStream {
    let operation = of.api().operation(id);
    let (module, service) = (ident(&places.modules[id.0]), ident(&places.groups[id.0].service_trait));
    let (contract, method) = (contract_name(operation), ident(&operation.method.ident));
    let (request, reader) = (request_type(operation), reader_name(operation));
    let received = receive_request(operation, &module, &reader);
    let into_reply = of.api().requires_admission(id).then(|| quote!(.into_reply()));
    let response = if operation.has_list_entity_tag() { quote!(respond_list) } else { quote!(respond) };
    quote! {
        Route::new(&operations::#module::#contract, |handlers, incoming| {
            let (request, context) = #received;
            let response = async move {
                let reply = service::#service::#method(&handlers.0, *request, &context).await?;
                context.#response::<#request>(reply #into_reply)
            };
            Ok(Box::pin(response))
        })
    }
}

/// Returns the expression that receives a request: `incoming.receive_body(&Rules,
/// operations::events::read_events_insert)?`
fn receive_request(operation: &Operation, module: &Ident, reader: &Ident) -> TokenStream {
    let read = quote!(operations::#module::#reader);
    let Some(body) = &operation.body else { return quote!(incoming.receive(&Rules, #read)?) };
    if body.alternatives.is_empty() {
        let request = request_type(operation);
        let xml = quote!(<#request as ::wireform_server::wireform_runtime::Request>::BODY_XML);
        return receive(body, (body.required, module), (&form_name(operation), &xml), &read);
    }
    let (list, enumeration) = (alternatives_name(operation), ident(&operation.types.body));
    let arm = |(place, one): (usize, &BodyAlternative)| {
        let case = ident(&one.name.ident);
        let case = quote!(requests::#enumeration::#case);
        let made = if body.required { quote!(#case(body)) } else { quote!(body.map(#case)) };
        let read = quote!(|parameters, body| #read(parameters, #made));
        let (form, xml) = (alternative_form_name(operation, place), alternative_xml_name(operation, place));
        let xml = quote!(operations::#module::#xml());
        let received = receive(&one.body, (body.required, module), (&form, &xml), &read);
        // Other indices were rejected before.
        let place = Lit::usize_unsuffixed(place);
        let place = if place.to_string() == "0" { quote!(_) } else { quote!(#place) };
        quote!(#place => #received,)
    };
    // The first alternative is the last arm: it is the default for requests without a media type.
    let arms =
        body.alternatives.iter().enumerate().skip(1).chain(body.alternatives.iter().enumerate().take(1)).map(arm);
    quote! {
        match incoming.alternative(operations::#module::#list) { #(#arms)* }
    }
}

/// Returns the call that receives a body without alternatives.
fn receive(
    body: &Body,
    (required, module): (bool, &Ident),
    (form, xml): (&Ident, &TokenStream),
    read: &TokenStream,
) -> TokenStream {
    let receive = match (body.raw().is_some(), required) {
        (true, true) => quote!(receive_raw),
        (true, false) => quote!(receive_optional_raw),
        (false, true) => quote!(receive_body),
        (false, false) => quote!(receive_optional_body),
    };
    let parts = body.accepts_codec(Codec::Multipart).then(|| quote!(.multipart(operations::#module::#form())?));
    let form = body.accepts_codec(Codec::Form).then(|| quote!(.form(operations::#module::#form())?));
    let xml = body.accepts_codec(Codec::Xml).then(|| quote!(.xml(#xml)?));
    quote!(incoming #parts #form #xml.#receive(&Rules, #read)?)
}

/// Module and group of each operation, by index.
struct OperationModules<'a> {
    modules: Vec<String>,
    groups: Vec<&'a Group>,
}

impl<'a> OperationModules<'a> {
    /// Finds the module and the group of every operation of the API.
    fn of(of: &Crate<'a>) -> Self {
        let api = of.api();
        let mut places = Self {
            modules: vec![String::new(); api.operations.len()],
            groups: vec![&api.groups; api.operations.len()],
        };
        for (module, (_, ids)) in requests::modules(api) {
            for OperationId(index) in ids {
                places.modules[index].clone_from(&module);
            }
        }
        for group in groups::all_with_operations(api) {
            for OperationId(index) in &group.operations {
                places.groups[*index] = group;
            }
        }
        places
    }
}
