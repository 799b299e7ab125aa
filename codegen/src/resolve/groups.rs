//! Tree of groups, and the Rust names of requests, calls and groups.

use std::collections::HashMap;

use super::names::{self, ReservedNames};
use super::tables::Tables;
use crate::diagnostics::{Sink, Span};
use crate::model::{ErrorCase, Group, Name, Operation, OperationId, OperationTypes};

/// Methods of every client; a group or operation of the same name would hide them.
const RESERVED_CLIENT_NAMES: &[&str] = &["new", "builder", "runtime"];

/// Trait of the operations without a group.
const UNGROUPED: &str = "Ungrouped";

/// Methods of the prelude on every type by value, which would shadow calls.
const BLANKET_METHODS: &[&str] = &["into", "try_into"];

/// Selection of the type of a successful response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResponseShape {
    /// There is one type, or none.
    One,
    /// The media type selects it.
    ByMediaType,
    /// The status selects it.
    ByStatus,
}

/// Returns the Rust names of the types that are generated for an operation.
pub fn types(
    groups: &[Name],
    method: &Name,
    is_synced: bool,
    has_headers: bool,
    errors: &[ErrorCase],
    (has_body_enum, response): (bool, ResponseShape),
) -> OperationTypes {
    let request = names::joined_type_stem(groups.iter().chain([method]).map(|name| name.wire.as_str()));
    let call = names::type_stem(&method.wire);
    let named = |is_there: bool, what: &str| if is_there { format!("{request}{what}") } else { String::new() };
    OperationTypes {
        call: format!("{call}Call"),
        changes: is_synced.then(|| (method.suffixed("_changes"), format!("{call}ChangesCall"))),
        body: named(has_body_enum, "Body"),
        response: named(response != ResponseShape::One, "Response"),
        format: named(response == ResponseShape::ByMediaType, "Format"),
        headers: named(has_headers, "Headers"),
        error: named(errors.iter().any(|error| error.body.is_some()), "Error"),
        error_headers: named(errors.iter().any(|error| !error.headers.is_empty()), "ErrorHeaders"),
        change: format!("{request}Change"),
        request,
    }
}

/// Returns the tree of groups, and reports name collisions.
pub fn tree(tables: &Tables<'_>, operations: &[Operation], sink: &mut Sink) -> Group {
    let mut root = Group { service_trait: UNGROUPED.to_owned(), ..Group::default() };
    // Index of each group within its parent, by the names of its path.
    let mut places: HashMap<Vec<&str>, usize> = HashMap::new();
    for (index, operation) in operations.iter().enumerate() {
        let mut at = &mut root;
        let mut path = Vec::new();
        for (depth, name) in operation.groups.iter().enumerate() {
            path.push(name.ident.as_str());
            let place = *places.entry(path.clone()).or_insert_with(|| {
                at.groups.push(Group {
                    path: operation.groups[..=depth].to_vec(),
                    type_name: names::type_stem(&name.wire),
                    modules: at.modules.iter().cloned().chain([names::client_module(&name.wire)]).collect(),
                    service_trait: names::joined_type_stem(
                        operation.groups[..=depth].iter().map(|name| name.wire.as_str()),
                    ),
                    ..Group::default()
                });
                at.groups.len() - 1
            });
            at = &mut at.groups[place];
        }
        at.operations.push(OperationId(index));
    }
    let place = |operation: &Operation| {
        let id = tables.operation_ids.get(operation.name.as_str());
        id.and_then(|id| tables.operations.get(id.0)).map_or_else(Span::default, |(key, _)| key.span)
    };
    let are_distinct = check_requests(operations, &place, sink);
    check(&root, operations, &place, sink);
    if are_distinct {
        // Equal request names imply equal group names, which are reported only once.
        check_services(&root, operations, &place, sink);
    }
    root
}

/// Reports requests, and related types, with equal Rust names; returns whether all requests are distinct.
fn check_requests(operations: &[Operation], place: &dyn Fn(&Operation) -> Span, sink: &mut Sink) -> bool {
    let mut requests = ReservedNames::default();
    let mut named = std::collections::HashSet::new();
    let mut are_distinct = true;
    for operation in operations {
        let path: Vec<&str> =
            operation.groups.iter().chain([&operation.method]).map(|name| name.ident.as_str()).collect();
        if !named.insert(path) {
            // Operations with equal Rust names are reported where their group is checked.
            continue;
        }
        let what = format!("the request of `{}`", operation.name);
        are_distinct &= requests.reserve_with_advice(&operation.types.request, &what, place(operation), ADVICE, sink);
        if operation.sync.as_ref().is_some_and(|sync| !sync.changes.is_empty()) {
            let what = format!("the change of `{}`", operation.name);
            requests.reserve_with_advice(&operation.types.change, &what, place(operation), ADVICE, sink);
        }
        let OperationTypes { body, response, format, headers, error, error_headers, .. } = &operation.types;
        let all = [
            (body, "body"),
            (response, "response"),
            (format, "formats"),
            (headers, "headers"),
            (error, "errors"),
            (error_headers, "error headers"),
        ];
        for (name, of) in all {
            if !name.is_empty() {
                let what = format!("the {of} of `{}`", operation.name);
                requests.reserve_with_advice(name, &what, place(operation), ADVICE, sink);
            }
        }
    }
    are_distinct
}

