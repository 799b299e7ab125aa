//! Resources, their rules and their states.

use super::field::{Deprecation, Encoding, Field, Format};
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
    /// A JSON object with known members.
    Resource "resource" {
        /// What it is, in one sentence.
        doc "doc": Option<Text> = "One entry on a calendar.";
        /// The Rust name, where the one made from the schema name does not fit.
        name "name": Option<Text> = "CalendarEvent";
        /// A constant member that tells what the resource is. A server fills it in, a client never adds it.
        kind "kind": Option<Short<KindTag>> = "calendar#event";
        /// Its members by their names on the wire.
        fields "fields": Named<Field> = "{ summary: { type: string, doc: The title. } }";
        /// Conditions that hold across its members.
        rules "rules": Vec<Rule> = "[{ id: event.one_identifier, cel: '!(has(this.id) && has(this.iCalUID))', message: give one identifier }]";
        /// How the values of an enum field follow one another, by field.
        states "states": Named<States> = "{ status: { transitions: any } }";
        /// What happens to members that the schema does not know.
        unknown_members "unknown_members": Option<UnknownMembers> = "preserve";
        /// What members beside the named ones hold, by whatever names: a type, or a mapping with more. They are a map in Rust, and stand beside the others on the wire.
        rest "rest": Option<Short<RestDef>> = "{ type: int32, min: 0, doc: How many there are by size. }";
        /// Says that presence decides an outcome: running, succeeded or failed.
        outcome "outcome": Option<Outcome> = "{ done: done, success: response, failure: error }";
        /// Says that the resource tells of work that goes on after the answer.
        long_running "long_running": Option<LongRunning> = "{ name: name, done: done, response: response, error: error, metadata: metadata, poll: operations.get }";
        /// How the resource stands in XML, where it is a body or an answer: as an element of its own name unless said.
        xml "xml": Option<Xml> = "{ name: item, prefix: a, namespace: 'https://example.com/items' }";
        /// The warnings about the resource that are meant so and are not given, by their codes.
        allow "allow": Vec<Text> = "[W0310]";
        /// Says that the resource is on its way out.
        deprecated "deprecated": Option<Short<Deprecation>> = "true";
        /// Where the fact comes from, when it is not the API's own specification.
        origin "origin": Option<Text> = "wire";
        /// Says that the resource is used from outside the schema, so that it is not reported as unused.
        external "external": Option<Located<bool>> = "true";
    }
}

