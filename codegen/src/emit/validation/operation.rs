//! `src/operation.rs`: the operations with their indices in the rules.

use proc_macro2::{Ident, Literal as Lit, TokenStream};
use quote::{format_ident, quote};

use super::{Crate, operation_name};
use crate::emit::groups::Run;
use crate::emit::rust::ident;
use crate::emit::{Part, RustFile, docs, features, groups};
use crate::model::{Group, OperationId};

/// Returns `operation.rs`:
///
/// ```text
/// const OPERATIONS: &[&[(u16, &Operation)]] = &[EVENTS__OPERATIONS];
/// pub const fn request(operation: u16) -> ValidationContext<'static> { … }
/// pub const EVENTS_GET: u16 = 0;
/// pub(crate) const EVENTS__OPERATIONS: &[(u16, &Operation)] = &[(EVENTS_GET, <requests::EventsGet as Request>::OPERATION)];
/// ```
pub fn file(of: &Crate<'_>) -> RustFile {
    let all = groups::all_runs(of.api(), of.max_operations);
    let names = all.iter().map(|(group, run)| {
        let cfg = features::cfg(of.api(), &features::requests_gate(of.api(), &run.operations));
        let name = name(group, run);
        quote!(#cfg #name)
    });
    // With few features the lists can be empty.
    let allowed = of.api().features.has_group_features().then(|| quote! { #[allow(unused_imports)] });
    let items = vec![
        quote! {
            use ::wireform_validation::ValidationContext;
            #allowed
            use ::wireform_validation::wireform_runtime::Request;
            use ::wireform_validation::wireform_runtime::operation::Operation;
            #allowed
            use crate::requests;
        },
        quote! { const OPERATIONS: &[&[(u16, &Operation)]] = &[#(#names),*]; },
        quote! {
            #[doc = " Returns the context of a value in a request of the operation with this index."]
            #[must_use]
            pub const fn request(operation: u16) -> ValidationContext<'static> {
                ValidationContext::request_by_index(OPERATIONS, operation)
            }
        },
        quote! {
            #[doc = " Returns the context of a value in a response of the operation with this index."]
            #[must_use]
            pub const fn response(operation: u16) -> ValidationContext<'static> {
                ValidationContext::response_by_index(OPERATIONS, operation)
            }
        },
    ];
    let part = |(group, run): &(&Group, Run)| {
        let modules = groups::modules(group).into_iter().chain(run.modules.iter().cloned());
        Part::new(modules.collect(), vec![constants(of, run), list(of, name(group, run), run)])
    };
    RustFile::with_parts(
        docs::inner_attribute(
            "Operations as a context of validation: `Rules.validate(&event, operation::request(operation::EVENTS_INSERT))`.",
        ),
        items,
        all.iter().map(part).collect(),
    )
}

/// Returns the name of a run's list. It cannot collide with an operation, whose name has no two underscores in a row.
fn name(group: &Group, run: &Run) -> Ident {
    format_ident!("{}__OPERATIONS", run.constant_prefix(group))
}

/// Returns the indices of operations, which do not depend on the features.
fn constants(of: &Crate<'_>, run: &Run) -> TokenStream {
    let constants = run.operations.iter().map(|id| {
        let operation = of.api().operation(*id);
        let (name, index) = (operation_name(operation), index(*id));
        let doc = docs::line_attribute(&format!("Index of {} in the rules.", docs::code_span(&operation.name)));
        quote! { #doc pub const #name: u16 = #index; }
    });
    quote! { #(#constants)* }
}

/// Returns the list of a run's operations by index.
fn list(of: &Crate<'_>, name: Ident, run: &Run) -> TokenStream {
    let gate = features::requests_gate(of.api(), &run.operations);
    let mut operations = run.operations.clone();
    // Sorted for the binary search of the runtime.
    operations.sort_unstable();
    let entries = operations.iter().map(|id| {
        let cfg: TokenStream =
            features::part_attribute(of.api(), &gate, of.api().request_gate(*id)).parse().unwrap_or_default();
        let operation = of.api().operation(*id);
        let (name, request) = (operation_name(operation), ident(&operation.types.request));
        quote!(#cfg (#name, <requests::#request as Request>::OPERATION))
    });
    let cfg = features::cfg(of.api(), &gate);
    quote! {
        #cfg
        pub(crate) const #name: &[(u16, &Operation)] = &[#(#entries),*];
    }
}

/// Returns the index of an operation as a literal.
fn index(id: OperationId) -> Lit {
    Lit::usize_unsuffixed(id.0)
}
