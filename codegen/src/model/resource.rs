//! Resources, enums and rules.

use crate::diagnostics::Span;

use super::{Cel, Deprecated, Doc, EnumId, Field, LongRunning, Name, OperationId, Type, XmlMapping};

/// Resource: a JSON object with known fields.
#[derive(Clone, Debug, PartialEq)]
pub struct Resource {
    /// Name; that of a type in Rust.
    pub name: Name,
    /// Description.
    pub doc: Doc,
    /// Fields; the constant `kind` comes first if there is one.
    pub fields: Vec<Field>,
    /// Rules across its fields.
    pub rules: Vec<Rule>,
    /// State machines of its enum fields.
    pub states: Vec<States>,
    /// XML facts of the resource.
    pub xml: XmlMapping,
    /// True if unknown fields are preserved.
    pub preserves_unknown: bool,
    /// Fields that make it an outcome: success or failure.
    pub outcome: Option<Outcome>,
    /// Fields that make it a long-running operation.
    pub long_running: Option<LongRunning>,
    /// Name of its merge-patch type, if an operation patches it or a resource that contains it.
    pub patch: Option<String>,
    /// True if it, or a nested resource, has output-only fields.
    pub has_output_only: bool,
    /// True if it, or a nested resource, has output-only fields that are rejected, not dropped.
    pub has_rejected: bool,
    /// True if it, or a nested resource, has input-only fields.
    pub has_input_only: bool,
    /// True if it, or a nested resource, has fields without effect in some requests.
    pub has_ineffective: bool,
    /// True if it, or a nested resource, has fields that a client generates.
    pub has_fill: bool,
    /// Deprecation.
    pub deprecated: Option<Deprecated>,
    /// Source of the fact, if it is not the specification.
    pub origin: Option<String>,
    /// Location in the schema.
    pub span: Span,
}

impl Resource {
    /// Returns a field by its index, which `rules::verify` has checked.
    #[must_use]
    pub fn field(&self, index: usize) -> &Field {
        &self.fields[index]
    }

    /// Returns the fields with a name of their own.
    pub fn named_fields(&self) -> &[Field] {
        match self.fields.split_last() {
            Some((rest, named)) if rest.is_rest => named,
            _ => &self.fields,
        }
    }

    /// Returns the map of all other fields, if the resource has one.
    #[must_use]
    pub fn rest_field(&self) -> Option<&Field> {
        self.fields.last().filter(|field| field.is_rest)
    }
}

/// Indices of the fields whose presence decides an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Boolean field that is true if it is done.
    pub done: usize,
    /// Field that is present on success.
    pub success: usize,
    /// Field that is present on failure.
    pub failure: usize,
}

/// Validation rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Key that is unique among the rules; equal to the id unless rules of other operations share that.
    pub key: String,
    /// Identifier.
    pub id: String,
    /// Condition that must hold.
    pub cel: Cel,
    /// Message of the violation.
    pub message: String,
    /// Path of the field to which a violation is attributed.
    pub at: Option<String>,
    /// Operations in which the rule applies; empty for all.
    pub operations: Vec<OperationId>,
    /// Severity of a violation.
    pub severity: RuleSeverity,
    /// Reason of a violation in an error body, if it has its own.
    pub reason: Option<String>,
    /// Source of the rule, if it is not the specification.
    pub origin: Option<String>,
}

/// Severity of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleSeverity {
    /// A violation rejects the value.
    Error,
    /// A violation is reported, and the value accepted.
    Warning,
}

/// State machine of an enum field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct States {
    /// Index of the field.
    pub field: usize,
    /// Enum of the states.
    pub states: EnumId,
    /// Index of the initial state.
    pub initial: Option<usize>,
    /// Known transitions.
    pub transitions: Vec<Transition>,
    /// Handling of transitions that are not listed.
    pub unlisted: TransitionPolicy,
    /// Source of the transitions, if it is not the API's own specification.
    pub origin: Option<String>,
}

/// Handling of transitions that are not listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransitionPolicy {
    /// All are allowed.
    Any,
    /// They happen outside of the API.
    External,
    /// They are rejected.
    Refused,
}

/// Transition between states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// Index of the source state; `None` for any.
    pub from: Option<usize>,
    /// Index of the target state.
    pub to: usize,
    /// Operation, or event in words, that triggers it.
    pub on: String,
    /// Condition for it, in words.
    pub when: Option<String>,
    /// Description of its other effects.
    pub doc: Doc,
}

/// Open set of named values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enum {
    /// Name; that of a type in Rust.
    pub name: Name,
    /// Description.
    pub doc: Doc,
    /// Wire type of the values: an integer type, `Double`, or `Any` if their names are JSON; `None` for strings.
    pub wire_type: Option<Type>,
    /// Values, in the order of the schema.
    pub values: Vec<EnumValue>,
    /// Index of the default value.
    pub default: Option<usize>,
    /// Deprecation.
    pub deprecated: Option<Deprecated>,
    /// Source of the fact, if it is not the specification.
    pub origin: Option<String>,
    /// Earlier enum that this one duplicates.
    pub duplicate_of: Option<EnumId>,
}

impl Enum {
    /// Returns a value by its index, which `rules::verify` has checked.
    #[must_use]
    pub fn value(&self, index: usize) -> &EnumValue {
        &self.values[index]
    }

    /// Returns the text of a value where strings are not quoted, such as in a query.
    #[must_use]
    pub fn plain_text(&self, wire: &str) -> String {
        match (&self.wire_type, serde_json::from_str(wire)) {
            (Some(Type::Any), Ok(serde_json::Value::String(text))) => text,
            _ => wire.to_owned(),
        }
    }

    /// Returns whether another enum has the same values in every respect.
    #[must_use]
    pub fn is_duplicate(&self, other: &Self) -> bool {
        self.values == other.values
            && (&self.wire_type, self.default, &self.deprecated) == (&other.wire_type, other.default, &other.deprecated)
    }
}

/// Value of an enum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnumValue {
    /// Name; that of a variant in Rust.
    pub name: Name,
    /// Description.
    pub doc: Doc,
    /// Alternative names that are parsed as this value.
    pub aliases: Vec<String>,
    /// True if it occurs in responses only.
    pub output_only: bool,
    /// True if it occurs in requests only.
    pub input_only: bool,
    /// Deprecation.
    pub deprecated: Option<Deprecated>,
    /// Source of the fact, if it is not the specification.
    pub origin: Option<String>,
}
