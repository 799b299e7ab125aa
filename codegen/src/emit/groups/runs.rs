//! Runs: the division of a group with hundreds of operations by common prefixes of their names. Only the names
//! decide, so that a new operation only affects those with similar names.

use std::collections::BTreeMap;

use proc_macro2::Ident;
use quote::format_ident;

use crate::emit::rust::screaming_snake;
use crate::model::{Api, Group, OperationId};

/// Operations of a group that are emitted together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// Modules of the run within those of the group: the leading words of the names. Empty if the run is the whole
    /// group.
    pub modules: Vec<String>,
    /// Operations, in the order of the schema.
    pub operations: Vec<OperationId>,
}

impl Run {
    /// Returns the prefix of the run's constants: `EVENTS`, or `EVENTS__LIST` for a part of the group. Names of
    /// operations and groups have no two underscores in a row.
    pub fn constant_prefix(&self, group: &Group) -> Ident {
        let group = screaming_snake(&group.service_trait);
        if self.modules.is_empty() { group } else { format_ident!("{group}__{}", self.common_words().to_uppercase()) }
    }

    /// Returns the common leading words of the names.
    pub fn common_words(&self) -> String {
        self.modules.iter().map(|module| module.trim_matches('_')).collect::<Vec<_>>().join("_")
    }
}

/// Maximum number of distinct words; beyond it, operations are divided by fewer letters.
const MAX_WORDS: usize = 64;

/// Returns the runs of a group, each with at most `most` operations.
pub fn runs(api: &Api, group: &Group, most: usize) -> Vec<Run> {
    #[cfg(test)]
    crate::linearity::count_visit();
    if group.operations.len() <= most.max(1) {
        return vec![Run { modules: Vec::new(), operations: group.operations.clone() }];
    }
    let name = |id: OperationId| api.operation(id).method.ident.trim_start_matches("r#").trim_start_matches('_');
    let operations = group.operations.iter().map(|id| (*id, name(*id))).collect();
    divide(operations, most.max(1)).into_iter().map(|(modules, operations)| Run { modules, operations }).collect()
}

/// Returns the runs of all groups with direct operations, in the order of the schema.
pub fn all_runs(api: &Api, most: usize) -> Vec<(&Group, Run)> {
    let groups = super::all_with_operations(api).into_iter();
    groups.flat_map(|group| runs(api, group, most).into_iter().map(move |run| (group, run))).collect()
}

/// Operations, each with the rest of its name.
type RemainingNames<'a> = Vec<(OperationId, &'a str)>;

/// Splits operations by common prefixes of their names until at most `most` are in each module path.
fn divide(all: RemainingNames<'_>, most: usize) -> BTreeMap<Vec<String>, Vec<OperationId>> {
    let mut found: BTreeMap<Vec<String>, Vec<OperationId>> = BTreeMap::new();
    let mut open = vec![(Vec::new(), all)];
    while let Some((modules, operations)) = open.pop() {
        // An operation whose name is a prefix of others is separate.
        let (whole, longer): (RemainingNames<'_>, RemainingNames<'_>) =
            operations.into_iter().partition(|(_, rest)| rest.is_empty());
        if whole.len() + longer.len() <= most || longer.is_empty() {
            let ids = whole.into_iter().chain(longer).map(|(id, _)| id);
            found.entry(modules).or_default().extend(ids);
            continue;
        }
        if !whole.is_empty() {
            found.entry(modules.clone()).or_default().extend(whole.into_iter().map(|(id, _)| id));
        }
        for (module, inner) in split_by_prefix(longer) {
            open.push((modules.iter().cloned().chain([module]).collect(), inner));
        }
    }
    found.values_mut().for_each(|ids| ids.sort_unstable());
    found
}

/// Divides operations by the next word of their names, or by as many letters as distinguish some of them.
fn split_by_prefix(operations: RemainingNames<'_>) -> BTreeMap<String, RemainingNames<'_>> {
    let mut by_word: BTreeMap<&str, RemainingNames<'_>> = BTreeMap::new();
    for (id, rest) in &operations {
        let (word, suffix) = rest.split_once('_').unwrap_or((rest, ""));
        by_word.entry(word).or_default().push((*id, suffix.trim_start_matches('_')));
    }
    if by_word.len() <= MAX_WORDS {
        return by_word.into_iter().map(|(word, inner)| (module(word), inner)).collect();
    }
    let mut words = by_word.keys().map(|word| word.chars());
    let first = words.next().map(|word| word.as_str()).unwrap_or_default();
    let common_length =
        words.map(|word| word.zip(first.chars()).take_while(|(a, b)| a == b).count()).min().unwrap_or(0);
    let mut by_letters: BTreeMap<String, RemainingNames<'_>> = BTreeMap::new();
    for (id, rest) in operations {
        let word = rest.split('_').next().unwrap_or_default();
        let letters: String = word.chars().take(common_length + 1).collect();
        by_letters.entry(module(&letters)).or_default().push((id, rest));
    }
    by_letters
}

/// Returns a module name for a word; one that starts with a digit or is a keyword gets an underscore.
fn module(word: &str) -> String {
    if word.starts_with(|c: char| c.is_alphabetic()) { word.to_owned() } else { format!("_{word}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the names of each run by its modules.
    fn of(names: &[&str], most: usize) -> Vec<String> {
        let operations = names.iter().enumerate().map(|(at, name)| (OperationId(at), *name)).collect();
        let found = divide(operations, most).into_iter();
        let shown = |ids: Vec<OperationId>| ids.into_iter().map(|id| names[id.0]).collect::<Vec<_>>().join(" ");
        found.map(|(modules, ids)| format!("{}: {}", modules.join("/"), shown(ids))).collect()
    }

    #[test]
    fn operations_are_grouped_by_the_beginnings_of_their_names() {
        let names = ["list_apps", "get_app", "list_apps_by_name", "list", "get_key", "apps", "get_app_2"];
        assert_eq!(of(&names, 7), [format!(": {}", names.join(" "))]);
        assert_eq!(
            of(&names, 3),
            ["apps: apps", "get: get_app get_key get_app_2", "list: list_apps list_apps_by_name list"]
        );
        let alone = ["apps: apps", "get/app: get_app", "get/app/_2: get_app_2", "get/key: get_key", "list: list"];
        assert_eq!(of(&names, 1)[..5], alone);
        // The result is independent of other operations.
        assert_eq!(
            of(&["get_app", "get_key", "list", "apps"], 1)[..3],
            ["apps: apps", "get/app: get_app", "get/key: get_key"]
        );
    }

    #[test]
    fn no_folder_has_a_file_for_each_of_thousands() {
        let names: Vec<String> = (0..4000).map(|at| format!("thing{at}_get")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let operations = names.iter().enumerate().map(|(at, name)| (OperationId(at), *name)).collect();
        let found = divide(operations, 64);
        assert_eq!(found.values().map(Vec::len).sum::<usize>(), 4000);
        assert!(found.values().all(|ids| ids.len() <= 64));
        let within = |folder: &[String]| {
            let inner = found.keys().filter_map(|modules| modules.strip_prefix(folder)?.first());
            inner.collect::<std::collections::BTreeSet<_>>().len()
        };
        let most = found.keys().flat_map(|modules| (0..modules.len()).map(|at| within(&modules[..at]))).max();
        assert!(most <= Some(MAX_WORDS), "{most:?}");
        assert_eq!(found.keys().next().map(|modules| modules.join("/")).as_deref(), Some("thing0"));
    }
}
