//! Schema → model: names, types, paths, references, checks.
//!
//! Everything that an emitter cannot emit is rejected here, with a span and a suggestion. Passes run in a fixed
//! order, and each relies on the earlier ones: definitions get their indices, then resources, enums and operations
//! are resolved against them, then the relations between them are analyzed.

mod allow;
mod alternatives;
mod api_file;
mod behavior;
mod bodies;
mod builtins;
mod common_values;
mod constraints;
mod dedupe;
mod defaults;
pub mod disambiguate;
mod discriminators;
mod elements;
mod enums;
mod error_bodies;
mod errors;
mod etags;
mod features;
mod files;
mod form_lists;
mod forms;
mod globs;
mod graph;
mod groups;
mod header_names;
mod headers;
mod infinite;
mod lints;
mod literals;
mod long_running;
mod lookup;
mod media;
mod media_types;
mod members;
pub mod names;
mod operations;
mod overlaps;
mod pages;
mod parameters;
mod patterns;
mod profile;
mod resources;
mod responses;
mod routes;
mod security;
pub mod segment_patterns;
mod sets;
mod states;
mod structured;
mod sync;
mod tables;
mod types;
mod unions;
mod unused;
pub mod urls;
mod violations;
mod watch;
mod xml;

pub use allow::AllowedWarnings;
pub use builtins::BUILTINS;
pub use defaults::check_defaults;
pub use enums::shortest;
pub use forms::is_lexical;
pub use forms::{is_base64, is_date, is_date_time, is_duration};
pub use header_names::{is_reserved_request_header, is_token};
pub use headers::is_reserved_response_header;
pub use media_types::is_media_type;
pub use sets::{Expanded, expand};
pub use xml::is_uri as is_xml_namespace;

use crate::diagnostics::Sink;
use crate::model::{Api, Enum, Module, Operation, OperationId, Resource, Scope, Union};
use crate::schema::File;
use crate::schema::shape::Short;
use tables::Tables;

/// Resolves the files of one API. `stems` are the names of the source files, by file index; they name the modules of
/// the types crate.
pub fn resolve(expanded: &Expanded, stems: &[&str], sink: &mut Sink) -> Option<Api> {
    let mut tables = Tables::collect(expanded, sink)?;
    let mut rule_ids = resources::RuleIds::new();
    let types = types_and_errors(&mut tables, &expanded.files, &mut rule_ids, sink);
    let mut scope = members::Scope::default();
    let standard: Vec<_> =
        tables.api.standard_parameters.iter().flat_map(|name| tables.set(name, &mut scope, sink)).collect();
    let mut operations: Vec<_> = (0..tables.operations.len())
        .map(|index| tables.operation_def(OperationId(index), &types.resources, &mut rule_ids, sink))
        .collect();
    tables.long_running(&types.resources, &mut operations, sink);
    // Without those that could not be resolved, which was reported, the ids of operations have no meaning.
    let is_complete = operations.iter().all(Option::is_some);
    let mut operations: Vec<_> = operations.into_iter().flatten().collect();
    resources::disambiguate_shared(&mut operations);
    let mut groups = groups::tree(&tables, &operations, sink);
    let features = features::build_features(&tables, &mut groups, sink);
    let mut api = Api {
        security_schemes: tables.security_schemes(sink),
        standard_parameters: standard,
        operations,
        groups,
        features,
        ..types
    };
    describe(&mut api, &tables, stems, sink);
    check(&tables, &mut api, sink);
    if !is_complete {
        return None;
    }
    api.patterns = tables.patterns.into_inner();
    api.shadowed_names = shadowed(&api);
    features::set_gates(&mut api);
    dedupe::mark_duplicates(&mut api);
    Some(api)
}

/// Resolves the types, the error body and the profile; everything else of the API is left empty.
fn types_and_errors(
    tables: &mut Tables<'_>,
    files: &[File],
    rule_ids: &mut resources::RuleIds,
    sink: &mut Sink,
) -> Api {
    let resources: Vec<_> = (0..tables.resources.len()).map(|index| tables.resource(index, rule_ids, sink)).collect();
    let enums: Vec<_> = (0..tables.enums.len()).map(|index| tables.enumeration(index, sink)).collect();
    let unions: Vec<_> = (0..tables.unions.len()).map(|index| tables.union(index, &resources, sink)).collect();
    unions::check(tables, &unions, &resources, &enums, sink);
    let error_body = tables.error_body(sink);
    let types = error_bodies::Types { resources: &resources, enums: &enums };
    let error_fields = tables.error_members(error_body, &types, sink);
    let profile = profile::profile(files, sink);
    error_bodies::check_domain(tables.api.errors.as_ref(), profile.as_ref(), sink);
    Api { error_body, error_fields, profile, resources, enums, unions, ..Api::default() }
}

