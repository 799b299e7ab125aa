//! Members and what is known of them: names, types, behaviour.

use std::collections::BTreeMap;

use super::{Constraints, Literal, OperationId, Type, XmlFacts};
use crate::diagnostics::Span;

/// A name on the wire and in Rust.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// As it is on the wire.
    pub wire: String,
    /// As an identifier, `r#type` where it is a keyword.
    pub ident: String,
    /// As a part of longer identifiers: `type`.
    pub stem: String,
}

/// A description: empty when there is none.
pub type Doc = String;

/// A member of a resource.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its name; a member of a struct in Rust.
    pub name: Name,
    /// What it means.
    pub doc: Doc,
    /// What it holds.
    pub ty: Type,
    /// Whether a box must stand between the resource and the value, because the type contains itself.
    pub boxed: bool,
    /// Whether it is the constant member that tells what the resource is.
    pub is_kind: bool,
    /// Whether it is no member but all those beside the named ones, as a map. It is the last one.
    pub is_rest: bool,
    /// Who sets it and when.
    pub behavior: Behavior,
    /// How it stands in XML.
    pub xml: XmlFacts,
    /// Whether null on the wire is a value of its own, beside being absent.
    pub nullable: bool,
    /// Whether an empty list or map is told apart from an absent one.
    pub explicit_presence: bool,
    /// What it stands for when it is absent.
    pub default: Option<Literal>,
    /// An example.
    pub example: Option<Literal>,
    /// What its values must satisfy.
    pub constraints: Constraints,
    /// What a client fills in where there is nothing.
    pub fill: Option<Fill>,
    /// Other names under which it is accepted.
    pub aliases: Vec<String>,
    /// Where it is false, the server ignores the member.
    pub effective_when: Option<Cel>,
    /// Where the server ignores the member.
    pub ignored: Ignored,
    /// The operations in whose bodies its values must satisfy the constraints; everywhere where there are none.
    pub constrained: Option<Vec<OperationId>>,
    /// Whether it is on its way out.
    pub deprecated: Option<Deprecated>,
    /// Where the fact comes from, when it is not the specification.
    pub origin: Option<String>,
    /// Where single facts come from that are of another origin, by their keys in the schema.
    pub origins: BTreeMap<String, String>,
    /// Where it stands in the schema.
    pub span: Span,
}

impl Field {
    /// Returns whether it depends on the request whether the member has an effect.
    #[must_use]
    pub fn is_conditional(&self) -> bool {
        self.effective_when.is_some() || !self.ignored.operations.is_empty()
    }

    /// Returns whether there are requests in which the member has no effect.
    #[must_use]
    pub fn can_be_ineffective(&self) -> bool {
        self.is_conditional() || self.ignored.unless.is_some()
    }
}

/// Where the server ignores a member.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ignored {
    /// In the bodies of these operations.
    pub operations: Vec<OperationId>,
    /// Where another member has another value.
    pub unless: Option<Unless>,
}

/// A member of the same resource, and the value beside which another member has an effect.
#[derive(Clone, Debug, PartialEq)]
pub struct Unless {
    /// The member, by index.
    pub field: usize,
    /// The value.
    pub value: Literal,
}

/// Who sets a member and when (AIP-203).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Behavior {
    /// Where a body must have it.
    pub required: Required,
    /// Whether merge patches may remove it although some operations require it.
    pub clearable: bool,
    /// Only the server writes it.
    pub output_only: Option<OutputOnly>,
    /// Only a client writes it.
    pub input_only: bool,
    /// It does not change after creation.
    pub immutable: bool,
    /// A change of an immutable member is ignored rather than refused.
    pub ignores_change: bool,
    /// It identifies the resource.
    pub identifier: bool,
}

impl Behavior {
    /// Returns whether a change of the member is refused.
    #[must_use]
    pub const fn refuses_change(&self) -> bool {
        self.immutable && !self.ignores_change
    }

    /// Returns whether only the server writes it, and it is refused rather than dropped.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.output_only.as_ref().is_some_and(|only| only.refuse)
    }
}

/// What a client makes up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// A random UUID.
    Uuid,
}

/// Where a body must have a member.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Required {
    /// Nowhere.
    #[default]
    Never,
    /// Everywhere.
    Everywhere,
    /// In the bodies of these operations. A merge patch may leave it out, and cannot make it null.
    In(Vec<OperationId>),
}

/// What happens to an output-only member that a client sends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutputOnly {
    /// The operations in which a client may write it.
    pub except: Vec<OperationId>,
    /// Whether it is refused rather than dropped.
    pub refuse: bool,
}

/// A condition in CEL and where it stands, for the stage that compiles it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cel {
    /// The condition.
    pub text: String,
    /// Where it stands in the schema.
    pub span: Span,
}

/// How something deprecated is replaced.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Deprecated {
    /// The version since which it is.
    pub since: Option<String>,
    /// What takes its place, by its name on the wire.
    pub instead: Option<String>,
    /// What else there is to know.
    pub doc: Option<String>,
}
