//! Fakes for tests: a trait for each group, whose methods respond in place of the service.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::super::groups::Run;
use super::super::rust::ident;
use super::super::types::requests;
use super::super::{docs, groups};
use super::Crate;
use crate::model::{Group, Operation};

/// Returns the trait of a group and its registration:
///
/// ```text
/// #[cfg(feature = "fake")]
/// pub trait EventsFake: Send + Sync + 'static {
///     fn get(&self, request: &EventsGet) -> Result<Event, Failure> { Err(Failure::no_handler("events.get")) }
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
    let (target, double) = (ident(name), fake_trait(group));
    let what =
        if is_root { "the operations in no group".to_owned() } else { docs::code_span(&groups::dotted_name(group)) };
    let doc =
        format!(" Fake of {what} for unit tests. A call that is not overridden fails with the name of its operation.");
    let runs = groups::runs(of.rust.api, group, of.max_operations);
    let (methods, handlers) = match runs.as_slice() {
        [whole] => (methods(of, whole), handlers(of, &quote!(#double), &quote!(&group), whole)),
        runs => {
            let macros = runs.iter().map(|run| methods_macro_name(group, run));
            let functions: Vec<Ident> = runs.iter().map(handlers_name).collect();
            let (last, before) = functions.split_last().map_or((None, &[][..]), |(last, before)| (Some(last), before));
            (quote! { #(#macros!();)* }, quote! { #(let fake = #before(fake, &group);)* #last(fake, &group) })
        }
    };
    vec![
        quote! {
            #[doc = #doc]
            #[cfg(feature = "fake")]
            pub trait #double: ::std::marker::Send + ::std::marker::Sync + 'static {
                #methods
            }
        },
        quote! {
            #[cfg(feature = "fake")]
            impl #target {
                #[doc = " Installs `group` as the fake of every operation of this group."]
                #[must_use]
                pub fn fake(fake: ::wireform_client::fake::Fake, group: impl #double) -> ::wireform_client::fake::Fake {
                    let group = ::std::sync::Arc::new(group);
                    #handlers
                }
            }
        },
    ]
}

/// Returns the items of a run, if the group has several, for the trait and the function, which cannot be split into
/// files.
///
/// ```text
/// #[cfg(feature = "fake")]
/// macro_rules! events__list_doubles { () => { fn list(&self, …) … } }
/// #[cfg(feature = "fake")]
/// pub(crate) fn doubles_of_list<G: EventsFake>(fake: Fake, group: &Arc<G>) -> Fake { fake.on(…) }
/// ```
pub fn run_items(of: &Crate<'_>, group: &Group, run: &Run) -> Vec<TokenStream> {
    let (module, double) = (super::module_paths::module_path(group), fake_trait(group));
    let (name, function) = (methods_macro_name(group, run), handlers_name(run));
    let (methods, handlers) = (methods(of, run), handlers(of, &quote!(G), &quote!(group), run));
    vec![
        quote! {
            #[cfg(feature = "fake")]
            macro_rules! #name { () => { #methods }; }
        },
        quote! {
            #[cfg(feature = "fake")]
            pub(crate) fn #function<G: #module::#double>(
                fake: ::wireform_client::fake::Fake,
                group: &::std::sync::Arc<G>,
            ) -> ::wireform_client::fake::Fake {
                #handlers
            }
        },
    ]
}

fn methods_macro_name(group: &Group, run: &Run) -> Ident {
    format_ident!("{}_doubles", run.constant_prefix(group).to_string().to_lowercase())
}

fn handlers_name(run: &Run) -> Ident {
    format_ident!("doubles_of_{}", run.common_words())
}

/// Returns the name of the trait: `EventsFake`.
fn fake_trait(group: &Group) -> Ident {
    let name = if group.path.is_empty() { "Client" } else { group.type_name.as_str() };
    format_ident!("{name}Fake")
}

/// Emits the methods of a fake trait for the operations of a run.
fn methods(of: &Crate<'_>, run: &Run) -> TokenStream {
    run.operations.iter().map(|id| method(of, of.rust.api.operation(*id))).collect()
}

/// Returns the registration of handlers: `fake.on({ … }).on({ … })`
fn handlers(of: &Crate<'_>, double: &TokenStream, group: &TokenStream, run: &Run) -> TokenStream {
    let handlers = run.operations.iter().map(|id| of.rust.api.operation(*id)).map(|operation| {
        let (request, method) = (super::request_type(operation), ident(&operation.method.ident));
        quote! {
            .on({
                let group = ::std::sync::Arc::clone(#group);
                move |request: &#request| #double::#method(&*group, request)
            })
        }
    });
    quote! { fake #(#handlers)* }
}

/// Emits the method of a fake that handles one operation; by default it fails, because no handler is set.
fn method(of: &Crate<'_>, operation: &Operation) -> TokenStream {
    let (request, method) = (super::request_type(operation), ident(&operation.method.ident));
    let response = requests::rust_response_type(&of.rust, operation);
    let (name, result) = (&operation.name, &of.rust.result);
    let doc = format!(" Handles {}.", docs::code_span(name));
    quote! {
        #[doc = #doc]
        #[doc = ""]
        #[doc = " # Errors"]
        #[doc = " Returns the error that the call should return."]
        fn #method(&self, request: &#request) -> #result<#response, ::wireform_client::fake::Failure> {
            let _ = request;
            Err(::wireform_client::fake::Failure::no_handler(#name))
        }
    }
}
