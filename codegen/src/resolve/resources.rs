//! Resources, their rules, state machines and outcomes.

use std::collections::HashMap;

use super::lookup::field_index;
use super::members::{Scope, cel, deprecated, document, text};
use super::tables::Tables;
use super::types::fits;
use crate::diagnostics::{Code, Sink};
use crate::model::{Field, Operation, OperationId, Resource, Rule, RuleSeverity, Type, Unless};
use crate::schema;
use crate::schema::resource::{self, UnknownMembers};
use crate::schema::shape::Short;
use crate::schema::write::is_equivalent;

/// Rules by id, with the operation of each. An id has one meaning within an API: operations can share a rule, but a
/// resource cannot have two rules of one id.
pub type RuleIds = HashMap<String, (resource::Rule, Option<OperationId>)>;

impl Tables<'_> {
    /// Resolves everything about a resource that does not depend on other resources.
    pub fn resource(&mut self, index: usize, rule_ids: &mut RuleIds, sink: &mut Sink) -> Resource {
        let (key, def, name) = {
            let definition = &self.resources[index];
            (definition.key, definition.def, definition.name.clone())
        };
        document(def.doc.as_ref(), key, "resource", sink);
        let mut scope = Scope::default();
        let mut fields: Vec<Field> = Vec::with_capacity(def.fields.0.len() + 1);
        fields.extend(def.kind.as_ref().and_then(|Short(tag)| self.kind_field(tag, &mut scope, sink)));
        for (key, field) in &def.fields.0 {
            fields.extend(self.field(key, field, &mut scope, sink));
        }
        self.unless(def, &mut fields, sink);
        let rules = self.rules(&def.rules, None, rule_ids, sink);
        for (rule, written) in rules.iter().zip(&def.rules) {
            check_at(rule, written, &fields, sink);
        }
        let preserves_unknown = self.preserves_unknown(def);
        if preserves_unknown {
            scope.take("unknown_members", "the map of unknown fields", key.span, sink);
        }
        fields.extend(def.rest.as_ref().and_then(|Short(rest)| self.rest_of(def, rest, &mut scope, sink)));
        let states = def.states.0.iter();
        let states = states.filter_map(|(field, states)| self.states(field, states, &fields, sink)).collect();
        let long_running = def.long_running.as_ref();
        Resource {
            states,
            outcome: def.outcome.as_ref().and_then(|outcome| super::states::find_outcome(outcome, &fields, sink)),
            long_running: long_running.and_then(|written| super::long_running::members(written, def, &fields, sink)),
            xml: super::xml::xml_mapping(def.xml.as_ref(), super::xml::XmlSubject::Resource, sink),
            preserves_unknown,
            patch: None,
            has_output_only: false,
            has_rejected: false,
            has_input_only: false,
            has_ineffective: false,
            has_fill: false,
            deprecated: deprecated(def.deprecated.as_ref()),
            origin: def.origin.as_ref().map(|origin| origin.text.clone()),
            doc: text(def.doc.as_ref()),
            span: key.span,
            name,
            fields,
            rules,
        }
    }

    /// Returns whether the resource preserves unknown fields, as it or its API declares. With `rest` every field is
    /// known, and an outcome cannot store others.
    fn preserves_unknown(&self, def: &schema::Resource) -> bool {
        let of_api = || {
            let has_place = def.rest.is_none() && def.outcome.is_none();
            self.api.unknown_members.as_ref().filter(|_| has_place).map(|unknown| unknown.value)
        };
        def.unknown_members.or_else(of_api) == Some(UnknownMembers::Preserve)
    }

    /// Resolves the fields on whose values the effect of others depends.
    fn unless(&self, def: &schema::Resource, fields: &mut [Field], sink: &mut Sink) {
        for (key, written) in &def.fields.0 {
            let Some(ignored) = &written.ignored else { continue };
            let [(name, value)] = ignored.unless.0.as_slice() else {
                if !ignored.unless.0.is_empty() {
                    sink.report(Code::BadBehavior, ignored.span, "expected exactly one field under `unless`")
                        .help("write one field under `unless`, with the value for which this field has an effect");
                }
                continue;
            };
            let Some(field) = field_index(name, fields, sink) else { continue };
            let of = &fields[field];
            let is_word = |ty: &Type| matches!(ty, Type::Enum(_) | Type::String | Type::Bool);
            let is_one = fits(&of.ty, is_word) && !of.nullable;
            if !is_one || name.text == key.text {
                sink.report(
                    Code::BadBehavior,
                    name.span,
                    "expected another field whose type is an enum, a string or a boolean",
                );
                continue;
            }
            let Some(value) = self.literal(value, &of.ty, "value", sink) else { continue };
            if let Some(own) = fields.iter_mut().find(|own| own.span == key.span) {
                own.ignored.unless = Some(Unless { field, value });
            }
        }
    }

    /// Resolves the map of other fields, if they have a type.
    fn rest_of(
        &mut self,
        def: &schema::Resource,
        rest: &resource::RestDef,
        scope: &mut Scope,
        sink: &mut Sink,
    ) -> Option<Field> {
        if def.unknown_members.is_some() || def.outcome.is_some() {
            sink.report(Code::Misplaced, rest.span, "`rest` cannot be combined with `unknown_members` or `outcome`")
                .help("remove one of them: `rest` accepts every field");
        }
        self.rest(rest, scope, sink)
    }

    /// Resolves the rules of a resource or of an operation.
    pub fn rules(
        &self,
        rules: &[resource::Rule],
        of: Option<OperationId>,
        ids: &mut RuleIds,
        sink: &mut Sink,
    ) -> Vec<Rule> {
        rules
            .iter()
            .map(|rule| {
                check_rule(rule, of, ids, sink);
                Rule {
                    key: rule.id.text.clone(),
                    id: rule.id.text.clone(),
                    cel: cel(&rule.cel),
                    message: rule.message.text.clone(),
                    at: rule.at.as_ref().map(|at| at.text.clone()),
                    operations: self.operations(&rule.operations, sink),
                    severity: match rule.severity {
                        Some(resource::Severity::Warning) => RuleSeverity::Warning,
                        _ => RuleSeverity::Error,
                    },
                    reason: rule.reason.as_ref().map(|reason| reason.text.clone()),
                    origin: rule.origin.as_ref().map(|origin| origin.text.clone()),
                }
            })
            .collect()
    }
}

