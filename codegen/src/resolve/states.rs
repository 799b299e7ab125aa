//! State machines and outcomes of resources.

use super::lookup::field_index;
use super::members::text;
use super::tables::Tables;
use super::types::fits;
use crate::diagnostics::{Code, Sink};
use crate::model::{EnumId, Field, Outcome, States, Transition, TransitionPolicy, Type};
use crate::schema::Text;
use crate::schema::resource::{self, Transitions};

impl Tables<'_> {
    /// Resolves the states of a field.
    pub fn states(&self, name: &Text, def: &resource::States, fields: &[Field], sink: &mut Sink) -> Option<States> {
        let field = field_index(name, fields, sink)?;
        let Type::Enum(states) = fields[field].ty else {
            if fields[field].ty == Type::Unresolved {
                return None;
            }
            sink.report(
                Code::BadStates,
                name.span,
                format!("`{}` is not an enum and cannot have transitions", name.text),
            );
            return None;
        };
        let initial = def.initial.as_ref().and_then(|initial| self.state(states, initial, sink));
        let otherwise = |otherwise| match otherwise {
            resource::TransitionPolicy::Any => TransitionPolicy::Any,
            resource::TransitionPolicy::External => TransitionPolicy::External,
            resource::TransitionPolicy::Refused => TransitionPolicy::Refused,
        };
        let (transitions, rest) = match &def.transitions {
            Transitions::Policy(rest) => {
                if def.otherwise.is_some() {
                    sink.report(Code::BadStates, def.span, "`otherwise` requires a list of transitions")
                        .help("remove `otherwise`, or list the transitions");
                }
                (Vec::new(), *rest)
            }
            Transitions::Listed(list) => {
                let steps = list.iter().filter_map(|step| self.transition(states, step, sink)).collect();
                (steps, def.otherwise.unwrap_or(resource::TransitionPolicy::Refused))
            }
        };
        let origin = def.origin.as_ref().map(|origin| origin.text.clone());
        Some(States { field, states, initial, transitions, unlisted: otherwise(rest), origin })
    }

    /// Resolves a transition between two states; reports unknown states, and an unknown operation that causes it.
    fn transition(&self, states: EnumId, step: &resource::Transition, sink: &mut Sink) -> Option<Transition> {
        // `any` stands for every state, unless a state has that name.
        let any = step.from.text == "any" && self.enum_value(states, "any").is_none();
        let from = if any { Some(None) } else { self.state(states, &step.from, sink).map(Some) };
        let to = self.state(states, &step.to, sink);
        // A single word with a dot is an operation; anything else is an event in words.
        if !step.on.text.contains(' ') && step.on.text.contains('.') {
            self.operation(&step.on, sink)?;
        }
        Some(Transition {
            from: from?,
            to: to?,
            on: step.on.text.clone(),
            when: step.when.as_ref().map(|when| when.text.clone()),
            doc: text(step.doc.as_ref()),
        })
    }

    /// Returns an enum value by name; reports an unknown one.
    pub fn state(&self, states: EnumId, name: &Text, sink: &mut Sink) -> Option<usize> {
        let found = self.enum_value(states, &name.text);
        if found.is_none() {
            let definition = &self.enums[states.0];
            sink.report(
                Code::BadStates,
                name.span,
                format!("`{}` is not a value of `{}`", name.text, definition.key.text),
            )
            .suggest(&name.text, definition.def.values.0.iter().map(|(value, _)| value.text.as_str()));
        }
        found
    }
}

/// Resolves the outcome of a resource; reports fields that cannot be one.
pub fn find_outcome(def: &resource::Outcome, fields: &[Field], sink: &mut Sink) -> Option<Outcome> {
    let done = field_index(&def.done, fields, sink)?;
    let success = field_index(&def.success, fields, sink)?;
    let failure = field_index(&def.failure, fields, sink)?;
    let resource = |index: usize| fits(&fields[index].ty, |ty| matches!(ty, Type::Resource(_)));
    if fields.len() != 3
        || !fits(&fields[done].ty, |ty| *ty == Type::Bool)
        || !resource(success)
        || !resource(failure)
        || success == failure
    {
        sink.report(Code::BadOutcome, def.span, "an outcome must have three fields: a boolean and two resources")
            .help("`done` is the boolean; `success` and `failure` are the resources; other fields are not allowed");
        return None;
    }
    let plain = |field: &Field| {
        field.aliases.is_empty()
            && field.default.is_none()
            && field.behavior.output_only.is_none()
            && !field.behavior.input_only
            && !field.nullable
    };
    if !fields.iter().all(plain) {
        sink.report(
            Code::BadOutcome,
            def.span,
            "the fields of an outcome cannot have aliases, defaults, `output_only` or `input_only`",
        )
        .help("remove them: only the presence of the three fields is significant");
        return None;
    }
    Some(Outcome { done, success, failure })
}
