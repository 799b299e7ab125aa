//! Cargo features: the groups of operations that can be left out, their names, and the items that they gate.

mod folding;

use std::collections::HashSet;

use super::tables::Tables;
use crate::diagnostics::{Code, Sink};
use crate::model::{
    Api, Feature, FeatureGate, Features, Group, Operation, OperationId, Parameter, ResourceId, Type, TypeId, UnionId,
    path_key,
};
use crate::schema::FeatureGranularity;

/// Maximum number of features in the gate of an item. An item that more groups use is gated by their enclosing
/// groups.
const MAX_GATES: usize = 8;

/// Features of the crates besides those of groups, and the one that enables all groups.
const RESERVED_FEATURES: &[&str] = &[
    "default",
    "all-groups",
    "requests",
    "sockets",
    "tls",
    "reqwest",
    "blocking",
    "adc",
    "oauth",
    "fake",
    "validation",
    "serve",
    "tokens",
];

const _: () = assert!(
    Features::MAX_FEATURES + RESERVED_FEATURES.len() <= 250,
    "a registry takes a package with 300 features and no more"
);

/// Creates the features of groups if the schema asks for them or has many operations.
pub fn build_features(tables: &Tables<'_>, root: &mut Group, sink: &mut Sink) -> Features {
    let granularity = tables.api.features.as_ref();
    let preferred = granularity.map_or(tables.operations.len() > Features::DEFAULT_THRESHOLD, |granularity| {
        granularity.value == FeatureGranularity::Groups
    });
    if let Some(granularity) = granularity.filter(|_| preferred && root.groups.is_empty()) {
        let message = "`features` requires groups of operations";
        sink.report(Code::BadFeatures, granularity.span, message)
            .help("remove the key, or give operations names with a group: `events.get`");
    }
    let mut names = FeatureNames {
        taken: RESERVED_FEATURES.iter().map(|name| (*name).to_owned()).collect(),
        folded: folding::fold(root, Features::MAX_FEATURES).into_iter(),
        features: Features::default(),
    };
    if preferred {
        root.groups.iter_mut().for_each(|group| names.add(group, None));
    }
    names.features
}

/// Features found so far, outer ones first.
struct FeatureNames {
    taken: HashSet<String>,
    /// For each group to come, whether it is folded into the enclosing one.
    folded: std::vec::IntoIter<bool>,
    features: Features,
}

impl FeatureNames {
    /// Adds the feature of a group and of its nested groups; a folded group joins that of the enclosing one.
    fn add(&mut self, group: &mut Group, outer: Option<usize>) {
        // Taken for folded groups as well, so that their features do not rename others later.
        let name = self.name(group);
        let path = group.path.iter().map(|name| name.wire.as_str()).collect::<Vec<_>>().join(".");
        let folded = self.folded.next().unwrap_or_default();
        let found = &mut self.features.groups;
        group.feature = if folded { outer } else { Some(found.len()) };
        match (folded, outer.and_then(|outer| found.get_mut(outer))) {
            (true, Some(outer)) => outer.merged_groups.push(path),
            (true, None) => self.features.ungated_groups.push(path),
            (false, _) => found.push(Feature { name, group: path, merged_groups: Vec::new(), parent: outer }),
        }
        let feature = group.feature;
        group.groups.iter_mut().for_each(|inner| self.add(inner, feature));
    }

    /// Returns an unused feature name for a group: its path with hyphens, with a suffix if that is taken.
    fn name(&mut self, group: &Group) -> String {
        let words = group.path.iter().map(|name| name.stem.trim_matches('_').replace('_', "-"));
        let plain = words.collect::<Vec<_>>().join("-");
        let mut name = plain.clone();
        let mut next = 2;
        while !self.taken.insert(name.clone()) {
            name = if next == 2 { format!("{plain}-group") } else { format!("{plain}-group-{next}") };
            next += 1;
        }
        name
    }
}

