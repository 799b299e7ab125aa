//! Analyses of how resources contain each other: which fields are boxed, which resources have a merge-patch type, and
//! which are traversed to strip fields.

use super::names::{ReservedNames, patch_name};
use super::tables::Tables;
use crate::diagnostics::{Code, Sink};
use crate::model::{
    BodyMode, Enum, EnumId, Field, FieldKinds, Operation, Resource, ResourceId, Type, TypeId, Union, UnionId,
};

/// Marks the fields that must be boxed: those that lead back to their own resource without a list or map in between,
/// which already allocate their elements.
pub fn mark_boxes(resources: &mut [Resource]) {
    let inline: Vec<Vec<usize>> = resources
        .iter()
        .map(|resource| resource.fields.iter().filter_map(|field| inline_target(&field.ty)).collect())
        .collect();
    let cycles = components(&inline);
    for (from, resource) in resources.iter_mut().enumerate() {
        for field in &mut resource.fields {
            field.boxed = inline_target(&field.ty).is_some_and(|to| cycles[to] == cycles[from]);
        }
    }
}

fn inline_target(ty: &Type) -> Option<usize> {
    match ty {
        Type::Resource(ResourceId(index)) => Some(*index),
        _ => None,
    }
}

/// Returns the strongly connected component of each node (Kosaraju): two nodes share one if each is reachable from
/// the other.
pub(super) fn components(edges: &[Vec<usize>]) -> Vec<usize> {
    let mut reversed = vec![Vec::new(); edges.len()];
    for (from, targets) in edges.iter().enumerate() {
        targets.iter().for_each(|to| reversed[*to].push(from));
    }
    let mut component = vec![usize::MAX; edges.len()];
    for root in finishing_order(edges).into_iter().rev() {
        let mut open = vec![root];
        while let Some(at) = open.pop() {
            if component[at] == usize::MAX {
                component[at] = root;
                open.extend(&reversed[at]);
            }
        }
    }
    component
}

/// Returns the nodes in post-order of a depth-first search, without recursion, because a schema can be a chain of any
/// length.
fn finishing_order(edges: &[Vec<usize>]) -> Vec<usize> {
    let mut order = Vec::with_capacity(edges.len());
    let mut entered = vec![false; edges.len()];
    for start in 0..edges.len() {
        let mut open = vec![(start, 0)];
        while let Some((at, next)) = open.pop() {
            if next == 0 && std::mem::replace(&mut entered[at], true) {
                continue;
            }
            match edges[at].get(next) {
                Some(to) => open.extend([(at, next + 1), (*to, 0)]),
                None => order.push(at),
            }
        }
    }
    order
}

/// Reports outcomes that contain themselves: their results are not boxed.
pub fn check_outcomes(tables: &Tables<'_>, resources: &[Resource], sink: &mut Sink) {
    for (definition, resource) in tables.resources.iter().zip(resources) {
        if resource.outcome.is_some() && resource.fields.iter().any(|field| field.boxed) {
            let key = definition.key;
            sink.report(Code::BadOutcome, key.span, format!("outcome `{}` contains itself", key.text))
                .help("use a list in between, or results that do not contain the outcome");
        }
    }
}

/// Adds a merge-patch type to the resources that merge patches reach. A patch reaches through fields and through the
/// values of maps; a list is replaced as a whole, so its elements need none.
pub fn mark_patches(tables: &Tables<'_>, resources: &mut [Resource], operations: &[Operation], sink: &mut Sink) {
    let mut open: Vec<usize> = operations
        .iter()
        .flat_map(Operation::bodies)
        .filter(|body| body.mode == BodyMode::MergePatch)
        .filter_map(|body| inline_target(&body.ty))
        .collect();
    let mut taken = ReservedNames::default();
    let resource_keys = tables.resources.iter().map(|definition| (definition.key, &definition.name));
    let enum_keys = tables.enums.iter().map(|definition| (definition.key, &definition.name));
    let union_keys = tables.unions.iter().map(|definition| (definition.key, &definition.name));
    for (key, name) in resource_keys.chain(enum_keys).chain(union_keys) {
        taken.take(&name.ident, &format!("`{}`", key.text), key.span, &mut Sink::new());
    }
    while let Some(at) = open.pop() {
        if resources[at].patch.is_some() {
            continue;
        }
        let key = tables.resources[at].key;
        if resources[at].outcome.is_some() {
            sink.report(Code::BadBody, key.span, format!("`{}` is an outcome and cannot be patched", key.text));
        }
        let name = patch_name(&resources[at].name.stem);
        taken.take(&name, &format!("the merge patch of `{}`", key.text), key.span, sink);
        resources[at].patch = Some(name);
        open.extend(resources[at].fields.iter().filter_map(|field| patched_target(&field.ty)));
    }
}

fn patched_target(ty: &Type) -> Option<usize> {
    match ty {
        // A patch can also change an entry that may be null.
        Type::Map(inner) => patched_target(inner.non_null()),
        other => inline_target(other),
    }
}

