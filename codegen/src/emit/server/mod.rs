//! Server crate: traits to implement, and the contracts of operations. The runtime implements the protocol.
//!
//! | file | holds |
//! |---|---|
//! | `Cargo.toml` | the manifest |
//! | `src/lib.rs` | the documentation of the crate, its exports, and the functions that create routers |
//! | `src/bounds.rs` | the traits of the enabled groups, if groups are features |
//! | `src/service/<group>.rs` | the traits of a group and of nested groups |
//! | `src/operations/<group>.rs` | the contracts of its operations, and the readers of their requests |
//! | `src/handlers.rs` | the dispatch from operations to functions |

mod bounds;
mod forms;
mod handlers;
mod library;
mod operations;
mod services;
mod xml;

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::groups::{self, Run, outermost, with_operations};
use super::rust::{RustTypes, ident, screaming_snake};
use super::types::requests;
use super::{Artifact, Content, features, manifest, rust_file};
use crate::model::{Api, FeatureGate, Group, Operation, OperationId};
use crate::options::Options;

/// Returns the files of the server crate; none for an API without operations.
pub fn emit<'a>(api: &'a Api, options: &'a Options) -> Vec<Artifact<'a>> {
    if api.operations.is_empty() {
        return Vec::new();
    }
    let name = options.crate_name(&api.name, "server");
    let at = |path: &str| format!("{name}/{path}");
    let new = move || Crate::new(api, options);
    let manifest = {
        let (name, description) = (name.clone(), format!("Server of the {} API: {}.", api.name, api.title));
        move || Content::Text(manifest::server(api, &name, &description, options))
    };
    let mut artifacts = vec![
        Artifact { path: at("Cargo.toml"), content: Box::new(manifest) },
        rust_file(at("src/lib.rs"), move || library::lib(&new())),
        rust_file(at("src/handlers.rs"), move || handlers::file(&new())),
        rust_file(at("src/service/mod.rs"), move || services::modules(&new())),
        rust_file(at("src/operations/mod.rs"), move || operations::modules(&new())),
    ];
    if api.features.has_group_features() {
        artifacts.push(rust_file(at("src/bounds.rs"), move || bounds::file(&new())));
    }
    for (module, group) in outermost(api) {
        artifacts
            .push(rust_file(at(&format!("src/service/{module}.rs")), move || services::file(&new(), &module, group)));
    }
    for (module, (group, ids)) in modules(api) {
        artifacts
            .push(rust_file(at(&format!("src/operations/{module}.rs")), move || operations::file(&new(), group, &ids)));
    }
    artifacts
}

/// Context that the emitters of a server crate share. Its modules import `requests` and `types`.
pub struct Crate<'a> {
    /// Types of the API, as this crate names them.
    pub rust: RustTypes<'a>,
    /// Path of the types crate.
    pub types: TokenStream,
    /// Path of the validation crate.
    pub validation: TokenStream,
    /// Name of this crate in code.
    pub name: String,
    /// Maximum number of operations in a run.
    pub max_operations: usize,
}

impl<'a> Crate<'a> {
    fn new(api: &'a Api, options: &Options) -> Self {
        let in_code = |kind: &str| options.crate_name(&api.name, kind).replace('-', "_");
        let (types, validation) = (ident(&in_code("types")), ident(&in_code("validation")));
        let rust = RustTypes::with_paths(api, quote!(types), quote!(types::runtime));
        let (name, most) = (in_code("server"), options.max_operations);
        Self { rust, types: quote!(::#types), validation: quote!(::#validation), name, max_operations: most }
    }

    /// Returns the API.
    pub fn api(&self) -> &'a Api {
        self.rust.api
    }

    /// Returns the `cfg` attribute of a group.
    pub fn cfg(&self, group: &Group) -> TokenStream {
        features::cfg(self.api(), &self.api().features.group_gate(group))
    }

    /// Returns the gate of an outermost group's file.
    pub fn file_gate(&self, outermost: &Group) -> FeatureGate {
        self.api().features.group_gate(outermost)
    }
}

/// Returns the operations that a server implements, by the modules of their requests.
fn modules(api: &Api) -> BTreeMap<String, (&Group, Vec<OperationId>)> {
    let mut modules = requests::modules(api);
    modules.values_mut().for_each(|(_, ids)| ids.retain(|id| !api.operation(*id).client_only));
    modules.retain(|_, (_, ids)| !ids.is_empty());
    modules
}

/// Returns the runs of a group, without client-only operations.
fn runs(of: &Crate<'_>, group: &Group) -> Vec<Run> {
    let mut runs = groups::runs(of.api(), group, of.max_operations);
    runs.iter_mut().for_each(|run| run.operations.retain(|id| !of.api().operation(*id).client_only));
    runs
}

/// Returns the runs of all groups with operations that a server implements.
fn all_runs<'a>(of: &Crate<'a>) -> Vec<(&'a Group, Run)> {
    let all = groups::all_with_operations(of.api()).into_iter();
    let all = all.flat_map(|group| runs(of, group).into_iter().map(move |run| (group, run)));
    all.filter(|(_, run)| !run.operations.is_empty()).collect()
}

/// Returns the modules of a group within its outermost group.
fn nested_modules(group: &Group) -> Vec<String> {
    group.path.iter().skip(1).map(|name| name.ident.clone()).collect()
}

/// Returns the request type of an operation.
fn request_type(operation: &Operation) -> TokenStream {
    let name = ident(&operation.types.request);
    quote!(requests::#name)
}

/// Returns the type of a successful response.
fn response_type(of: &Crate<'_>, operation: &Operation) -> TokenStream {
    requests::rust_response_type(&of.rust, operation)
}

/// Returns the contract of an operation: `EVENTS_INSERT`.
fn contract_name(operation: &Operation) -> Ident {
    screaming_snake(&operation.types.request)
}

/// Returns the end of the names of an operation's functions: `events_insert`, and `1_get` for `_1_GET`.
fn snake_name(operation: &Operation) -> String {
    contract_name(operation).to_string().trim_start_matches('_').to_ascii_lowercase()
}

/// Returns the name of the function that reads an operation's request: `read_events_insert`.
fn reader_name(operation: &Operation) -> Ident {
    format_ident!("read_{}", snake_name(operation))
}

/// Returns the name of the function that describes an operation's form: `form_events_insert`.
fn form_name(operation: &Operation) -> Ident {
    format_ident!("form_{}", snake_name(operation))
}

/// Returns the name of the function that describes the form of a body alternative:
/// `alternative_form_1_events_insert`. It uses the index, because the names `insert` and `Upload` would collide with
/// `insertUpload`.
fn alternative_form_name(operation: &Operation, place: usize) -> Ident {
    format_ident!("alternative_form_{place}_{}", snake_name(operation))
}

/// Returns the name of the function that describes the XML of a body alternative: `alternative_xml_0_events_insert`. It
/// uses the index, because the names `insert` and `Upload` would collide with `insertUpload`.
fn alternative_xml_name(operation: &Operation, place: usize) -> Ident {
    format_ident!("alternative_xml_{place}_{}", snake_name(operation))
}

/// Returns the name of the constant with the media types of body alternatives: `ALTERNATIVES_OF_EVENTS_INSERT`.
fn alternatives_name(operation: &Operation) -> Ident {
    format_ident!("ALTERNATIVES_OF_{}", contract_name(operation))
}

/// Returns the imports of every module of traits and readers.
fn imports() -> TokenStream {
    quote! {
        #[allow(unused_imports)]
        use crate::{requests, types};
    }
}
