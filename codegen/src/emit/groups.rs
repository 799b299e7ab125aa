//! Traversal of the groups of operations, shared by all crates of an API.

mod runs;

pub use runs::{Run, all_runs, runs};

use crate::model::{Api, Group};

/// Returns the module of an outermost group.
pub fn module(outermost: &Group) -> &str {
    if outermost.path.is_empty() { "ungrouped" } else { outermost.module() }
}

/// Returns the outermost groups with their modules; the operations without a group come first.
pub fn outermost(api: &Api) -> Vec<(String, &Group)> {
    let ungrouped = (!api.groups.operations.is_empty()).then_some(&api.groups);
    ungrouped.into_iter().chain(&api.groups.groups).map(|group| (module(group).to_owned(), group)).collect()
}

/// Returns the groups within an outermost group that have direct operations, including itself. For the operations
/// without a group, returns only those.
pub fn with_operations<'a>(api: &'a Api, outermost: &'a Group) -> Vec<&'a Group> {
    let (mut found, mut open) = (Vec::new(), vec![outermost]);
    while let Some(group) = open.pop() {
        #[cfg(test)]
        crate::linearity::count_visit();
        found.extend((!group.operations.is_empty()).then_some(group));
        if !std::ptr::eq(outermost, &raw const api.groups) {
            open.extend(group.groups.iter().rev());
        }
    }
    found
}

/// Returns all groups with direct operations, in the order of the schema.
pub fn all_with_operations(api: &Api) -> Vec<&Group> {
    outermost(api).into_iter().flat_map(|(_, group)| with_operations(api, group)).collect()
}

/// Returns the dotted name of a group.
pub fn dotted_name(group: &Group) -> String {
    group.path.iter().map(|name| name.wire.as_str()).collect::<Vec<_>>().join(".")
}

/// Returns the modules for the code of a group.
pub fn modules(group: &Group) -> Vec<String> {
    if group.path.is_empty() { vec![module(group).to_owned()] } else { group.modules.clone() }
}