fn check_rule(rule: &resource::Rule, of: Option<OperationId>, ids: &mut RuleIds, sink: &mut Sink) {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_' || byte == b'.';
    if rule.id.text.is_empty() || !rule.id.text.bytes().all(plain) {
        sink.report(Code::BadRule, rule.id.span, format!("invalid rule id `{}`", rule.id.text.escape_debug()))
            .help("use lower-case letters, digits, `_` and `.`, such as `event.one_identifier`");
    }
    let first = ids.insert(rule.id.text.clone(), (rule.clone(), of));
    if let Some((first, _)) = first.filter(|(first, other)| other.is_none() || *other == of || !is_shared(first, rule))
    {
        sink.report(Code::BadRule, rule.id.span, format!("duplicate rule `{}`", rule.id.text))
            .related(first.id.span, "first defined here");
    }
    for (key, text) in [("cel", &rule.cel), ("message", &rule.message)] {
        if text.text.trim().is_empty() {
            sink.report(Code::BadRule, text.span, format!("`{key}` is empty"));
        }
    }
}

/// Returns whether two rules of one id are the same rule; the origins do not matter.
fn is_shared(one: &resource::Rule, other: &resource::Rule) -> bool {
    let plain = |rule: &resource::Rule| resource::Rule { origin: None, ..rule.clone() };
    one.id.span == other.id.span || is_equivalent(&plain(one), &plain(other))
}

/// Makes the keys of shared rules unique: each condition becomes a function of its own.
pub fn disambiguate_shared(operations: &mut [Operation]) {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for rule in operations.iter().flat_map(|operation| &operation.rules) {
        *counts.entry(rule.id.clone()).or_default() += 1;
    }
    for operation in operations {
        for rule in operation.rules.iter_mut().filter(|rule| counts.get(&rule.id).is_some_and(|count| *count > 1)) {
            rule.key = format!("{}.{}", rule.id, operation.name);
        }
    }
}

/// Checks that the path of a rule starts with a field.
fn check_at(rule: &Rule, written: &resource::Rule, fields: &[Field], sink: &mut Sink) {
    let Some(at) = &written.at else { return };
    let first = at.text.split(['.', '[']).next().unwrap_or_default();
    if !fields.iter().any(|field| field.name.wire == first) {
        sink.report(
            Code::UnknownMember,
            at.span,
            format!("unknown field `{first}` in the path of the rule `{}`", rule.id),
        )
        .suggest(first, fields.iter().map(|field| field.name.wire.as_str()));
    }
}
