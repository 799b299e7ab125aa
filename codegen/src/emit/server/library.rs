//! `lib.rs`.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::rust::ident;
use super::super::types::requests;
use super::super::{RustFile, docs, features, groups};
use super::Crate;
use crate::model::{Group, Operation, OperationId, Type};

/// Generates `lib.rs` of the server crate:
///
/// ```text
/// //! Calendar events, v3: server.
/// mod handlers;
/// mod operations;
/// pub mod service;
/// pub trait Service: service::Events {}
/// pub fn server<S>(service: S) -> Server<Handlers<S>> { … }
/// pub fn router<S: Service>(service: S) -> axum::Router { … }
/// ```
pub fn lib(of: &Crate<'_>) -> RustFile {
    let (types, validation) = (&of.types, &of.validation);
    let allowed = features::allow_attribute(of.api(), "unused_imports");
    let bounds = of.api().features.has_group_features().then(|| quote! { mod bounds; });
    let mut items = vec![
        quote! { #bounds mod handlers; mod operations; pub mod service; },
        quote! {
            pub use self::handlers::Handlers;
            #[doc = " Field selections for partial responses."]
            pub use #types::fields;
            #[doc = " Request types: the parameters and the body of each operation."]
            pub use #types::requests;
            #[doc = " Data types of the API."]
            pub use #types as types;
            #[doc = " Validation rules of the API, which the server applies to every request."]
            pub use #validation as validation;
            #[doc = " Runtime of the server: limits, errors, tokens, sockets."]
            pub use ::wireform_server as runtime;
            pub use ::wireform_server::{Authenticator, Context, Error, ListResult, Principal, Reply, Result, Server, WriteResult};
        },
    ];
    // The handlers import it from here.
    items.extend((!super::all_runs(of).is_empty()).then(|| quote! { #allowed use #validation::Rules; }));
    items.extend(umbrella(of));
    items.extend(constructors(of));
    RustFile::new(head(of), items)
}

/// Returns the trait of services that implement all groups.
fn umbrella(of: &Crate<'_>) -> [TokenStream; 2] {
    let module = if of.api().features.has_group_features() { quote!(bounds) } else { quote!(service) };
    let traits: Vec<_> =
        groups::all_with_operations(of.api()).into_iter().map(|group| ident(&group.service_trait)).collect();
    [
        quote! {
            #[doc = " A service that implements every group of operations. Implemented for each type with all the traits of [`service`]."]
            #[diagnostic::on_unimplemented(
                message = "`{Self}` does not implement all groups of operations",
                label = "a group of operations is not implemented",
                note = "implement the trait of each group in the module `service`; functions that are not overridden return 501"
            )]
            pub trait Service: #(#module::#traits)+* {}
        },
        quote! { impl<S: #(#module::#traits)+*> Service for S {} },
    ]
}

/// Returns the functions that create servers and routers from a service.
fn constructors(of: &Crate<'_>) -> [TokenStream; 3] {
    let whole = if of.api().features.has_group_features() {
        " It describes the whole API, also where the features of groups are disabled."
    } else {
        ""
    };
    let openapi = format!(" OpenAPI 3.1 description of the API, as JSON.{whole}");
    [
        quote! {
            #[doc = " Creates the server of a service: set authentication, limits and more, then turn it into a router, which requires a [`Service`]."]
            #[must_use]
            pub fn server<S>(service: S) -> Server<Handlers<S>> {
                Server::new(Handlers(service))
            }
        },
        quote! {
            #[doc = " Creates the router of a service with default settings. Without an authenticator, operations that need a scope return 401."]
            pub fn router<S: Service>(service: S) -> ::wireform_server::axum::Router {
                server(service).router()
            }
        },
        quote! {
            #[doc = #openapi]
            pub const OPENAPI: &str = ::core::include_str!("../openapi.json");
        },
    ]
}

/// Emits the head of `lib.rs`: the documentation of the crate with an example, and the crate's lint attributes.
fn head(of: &Crate<'_>) -> TokenStream {
    let api = of.api();
    let mut lines =
        vec![format!("{}, {}: server.", docs::paragraph(&api.title), docs::paragraph(&api.version)), String::new()];
    let doc = docs::markdown(&api.doc);
    if !doc.is_empty() {
        lines.extend([doc, String::new()]);
    }
    lines.push(
        "A service implements the traits of [`service`], one for each group of operations; functions that are not overridden return 501. Requests reach them decoded, validated and authorized:"
            .to_owned(),
    );
    let left_out: Vec<String> =
        api.operations.iter().filter(|one| one.client_only).map(|one| docs::code_span(&one.name)).collect();
    if !left_out.is_empty() {
        lines.extend([String::new(), format!("Not part of the server: {}.", left_out.join(", "))]);
    }
    lines.extend([String::new(), "```no_run".to_owned()]);
    lines.extend(example(of));
    lines.push("```".to_owned());
    lines.extend(features::feature_docs(api));
    let lines = lines.iter().map(|line| docs::inner_attribute(line));
    quote! {
        #(#lines)*
        #![forbid(unsafe_code)]
        #![allow(deprecated, clippy::module_inception, clippy::should_implement_trait, clippy::wrong_self_convention)]
    }
}

/// Returns an example: a service with one function, and its router.
fn example(of: &Crate<'_>) -> Vec<String> {
    let api = of.api();
    let safe = |operation: &&Operation| operation.safe;
    let plain = |operation: &&Operation| operation.safe && !operation.has_list_entity_tag();
    let mut operations = api.served_operations();
    let example = operations.clone().find(plain).or(operations.clone().find(safe)).or(operations.next());
    let groups = groups::all_with_operations(api);
    let (Some(example), name) = (example, &of.name) else { return Vec::new() };
    let mut lines = vec![
        format!("use {name}::runtime::{{AuthError, AuthRequest, Credential}};"),
        format!("use {name}::{{Authenticator, Context, Principal, Result, requests, service, types}};"),
        String::new(),
        "struct MyService;".to_owned(),
        String::new(),
    ];
    for group in groups {
        lines.extend(hidden_cfg(of, group));
        let has_shown = group.operations.iter().any(|id| std::ptr::eq(api.operation(*id), example));
        if has_shown {
            lines.push(format!("impl service::{} for MyService {{", group.service_trait));
            lines.extend(function(of, example));
            lines.push("}".to_owned());
        } else {
            lines.push(format!("impl service::{} for MyService {{}}", group.service_trait));
        }
    }
    let rest = format!(
        "
struct Tokens;

impl Authenticator for Tokens {{
    async fn authenticate(&self, credential: Credential<'_>, _: &AuthRequest<'_>) -> std::result::Result<Principal, AuthError> {{
        match credential {{
            Credential::Bearer(\"secret\") => Ok(Principal::new(\"user\").with_all_scopes()),
            _ => Err(AuthError::Invalid),
        }}
    }}
}}

let router = {name}::server(MyService).authenticator(Tokens).router();
# let _: {name}::runtime::axum::Router = router;"
    );
    lines.extend(rest.lines().map(str::to_owned));
    lines
}

/// Returns a hidden line of the example: `# #[cfg(feature = "events")]`.
fn hidden_cfg(of: &Crate<'_>, group: &Group) -> Option<String> {
    let line = features::attribute(of.api(), &of.api().features.group_gate(group));
    (!line.is_empty()).then(|| format!("# {}", line.trim_end()))
}

/// Returns an example function; empty if its response type is too complex for an example.
fn function(of: &Crate<'_>, operation: &Operation) -> Vec<String> {
    let mut ids = (0..of.api().operations.len()).map(OperationId);
    let is_admitted = ids.any(|id| std::ptr::eq(of.api().operation(id), operation) && of.api().requires_admission(id));
    if operation.has_list_entity_tag() || is_admitted {
        return Vec::new();
    }
    let response = match requests::response_type(operation).filter(|_| operation.bodiless_status().is_none()) {
        None if operation.bodiless_status().is_some() || operation.has_types_by_status() => return Vec::new(),
        Some(Type::Resource(id)) => format!("types::{}", of.api().resource(*id).name.ident),
        Some(_) => return Vec::new(),
        None => "()".to_owned(),
    };
    let value = match requests::response_resource(of.api(), operation) {
        Some(resource) if resource.outcome.is_some() => {
            format!("Err({}::Error::not_found(\"not found\"))", of.name)
        }
        Some(_) => format!("Ok({response}::default().into())"),
        None => "Ok(().into())".to_owned(),
    };
    vec![
        format!(
            "    async fn {}(&self, request: requests::{}, context: &Context) -> Result<{response}> {{",
            ident(&operation.method.ident),
            operation.types.request
        ),
        "        println!(\"{} sent {request:?}\", context.principal().subject());".to_owned(),
        format!("        {value}"),
        "    }".to_owned(),
    ]
}
