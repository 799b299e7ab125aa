//! `src/sources.rs`: the lines of the schema, to find the origin of a violation. They have a file of their own
//! because every edit changes them.

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::Crate;
use crate::diagnostics::Span;
use crate::emit::rust::ident;
use crate::emit::{Part, RustFile, docs, features};
use crate::model::{FeatureGate, Module, TypeId};

/// Returns the lines of fields and rules: one table for each module, which can move to a file of its own.
pub fn file(of: &Crate<'_>) -> RustFile {
    let mut lines = Lines::new(of);
    let resources = of.api().resources.iter().flat_map(|resource| &resource.rules);
    let rules: Vec<TokenStream> = resources
        .chain(of.api().operations.iter().flat_map(|operation| &operation.rules))
        .map(|rule| {
            let (name, line) = (of.names.constant(rule), lines.of(rule.cel.span));
            quote! { pub const #name: &str = #line; }
        })
        .collect();
    let tables: Vec<(&Module, TokenStream)> =
        of.api().modules.iter().filter_map(|module| Some((module, table(of, module, &mut lines)?))).collect();
    let names = tables.iter().map(|(module, _)| {
        let (cfg, name) = (features::cfg(of.api(), &gate(of, module)), constant(module));
        quote!(#cfg crate::sources::#name)
    });
    let all = quote! {
        #[doc = " Lines of the fields in the schema, a table for each of its files."]
        pub static SOURCES: ::wireform_validation::__private::SourceLines = ::wireform_validation::__private::SourceLines {
            tables: &[#(#names),*],
        };
    };
    // The lines of fields are unused if nothing has fields.
    let has_members = !of.api().resources.is_empty() || !of.api().unions.is_empty();
    let mut items: Vec<TokenStream> = has_members.then_some(all).into_iter().collect();
    items.extend((!rules.is_empty()).then(|| quote! { #(#rules)* }));
    let part = |(module, table): (&Module, TokenStream)| {
        let attribute = features::attribute(of.api(), &gate(of, module));
        Part::new(vec![module.name.clone()], vec![table]).gated(attribute)
    };
    let parts = tables.into_iter().map(part).collect();
    RustFile::with_parts(docs::inner_attribute("Lines of the definitions in the schema."), items, parts)
}

/// Returns the gate of a module's table.
fn gate(of: &Crate<'_>, module: &Module) -> FeatureGate {
    features::module_gate(of.api(), module, |item| matches!(item, TypeId::Resource(_)))
}

/// Returns the table of a module:
///
/// ```text
/// pub static EVENT__FIELDS: &[::wireform_validation::__private::SourceTable] = &[("Event", "\tevent.yaml:4\nid\tevent.yaml:6"), …];
/// ```
fn table(of: &Crate<'_>, module: &Module, lines: &mut Lines<'_>) -> Option<TokenStream> {
    let mut resources: BTreeMap<&str, String> = BTreeMap::new();
    for item in &module.items {
        let TypeId::Resource(id) = item else { continue };
        let resource = of.api().resource(*id);
        let mut text = format!("\t{}", lines.of(resource.span));
        for field in resource.named_fields() {
            text += &format!("\n{}\t{}", field.name.wire, lines.of(field.span));
        }
        resources.entry(&resource.name.wire).or_insert(text);
    }
    // Sorted for the binary search of the runtime.
    let rows = resources.iter().map(|(resource, lines)| quote!((#resource, #lines)));
    let (name, doc) = (constant(module), format!(" Fields of `{}`, each with its lines.", module.name));
    (!resources.is_empty()).then(|| {
        quote! {
            #[doc = #doc]
            pub static #name: &[::wireform_validation::__private::SourceTable] = &[#(#rows),*];
        }
    })
}

/// Returns the name of a module's table. It cannot collide with a rule, whose name has no two underscores in a row.
fn constant(module: &Module) -> Ident {
    ident(&format!("{}__FIELDS", module.name.trim_start_matches("r#").to_uppercase()))
}

/// Offsets of the lines of each file.
struct Lines<'a> {
    of: &'a Crate<'a>,
    starts: Vec<Vec<usize>>,
}

impl<'a> Lines<'a> {
    fn new(of: &'a Crate<'a>) -> Self {
        let starts = |text: &str| text.match_indices('\n').map(|(at, _)| at + 1).collect();
        Self { of, starts: of.sources.iter().map(|source| starts(&source.text)).collect() }
    }

    /// Returns the location of a span: `event.yaml:42`
    fn of(&mut self, span: Span) -> String {
        let file = span.file as usize;
        let (Some(source), Some(starts)) = (self.of.sources.get(file), self.starts.get(file)) else {
            return String::new();
        };
        let line = starts.partition_point(|start| *start <= span.start as usize) + 1;
        let name = source.path.rsplit(['/', '\\']).next().unwrap_or(&source.path);
        format!("{name}:{line}")
    }
}
