//! Resources with their rules and states.

use super::deprecation::Deprecation;
use super::field::{Elements, Encoding, Field, Format, KeysDef};
use super::long_running::LongRunning;
use super::named::Named;
use super::read::{Kind, Located, Raw, Read, Text};
use super::shape::{Short, Shorthand, shape, words};
use super::types::{Range, TypeExpr};
use super::write::Write;
use super::xml::Xml;
use super::yaml::{Node, Value};
use crate::diagnostics::{Sink, Span};

shape! {
    /// A JSON object with named fields.
    Resource "resource" {
        /// What it represents, in one sentence.
        doc "doc": Option<Text> = "One entry on a calendar.";
        /// The Rust name, if the one derived from the schema name is unsuitable.
        name "name": Option<Text> = "CalendarEvent";
        /// A constant field that identifies the type of the resource. A server sets it; a client never does.
        kind "kind": Option<Short<KindTag>> = "calendar#event";
        /// The fields by their names on the wire.
        fields "fields": Named<Field> = "{ summary: { type: string, doc: The title. } }";
        /// Conditions across the fields.
        rules "rules": Vec<Rule> = "[{ id: event.one_identifier, cel: '!(has(this.id) && has(this.iCalUID))', message: give one identifier }]";
        /// The transitions between the values of enum fields, by field.
        states "states": Named<States> = "{ status: { transitions: any } }";
        /// How fields that the schema does not declare are handled.
        unknown_members "unknown_members": Option<UnknownMembers> = "preserve";
        /// The type of further fields with arbitrary names: a type, or a mapping with details. They are a map in Rust,
        /// and siblings of the named fields on the wire.
        rest "rest": Option<Short<RestDef>> = "{ type: int32, min: 0, doc: How many there are by size. }";
        /// Declares that the presence of fields determines an outcome: running, succeeded or failed.
        outcome "outcome": Option<Outcome> = "{ done: done, success: response, failure: error }";
        /// Declares that the resource represents a long-running operation.
        long_running "long_running": Option<LongRunning> = "{ name: name, done: done, response: response, error: error, metadata: metadata, poll: operations.get }";
        /// The XML mapping of the resource as a body; by default an element with the name of the resource.
        xml "xml": Option<Xml> = "{ name: item, prefix: a, namespace: 'https://example.com/items' }";
        /// The codes of warnings that are suppressed for the resource.
        allow "allow": Vec<Text> = "[W0310]";
        /// Marks the resource as deprecated.
        deprecated "deprecated": Option<Short<Deprecation>> = "true";
        /// The origin of the fact, if it is not the API's own specification.
        origin "origin": Option<Text> = "wire";
        /// Marks the resource as used from outside of the schema, so that it is not reported as unused.
        external "external": Option<Located<bool>> = "true";
    }
}

shape! {
    /// The fields of a resource with arbitrary names.
    RestDef "rest" {
        /// The type of each field.
        ty "type": TypeExpr = "string";
        /// The meaning of the fields, in one sentence.
        doc "doc": Option<Text> = "How many there are by size.";
        /// The Rust name of the map; default `rest`.
        name "name": Option<Text> = "counts";
        /// Whether null is a value. A merge patch removes a field with null otherwise.
        nullable "nullable": Option<Located<bool>> = "true";
        /// A regular expression that can be matched in linear time, anchored at both ends, in RE2 syntax. Look-around is supported next to text of a fixed length, such as `(?=.*[0-9]).{8,}`.
        pattern "pattern": Option<Text> = "'[a-v0-9]+'";
        /// The permitted length of each value, in Unicode code points for strings and in bytes for `bytes`.
        length "length": Option<Range> = "1..=128";
        /// The format of each string.
        format "format": Option<Located<Format>> = "email";
        /// The permitted schemes of a `uri`.
        schemes "schemes": Vec<Text> = "[https]";
        /// The minimum.
        min "min": Option<Raw> = "0";
        /// The maximum.
        max "max": Option<Raw> = "500";
        /// A number that each value must be a multiple of.
        multiple_of "multiple_of": Option<Raw> = "5";
        /// The permitted number of elements of each value that is a list or a map; one without elements has none.
        items "items": Option<Range> = "1..";
        /// The constraints of the keys of each value that is a map.
        keys "keys": Option<KeysDef> = "{ pattern: '[a-z]+' }";
        /// Whether the elements of each value that is a list must be unique.
        unique "unique": Option<Located<bool>> = "true";
        /// The constraints on the elements of these values, if they are lists or maps themselves.
        elements "elements": Option<Box<Elements>> = "{ items: 1.. }";
        /// The encoding of each value on the wire, if the type has more than one.
        encoding "encoding": Option<Located<Encoding>> = "decimal_string";
    }
}

impl Shorthand for RestDef {
    const KEY: &'static str = "type";
    type Short = TypeExpr;

