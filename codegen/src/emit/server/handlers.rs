//! Which function answers which operation.

use proc_macro2::{Ident, Literal as Lit, TokenStream};
use quote::{format_ident, quote};

use super::super::groups::Run;
use super::super::rust::ident;
use super::super::types::requests;
use super::super::{Part, RustFile, docs, features, groups};
use super::{Crate, alternatives, contract, form, form_of_alternative, reader, request, xml_of_alternative};
use crate::model::{Body, BodyAlternative, Codec, Encoding, Group, Operation, OperationId, Type};

/// ```text
/// pub struct Handlers<S>(S);
/// impl<S: Service> ::wireform_server::Handlers for Handlers<S> {
///     const API: &'static Api = &requests::API;
///     const GROUPS: &'static [Group<Self>] = &[Group { contracts: EVENTS, uploads: &[], binary: &[], call: answer_events }];
/// }
/// ```
pub fn file(of: &Crate<'_>) -> RustFile {
    let places = Places::of(of);
    let runs = super::all_runs(of);
    // Entries of several lines would make a long file of hundreds of groups.
    let apart = runs.len() > of.most;
    let listed = runs.iter().map(|(group, run)| {
        let (cfg, entry) = (of.cfg(group), entry_name(group, run));
        let entry = if apart { quote!(#entry()) } else { entry_of(of, group, run) };
        quote!(#cfg #entry)
    });
    // Without groups there is little to answer with.
    let allowed = features::allowed(of.api(), "unused_imports");
    let unread = features::allowed(of.api(), "dead_code");
    let items = vec![
        quote! { #allowed use ::std::{boxed::Box, sync::Arc}; },
        quote! {
            #allowed
            use ::wireform_server::{Answering, Contract, Error, Group, Incoming, wireform_runtime::operation};
        },
        quote! { #allowed use crate::{Rules, Service, operations, requests, service}; },
        quote! {
            #[doc = " A service behind the operations of the API."]
            #[derive(Debug)]
            pub struct Handlers<S>(#unread pub(crate) S);
        },
        quote! {
            impl<S: Service> ::wireform_server::Handlers for Handlers<S> {
                const API: &'static operation::Api = &requests::API;
                const GROUPS: &'static [Group<Self>] = &[#(#listed),*];
            }
        },
    ];
    let parts = runs.iter().map(|(group, run)| part(of, &places, (group, run), apart)).collect();
    RustFile::of_parts(docs::inner_line("Which function answers which operation."), items, parts)
}

/// The media that operations take, by their places in the run.
fn uploads(of: &Crate<'_>, run: &Run) -> Vec<TokenStream> {
    let takes = |operation: &Operation| operation.media.iter().any(|media| media.ways().next().is_some());
    let operations = run.operations.iter().map(|id| of.api().operation(*id)).enumerate();
    operations
        .filter(|(_, operation)| takes(operation))
        .map(|(place, operation)| {
            let (place, request) = (Lit::usize_unsuffixed(place), request(operation));
            quote!((#place, <#request as ::wireform_server::wireform_runtime::Upload>::MEDIA))
        })
        .collect()
}

/// Returns the outermost members of JSON bodies that are binary data, by the places of their operations in the run.
fn binary(of: &Crate<'_>, run: &Run) -> Vec<TokenStream> {
    let operations = run.operations.iter().map(|id| of.api().operation(*id)).enumerate();
    operations
        .filter_map(|(place, operation)| {
            let body =
                operation.body.as_ref().filter(|body| body.takes(Codec::Json) && body.alternatives.is_empty())?;
            let Type::Resource(id) = &body.ty else { return None };
            let is_binary = |ty: &Type| matches!(ty, Type::Bytes(encoding) if *encoding != Encoding::File);
            let fields = of.api().resource(*id).fields.iter().filter(|field| is_binary(&field.ty));
            let names: Vec<&str> = fields.map(|field| field.name.wire.as_str()).collect();
            let place = Lit::usize_unsuffixed(place);
            (!names.is_empty()).then(|| quote!((#place, &[#(#names),*])))
        })
        .collect()
}

/// The function that answers the operations of a run: `answer_events`.
fn answer(group: &Group, run: &Run) -> Ident {
    format_ident!("answer_{}", run.constant(group).to_string().to_lowercase())
}

/// `Group { contracts: EVENTS, uploads: &[], binary: &[], call: answer_events }`
fn entry_of(of: &Crate<'_>, group: &Group, run: &Run) -> TokenStream {
    let (contracts, answer) = (run.constant(group), answer(group, run));
    let (uploads, binary) = (uploads(of, run), binary(of, run));
    quote!(Group { contracts: #contracts, uploads: &[#(#uploads),*], binary: &[#(#binary),*], call: #answer })
}

/// The function that makes the entry of a run: `group_of_events`.
fn entry_name(group: &Group, run: &Run) -> Ident {
    format_ident!("group_of_{}", run.constant(group).to_string().to_lowercase())
}

/// ```text
/// pub const EVENTS: &[&Contract] = &[&operations::events::EVENTS_GET];
/// pub fn answer_events<S: service::Events>(handlers: Arc<Handlers<S>>, operation: usize, incoming: Incoming) -> Answering { … }
/// ```
fn part(of: &Crate<'_>, places: &Places<'_>, (group, run): (&Group, &Run), apart: bool) -> Part {
    let (list, function, service) = (run.constant(group), answer(group, run), ident(&group.service));
    // Two lines stand between the name of the group and what its operations have in common.
    let named = (!run.modules.is_empty()).then(|| quote! { #[allow(non_snake_case)] });
    let operations = || run.operations.iter().map(|OperationId(index)| (*index, &of.api().operations[*index]));
    let contracts = operations().map(|(index, operation)| {
        let (module, name) = (ident(&places.modules[index]), contract(operation));
        quote!(&operations::#module::#name)
    });
    let arms = operations().enumerate().map(|(place, (index, operation))| arm(of, places, (place, index), operation));
    let doc = docs::line(&docs::code(&groups::path(group)));
    let doc = if group.path.is_empty() { docs::line("The operations in no group") } else { doc };
    let entry = apart.then(|| {
        let (name, entry) = (entry_name(group, run), entry_of(of, group, run));
        quote! {
            #doc
            #named
            #[must_use]
            pub const fn #name<S: service::#service>() -> Group<crate::Handlers<S>> {
                #entry
            }
        }
    });
    let items = vec![
        quote! {
            #doc
            pub const #list: &[&Contract] = &[#(#contracts),*];
        },
        quote! {
            #doc
            #named
            pub fn #function<S: service::#service>(
                handlers: Arc<crate::Handlers<S>>,
                operation: usize,
                incoming: Incoming,
            ) -> Answering {
                match operation {
                    #(#arms)*
                    _ => Box::pin(async { Err(Error::not_implemented("of that number")) }),
                }
            }
        },
    ];
    let items = items.into_iter().chain(entry).collect();
    let behind = features::attribute(of.api(), &of.api().features.of_group(group));
    let modules = groups::modules(of.api(), group).into_iter().chain(run.modules.iter().cloned());
    Part::new(modules.collect(), items).behind(behind)
}

fn arm(of: &Crate<'_>, places: &Places<'_>, (place, index): (usize, usize), operation: &Operation) -> TokenStream {
    let (module, service) = (ident(&places.modules[index]), ident(&places.groups[index].service));
    let (place, method) = (Lit::usize_unsuffixed(place), ident(&operation.method.ident));
    let (request, reader) = (request(operation), reader(operation));
    let received = received(operation, &module, &reader);
    let into_reply = of.api().is_admitted(OperationId(index)).then(|| quote!(.into_reply()));
    let answer = if operation.is_tagged_list() { quote!(answer_list) } else { quote!(answer) };
    quote! {
        #place => Box::pin(async move {
            let (request, context) = #received;
            let reply = service::#service::#method(&handlers.0, request, &context).await?;
            context.#answer::<#request>(reply #into_reply)
        }),
    }
}

/// `incoming.receive_body(&Rules, operations::events::read_events_insert)?`
fn received(operation: &Operation, module: &Ident, reader: &Ident) -> TokenStream {
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
        let (form, xml) = (form_of_alternative(operation, one), xml_of_alternative(operation, place));
        let xml = quote!(operations::#module::#xml());
        let received = receive(&one.body, (body.required, module), (&form, &xml), &read);
        // What is of none was refused before.
        let place = Lit::usize_unsuffixed(place);
        let place = if place.to_string() == "0" { quote!(_) } else { quote!(#place) };
        quote!(#place => #received,)
    };
    // The first stands last: it is what a request is that names no media type.
    let arms =
        body.alternatives.iter().enumerate().skip(1).chain(body.alternatives.iter().enumerate().take(1)).map(arm);
    quote! {
        match incoming.alternative(operations::#module::#list) { #(#arms)* }
    }
}

/// The call that receives a body without alternatives.
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

/// In which module and in which group each operation stands, by its index.
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
