//! Features of groups: the `cfg` attributes of gated items, and the documentation of the features.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::quote;

use super::rust::ident;
use super::{docs, groups};
use crate::model::{Api, FeatureGate, Features, Group, Module, OperationId, TypeId};

/// The feature of all groups.
pub const ALL_GROUPS: &str = "all-groups";

/// Returns `#[cfg(any(feature = "events", feature = "calendars"))]` as one or several lines; empty for items without
/// a gate.
pub fn attribute(api: &Api, gate: &FeatureGate) -> String {
    if gate.is_always() {
        return String::new();
    }
    let condition = condition(api, gate);
    match condition.contains('\n') {
        // Formatted like prettyplease.
        true => format!("#[cfg(\n    {}\n)]\n", condition.replace('\n', "\n    ")),
        false => format!("#[cfg({condition})]\n"),
    }
}

/// Returns the attribute as tokens.
pub fn cfg(api: &Api, gate: &FeatureGate) -> TokenStream {
    // The text contains only feature names.
    attribute(api, gate).parse().unwrap_or_default()
}

/// Returns the negated attribute, for a replacement without the features; empty for items without a gate.
pub fn cfg_not(api: &Api, gate: &FeatureGate) -> TokenStream {
    if gate.is_always() {
        return TokenStream::new();
    }
    format!("#[cfg(not({}))]", condition(api, gate)).parse().unwrap_or_default()
}

/// Returns the predicate `any(feature = "events", feature = "calendars")`, or `all()`, which is always true.
pub fn predicate(api: &Api, gate: &FeatureGate) -> TokenStream {
    let text = if gate.is_always() { "all()".to_owned() } else { condition(api, gate) };
    text.parse().unwrap_or_default()
}

/// Returns the predicate of a `cfg` attribute for a gate, which is not empty: `feature = "a"` or `any(…)`.
fn condition(api: &Api, gate: &FeatureGate) -> String {
    let features = gate.0.iter().map(|at| &api.features.groups[*at]);
    let features: Vec<String> = features.map(|feature| format!("feature = \"{}\"", feature.name)).collect();
    let line = features.join(", ");
    match features.as_slice() {
        [one] => one.clone(),
        _ if line.len() <= 80 => format!("any({line})"),
        _ => format!("any(\n    {},\n)", features.join(",\n    ")),
    }
}

/// Returns the attribute of a part that the gate of its file does not imply.
pub fn part_attribute(api: &Api, file: &FeatureGate, part: &FeatureGate) -> String {
    if file == part { String::new() } else { attribute(api, part) }
}

/// Returns the gate of a module's file, given the types in it.
pub fn module_gate(api: &Api, module: &Module, has: impl Fn(&TypeId) -> bool) -> FeatureGate {
    let items: Vec<&FeatureGate> =
        module.items.iter().filter(|item| has(item)).map(|item| api.type_gate(item)).collect();
    api.features.any_gate(items)
}

/// Returns the gate of the file with the requests of some operations.
pub fn requests_gate(api: &Api, operations: &[OperationId]) -> FeatureGate {
    api.features.any_gate(operations.iter().map(|id| api.request_gate(*id)))
}

/// Returns the gate of the group of each operation in an outermost group.
pub fn operation_gates(api: &Api, outermost: &Group) -> BTreeMap<OperationId, FeatureGate> {
    let groups = groups::with_operations(api, outermost).into_iter();
    groups.flat_map(|group| group.operations.iter().map(|id| (*id, api.features.group_gate(group)))).collect()
}

/// Returns the attribute that allows a lint if some groups are left out: `#[cfg_attr(not(feature = "all-groups"),
/// allow(…))]`.
pub fn allow_attribute(api: &Api, lint: &str) -> Option<TokenStream> {
    let lint = ident(lint);
    api.features.has_group_features().then(|| quote! { #[cfg_attr(not(feature = #ALL_GROUPS), allow(#lint))] })
}

/// Returns the documentation of a crate's features, one line each; empty if it has none.
pub fn feature_docs(api: &Api) -> Vec<String> {
    if !api.features.has_group_features() {
        return Vec::new();
    }
    let features = &api.features;
    let mut lines = vec![
        String::new(),
        "# Features".to_owned(),
        String::new(),
        format!(
            "Each group of operations, with the types that only it uses, is a feature. All are enabled by default, through {}; with `default-features = false` only the named ones are. A nested group enables its parent.",
            docs::code_span(ALL_GROUPS)
        ),
        String::new(),
    ];
    let codes = |groups: &[String]| groups.iter().map(|group| docs::code_span(group)).collect::<Vec<_>>().join(", ");
    if !features.ungated_groups.is_empty() || features.groups.iter().any(|one| !one.merged_groups.is_empty()) {
        lines.extend([
            format!(
                "There are {} features at most: the groups with the fewest operations belong to the feature of their parent.",
                Features::MAX_FEATURES
            ),
            String::new(),
        ]);
    }
    if !features.ungated_groups.is_empty() {
        lines.extend([format!("Always enabled: {}.", codes(&features.ungated_groups)), String::new()]);
    }
    lines.extend(["| feature | group |".to_owned(), "|---|---|".to_owned()]);
    lines.extend(features.groups.iter().map(|one| {
        let with =
            if one.merged_groups.is_empty() { String::new() } else { format!(", with {}", codes(&one.merged_groups)) };
        let group =
            if one.group.is_empty() { "types that no operation uses".into() } else { docs::code_span(&one.group) };
        format!("| {} | {group}{with} |", docs::code_span(&one.name))
    }));
    lines
}