    fn expand(ty: TypeExpr, span: Span) -> Self {
        Self { span, ty, ..Self::default() }
    }
}

shape! {
    /// The constant field that identifies the type of a resource.
    KindTag "kind" {
        /// The value.
        value "value": Text = "calendar#event";
        /// The name on the wire; default `kind`.
        member "member": Option<Text> = "'@type'";
        /// The origin of the fact, if it is not the API's own specification.
        origin "origin": Option<Text> = "wire";
    }
}

impl Shorthand for KindTag {
    const KEY: &'static str = "value";
    type Short = Text;

    fn expand(value: Text, span: Span) -> Self {
        Self { span, value, member: None, origin: None }
    }
}

words! {
    /// How fields that the schema does not declare are handled.
    UnknownMembers {
        /// They are skipped.
        Ignore "ignore",
        /// They are kept and written again.
        Preserve "preserve",
    }
}

shape! {
    /// How the presence of fields determines the outcome of an operation. The resource becomes an enum in Rust:
    /// running, succeeded with its response, failed with its error.
    Outcome "outcome" {
        /// The boolean field that is true when the operation has ended.
        done "done": Text = "done";
        /// The field that is present after success.
        success "success": Text = "response";
        /// The field that is present after a failure.
        failure "failure": Text = "error";
    }
}

shape! {
    /// A condition across the fields of a resource, or across the parameters and the body of an operation.
    Rule "rule" {
        /// The identifier, unique within the API and part of every violation.
        id "id": Text = "event.one_identifier";
        /// The condition, in CEL: `this` is the resource, `params` the parameters, `body` the request body, `old` the
        /// stored resource.
        cel "cel": Text = "'!(has(this.id) && has(this.iCalUID))'";
        /// The message of the violation when the condition is false, in plain words.
        message "message": Text = "give either id or iCalUID, not both";
        /// The field of the violation, as a path from the resource.
        at "at": Option<Text> = "iCalUID";
        /// The operations in which the rule applies; by default all.
        operations "operations": Vec<Text> = "[events.insert]";
        /// Whether a violation rejects the value or is only reported.
        severity "severity": Option<Severity> = "warning";
        /// The reason of a violation in an error body, instead of that of the profile for an invalid value.
        reason "reason": Option<Text> = "timeRangeEmpty";
        /// The origin of the rule, if it is not the API's own specification.
        origin "origin": Option<Text> = "ours";
    }
}

words! {
    /// The consequence of a violation.
    Severity {
        /// The value is rejected.
        Error "error",
        /// The value is accepted, and the violation is reported.
        Warning "warning",
    }
}

shape! {
    /// The transitions between the values of an enum field.
    States "states" {
        /// The initial state of the resource.
        initial "initial": Option<Text> = "confirmed";
        /// The permitted transitions: a list, `any` for all, or `external` if they happen outside of the API.
        transitions "transitions": Transitions = "[{ from: any, to: cancelled, on: events.move }]";
        /// How a transition that is not listed is treated; default `refused`.
        otherwise "otherwise": Option<TransitionPolicy> = "external";
        /// The origin of the transitions, if it is not the API's own specification.
        origin "origin": Option<Text> = "ours";
    }
}

/// The transitions of a state table.
#[derive(Clone, Debug, PartialEq)]
pub enum Transitions {
    /// No transitions are listed; this policy applies to all.
    Policy(TransitionPolicy),
    /// The permitted transitions.
    Listed(Vec<Transition>),
}

/// Permits all transitions.
impl Default for Transitions {
    fn default() -> Self {
        Self::Policy(TransitionPolicy::Any)
    }
}

impl Write for Transitions {
    fn write(&self) -> Node {
        match self {
            Self::Policy(word) => word.write(),
            Self::Listed(all) => all.write(),
        }
    }
}

impl Read for Transitions {
    fn kind() -> Kind {
        Kind::OneOf(vec![TransitionPolicy::kind(), Vec::<Transition>::kind()])
    }

    fn read(node: &Node, sink: &mut Sink) -> Option<Self> {
        match node.value {
            Value::List(_) => Vec::read(node, sink).map(Self::Listed),
            _ => TransitionPolicy::read(node, sink).map(Self::Policy),
        }
    }
}

words! {
    /// How transitions that are not listed are treated.
    TransitionPolicy {
        /// All transitions are permitted.
        Any "any",
        /// The transitions happen outside of the API.
        External "external",
        /// The transitions are not permitted.
        Refused "refused",
    }
}

shape! {
    /// A transition from one state to another.
    Transition "transition" {
        /// The previous state, or `any`.
        from "from": Text = "any";
        /// The next state.
        to "to": Text = "cancelled";
        /// The operation that causes the transition, or the event in a few words.
        on "on": Text = "events.move";
        /// The condition for the transition, in words.
        when "when": Option<Text> = "the organizer is not an attendee";
        /// Further effects.
        doc "doc": Option<Text> = "Only the id of the original stays.";
    }
}
