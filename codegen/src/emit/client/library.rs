//! `lib.rs` and `client.rs`.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::groups as shared;
use super::super::rust::ident;
use super::super::{ImplBlock, Part, RustFile, docs, features};
use super::{Crate, credentials, documentation, fakes, groups};
use crate::model::{Endpoint, Operation};

/// Generates `lib.rs` of the client crate:
///
/// ```text
/// //! Calendar events, v3: client.
/// mod client;
/// pub mod events;
/// pub use self::client::Client;
/// pub type Error = ::wireform_client::Error<::calendar_types::ErrorResponse>;
/// ```
pub fn lib(of: &Crate<'_>) -> RustFile {
    let modules = groups::modules(of, &of.rust.api.groups);
    let types = &of.types;
    let error_body = match of.rust.api.error_body {
        Some(id) => {
            let name = ident(&of.rust.api.resource(id).name.ident);
            quote!(#types::#name)
        }
        None => quote!(::wireform_client::wire::Value),
    };
    RustFile {
        head: head(of),
        items: vec![
            quote! { mod client; #modules },
            exports(of),
            quote! {
                #[doc = " Error of a call."]
                pub type Error = ::wireform_client::Error<#error_body>;
            },
            endpoints(of),
            scopes(of),
            quote! {
                #[doc = " Creates a fake service for unit tests, whose operations are handled by closures; `fake.client::<Client>()` returns a client of it."]
                #[cfg(feature = "fake")]
                #[must_use]
                pub fn fake() -> ::wireform_client::fake::Fake {
                    ::wireform_client::fake::Fake::new(&#types::requests::API)
                }
            },
        ],
        ..RustFile::default()
    }
}

/// Returns the re-exports: the client, field constants, requests, types, rules and the client library.
fn exports(of: &Crate<'_>) -> TokenStream {
    let (types, validation) = (&of.types, &of.validation);
    // Calls without a group are exported at the crate root, since they have no module.
    let client = if of.rust.api.groups.operations.is_empty() {
        quote! { pub use self::client::Client; }
    } else {
        quote! { pub use self::client::*; }
    };
    quote! {
        #client
        #[doc = " Field selections for partial responses."]
        pub use #types::fields;
        #[doc = " Request types: the parameters and the body of each operation."]
        pub use #types::requests;
        #[doc = " Validation rules of the API: `Client::builder().validation(validation::Rules, Tier::Deny)`."]
        #[cfg(feature = "validation")]
        pub use #validation as validation;
        #[doc = " Data types of the API."]
        pub use #types as types;
        #[doc = " Runtime of the client: credentials, transports, policies, errors."]
        pub use ::wireform_client as runtime;
    }
}

/// Returns the constants of further endpoints:
///
/// ```text
/// pub mod endpoints {
///     pub const US_CENTRAL1: &str = "https://us-central1.example.com";
/// }
/// ```
fn endpoints(of: &Crate<'_>) -> TokenStream {
    let endpoints = &of.rust.api.endpoints;
    let Some(first) = endpoints.first() else { return TokenStream::new() };
    let constants = endpoints.iter().map(|endpoint| {
        let (name, url) = (ident(&endpoint_constant(endpoint)), &endpoint.url);
        let doc = docs::paragraph(&endpoint.doc);
        let doc = format!(" {}", if doc.is_empty() { docs::code_span(&endpoint.name.wire) } else { doc });
        quote! {
            #[doc = #doc]
            pub const #name: &str = #url;
        }
    });
    let doc = format!(
        " Alternative base URLs of the API: `Client::builder().base_url(endpoints::{})`. `endpoint` looks one up by a name that is known at run time.",
        endpoint_constant(first)
    );
    quote! {
        #[doc = #doc]
        pub mod endpoints { #(#constants)* }
    }
}

fn endpoint_constant(endpoint: &Endpoint) -> String {
    endpoint.name.ident.trim_start_matches("r#").to_uppercase()
}

/// Returns the function that computes the minimal scopes; its example uses the first operation.
fn scopes(of: &Crate<'_>) -> TokenStream {
    let (types, name) = (&of.types, &of.name);
    let shown = of.rust.api.operations.first();
    let first = shown.map_or("", |operation| operation.types.request.as_str());
    let (use_line, call) = (
        format!(" use {name}::{{requests, runtime::Request as _}};"),
        format!(" let scopes = {name}::scopes(&[requests::{first}::OPERATION]);"),
    );
    let (open, close) = match shown.map(|operation| hidden_cfg(of, operation)).filter(|line| !line.is_empty()) {
        Some(gate) => (Some(format!(" {gate} {{")), Some(" # }")),
        None => (None, None),
    };
    let lines = [&use_line, "", &call, " # let _ = scopes;"];
    let lines = open.as_deref().into_iter().chain(lines).chain(close);
    let example = ["", " ```"].into_iter().chain(lines).chain([" ```"]).map(|line| quote! { #[doc = #line] });
    quote! {
        #[doc = " Returns the smallest set of scopes that allows all of these operations, preferring the least privileged."]
        #(#example)*
        #[must_use]
        pub fn scopes(
            operations: &[&'static ::wireform_client::wire::operation::Operation],
        ) -> ::std::vec::Vec<&'static ::wireform_client::wire::operation::Scope> {
            ::wireform_client::scopes::smallest(&#types::requests::API, operations, #types::requests::OPERATIONS)
        }
    }
}

/// Returns a hidden line that gates an example like its operation: `# #[cfg(feature = "events")]`.
fn hidden_cfg(of: &Crate<'_>, operation: &Operation) -> String {
    let api = of.rust.api;
    let group = shared::all_with_operations(api)
        .into_iter()
        .find(|group| group.operations.iter().any(|id| std::ptr::eq(api.operation(*id), operation)));
    let gate = group.map(|group| api.features.group_gate(group)).unwrap_or_default();
    let line = features::attribute(api, &gate);
    if line.is_empty() { line } else { format!("# {}", line.trim_end()) }
}

/// Emits the head of `lib.rs`: the documentation of the crate with an example, and the crate's lint attributes.
fn head(of: &Crate<'_>) -> TokenStream {
    let api = of.rust.api;
    let mut lines =
        vec![format!("{}, {}: client.", docs::paragraph(&api.title), docs::paragraph(&api.version)), String::new()];
    let doc = docs::markdown(&api.doc);
    if !doc.is_empty() {
        lines.extend([doc, String::new()]);
    }
    lines.push(
        "A [`Client`] has a method for each group of operations. An operation returns a call: set its optional parameters, then send it:"
            .to_owned(),
    );
    lines.extend([String::new(), "```no_run".to_owned()]);
    let shown = api.operations.iter().find(|operation| operation.safe).or(api.operations.first());
    let given = shown.map(|operation| documentation::example_parameters(of, operation)).unwrap_or_default();
    let given = given.trim_start_matches(", ");
    lines.extend(shown.map(|operation| hidden_cfg(of, operation)).filter(|line| !line.is_empty()));
    lines.push(format!("# async fn example({given}) -> Result<(), Box<dyn std::error::Error>> {{"));
    let credentials = credentials::example_credentials(api, shown);
    let used = if credentials.is_some() { "{Client, runtime::Credentials}" } else { "Client" };
    lines.push(format!("use {}::{used};", of.name));
    let address = if api.root.is_some() { "" } else { ".base_url(\"https://api.example.com\")" };
    let credentials = credentials.map_or_else(String::new, |credentials| format!(".credentials({credentials})"));
    let client = format!("let client: Client = Client::builder(){address}{credentials}.build()?;");
    lines.extend([String::new(), client]);
    lines.extend(shown.map(|operation| documentation::example_statement(of, operation)));
    lines.extend(["# Ok(())".to_owned(), "# }".to_owned(), "```".to_owned()]);
    lines.extend(features::feature_docs(api));
    let lines = lines.iter().map(|line| docs::inner_attribute(line));
    quote! {
        #(#lines)*
        #![forbid(unsafe_code)]
        #![allow(deprecated, clippy::module_inception, clippy::should_implement_trait, clippy::too_many_arguments, clippy::wrong_self_convention)]
    }
}

/// Returns `pub fn batch(&self) -> ::wireform_client::Batch`, unless a group or an operation has that name;
/// `Batch::new` is equivalent.
fn batch(of: &Crate<'_>) -> Option<TokenStream> {
    let api = of.rust.api;
    let max = api.batch.as_ref()?.max;
    let groups = api.groups.groups.iter().filter_map(|group| group.path.last());
    let operations = api.groups.operations.iter().map(|id| &api.operation(*id).method);
    if groups.chain(operations).any(|name| name.ident == "batch") {
        return None;
    }
    let doc = format!(" Creates a batch: up to {max} calls in one HTTP request, each with its own response.");
    Some(quote! {
        #[doc = #doc]
        pub fn batch(&self) -> ::wireform_client::Batch {
            ::wireform_client::Batch::new(&self.client)
        }
    })
}

/// Returns `client.rs`:
///
/// ```text
/// pub struct Client { client: ::wireform_client::Client }
/// impl Client {
///     pub fn events(&self) -> crate::events::Events { … }
/// }
/// ```
pub fn client(of: &Crate<'_>) -> RustFile {
    let root = &of.rust.api.groups;
    let doc = format!(
        " Client of {}. Cloning is cheap, and clones share their connections.",
        docs::paragraph(&of.rust.api.title)
    );
    let items = vec![
        if root.operations.is_empty() {
            quote! { use crate::requests; }
        } else {
            super::imports()
        },
        quote! {
            #[doc = #doc]
            #[derive(Clone, Debug)]
            pub struct Client {
                client: ::wireform_client::Client,
            }
        },
    ];
    let from = quote! {
            impl ::std::convert::From<::wireform_client::Client> for Client {
                fn from(client: ::wireform_client::Client) -> Self {
                    Self { client }
                }
            }
    };
    let mut parts = vec![Part::new(Vec::new(), vec![from])];
    parts.extend(groups::parts(of, root));
    RustFile {
        head: docs::inner_attribute("The client, and the calls of operations without a group."),
        items,
        methods: Some(ImplBlock {
            target: quote!(crate::client::Client),
            name: quote!(Client),
            members_of_file: client_methods(of),
        }),
        parts,
        tail: fakes::items(of, root),
    }
}

/// Returns the constructors of the client and the accessors of groups.
fn client_methods(of: &Crate<'_>) -> TokenStream {
    let (result, into) = (&of.rust.result, &of.rust.into);
    let accessors = groups::accessors(of, &of.rust.api.groups, &quote!(crate));
    let batch = batch(of);
    quote! {
        #[doc = " Creates a client of the public service with these credentials and default settings. It uses the"]
        #[doc = " names of the specification: if those of the service differ, build it with `Names::Public`."]
        #[doc = ""]
        #[doc = " # Errors"]
        #[doc = " Returns an error if the API has no public URL, or the credentials cannot be used with it."]
        #[cfg(any(feature = "sockets", feature = "reqwest"))]
        pub fn new(
            credentials: impl #into<::wireform_client::Credentials>,
        ) -> #result<Self, ::wireform_client::BuildError> {
            Self::builder().credentials(credentials).build()
        }

        #[doc = " Returns a builder, to set the base URL, credentials, transport and policies."]
        pub fn builder() -> ::wireform_client::Builder<Self> {
            ::wireform_client::Builder::new(&requests::API)
        }

        #[doc = " Returns the runtime client that sends the calls."]
        #[must_use]
        pub fn runtime(&self) -> &::wireform_client::Client {
            &self.client
        }

        #batch
        #(#accessors)*
    }
}