/// Checks the operations together with each other and with the types, and analyzes the relations between them.
fn check(tables: &Tables<'_>, api: &mut Api, sink: &mut Sink) {
    let Api { resources, enums, unions, operations, standard_parameters, .. } = api;
    tables.check_routes(operations, sink);
    tables.check_security(sink);
    tables.lint_operations(operations, sink);
    tables.check_files(resources, unions, operations, sink);
    tables.check_structured(resources, standard_parameters, operations, sink);
    tables.check_roles(sink);
    tables.check_needed_roles(operations, sink);
    tables.check_unused(sink);
    api.xml = tables.xml_types(resources, unions, operations, sink);
    relate(tables, resources, (enums, unions), operations, sink);
    tables.check_overlaps(api, sink);
    tables.check_selected_bodies(api, sink);
}

/// Analyses the relations between definitions once all of them are resolved.
fn relate(
    tables: &Tables<'_>,
    resources: &mut [Resource],
    (enums, unions): (&[Enum], &mut [Union]),
    operations: &[Operation],
    sink: &mut Sink,
) {
    graph::mark_boxes(resources);
    graph::check_outcomes(tables, resources, sink);
    graph::mark_patches(tables, resources, operations, sink);
    graph::mark_directions(resources, unions);
    infinite::check(tables, resources, unions, sink);
    graph::check_deprecated(tables, resources, (enums, unions), sink);
}

/// Resolves the description of the API: its names, URLs and scopes.
fn describe(to: &mut Api, tables: &Tables<'_>, stems: &[&str], sink: &mut Sink) {
    let api = tables.api;
    to.name.clone_from(&tables.api_name.text);
    to.version = api.version.as_ref().map_or_else(|| "v1".to_owned(), |version| version.text.clone());
    to.title = api.title.as_ref().map_or_else(|| tables.api_name.text.clone(), |title| title.text.clone());
    to.doc = members::text(api.doc.as_ref());
    to.root = api.root.as_ref().map(|root| urls::address(root, sink));
    to.base_path = urls::base_path(api, sink);
    to.endpoints = urls::endpoints(api, sink);
    to.batch = urls::batch(api, sink);
    to.unimplemented = urls::unimplemented(tables, &to.operations, sink);
    to.scopes = scopes(tables, sink);
    to.modules = modules(tables, stems);
}

/// Returns the names of Rust's prelude that generated items have.
fn shadowed(api: &Api) -> Vec<String> {
    let types = api.resources.iter().map(|resource| &resource.name);
    let types = types.chain(api.enums.iter().map(|definition| &definition.name));
    let types = types.chain(api.unions.iter().map(|union| &union.name)).map(|name| name.ident.as_str());
    // Requests and calls have modules of their own, in which their names shadow the prelude too.
    let made = api.operations.iter().flat_map(|operation| [operation.types.request.as_str(), &operation.types.call]);
    let names = types.chain(made).chain(groups::type_names(&api.groups));
    names.filter(|name| names::PRELUDE.contains(name)).map(str::to_owned).collect()
}

/// Resolves the scopes of the API; reports duplicate names and aliases.
fn scopes(tables: &Tables<'_>, sink: &mut Sink) -> Vec<Scope> {
    let base = members::text(tables.api.scope_base.as_ref());
    let mut spellings = names::WireNames::default();
    tables
        .api
        .scopes
        .0
        .iter()
        .map(|(name, Short(scope))| {
            members::document(scope.doc.as_ref(), name, "scope", sink);
            spellings.take(&name.text, name.span, &scope.aliases, sink);
            Scope {
                name: name.text.clone(),
                url: scope.url.as_ref().map_or_else(|| format!("{base}{}", name.text), |url| url.text.clone()),
                aliases: members::texts(&scope.aliases),
                doc: members::text(scope.doc.as_ref()),
                origin: scope.origin.as_ref().map(|origin| origin.text.clone()),
            }
        })
        .collect()
}

/// Returns one module for each file that defines types; files with equal module names share one.
fn modules(tables: &Tables<'_>, stems: &[&str]) -> Vec<Module> {
    let mut modules: Vec<Module> = Vec::new();
    let mut places: std::collections::BTreeMap<String, usize> = std::collections::BTreeMap::new();
    for (stem, items) in stems.iter().zip(graph::items_by_file(tables, stems.len())) {
        if items.is_empty() {
            continue;
        }
        let name = names::module(stem);
        match places.get(&name).and_then(|place| modules.get_mut(*place)) {
            Some(module) => module.items.extend(items),
            None => {
                places.insert(name.clone(), modules.len());
                modules.push(Module { name, items });
            }
        }
    }
    modules
}
