//! Resources, enums, and what goes with them.

use crate::diagnostics::Span;

use super::{Cel, Deprecated, Doc, EnumId, Field, LongRunning, Name, OperationId, Type, XmlFacts};

/// A JSON object with known members.
#[derive(Clone, Debug, PartialEq)]
pub struct Resource {
    /// Its name; a type in Rust.
    pub name: Name,
    /// What it is.
    pub doc: Doc,
    /// Its members, the constant `kind` first where there is one.
    pub fields: Vec<Field>,
    /// Conditions across its members.
    pub rules: Vec<Rule>,
    /// How the values of enum members follow one another.
    pub states: Vec<States>,
    /// How it stands in XML.
    pub xml: XmlFacts,
    /// Whether members that the schema does not know are kept.
    pub preserves_unknown: bool,
    /// Whether it is an outcome, and of which members.
    pub outcome: Option<Outcome>,
    /// Whether it tells of work that goes on after the answer, and by which members.
    pub long_running: Option<LongRunning>,
    /// The name of its merge-patch form, where an operation patches it or a resource that holds it.
    pub patch: Option<String>,
    /// Whether it, or a resource inside it, has members that only the server writes.
    pub has_output_only: bool,
    /// Whether it, or a resource inside it, has such members that are refused rather than dropped.
    pub has_refused: bool,
    /// Whether it, or a resource inside it, has members that only a client writes.
    pub has_input_only: bool,
    /// Whether it, or a resource inside it, has members that have no effect in some requests.
    pub has_ineffective: bool,
    /// Whether it, or a resource inside it, has members that a client fills in.
    pub has_fill: bool,
    /// Whether it is on its way out.
    pub deprecated: Option<Deprecated>,
    /// Where the fact comes from, when it is not the specification.
    pub origin: Option<String>,
    /// Where it stands in the schema.
    pub span: Span,
}

impl Resource {
    /// Returns a member by its index, which `rules::verify` has seen to lead somewhere.
    #[must_use]
    pub fn field(&self, index: usize) -> &Field {
        &self.fields[index]
    }

    /// Its members by name.
    pub fn named(&self) -> &[Field] {
        match self.fields.split_last() {
            Some((rest, named)) if rest.is_rest => named,
            _ => &self.fields,
        }
    }

    /// The members beside the named ones, as a map.
    #[must_use]
    pub fn rest(&self) -> Option<&Field> {
        self.fields.last().filter(|field| field.is_rest)
    }
}

/// The members, by index, whose presence decides an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Whether it has ended.
    pub done: usize,
    /// Present on success.
    pub success: usize,
    /// Present on failure.
    pub failure: usize,
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// What tells it from rules of other operations with the same id; the id itself where no other has it.
    pub key: String,
    /// Its name, unique within the API.
    pub id: String,
    /// The condition.
    pub cel: Cel,
    /// What is wrong when it does not hold.
    pub message: String,
    /// The member that a violation is about, as a path.
    pub at: Option<String>,
    /// The operations in which it holds; empty for all.
    pub operations: Vec<OperationId>,
    /// Whether it refuses.
    pub severity: RuleSeverity,
    /// Where the rule comes from, when it is not the specification.
    pub origin: Option<String>,
}

/// What a broken rule leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleSeverity {
    /// The value is refused.
    Error,
    /// The value passes, and the violation is reported.
    Warning,
}

/// How the values of an enum member follow one another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct States {
    /// The member, by index.
    pub field: usize,
    /// The enum of the states.
    pub states: EnumId,
    /// The first state, by index.
    pub initial: Option<usize>,
    /// The steps that are known.
    pub transitions: Vec<Transition>,
    /// What holds for other steps.
    pub otherwise: TransitionsOtherwise,
}

/// What holds for steps that are not listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransitionsOtherwise {
    /// Each state may follow each.
    Any,
    /// They happen outside of the API.
    External,
    /// They do not happen.
    Refused,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The state before, by index; none for any.
    pub from: Option<usize>,
    /// The state after.
    pub to: usize,
    /// The operation, or the event in words, that leads to it.
    pub on: String,
    /// The condition under which it does, in words.
    pub when: Option<String>,
    /// What else happens.
    pub doc: Doc,
}

/// An open set of named values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enum {
    /// Its name; a type in Rust.
    pub name: Name,
    /// What its values are about.
    pub doc: Doc,
    /// The type that its values are on the wire: one of whole numbers, `double`, or `any` where their names are JSON; none
    /// where they are texts.
    pub number: Option<Type>,
    /// The values, in the order of the schema.
    pub values: Vec<EnumValue>,
    /// The value that absence stands for, by index.
    pub default: Option<usize>,
    /// Whether it is on its way out.
    pub deprecated: Option<Deprecated>,
    /// Where the fact comes from, when it is not the specification.
    pub origin: Option<String>,
    /// The earlier enum that this one is another name for.
    pub same_as: Option<EnumId>,
}

impl Enum {
    /// Returns a value by its index, which `rules::verify` has seen to lead somewhere.
    #[must_use]
    pub fn value(&self, index: usize) -> &EnumValue {
        &self.values[index]
    }

    /// What a value is where there are no quotes around texts, such as in a query.
    #[must_use]
    pub fn plain_text(&self, wire: &str) -> String {
        match (&self.number, serde_json::from_str(wire)) {
            (Some(Type::Any), Ok(serde_json::Value::String(text))) => text,
            _ => wire.to_owned(),
        }
    }

    /// Whether another enum has the same values in every respect.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        self.values == other.values
            && (&self.number, self.default, &self.deprecated) == (&other.number, other.default, &other.deprecated)
    }
}

/// A value of an enum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnumValue {
    /// Its name; a variant in Rust.
    pub name: Name,
    /// What it means.
    pub doc: Doc,
    /// Other spellings that are read as this value.
    pub aliases: Vec<String>,
    /// Whether it is received only.
    pub output_only: bool,
    /// Whether it is sent only.
    pub input_only: bool,
    /// Whether it is on its way out.
    pub deprecated: Option<Deprecated>,
    /// Where the fact comes from, when it is not the specification.
    pub origin: Option<String>,
}
