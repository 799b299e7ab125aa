//! Which function answers which operation.

use proc_macro2::{Literal as Lit, TokenStream};
use quote::quote;

use super::super::rust::ident;
use super::super::types::requests;
use super::super::{RustFile, docs};
use super::{Crate, answering, contract, form, outermost, reader, request};
use crate::model::{Codec, Group, Operation, OperationId};

/// ```text
/// pub struct Handlers<S>(S);
/// impl<S: Service> ::wireform_server::Handlers for Handlers<S> {
///     const API: &'static Api = &requests::API;
///     const CONTRACTS: &'static [&'static Contract] = &[&operations::events::EVENTS_GET];
///     fn call(self: Arc<Self>, operation: usize, incoming: Incoming) -> Pin<Box<dyn Future<Output = Outcome> + Send>> { … }
/// }
/// ```
pub fn file(of: &Crate<'_>) -> RustFile {
    let places = Places::of(of);
    let contracts = (0..of.api().operations.len()).map(|index| {
        let (module, name) = (ident(&places.modules[index]), contract(&of.api().operations[index]));
        quote!(&operations::#module::#name)
    });
    let uploads = uploads(of);
    let arms = of.api().operations.iter().enumerate().map(|(index, operation)| arm(&places, index, operation));
    RustFile {
        head: docs::inner_line("Which function answers which operation."),
        items: vec![
            quote! {
                use ::std::boxed::Box;
                use ::std::future::Future;
                use ::std::pin::Pin;
                use ::std::sync::Arc;
            },
            quote! {
                use ::wireform_server::{Contract, Error, Incoming, Outcome, wireform_runtime::operation};
            },
            quote! { use crate::{Rules, Service, operations, requests, service}; },
            quote! {
                #[doc = " A service behind the operations of the API."]
                #[derive(Debug)]
                pub struct Handlers<S>(pub(crate) S);
            },
            quote! {
                impl<S: Service> ::wireform_server::Handlers for Handlers<S> {
                    const API: &'static operation::Api = &requests::API;
                    const CONTRACTS: &'static [&'static Contract] = &[#(#contracts),*];
                    #uploads

                    fn call(
                        self: Arc<Self>,
                        operation: usize,
                        incoming: Incoming,
                    ) -> Pin<Box<dyn Future<Output = Outcome> + ::std::marker::Send>> {
                        match operation {
                            #(#arms)*
                            _ => Box::pin(async { Err(Error::not_implemented("of that number")) }),
                        }
                    }
                }
            },
        ],
        ..RustFile::default()
    }
}

/// `const UPLOADS`, where operations take media.
fn uploads(of: &Crate<'_>) -> Option<TokenStream> {
    let operations = of.api().operations.iter().enumerate();
    let takes = |operation: &Operation| operation.media.iter().any(|media| media.ways().next().is_some());
    let uploads: Vec<TokenStream> = operations
        .filter(|(_, operation)| takes(operation))
        .map(|(index, operation)| {
            let (place, request) = (Lit::usize_unsuffixed(index), request(operation));
            quote!((#place, <#request as ::wireform_server::wireform_runtime::Upload>::MEDIA))
        })
        .collect();
    (!uploads.is_empty()).then(|| {
        quote! {
            const UPLOADS: &'static [(usize, &'static operation::Media)] = &[#(#uploads),*];
        }
    })
}

fn arm(places: &Places<'_>, index: usize, operation: &Operation) -> TokenStream {
    let (module, service) = (ident(&places.modules[index]), ident(&places.groups[index].service));
    let (place, method) = (Lit::usize_unsuffixed(index), ident(&operation.method.ident));
    let (request, reader) = (request(operation), reader(operation));
    let receive = match &operation.body {
        None => quote!(receive),
        Some(body) if body.raw().is_some() => {
            if body.required {
                quote!(receive_raw)
            } else {
                quote!(receive_optional_raw)
            }
        }
        Some(body) if body.required => quote!(receive_body),
        Some(_) => quote!(receive_optional_body),
    };
    let takes = |codec| operation.body.as_ref().is_some_and(|body| body.takes(codec));
    let form = form(operation);
    let parts = takes(Codec::Multipart).then(|| quote!(.multipart(operations::#module::#form()).await?));
    let form = takes(Codec::Form).then(|| quote!(.form(operations::#module::#form())?));
    quote! {
        #place => Box::pin(async move {
            let (request, context) = incoming #parts #form.#receive(&Rules, operations::#module::#reader)?;
            let reply = service::#service::#method(&self.0, request, &context).await?;
            context.answer::<#request>(reply)
        }),
    }
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
        for group in outermost(api).into_iter().flat_map(|(_, group)| answering(api, group)) {
            for OperationId(index) in &group.operations {
                places.groups[*index] = group;
            }
        }
        places
    }
}
