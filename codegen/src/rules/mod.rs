//! Conditions: CEL → typed expressions.
//!
//! The texts under `cel:` and `effective_when:` are parsed and checked against the model, so that an unknown field, a
//! comparison of different types or a field that may be absent is reported at generation time, at its own line and
//! column. The result is [`Conditions`]: plain data that is emitted as straight-line Rust. No text of a condition
//! reaches run time.
//!
//! `tokens` rejects invalid or excessive input; `parse` builds syntax trees; `check` resolves names and types and
//! reports all errors of a condition; `place` maps positions to lines and columns.

mod check;
mod foreign_syntax;
pub mod functions;
mod lints;
mod literal;
mod parse;
mod ranges;
mod source_map;
mod tokens;
mod tree;
pub mod verify;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::ops::Range;

use crate::diagnostics::{Code, Sink, Source};
use crate::model::condition::{Condition, Conditions, Subject};
use crate::model::{Api, Cel, OperationId, ResourceId, Type};

use check::Scope;
use source_map::SourceMap;
use tree::Node;

/// Error in a part of a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ConditionError {
    code: Code,
    at: Range<usize>,
    message: String,
    help: Vec<String>,
    /// Unknown word, and the candidates for it.
    suggestion: Option<(String, Vec<String>)>,
}

impl ConditionError {
    fn new(code: Code, at: Range<usize>, message: impl Into<String>) -> Self {
        Self { code, at, message: message.into(), help: Vec::new(), suggestion: None }
    }

    /// Adds a help text.
    fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }

    /// Adds the candidates for an unknown word, for a suggestion in the report.
    fn suggest<'a>(mut self, written: &str, candidates: impl IntoIterator<Item = &'a str>) -> Self {
        self.suggestion = Some((written.to_owned(), candidates.into_iter().map(str::to_owned).collect()));
        self
    }
}

/// Compiles the conditions of an API. If one has errors, which are in the sink, the result is incomplete and must not
/// be used.
pub fn compile(api: &Api, sources: &[Source], sink: &mut Sink) -> Conditions {
    let resources = api.resources.iter().flat_map(|resource| &resource.rules);
    let rules = resources.chain(api.operations.iter().flat_map(|operation| &operation.rules)).map(|rule| &rule.cel);
    let fields = api.resources.iter().flat_map(|resource| &resource.fields);
    let texts: Vec<&Cel> = rules.chain(fields.filter_map(|field| field.effective_when.as_ref())).collect();
    let parsed = texts.into_iter().map(|cel| (cel, parse::condition(&cel.text)));
    let mut compiler = Compiler { api, sources, sink, next: parsed };
    let resources = (0..api.resources.len()).map(|index| compiler.resource(ResourceId(index))).collect();
    let operations = (0..api.operations.len()).map(|index| compiler.operation(OperationId(index))).collect();
    let mut conditions = Conditions { resources, operations, ..Conditions::default() };
    compiler.effective(&mut conditions);
    conditions
}

/// Warns of required fields that a merge patch can remove, unless a compiled condition refuses that.
pub fn lint(api: &Api, sink: &mut Sink) {
    lints::check_cleared(api, &api.conditions, sink);
}

/// Visits the conditions in the order in which they were parsed.
struct Compiler<'a, I> {
    api: &'a Api,
    sources: &'a [Source],
    sink: &'a mut Sink,
    next: I,
}

