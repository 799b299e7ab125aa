//! Fields of resources: names, types, behavior.

use std::collections::BTreeMap;

use heck::ToPascalCase as _;

use super::{Constraints, Literal, OperationId, Type, XmlMapping};
use crate::diagnostics::Span;

/// Name on the wire and in Rust.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// Name on the wire.
    pub wire: String,
    /// Rust identifier, `r#type` for a keyword.
    pub ident: String,
    /// Part of longer identifiers: `type`.
    pub stem: String,
}

/// Returns words in ASCII in upper camel case: `EventsInsert`, and `3Gpp` for `3gpp`, where a digit has no capital.
pub fn upper_camel(words: &str) -> String {
    let digits = words.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = words.split_at_checked(digits).unwrap_or(("", words));
    format!("{digits}{}", rest.to_pascal_case())
}

impl Name {
    /// Returns an identifier that begins with the name: `status_or_default`, and `_3d_or_default` for `3d`.
    #[must_use]
    pub fn suffixed(&self, suffix: &str) -> String {
        let mark = if self.stem.starts_with(|c: char| c.is_ascii_digit()) { "_" } else { "" };
        format!("{mark}{}{suffix}", self.stem)
    }
}

/// Description; empty if there is none.
pub type Doc = String;

/// Field of a resource.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Name; that of a struct field in Rust.
    pub name: Name,
    /// Description.
    pub doc: Doc,
    /// Type.
    pub ty: Type,
    /// True if the value is boxed, because the type contains itself.
    pub boxed: bool,
    /// True if it is the constant field that identifies the resource.
    pub is_kind: bool,
    /// True if it is the map of all fields without a name of their own. It is the last field.
    pub is_rest: bool,
    /// Behavior: who sets the field and when.
    pub behavior: Behavior,
    /// XML facts of the field.
    pub xml: XmlMapping,
    /// True if null on the wire is distinct from absent.
    pub nullable: bool,
    /// True if an empty list or map is distinct from an absent one.
    pub explicit_presence: bool,
    /// Default for an absent value.
    pub default: Option<Literal>,
    /// Example.
    pub example: Option<Literal>,
    /// Constraints on its values.
    pub constraints: Constraints,
    /// Value that a client generates if the field is absent.
    pub fill: Option<Fill>,
    /// True if `Debug` output and violations do not contain the value.
    pub sensitive: bool,
    /// Alternative names that are accepted.
    pub aliases: Vec<String>,
    /// Condition without which the server ignores the field.
    pub effective_when: Option<Cel>,
    /// Cases in which the server ignores the field.
    pub ignored: Ignored,
    /// Operations in whose bodies the constraints apply; `None` if everywhere.
    pub constrained: Option<Vec<OperationId>>,
    /// Deprecation.
    pub deprecated: Option<Deprecated>,
    /// Source of the fact, if it is not the specification.
    pub origin: Option<String>,
    /// Sources of single facts that differ from `origin`, by their keys in the schema.
    pub origins: BTreeMap<String, String>,
    /// Location in the schema.
    pub span: Span,
}

impl Field {
    /// Returns whether the effect of the field depends on the request.
    #[must_use]
    pub fn is_conditional(&self) -> bool {
        self.effective_when.is_some() || !self.ignored.operations.is_empty()
    }

    /// Returns whether there are requests in which the field has no effect.
    #[must_use]
    pub fn can_be_ineffective(&self) -> bool {
        self.is_conditional() || self.ignored.unless.is_some()
    }
}

/// Cases in which the server ignores a field.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ignored {
    /// Operations in whose bodies it is ignored.
    pub operations: Vec<OperationId>,
    /// Other field whose value decides whether it is ignored.
    pub unless: Option<Unless>,
}

/// Field of the same resource, and the value with which the dependent field has an effect.
#[derive(Clone, Debug, PartialEq)]
pub struct Unless {
    /// Index of the field.
    pub field: usize,
    /// Value.
    pub value: Literal,
}

/// Behavior of a field: who sets it and when (AIP-203).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Behavior {
    /// Bodies that must have the field.
    pub required: Required,
    /// True if merge patches may remove the field although some operations require it.
    pub clearable: bool,
    /// Set if only the server writes the field.
    pub output_only: Option<OutputOnly>,
    /// True if only a client writes the field.
    pub input_only: bool,
    /// True if the field does not change after creation.
    pub immutable: bool,
    /// True if a change of an immutable field is ignored instead of rejected.
    pub ignores_changes: bool,
    /// True if the field identifies the resource.
    pub identifier: bool,
}

impl Behavior {
    /// Returns whether a change of the field is rejected.
    #[must_use]
    pub const fn rejects_changes(&self) -> bool {
        self.immutable && !self.ignores_changes
    }

    /// Returns whether the field is output-only and rejected in requests, not dropped.
    #[must_use]
    pub fn is_rejected(&self) -> bool {
        self.output_only.as_ref().is_some_and(|only| only.reject)
    }
}

/// Value that a client generates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// Random UUID.
    Uuid,
}

/// Bodies that must have a field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Required {
    /// None.
    #[default]
    Never,
    /// All.
    Everywhere,
    /// Bodies of these operations. A merge patch may omit the field but cannot set it to null.
    In(Vec<OperationId>),
}

/// Handling of an output-only field that a client sends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutputOnly {
    /// Operations in which a client may write it.
    pub except: Vec<OperationId>,
    /// True if it is rejected instead of dropped.
    pub reject: bool,
}

/// CEL condition with its location, for the stage that compiles it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cel {
    /// Text of the condition.
    pub text: String,
    /// Location in the schema.
    pub span: Span,
}

/// Deprecation of an item.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Deprecated {
    /// Version since which it is deprecated.
    pub since: Option<String>,
    /// Replacement, by its name on the wire.
    pub replacement: Option<String>,
    /// Further explanation.
    pub doc: Option<String>,
}
