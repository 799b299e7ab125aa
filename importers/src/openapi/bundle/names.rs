//! Names of the components that are made from parts of other files.

use std::collections::{BTreeMap, BTreeSet};

use super::collect::{Collector, Target};
use crate::names::pascal;
use crate::reference::Path;
use crate::value::Value;

/// Name of a part of another file.
pub struct PartName {
    /// Name in the file, or of a file without a fragment.
    pub own: String,
    /// Name among the components of the document.
    pub name: String,
    /// True if the name in the file is taken.
    pub is_taken: bool,
}

/// Returns the names of the targets, in their order. Those whose names clash are named after their files, too.
pub fn names(collector: &Collector<'_>) -> Vec<PartName> {
    let mut sections: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, target) in collector.targets.iter().enumerate() {
        sections.entry(target.kind.section().unwrap_or_default()).or_default().push(index);
    }
    let mut found: BTreeMap<usize, PartName> = BTreeMap::new();
    for (section, indices) in sections {
        let components = collector.files.parsed.first().and_then(|file| file.value.get("components")?.get(section));
        let mut taken = BTreeSet::new();
        if let Some(Value::Object(components)) = components {
            taken.extend(components.iter().map(|(name, _)| pascal(name)));
        }
        let targets: Vec<(usize, &Target)> =
            indices.iter().filter_map(|index| Some((*index, collector.targets.get(*index)?))).collect();
        taken.extend(targets.iter().filter_map(|(_, target)| Some(pascal(target.home.as_ref()?.last()?))));
        found.extend(of_section(collector, &targets, taken));
    }
    found.into_values().collect()
}

/// Returns the names of the targets of one section.
fn of_section(
    collector: &Collector<'_>,
    targets: &[(usize, &Target)],
    mut taken: BTreeSet<String>,
) -> Vec<(usize, PartName)> {
    let parts: Vec<Vec<String>> = targets.iter().map(|(_, target)| name_parts(collector, target)).collect();
    let mut lengths = vec![1; targets.len()];
    let name = |at: usize, length: usize| -> String {
        let parts = parts.get(at).map(Vec::as_slice).unwrap_or_default();
        let last = parts.get(parts.len().saturating_sub(length)..).unwrap_or_default();
        if let ([only], true) = (last, is_component_name(targets.get(at).map(|(_, target)| *target))) {
            return only.clone();
        }
        pascal(&last.join("-"))
    };
    let is_free = |at: usize| targets.get(at).is_some_and(|(_, target)| target.home.is_none());
    // Each step makes a name longer, until all differ or are whole paths.
    loop {
        let mut users: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for at in (0..targets.len()).filter(|at| is_free(*at)) {
            users.entry(pascal(&name(at, lengths[at]))).or_default().push(at);
        }
        let clashes = users.iter().filter(|(name, users)| users.len() > 1 || taken.contains(*name));
        let clashes = clashes.flat_map(|(_, users)| users).copied();
        let longer: Vec<usize> = clashes.filter(|at| lengths[*at] < parts[*at].len()).collect();
        if longer.is_empty() {
            break;
        }
        longer.iter().for_each(|at| lengths[*at] += 1);
    }
    let mut named = Vec::new();
    for (at, (index, target)) in targets.iter().enumerate() {
        let own = parts.get(at).and_then(|parts| parts.last()).cloned().unwrap_or_default();
        let (name, is_taken) = match &target.home {
            Some(home) => (home.last().cloned().unwrap_or_default(), false),
            None => (free_name(name(at, lengths[at]), &mut taken), lengths[at] > 1),
        };
        named.push((*index, PartName { own, name, is_taken }));
    }
    named
}

/// Returns a free name, with a number if needed.
fn free_name(name: String, taken: &mut BTreeSet<String>) -> String {
    let name = if name.is_empty() { "Part".to_owned() } else { name };
    let mut free = name.clone();
    let mut number = 1_usize;
    while !taken.insert(pascal(&free)) {
        number += 1;
        free = format!("{name}{number}");
    }
    free
}

/// Returns whether the last part of a name is one in a file, and not that of the file.
fn is_component_name(target: Option<&Target>) -> bool {
    target.is_some_and(|target| !target.address.path.is_empty())
}

/// Returns the parts of a name, the most specific one last: the folders, the file without its extension, and the name
/// in it.
fn name_parts(collector: &Collector<'_>, target: &Target) -> Vec<String> {
    let path = collector.files.parsed.get(target.address.file).map(|file| file.path.as_str()).unwrap_or_default();
    let path = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let mut parts: Vec<String> = path.split('/').filter(|part| *part != "..").map(str::to_owned).collect();
    parts.extend(inner_name(&target.address.path));
    parts
}

/// Returns the name of a part of a file: the last segment of its path, with those before it up to a word.
fn inner_name(path: &Path) -> Option<String> {
    let is_word = |segment: &String| segment.starts_with(|c: char| c.is_alphabetic());
    let start = path.iter().rposition(is_word).unwrap_or(0);
    Some(path.get(start..)?.join("-")).filter(|name| !name.is_empty())
}