/// Sets the feature gates of requests and types.
pub fn set_gates(api: &mut Api) {
    if !api.features.has_group_features() {
        return;
    }
    let mut graph = Graph::of(api);
    graph.spread_from_operations(api);
    // Items that no operation uses have a feature of their own, with all that they contain.
    let unused: Vec<usize> = (0..graph.nodes.len()).filter(|at| graph.nodes[*at] == GateSet::default()).collect();
    if !unused.is_empty() {
        let reached = GateSet { always: false, features: vec![api.features.groups.len()] };
        let name = unreferenced(&api.features);
        api.features.groups.push(Feature { name, group: String::new(), merged_groups: Vec::new(), parent: None });
        unused.into_iter().for_each(|at| graph.spread(at, &reached));
    }
    graph.lift(api);
    let mut gates = graph.nodes.iter().map(|node| {
        let features = if node.always { Vec::new() } else { node.features.clone() };
        api.features.minimal_gate(features)
    });
    let mut take = |count: usize| -> Vec<FeatureGate> { gates.by_ref().take(count).collect() };
    let operations = take(api.operations.len());
    let resources = take(api.resources.len());
    let (enums, unions) = (take(api.enums.len()), take(api.unions.len()));
    api.features.operations = operations;
    api.features.resources = resources;
    api.features.enums = enums;
    api.features.unions = unions;
}

/// Returns the name of the feature of unused items, avoiding those of groups.
fn unreferenced(features: &Features) -> String {
    let is_taken = |name: &str| features.groups.iter().any(|feature| feature.name == name);
    let names = std::iter::successors(Some("unreferenced".to_owned()), |name| Some(format!("{name}-types")));
    names.into_iter().find(|name| !is_taken(name)).unwrap_or_default()
}

/// Features through which an item is reachable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct GateSet {
    always: bool,
    /// Ascending.
    features: Vec<usize>,
}

impl GateSet {
    /// Merges the features of another node; returns whether any of them is new.
    fn merge(&mut self, other: &Self) -> bool {
        let grows = other.always && !self.always;
        self.always |= other.always;
        let count = self.features.len();
        self.features.extend(&other.features);
        self.features.sort_unstable();
        self.features.dedup();
        grows || self.features.len() > count
    }
}

/// Operations, then resources, enums and unions, with the nodes that each of them names in Rust.
struct Graph {
    nodes: Vec<GateSet>,
    edges: Vec<Vec<usize>>,
    operations: usize,
    resources: usize,
    enums: usize,
}

impl Graph {
    /// Creates the graph of the types that operations and types refer to, not yet reached by any feature.
    fn of(api: &Api) -> Self {
        let (operations, resources, enums) = (api.operations.len(), api.resources.len(), api.enums.len());
        let count = operations + resources + enums + api.unions.len();
        let mut graph = Self {
            nodes: vec![GateSet::default(); count],
            edges: vec![Vec::new(); count],
            operations,
            resources,
            enums,
        };
        for (at, operation) in api.operations.iter().enumerate() {
            let types = types_of(operation).into_iter().filter_map(|ty| graph.node(ty));
            let requests = built_requests(api, operation).into_iter().map(|id| id.0);
            graph.edges[at] = types.chain(requests).collect();
        }
        for (at, resource) in api.resources.iter().enumerate() {
            let types = resource.fields.iter().filter_map(|field| graph.node(&field.ty));
            graph.edges[operations + at] = types.collect();
        }
        for (at, union) in api.unions.iter().enumerate() {
            let types = union.variants.iter().filter_map(|variant| graph.node(&variant.ty));
            graph.edges[operations + resources + enums + at] = types.collect();
        }
        graph
    }

    /// Returns the node of a type's definition.
    fn node(&self, ty: &Type) -> Option<usize> {
        Some(self.place(&match ty.innermost_type() {
            Type::Resource(id) => TypeId::Resource(*id),
            Type::Enum(id) => TypeId::Enum(*id),
            Type::Union(id) => TypeId::Union(*id),
            _ => return None,
        }))
    }

