//! The server crate: traits to implement, and what is known of each operation. What the wire demands is done in the
//! runtime.
//!
//! | file | holds |
//! |---|---|
//! | `Cargo.toml` | the manifest |
//! | `src/lib.rs` | the documentation of the crate, its exports, and the way from a service to a router |
//! | `src/bounds.rs` | the traits of the groups that are there, where groups are features |
//! | `src/service/<group>.rs` | the traits of a group and of the groups within it |
//! | `src/operations/<group>.rs` | what the wire demands of its operations, and how their requests are read |
//! | `src/handlers.rs` | which function answers which operation |

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

use super::groups::{self, Run, answering, outermost};
use super::rust::{Rust, ident, screaming};
use super::types::requests;
use super::{Artifact, Content, features, manifest, rust_file};
use crate::model::{Api, Behind, Group, Operation, OperationId};
use crate::options::Options;

/// The files of the server crate; none for an API without operations.
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
    if api.features.is_divided() {
        artifacts.push(rust_file(at("src/bounds.rs"), move || bounds::file(&new())));
    }
    for (module, group) in outermost(api) {
        artifacts
            .push(rust_file(at(&format!("src/service/{module}.rs")), move || services::file(&new(), &module, group)));
    }
    for (module, ids) in modules(api) {
        artifacts.push(rust_file(at(&format!("src/operations/{module}.rs")), move || {
            operations::file(&new(), &module, &ids)
        }));
    }
    artifacts
}

/// What the emitters of one server crate share. Its modules import `requests` and `types`.
pub struct Crate<'a> {
    /// The types of the API, as this crate names them.
    pub rust: Rust<'a>,
    /// The types crate, as a path.
    pub types: TokenStream,
    /// The validation crate, as a path.
    pub validation: TokenStream,
    /// The name of this crate in code.
    pub name: String,
    /// The most operations that stand together.
    pub most: usize,
}

impl<'a> Crate<'a> {
    fn new(api: &'a Api, options: &Options) -> Self {
        let in_code = |kind: &str| options.crate_name(&api.name, kind).replace('-', "_");
        let (types, validation) = (ident(&in_code("types")), ident(&in_code("validation")));
        let rust = Rust::of(api, quote!(types), quote!(types::runtime));
        let (name, most) = (in_code("server"), options.most_operations);
        Self { rust, types: quote!(::#types), validation: quote!(::#validation), name, most }
    }

    /// The API.
    pub fn api(&self) -> &'a Api {
        self.rust.api
    }

    /// What a group is behind.
    pub fn cfg(&self, group: &Group) -> TokenStream {
        features::cfg(self.api(), &self.api().features.of_group(group))
    }

    /// What the file of an outermost group is behind.
    pub fn file(&self, outermost: &Group) -> Behind {
        self.api().features.of_group(outermost)
    }
}

/// The operations that a server answers, by the modules of their requests.
fn modules(api: &Api) -> BTreeMap<String, Vec<OperationId>> {
    let mut modules = requests::modules(api);
    modules.values_mut().for_each(|ids| ids.retain(|id| !api.operation(*id).client_only));
    modules.retain(|_, ids| !ids.is_empty());
    modules
}

/// The runs of a group, without operations that only clients have.
fn runs(of: &Crate<'_>, group: &Group) -> Vec<Run> {
    let mut runs = groups::runs(of.api(), group, of.most);
    runs.iter_mut().for_each(|run| run.operations.retain(|id| !of.api().operation(*id).client_only));
    runs
}

/// The runs of all groups that have operations which a server answers.
fn all_runs<'a>(of: &Crate<'a>) -> Vec<(&'a Group, Run)> {
    let all = groups::all(of.api()).into_iter();
    let all = all.flat_map(|group| runs(of, group).into_iter().map(move |run| (group, run)));
    all.filter(|(_, run)| !run.operations.is_empty()).collect()
}

/// The modules in which a group stands below the outermost one that it is in.
fn place(group: &Group) -> Vec<String> {
    group.path.iter().skip(1).map(|name| name.ident.clone()).collect()
}

/// The request of an operation.
fn request(operation: &Operation) -> TokenStream {
    let name = ident(&operation.types.request);
    quote!(requests::#name)
}

/// What a success answers.
fn answer(of: &Crate<'_>, operation: &Operation) -> TokenStream {
    requests::answer_type(&of.rust, operation)
}

/// The contract of an operation: `EVENTS_INSERT`.
fn contract(operation: &Operation) -> Ident {
    screaming(&operation.types.request)
}

/// The function that reads the request of an operation: `read_events_insert`.
fn reader(operation: &Operation) -> Ident {
    format_ident!("read_{}", contract(operation).to_string().to_ascii_lowercase())
}

/// The function that knows the form that an operation is sent: `form_events_insert`.
fn form(operation: &Operation) -> Ident {
    format_ident!("form_{}", contract(operation).to_string().to_ascii_lowercase())
}

/// The function that knows the form that is the alternative of a body at a place: `alternative_form_1_events_insert`. By
/// its place, because `insert` and `Upload` make the same name as `insertUpload`.
fn form_of_alternative(operation: &Operation, place: usize) -> Ident {
    format_ident!("alternative_form_{place}_{}", contract(operation).to_string().to_ascii_lowercase())
}

/// The function that knows the XML that is the alternative of a body at a place: `xml_of_body_0_events_insert`. By its
/// place, because `insert` and `Upload` make the same name as `insertUpload`.
fn xml_of_alternative(operation: &Operation, place: usize) -> Ident {
    format_ident!("xml_of_body_{place}_{}", contract(operation).to_string().to_ascii_lowercase())
}

/// The media types of the alternatives of a body: `ALTERNATIVES_OF_EVENTS_INSERT`.
fn alternatives(operation: &Operation) -> Ident {
    format_ident!("ALTERNATIVES_OF_{}", contract(operation))
}

/// What every module of traits and readers imports.
fn imports() -> TokenStream {
    quote! {
        #[allow(unused_imports)]
        use crate::{requests, types};
    }
}
