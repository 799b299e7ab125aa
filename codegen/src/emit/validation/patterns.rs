//! `src/patterns.rs`: compiled patterns, in a file of their own because they are not readable.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::Crate;
use crate::emit::rust::{constant, ident, screaming_snake};
use crate::emit::{Part, RustFile, docs, features, groups};
use crate::model::{Api, Body, Constraints, FeatureGate, Operation, OperationId, ResourceId, TypeId};

/// Patterns of an API, in the order of the schema, each with the name of its static.
pub struct Patterns {
    order: Vec<String>,
    names: BTreeMap<String, String>,
}

/// Field or parameter with a pattern.
struct User {
    /// Constant named after it.
    name: String,
    /// Constant named after its resource or operation.
    owner: String,
}

impl Patterns {
    /// Collects the patterns of all fields and parameters. A static has the name of the first field or parameter with
    /// its pattern, with that of the resource or operation if several patterns would have the same name.
    pub fn of(api: &Api) -> Self {
        let (mut order, mut users) = (Vec::new(), BTreeMap::new());
        for (pattern, owner, name) in all_with_operations(api) {
            users.entry(pattern.clone()).or_insert_with(|| {
                order.push(pattern);
                User { name: name.to_string(), owner: screaming_snake(owner).to_string() }
            });
        }
        let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
        users.values().for_each(|user| *uses.entry(&user.name).or_default() += 1);
        let (mut names, mut taken) = (BTreeMap::new(), BTreeSet::new());
        for (pattern, User { name, owner }) in order.iter().filter_map(|pattern| users.get_key_value(pattern)) {
            let name = if uses.get(name.as_str()) > Some(&1) { format!("{owner}_{name}") } else { name.clone() };
            let numbered = (2..).map(|number| format!("{name}_{number}"));
            let free = std::iter::once(name.clone()).chain(numbered).find(|name| !taken.contains(name));
            let name = free.unwrap_or(name);
            taken.insert(name.clone());
            names.insert(pattern.clone(), name);
        }
        Self { order, names }
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Returns the static of a pattern: `PRIVATE_EXTENDED_PROPERTY`.
    pub fn name(&self, pattern: &str) -> Option<Ident> {
        self.names.get(pattern).map(|name| ident(name))
    }
}

/// Returns the patterns of fields, parameters and bodies, each with the type of its resource or request, and the constant
/// named after the field or parameter.
fn all_with_operations(api: &Api) -> Vec<(String, &str, Ident)> {
    let mut found = Vec::new();
    let mut add = |constraints: &Constraints, owner, name: &dyn Fn() -> Ident| {
        found.extend(constraints.written_patterns().map(|pattern| (pattern.to_owned(), owner, name())));
    };
    for resource in &api.resources {
        let owner = resource.name.ident.as_str();
        resource.fields.iter().for_each(|field| add(&field.constraints, owner, &|| constant(&field.name)));
    }
    for operation in &api.operations {
        let owner = operation.types.request.as_str();
        let parameters = operation.parameters.iter();
        parameters.for_each(|parameter| add(&parameter.constraints, owner, &|| constant(&parameter.name)));
        bodies(operation).for_each(|constraints| add(&constraints, owner, &|| ident("BODY")));
    }
    found
}

/// Returns the constraints of the alternatives of a body.
fn bodies(operation: &Operation) -> impl Iterator<Item = Constraints> {
    operation.body.iter().flat_map(Body::alternatives_or_self).map(Body::constraints)
}

/// Returns the gate of a pattern's table: that of any field, parameter or body with the pattern.
fn gate(api: &Api, pattern: &str) -> FeatureGate {
    if !api.features.has_group_features() {
        return FeatureGate::default();
    }
    let is = |constraints: &Constraints| constraints.written_patterns().any(|own| own == pattern);
    let resources = api.resources.iter().enumerate().filter(|(_, it)| it.fields.iter().any(|it| is(&it.constraints)));
    let resources = resources.map(|(index, _)| api.type_gate(&TypeId::Resource(ResourceId(index))));
    let has = |it: &Operation| it.parameters.iter().any(|it| is(&it.constraints)) || bodies(it).any(|it| is(&it));
    let operations = api.operations.iter().enumerate().filter(|(_, it)| has(it));
    api.features.any_gate(resources.chain(operations.map(|(index, _)| api.request_gate(OperationId(index)))))
}

/// Returns the tables.
pub fn file(of: &Crate<'_>) -> RustFile {
    let module = quote!(::wireform_validation::__private::pattern);
    let table = |pattern: &String| -> Option<TokenStream> {
        let matcher = of.api().patterns.get(pattern)?;
        let (name, ty, tables) = (of.patterns.name(pattern)?, matcher.ty(&module), matcher.tokens(&module));
        let doc = docs::line_attribute(&docs::code_span(pattern));
        let cfg = features::cfg(of.api(), &gate(of.api(), pattern));
        Some(quote! { #doc #cfg pub static #name: #ty = #tables; })
    };
    let places = places(of.api());
    let part = |pattern: &String| {
        let place = places.get(pattern).cloned().unwrap_or_default();
        Some(Part::new(place, vec![table(pattern)?]))
    };
    let parts = of.patterns.order.iter().filter_map(part).collect();
    RustFile::with_parts(docs::inner_attribute("Patterns, compiled to tables."), Vec::new(), parts)
}

/// Returns the modules of each pattern, if there are too many for a file: that of the first resource with it, or else
/// that of the group of the first operation.
fn places(api: &Api) -> BTreeMap<String, Vec<String>> {
    let mut places = BTreeMap::new();
    let mut put = |constraints: &Constraints, place: &[String]| {
        for pattern in constraints.written_patterns() {
            places.entry(pattern.to_owned()).or_insert_with(|| place.to_vec());
        }
    };
    for module in &api.modules {
        let resources = module.items.iter().filter_map(|item| match item {
            TypeId::Resource(id) => Some(api.resource(*id)),
            _ => None,
        });
        let fields = resources.flat_map(|resource| &resource.fields);
        fields.for_each(|field| put(&field.constraints, std::slice::from_ref(&module.name)));
    }
    for group in groups::all_with_operations(api) {
        let place = groups::modules(group);
        for operation in group.operations.iter().map(|id| api.operation(*id)) {
            operation.parameters.iter().for_each(|parameter| put(&parameter.constraints, &place));
            bodies(operation).for_each(|constraints| put(&constraints, &place));
        }
    }
    places
}