/// Reports groups whose traits have equal names.
fn check_services(root: &Group, operations: &[Operation], place: &dyn Fn(&Operation) -> Span, sink: &mut Sink) {
    let (mut traits, mut open) = (ReservedNames::default(), vec![root]);
    while let Some(group) = open.pop() {
        if let Some(first) = group.operations.first().and_then(|id| operations.get(id.0)) {
            let what = format!("the service of `{}`", first.name);
            traits.reserve_with_advice(&group.service_trait, &what, place(first), ADVICE, sink);
        }
        open.extend(&group.groups);
    }
}

/// Help of diagnostics about equal Rust names.
const ADVICE: &str = "rename one of them";

/// Reports equal Rust names within a group: operations, nested groups, and the types generated for them.
fn check(root: &Group, operations: &[Operation], place: &dyn Fn(&Operation) -> Span, sink: &mut Sink) {
    let mut open = vec![root];
    while let Some(group) = open.pop() {
        let (mut types, mut methods, mut modules) =
            (ReservedNames::default(), ReservedNames::default(), ReservedNames::default());
        let first = first_operation(group).and_then(|id| operations.get(id.0)).map_or_else(Span::default, place);
        if group.path.is_empty() {
            for name in RESERVED_CLIENT_NAMES {
                methods.reserve_with_advice(name, "a method of every client", Span::default(), ADVICE, sink);
            }
        } else {
            types.reserve_with_advice(&group.type_name, "the group itself", first, ADVICE, sink);
            methods.reserve_with_advice("new", "a method of every group", Span::default(), ADVICE, sink);
        }
        for name in BLANKET_METHODS {
            methods.reserve_with_advice(name, "a method of every type", Span::default(), ADVICE, sink);
        }
        methods.reserve_with_advice("fake", "a method of every group", Span::default(), ADVICE, sink);
        let double = if group.path.is_empty() { "ClientFake".to_owned() } else { format!("{}Fake", group.type_name) };
        types.reserve_with_advice(&double, "the fake of the group", first, ADVICE, sink);
        for inner in &group.groups {
            let (Some(name), Some(id)) = (inner.path.last(), first_operation(inner)) else { continue };
            let span = operations.get(id.0).map_or_else(Span::default, place);
            let what = format!("the group `{}`", name.wire);
            methods.reserve_with_advice(&name.ident, &what, span, ADVICE, sink);
            modules.reserve_with_advice(inner.module(), &what, span, ADVICE, sink);
        }
        for operation in group.operations.iter().filter_map(|id| operations.get(id.0)) {
            let (what, span) = (format!("the operation `{}`", operation.name), place(operation));
            let free = methods.reserve_with_advice(&operation.method.ident, &what, span, ADVICE, sink);
            if free {
                types.reserve_with_advice(&operation.types.call, &what, span, ADVICE, sink);
            }
            if let Some((method, call)) = &operation.types.changes {
                let what = format!("the changes of `{}`", operation.name);
                methods.reserve_with_advice(method, &what, span, ADVICE, sink);
                types.reserve_with_advice(call, &what, span, ADVICE, sink);
            }
        }
        open.extend(&group.groups);
    }
}

/// Returns the first operation of a group or of its nested groups.
fn first_operation(group: &Group) -> Option<OperationId> {
    let mut at = group;
    loop {
        match (at.operations.first(), at.groups.first()) {
            (Some(id), _) => return Some(*id),
            (None, Some(inner)) => at = inner,
            (None, None) => return None,
        }
    }
}

/// Returns the type names of all groups.
pub fn type_names(root: &Group) -> Vec<&str> {
    let (mut names, mut open) = (Vec::new(), vec![root]);
    while let Some(group) = open.pop() {
        names.extend([group.type_name.as_str(), group.service_trait.as_str()]);
        open.extend(&group.groups);
    }
    names
}
