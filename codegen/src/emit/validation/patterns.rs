//! `src/patterns.rs`: compiled patterns, in a file of their own because they are not readable.

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::Crate;
use crate::emit::{Part, RustFile, docs, features, groups};
use crate::model::{Api, Constraints, FeatureGate, OperationId, ResourceId, TypeId};

/// Patterns of an API, each with its number.
pub struct Patterns(BTreeMap<String, usize>);

impl Patterns {
    /// Collects the patterns of all fields and parameters, numbered in the order of the schema.
    pub fn of(api: &Api) -> Self {
        let fields = api.resources.iter().flat_map(|resource| &resource.fields).map(|field| &field.constraints);
        let parameters = api.operations.iter().flat_map(|operation| &operation.parameters);
        let mut numbers = BTreeMap::new();
        for pattern in fields.chain(parameters.map(|it| &it.constraints)).filter_map(|it| it.pattern.as_ref()) {
            let next = numbers.len() + 1;
            numbers.entry(pattern.clone()).or_insert(next);
        }
        Self(numbers)
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the static of a pattern: `PATTERN_1`.
    pub fn name(&self, pattern: &str) -> Option<Ident> {
        self.0.get(pattern).map(|number| format_ident!("PATTERN_{number}"))
    }
}

/// Returns the gate of a pattern's table: that of any field or parameter with the pattern.
fn gate(api: &Api, pattern: &str) -> FeatureGate {
    if !api.features.is_divided() {
        return FeatureGate::default();
    }
    let is = |constraints: &Constraints| constraints.pattern.as_deref() == Some(pattern);
    let resources = api.resources.iter().enumerate().filter(|(_, it)| it.fields.iter().any(|it| is(&it.constraints)));
    let resources = resources.map(|(index, _)| api.type_gate(&TypeId::Resource(ResourceId(index))));
    let operations = api.operations.iter().enumerate();
    let operations = operations.filter(|(_, it)| it.parameters.iter().any(|it| is(&it.constraints)));
    api.features.any(resources.chain(operations.map(|(index, _)| api.request_gate(OperationId(index)))))
}

/// Returns the tables.
pub fn file(of: &Crate<'_>) -> RustFile {
    let mut all: Vec<(&String, &usize)> = of.patterns.0.iter().collect();
    all.sort_unstable_by_key(|(_, number)| **number);
    let table = |(pattern, _): (&String, &usize)| -> Option<TokenStream> {
        let matcher = of.api().patterns.get(pattern)?;
        let (name, ty, tables) = (of.patterns.name(pattern)?, matcher.ty(), matcher.tokens());
        let doc = docs::line(&docs::code(pattern));
        let cfg = features::cfg(of.api(), &gate(of.api(), pattern));
        Some(quote! { #doc #cfg pub static #name: #ty = #tables; })
    };
    let places = places(of.api());
    let part = |entry: (&String, &usize)| {
        let place = places.get(entry.0).cloned().unwrap_or_default();
        Some(Part::new(place, vec![table(entry)?]))
    };
    let parts = all.into_iter().filter_map(part).collect();
    RustFile::of_parts(docs::inner_line("Patterns, compiled to tables."), Vec::new(), parts)
}

/// Returns the modules of each pattern, if there are too many for a file: that of the first resource with it, or else
/// that of the group of the first operation.
fn places(api: &Api) -> BTreeMap<String, Vec<String>> {
    let mut places = BTreeMap::new();
    let mut put = |constraints: &Constraints, place: &[String]| {
        if let Some(pattern) = &constraints.pattern {
            places.entry(pattern.clone()).or_insert_with(|| place.to_vec());
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
    for group in groups::all(api) {
        let place = groups::modules(api, group);
        let parameters = group.operations.iter().flat_map(|id| &api.operation(*id).parameters);
        parameters.for_each(|parameter| put(&parameter.constraints, &place));
    }
    places
}
