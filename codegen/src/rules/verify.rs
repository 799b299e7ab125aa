//! What the emitters take for granted of a model, checked before they see it.
//!
//! Emitting cannot fail, so that a reference into nothing would become code that checks something else. Whatever is found
//! here is a mistake of the generator, and is reported as one, with the place in the schema that it is about.

use std::collections::BTreeSet;

use crate::diagnostics::{Code, Sink, Span};
use crate::model::condition::{CelType, Condition, Expr, ExprKind, Literal, Root, Subject};
use crate::model::{Api, Cel, Operation, Part, ScopeNeed, Segment};

/// Reports every reference of an API that leads nowhere.
pub fn verify(api: &Api, sink: &mut Sink) {
    for operation in &api.operations {
        for wrong in indices(api, operation) {
            internal(sink, operation.span, &format!("the operation `{}` {wrong}", operation.name));
        }
    }
    let resources = api.resources.iter().map(|it| &it.rules).zip(&api.conditions.resources);
    let operations = api.operations.iter().map(|it| &it.rules).zip(&api.conditions.operations);
    for (rules, conditions) in resources.chain(operations) {
        for rule in rules.iter().skip(conditions.len()) {
            internal(sink, rule.cel.span, &format!("the rule `{}` was not compiled", rule.id));
        }
        for (rule, found) in rules.iter().zip(conditions) {
            condition(api, found, &rule.cel, &format!("the condition of the rule `{}`", rule.id), sink);
        }
    }
    for ((resource, index, _), found) in &api.conditions.effective {
        let resource = api.resource(*resource);
        let Some(field) = resource.fields.get(*index) else {
            internal(
                sink,
                resource.span,
                &format!("`{}` has no member {index}, which has a condition", resource.name.wire),
            );
            continue;
        };
        // Without one the member has an effect in some operations and in others not, whatever is sent.
        let Some(cel) = &field.effective_when else { continue };
        condition(api, found, cel, &format!("the condition of the member `{}`", field.name.wire), sink);
    }
}

/// Reports the first thing in a condition that cannot be written as code.
fn condition(api: &Api, condition: &Condition, cel: &Cel, subject: &str, sink: &mut Sink) {
    let mut reader = Reader { api, condition, variables: BTreeSet::new() };
    if let Some(wrong) = reader.wrong(&condition.value) {
        internal(sink, cel.span, &format!("{subject} {wrong}"));
    }
}

fn internal(sink: &mut Sink, span: Span, message: &str) {
    sink.report(Code::Internal, span, format!("internal error: {message}"))
        .label("the generator cannot write this")
        .help("this is a mistake of the generator, not of the schema: please report it together with these lines");
}

/// The parameters, scopes and schemes that an operation names and that are not there.
fn indices(api: &Api, operation: &Operation) -> Vec<String> {
    let parameters = operation.parameters.len();
    let mut wrong = Vec::new();
    let variables = operation.http.segments.iter().flat_map(|segment| match segment {
        Segment::Literal(_) => Vec::new(),
        Segment::Variable(index) | Segment::Rest(index) | Segment::Name(index, _) => vec![*index],
        Segment::Parts(parts) => parts.iter().filter_map(variable).collect(),
    });
    let resumed = operation
        .sync
        .iter()
        .flat_map(|sync| std::iter::once(sync.resume).chain(sync.forbids.iter().map(|forbidden| forbidden.parameter)));
    let missing = variables.chain(resumed).filter(|index| *index >= parameters);
    wrong.extend(missing.map(|index| format!("has no parameter {index}")));
    let scopes = match &operation.scopes {
        ScopeNeed::None => &[][..],
        ScopeNeed::AnyOf(list) | ScopeNeed::AllOf(list) => list,
    };
    let missing = scopes.iter().filter(|index| **index >= api.scopes.len());
    wrong.extend(missing.map(|index| format!("needs the scope {index}, which the API does not have")));
    let demands = operation.security.iter().flatten().flatten();
    let missing = demands.filter(|demand| demand.scheme >= api.security_schemes.len());
    wrong.extend(missing.map(|demand| format!("needs the scheme {}, which the API does not have", demand.scheme)));
    wrong
}

fn variable(part: &Part) -> Option<usize> {
    match part {
        Part::Variable(index) => Some(*index),
        Part::Text(_) => None,
    }
}

/// Goes through a condition as the emitter does.
struct Reader<'a> {
    api: &'a Api,
    condition: &'a Condition,
    /// The variables of the loops around.
    variables: BTreeSet<usize>,
}

impl Reader<'_> {
    /// What is wrong with an expression, as the end of a sentence.
    fn wrong(&mut self, expr: &Expr) -> Option<String> {
        if let ExprKind::Loop(each) = &expr.kind {
            let wrong = self.wrong(&each.over);
            let is_new = self.variables.insert(each.variable.number);
            let inside = each.condition.iter().chain(&each.result);
            let wrong = wrong.or_else(|| inside.into_iter().find_map(|part| self.wrong(part)));
            if is_new {
                self.variables.remove(&each.variable.number);
            }
            return wrong;
        }
        self.own(expr).or_else(|| expr.parts().into_iter().find_map(|part| self.wrong(part)))
    }

    /// What is wrong with an expression beside its parts.
    fn own(&self, expr: &Expr) -> Option<String> {
        match &expr.kind {
            ExprKind::Variable(variable) if !self.variables.contains(&variable.number) => {
                Some(format!("reads the variable `{}` outside of its loop", variable.name))
            }
            ExprKind::Root(root) if !self.has(*root) => Some(format!("reads {}, which it does not have", name(*root))),
            ExprKind::Member { of, field, .. } => match of.ty {
                CelType::Message(id) | CelType::Patch(id) => {
                    let resource = self.api.resource(id);
                    let is_there = *field < resource.fields.len();
                    (!is_there).then(|| format!("reads the member {field} of `{}`, which has none", resource.name.wire))
                }
                _ => Some(format!("reads the member {field} of a value that has no members")),
            },
            ExprKind::Parameter(index, _) => {
                let Subject::Request(id) = self.condition.subject else {
                    return Some(format!("reads the parameter {index} of a resource"));
                };
                let operation = self.api.operation(id);
                let is_there = *index < operation.parameters.len();
                (!is_there).then(|| format!("reads the parameter {index} of `{}`, which has none", operation.name))
            }
            ExprKind::Literal(Literal::Enum(id, index)) => {
                let definition = self.api.enumeration(*id);
                let is_there = *index < definition.values.len();
                (!is_there).then(|| format!("names the value {index} of `{}`, which has none", definition.name.wire))
            }
            ExprKind::In(_, list) => {
                let is_looked_in = matches!(list.ty, CelType::List(_) | CelType::Map(_) | CelType::Object);
                (!is_looked_in).then(|| "looks for an element in what has none".to_owned())
            }
            ExprKind::Call(function, arguments) if arguments.is_empty() => {
                Some(format!("calls {function:?} without arguments"))
            }
            _ => None,
        }
    }

    fn has(&self, root: Root) -> bool {
        match (root, self.condition.subject) {
            (Root::This, subject) => matches!(subject, Subject::Resource(_)),
            (Root::Body, Subject::Request(id)) => self.api.operation(id).body.is_some(),
            (Root::Body, Subject::Resource(_)) => false,
            (Root::Old | Root::New, _) => self.condition.old.is_some(),
        }
    }
}

fn name(root: Root) -> &'static str {
    match root {
        Root::This => "`this`",
        Root::Body => "`body`",
        Root::Old => "`old`",
        Root::New => "`new`",
    }
}