/// Marks the resources and unions that contain, at any depth, fields to strip or to generate.
pub fn mark_directions(resources: &mut [Resource], unions: &mut [Union]) {
    // Unions follow the resources.
    let mut holders = vec![Vec::new(); resources.len() + unions.len()];
    let held = |ty: &Type| match ty.innermost_type() {
        Type::Resource(ResourceId(held)) => Some(*held),
        Type::Union(UnionId(held)) => Some(resources.len() + held),
        _ => None,
    };
    for (holder, resource) in resources.iter().enumerate() {
        resource.fields.iter().filter_map(|field| held(&field.ty)).for_each(|held| holders[held].push(holder));
    }
    for (holder, union) in unions.iter().enumerate() {
        let variants = union.variants.iter().filter_map(|variant| held(&variant.ty));
        variants.for_each(|held| holders[held].push(resources.len() + holder));
    }
    let own = |holds: fn(&Field) -> bool| -> Vec<usize> {
        let with = |resource: &Resource| resource.fields.iter().any(holds);
        (0..resources.len()).filter(|index| with(&resources[*index])).collect()
    };
    let output_only = spread(own(|field| field.behavior.output_only.is_some()), &holders);
    let refused = spread(own(|field| field.behavior.is_rejected()), &holders);
    let input_only = spread(own(|field| field.behavior.input_only), &holders);
    let ineffective = spread(own(Field::can_be_ineffective), &holders);
    let fill = spread(own(|field| field.fill.is_some()), &holders);
    let count = resources.len();
    for (index, resource) in resources.iter_mut().enumerate() {
        (resource.has_output_only, resource.has_input_only) = (output_only[index], input_only[index]);
        (resource.has_rejected, resource.has_fill) = (refused[index], fill[index]);
        resource.has_ineffective = ineffective[index];
    }
    for (index, union) in unions.iter_mut().enumerate() {
        let at = count + index;
        let (output_only, refused, ineffective) = (output_only[at], refused[at], ineffective[at]);
        union.field_kinds =
            FieldKinds { output_only, rejected: refused, input_only: input_only[at], ineffective, fill: fill[at] };
    }
}

/// Returns the nodes from which one of the first nodes is reachable, along reversed edges.
fn spread(first: Vec<usize>, reversed: &[Vec<usize>]) -> Vec<bool> {
    let mut reached = vec![false; reversed.len()];
    let mut open = first;
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut reached[at], true) {
            open.extend(&reversed[at]);
        }
    }
    reached
}

/// Warns of fields that are not deprecated but whose type is.
pub fn check_deprecated(
    tables: &Tables<'_>,
    resources: &[Resource],
    (enums, unions): (&[Enum], &[Union]),
    sink: &mut Sink,
) {
    for (definition, resource) in tables.resources.iter().zip(resources) {
        for field in &resource.fields {
            let name = match field.ty.innermost_type() {
                Type::Resource(id) => resources[id.0].deprecated.as_ref().map(|_| &tables.resources[id.0].key.text),
                Type::Enum(id) => enums[id.0].deprecated.as_ref().map(|_| &tables.enums[id.0].key.text),
                Type::Union(id) => unions[id.0].deprecated.as_ref().map(|_| &tables.unions[id.0].key.text),
                _ => None,
            };
            if let (Some(name), None, None) = (name, &field.deprecated, &resource.deprecated) {
                let span = definition
                    .def
                    .fields
                    .0
                    .iter()
                    .find(|(key, _)| key.text == field.name.wire)
                    .map_or(definition.key.span, |(key, _)| key.span);
                sink.report(
                    Code::DeprecatedUse,
                    span,
                    format!("`{}` has the deprecated type `{name}`", field.name.wire),
                );
            }
        }
    }
}

/// Returns the type ids of each schema file, in its order.
pub fn items_by_file(tables: &Tables<'_>, files: usize) -> Vec<Vec<TypeId>> {
    let mut items: Vec<Vec<(u32, TypeId)>> = vec![Vec::new(); files];
    let resources = tables
        .resources
        .iter()
        .enumerate()
        .map(|(index, definition)| (definition.key.span, TypeId::Resource(ResourceId(index))));
    let enums =
        tables.enums.iter().enumerate().map(|(index, definition)| (definition.key.span, TypeId::Enum(EnumId(index))));
    let unions = tables
        .unions
        .iter()
        .enumerate()
        .map(|(index, definition)| (definition.key.span, TypeId::Union(UnionId(index))));
    for (span, id) in resources.chain(enums).chain(unions) {
        if let Some(items) = items.get_mut(span.file as usize) {
            items.push((span.start, id));
        }
    }
    let sorted = items.into_iter().map(|mut items| {
        items.sort_unstable();
        items.into_iter().map(|(_, id)| id).collect()
    });
    sorted.collect()
}
