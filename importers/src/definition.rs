//! Definitions of a schema during an import.

use wireform_codegen::schema::write::Write as _;
use wireform_codegen::schema::yaml::Node;
use wireform_codegen::schema::{EnumDef, Operation, Resource, Union};

use crate::names;

/// Kind of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Operation,
    Resource,
    Enum,
    Union,
}

impl Kind {
    /// Every kind, in the order of a file.
    pub const ALL: [Self; 4] = [Self::Operation, Self::Resource, Self::Enum, Self::Union];

    /// Returns the key of the schema file's section with definitions of the kind.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Resource => "resources",
            Self::Enum => "enums",
            Self::Union => "unions",
            Self::Operation => "operations",
        }
    }
}

/// Definition of any kind.
pub enum Definition {
    Operation(Box<Operation>),
    Resource(Box<Resource>),
    Enum(EnumDef),
    Union(Union),
}

impl Definition {
    /// Returns its kind.
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Operation(_) => Kind::Operation,
            Self::Resource(_) => Kind::Resource,
            Self::Enum(_) => Kind::Enum,
            Self::Union(_) => Kind::Union,
        }
    }

    /// Converts the definition to a node of a schema file.
    pub fn to_node(&self) -> Node {
        match self {
            Self::Operation(operation) => operation.write(),
            Self::Resource(resource) => resource.write(),
            Self::Enum(values) => values.write(),
            Self::Union(union) => union.write(),
        }
    }
}

impl From<Operation> for Definition {
    fn from(operation: Operation) -> Self {
        Self::Operation(Box::new(operation))
    }
}

impl From<Resource> for Definition {
    fn from(resource: Resource) -> Self {
        Self::Resource(Box::new(resource))
    }
}

impl From<EnumDef> for Definition {
    fn from(values: EnumDef) -> Self {
        Self::Enum(values)
    }
}

impl From<Union> for Definition {
    fn from(union: Union) -> Self {
        Self::Union(union)
    }
}

/// Location of a definition in the files, from which the names of its parts are derived.
#[derive(Clone)]
pub struct DefinitionPath {
    /// Prefix of the names of its files.
    pub bucket: String,
    /// Definition that it is a part of.
    pub owner: String,
    /// Name of an unnamed part.
    pub name: String,
    /// Path of nested parts that lead to it.
    pub parts: Vec<String>,
    /// Member that it belongs to, through lists, maps and unions.
    pub member: String,
}

/// Maximum length of a name made of all parts that lead to a type; a longer name keeps only the last of them.
const MAX_LETTERS: usize = 60;

impl DefinitionPath {
    /// Creates the place of a type with a name of its own.
    pub fn of_type(name: &str) -> Self {
        Self {
            bucket: "types".to_owned(),
            owner: name.to_owned(),
            name: name.to_owned(),
            parts: Vec::new(),
            member: String::new(),
        }
    }

    /// Returns the place of a part that is a member, or is independent of one.
    pub fn part(&self, suffix: &str) -> Self {
        Self { member: names::pascal(suffix), ..self.inner(suffix) }
    }

    /// Returns the place of the elements of a list or a map, or of a variant: the member stays the same.
    pub fn inner(&self, suffix: &str) -> Self {
        let suffix = names::pascal(suffix);
        let parts: Vec<String> = self.parts.iter().cloned().chain([suffix.clone()]).collect();
        let whole = names::join_names(&self.name, &suffix);
        let name = if whole.len() <= MAX_LETTERS { whole } else { shorten_name(&names::pascal(&self.owner), &parts) };
        Self { name, parts, ..self.clone() }
    }
}

/// Returns a shortened name of a deeply nested part: its owner, and as many of the last parts as fit.
fn shorten_name(owner: &str, parts: &[String]) -> String {
    let is_side = |part: &&String| ["Body", "Response", "Error"].iter().any(|side| part.starts_with(side));
    let (side, parts) = match parts.split_first().filter(|(first, rest)| is_side(first) && !rest.is_empty()) {
        Some((side, rest)) => (side.as_str(), rest),
        None => ("", parts),
    };
    let owner = names::join_names(owner, side);
    let named = |from: usize| parts[from..].iter().fold(owner.clone(), |name, part| names::join_names(&name, part));
    // A single part is rarely unique within its definition.
    let least = parts.len().saturating_sub(2);
    let mut name = named(least);
    for from in (1..least).rev() {
        let longer = named(from);
        if longer.len() > MAX_LETTERS {
            break;
        }
        name = longer;
    }
    name
}

/// Definition with its name and its place.
pub struct Item {
    /// Prefix of the names of its files: `operations`, `types` or `parameters`.
    pub bucket: String,
    /// Definition that it is placed with: itself, or the one that it is a part of.
    pub owner: String,
    /// Its name.
    pub name: String,
    /// Definition.
    pub definition: Definition,
}

impl Item {
    /// Returns the kind of the definition.
    pub const fn kind(&self) -> Kind {
        self.definition.kind()
    }

    /// Returns the definition, if it is a resource.
    pub const fn resource(&self) -> Option<&Resource> {
        match &self.definition {
            Definition::Resource(resource) => Some(resource),
            _ => None,
        }
    }

    /// Returns the definition, if it is an operation.
    pub const fn operation(&self) -> Option<&Operation> {
        match &self.definition {
            Definition::Operation(operation) => Some(operation),
            _ => None,
        }
    }
}
