//! Resources without any finite value, because each value requires another one.

use super::graph::components;
use super::tables::Tables;
use crate::diagnostics::{Code, Sink};
use crate::model::{Constraints, Field, Required, Resource, ResourceId, Type, Union, UnionId};

/// Maximum number of fields of a cycle that are shown after the first.
const MAX_STEPS: usize = 8;

/// Requirements of a node: all targets for a resource, one of them for a union.
#[derive(Debug, Default)]
struct Needs {
    targets: Vec<usize>,
    /// Number of targets that still need a value before this node has one.
    open: usize,
}

/// Warns of resources without a finite value.
pub fn check(tables: &Tables<'_>, resources: &[Resource], unions: &[Union], sink: &mut Sink) {
    let mut needs: Vec<Needs> = resources.iter().map(|resource| of_resource(resource, resources.len())).collect();
    needs.extend(unions.iter().map(|union| of_union(union, resources.len())));
    let endless = endless(&mut needs);
    let edges: Vec<Vec<usize>> = needs
        .iter()
        .zip(&endless)
        .map(|(needs, is_endless)| needs.targets.iter().copied().filter(|to| *is_endless && endless[*to]).collect())
        .collect();
    let component = components(&edges);
    let mut reported = std::collections::BTreeSet::new();
    for (index, targets) in edges.iter().enumerate().take(resources.len()) {
        let is_cyclic = targets.iter().any(|to| component[*to] == component[index]);
        if is_cyclic && reported.insert(component[index]) {
            let way = cycle(index, &edges, &component);
            report(tables, resources, &way, sink);
        }
    }
}

/// Returns the node that a value of a type requires.
fn target(ty: &Type, constraints: &Constraints, resources: usize) -> Option<usize> {
    match ty {
        Type::Resource(ResourceId(index)) => Some(*index),
        Type::Union(UnionId(index)) => Some(resources + index),
        Type::List(inner) | Type::Map(inner) if constraints.items.is_some_and(|items| items.min > Some(0)) => {
            target(inner, &constraints.for_elements(), resources)
        }
        _ => None,
    }
}

/// Returns the node that every value of a field's resource requires because of the field.
fn required(field: &Field, resources: usize) -> Option<usize> {
    let is_required = field.behavior.required == Required::Everywhere && !field.nullable;
    if is_required { target(&field.ty, &field.constraints, resources) } else { None }
}

fn of_resource(resource: &Resource, resources: usize) -> Needs {
    let targets: Vec<usize> = resource.fields.iter().filter_map(|field| required(field, resources)).collect();
    Needs { open: targets.len(), targets }
}

fn of_union(union: &Union, resources: usize) -> Needs {
    let targets: Vec<Option<usize>> =
        union.variants.iter().map(|variant| target(&variant.ty, &Constraints::default(), resources)).collect();
    // A variant that requires no resource always has a value.
    let open = usize::from(targets.iter().all(Option::is_some));
    Needs { targets: targets.into_iter().flatten().collect(), open }
}

/// Returns, for each node, whether it has no finite value.
fn endless(needs: &mut [Needs]) -> Vec<bool> {
    let mut holders = vec![Vec::new(); needs.len()];
    for (holder, one) in needs.iter().enumerate() {
        one.targets.iter().for_each(|to| holders[*to].push(holder));
    }
    let mut endless = vec![true; needs.len()];
    let mut open: Vec<usize> = (0..needs.len()).filter(|index| needs[*index].open == 0).collect();
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut endless[at], false) {
            continue;
        }
        for holder in &holders[at] {
            needs[*holder].open = needs[*holder].open.saturating_sub(1);
            if needs[*holder].open == 0 {
                open.push(*holder);
            }
        }
    }
    endless
}

/// Returns a cycle through a node within its component, each node once.
fn cycle(from: usize, edges: &[Vec<usize>], component: &[usize]) -> Vec<usize> {
    let mut before = vec![None; edges.len()];
    let mut open = std::collections::VecDeque::from([from]);
    while let Some(at) = open.pop_front() {
        for to in edges[at].iter().copied().filter(|to| component[*to] == component[from]) {
            if to == from {
                let mut way = vec![at];
                while let Some(previous) = way.last().and_then(|last| before[*last]) {
                    way.push(previous);
                }
                way.reverse();
                return way;
            }
            if before[to].is_none() {
                before[to] = Some(at);
                open.push_back(to);
            }
        }
    }
    vec![from]
}

/// Reports a cycle of nodes of which each requires the next, with the fields that require them.
fn report(tables: &Tables<'_>, resources: &[Resource], way: &[usize], sink: &mut Sink) {
    let next = |at: usize| way.get((at + 1) % way.len()).copied();
    let name = |node: usize| match node.checked_sub(resources.len()) {
        None => tables.resources.get(node).map_or("", |definition| definition.key.text.as_str()),
        Some(union) => tables.unions.get(union).map_or("", |definition| definition.key.text.as_str()),
    };
    let mut steps = way.iter().enumerate().filter_map(|(at, node)| {
        let (resource, to) = (resources.get(*node)?, next(at)?);
        let field = resource.fields.iter().find(|field| required(field, resources.len()) == Some(to))?;
        Some((field.span, format!("`{}` requires `{}`", name(*node), name(to))))
    });
    let (Some(first), Some((span, label))) = (way.first(), steps.next()) else { return };
    let report =
        sink.report(Code::Endless, span, format!("`{}` has no finite value: it requires itself", name(*first)));
    report.label(label);
    for (span, text) in steps.take(MAX_STEPS) {
        report.related(span, text);
    }
    report.help("make one of the fields optional or `nullable: true`, or a list that can be empty");
}
