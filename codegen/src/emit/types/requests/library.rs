//! `requests/mod.rs`: facts about the API as a whole.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::super::super::rust::{ident, screaming_snake, snake};
use super::super::super::{Part, RustFile, docs, features};
use super::profile;
use super::security::Constants;
use crate::model::{Api, Batch, Endpoint, ErrorField, FeatureGate, OperationId, OperationTypes, Unimplemented};

/// Returns `requests/mod.rs`:
///
/// ```text
/// mod events;
/// pub use self::events::{EventsGet, EventsInsert};
/// pub static API: Api = Api { name: "calendar", … };
/// pub static OPERATIONS: &[&Operation] = &[…];
/// ```
pub fn requests(api: &Api) -> RustFile {
    let modules = super::modules(api);
    let mods = modules.iter().map(|(module, (_, operations))| {
        let (module, cfg) = (ident(module), features::cfg(api, &features::requests_gate(api, operations)));
        quote! { #cfg mod #module; }
    });
    let uses = modules.iter().map(|(module, (_, operations))| reexports(api, module, operations));
    let (facts, title) = (of_api(api), docs::paragraph(&api.title));
    let doc = format!(" Facts about the API as a whole: {title}.");
    let scopes = (!api.scopes.is_empty()).then(|| quote! { pub mod scopes; });
    let schemes = (!api.security_schemes.is_empty()).then(|| quote! { pub mod security_schemes; });
    RustFile {
        head: docs::inner_attribute(
            "Request types: the parameters and the body of each operation, for clients and servers alike.",
        ),
        items: vec![
            quote! { #(#mods)* #scopes #schemes },
            quote! { #(#uses)* },
            quote! {
                #[doc = #doc]
                pub static API: ::wireform_runtime::operation::Api = #facts;
            },
            operation_list(api),
        ],
        ..RustFile::default()
    }
}

/// Returns the list of operations:
///
/// ```text
/// pub static OPERATIONS: &[&Operation] = &[<EventsGet as Request>::OPERATION, …];
/// ```
fn operation_list(api: &Api) -> TokenStream {
    if has_own_file(api) {
        return quote! { mod all; pub use self::all::OPERATIONS; };
    }
    let requests = api.operations.iter().map(|operation| ident(&operation.types.request));
    quote! {
        #[doc = " The operations, in the order of the schema."]
        pub static OPERATIONS: &[&::wireform_runtime::operation::Operation] =
            &[#(<#requests as ::wireform_runtime::Request>::OPERATION),*];
    }
}

/// Maximum number of operations with a line each in `requests/mod.rs`.
const MAX_LISTED: usize = 1000;

/// Returns whether the list of operations has a file of its own: it is very long, or groups are features.
pub fn has_own_file(api: &Api) -> bool {
    api.features.has_group_features() || api.operations.len() > MAX_LISTED
}

/// Returns `requests/all.rs`, since conditions on the elements, or thousands of lines, would dominate `mod.rs`.
///
/// ```text
/// ::wireform_runtime::operations! { OPERATIONS { (feature = "events") { EventsGet, … }, … } }
/// ```
///
/// A list that is too long is assembled from those of its runs, in files of their own:
///
/// ```text
/// pub const EVENTS_GET__OPERATIONS: &[&Operation] = ::wireform_runtime::operations! { (feature = "events") { EventsGet, … } };
/// ::wireform_runtime::operations! { OPERATIONS: [EVENTS_GET__OPERATIONS, …] }
/// ```
pub fn operation_list_file(api: &Api, max_lines: usize) -> RustFile {
    let mut runs: Vec<(&FeatureGate, Vec<Ident>)> = Vec::new();
    for (index, operation) in api.operations.iter().enumerate() {
        let (gate, request) = (api.request_gate(OperationId(index)), ident(&operation.types.request));
        match runs.last_mut() {
            Some((of_run, run)) if *of_run == gate => run.push(request),
            _ => runs.push((gate, vec![request])),
        }
    }
    // One line for each operation, and those around a run.
    let lines = api.operations.len() + 3 * runs.len();
    let list = |(gate, run): &(&FeatureGate, Vec<Ident>)| {
        let condition = features::predicate(api, gate);
        quote!((#condition) { #(#run),* })
    };
    let allowed = features::allow_attribute(api, "unused_imports");
    let head = docs::inner_attribute("All operations, each behind the features that enable it.");
    let uses = quote! { #allowed use crate::requests::*; };
    if lines <= max_lines {
        let runs = runs.iter().map(list);
        return RustFile::new(
            head,
            vec![uses, quote! { ::wireform_runtime::operations! { OPERATIONS { #(#runs),* } } }],
        );
    }
    let names: Vec<Ident> = runs
        .iter()
        .filter_map(|(_, run)| run.first())
        .map(|first| format_ident!("{}__OPERATIONS", screaming_snake(&first.to_string())))
        .collect();
    let part = |(run, name): (&(&FeatureGate, Vec<Ident>), &Ident)| {
        let list = list(run);
        let first = run.1.first().map(Ident::to_string).unwrap_or_default();
        let letter = first.chars().next().map_or('_', |letter| letter.to_ascii_lowercase());
        let doc = docs::line_attribute("Operations that the same features enable.");
        let operations = quote! { ::wireform_runtime::operations! { #list } };
        let item = quote! { #doc pub const #name: &[&::wireform_runtime::operation::Operation] = #operations; };
        Part::new(vec![format!("of_{letter}"), snake(&first)], vec![item])
    };
    let parts = runs.iter().zip(&names).map(part).collect();
    let whole = quote! { ::wireform_runtime::operations! { OPERATIONS: [#(#names),*] } };
    RustFile::with_parts(head, vec![uses, whole], parts)
}

/// Returns the re-exports of a module: `pub use self::events::{EventsGet, EventsInsert};`
fn reexports(api: &Api, module: &str, operations: &[OperationId]) -> TokenStream {
    let module = ident(module);
    if api.features.has_group_features() || operations.len() > MAX_LISTED {
        let cfg = features::cfg(api, &features::requests_gate(api, operations));
        return quote! { #cfg pub use self::#module::*; };
    }
    let mut names: Vec<&str> = Vec::new();
    for operation in operations.iter().map(|id| api.operation(*id)) {
        names.push(&operation.types.request);
        let OperationTypes { body, response, format, headers, error, error_headers, .. } = &operation.types;
        let made = [body, response, format, headers, error, error_headers];
        names.extend(made.into_iter().map(String::as_str).filter(|name| !name.is_empty()));
        let has_change_enum = operation.sync.as_ref().is_some_and(|sync| !sync.changes.is_empty());
        names.extend(has_change_enum.then_some(operation.types.change.as_str()));
    }
    names.sort_unstable();
    let names = names.into_iter().map(ident);
    quote! { pub use self::#module::{#(#names),*}; }
}

fn of_api(api: &Api) -> TokenStream {
    let (name, version) = (&api.name, &api.version);
    let root = match &api.root {
        Some(root) => quote!(::std::option::Option::Some(#root)),
        None => quote!(::std::option::Option::None),
    };
    let base_path = names_with_aliases(&api.base_path.path, &api.base_path.aliases);
    let endpoints = api.endpoints.iter().map(of_endpoint);
    let batch = match &api.batch {
        Some(batch) => of_batch(batch),
        None => quote!(::std::option::Option::None),
    };
    let unimplemented = api.unimplemented.iter().map(|Unimplemented { name, method, path }| {
        quote!(::wireform_runtime::operation::Unimplemented { name: #name, method: #method, path: #path })
    });
    let scopes = Constants::new(api).scopes;
    let standard = api.standard_parameters.iter().map(profile::parameter);
    let values = profile::values(api);
    let errors = of_errors(api);
    quote! {
        ::wireform_runtime::operation::Api {
            name: #name,
            version: #version,
            root_url: #root,
            base_path: #base_path,
            endpoints: &[#(#endpoints),*],
            batch: #batch,
            unimplemented: &[#(#unimplemented),*],
            scopes: &[#(scopes::#scopes),*],
            standard_parameters: &[#(#standard),*],
            role_values: #values,
            errors: #errors,
        }
    }
}

fn of_endpoint(endpoint: &Endpoint) -> TokenStream {
    let Endpoint { name, url, location, mtls, .. } = endpoint;
    let name = &name.wire;
    let location = match location {
        Some(location) => quote!(::std::option::Option::Some(#location)),
        None => quote!(::std::option::Option::None),
    };
    quote! {
        ::wireform_runtime::operation::Endpoint { name: #name, url: #url, location: #location, mtls: #mtls }
    }
}

fn of_batch(batch: &Batch) -> TokenStream {
    let Batch { path, aliases, max } = batch;
    let path = names_with_aliases(path, aliases);
    quote! {
        ::std::option::Option::Some(::wireform_runtime::operation::BatchEndpoint { path: #path, max_requests: #max })
    }
}

fn names_with_aliases(name: &str, aliases: &[String]) -> TokenStream {
    quote! { ::wireform_runtime::naming::AliasedName { name: #name, aliases: &[#(#aliases),*] } }
}

/// Returns the fields of error bodies: `ErrorFields { message: ErrorField::at(&[Step::member("text")]),
/// ..ErrorFields::NONE }`
fn of_errors(api: &Api) -> TokenStream {
    let all = quote!(::wireform_runtime::operation::ErrorFields);
    let profile = api.profile.as_ref().map(|profile| {
        let profile = profile::profile(profile);
        quote! { profile: &#profile, }
    });
    if api.error_body.is_none() {
        return match profile {
            Some(profile) => quote! { #all { #profile ..#all::STANDARD } },
            None => quote! { #all::STANDARD },
        };
    }
    let by_key = api.error_fields.by_key();
    let members = by_key.iter().filter_map(|(key, member)| {
        let (key, member) = (ident(key), of_error_member((*member)?));
        Some(quote! { #key: #member })
    });
    let kinds = (!api.error_fields.constants.is_empty()).then(|| {
        let kinds = api.error_fields.constants.iter().map(|(member, value)| {
            let member = of_error_member(member);
            quote! { (#member, #value) }
        });
        quote! { constants: &[#(#kinds),*], }
    });
    quote! { #all { #(#members,)* #kinds #profile ..#all::NONE } }
}

/// Returns a field of error bodies: `ErrorField::at(&[Step::member("error"), Step::list("errors"),
/// Step::member("reason")])`
fn of_error_member(member: &ErrorField) -> TokenStream {
    let ErrorField { path, allowed_values: words, lists, required } = member;
    let steps = path.iter().enumerate().map(|(index, name)| {
        let kind = if lists.contains(&index) { quote!(list) } else { quote!(member) };
        let required = required.contains(&index).then(|| quote!(.required()));
        quote! { ::wireform_runtime::operation::Step::#kind(#name) #required }
    });
    let words = (!words.is_empty()).then(|| quote! { .with_values(&[#(#words),*]) });
    quote! { ::wireform_runtime::operation::ErrorField::at(&[#(#steps),*]) #words }
}
