//! Groups of operations.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::groups as shared;
use super::super::groups::Run;
use super::super::rust::ident;
use super::super::{ImplBlock, Part, RustFile, docs, features};
use super::{Crate, calls, fakes, module_paths};
use crate::model::{Group, Operation};

/// Returns the file of a group:
///
/// ```text
/// pub struct Events { client: ::wireform_client::Client }
/// impl Events {
///     pub fn get(&self, …) -> GetCall { … }
/// }
/// ```
pub fn file(of: &Crate<'_>, group: &Group) -> RustFile {
    let name = ident(&group.type_name);
    let wire = shared::dotted_name(group);
    let doc = format!(" Operations of {}.", docs::code_span(&wire));
    let modules = modules(of, group);
    let accessors = accessors(of, group, &quote!(self));
    let mut items = Vec::new();
    items.extend((!group.operations.is_empty()).then(super::imports));
    if !group.groups.is_empty() {
        items.push(modules);
    }
    let unused = allow_unused(of, group);
    items.push(quote! {
        #[doc = #doc]
        #[derive(Clone, Debug)]
        pub struct #name {
            #unused
            client: ::wireform_client::Client,
        }
    });
    let own = quote! {
        #[doc = " Creates the group of operations on this client."]
        #[must_use]
        pub fn new(client: ::wireform_client::Client) -> Self {
            Self { client }
        }

        #(#accessors)*
    };
    RustFile {
        head: docs::inner_attribute(&format!("Calls of {}.", docs::code_span(&wire))),
        items,
        methods: Some(ImplBlock { target: group_type_path(group), name: quote!(#name), members_of_file: own }),
        parts: parts(of, group),
        tail: fakes::items(of, group),
    }
}

/// Returns the path of a group from the crate root.
fn group_type_path(group: &Group) -> TokenStream {
    let (module, name) = (module_paths::module_path(group), ident(&group.type_name));
    quote!(#module::#name)
}

/// Returns the calls of a group, each with the method that creates it. They have a module of their own next to those
/// of nested groups.
pub fn parts(of: &Crate<'_>, group: &Group) -> Vec<Part> {
    let mut module = "calls".to_owned();
    while group.groups.iter().any(|inner| inner.module() == module) {
        module.push('_');
    }
    let runs = shared::runs(of.rust.api, group, of.max_operations);
    let place = |run: &Run| -> Vec<String> { [&module].into_iter().chain(&run.modules).cloned().collect() };
    let part = |run: &Run, operation: &Operation| Part {
        modules: place(run).into_iter().chain([operation.method.ident.clone()]).collect(),
        members: calls::methods(of, operation),
        items: calls::items(of, operation),
        gate_attribute: String::new(),
    };
    let mut parts = Vec::new();
    for run in &runs {
        parts.extend(run.operations.iter().map(|id| part(run, of.rust.api.operation(*id))));
        if runs.len() > 1 {
            parts.push(Part::new(place(run), fakes::run_items(of, group, run)));
        }
    }
    parts
}

/// Returns the modules of nested groups.
pub fn modules(of: &Crate<'_>, group: &Group) -> TokenStream {
    let module = |inner: &Group| {
        let (cfg, module) = (cfg(of, inner), ident(inner.module()));
        quote! { #cfg pub mod #module; }
    };
    group.groups.iter().map(module).collect()
}

/// Returns an attribute for a group without direct operations, which is unused if all nested groups are left out.
fn allow_unused(of: &Crate<'_>, group: &Group) -> Option<TokenStream> {
    features::allow_attribute(of.rust.api, "dead_code").filter(|_| group.operations.is_empty())
}

/// Returns the `cfg` attribute of a group.
fn cfg(of: &Crate<'_>, group: &Group) -> TokenStream {
    let api = of.rust.api;
    features::cfg(api, &api.features.group_gate(group))
}

/// Returns the accessors of nested groups.
pub fn accessors(of: &Crate<'_>, group: &Group, module: &TokenStream) -> Vec<TokenStream> {
    let accessor = |inner: &Group| {
        let (method, inner_module, name) =
            (ident(&inner.path.last()?.ident), ident(inner.module()), ident(&inner.type_name));
        let doc = format!(" Returns the operations of {}.", docs::code_span(&shared::dotted_name(inner)));
        let cfg = cfg(of, inner);
        Some(quote! {
            #[doc = #doc]
            #cfg
            #[must_use]
            pub fn #method(&self) -> #module::#inner_module::#name {
                #module::#inner_module::#name::new(self.client.clone())
            }
        })
    };
    group.groups.iter().filter_map(accessor).collect()
}
