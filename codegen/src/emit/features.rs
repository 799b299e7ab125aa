//! The features of groups: what stands before that which is there with some of them only, and what is said of them.

use proc_macro2::TokenStream;
use quote::quote;

use super::rust::ident;
use super::{docs, groups};
use crate::model::{Api, Behind, Features, Module, OperationId, TypeId};

/// The feature of all groups.
pub const ALL: &str = "all-groups";

/// `#[cfg(any(feature = "events", feature = "calendars"))]` as a line or several; empty for what is always there.
pub fn attribute(api: &Api, behind: &Behind) -> String {
    if behind.is_always() {
        return String::new();
    }
    let condition = condition(api, behind);
    match condition.contains('\n') {
        // As the formatter writes it.
        true => format!("#[cfg(\n    {}\n)]\n", condition.replace('\n', "\n    ")),
        false => format!("#[cfg({condition})]\n"),
    }
}

/// The same as tokens.
pub fn cfg(api: &Api, behind: &Behind) -> TokenStream {
    // What stands in it are names of features.
    attribute(api, behind).parse().unwrap_or_default()
}

/// The other way round: what stands in its place without the features; nothing for what is always there.
pub fn cfg_not(api: &Api, behind: &Behind) -> TokenStream {
    if behind.is_always() {
        return TokenStream::new();
    }
    format!("#[cfg(not({}))]", condition(api, behind)).parse().unwrap_or_default()
}

/// `any(feature = "events", feature = "calendars")`; `all()`, which always holds, for what is always there.
pub fn predicate(api: &Api, behind: &Behind) -> TokenStream {
    let text = if behind.is_always() { "all()".to_owned() } else { condition(api, behind) };
    text.parse().unwrap_or_default()
}

fn condition(api: &Api, behind: &Behind) -> String {
    let features = behind.0.iter().map(|at| &api.features.groups[*at]);
    let features: Vec<String> = features.map(|feature| format!("feature = \"{}\"", feature.name)).collect();
    let line = features.join(", ");
    match features.as_slice() {
        [one] => one.clone(),
        _ if line.len() <= 80 => format!("any({line})"),
        _ => format!("any(\n    {},\n)", features.join(",\n    ")),
    }
}

/// What a part of a file is behind beyond the file itself.
pub fn within(api: &Api, file: &Behind, part: &Behind) -> String {
    if file == part { String::new() } else { attribute(api, part) }
}

/// What the file of a module is behind that has these of its types.
pub fn of_module(api: &Api, module: &Module, has: impl Fn(&TypeId) -> bool) -> Behind {
    let items: Vec<&Behind> = module.items.iter().filter(|item| has(item)).map(|item| api.type_behind(item)).collect();
    api.features.any(items)
}

/// What the file of the requests of these operations is behind.
pub fn of_requests(api: &Api, operations: &[OperationId]) -> Behind {
    api.features.any(operations.iter().map(|id| api.request_behind(*id)))
}

/// The group that each operation stands in, as what it is behind, by index.
pub fn of_operations(api: &Api) -> Vec<Behind> {
    let mut found = vec![Behind::default(); api.operations.len()];
    for group in groups::all(api) {
        group.operations.iter().for_each(|id| found[id.0] = api.features.of_group(group));
    }
    found
}

/// The attribute of what is not used where some groups are left out: `#[cfg_attr(not(feature = "all-groups"), allow(…))]`.
pub fn allowed(api: &Api, lint: &str) -> Option<TokenStream> {
    let lint = ident(lint);
    api.features.is_divided().then(|| quote! { #[cfg_attr(not(feature = #ALL), allow(#lint))] })
}

/// What the documentation of a crate says of its features, a line each; nothing where it is whole.
pub fn about(api: &Api) -> Vec<String> {
    if !api.features.is_divided() {
        return Vec::new();
    }
    let features = &api.features;
    let mut lines = vec![
        String::new(),
        "# Features".to_owned(),
        String::new(),
        format!(
            "Each group of operations, with the types that only it uses, is a feature. All are enabled by default, through {}; with `default-features = false` only the named ones are. A nested group enables its parent.",
            docs::code(ALL)
        ),
        String::new(),
    ];
    let codes = |groups: &[String]| groups.iter().map(|group| docs::code(group)).collect::<Vec<_>>().join(", ");
    if !features.always.is_empty() || features.groups.iter().any(|one| !one.with.is_empty()) {
        lines.extend([
            format!(
                "There are {} features at most: the groups with the fewest operations belong to the feature of their parent.",
                Features::MOST
            ),
            String::new(),
        ]);
    }
    if !features.always.is_empty() {
        lines.extend([format!("Always enabled: {}.", codes(&features.always)), String::new()]);
    }
    lines.extend(["| feature | group |".to_owned(), "|---|---|".to_owned()]);
    lines.extend(features.groups.iter().map(|one| {
        let with = if one.with.is_empty() { String::new() } else { format!(", with {}", codes(&one.with)) };
        let group = if one.group.is_empty() { "types that no operation uses".into() } else { docs::code(&one.group) };
        format!("| {} | {group}{with} |", docs::code(&one.name))
    }));
    lines
}
