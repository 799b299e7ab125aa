//! Validation crate: the constraints and rules of values. The runtime checks them and reports violations.
//!
//! | file | holds |
//! |---|---|
//! | `Cargo.toml` | the manifest |
//! | `src/lib.rs` | the documentation of the crate, its rules, and its exports |
//! | `src/resources/<module>.rs` | the constraints and rules of the resources of a module |
//! | `src/operations/<group>.rs` | the constraints and rules of the requests of a group |
//! | `src/checked.rs` | validation of operations whose types are not known statically |
//! | `src/operation.rs` | the operations, as contexts of a validation |
//! | `src/patterns.rs` | patterns, as tables |
//! | `src/sources.rs` | the lines of the schema |

mod checked;
mod checked_types;
mod effective;
pub mod equality;
pub mod expression;
mod inline;
mod library;
mod locations;
mod members;
mod operation;
mod patches;
mod patterns;
mod presence;
mod requests;
mod resources;
mod rules;
mod sources;
mod sync_parameters;
mod unchanged;
mod unions;

use std::collections::BTreeSet;
use std::sync::Arc;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::rust::{RustTypes, constant, ident, screaming_snake};
use super::{Artifact, Content, RustFile, manifest, rust_file};
use crate::diagnostics::Source;
use crate::model::{Api, Field, Operation, OperationId, Resource, ResourceId, TypeId};
use crate::options::Options;
use checked_types::CheckedTypes;
use patterns::Patterns;
use rules::RuleNames;

/// Facts about an API besides its types, shared by all files of the crate.
struct ApiFacts {
    names: RuleNames,
    patterns: Patterns,
    checked_types: CheckedTypes,
    compared: BTreeSet<ResourceId>,
    shapes: BTreeSet<usize>,
}

impl ApiFacts {
    /// Collects the facts of an API once for all files.
    fn of(api: &Api) -> Self {
        let reach = CheckedTypes::of(api);
        Self {
            names: RuleNames::of(api),
            patterns: Patterns::of(api),
            compared: equality::compared_resources(api, |id| reach.has_immutable(id)),
            shapes: super::types::requests::shaped_resources(api),
            checked_types: reach,
        }
    }
}

/// Context that the emitters of a validation crate share.
pub struct Crate<'a> {
    /// Types of the API, as this crate names them.
    pub rust: RustTypes<'a>,
    /// Names of its rules.
    pub names: &'a RuleNames,
    /// Its patterns.
    pub patterns: &'a Patterns,
    /// Types with anything to check.
    pub checked_types: &'a CheckedTypes,
    /// Resources whose values are compared by meaning, since their texts can differ.
    pub compared: &'a BTreeSet<ResourceId>,
    /// Resources with a field order.
    pub shapes: &'a BTreeSet<usize>,
    /// Files of the schema, in the order of the spans' indices.
    pub sources: &'a [Source],
    /// Path of the types crate.
    pub types: TokenStream,
    /// Maximum number of operations in a run.
    pub max_operations: usize,
}

impl<'a> Crate<'a> {
    fn new(api: &'a Api, sources: &'a [Source], options: &Options, known: &'a ApiFacts) -> Self {
        let types = ident(&options.crate_name(&api.name, "types").replace('-', "_"));
        let ApiFacts { names, patterns, checked_types: reach, compared, shapes } = known;
        let rust = RustTypes::with_paths(api, quote!(types), quote!(types::runtime));
        let most = options.max_operations;
        Self {
            rust,
            names,
            patterns,
            checked_types: reach,
            compared,
            shapes,
            sources,
            types: quote!(::#types),
            max_operations: most,
        }
    }

    /// Returns the API.
    pub fn api(&self) -> &'a Api {
        self.rust.api
    }

