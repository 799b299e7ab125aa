//! `src/patterns.rs`: what texts can be, as tables. They stand apart because nobody reads them.

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::Crate;
use crate::emit::{RustFile, docs, features};
use crate::model::{Api, Behind, Constraints, OperationId, ResourceId, TypeId};

/// The patterns of an API, each with its number.
pub struct Patterns(BTreeMap<String, usize>);

impl Patterns {
    /// Those of all members and parameters, numbered in the order of the schema.
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

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The static of a pattern: `PATTERN_1`.
    pub fn name(&self, pattern: &str) -> Option<Ident> {
        self.0.get(pattern).map(|number| format_ident!("PATTERN_{number}"))
    }
}

/// What the table of a pattern is behind: whatever has members or parameters of it.
fn behind(api: &Api, pattern: &str) -> Behind {
    if !api.features.is_divided() {
        return Behind::default();
    }
    let is = |constraints: &Constraints| constraints.pattern.as_deref() == Some(pattern);
    let resources = api.resources.iter().enumerate().filter(|(_, it)| it.fields.iter().any(|it| is(&it.constraints)));
    let resources = resources.map(|(index, _)| api.type_behind(&TypeId::Resource(ResourceId(index))));
    let operations = api.operations.iter().enumerate();
    let operations = operations.filter(|(_, it)| it.parameters.iter().any(|it| is(&it.constraints)));
    api.features.any(resources.chain(operations.map(|(index, _)| api.request_behind(OperationId(index)))))
}

/// The tables.
pub fn file(of: &Crate<'_>) -> RustFile {
    let mut all: Vec<(&String, &usize)> = of.patterns.0.iter().collect();
    all.sort_unstable_by_key(|(_, number)| **number);
    let table = |(pattern, _): (&String, &usize)| -> Option<TokenStream> {
        let matcher = of.api().patterns.get(pattern)?;
        let (name, ty, tables) = (of.patterns.name(pattern)?, matcher.ty(), matcher.tokens());
        let doc = docs::line(&docs::code(pattern));
        let cfg = features::cfg(of.api(), &behind(of.api(), pattern));
        Some(quote! { #doc #cfg pub static #name: #ty = #tables; })
    };
    RustFile {
        head: docs::inner_line("The patterns of texts, as tables."),
        items: all.into_iter().filter_map(table).collect(),
        ..RustFile::default()
    }
}
