//! Cargo features: groups of operations that a consumer can leave out, with the types that only they use.

use super::{Api, Group, OperationId, TypeId};

/// Groups of operations that are features of the generated crates, and the items that they gate. If empty, the crates
/// have no features of groups.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Features {
    /// Groups, outer ones before nested ones.
    pub groups: Vec<Feature>,
    /// Groups that are neither features nor part of one because of the limit; they are always compiled.
    pub ungated_groups: Vec<String>,
    /// Feature gate of each resource, by index.
    pub resources: Vec<FeatureGate>,
    /// Feature gate of each enum, by index.
    pub enums: Vec<FeatureGate>,
    /// Feature gate of each union, by index.
    pub unions: Vec<FeatureGate>,
    /// Feature gate of the request of each operation, by index: its group, and the groups whose operations build the
    /// request.
    pub operations: Vec<FeatureGate>,
}

/// Group that is a feature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feature {
    /// Feature name in manifests: `projects-locations`.
    pub name: String,
    /// Group in the schema: `projects.locations`; empty for the types that no operation uses.
    pub group: String,
    /// Nested groups, by their names in the schema, that are part of this feature instead of features of their own.
    pub merged_groups: Vec<String>,
    /// Index of the enclosing group, which this feature enables.
    pub parent: Option<usize>,
}

/// Feature gate: indices of features, ascending, at least one of which must be enabled. Empty if the item is always
/// compiled.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeatureGate(pub Vec<usize>);

impl FeatureGate {
    /// Returns whether the item is always compiled.
    #[must_use]
    pub fn is_always(&self) -> bool {
        self.0.is_empty()
    }
}

/// Gate of items that are always compiled.
static ALWAYS: FeatureGate = FeatureGate(Vec::new());

impl Features {
    /// Number of operations above which an API has features by default: with fewer, they save little.
    pub const DEFAULT_THRESHOLD: usize = 100;

    /// Maximum number of groups that are features. crates.io accepts packages with 300 features; the rest is for the
    /// crates' own features and for those that users add by hand.
    pub const MAX_FEATURES: usize = 230;

    /// Returns whether groups can be left out.
    #[must_use]
    pub fn has_group_features(&self) -> bool {
        !self.groups.is_empty()
    }

    /// Returns the gate of an item that is compiled if any of these gates is open.
    #[must_use]
    pub fn any_gate<'b>(&self, all: impl IntoIterator<Item = &'b FeatureGate>) -> FeatureGate {
        let mut found = Vec::new();
        for gate in all {
            if gate.is_always() {
                return FeatureGate::default();
            }
            found.extend(gate.0.iter().copied());
        }
        self.minimal_gate(found)
    }

    /// Returns the smallest equivalent gate: a feature enables its enclosing ones, so that the outermost is enough.
    #[must_use]
    pub fn minimal_gate(&self, mut all: Vec<usize>) -> FeatureGate {
        all.sort_unstable();
        all.dedup();
        let covered = |at: &usize| self.ancestors(*at).any(|outer| all.binary_search(&outer).is_ok());
        FeatureGate(all.iter().copied().filter(|at| !covered(at)).collect())
    }

    /// Returns the enclosing features of a feature, innermost first.
    pub fn ancestors(&self, feature: usize) -> impl Iterator<Item = usize> {
        let outer = |at: usize| self.groups.get(at).and_then(|feature| feature.parent);
        std::iter::successors(outer(feature), move |at| outer(*at))
    }

    /// Returns the gate of an item that only a group needs.
    #[must_use]
    pub fn group_gate(&self, group: &Group) -> FeatureGate {
        FeatureGate(group.feature.into_iter().collect())
    }
}

impl Api {
    /// Returns the gate of a type.
    #[must_use]
    pub fn type_gate(&self, id: &TypeId) -> &FeatureGate {
        let found = match id {
            TypeId::Resource(id) => self.features.resources.get(id.0),
            TypeId::Enum(id) => self.features.enums.get(id.0),
            TypeId::Union(id) => self.features.unions.get(id.0),
        };
        found.unwrap_or(&ALWAYS)
    }

    /// Returns the gate of the request of an operation.
    #[must_use]
    pub fn request_gate(&self, id: OperationId) -> &FeatureGate {
        self.features.operations.get(id.0).unwrap_or(&ALWAYS)
    }
}