    /// Returns the field order of a resource, and the lines of the schema.
    fn shape(&self, id: ResourceId) -> TokenStream {
        let (types, name) = (&self.rust.types, ident(&self.api().resource(id).name.ident));
        if self.shapes.contains(&id.0) {
            quote! { ::wireform_validation::facts!(sources::SOURCES, #types::#name); }
        } else {
            quote! { ::wireform_validation::facts!(sources::SOURCES); }
        }
    }

    /// Returns the condition under which a field has an effect: `types::Event::CONFERENCE_DATA`.
    fn condition(&self, resource: &Resource, field: &Field) -> Option<TokenStream> {
        let (types, name, constant) = (&self.rust.types, ident(&resource.name.ident), constant(&field.name));
        field.is_conditional().then(|| quote!(#types::#name::#constant))
    }

    /// Returns the path of the function that compares two versions of a resource.
    fn unchanged_path(&self, id: ResourceId) -> TokenStream {
        let function = unchanged::function(self.api().resource(id));
        let module = self.api().modules.iter().find(|module| module.items.contains(&TypeId::Resource(id)));
        let module = module.map(|module| ident(&module.name));
        quote!(crate::resources::#module::#function)
    }
}

/// Returns the parameters `this`, `at` and `checker` of a generated check, or underscores if they are unused.
fn check_parameters(used: bool) -> (TokenStream, TokenStream, TokenStream) {
    if used { (quote!(this), quote!(at), quote!(checker)) } else { (quote!(_), quote!(_), quote!(_)) }
}

/// Returns the files of the validation crate; none for an API without resources and operations, since enums have
/// nothing to check.
pub fn emit<'a>(api: &'a Api, sources: &'a [Source], options: &'a Options) -> Vec<Artifact<'a>> {
    if api.resources.is_empty() && api.operations.is_empty() {
        return Vec::new();
    }
    let name = options.crate_name(&api.name, "validation");
    let at = |path: &str| format!("{name}/{path}");
    let known = Arc::new(ApiFacts::of(api));
    let has_patterns = !known.patterns.is_empty();
    let file = move |path: String, make: Box<Make<'a>>| {
        let known = Arc::clone(&known);
        rust_file(path, move || make(&Crate::new(api, sources, options, &known)))
    };
    let manifest = {
        let (name, description) = (name.clone(), format!("Validation of the {} API: {}.", api.name, api.title));
        move || Content::Text(manifest::validation(api, &name, &description, options))
    };
    let mut artifacts = vec![
        Artifact { path: at("Cargo.toml"), content: Box::new(manifest) },
        file(at("src/lib.rs"), Box::new(library::lib)),
        file(at("src/sources.rs"), Box::new(sources::file)),
    ];
    if has_patterns {
        artifacts.push(file(at("src/patterns.rs"), Box::new(patterns::file)));
    }
    for module in &api.modules {
        let path = at(&format!("src/resources/{}.rs", module.name));
        artifacts.push(file(path, Box::new(move |of| resources::file(of, module))));
    }
    if !api.modules.is_empty() {
        artifacts.push(file(at("src/resources/mod.rs"), Box::new(library::resources_mod)));
    }
    if !api.operations.is_empty() {
        artifacts.push(file(at("src/checked.rs"), Box::new(checked::file)));
        artifacts.push(file(at("src/operation.rs"), Box::new(operation::file)));
        artifacts.push(file(at("src/operations/mod.rs"), Box::new(library::operations_mod)));
    }
    for (module, (group, operations)) in super::types::requests::modules(api) {
        let path = at(&format!("src/operations/{module}.rs"));
        artifacts.push(file(path, Box::new(move |of| requests::file(of, group, &operations))));
    }
    artifacts
}

/// Function that creates a file from the shared facts.
type Make<'a> = dyn Fn(&Crate<'_>) -> RustFile + Send + Sync + 'a;

/// Returns the constant of an operation in the rules: `EVENTS_INSERT`.
fn operation_name(operation: &Operation) -> Ident {
    screaming_snake(&operation.types.request)
}

/// Returns an or-pattern: `operation::EVENTS_INSERT | operation::EVENTS_IMPORT`.
fn operation_pattern(api: &Api, operations: &[OperationId]) -> TokenStream {
    let names = operations.iter().map(|id| operation_name(api.operation(*id)));
    quote!(#(operation::#names)|*)
}

/// Returns the test whether a value is in the request of one of the operations.
fn is_sent_to(of: &Crate<'_>, operations: &[OperationId]) -> TokenStream {
    let operations = operation_pattern(of.api(), operations);
    quote!(matches!(checker.request_operation_index(), Some(#operations)))
}

/// Returns the imports of every module of checks.
fn imports(of: &Crate<'_>) -> TokenStream {
    let operation = (!of.api().operations.is_empty()).then(|| quote!(operation,));
    let patterns = (!of.patterns.is_empty()).then(|| quote!(patterns,));
    quote! {
        #[allow(unused_imports)]
        use ::wireform_validation::__private::{AbsentField, Checker, Location, Rule, Validates, cel, formats::Format};
        #[allow(unused_imports)]
        use crate::{Rules, #operation #patterns sources, types};
    }
}
