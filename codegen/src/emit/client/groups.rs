//! Groups of operations.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::groups as shared;
use super::super::rust::ident;
use super::super::{Methods, Part, RustFile, docs};
use super::{Crate, calls, doubles};
use crate::model::{Api, Group, Operation};

/// ```text
/// pub struct Events { client: ::wireform_client::Client }
/// impl Events {
///     pub fn get(&self, …) -> GetCall { … }
/// }
/// ```
pub fn file(of: &Crate<'_>, group: &Group) -> RustFile {
    let name = ident(&group.type_name);
    let wire = shared::path(group);
    let doc = format!(" Operations of {}.", docs::code(&wire));
    let modules = group.groups.iter().map(|inner| {
        let module = ident(&inner.module);
        quote! { pub mod #module; }
    });
    let accessors = accessors(group, &quote!(self));
    let mut items = Vec::new();
    items.extend((!group.operations.is_empty()).then(super::imports));
    if !group.groups.is_empty() {
        items.push(quote! { #(#modules)* });
    }
    items.push(quote! {
        #[doc = #doc]
        #[derive(Clone, Debug)]
        pub struct #name {
            client: ::wireform_client::Client,
        }
    });
    let own = quote! {
        #[doc = " The operations of this group, by this client."]
        #[must_use]
        pub fn new(client: ::wireform_client::Client) -> Self {
            Self { client }
        }

        #(#accessors)*
    };
    RustFile {
        head: docs::inner_line(&format!("Calls of {}.", docs::code(&wire))),
        items,
        methods: Some(Methods { target: target(of.rust.api, group), name: quote!(#name), own }),
        parts: parts(of, group),
        tail: doubles::items(of, group),
    }
}

/// A group by its path from the crate.
fn target(api: &Api, group: &Group) -> TokenStream {
    let modules = shared::modules(api, group);
    let modules = modules.iter().map(|module| ident(module));
    let name = ident(&group.type_name);
    quote!(crate #(::#modules)* ::#name)
}

/// The calls of a group, each with the method that makes it. Beside the modules of groups they have one of their own.
pub fn parts(of: &Crate<'_>, group: &Group) -> Vec<Part> {
    let mut module = "calls".to_owned();
    while group.groups.iter().any(|inner| inner.module == module) {
        module.push('_');
    }
    let part = |operation: &Operation| Part {
        modules: vec![module.clone(), operation.method.ident.clone()],
        members: calls::methods(of, operation),
        items: calls::items(of, operation),
    };
    group.operations.iter().map(|id| part(of.rust.api.operation(*id))).collect()
}

/// The methods that lead to the groups within a group.
pub fn accessors(group: &Group, module: &TokenStream) -> Vec<TokenStream> {
    let accessor = |inner: &Group| {
        let (method, inner_module, name) =
            (ident(&inner.path.last()?.ident), ident(&inner.module), ident(&inner.type_name));
        let doc = format!(" The operations of {}.", docs::code(&shared::path(inner)));
        Some(quote! {
            #[doc = #doc]
            #[must_use]
            pub fn #method(&self) -> #module::#inner_module::#name {
                #module::#inner_module::#name::new(self.client.clone())
            }
        })
    };
    group.groups.iter().filter_map(accessor).collect()
}
