//! Requests: for each operation a struct with its parameters and body, and the facts about the operation. Clients,
//! servers and validation share them, so they are in the types crate, behind a feature.
//!
//! | file | holds |
//! |---|---|
//! | `src/requests/mod.rs` | facts about the API |
//! | `src/requests/all.rs` | all operations, if there are very many or groups are features |
//! | `src/requests/scopes.rs`, `src/requests/security_schemes.rs` | constants to which operations refer |
//! | `src/requests/<group>.rs` | the requests of the operations of a group |
//! | `src/fields.rs` | constants for selecting the fields of partial responses |
//! | `src/fields/shapes.rs` | fields that can be selected, by resource |

mod alternatives;
mod body;
mod elements;
mod errors;
mod facts;
mod filter;
pub mod flow;
mod headers;
mod http;
mod library;
mod long_running;
mod media;
pub mod pages;
mod profile;
mod security;
mod selection;
pub mod structs;
mod watch;
mod write;
mod write_back;

pub use alternatives::response_type as alternative_type;
pub use selection::shaped_resources;

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::quote;

use super::super::rust::{RustTypes, ident};
use super::super::{Artifact, Part, RustFile, docs, features, groups};
use crate::model::{Api, BodyMode, Group, Operation, OperationId, RawContent, Resource, Response, Type};
use crate::options::Options;

/// Returns the files of requests; none for an API without operations.
pub fn emit<'a>(api: &'a Api, options: &Options, at: &dyn Fn(&str) -> String) -> Vec<Artifact<'a>> {
    if api.operations.is_empty() {
        return Vec::new();
    }
    let mut artifacts = vec![
        super::super::rust_file(at("src/requests/mod.rs"), move || library::requests(api)),
        super::super::rust_file(at("src/fields.rs"), move || selection::file(api)),
        super::super::rust_file(at("src/fields/shapes.rs"), move || selection::shapes(api)),
    ];
    if library::has_own_file(api) {
        let max_lines = options.max_lines;
        artifacts.push(super::super::rust_file(at("src/requests/all.rs"), move || {
            library::operation_list_file(api, max_lines)
        }));
    }
    if !api.scopes.is_empty() {
        artifacts.push(super::super::rust_file(at("src/requests/scopes.rs"), move || security::scopes(api)));
    }
    if !api.security_schemes.is_empty() {
        let path = at("src/requests/security_schemes.rs");
        artifacts.push(super::super::rust_file(path, move || security::schemes(api)));
    }
    let max = options.max_operations;
    for (module, (group, operations)) in modules(api) {
        let path = at(&format!("src/requests/{module}.rs"));
        artifacts.push(super::super::rust_file(path, move || group_file(api, max, group, &operations)));
    }
    artifacts
}

/// Returns the outermost groups with all their operations, in the order of the schema, by the module of their requests.
pub fn modules(api: &Api) -> BTreeMap<String, (&Group, Vec<OperationId>)> {
    let module = |(module, group)| {
        let inner = groups::with_operations(api, group);
        let mut operations: Vec<OperationId> = inner.iter().flat_map(|inner| &inner.operations).copied().collect();
        operations.sort_unstable();
        (module, (group, operations))
    };
    groups::outermost(api).into_iter().map(module).collect()
}

/// Returns the modules of each operation within that of its outermost group: those of nested groups, those of its
/// run, and its own name.
pub fn operation_modules(api: &Api, max: usize, outermost: &Group) -> BTreeMap<OperationId, Vec<String>> {
    let mut places = BTreeMap::new();
    for group in groups::with_operations(api, outermost) {
        for run in groups::runs(api, group, max) {
            for id in run.operations {
                let within = group.modules.iter().skip(1).chain(&run.modules).chain([&api.operation(id).method.ident]);
                places.insert(id, within.cloned().collect());
            }
        }
    }
    places
}

fn group_file(api: &Api, max: usize, outermost: &Group, operations: &[OperationId]) -> RustFile {
    let (rust, constants) = (RustTypes::new(api), security::Constants::new(api));
    let places = operation_modules(api, max, outermost);
    let file = features::requests_gate(api, operations);
    let part = |id: &OperationId| {
        let operation = api.operation(*id);
        let mut items = structs::items(&rust, operation);
        items.push(facts::request(&rust, &constants, operation));
        items.extend(alternatives::items(&rust, operation));
        items.extend(media::xml_item(api, operation));
        items.extend(media::upload(operation));
        items.extend(flow::items(&rust, operation));
        items.extend(long_running::item(&rust, operation));
        items.extend(headers::items(&rust, operation));
        items.extend(errors::items(&rust, operation));
        let attribute = features::part_attribute(api, &file, api.request_gate(*id));
        Part::new(places.get(id).cloned().unwrap_or_default(), items).gated(attribute)
    };
    let import = security::import(api, operations);
    let uses = quote::quote! { use ::wireform_runtime::operation; #import };
    let module = groups::module(outermost);
    let head = docs::inner_attribute(&format!("Requests of `{module}`."));
    RustFile::with_parts(head, vec![uses], operations.iter().map(part).collect())
}

/// Returns the type of an operation's response, or `None` without a body.
pub fn response_type(operation: &Operation) -> Option<&Type> {
    operation.response_type()
}

/// Returns the response of an operation whose body is not encoded.
pub fn raw_response(operation: &Operation) -> Option<(&Response, RawContent)> {
    let mut successes = operation.responses.iter().filter(|response| response.status < 300);
    if operation.has_types_by_status() {
        return None;
    }
    successes.find_map(|response| Some((response, response.raw()?)))
}

/// Returns the response of an operation that can be XML and has no alternatives.
pub fn xml_response(operation: &Operation) -> Option<&Response> {
    operation.responses.iter().filter(|response| response.status < 300).find(|response| response.has_xml())
}

/// Returns the Rust type of a successful response.
pub fn rust_response_type(rust: &RustTypes<'_>, operation: &Operation) -> TokenStream {
    if !operation.types.response.is_empty() {
        let (types, name) = (&rust.types, ident(&operation.types.response));
        return quote!(#types::requests::#name);
    }
    match (raw_response(operation), response_type(operation)) {
        (Some((_, raw)), _) => structs::raw_type(rust, raw),
        (None, Some(ty)) if operation.bodiless_status().is_some() => rust.optional(&rust.ty(ty)),
        (None, Some(ty)) => rust.ty(ty),
        (None, None) => quote!(()),
    }
}

/// Returns whether the result of a read can be written back as a whole, and by a merge patch.
pub fn write_back_modes(api: &Api, read: &Operation) -> (bool, bool) {
    (
        write_back::writer(api, read, BodyMode::Whole).is_some(),
        write_back::writer(api, read, BodyMode::MergePatch).is_some(),
    )
}

/// Returns the resource of an operation's response.
pub fn response_resource<'a>(api: &'a Api, operation: &Operation) -> Option<&'a Resource> {
    match response_type(operation)? {
        Type::Resource(id) => Some(api.resource(*id)),
        _ => None,
    }
}
