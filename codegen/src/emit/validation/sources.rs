//! `src/sources.rs`: the lines of the schema, for those who look for what a violation comes from. They stand apart
//! because every edit moves them.

use proc_macro2::TokenStream;
use quote::quote;

use super::Crate;
use crate::diagnostics::Span;
use crate::emit::{RustFile, docs};

/// The lines of members and rules.
pub fn file(of: &Crate<'_>) -> RustFile {
    let mut lines = Lines::new(of);
    let mut members: Vec<(String, String, String)> = Vec::new();
    for resource in &of.api().resources {
        members.push((resource.name.wire.clone(), String::new(), lines.of(resource.span)));
        members.extend(
            resource
                .fields
                .iter()
                .map(|field| (resource.name.wire.clone(), field.name.wire.clone(), lines.of(field.span))),
        );
    }
    // The runtime looks them up by halving.
    members.sort_unstable();
    members.dedup_by(|a, b| (&a.0, &a.1) == (&b.0, &b.1));
    let members = members.iter().map(|(resource, member, line)| quote!((#resource, #member, #line)));
    let members = quote! {
        #[doc = " The members of the resources, an empty name for a resource itself."]
        pub static SOURCES: ::wireform_validation::Sources = ::wireform_validation::Sources {
            members: &[#(#members),*],
        };
    };
    let resources = of.api().resources.iter().flat_map(|resource| &resource.rules);
    let rules: Vec<TokenStream> = resources
        .chain(of.api().operations.iter().flat_map(|operation| &operation.rules))
        .map(|rule| {
            let (name, line) = (of.names.constant(rule), lines.of(rule.cel.span));
            quote! { pub const #name: &str = #line; }
        })
        .collect();
    let mut items = vec![members];
    items.extend((!rules.is_empty()).then(|| quote! { #(#rules)* }));
    RustFile::new(docs::inner_line("The lines of the schema."), items)
}

/// Where the lines of each file begin.
struct Lines<'a> {
    of: &'a Crate<'a>,
    starts: Vec<Vec<usize>>,
}

impl<'a> Lines<'a> {
    fn new(of: &'a Crate<'a>) -> Self {
        let starts = |text: &str| text.match_indices('\n').map(|(at, _)| at + 1).collect();
        Self { of, starts: of.sources.iter().map(|source| starts(&source.text)).collect() }
    }

    /// `event.yaml:42`
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
