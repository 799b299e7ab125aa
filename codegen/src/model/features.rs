//! Which parts of an API a consumer can leave out: groups of operations, and the types that only they use.

use super::{Api, Group, OperationId, TypeId};

/// The groups of operations that are features of the generated crates, and what is behind them. Where nothing is here,
/// the crates are whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Features {
    /// The groups, outer ones before those within them.
    pub groups: Vec<Feature>,
    /// The groups that are no features and in none, because there are too many: they are always there.
    pub always: Vec<String>,
    /// What each resource is behind, by index.
    pub resources: Vec<Behind>,
    /// What each enum is behind, by index.
    pub enums: Vec<Behind>,
    /// What each union is behind, by index.
    pub unions: Vec<Behind>,
    /// What the request of each operation is behind, by index: its group, and those with operations that make one.
    pub operations: Vec<Behind>,
}

/// A group as a feature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feature {
    /// Its name in manifests: `projects-locations`.
    pub name: String,
    /// The group in the schema: `projects.locations`; empty for the types that no operation uses.
    pub group: String,
    /// The groups within it that are no features of their own and come with it, in the schema.
    pub with: Vec<String>,
    /// The group around it, which comes with it, by index.
    pub outer: Option<usize>,
}

/// The features of which one at least must be there, by index, ascending. None: it is always there.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Behind(pub Vec<usize>);

impl Behind {
    /// Whether it is there whatever the features are.
    #[must_use]
    pub fn is_always(&self) -> bool {
        self.0.is_empty()
    }
}

static ALWAYS: Behind = Behind(Vec::new());

impl Features {
    /// An API of more operations has features unless it says otherwise: below, there is little to be saved.
    pub const MANY: usize = 100;

    /// The most groups that are features. crates.io takes packages with 300 features, and the crates have some of their
    /// own; the rest is room for more of these, and for what somebody adds by hand.
    pub const MOST: usize = 230;

    /// Whether groups can be left out.
    #[must_use]
    pub fn is_divided(&self) -> bool {
        !self.groups.is_empty()
    }

    /// What something is behind that is there with any of these.
    #[must_use]
    pub fn any<'b>(&self, all: impl IntoIterator<Item = &'b Behind>) -> Behind {
        let mut found = Vec::new();
        for behind in all {
            if behind.is_always() {
                return Behind::default();
            }
            found.extend(behind.0.iter().copied());
        }
        self.least(found)
    }

    /// A feature comes with those around it, so that one of these says enough.
    #[must_use]
    pub fn least(&self, mut all: Vec<usize>) -> Behind {
        all.sort_unstable();
        all.dedup();
        let covered = |at: &usize| self.around(*at).any(|outer| all.binary_search(&outer).is_ok());
        Behind(all.iter().copied().filter(|at| !covered(at)).collect())
    }

    /// The features around one, from the inside out.
    pub fn around(&self, feature: usize) -> impl Iterator<Item = usize> {
        let outer = |at: usize| self.groups.get(at).and_then(|feature| feature.outer);
        std::iter::successors(outer(feature), move |at| outer(*at))
    }

    /// Something that is behind a group alone.
    #[must_use]
    pub fn of_group(&self, group: &Group) -> Behind {
        Behind(group.feature.into_iter().collect())
    }
}

impl Api {
    /// What a type is behind.
    #[must_use]
    pub fn type_behind(&self, id: &TypeId) -> &Behind {
        let found = match id {
            TypeId::Resource(id) => self.features.resources.get(id.0),
            TypeId::Enum(id) => self.features.enums.get(id.0),
            TypeId::Union(id) => self.features.unions.get(id.0),
        };
        found.unwrap_or(&ALWAYS)
    }

    /// What the request of an operation is behind.
    #[must_use]
    pub fn request_behind(&self, id: OperationId) -> &Behind {
        self.features.operations.get(id.0).unwrap_or(&ALWAYS)
    }
}