impl<'a, I: Iterator<Item = (&'a Cel, Result<Node, ConditionError>)>> Compiler<'a, I> {
    /// Compiles the rules of a resource.
    fn resource(&mut self, id: ResourceId) -> Vec<Condition> {
        let api = self.api;
        let rules = api.resource(id).rules.iter();
        rules.filter_map(|rule| self.rule(&Scope::of_resource(api, id, &rule.operations))).collect()
    }

    /// Compiles the rules of an operation.
    fn operation(&mut self, id: OperationId) -> Vec<Condition> {
        let api = self.api;
        let rules = api.operation(id).rules.iter();
        rules.filter_map(|_| self.rule(&Scope::of_operation(api, id))).collect()
    }

    /// Compiles the next parsed condition as a rule; reports its errors, and warns if it is constant.
    fn rule(&mut self, scope: &Scope<'_>) -> Option<Condition> {
        let (cel, parsed) = self.next.next()?;
        match parsed {
            Ok(tree) => {
                let (condition, mut errors) = check::condition(&tree, scope);
                let api = self.api;
                let value = condition.as_ref().and_then(|condition| lints::constant(api, condition));
                errors.extend(value.map(|holds| {
                    let so = if holds {
                        "is always true: the rule has no effect"
                    } else {
                        "is always false: the rule rejects every value"
                    };
                    lints::constant_warning(cel, so)
                }));
                if let (Some(condition), None) = (&condition, value) {
                    errors.extend(lints::constant_part(api, cel, condition));
                }
                self.report(cel, errors);
                condition
            }
            Err(error) => {
                self.report(cel, vec![error]);
                None
            }
        }
    }

    /// Compiles `effective_when` of fields, once for each operation whose body contains them.
    fn effective(&mut self, conditions: &mut Conditions) {
        let api = self.api;
        let reached = reachable_resources(api);
        for (index, resource) in api.resources.iter().enumerate() {
            for (field, member) in resource.fields.iter().enumerate() {
                let id = ResourceId(index);
                let operations = (0..api.operations.len()).map(OperationId);
                let operations: Vec<_> = operations.filter(|operation| reached[operation.0].contains(&id)).collect();
                if member.effective_when.is_some() {
                    for (operation, condition) in self.member(&operations) {
                        conditions.effective.insert((id, field, operation), condition);
                    }
                }
                // In these operations the field never has an effect.
                for operation in
                    operations.into_iter().filter(|operation| member.ignored.operations.contains(operation))
                {
                    let condition =
                        Condition { subject: Subject::Request(operation), value: check::always_false(), old: None };
                    conditions.effective.insert((id, field, operation), condition);
                }
            }
        }
    }

    /// Compiles the next parsed condition as `effective_when` of a field, in each operation that sends the field.
    fn member(&mut self, operations: &[OperationId]) -> Vec<(OperationId, Condition)> {
        let Some((cel, parsed)) = self.next.next() else { return Vec::new() };
        let tree = match parsed {
            Ok(tree) => tree,
            Err(error) => {
                self.report(cel, vec![error]);
                return Vec::new();
            }
        };
        let mut found = Vec::new();
        let mut errors: Vec<ConditionError> = Vec::new();
        for operation in operations {
            let (condition, wrong) = check::condition(&tree, &Scope::of_member(self.api, *operation, operations));
            for error in wrong {
                // The error is the same in each operation.
                if !errors.contains(&error) {
                    errors.push(error);
                }
            }
            found.extend(condition.map(|condition| (*operation, condition)));
        }
        let values: BTreeSet<Option<bool>> =
            found.iter().map(|(_, condition)| lints::constant(self.api, condition)).collect();
        if let [Some(Some(holds))] = [values.first().copied().filter(|_| values.len() == 1)] {
            let so = if holds {
                "is always true: the field always has an effect"
            } else {
                "is always false: the field never has an effect"
            };
            errors.push(lints::constant_warning(cel, so));
        }
        self.report(cel, errors);
        found
    }

    /// Reports errors of a condition at their positions in the schema.
    fn report(&mut self, cel: &Cel, errors: Vec<ConditionError>) {
        if errors.is_empty() {
            return;
        }
        let places = SourceMap::align_with_source(&cel.text, cel.span, self.sources);
        for error in errors {
            let report = self.sink.report(error.code, places.span(&error.at), error.message);
            if let Some((written, candidates)) = &error.suggestion {
                report.suggest(written, candidates.iter().map(String::as_str));
            }
            for help in error.help {
                report.help(help);
            }
        }
    }
}

/// Returns the resources that the body of each operation contains, directly or nested.
fn reachable_resources(api: &Api) -> Vec<BTreeSet<ResourceId>> {
    api.operations
        .iter()
        .map(|operation| {
            let mut found = BTreeSet::new();
            let mut open: Vec<&Type> = operation.bodies().map(|body| &body.ty).collect();
            while let Some(ty) = open.pop() {
                for id in api.resources_of(ty) {
                    if found.insert(id) {
                        open.extend(api.resource(id).fields.iter().map(|field| &field.ty));
                    }
                }
            }
            found
        })
        .collect()
}