shape! {
    /// The members of a resource beside those that it names.
    RestDef "rest" {
        /// What each of them holds.
        ty "type": TypeExpr = "string";
        /// What they mean, in one sentence.
        doc "doc": Option<Text> = "How many there are by size.";
        /// The Rust name of the map; `rest` unless said.
        name "name": Option<Text> = "counts";
        /// Whether null is a value of one, in place of which a merge patch removes it.
        nullable "nullable": Option<Located<bool>> = "true";
        /// A regular expression of linear time, anchored at both ends.
        pattern "pattern": Option<Text> = "'[a-v0-9]+'";
        /// How many Unicode code points each text has, or how many bytes.
        length "length": Option<Range> = "1..=128";
        /// What each text is.
        format "format": Option<Located<Format>> = "email";
        /// The schemes that a `uri` can have.
        schemes "schemes": Vec<Text> = "[https]";
        /// The least number.
        min "min": Option<Raw> = "0";
        /// The greatest number.
        max "max": Option<Raw> = "500";
        /// Each number is a multiple of this one.
        multiple_of "multiple_of": Option<Raw> = "5";
        /// How each value is written on the wire, where its type leaves a choice.
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
    /// The constant member that tells what a resource is.
    KindTag "kind" {
        /// Its value.
        value "value": Text = "calendar#event";
        /// Its name on the wire; `kind` unless said.
        member "member": Option<Text> = "'@type'";
        /// Where the fact comes from, when it is not the API's own specification.
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
    /// What happens to members that the schema does not know.
    UnknownMembers {
        /// They are read over.
        Ignore "ignore",
        /// They are kept and written back.
        Preserve "preserve",
    }
}

shape! {
    /// How presence decides the outcome of an operation. The resource becomes an enum in Rust: running, succeeded with its response, failed with its error.
    Outcome "outcome" {
        /// The boolean field that says whether the operation has ended.
        done "done": Text = "done";
        /// The field that is present on success.
        success "success": Text = "response";
        /// The field that is present on failure.
        failure "failure": Text = "error";
    }
}

shape! {
    /// A condition across the members of a resource, or across the parameters and the body of an operation.
    Rule "rule" {
        /// Its name, unique within the API; part of every violation.
        id "id": Text = "event.one_identifier";
        /// The condition, in CEL: `this` is the resource, `params` the parameters, `body` the body, `old` what is stored.
        cel "cel": Text = "'!(has(this.id) && has(this.iCalUID))'";
        /// What is wrong when it does not hold, in plain words.
        message "message": Text = "give either id or iCalUID, not both";
        /// The member that the violation is about, as a path from the resource.
        at "at": Option<Text> = "iCalUID";
        /// The operations in which it holds; all of them unless said.
        operations "operations": Vec<Text> = "[events.insert]";
        /// Whether it refuses or only reports.
        severity "severity": Option<Severity> = "warning";
        /// Where the rule comes from, when it is not the API's own specification.
        origin "origin": Option<Text> = "ours";
    }
}

words! {
    /// What a broken rule leads to.
    Severity {
        /// The value is refused.
        Error "error",
        /// The value passes, and the violation is reported.
        Warning "warning",
    }
}

shape! {
    /// How the values of an enum field follow one another.
    States "states" {
        /// The state in which the resource begins.
        initial "initial": Option<Text> = "confirmed";
        /// The transitions: a list, `any` when each state may follow each, `external` when they happen outside of the API.
        transitions "transitions": Transitions = "[{ from: any, to: cancelled, on: events.move }]";
        /// What holds for a transition that is not listed; `refused` unless said.
        otherwise "otherwise": Option<Otherwise> = "external";
    }
}

/// The transitions of a state table.
#[derive(Clone, Debug, PartialEq)]
pub enum Transitions {
    /// Each state may follow each, or they happen elsewhere.
    Free(Otherwise),
    /// Those that are listed.
    Listed(Vec<Transition>),
}

/// Each state may follow each.
impl Default for Transitions {
    fn default() -> Self {
        Self::Free(Otherwise::Any)
    }
}

impl Write for Transitions {
    fn write(&self) -> Node {
        match self {
            Self::Free(word) => word.write(),
            Self::Listed(all) => all.write(),
        }
    }
}

impl Read for Transitions {
    fn kind() -> Kind {
        Kind::OneOf(vec![Otherwise::kind(), Vec::<Transition>::kind()])
    }

    fn read(node: &Node, sink: &mut Sink) -> Option<Self> {
        match node.value {
            Value::List(_) => Vec::read(node, sink).map(Self::Listed),
            _ => Otherwise::read(node, sink).map(Self::Free),
        }
    }
}

words! {
    /// What holds for transitions that are not listed.
    Otherwise {
        /// Each state may follow each.
        Any "any",
        /// They happen outside of the API.
        External "external",
        /// They do not happen.
        Refused "refused",
    }
}

shape! {
    /// One step from a state to a state.
    Transition "transition" {
        /// The state before, or `any`.
        from "from": Text = "any";
        /// The state after.
        to "to": Text = "cancelled";
        /// The operation, or the event in a few words, that leads to it.
        on "on": Text = "events.move";
        /// The condition under which it does, in words.
        when "when": Option<Text> = "the organizer is not an attendee";
        /// What else happens.
        doc "doc": Option<Text> = "Only the id of the original stays.";
    }
}