    /// Returns the index of the node of a type.
    fn place(&self, id: &TypeId) -> usize {
        match id {
            TypeId::Resource(ResourceId(at)) => self.operations + at,
            TypeId::Enum(id) => self.operations + self.resources + id.0,
            TypeId::Union(UnionId(at)) => self.operations + self.resources + self.enums + at,
        }
    }

    /// Propagates the features of each group's operations, and what every request uses.
    fn spread_from_operations(&mut self, api: &Api) {
        let always = GateSet { always: true, features: Vec::new() };
        let mut open = vec![&api.groups];
        while let Some(group) = open.pop() {
            let reached = GateSet { always: group.feature.is_none(), features: group.feature.into_iter().collect() };
            group.operations.iter().for_each(|id| self.spread(id.0, &reached));
            open.extend(&group.groups);
        }
        let standard = api.standard_parameters.iter().filter_map(|parameter| self.node(&parameter.ty));
        let errors = api.error_body.map(|id| self.place(&TypeId::Resource(id)));
        let found: Vec<usize> = standard.chain(errors).collect();
        found.into_iter().for_each(|at| self.spread(at, &always));
    }

    /// Marks a node and every node that it leads to as used by a set of features.
    fn spread(&mut self, from: usize, reached: &GateSet) {
        let mut open = vec![from];
        while let Some(at) = open.pop() {
            if self.nodes[at].merge(reached) {
                open.extend(&self.edges[at]);
            }
        }
    }

    /// Gates nodes that many groups use by the enclosing groups, innermost first, with everything that they use.
    fn lift(&mut self, api: &Api) {
        let features = &api.features;
        let depth = |at: &usize| features.ancestors(*at).count();
        let mut found = true;
        while found {
            found = false;
            for at in 0..self.nodes.len() {
                let least = features.minimal_gate(self.nodes[at].features.clone()).0;
                if self.nodes[at].always || least.len() <= MAX_GATES {
                    continue;
                }
                let deepest = least.iter().map(depth).max().unwrap_or_default();
                let around: Vec<Option<usize>> = least
                    .iter()
                    .filter(|at| depth(at) == deepest)
                    .map(|at| features.groups.get(*at).and_then(|feature| feature.parent))
                    .collect();
                let always = around.contains(&None);
                self.spread(at, &GateSet { always, features: around.into_iter().flatten().collect() });
                found = true;
            }
        }
    }
}

/// Returns the types that the generated code of an operation names.
fn types_of(operation: &Operation) -> Vec<&Type> {
    fn headers(headers: &[Parameter]) -> impl Iterator<Item = &Type> {
        headers.iter().map(|header| &header.ty)
    }
    let parameters = headers(&operation.parameters);
    let body = operation.bodies().map(|body| &body.ty);
    let responses = operation.responses.iter().flat_map(|response| response.types().chain(headers(&response.headers)));
    let errors = operation.errors.iter().flat_map(|error| error.body.iter().chain(headers(&error.headers)));
    let started =
        operation.long_running_start.iter().flat_map(|started| started.response.iter().chain(&started.metadata));
    let states = operation.watch.iter().filter_map(|watch| watch.states.as_ref());
    parameters.chain(body).chain(responses).chain(errors).chain(started).chain(states).collect()
}

/// Returns the operations whose requests an operation builds: it polls a long-running operation, or writes back what
/// it read.
fn built_requests(api: &Api, operation: &Operation) -> Vec<OperationId> {
    let mut found: Vec<OperationId> = operation.long_running_start.iter().map(|started| started.poll).collect();
    if operation.safe && !operation.conditional.is_empty() {
        let at = path_key(operation);
        let others = api.operations.iter().enumerate();
        let writes = others.filter(|(_, other)| other.body.is_some() && !other.conditional.is_empty());
        found.extend(writes.filter(|(_, other)| path_key(other) == at).map(|(index, _)| OperationId(index)));
    }
    found
}
