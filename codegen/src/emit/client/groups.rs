//! Groups of operations.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::rust::ident;
use super::super::{RustFile, docs};
use super::{Crate, calls, doubles};
use crate::model::Group;

/// ```text
/// pub struct Events { client: ::wireform_client::Client }
/// impl Events {
///     pub fn get(&self, …) -> GetCall { … }
/// }
/// ```
pub fn file(of: &Crate<'_>, group: &Group) -> RustFile {
    let name = ident(&group.type_name);
    let wire = path(group);
    let doc = format!(" Operations of {}.", docs::code(&wire));
    let modules = group.groups.iter().map(|inner| {
        let module = ident(&inner.module);
        quote! { pub mod #module; }
    });
    let accessors = accessors(group, &quote!(self));
    let methods = group.operations.iter().map(|id| calls::methods(of, of.rust.api.operation(*id)));
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
    items.push(quote! {
        impl #name {
            #[doc = " The operations of this group, by this client."]
            #[must_use]
            pub fn new(client: ::wireform_client::Client) -> Self {
                Self { client }
            }

            #(#accessors)*
            #(#methods)*
        }
    });
    items.extend(group.operations.iter().flat_map(|id| calls::items(of, of.rust.api.operation(*id))));
    items.extend(doubles::items(of, group));
    RustFile { head: docs::inner_line(&format!("Calls of {}.", docs::code(&wire))), items }
}

/// The name of a group in the schema.
pub fn path(group: &Group) -> String {
    group.path.iter().map(|name| name.wire.as_str()).collect::<Vec<_>>().join(".")
}

/// The methods that lead to the groups within a group.
pub fn accessors(group: &Group, module: &TokenStream) -> Vec<TokenStream> {
    let accessor = |inner: &Group| {
        let (method, inner_module, name) =
            (ident(&inner.path.last()?.ident), ident(&inner.module), ident(&inner.type_name));
        let doc = format!(" The operations of {}.", docs::code(&path(inner)));
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
