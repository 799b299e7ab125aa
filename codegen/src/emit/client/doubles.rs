//! Doubles for unit tests: a trait a group, whose methods answer in the place of the service.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::super::rust::ident;
use super::super::types::requests;
use super::super::{docs, groups};
use super::Crate;
use crate::model::{Group, Operation};

/// ```text
/// #[cfg(feature = "fake")]
/// pub trait EventsFake: Send + Sync + 'static {
///     fn get(&self, request: &EventsGet) -> Result<Event, Failure> { Err(Failure::unanswered("events.get")) }
/// }
/// #[cfg(feature = "fake")]
/// impl Events {
///     pub fn fake(fake: Fake, group: impl EventsFake) -> Fake { fake.on(…) }
/// }
/// ```
pub fn items(of: &Crate<'_>, group: &Group) -> Vec<TokenStream> {
    if group.operations.is_empty() {
        return Vec::new();
    }
    let is_root = group.path.is_empty();
    let name = if is_root { "Client" } else { group.type_name.as_str() };
    let (target, double) = (ident(name), format_ident!("{name}Fake"));
    let what = if is_root { "the operations in no group".to_owned() } else { docs::code(&groups::path(group)) };
    let doc = format!(" Answers {what} in unit tests. What is not overridden fails, and says which it was.");
    let operations: Vec<&Operation> = group.operations.iter().map(|id| of.rust.api.operation(*id)).collect();
    let methods = operations.iter().map(|operation| method(of, operation));
    let handlers = operations.iter().map(|operation| {
        let (request, method) = (super::request(operation), ident(&operation.method.ident));
        quote! {
            .on({
                let group = ::std::sync::Arc::clone(&group);
                move |request: &#request| #double::#method(&*group, request)
            })
        }
    });
    vec![
        quote! {
            #[doc = #doc]
            #[cfg(feature = "fake")]
            pub trait #double: ::std::marker::Send + ::std::marker::Sync + 'static {
                #(#methods)*
            }
        },
        quote! {
            #[cfg(feature = "fake")]
            impl #target {
                #[doc = " Lets `group` answer all operations of this group."]
                #[must_use]
                pub fn fake(fake: ::wireform_client::fake::Fake, group: impl #double) -> ::wireform_client::fake::Fake {
                    let group = ::std::sync::Arc::new(group);
                    fake #(#handlers)*
                }
            }
        },
    ]
}

fn method(of: &Crate<'_>, operation: &Operation) -> TokenStream {
    let (request, method) = (super::request(operation), ident(&operation.method.ident));
    let answer = requests::answer_type(&of.rust, operation);
    let (name, result) = (&operation.name, &of.rust.result);
    let doc = format!(" Answers {}.", docs::code(name));
    quote! {
        #[doc = #doc]
        #[doc = ""]
        #[doc = " # Errors"]
        #[doc = " What the call is to fail with."]
        fn #method(&self, request: &#request) -> #result<#answer, ::wireform_client::fake::Failure> {
            let _ = request;
            Err(::wireform_client::fake::Failure::unanswered(#name))
        }
    }
}
