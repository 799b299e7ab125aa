//! Dispatch from operations to the functions of a service.

use proc_macro2::{Ident, Literal as Lit, TokenStream};
use quote::quote;

use super::super::groups::Run;
use super::super::rust::ident;
use super::super::types::requests;
use super::super::{Part, RustFile, docs, features, groups};
use super::{Crate, alternatives, contract, form, form_of_alternative, reader, request, xml_of_alternative};
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
    let places = Places::of(of);
    let runs = super::all_runs(of);
    let listed = runs.iter().map(|(group, run)| {
        let (cfg, list) = (of.cfg(group), run.constant(group));
        quote!(#cfg Self::#list)
    });
    // With few groups some imports are unused.
    let allowed = features::allowed(of.api(), "unused_imports");
    let unread = features::allowed(of.api(), "dead_code");
    let items = vec![
        quote! { #allowed use ::std::boxed::Box; },
        quote! {
            #allowed
            use ::wireform_server::__private::{Route, operation};
        },
        quote! { #allowed use crate::{Rules, Service, operations, requests, service}; },
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
    ];
    let parts = runs.iter().map(|(group, run)| part(of, &places, (group, run))).collect();
    RustFile::of_parts(docs::inner_line("Dispatch from operations to the functions of a service."), items, parts)
}

/// Returns the routes of a run:
///
/// ```text
/// impl<S: service::Events> crate::Handlers<S> {
///     pub(crate) const EVENTS: &'static [Route<Self>] = &[…];
/// }
/// ```
fn part(of: &Crate<'_>, places: &Places<'_>, (group, run): (&Group, &Run)) -> Part {
    let (list, service) = (run.constant(group), ident(&group.service));
    let routes = run.operations.iter().map(|id| route(of, places, *id));
    let doc = docs::line(&docs::code(&groups::path(group)));
    let doc = if group.path.is_empty() { docs::line("The operations in no group") } else { doc };
    let items = vec![quote! {
        impl<S: service::#service> crate::Handlers<S> {
            #doc
            pub(crate) const #list: &'static [Route<Self>] = &[#(#routes),*];
        }
    }];
    let behind = features::attribute(of.api(), &of.api().features.of_group(group));
    let modules = groups::modules(of.api(), group).into_iter().chain(run.modules.iter().cloned());
    Part::new(modules.collect(), items).behind(behind)
}

/// Returns a route: `Route::new(&operations::events::EVENTS_GET, |handlers, incoming| …)`
fn route(of: &Crate<'_>, places: &Places<'_>, id: OperationId) -> TokenStream {
    let operation = of.api().operation(id);
    let (module, service) = (ident(&places.modules[id.0]), ident(&places.groups[id.0].service));
    let (contract, method) = (contract(operation), ident(&operation.method.ident));
    let (request, reader) = (request(operation), reader(operation));
    let received = receive_request(operation, &module, &reader);
    let into_reply = of.api().is_admitted(id).then(|| quote!(.into_reply()));
    let answer = if operation.is_tagged_list() { quote!(answer_list) } else { quote!(answer) };
    quote! {
        Route::new(&operations::#module::#contract, |handlers, incoming| Box::pin(async move {
            let (request, context) = #received;
            let reply = service::#service::#method(&handlers.0, request, &context).await?;
            context.#answer::<#request>(reply #into_reply)
        }))
    }
}

/// Returns the expression that receives a request: `incoming.receive_body(&Rules,
/// operations::events::read_events_insert)?`
fn receive_request(operation: &Operation, module: &Ident, reader: &Ident) -> TokenStream {
    let read = quote!(operations::#module::#reader);
    let Some(body) = &operation.body else { return quote!(incoming.receive(&Rules, #read)?) };
    if body.alternatives.is_empty() {
        let request = request(operation);
        let xml = quote!(<#request as ::wireform_server::wireform_runtime::Request>::BODY_XML);
        return receive(body, (body.required, module), (&form(operation), &xml), &read);
    }
    let (list, enumeration) = (alternatives(operation), ident(&operation.types.body));
    let arm = |(place, one): (usize, &BodyAlternative)| {
        let case = ident(&one.name.ident);
        let case = quote!(requests::#enumeration::#case);
        let made = if body.required { quote!(#case(body)) } else { quote!(body.map(#case)) };
        let read = quote!(|parameters, body| #read(parameters, #made));
        let (form, xml) = (form_of_alternative(operation, place), xml_of_alternative(operation, place));
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
    let parts = body.takes(Codec::Multipart).then(|| quote!(.multipart(operations::#module::#form())?));
    let form = body.takes(Codec::Form).then(|| quote!(.form(operations::#module::#form())?));
    let xml = body.takes(Codec::Xml).then(|| quote!(.xml(#xml)?));
    quote!(incoming #parts #form #xml.#receive(&Rules, #read)?)
}

/// Module and group of each operation, by index.
struct Places<'a> {
    modules: Vec<String>,
    groups: Vec<&'a Group>,
}

impl<'a> Places<'a> {
    fn of(of: &Crate<'a>) -> Self {
        let api = of.api();
        let mut places = Self {
            modules: vec![String::new(); api.operations.len()],
            groups: vec![&api.groups; api.operations.len()],
        };
        for (module, ids) in requests::modules(api) {
            for OperationId(index) in ids {
                places.modules[index].clone_from(&module);
            }
        }
        for group in groups::all(api) {
            for OperationId(index) in &group.operations {
                places.groups[*index] = group;
            }
        }
        places
    }
}
