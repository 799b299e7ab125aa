//! `src/checked.rs`: validation of operations whose types are not known statically.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::Crate;
use crate::emit::groups::Run;
use crate::emit::rust::ident;
use crate::emit::types::requests;
use crate::emit::{Part, RustFile, docs, features, groups};
use crate::model::{FeatureGate, Group, Operation};

/// Returns `checked.rs`:
///
/// ```text
/// pub const OPERATIONS: &[&[OperationValidator<Rules>]] = &[EVENTS_VALIDATORS];
/// pub const EVENTS_VALIDATORS: &[OperationValidator<Rules>] = &[OperationValidator::request_and_response::<requests::EventsGet, types::Event>()];
/// ```
pub fn file(of: &Crate<'_>) -> RustFile {
    let all = groups::all_runs(of.api(), of.max_operations);
    let names = all.iter().map(|(group, run)| {
        let (cfg, name) = (features::cfg(of.api(), &gate(of, run)), name(group, run));
        quote!(#cfg #name)
    });
    let items = vec![
        quote! { use ::wireform_validation::__private::OperationValidator; },
        quote! {
            #[allow(unused_imports)]
            use crate::{Rules, requests, types};
        },
        quote! {
            #[doc = " Validators of all operations, by group."]
            pub const OPERATIONS: &[&[OperationValidator<Rules>]] = &[#(#names),*];
        },
    ];
    let part = |(group, run): &(&Group, Run)| {
        let attribute = features::attribute(of.api(), &gate(of, run));
        let modules = groups::modules(group).into_iter().chain(run.modules.iter().cloned());
        Part::new(modules.collect(), vec![list(of, group, run)]).gated(attribute)
    };
    let parts = all.iter().map(part).collect();
    RustFile::with_parts(docs::inner_attribute("Type-erased checks of requests and responses."), items, parts)
}

/// Returns the name of the constant with the validators of a run: `EVENTS_VALIDATORS`.
fn name(group: &Group, run: &Run) -> Ident {
    format_ident!("{}_VALIDATORS", run.constant_prefix(group))
}

/// Returns the gate of a run's list.
fn gate(of: &Crate<'_>, run: &Run) -> FeatureGate {
    features::requests_gate(of.api(), &run.operations)
}

/// Emits the constant with the validators of a run, each gated by the features of its operation.
fn list(of: &Crate<'_>, group: &Group, run: &Run) -> TokenStream {
    let name = name(group, run);
    let doc = match group.path.is_empty() {
        true => "Validators of the operations without a group.".to_owned(),
        false => format!("Validators of {}.", docs::code_span(&groups::dotted_name(group))),
    };
    let doc = docs::line_attribute(&doc);
    let all = gate(of, run);
    let entries = run.operations.iter().map(|id| {
        let own = of.api().request_gate(*id);
        let cfg = if *own == all { TokenStream::new() } else { features::cfg(of.api(), own) };
        let entry = entry(of, of.api().operation(*id));
        quote!(#cfg #entry)
    });
    quote! {
        #doc
        pub const #name: &[OperationValidator<Rules>] = &[#(#entries),*];
    }
}

/// Emits the validator of an operation's request, and of its response if that is a resource.
fn entry(of: &Crate<'_>, operation: &Operation) -> TokenStream {
    let request = ident(&operation.types.request);
    match requests::response_resource(of.api(), operation) {
        Some(response) => {
            let response = ident(&response.name.ident);
            quote!(OperationValidator::request_and_response::<requests::#request, types::#response>())
        }
        None => quote!(OperationValidator::request::<requests::#request>()),
    }
}
